#!/usr/bin/env pwsh
#Requires -Version 7.4
# Builds every bench-*, measures the cells of a preset and renders the report. run-all.sh is its equal.
$ErrorActionPreference = 'Stop'
$caller = (Get-Location).ProviderPath
$root = Split-Path $PSScriptRoot
Set-Location -LiteralPath $root
[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)

# Flags for `runner sweep`, which knows the values that they may have, and for `bench run` and `report`.
$script:given = @(); $script:hosts = @(); $script:address = @()
$script:out = ''; $script:resume = ''; $script:strict = $false; $script:dryRun = $false
$script:failures = 0; $script:errors = @(); $script:infos = @()
# True once the script ends of itself; else the `finally` at its end knows that Ctrl-C was pressed.
$script:ended = $false; $script:measuring = $false; $script:described = $false; $script:runId = ''
$script:rendering = $false; $script:rendered = $false

function Write-Line([string] $text) {
    [Console]::Out.Write("$text`n")
}

function Write-Usage {
    [Console]::Out.Write((Get-Content -Raw scripts/run-all.help).Replace('{script}', 'run-all.ps1'))
}

function Stop-Script([int] $code, [string] $sentence = '') {
    if ($sentence) { [Console]::Error.Write("run-all: $sentence`n") }
    $script:ended = $true
    exit $code
}

# Runs a program to its end in the suite's folder, whatever PowerShell does meanwhile: Ctrl-C reaches the
# program itself, and what it leaves is read. Its stdin holds $In, or with -HoldIn nothing until it ended.
function Invoke-Program([string[]] $Words, [string] $In = '', [switch] $HoldIn, [switch] $TakeOut, [switch] $TakeError) {
    $start = [Diagnostics.ProcessStartInfo]::new($Words[0])
    $Words | Select-Object -Skip 1 | ForEach-Object { $start.ArgumentList.Add($_) }
    $start.WorkingDirectory = $root
    $start.RedirectStandardInput = $true
    $start.RedirectStandardOutput = $TakeOut
    $start.RedirectStandardError = $TakeError
    $utf8 = [Text.UTF8Encoding]::new($false)
    $start.StandardInputEncoding = $utf8
    if ($TakeOut) { $start.StandardOutputEncoding = $utf8 }
    if ($TakeError) { $start.StandardErrorEncoding = $utf8 }
    $process = [Diagnostics.Process]::Start($start)
    $outText = if ($TakeOut) { $process.StandardOutput.ReadToEndAsync() }
    $errorText = if ($TakeError) { $process.StandardError.ReadToEndAsync() }
    if (-not $HoldIn) {
        $process.StandardInput.Write($In)
        $process.StandardInput.Close()
    }
    $process.WaitForExit()
    $result = @{
        Code = $process.ExitCode
        Out = if ($TakeOut) { $outText.Result } else { '' }
        Error = if ($TakeError) { $errorText.Result } else { '' }
    }
    $process.Dispose()
    $result
}

function Read-Flags([string[]] $words) {
    for ($i = 0; $i -lt $words.Count; $i++) {
        $name = $words[$i]
        switch -CaseSensitive -Regex ($name) {
            '^(--help|-h)$' { Write-Usage; Stop-Script 0 }
            '^--strict$' { $script:strict = $true; break }
            '^--dry-run$' { $script:dryRun = $true; break }
            ('^--(preset|libraries|delivery|clients|parallel|only|payload-bytes|profile|rate|ladder|slo|pin|' +
                'canary|reruns|warmup-seconds|seconds|repeats|trace|seed|out|resume|server-host|client-hosts|address|remote-folder)$') {
                $i++
                $value = if ($i -lt $words.Count) { $words[$i] }
                if (-not $value) { Stop-Script 2 "$name takes a value." }
                switch -CaseSensitive -Regex ($name) {
                    '^--out$' { $script:out = Get-FromCaller ($value -replace '/$'); break }
                    '^--resume$' { $script:resume = Get-FromCaller ($value -replace '/$'); break }
                    '^--(server-host|client-hosts|remote-folder)$' { $script:hosts += $name, $value; break }
                    '^--address$' { $script:address = $name, $value; break }
                    default { $script:given += $name, $value }
                }
                break
            }
            default { Stop-Script 2 "unknown flag '$name' (see --help)." }
        }
    }
    if ($out -and $resume) { Stop-Script 2 '--resume goes on in its own folder: --out has no place there.' }
}

