#!/usr/bin/env bash
# Builds every bench-*, measures the cells of a preset and renders the report. run-all.ps1 is its equal.
set -euo pipefail
caller=$PWD
cd "$(dirname "$0")/.."

usage() {
    sed 's/{script}/run-all.sh/' scripts/run-all.help
}

# Flags for `runner sweep`, which knows the values that they may have, and for `bench run` and `report`.
given=() hosts=() address=()
out="" resume="" strict=0 dry_run=0
# Those of the settings that this script uses; `runner sweep` prints them and others.
libraries="" pin="" canary="" reruns="" warmup_seconds="" seconds="" trace=""
interrupted=0 failures=0

refuse() {
    echo "run-all: $1" >&2
    exit 2
}

fail() {
    echo "run-all: $1" >&2
    exit 1
}

read_flags() {
    local name
    while [[ $# -gt 0 ]]; do
        name=$1
        case $name in
            --help | -h) usage; exit 0 ;;
            --strict) strict=1; shift; continue ;;
            --dry-run) dry_run=1; shift; continue ;;
            --preset | --libraries | --delivery | --clients | --parallel | --only | --payload-bytes | \
                --profile | --rate | --ladder | --slo | --pin | --canary | --reruns | --warmup-seconds | --seconds | --repeats | --trace | --seed | --out | --resume | \
                --server-host | --client-hosts | --address | --remote-folder) ;;
            *) refuse "unknown flag '$name' (see --help)." ;;
        esac
        [[ $# -gt 1 && -n $2 ]] || refuse "$name takes a value."
        case $name in
            --out) out=$(from_caller "${2%/}") ;;
            --resume) resume=$(from_caller "${2%/}") ;;
            --server-host | --client-hosts | --remote-folder) hosts+=("$name" "$2") ;;
            --address) address=("$name" "$2") ;;
            *) given+=("$name" "$2") ;;
        esac
        shift 2
    done
    [[ -z $out || -z $resume ]] || refuse "--resume goes on in its own folder: --out has no place there."
}

# A path as the caller meant it: relative to the folder that the script was called from.
from_caller() {
    if [[ $1 == /* || $caller -ef . ]]; then echo "$1"; else echo "$caller/$1"; fi
}

check_system() {
    case $OSTYPE in msys* | cygwin*) fail "on Windows use scripts/run-all.ps1." ;; esac
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

build_runner() {
    # The sweep that goes on built it already.
    if [[ -n $resume && -f runner/bin/Release/runner.dll ]]; then return; fi
    build runner && return
    [[ $interrupted -eq 0 ]] || exit 130
    fail "runner does not build: $(first_error)"
}

build_report() {
    if [[ -n $resume && -f report/bin/Release/report.dll ]]; then return; fi
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

runner() {
    dotnet runner/bin/Release/runner.dll "$@"
}

# The sweep's settings, each a variable of its key.
read_settings() {
    local key value
    if [[ -n $resume ]]; then given+=(--resume "$resume"); fi
    settings=$(runner sweep --folder "$caller" ${given[@]+"${given[@]}"} ${hosts[@]+"${hosts[@]}"}) || exit $?
    while IFS='=' read -r key value; do printf -v "$key" %s "$value"; done <<<"$settings"
}

# Leaves in $libraries those that can be measured, their info in $infos and the errors of others in $errors.
build_benches() {
    local library kind built=""
    for library in ${libraries//,/ }; do
        [[ $interrupted -eq 0 ]] || break
        echo "building bench-$library"
        if build "bench-$library"; then
            built=$built,$library
            dotnet "bench-$library/bin/Release/bench-$library.dll" info >>"$infos"
            continue
        fi
        [[ $interrupted -eq 0 ]] || break
        kind=failed
        if package_missing; then kind=unavailable; fi
        if [[ $kind == failed || $strict -eq 1 ]]; then failures=$((failures + 1)); fi
        echo "bench-$library is $kind: $(first_error)"
        runner error --run-id "$name" --library "$library" --side build --kind "$kind" \
            --exit-code 1 --out "$errors" <"$log"
    done
    libraries=${built#,}
}

# The runs in their order, into $plan; of a sweep that goes on, those that it lacks.
make_plan() {
    runner plan --libraries "$libraries" ${resume:+--resume "$resume"} <<<"$settings" >"$plan"
}

# command_of RUN_ID LIBRARY DELIVERY CLIENTS PARALLEL PAYLOAD PROFILE RATE: the words in $command.
command_of() {
    command=(dotnet "bench-$2/bin/Release/bench-$2.dll" run --run-id "$1" --delivery "$3"
        --clients "$4" --parallel "$5" --payload-bytes "$6" --profile "$7" --rate "$8"
        --warmup-seconds "$warmup_seconds" --seconds "$seconds")
    if [[ $pin != none ]]; then command+=(--server-cpus "${pin%/*}" --client-cpus "${pin#*/}"); fi
    if [[ $trace == yes ]]; then command+=(--trace); fi
    command+=(${hosts[@]+"${hosts[@]}"} ${address[@]+"${address[@]}"} --out "$raw")
}

# The same words name the run in the progress; the usual profile and the closed loop go without saying.
name_of() {
    local words="$2 $3 $4 x $5"
    if [[ $7 != default ]]; then words="$words $7"; fi
    if [[ $8 != 0 ]]; then words="$words at $8"; fi
    echo "$words"
}

# The same words measure the run: its exit code in $code, how it went in $outcome, and in $told that of `runner last`.
run_cell() {
    local offered=$8
    code=0 told=0 outcome=interrupted
    if [[ $canary == yes ]]; then runner canary --run-id "$1" --out "$raw" || code=$?; fi
    [[ $code -ne 130 ]] || return 0
    code=0
    # A percentage of what the closed loop made; where that did not measure, the run is left out.
    if [[ $8 == *% ]]; then offered=$(runner rate --out "$raw" "$@" 2>"$log") || code=$?; fi
    if [[ $code -eq 0 ]]; then
        command_of "${@:1:7}" "$offered"
        "${command[@]}" --until-stdin-closes 2>"$log" <"$work/alive" 3<&- 4>&- || code=$?
    fi
    outcome=$(runner last --out "$raw" --run-id "$1" 2>/dev/null) || told=$?
    [[ -n $outcome ]] || outcome="exit code $code"
}

run_cells() {
    local total done_cells=0 started=$SECONDS left cell code told outcome attempt
    total=$(wc -l <"$plan")
    # A pipe that only this shell holds open: when it is killed, the run in progress ends too.
    mkfifo "$work/alive"
    exec 4<>"$work/alive"
    while read -r -u 3 -a cell; do
        [[ $interrupted -eq 0 ]] || return 0
        done_cells=$((done_cells + 1)) attempt=0
        printf '[%d/%d] %s … ' "$done_cells" "$total" "$(name_of "${cell[@]}")"
        run_cell "${cell[@]}"
        while [[ $code -eq 0 && $told -eq 5 && $attempt -lt $reruns && $interrupted -eq 0 ]]; do
            attempt=$((attempt + 1))
            printf '%s, again … ' "$outcome"
            run_cell "${cell[0]}-again$attempt" "${cell[@]:1}"
        done
        left=$(((SECONDS - started) * (total - done_cells) / done_cells))
        printf '%s  ETA %s\n' "$outcome" "$(duration $left)"
        case $code in
            0 | 3) ;;
            130) interrupted=1 ;;
            *)
                failures=$((failures + 1))
                cat "$log" >&2
                ;;
        esac
        # Where no record has room, no report has.
        [[ $code -ne 4 ]] || fail "$raw takes no more records: make room, then go on with --resume."
    done 3<"$plan"
}

