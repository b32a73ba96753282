#!/usr/bin/env bash
# Builds every bench-*, measures the cells of a preset and renders the report.
set -euo pipefail
caller=$PWD
cd "$(dirname "$0")/.."

usage() {
    cat <<'EOF'
Usage: scripts/run-all.sh [flags]

Builds every bench-* and report, measures every cell (library x delivery x clients x parallel x
payload), each in fresh processes, and writes results/DATE-MACHINE/ with raw.jsonl, report.md and charts.

  --preset NAME|FILE      scripts/presets/NAME.preset or a file of such lines  (quick)
  --libraries LIST        folders bench-NAME                                   (all)
  --delivery LIST         reliable-ordered, reliable-unordered, unreliable     (from the preset)
  --clients LIST          clients, each with a connection of its own           (from the preset)
  --parallel LIST         messages in flight a client                          (from the preset)
  --payload-bytes LIST    bytes a message                                      (from the preset)
  --warmup-seconds N      least warm-up                                        (from the preset)
  --seconds N             measured window                                      (from the preset)
  --repeats N             launches a cell                                      (from the preset)
  --seed N                seed of the order of the cells                       (1)
  --out DIR               folder of the results; must not hold any             (results/DATE-MACHINE)
  --strict                an unavailable package is an error
  --dry-run               print the commands, measure nothing
  --help                  this text

A LIST is comma-separated. Ctrl-C once: what was measured is kept and rendered.
Exit codes: 0 measured, 1 a cell or a build failed, 2 wrong usage, 130 stopped by Ctrl-C.

Examples:
  scripts/run-all.sh
  scripts/run-all.sh --preset essential --libraries udp,enet
  scripts/run-all.sh --delivery unreliable --clients 1,10,100,1000 --seconds 5 --repeats 5
EOF
}

keys="libraries delivery clients parallel payload_bytes warmup_seconds seconds repeats"
libraries="" delivery="" clients="" parallel="" payload_bytes="" warmup_seconds="" seconds="" repeats=""
preset=quick seed=1 out="" strict=0 dry_run=0
interrupted=0 failures=0

refuse() {
    echo "run-all: $1" >&2
    exit 2
}

fail() {
    echo "run-all: $1" >&2
    exit 1
}

# in_range VALUE LEAST MOST: true for a plain number, in thousandths where it has a fraction.
in_range() {
    local number=$1 whole fraction
    [[ $number =~ ^(0|[1-9][0-9]{0,8})(\.[0-9]{1,3})?$ ]] || return 1
    whole=${number%%.*} fraction=000
    if [[ $number == *.* ]]; then fraction=${number#*.}00; fi
    number=$((whole * 1000 + 10#${fraction:0:3}))
    [[ $number -ge $2 && $number -le $3 ]]
}

# check_value NAME KEY VALUE: refuses a value that no cell could have; NAME says where it stands.
check_value() {
    local items item good seen=,
    IFS=, read -r -a items <<<"$3"
    [[ -n $3 && $3 != *, && ,$3 != *,,* ]] || refuse "$1 takes a value or a list, not '$3'."
    case $2 in
        warmup_seconds | seconds | repeats | seed)
            [[ ${#items[@]} -eq 1 ]] || refuse "$1 takes one value, not '$3'." ;;
    esac
    for item in "${items[@]}"; do
        [[ $seen != *,$item,* ]] || refuse "$1 names '$item' twice."
        seen=$seen$item,
        good=0
        case $2 in
            libraries) [[ $item =~ ^[a-z0-9]+$ && -d bench-$item ]] && good=1 ;;
            delivery) [[ $item =~ ^(reliable-ordered|reliable-unordered|unreliable)$ ]] && good=1 ;;
            warmup_seconds) in_range "$item" 0 3600000 && good=1 ;;
            seconds) in_range "$item" 100 86400000 && good=1 ;;
            *) [[ $item != *.* ]] && case $2 in
                clients) in_range "$item" 1000 100000000 ;;
                parallel) in_range "$item" 1000 10000000 ;;
                payload_bytes) in_range "$item" 24000 65507000 ;;
                repeats) in_range "$item" 1000 1000000 ;;
                seed) in_range "$item" 0 999999999000 ;;
            esac && good=1 ;;
        esac
        [[ $good -eq 1 ]] || refuse "'$item' is no value for $1."
    done
}

