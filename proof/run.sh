#!/usr/bin/env bash
# Holds the suite's own figures against those of others, on this machine and in one run: sockperf and iperf3,
# the kernel's counters, the same loop without accounting, a bench against itself, and figures in turn against figures alone. See --help.
# shellcheck disable=SC2034 # the parts read what is set here
set -euo pipefail
cd "$(dirname "$0")/.."

parts=(tools wire accounting compare copies alone foreign-load standing-still slices links)
rounds=7 seconds=3 tries=20 slowed_tries=5 short="" out=proof/results port=21110
readonly payload=32
# shellcheck source=/dev/null
for file in proof/common.sh proof/parts/*.sh; do . "$file"; done

usage() {
    cat <<'TEXT'
Usage: proof/run.sh [--rounds N] [--short] [--out DIR] [PART...]

Measures, interleaved over several rounds, and writes proof/results/PART.md of each part. Wants a quiet machine, for so
many minutes of each part. Parts of several libraries are of those that build here.

  tools           7   bench-udp and bench-tcp against sockperf and iperf3
  wire            1   packets and bytes a message against the kernel's counters
  accounting      3   bench-udp against the same loop without stamps, accounting and checks
  compare        18   pairs of equal sweeps, and of one against a slowed copy, before `report compare`
  copies          9   in turn: bench-udp, a copy and a slowed copy of it
  alone          23   ratios in turn against those of launches one after another, of every library
  foreign-load    6   the same beside a load that comes and goes
  standing-still  9   what stopped processes use and send, and what becomes of their messages
  links           9   whether an emulated link is what is asked of it, what it carries (iperf3), and what others measured
  slices         20   which length of a slice and time to settle give the narrowest interval a minute

  --rounds N   of tools and accounting (7)
  --short      a few rounds and tries, to see that it runs (a tenth of the time)
  --out DIR    where to write
TEXT
}

check_system() {
    [[ -r /proc/net/snmp ]] || fail "the kernel's counters are read from /proc, so this needs Linux."
    command -v dotnet >/dev/null || fail "the .NET SDK 10 is needed: https://dotnet.microsoft.com/download"
    [[ " ${parts[*]} " != *" tools "* ]] || { command -v sockperf && command -v iperf3; } >/dev/null ||
        fail "sockperf and iperf3 are needed: apt-get install sockperf iperf3, or the like elsewhere."
}

describe() {
    fact() { grep -o "\"$1\":[^,}]*" <<<"$machine" | head -n 1 | cut -d: -f2- | tr -d '"'; }
    cat <<TEXT
Written by \`proof/run.sh $part\`, $(date -u +%F), in $(((SECONDS - started + 30) / 60)) minutes, on $(fact cpu_model), $(fact cpu_count) CPUs, hypervisor $(fact hypervisor),
kernel $(fact kernel), .NET $(fact dotnet_version), suite $(fact suite_commit | cut -c1-12)$(if [[ $(fact suite_dirty) == true ]]; then echo " (changed)"; fi).
Load average before: $load. Steal meanwhile: $(calculate "($(steal) - $steal_before) / (($SECONDS - $started + 1) * $(nproc))") % of the machine.

TEXT
}

# CPU time that the hypervisor gave to others, in hundredths of a second.
steal() {
    awk '$1 == "cpu" { print $9 }' /proc/stat
}

main() {
    local chosen=() part bench
    while [[ $# -gt 0 ]]; do
        case $1 in
            --help | -h) usage; exit 0 ;;
            --rounds)
                [[ ${2-} =~ ^[1-9][0-9]?$ ]] || fail "--rounds takes a number from 1 to 99." 2
                rounds=$2
                shift
                ;;
            --short) short=yes rounds=2 seconds=1 tries=2 slowed_tries=1 ;;
            --out) [[ $# -gt 1 ]] || fail "--out takes a folder." 2; out=$2; shift ;;
            *)
                [[ " ${parts[*]} " == *" $1 "* ]] || fail "there is no part '$1' (see --help)." 2
                chosen+=("$1")
                ;;
        esac
        shift
    done
    if [[ ${#chosen[@]} -gt 0 ]]; then parts=("${chosen[@]}"); fi
    check_system
    temporary=$(mktemp -d)
    trap 'rm -rf "$temporary"' EXIT
    work=$temporary
    build runner
    # What needs a package may not be had here.
    for bench in bench-*; do (build "$bench") || [[ ! $bench =~ ^bench-(udp|tcp)$ ]] || exit 1; done
    [[ -f report/bin/Release/report.dll ]] || build report -p:ScottPlotVersion=none
    machine=$(runner machine)
    mkdir -p "$out"
    for part in "${parts[@]}"; do
        started=$SECONDS load=$(cut -d' ' -f1-3 /proc/loadavg) steal_before=$(steal)
        work=$temporary/$part
        mkdir "$work"
        $part >"$work/page"
        { head -n 1 "$work/page"; echo; describe; tail -n +2 "$work/page"; } | cat -s | sed '$ { /^$/d }' >"$out/$part.md"
    done
    echo "results: $out" >&2
}

main "$@"
