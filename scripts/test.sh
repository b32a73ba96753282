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

work=$(mktemp -d) log=$work/log
trap 'rm -rf "$work"' EXIT

stop() {
    cat "$log" >&2
    echo "test: $1" >&2
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
}

build() {
    dotnet build "$1" -c Release --nologo -v quiet "${@:2}" >"$log" 2>&1 </dev/null
}

# All at once, on as many CPUs as there are. What does not build so is built alone below, and its reason told.
echo "building all"
rm -rf bench-*/bin/Release {proof/accounting,runner,report}/bin/Release tests/bin/Debug
cat >"$work/all.proj" <<END
<Project>
  <ItemGroup>
    <Measured Include="$PWD/bench-*/*.csproj;$PWD/proof/accounting/*.csproj;$PWD/runner/*.csproj;$PWD/report/*.csproj" />
    <Project Include="@(Measured)" AdditionalProperties="Configuration=Release" />
    <Project Include="$PWD/tests/tests.csproj" AdditionalProperties="Configuration=Debug" />
  </ItemGroup>
  <Target Name="Build">
    <MSBuild Projects="@(Project)" Targets="Restore" Properties="MSBuildIsRestoring=true;MSBuildRestoreSessionId=all" BuildInParallel="true" ContinueOnError="true" />
    <MSBuild Projects="@(Project)" Targets="Build" BuildInParallel="true" ContinueOnError="true" />
  </Target>
</Project>
END
dotnet msbuild "$work/all.proj" -m -nodeReuse:false -nologo -v:quiet >"$log" 2>&1 </dev/null

for bench in bench-*/; do
    bench=${bench%/}
    if [[ -f $bench/bin/Release/$bench.dll ]] || build "$bench" || build "$bench" -p:PartialRegistry=true; then continue; fi
    grep -q 'error NU1' "$log" || stop "$bench does not build."
    echo "$bench is unavailable: $(grep -m1 -o 'NU1[0-9]*: [^[]*' "$log")"
done
[[ -f proof/accounting/bin/Release/bench-accounting.dll ]] || build proof/accounting || stop "proof/accounting does not build."
[[ -f runner/bin/Release/runner.dll ]] || build runner || stop "runner does not build."
[[ -f report/bin/Release/report.dll ]] || build report || { grep -q 'error NU1' "$log" && build report -p:ScottPlotVersion=none; } ||
    stop "report does not build."

dotnet format whitespace --folder . --verify-no-changes >"$log" 2>&1 || stop "dotnet format finds differences."
if command -v shellcheck >/dev/null; then
    shellcheck scripts/*.sh proof/*.sh proof/parts/*.sh .ci/run >"$log" || stop "shellcheck finds faults."
fi

built=() && [[ ! -f tests/bin/Debug/net10.0/tests.dll ]] || built=(--no-build)
dotnet test tests ${built[@]+"${built[@]}"} --nologo -v quiet --logger "console;verbosity=normal" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
count() {
    sed -n "s/^ *$1: *\([0-9]*\).*/\1/p" "$log" | tail -n 1
}
passed=$(count Passed) failed=$(count Failed) skipped=$(count Skipped)
if [[ $status -ne 0 && ${failed:-0} -eq 0 ]]; then failed=1; fi
# What failed stands among thousands of lines: once more, where it is read.
awk '/^  (Passed|Skipped) |^\[xUnit|^Test Run/ { shown = 0 } /^  Failed / { shown = 1 } shown' "$log"
echo "${passed:-0} passed, ${failed:-0} failed, ${skipped:-0} skipped"
exit "$status"
