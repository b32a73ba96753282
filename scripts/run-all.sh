#!/usr/bin/env bash
# Builds every bench-*, measures the runs of a preset and renders the report; run-all.ps1 is its equal. runner/ decides for both.
set -euo pipefail
caller=$PWD
cd "$(dirname "$0")/.."
help=$(<scripts/run-all.help)
given=() out="" resume="" plan="" measured="" strict="" dry_run=0 interrupted=0 failures=0

# stop CODE SENTENCE
stop() { echo "run-all: $2" >&2; exit "$1"; }

# A path as the caller meant it: relative to the folder that the script was called from.
from_caller() { if [[ $1 == /* || $caller -ef . ]]; then echo "$1"; else echo "$caller/$1"; fi; }

read_flags() {
    while [[ $# -gt 0 ]]; do
        case $1 in
            --help | -h) sed 's/{script}/run-all.sh/' scripts/run-all.help && exit ;;
            --strict) strict=1 && shift && continue ;;
            --dry-run) dry_run=1 && shift && continue ;;
        esac
        # The help names every flag, and one blank behind it the value that it takes.
        [[ $1 =~ ^--[a-z-]+$ && $help == *$'\n'"  $1 "[!\ ]* ]] || stop 2 "unknown flag '$1' (see --help)."
        [[ $# -gt 1 && -n $2 ]] || stop 2 "$1 takes a value."
        case $1 in
            --out) out=$(from_caller "${2%/}") ;;
            --resume) resume=$(from_caller "${2%/}") ;;
            *) given+=("$1" "$2") ;;
        esac
        shift 2
    done
    [[ -z $out || -z $resume ]] || stop 2 "--resume goes on in its own folder: --out has no place there."
}

check_system() {
    case $OSTYPE in msys* | cygwin*) stop 1 "on Windows use scripts/run-all.ps1." ;; esac
    local version
    version=$(dotnet --version 2>/dev/null) || stop 1 "the .NET SDK 10 is needed: https://dotnet.microsoft.com/download"
    [[ ${version%%.*} -ge 10 ]] || stop 1 "the .NET SDK 10 or newer is needed, but this is $version."
}

runner() { dotnet runner/bin/Release/runner.dll "$@"; }
# Writes the launches to measure, a line TITLE<TAB>WORDS each; one without words says why. With --built, of the libraries that are.
make_plan() { runner plan "$@" <<<"$settings"; }

# build FOLDER [FLAGS]: what it prints goes to $log; false when it failed.
build() { dotnet build "$1" -c Release --nologo -v quiet "${@:2}" >"$log" 2>&1 </dev/null; }

# build_tool runner|report [FLAGS]; a sweep that goes on has built it already.
build_tool() {
    if [[ -n $resume && -f $1/bin/Release/$1.dll ]] || build "$@"; then return; fi
    local error # the first, without the file names around it
    error=$(sed -n 's/.*error \([A-Z]*[0-9]*: .*\)/\1/p' "$log" | sed 's/ \[[^]]*\]$//' | head -n 1)
    if [[ $* != report || $error != NU1* ]]; then stop 1 "$1 does not build: $error"; fi
    echo "ScottPlot is not to be had ($error): charts come from the SVG writer."
    build_tool report -p:ScottPlotVersion=none
}

build_benches() {
    local library words
    for library in $(sed -n 's/^libraries=//p' <<<"$settings" | tr , ' '); do
        echo "building bench-$library"
        words=(built --library "$library" --out "$notes" ${strict:+--strict})
        build "bench-$library" || build "bench-$library" -p:PartialRegistry=true || words+=(--failed)
        runner "${words[@]}" <"$log" || failures=$((failures + 1))
    done
}

measure() {
    local total n=0 title words code outcome left eta started=$SECONDS
    total=$(grep -c $'\t' <<<"$plan")
    while [[ $interrupted -eq 0 ]] && IFS=$'\t' read -r -u 3 title words; do
        [[ -n $words ]] || { echo "$title" && continue; }
        n=$((n + 1)) code=0
        printf '[%d/%d] %s … ' "$n" "$total" "$title"
        # shellcheck disable=SC2086 # words without blanks
        runner run $words --out "$folder/raw.jsonl" --until-stdin-closes >"$said" 2>"$log" <"$work/alive" 3<&- 4>&- || code=$?
        outcome=$(sed '/^{/d' "$said") # but for records that the file took no more of
        left=$(((SECONDS - started) * (total - n) / n))
        printf -v eta 'ETA %d:%02d' $((left / 60)) $((left % 60))
        if [[ $outcome == ' '* ]]; then echo "$eta"$'\n'"$outcome"; else echo "${outcome:-exit code $code}  $eta"; fi # a line a library
        [[ $code -ne 130 || -n $outcome ]] || exit 130 # Ctrl-C twice
        if [[ ! $code =~ ^(0|3|130)$ ]]; then failures=$((failures + 1)) && cat "$log" >&2; fi
        # Where no record has room, no report has.
        [[ $code -ne 4 ]] || stop 1 "$folder/raw.jsonl takes no more records: make room, then go on with --resume."
    done 3<<<"$plan"
}

read_flags "$@"
check_system
work=$(mktemp -d) log=$work/log said=$work/said notes=$work/notes
trap 'rm -rf "$work"' EXIT && trap 'exit 130' INT TERM
build_tool runner
settings=$(runner sweep --folder "$caller" ${resume:+--resume "$resume"} ${given[@]+"${given[@]}"})
folder=${resume:-${out:-results/DATE-MACHINE}}
if [[ $dry_run -eq 1 ]]; then make_plan ${resume:+--resume "$resume"} --dry-run "$folder/raw.jsonl" && exit; fi
if [[ -n $resume ]]; then plan=$(make_plan --resume "$resume"); fi
# Else it is finished, and its report is that of these lines.
if [[ -z $resume || -n $plan || ! $folder/report.md -nt $folder/raw.jsonl ]]; then
    build_tool report
    if [[ -z $resume ]]; then folder=$(runner folder ${out:+"$out"}); fi
    if [[ -z $resume || -n $plan ]]; then
        build_benches
        runner begin "$folder" --built "$notes" ${resume:+--resume} <<<"$settings"
        plan=$(make_plan --built "$notes" ${resume:+--resume "$resume"})
        # A pipe that only this shell holds open: when it is killed, the run in progress ends too.
        mkfifo "$work/alive" && exec 4<>"$work/alive"
        trap 'interrupted=1' INT TERM
        # At last what is to be known more closely; a launch that left no trace is not tried again.
        while [[ $interrupted -eq 0 && -n $plan && $plan != "$measured" ]]; do
            measure
            measured=$plan
            [[ $interrupted -eq 1 ]] || plan=$(make_plan --built "$notes" --more "$folder") || [[ $interrupted -eq 1 ]]
        done
    fi
    dotnet report/bin/Release/report.dll render "$folder" || exit $((interrupted ? 130 : $?))
fi
echo "results: $folder/report.md and report.html"
[[ $interrupted -eq 0 ]] || exit 130
[[ $failures -eq 0 ]] || stop 1 "$failures builds or launches failed; report.md names them."
