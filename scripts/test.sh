#!/usr/bin/env bash
# Builds everything and runs every test. Needs the .NET SDK 10 alone; what lacks a package of the registry, npm or
# Chromium is left out, and its tests are counted as skipped, each with its reason.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

if ! command -v dotnet >/dev/null; then
    echo "test: the .NET SDK 10 is needed: https://dotnet.microsoft.com/download" >&2
    exit 1
fi

# All that the tests start ends within seconds: what would make it faster later costs a tenth of that and more.
export DOTNET_TieredCompilation=1 DOTNET_TieredPGO=0

log=$(mktemp)
trap 'rm -f "$log"' EXIT

stop() {
    cat "$log" >&2
    echo "test: $1" >&2
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
}

build() {
    dotnet build "$1" -c Release --nologo -v quiet "${@:2}" >"$log" 2>&1 </dev/null
}

for bench in bench-*/; do
    echo "building ${bench%/}"
    rm -rf "${bench}bin/Release"
    if build "$bench" || build "$bench" -p:PartialRegistry=true; then continue; fi
    grep -q 'error NU1' "$log" || stop "${bench%/} does not build."
    echo "${bench%/} is unavailable: $(grep -m1 -o 'NU1[0-9]*: [^[]*' "$log")"
done
echo "building proof"
build proof/accounting || stop "proof/accounting does not build."
echo "building runner"
build runner || stop "runner does not build."
echo "building report"
build report || { grep -q 'error NU1' "$log" && build report -p:ScottPlotVersion=none; } ||
    stop "report does not build."

dotnet format whitespace --folder . --verify-no-changes >"$log" 2>&1 || stop "dotnet format finds differences."
if command -v shellcheck >/dev/null; then
    shellcheck scripts/*.sh proof/*.sh proof/parts/*.sh .ci/run >"$log" || stop "shellcheck finds faults."
fi

dotnet test tests --nologo -v quiet --logger "console;verbosity=normal" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
count() {
    sed -n "s/^ *$1: *\([0-9]*\).*/\1/p" "$log" | tail -n 1
}
passed=$(count Passed) failed=$(count Failed) skipped=$(count Skipped)
if [[ $status -ne 0 && ${failed:-0} -eq 0 ]]; then failed=1; fi
echo "${passed:-0} passed, ${failed:-0} failed, ${skipped:-0} skipped"
exit "$status"
