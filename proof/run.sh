#!/usr/bin/env bash
# Holds the suite's own figures against those of others, on this machine and in one run: sockperf and iperf3, the
# kernel's counters, the same loop without accounting, a bench against itself, and interleaved figures against figures
# alone. See --help.
# shellcheck disable=SC2034 # the parts read what is set here
set -euo pipefail
cd "$(dirname "$0")/.."

parts=(tools wire accounting rooms compare copies alone foreign-load standing-still slices links)
rounds=7
seconds=3
tries=20
slowed_tries=5
short=""
out=proof/results
port=21110
readonly payload=32

for file in proof/common.sh proof/parts/*.sh; do
    # shellcheck source=/dev/null
    . "$file"
done

usage() {
    cat <<'TEXT'
Usage: proof/run.sh [--rounds N] [--short] [--out DIR] [PART...]

Measures, interleaved over several rounds, and writes proof/results/PART.md of each part. Wants a quiet machine, for so
many minutes of each part. Parts of several libraries are of those that build here.

  tools           7   bench-udp and bench-tcp against sockperf and iperf3
  wire            1   packets and bytes per message against the kernel's counters
  accounting      3   bench-udp against the same loop without stamps, accounting and checks
  rooms           6   what the suite itself costs in a room, beside every library
  compare        18   pairs of equal sweeps, and of one against a slowed copy, before `report compare`
  copies          9   interleaved: bench-udp, a copy and a slowed copy of it
  alone          23   ratios of interleaved libraries against those of launches one after another, of every library
  foreign-load    6   the same beside a load that comes and goes
  standing-still  9   what stopped processes use and send, and what becomes of their messages
  links           9   whether an emulated link is what is asked of it, what it carries (iperf3), and what others
                      measured
  slices         20   which length of a slice and time to settle give the narrowest interval a minute

  --rounds N   of tools, accounting and rooms (7)
  --short      a few rounds and tries, to see that it runs (a tenth of the time)
  --out DIR    where to write
TEXT
}

read_flags() {
    local chosen=()
    while [[ $# -gt 0 ]]; do
        case $1 in
            --help | -h)
                usage
                exit 0
                ;;
            --rounds)
                if [[ ! ${2-} =~ ^[1-9][0-9]?$ ]]; then
                    fail "--rounds takes a number from 1 to 99." 2
                fi
                rounds=$2
                shift
                ;;
            --short)
                short=yes
                rounds=2
                seconds=1
                tries=2
                slowed_tries=1
                ;;
            --out)
                if [[ $# -lt 2 ]]; then
                    fail "--out takes a folder." 2
                fi
                out=$2
                shift
                ;;
            *)
                if [[ " ${parts[*]} " != *" $1 "* ]]; then
                    fail "there is no part '$1' (see --help)." 2
                fi
                chosen+=("$1")
                ;;
        esac
        shift
    done
    if [[ ${#chosen[@]} -gt 0 ]]; then
        parts=("${chosen[@]}")
    fi
}

has_program() {
    command -v "$1" >/dev/null
}

check_system() {
    if [[ ! -r /proc/net/snmp ]]; then
        fail "the kernel's counters are read from /proc, so this needs Linux."
    fi
    if ! has_program dotnet; then
        fail "the .NET SDK 10 is needed: https://dotnet.microsoft.com/download"
    fi
    if [[ " ${parts[*]} " == *" tools "* ]] && ! { has_program sockperf && has_program iperf3; }; then
        fail "sockperf and iperf3 are needed: apt-get install sockperf iperf3, or the like elsewhere."
    fi
}

build_all() {
    local bench
    build runner
    for bench in bench-*; do
        # What needs a package may not be had here.
        if ! (build "$bench") && [[ $bench =~ ^bench-(udp|tcp)$ ]]; then
            exit 1
        fi
    done
    if [[ ! -f report/bin/Release/report.dll ]]; then
        build report -p:ScottPlotVersion=none
    fi
}

# CPU time that the hypervisor gave to others, in hundredths of a second.
steal() {
    awk '$1 == "cpu" { print $9 }' /proc/stat
}

# fact NAME: of the machine record.
fact() {
    grep -o "\"$1\":[^,}]*" <<<"$machine" | head -n 1 | cut -d: -f2- | tr -d '"'
}

# describe PART STARTED LOAD STEAL: when and where the part was measured, and what else the machine did meanwhile.
describe() {
    local minutes=$(((SECONDS - $2 + 30) / 60))
    local changed=""
    local stolen
    if [[ $(fact suite_dirty) == true ]]; then
        changed=" (changed)"
    fi
    stolen=$(calculate "($(steal) - $4) / (($SECONDS - $2 + 1) * $(nproc))")
    cat <<TEXT
Written by \`proof/run.sh $1\`, $(date -u +%F), in $minutes minutes, on $(fact cpu_model), $(fact cpu_count) CPUs,
hypervisor $(fact hypervisor), kernel $(fact kernel), .NET $(fact dotnet_version),
suite $(fact suite_commit | cut -c1-12)$changed.
Load average before: $3. Steal meanwhile: $stolen % of the machine.

TEXT
}

# prove PART: measures it and writes its page.
prove() {
    local started=$SECONDS
    local load
    local stolen
    load=$(cut -d' ' -f1-3 /proc/loadavg)
    stolen=$(steal)
    work=$temporary/$1
    mkdir "$work"
    "$1" >"$work/page"
    {
        head -n 1 "$work/page"
        echo
        describe "$1" "$started" "$load" "$stolen"
        tail -n +2 "$work/page"
    } | cat -s | sed '$ { /^$/d }' >"$out/$1.md"
}

main() {
    local part
    read_flags "$@"
    check_system
    temporary=$(mktemp -d)
    trap 'rm -rf "$temporary"' EXIT
    work=$temporary
    build_all
    machine=$(runner machine)
    mkdir -p "$out"
    for part in "${parts[@]}"; do
        prove "$part"
    done
    echo "results: $out" >&2
}

main "$@"