# A path as the caller meant it: relative to the folder that the script was called from.
function Get-FromCaller([string] $path) {
    if ([IO.Path]::IsPathRooted($path) -or $caller -eq $root) { $path } else { "$caller/$path" }
}

function Confirm-System {
    $need = 'the .NET SDK 10 is needed: https://dotnet.microsoft.com/download'
    if (-not (Get-Command dotnet -CommandType Application -ErrorAction Ignore)) { Stop-Script 1 $need }
    $said = Invoke-Program dotnet, --version -TakeOut -TakeError
    if ($said.Code -ne 0) { Stop-Script 1 "'dotnet --version' fails: is an SDK installed?" }
    $version = $said.Out.Trim()
    if ([int]($version -split '\.')[0] -lt 10) {
        Stop-Script 1 "the .NET SDK 10 or newer is needed, but this is $version."
    }
}

# Its output goes to $log; false when it failed.
function Build([string] $folder, [string[]] $flags = @()) {
    $said = Invoke-Program (@('dotnet', 'build', $folder, '-c', 'Release', '--nologo', '-v', 'quiet') + $flags) `
        -TakeOut -TakeError
    $script:log = $said.Out + $said.Error
    $said.Code -eq 0
}

function Test-PackageMissing {
    $log -match 'error NU1'
}

# NuGet's or the compiler's first error, without the file names around it.
function Get-FirstError {
    $line = $log -split "`r?`n" | Where-Object { $_ -cmatch 'error [A-Z]*[0-9]*: ' } | Select-Object -First 1
    $line -creplace '.*error ([A-Z]*[0-9]*: .*)', '$1' -replace ' \[[^\]]*\]$'
}

function Build-Runner {
    # The sweep that goes on built it already.
    if ($resume -and (Test-Path runner/bin/Release/runner.dll)) { return }
    if (Build runner) { return }
    Stop-Script 1 "runner does not build: $(Get-FirstError)"
}

function Build-Report {
    if ($resume -and (Test-Path report/bin/Release/report.dll)) { return }
    if (Build report) { return }
    if (Test-PackageMissing) {
        Write-Line "ScottPlot is not to be had ($(Get-FirstError)): charts come from the SVG writer."
        if (Build report '-p:ScottPlotVersion=none') { return }
    }
    Stop-Script 1 "report does not build: $(Get-FirstError)"
}

function Invoke-Runner([string[]] $Words, [string] $In = '', [switch] $TakeOut, [switch] $TakeError) {
    Invoke-Program (@('dotnet', 'runner/bin/Release/runner.dll') + $Words) -In $In -TakeOut:$TakeOut -TakeError:$TakeError
}

# Ends the script with runner's exit code, or with another, where a verb fails: runner has said why.
function Confirm-Runner([hashtable] $said, [int] $code = $said.Code) {
    if ($said.Code -ne 0) { Stop-Script $code }
}

# The sweep's settings, each a variable of its key.
function Read-Settings {
    if ($resume) { $script:given += '--resume', $resume }
    $said = Invoke-Runner (@('sweep', '--folder', $caller) + $given + $hosts) -TakeOut
    Confirm-Runner $said
    $script:settings = $said.Out
    foreach ($line in $said.Out.TrimEnd() -split "`n") {
        $key, $value = $line -split '=', 2
        Set-Variable $key $value -Scope Script
    }
}

# Leaves in $libraries those that can be measured, their info in $infos and the errors of others in $errors.
function Build-Benches {
    $built = @()
    foreach ($library in $libraries -split ',') {
        Write-Line "building bench-$library"
        if (Build "bench-$library") {
            $built += $library
            $script:infos += (Invoke-Program dotnet, "bench-$library/bin/Release/bench-$library.dll", info -TakeOut).Out
            continue
        }
        $kind = if (Test-PackageMissing) { 'unavailable' } else { 'failed' }
        if ($kind -eq 'failed' -or $strict) { $script:failures++ }
        Write-Line "bench-$library is ${kind}: $(Get-FirstError)"
        $script:errors += (Invoke-Runner error, --run-id, $name, --library, $library, --side, build, --kind, $kind,
            --exit-code, 1 -In $log -TakeOut).Out
    }
    $script:libraries = $built -join ','
}

