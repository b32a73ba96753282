#!/usr/bin/env bash
# Builds every bench-*, measures the runs of a preset and renders the report. run-all.ps1 is its equal and has the same
# functions in the same order. Whatever both would have to decide alike is decided by runner/.
set -euo pipefail

caller=$PWD
cd "$(dirname "$0")/.."
help=$(<scripts/run-all.help)

# What the flags say. The settings of a sweep go to runner as they are given, and with them the folder that a preset's
# path is of.
given=(--folder "$caller")
out=""
resume=""
strict=0
dry_run=0

# The sweep as runner tells of it: its settings, its folder, and the launches to measure, a line TITLE<TAB>WORDS each.
# A line without words says why the launches behind it are measured.
settings=""
folder=""
plan=""

failures=0
interrupted=0

# The files that this script alone uses, see make_files.
work=""
log=""
said=""
notes=""
alive=""

# stop CODE SENTENCE: ends the script.
stop() {
    echo "run-all: $2" >&2
    exit "$1"
}

# from_caller PATH: the path as the caller meant it, who may stand in another folder.
from_caller() {
    if [[ $1 == /* || $caller -ef . ]]; then
        echo "$1"
    else
        echo "$caller/$1"
    fi
}

show_help() {
    sed 's/{script}/run-all.sh/' scripts/run-all.help
    exit
}

read_flags() {
    while [[ $# -gt 0 ]]; do
        case $1 in
            --help | -h)
                show_help
                ;;
            --strict)
                strict=1
                shift
                ;;
            --dry-run)
                dry_run=1
                shift
                ;;
            *)
                read_valued_flag "$@"
                shift 2
                ;;
        esac
    done
    if [[ -n $out && -n $resume ]]; then
        stop 2 "--resume goes on in its own folder: --out has no place there."
    fi
}

# read_valued_flag FLAG VALUE...: the first two words are a flag and its value.
read_valued_flag() {
    # The help names each flag after two blanks; where one blank follows, the flag takes a value.
    if [[ ! $1 =~ ^--[a-z-]+$ || $help != *$'\n'"  $1 "[!\ ]* ]]; then
        stop 2 "unknown flag '$1' (see --help)."
    fi
    if [[ $# -lt 2 || -z $2 ]]; then
        stop 2 "$1 takes a value."
    fi
    case $1 in
        --out)
            out=$(from_caller "${2%/}")
            ;;
        --resume)
            resume=$(from_caller "${2%/}")
            ;;
        *)
            given+=("$1" "$2")
            ;;
    esac
}

check_system() {
    local version
    if [[ $OSTYPE == msys* || $OSTYPE == cygwin* ]]; then
        stop 1 "on Windows use scripts/run-all.ps1."
    fi
    if ! version=$(dotnet --version 2>/dev/null); then
        stop 1 "the .NET SDK 10 is needed: https://dotnet.microsoft.com/download"
    fi
    if [[ ${version%%.*} -lt 10 ]]; then
        stop 1 "the .NET SDK 10 or newer is needed, but this is $version."
    fi
}

# Makes the files that this script alone uses, which are gone when it is.
make_files() {
    work=$(mktemp -d)
    log=$work/log
    said=$work/said
    notes=$work/notes
    alive=$work/alive
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
}

runner() {
    dotnet runner/bin/Release/runner.dll "$@"
}

# make_plan FLAGS...: writes the launches of the sweep; those that a sweep that goes on has are left out.
make_plan() {
    runner plan ${resume:+--resume "$resume"} "$@" <<<"$settings"
}

# make_further_plan: writes the launches that a sweep needs besides, to be as precise as was asked for.
make_further_plan() {
    runner plan --built "$notes" --more "$folder" <<<"$settings"
}

# build FOLDER [FLAGS...]: what it prints goes to the file $log. False where it failed.
build() {
    dotnet build "$1" -c Release --nologo -v quiet "${@:2}" >"$log" 2>&1 </dev/null
}

# first_error: the first error of the build that failed, without the file names around it.
first_error() {
    sed -n '/error [A-Z]*[0-9]*: / { s/.*error \([A-Z]*[0-9]*: .*\)/\1/; s/ \[[^]]*\]$//; p; q; }' "$log"
}

build_runner() {
    echo "building runner"
    if build runner; then
        return
    fi
    stop 1 "runner does not build: $(first_error)"
}

# Where the registry lacks ScottPlot, report is built without it.
build_report() {
    local error
    echo "building report"
    if build report; then
        return
    fi
    error=$(first_error)
    if [[ $error == NU1* ]]; then
        echo "ScottPlot is not available ($error): the report has no pictures."
        if build report -p:ScottPlotVersion=none; then
            return
        fi
        error=$(first_error)
    fi
    stop 1 "report does not build: $error"
}

# build_bench NUMBER TOTAL LIBRARY FOLDER [FLAGS...]: builds a bench and notes what it says of itself, or why it did not
# build.
build_bench() {
    local words=(built --library "$3" --out "$notes")
    echo "building bench-$3 ($1 of $2)"
    if [[ $strict -eq 1 ]]; then
        words+=(--strict)
    fi
    if ! build "${@:4}"; then
        words+=(--failed)
    fi
    runner "${words[@]}" <"$log" || failures=$((failures + 1))
}

build_benches() {
    local benches
    local lines=()
    local line
    local words
    local number=0
    benches=$(runner benches <<<"$settings")
    while IFS= read -r line; do
        lines+=("$line")
    done <<<"$benches"
    for line in "${lines[@]}"; do
        number=$((number + 1))
        IFS=$'\t' read -ra words <<<"$line"
        build_bench "$number" ${#lines[@]} "${words[@]}"
    done
}

# run_launch WORDS: what it says goes to the file $said, its errors to $log. Its exit code is that of the launch.
run_launch() {
    # The launch reads from a pipe that this shell alone holds open, so that it ends when the shell is killed.
    # shellcheck disable=SC2086 # The words are parted by blanks.
    runner run $1 --out "$folder/raw.jsonl" --until-stdin-closes >"$said" 2>"$log" <"$alive" 4>&-
}

# time_left NUMBER TOTAL SECONDS: how long the rest of a plan takes of which so many launches took so many seconds.
time_left() {
    local seconds=$(($3 * ($2 - $1) / $1))
    printf 'ETA %d:%02d' $((seconds / 60)) $((seconds % 60))
}

# say_outcome CODE ETA OUTCOME: says what came of the launch.
say_outcome() {
    if [[ $3 == ' '* ]]; then
        # libraries interleaved have a line each.
        echo "$2"
        echo "$3"
    elif [[ -n $3 ]]; then
        echo "$3  $2"
    else
        echo "exit code $1  $2"
    fi
}

# judge_launch CODE OUTCOME: counts the launch if it failed.
judge_launch() {
    if [[ $1 -eq 130 && -z $2 ]]; then
        # Ctrl-C twice ends all at once.
        exit 130
    fi
    # 3: the library cannot do that. 130: it was stopped, and what was measured is written.
    if [[ ! $1 =~ ^(0|3|130)$ ]]; then
        failures=$((failures + 1))
        cat "$log" >&2
    fi
    if [[ $1 -eq 4 ]]; then
        # Where no record has room, no report has.
        stop 1 "$folder/raw.jsonl takes no more records: make room, then go on with --resume."
    fi
}

# Measures the launches of the plan.
measure_plan() {
    local line
    local lines=()
    local code
    local outcome
    local number=0
    local started=$SECONDS
    local total
    total=$(grep -c $'\t' <<<"$plan" || true)
    # Bash 3.2 of macOS has no mapfile.
    while IFS= read -r line; do
        lines+=("$line")
    done <<<"$plan"
    for line in "${lines[@]}"; do
        if [[ $interrupted -eq 1 ]]; then
            break
        fi
        if [[ $line != *$'\t'* ]]; then
            echo "$line"
            continue
        fi
        number=$((number + 1))
        printf '[%d/%d] %s … ' "$number" "$total" "${line%%$'\t'*}"
        code=0
        run_launch "${line#*$'\t'}" || code=$?
        # Where the file takes no more records they are said too.
        outcome=$(sed '/^{/d' "$said")
        say_outcome "$code" "$(time_left "$number" "$total" $((SECONDS - started)))" "$outcome"
        judge_launch "$code" "$outcome"
    done
}

# Builds the benches and measures until nothing is lacking; a launch that left no trace is not tried again.
measure_sweep() {
    local code
    local measured=""
    build_benches
    runner begin "$folder" --built "$notes" ${resume:+--resume} <<<"$settings"
    plan=$(make_plan --built "$notes")
    mkfifo "$alive"
    exec 4<>"$alive"
    trap 'interrupted=1' INT TERM
    while [[ $interrupted -eq 0 && -n $plan && $plan != "$measured" ]]; do
        measure_plan
        measured=$plan
        if [[ $interrupted -eq 0 ]]; then
            code=0
            plan=$(make_further_plan) || code=$?
            if [[ $code -ne 0 && $interrupted -eq 0 ]]; then
                exit "$code"
            fi
        fi
    done
}

# is_finished: nothing of a sweep that goes on is lacking, and its report is newer than its records.
is_finished() {
    [[ -n $resume && -z $plan && $folder/report.md -nt $folder/raw.jsonl ]]
}

say_results() {
    echo "results: $folder/report.md and report.html"
}

render() {
    local code=0
    dotnet report/bin/Release/report.dll render "$folder" || code=$?
    if [[ $code -ne 0 && $interrupted -eq 1 ]]; then
        exit 130
    elif [[ $code -ne 0 ]]; then
        exit "$code"
    fi
    say_results
}

main() {
    read_flags "$@"
    check_system
    make_files
    build_runner
    settings=$(runner sweep ${resume:+--resume "$resume"} "${given[@]}")
    folder=${resume:-${out:-results/DATE-PRESET-MACHINE}}
    if [[ $dry_run -eq 1 ]]; then
        make_plan --dry-run "$folder/raw.jsonl"
        exit
    fi
    if [[ -n $resume ]]; then
        plan=$(make_plan)
    fi
    if is_finished; then
        say_results
        exit
    fi
    build_report
    if [[ -z $resume ]]; then
        folder=$(runner folder ${out:+"$out"} <<<"$settings")
    fi
    if [[ -z $resume || -n $plan ]]; then
        measure_sweep
    fi
    render
    if [[ $interrupted -eq 1 ]]; then
        exit 130
    fi
    if [[ $failures -gt 0 ]]; then
        stop 1 "$failures builds or launches failed; report.md names them."
    fi
}

main "$@"