duration() {
    if [[ $1 -lt 0 ]]; then echo "0 s"; # the clock was set back
    elif [[ $1 -lt 100 ]]; then echo "$1 s"; else echo "$((($1 + 30) / 60)) min"; fi
}

# The name of the sweep in $out, which becomes a run id.
set_name() {
    name=${out##*/}
    name=${name//[^A-Za-z0-9._-]/-}
}

make_results_folder() {
    if [[ -z $out ]]; then
        local first number=2
        first=results/$(date -u +%Y-%m-%d)-$(runner name)
        out=$first
        while [[ -e $out ]]; do
            out=$first-$number
            number=$((number + 1))
        done
    fi
    set_name
    raw=$out/raw.jsonl
    [[ ! -e $raw ]] || fail "$raw exists; results are never overwritten."
    { mkdir -p "$out" && : >"$raw"; } 2>/dev/null || fail "the folder $out cannot be written."
}

# Copies the executables to the hosts and says what machines and versions are measured; a sweep that
# goes on must find the same ones.
describe() {
    local machine=(runner machine --run-id "$name" ${hosts[@]+"${hosts[@]}"})
    if [[ $interrupted -gt 0 && ${#hosts[@]} -gt 0 ]]; then return; fi
    if [[ ${#hosts[@]} -gt 0 && -n $libraries ]]; then runner deploy "${hosts[@]}" --libraries "$libraries" || exit 1; fi
    if [[ -n $resume ]]; then
        "${machine[@]}" --resume "$resume" <<<"$settings" || exit 1
        runner versions "$resume" <"$infos" || exit 1
        runner resume "$resume" || exit 1
    else
        "${machine[@]}" --out "$raw" <<<"$settings" || exit 1
        cat "$infos" >>"$raw"
    fi
    cat "$errors" >>"$raw"
}

main() {
    read_flags "$@"
    check_system
    work=$(mktemp -d) || fail "no temporary folder can be made."
    trap 'rm -rf "$work"' EXIT
    log=$work/log plan=$work/plan infos=$work/infos errors=$work/errors
    touch "$infos" "$errors"
    trap 'interrupted=$((interrupted + 1)); if [[ $interrupted -gt 1 ]]; then exit 130; fi' INT TERM
    build_runner
    build_report
    read_settings
    if [[ -n $resume ]]; then
        out=$resume raw=$resume/raw.jsonl
        set_name
    fi

    if [[ $dry_run -eq 1 ]]; then
        raw=${out:-results/DATE-MACHINE}/raw.jsonl
        make_plan
        local cell
        while read -r -a cell; do
            command_of "${cell[@]}"
            echo "${command[*]}"
        done <"$plan"
        return
    fi

    if [[ -n $resume ]]; then make_plan; else make_results_folder; fi
    if [[ -z $resume || -s $plan ]]; then
        build_benches
        if [[ -n $libraries || -z $resume ]]; then describe; fi
        make_plan
        run_cells
    elif [[ $out/report.md -nt $raw ]]; then
        echo "results: $out/report.md and report.html" # finished, and its report is that of these lines
        return
    fi
    local unrendered=0
    if report render "$out"; then echo "results: $out/report.md and report.html"; else unrendered=1; fi
    if [[ $interrupted -gt 0 ]]; then exit 130; fi
    if [[ $unrendered -ne 0 ]]; then exit 1; fi # report has said why
    if [[ $failures -gt 0 ]]; then fail "$failures builds or cells failed; report.md names them."; fi
}

main "$@"