# The runs in their order; of a sweep that goes on, those that it lacks.
function Set-Plan {
    $words = @('plan', '--libraries', $libraries)
    if ($resume) { $words += '--resume', $resume }
    $said = Invoke-Runner $words -In $settings -TakeOut
    Confirm-Runner $said
    $script:plan = @($said.Out -split "`n" -ne '')
}

# The words that measure a line of the plan: RUN_ID LIBRARY DELIVERY CLIENTS PARALLEL PAYLOAD PROFILE RATE.
function Get-Command-Of([string[]] $cell) {
    'dotnet', "bench-$($cell[1])/bin/Release/bench-$($cell[1]).dll", 'run', '--run-id', $cell[0]
    '--delivery', $cell[2], '--clients', $cell[3], '--parallel', $cell[4], '--payload-bytes', $cell[5]
    '--profile', $cell[6], '--rate', $cell[7], '--warmup-seconds', $warmup_seconds, '--seconds', $seconds
    if ($pin -ne 'none') { '--server-cpus', ($pin -split '/')[0], '--client-cpus', ($pin -split '/')[1] }
    if ($trace -eq 'yes') { '--trace' }
    $hosts
    $address
    '--out', $raw
}

# Such a line names the run in the progress; the usual profile and the closed loop go without saying.
function Get-Name-Of([string[]] $cell) {
    $words = "$($cell[1]) $($cell[2]) $($cell[3]) x $($cell[4])"
    if ($cell[6] -ne 'default') { $words += " $($cell[6])" }
    if ($cell[7] -ne '0') { $words += " at $($cell[7])" }
    $words
}

# Measures such a line: its exit code in $code, its errors in $log, how it went in $outcome, and in
# $told the code of `runner last`.
function Invoke-Cell([string[]] $cell) {
    $script:code = 0
    $script:log = ''
    if ($canary -eq 'yes') {
        $said = Invoke-Runner canary, --run-id, $cell[0], --out, $raw
        if ($said.Code -eq 130) { throw [OperationCanceledException]::new() }
    }
    $script:runId = $cell[0]
    # A percentage of what the closed loop made; where that did not measure, the run is left out.
    if ($cell[7].EndsWith('%')) {
        $said = Invoke-Runner (@('rate', '--out', $raw) + $cell) -TakeOut -TakeError
        $script:code = $said.Code
        $script:log = $said.Error
        $cell = $cell[0..6] + $said.Out.Trim()
    }
    if ($code -eq 0) {
        # Its stdin is a pipe that only this script holds: when it is killed, the run in progress ends too.
        $run = Invoke-Program (@(Get-Command-Of $cell) + '--until-stdin-closes') -HoldIn -TakeError
        $script:code = $run.Code
        $script:log = $run.Error
    }
    $last = Get-Last
    $script:told = $last.Code
    $script:outcome = if ($last.Out) { $last.Out.TrimEnd() } else { "exit code $code" }
}

function Invoke-Cells {
    $total = $plan.Count
    $doneCells = 0
    $clock = [Diagnostics.Stopwatch]::StartNew()
    foreach ($line in $plan) {
        $cell = $line -split ' '
        $doneCells++
        $attempt = 0
        [Console]::Out.Write("[$doneCells/$total] $(Get-Name-Of $cell) … ")
        Invoke-Cell $cell
        while ($code -eq 0 -and $told -eq 5 -and $attempt -lt [int]$reruns) {
            $attempt++
            [Console]::Out.Write("$outcome, again … ")
            Invoke-Cell (@("$($cell[0])-again$attempt") + $cell[1..7])
        }
        $left = [math]::Floor([math]::Floor($clock.Elapsed.TotalSeconds) * ($total - $doneCells) / $doneCells)
        Write-Line "$outcome  ETA $(Get-Duration $left)"
        if ($code -eq 130) { throw [OperationCanceledException]::new() }
        if ($code -notin 0, 3) {
            $script:failures++
            [Console]::Error.Write($log)
        }
        # Where no record has room, no report has.
        if ($code -eq 4) {
            Stop-Script 1 "$raw takes no more records: make room, then go on with --resume."
        }
    }
}

# How the run in progress went; code 0 if any record says, 5 if it was disturbed too.
function Get-Last {
    Invoke-Runner last, --out, $raw, --run-id, $runId -TakeOut -TakeError
}

function Get-Duration([int] $seconds) {
    if ($seconds -lt 100) { "$seconds s" } else { "$([math]::Floor(($seconds + 30) / 60)) min" }
}

