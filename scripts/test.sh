#!/usr/bin/env bash
# Builds everything, looks at its style and runs every test. Needs the .NET SDK 10 alone; what lacks a package of the
# registry, npm or Chromium is left out, and its tests are counted as skipped, each with its reason.
#
# scripts/test.sh NAME… builds what has changed and runs the tests alone whose full name, as in
# ByHandTests.Both_sides_end_on_Ctrl_C, contains one of the NAMEs.
set -uo pipefail
cd "$(dirname "$0")/.." || exit

# stop SENTENCE: ends as a run of tests does in which one failed.
stop() {
    echo "test: $1" >&2
    echo "0 passed, 1 failed, 0 skipped"
    exit 1
}

# stop_build NAME: the same with all that the build printed before it.
stop_build() {
    cat "$log" >&2
    stop "$1 does not build: $(first_finding)"
}

# first_finding: the first error in the log, with its file as the repository has it.
first_finding() {
    local line
    line=$(grep -m 1 -E 'error [A-Za-z]*[0-9]*: ' "$log" | sed 's/ \[[^]]*\]$//')
    echo "${line#"$PWD/"}"
}

check_system() {
    if ! command -v dotnet >/dev/null; then
        echo "test: the .NET SDK 10 is needed: https://dotnet.microsoft.com/download" >&2
        exit 1
    fi
}