read_flags() {
    local name key
    while [[ $# -gt 0 ]]; do
        name=$1
        case $name in
            --help | -h) usage; exit 0 ;;
            --strict) strict=1; shift; continue ;;
            --dry-run) dry_run=1; shift; continue ;;
            --preset | --out | --seed | --libraries | --delivery | --clients | --parallel | --payload-bytes | \
                --warmup-seconds | --seconds | --repeats) ;;
            *) refuse "unknown flag '$name' (see --help)." ;;
        esac
        [[ $# -gt 1 && -n $2 ]] || refuse "$name takes a value."
        key=${name#--}
        key=${key//-/_}
        [[ $key == preset || $key == out ]] || check_value "$name" "$key" "$2"
        printf -v "$key" %s "$2"
        shift 2
    done
}

# Fills what no flag gave from the preset's lines KEY=VALUE.
read_preset() {
    local file=scripts/presets/$preset.preset number=0 line key value
    [[ -f $file ]] || file=$(from_caller "$preset")
    [[ -f $file ]] || refuse "there is no preset '$preset' (presets: $(preset_names))."
    while IFS= read -r line || [[ -n $line ]]; do
        number=$((number + 1))
        line=${line%$'\r'}
        [[ -n $line && $line != \#* ]] || continue
        key=${line%%=*} value=${line#*=}
        [[ $line == *=* && " $keys " == *" $key "* ]] || refuse "$file:$number: '$line' is no setting of a preset."
        check_value "$file:$number: $key" "$key" "$value"
        [[ -n ${!key} ]] || printf -v "$key" %s "$value"
    done <"$file"
    for key in $keys; do
        [[ -n ${!key} || $key == libraries ]] || refuse "$file lacks a line '$key=…'."
    done
    if [[ -z $libraries ]]; then
        libraries=$(for folder in bench-*/; do folder=${folder#bench-}; echo "${folder%/}"; done | paste -sd, -)
    fi
}

# A path as the caller meant it: relative to the folder that the script was called from.
from_caller() {
    if [[ $1 == /* || $caller -ef . ]]; then echo "$1"; else echo "$caller/$1"; fi
}

preset_names() {
    local file names=""
    for file in scripts/presets/*.preset; do
        file=${file##*/}
        names="$names, ${file%.preset}"
    done
    echo "${names#, }"
}

check_sdk() {
    command -v dotnet >/dev/null || fail "the .NET SDK 10 is needed: https://dotnet.microsoft.com/download"
    local version
    version=$(dotnet --version 2>/dev/null) || fail "'dotnet --version' fails: is an SDK installed?"
    [[ ${version%%.*} -ge 10 ]] || fail "the .NET SDK 10 or newer is needed, but this is $version."
}

# build FOLDER [FLAGS]: its output goes to $log; false when it failed.
build() {
    local folder=$1
    shift
    dotnet build "$folder" -c Release --nologo -v quiet "$@" >"$log" 2>&1 </dev/null
}

package_missing() {
    grep -q 'error NU1' "$log"
}

# NuGet's or the compiler's first error, without the file names around it.
first_error() {
    sed -n 's/.*error \([A-Z]*[0-9]*: .*\)/\1/p' "$log" | sed 's/ \[[^]]*\]$//' | head -n 1
}

build_report() {
    build report && return
    if package_missing; then
        echo "ScottPlot is not to be had ($(first_error)): charts come from the SVG writer."
        build report -p:ScottPlotVersion=none && return
    fi
    [[ $interrupted -eq 0 ]] || exit 130
    fail "report does not build: $(first_error)"
}

report() {
    dotnet report/bin/Release/report.dll "$@"
}

# Leaves in $libraries those that can be measured; the others go into the raw lines.
build_benches() {
    local library kind built=""
    for library in ${libraries//,/ }; do
        [[ $interrupted -eq 0 ]] || return 0
        echo "building bench-$library"
        if build "bench-$library"; then
            built=$built,$library
            continue
        fi
        [[ $interrupted -eq 0 ]] || return 0
        kind=failed
        if package_missing; then kind=unavailable; fi
        if [[ $kind == failed || $strict -eq 1 ]]; then failures=$((failures + 1)); fi
        echo "bench-$library is $kind: $(first_error)"
        report error --run-id "$name" --library "$library" --side build --kind "$kind" \
            --exit-code 1 --out "$raw" <"$log"
    done
    libraries=${built#,}
}

# The cells, one a line, before they are repeated and shuffled.
list_cells() {
    local library mode count lanes bytes
    for library in ${libraries//,/ }; do
        for mode in ${delivery//,/ }; do
            for count in ${clients//,/ }; do
                for lanes in ${parallel//,/ }; do
                    for bytes in ${payload_bytes//,/ }; do
                        echo "$library $mode $count $lanes $bytes"
                    done
                done
            done
        done
    done
}

# command_of REPEAT LIBRARY DELIVERY CLIENTS PARALLEL PAYLOAD: the words in $command.
command_of() {
    run_id=r$1-$2-$3-$4x$5-$6
    command=(dotnet "bench-$2/bin/Release/bench-$2.dll" run --run-id "$run_id" --delivery "$3"
        --clients "$4" --parallel "$5" --payload-bytes "$6"
        --warmup-seconds "$warmup_seconds" --seconds "$seconds" --out "$raw")
}

run_cells() {
    local total done_cells=0 started=$SECONDS code left cell
    total=$(wc -l <"$plan")
    while read -r -u 3 -a cell; do
        [[ $interrupted -eq 0 ]] || return 0
        done_cells=$((done_cells + 1))
        command_of "${cell[@]}"
        printf '[%d/%d] %s %s %s x %s … ' "$done_cells" "$total" "${cell[1]}" "${cell[2]}" "${cell[3]}" "${cell[4]}"
        code=0
        "${command[@]}" 2>"$log" </dev/null || code=$?
        left=$(((SECONDS - started) * (total - done_cells) / done_cells))
        printf '%s  ETA %s\n' "$(report last --out "$raw" --run-id "$run_id" 2>/dev/null || echo "exit code $code")" \
            "$(duration $left)"
        case $code in
            0 | 3) ;;
            130) interrupted=1 ;;
            *)
                failures=$((failures + 1))
                cat "$log" >&2
                ;;
        esac
    done 3<"$plan"
}

duration() {
    if [[ $1 -lt 100 ]]; then echo "$1 s"; else echo "$((($1 + 30) / 60)) min"; fi
}

make_results_folder() {
    if [[ -n $out ]]; then out=$(from_caller "${out%/}"); fi
    name=${out##*/}
    name=${name//[^A-Za-z0-9._-]/-} # it becomes a run id
    if [[ -z $out ]]; then
        local first number=2
        first=results/$(date -u +%Y-%m-%d)-$(report name)
        out=$first
        while [[ -e $out ]]; do
            out=$first-$number
            number=$((number + 1))
        done
        name=${out#results/}
    fi
    raw=$out/raw.jsonl
    [[ ! -e $raw ]] || fail "$raw exists; results are never overwritten."
    { mkdir -p "$out" && : >"$raw"; } 2>/dev/null || fail "the folder $out cannot be written."
}

main() {
    read_flags "$@"
    read_preset
    check_sdk
    work=$(mktemp -d) || fail "no temporary folder can be made."
    trap 'rm -rf "$work"' EXIT
    log=$work/log plan=$work/plan
    trap 'interrupted=1' INT TERM
    build_report

    if [[ $dry_run -eq 1 ]]; then
        raw=${out:-results/DATE-MACHINE}/raw.jsonl
        list_cells | report plan --repeats "$repeats" --seed "$seed" >"$plan"
        local cell
        while read -r -a cell; do
            command_of "${cell[@]}"
            echo "${command[*]}"
        done <"$plan"
        return
    fi

    make_results_folder
    local preset_name=${preset##*/}
    preset_name=${preset_name//[^A-Za-z0-9._-]/-}
    report machine --run-id "$name" --preset "$preset_name" --sweep-seed "$seed" --repeats "$repeats" --out "$raw"
    build_benches
    list_cells | report plan --repeats "$repeats" --seed "$seed" >"$plan"
    run_cells
    report render "$out" || failures=$((failures + 1))
    echo "results: $out/report.md"
    if [[ $interrupted -eq 1 ]]; then exit 130; fi
    if [[ $failures -gt 0 ]]; then fail "$failures builds or cells failed; report.md names them."; fi
}

main "$@"