# The name of the sweep in $out, which becomes a run id.
function Set-Name {
    $script:name = ($out -split '/')[-1] -creplace '[^A-Za-z0-9._-]', '-'
}

function New-ResultsFolder {
    if (-not $out) {
        $first = "results/$((Get-Date -AsUTC).ToString('yyyy-MM-dd'))-$((Invoke-Runner name -TakeOut).Out.Trim())"
        $script:out = $first
        for ($number = 2; Test-Path -LiteralPath $out; $number++) { $script:out = "$first-$number" }
    }
    Set-Name
    $script:raw = "$out/raw.jsonl"
    if (Test-Path -LiteralPath $raw) { Stop-Script 1 "$raw exists; results are never overwritten." }
    try {
        [void](New-Item -ItemType Directory -Force -Path ([WildcardPattern]::Escape($out)))
        Add-Raw ''
    }
    catch { Stop-Script 1 "the folder $out cannot be written." }
}

function Add-Raw([string] $text) {
    [IO.File]::AppendAllText([IO.Path]::Combine($root, $raw), $text)
}

# Copies the executables to the hosts and says what machines and versions are measured; a sweep that
# goes on must find the same ones.
function Write-Description {
    $machine = @('machine', '--run-id', $name) + $hosts
    $script:described = $true
    if ($hosts -and $libraries) { Confirm-Runner (Invoke-Runner (@('deploy') + $hosts + '--libraries', $libraries)) 1 }
    if ($resume) {
        Confirm-Runner (Invoke-Runner ($machine + '--resume', $resume) -In $settings) 1
        Confirm-Runner (Invoke-Runner versions, $resume -In (-join $infos)) 1
        Confirm-Runner (Invoke-Runner resume, $resume) 1
    }
    else {
        Confirm-Runner (Invoke-Runner ($machine + '--out', $raw) -In $settings) 1
        Add-Raw (-join $infos)
    }
    Add-Raw (-join $errors)
}

function Get-WrittenTime([string] $path) {
    [IO.File]::GetLastWriteTimeUtc([IO.Path]::Combine($root, $path))
}

function Invoke-Render {
    $script:rendering = $true
    $script:rendered = (Invoke-Program dotnet, report/bin/Release/report.dll, render, $out).Code -eq 0
    if ($rendered) { Write-Line "results: $out/report.md and report.html" }
}

function Invoke-Main([string[]] $words) {
    Read-Flags $words
    Confirm-System
    Build-Runner
    Build-Report
    Read-Settings
    if ($resume) {
        $script:out = $resume
        $script:raw = "$resume/raw.jsonl"
        Set-Name
    }

    if ($dryRun) {
        $script:raw = "$($out ? $out : 'results/DATE-MACHINE')/raw.jsonl"
        Set-Plan
        foreach ($line in $plan) { Write-Line (@(Get-Command-Of ($line -split ' ')) -join ' ') }
        return
    }

    if ($resume) { Set-Plan } else { New-ResultsFolder }
    $script:measuring = $true
    if (-not $resume -or $plan) {
        Build-Benches
        if ($libraries -or -not $resume) { Write-Description }
        Set-Plan
        Invoke-Cells
    }
    elseif ((Get-WrittenTime "$out/report.md") -gt (Get-WrittenTime $raw)) {
        Write-Line "results: $out/report.md and report.html" # finished, and its report is that of these lines
        return
    }
    Invoke-Render
    if (-not $rendered) { Stop-Script 1 } # report has said why
    if ($failures -gt 0) { Stop-Script 1 "$failures builds or cells failed; report.md names them." }
}

try {
    # A list that PowerShell itself has split, as in `--clients 1,10`, is one word again.
    Invoke-Main @($args | ForEach-Object { $_ -join ',' })
    $script:ended = $true
}
catch [OperationCanceledException] { }
catch { Stop-Script 1 $_.Exception.Message }
finally {
    # Ctrl-C ends the pipeline, and PowerShell's own exit code would be 0 or 1. A second Ctrl-C is known by the
    # run that left nothing: then nothing is rendered either.
    if (-not $ended) {
        if ($measuring -and -not $described -and -not $hosts) { Write-Description }
        if ($measuring -and -not $rendering -and (-not $runId -or (Get-Last).Code -in 0, 5)) { Invoke-Render }
        [Environment]::Exit(130)
    }
}