# Everything at once, on as many CPUs as there are, and held to .NET's analyzers and the style of .editorconfig. For all
# tests nothing is left of what was built before.
build_all() {
    echo "building all (the first time takes minutes)"
    if [[ $# -eq 0 ]]; then
        # Nor of the compiler's own, or what was built without the analyzers would not be looked at.
        rm -rf {bench-*,proof/*,records,runner,report}/{bin,obj}/Release tests/{bin,obj}/Debug
    else
        # What does not build any more must not be tested as it was.
        rm -f {bench-*,proof/*}/bin/Release/bench-*.dll \
            runner/bin/Release/runner.dll report/bin/Release/report.dll tests/bin/Debug/net10.0/tests.dll
    fi
    cat >"$work/all.proj" <<END
<Project>
  <ItemGroup>
    <Measured Include="$PWD/bench-*/*.csproj" />
    <Measured Include="$PWD/proof/*/*.csproj" />
    <Measured Include="$PWD/runner/*.csproj" />
    <Measured Include="$PWD/report/*.csproj" />
    <Project Include="@(Measured)" AdditionalProperties="Configuration=Release" />
    <Project Include="$PWD/tests/tests.csproj" AdditionalProperties="Configuration=Debug" />
  </ItemGroup>
  <Target Name="Build">
    <MSBuild
        Projects="@(Project)" Targets="Restore" BuildInParallel="true" ContinueOnError="true"
        Properties="MSBuildIsRestoring=true;MSBuildRestoreSessionId=all" />
    <MSBuild Projects="@(Project)" Targets="Build" BuildInParallel="true" ContinueOnError="true" />
    <WriteLinesToFile File="$work/compiler" Lines="\$(MSBuildToolsPath)/Roslyn/bincore/VBCSCompiler" />
  </Target>
</Project>
END
    dotnet msbuild "$work/all.proj" -p:CheckStyle=true -m -nodeReuse:false -nologo -v:quiet >"$all" 2>&1 </dev/null
}

# build FOLDER CONFIGURATION [FLAGS...]
build() {
    dotnet build "$1" -c "$2" -p:CheckStyle=true --nologo -v quiet "${@:3}" >"$log" 2>&1 </dev/null
}

# lacks_package: the build failed for want of a package.
lacks_package() {
    grep -q 'error NU1' "$log"
}

# build_bench BENCH: where it was not built with the others, alone, unless what it lacked was a package.
build_bench() {
    if [[ -f $1/bin/Release/$1.dll ]]; then
        return
    fi
    if ! grep -F "/$1.csproj : error NU1" "$all" >"$log"; then
        if build "$1" Release; then
            return
        fi
        if ! lacks_package; then
            stop_build "$1"
        fi
    fi
    echo "$1 is unavailable: $(grep -m1 -o 'NU1[0-9]*: [^[]*' "$log")"
}

build_report() {
    if [[ -f report/bin/Release/report.dll ]] || build report Release; then
        return
    fi
    if lacks_package && build report Release -p:ScottPlotVersion=none; then
        return
    fi
    stop_build report
}

# build_tool FOLDER CONFIGURATION FILE: where the file was not built with the others.
build_tool() {
    if [[ ! -f $1/bin/$3 ]] && ! build "$1" "$2"; then
        stop_build "$1"
    fi
}

build_what_is_lacking() {
    local folder
    for folder in bench-*/; do
        build_bench "${folder%/}"
    done
    for folder in proof/*/*.csproj; do
        folder=${folder%/*}
        build_tool "$folder" Release "Release/bench-${folder#proof/}.dll"
    done
    build_tool runner Release Release/runner.dll
    build_report
    build_tool tests Debug Debug/net10.0/tests.dll
}

# find_ahead_compiler: sets $compiler to .NET's compiler of machine code, and $shared and $version to where the
# frameworks lie that it is to know. False where the registry lacks it.
find_ahead_compiler() {
    local found
    cat >"$work/ahead.csproj" <<'END'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <TargetFramework>net10.0</TargetFramework>
    <Pack>microsoft.netcore.app.crossgen2.$(NETCoreSdkPortableRuntimeIdentifier)</Pack>
  </PropertyGroup>
  <ItemGroup>
    <PackageDownload Include="$(Pack)" Version="[$(BundledNETCoreAppPackageVersion)]" />
  </ItemGroup>
  <Target Name="Tell">
    <Message Importance="high" Text="$(BundledNETCoreAppPackageVersion)" />
    <Message Importance="high" Text="$(NetCoreTargetingPackRoot)/../shared" />
    <Message Importance="high" Text="$(NuGetPackageRoot)$(Pack)" />
  </Target>
</Project>
END
    dotnet restore "$work/ahead.csproj" --nologo -v quiet >"$log" 2>&1 </dev/null || return
    found=$(dotnet msbuild "$work/ahead.csproj" -t:Tell -nologo -v:minimal </dev/null | sed 's/^ *//')
    version=$(sed -n 1p <<<"$found")
    shared=$(sed -n 2p <<<"$found")
    compiler=$(sed -n 3p <<<"$found")/$version/tools/crossgen2
    [[ -f $compiler ]] && chmod u+x "$compiler"
}

# compile_ahead FILE: what several have alike is compiled once. What cannot be compiled stays as it was built.
# shellcheck disable=SC2317 # Shells that run side by side call it.
compile_ahead() {
    local compiled
    compiled=$work/$(cksum <"$1" | tr ' ' -)
    if [[ ! -f $compiled ]]; then
        "$compiler" "$1" -O -o "$compiled.$$" -r "$(dirname "$1")/*.dll" \
            -r "$shared/Microsoft.NETCore.App/$version/*.dll" \
            -r "$shared/Microsoft.AspNetCore.App/$version/*.dll" \
            >/dev/null 2>&1 || return 0
        mv "$compiled.$$" "$compiled"
    fi
    # Not into the file itself, which another compiler may have open.
    cp "$compiled" "$1.$$"
    mv "$1.$$" "$1"
}

# What the tests start ends so early that the runtime's compiling is most of its work: a quarter of all CPU time is
# saved where that is done before. Whoever builds next has it again as it was built.
compile_all_ahead() {
    if ! find_ahead_compiler; then
        echo "the tests take longer: the registry lacks .NET's compiler of machine code"
        return
    fi
    echo "compiling all to machine code"
    export work compiler shared version
    export -f compile_ahead
    # What is of machine code already makes the compiler abort, of which the inner shell would tell. Three libraries are
    # so large, and so little of them is called, that it would not pay.
    # shellcheck disable=SC2016 # The inner shell has the file.
    printf '%s\n' {bench-*,proof/accounting,runner,report}/bin/Release/*.dll \
        | grep -v -E 'TraceEvent|MathNet|System.Reactive' \
        | xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN)" bash -c 'compile_ahead "$1"' _ 2>/dev/null
}

# The builds have seen to all of the style but blanks and line ends, and the scripts.
check_style() {
    if ! dotnet format whitespace --folder . --verify-no-changes >"$log" 2>&1; then
        stop "'dotnet format whitespace --folder .' would change files: $(first_finding)"
    fi
    if ! command -v shellcheck >/dev/null; then
        echo "shellcheck is not here, so nothing looks at the scripts:" \
            "apt-get install shellcheck, brew install shellcheck, or https://www.shellcheck.net"
    elif ! shellcheck -f gcc {scripts,tests/Tools}/*.bash {scripts,proof,proof/parts}/*.sh .ci/run >"$log"; then
        stop "shellcheck finds faults: $(head -n 1 "$log")"
    fi
}

# count Passed|Failed|Skipped: how many tests did, as the last lines of their run say.
count() {
    local number
    number=$(sed -n "s/^ *$1: *\([0-9]*\).*/\1/p" "$log" | tail -n 1)
    echo "${number:-0}"
}

# filter_of NAMES...: the tests whose name, with its arguments, contains one of them.
filter_of() {
    local filter
    filter=$(printf '|DisplayName~%s' "$@")
    echo "${filter:1}"
}

# run_tests [FLAGS...]: runs them, shows what failed once more, and returns what .NET says of them.
run_tests() {
    local status
    # They themselves run long enough to be compiled again at once.
    env -u DOTNET_TC_CallCountingDelayMs dotnet test tests --no-build --nologo -v quiet \
        --logger "console;verbosity=normal" "$@" 2>&1 | tee "$log"
    status=${PIPESTATUS[0]}
    # What failed stands among thousands of lines: once more, where it is read.
    awk '
        /^  (Passed|Skipped) |^\[xUnit|^Test Run/ { shown = 0 }
        /^  Failed / { shown = 1 }
        shown' "$log"
    return "$status"
}

# failed_tests: the full names of the tests that failed, each once and without its arguments.
failed_tests() {
    sed -n 's/^  Failed \([A-Za-z0-9_.]*\).*/\1/p' "$log" | sort -u
}

# run_again: the tests that failed beside others, once more and alone. A busy machine makes one or the other late, and
# each name is told; more than three are no accident, and fail.
run_again() {
    local names
    names=$(failed_tests | tr '\n' ' ')
    if [[ $(wc -w <<<"$names") -eq 0 || $(wc -w <<<"$names") -gt 3 ]]; then
        return 1
    fi
    echo "failed beside other tests, and run once more alone: $names"
    # shellcheck disable=SC2086 # One name a word.
    run_tests --filter "$(filter_of $names)" && [[ $(count Passed) -gt 0 ]]
}

# What the tests may start: each process takes longer than most of what is tested.
most_processes=740

# started_processes: how many the tests started, of which there is a line for each class.
started_processes() {
    awk '{ sum += $1 } END { print sum + 0 }' "$started"
}

# say_cost: how long the tests took, how many processes they started, and the ten classes that took longest.
say_cost() {
    echo "the tests took $((SECONDS / 60)):$(printf %02d $((SECONDS % 60)))" \
        "and started $(started_processes) processes;" \
        "the ten classes that took longest, in seconds of their own:"
    sed -n 's/^  Passed \([A-Za-z0-9_]*\)\..*\[\([0-9]*\) \(m*s*\)\( \([0-9]*\) s\)*\]$/\1 \2 \3 \5/p' "$all_log" \
        | awk '{ took[$1] += $3 == "ms" ? $2 / 1000 : $3 == "m" ? 60 * $2 + $4 : $2 }
            END { for (name in took) printf "  %4d %s\n", took[name], name }' \
        | sort -rn | head -n 10
}

# end PASSED FAILED SKIPPED STATUS
end() {
    echo "$1 passed, $2 failed, $3 skipped"
    exit "$4"
}

# run_all: every test, and what failed again.
run_all() {
    local passed
    local failed
    local skipped
    local status=0
    SECONDS=0
    run_tests || status=$?
    cp "$log" "$all_log"
    passed=$(count Passed)
    failed=$(count Failed)
    skipped=$(count Skipped)
    say_cost
    if [[ $status -ne 0 && $failed -eq 0 ]]; then
        end "$passed" 1 "$skipped" "$status"
    fi
    if [[ $(started_processes) -gt $most_processes ]]; then
        echo "the tests started more than $most_processes processes: let tests share them"
        end "$passed" "$((failed + 1))" "$skipped" 1
    fi
    if [[ $status -ne 0 ]] && run_again; then
        end "$((passed + failed))" 0 "$skipped" 0
    fi
    end "$passed" "$failed" "$skipped" "$status"
}

# run_some NAMES...
run_some() {
    local status=0
    local name
    local ran
    run_tests --filter "$(filter_of "$@")" || status=$?
    ran=$(grep -E '^  (Passed|Failed|Skipped) |^No test matches' "$log")
    for name; do
        if [[ -n $ran ]] && ! grep -qiF -- "$name" <<<"$ran"; then
            echo "no test has '$name' in its name" >&2
            status=1
        fi
    done
    end "$(count Passed)" "$(count Failed)" "$(count Skipped)" "$status"
}

# clean_up: ends the compiler's process, which would otherwise wait for further builds.
# shellcheck disable=SC2317 # The end of the script calls it.
clean_up() {
    if [[ -f $work/compiler ]]; then
        "$(<"$work/compiler")" -shutdown "-pipename:$SharedCompilationId" >/dev/null 2>&1
    fi
    rm -rf "$work"
}

check_system

work=$(mktemp -d)
log=$work/log
all_log=$work/all-tests
started=$work/started
all=$work/all
export TESTS_STARTED_PROCESSES=$started

# All that is started here ends within minutes, and what the tests start within seconds: what would make it faster later
# costs a third of that and more. Its code is compiled again after a minute (EA60 ms, in hexadecimal) in which nothing
# new has been called.
export DOTNET_TieredCompilation=1
export DOTNET_TieredPGO=0
export DOTNET_TC_CallCountingDelayMs=EA60
# A seventh of the CPU time of a short run is saved where memory that holds code is not mapped twice and no thread is
# begun that collects garbage beside the others.
export DOTNET_EnableWriteXorExecute=0
export DOTNET_gcConcurrent=0

# One process compiles all, also what tests build, which takes a third of the time that a process for each project
# takes. It is of this script alone, and ends with it.
export UseSharedCompilation=true
export SharedCompilationId=test-$$
trap clean_up EXIT

build_all "$@"
build_what_is_lacking
check_style
if [[ $# -gt 0 ]]; then
    run_some "$@"
fi
# For a few tests it would take longer than they.
compile_all_ahead
run_all
