#!/usr/bin/env pwsh
#Requires -Version 7.4

<#
.SYNOPSIS
Builds every bench-*, measures the runs of a preset and renders the report. run-all.sh is its equal, and its flags work here too.
.EXAMPLE
scripts/run-all.ps1 -Preset essential -Libraries udp,enet
.EXAMPLE
scripts/run-all.ps1 --delivery unreliable --clients 1,10,100,1000 --seconds 5 --repeats 5
#>
[CmdletBinding(PositionalBinding = $false)]
param(
    <# one of scripts/presets, or a file #> [ArgumentCompleter({ (Get-Item "$PSScriptRoot/presets/$($args[2])*").BaseName })] [string] $Preset,
    <# folders bench-NAME #> [ArgumentCompleter({ (Get-Item "$PSScriptRoot/../bench-$($args[2])*").Name.Substring(6) })] [string[]] $Libraries,
    <# delivery modes #> [ArgumentCompletions('reliable-ordered', 'reliable-unordered', 'unreliable')] [string[]] $Delivery, <# echo, stream, or calls #> [ArgumentCompletions('echo', 'stream', 'sum', 'get-user', 'say-hello')] [string[]] $Work,
    <# clients, each with a connection of its own #> [string[]] $Clients, <# messages in flight a client #> [string[]] $Parallel,
    <# of clients x parallel only these, as in 100x1 #> [string[]] $Only, <# bytes a message #> [string[]] $PayloadBytes, <# least warm-up #> [string] $WarmupSeconds,
    <# default: as the library comes; tuned: with its knobs #> [ArgumentCompletions('default', 'tuned')] [string[]] $Profile, <# of the order #> [string] $Seed, <# of a library's ways #> [string[]] $Variant, <# messages/s over all clients; 30/client; 50%, of what the closed loop makes #> [string[]] $Rate, <# launches #> [string] $Repeats,
    <# the closed loop and 10 to 90 % of it too #> [ArgumentCompletions('yes', 'no')] [string] $Ladder, <# as in p99=5ms #> [string[]] $Slo,
    <# CPUs of server and clients, as in 0,2/1,3; auto: planned #> [ArgumentCompletions('none', 'auto')] [string[]] $Pin,
    <# libraries in turn, or one after another #> [ArgumentCompletions('yes', 'no')] [string] $InTurn, <# in which each has a slice #> [string] $Rounds,
    <# a slice at least #> [string] $SliceMs, <# before it #> [string] $SettleMs, <# half-width of ratios, as in 3% #> [string] $Until, <# as in 20min #> [string] $AtMost, <# none, tls #> [ArgumentCompletions('none', 'tls')] [string[]] $Security,
    <# an emulated link: its round trip #> [string[]] $RttMs, <# by which it varies #> [string[]] $JitterMs, <# each way #> [string[]] $LossPercent, <# mean #> [string[]] $LossBurstPackets, <# each way #> [string[]] $RateMbit, <# bdp, 64kB #> [string[]] $Queue,
    <# idle CPUs do not sleep #> [ArgumentCompletions('yes', 'no')] [string] $Awake, <# a .nettrace of each side #> [ArgumentCompletions('yes', 'no')] [string] $Trace,
    <# long window; -1: until Ctrl-C #> [string] $Seconds, <# folder of the sweep that goes on #> [string] $Resume, <# of the results #> [string] $Out,
    <# host of the server, through ssh #> [string] $ServerHost, <# of the clients #> [string[]] $ClientHosts, <# that the server listens on #> [string] $Address,
    <# an unavailable package is an error #> [switch] $Strict, <# print the commands, measure nothing #> [switch] $DryRun, <# on hosts #> [string] $RemoteFolder,
    <# all about the flags #> [switch] $Help, <# flags as in Bash #> [Parameter(DontShow, ValueFromRemainingArguments)] [object[]] $Words
)
$ErrorActionPreference, $PSNativeCommandUseErrorActionPreference = 'Stop', $true
$caller, $root, $notes = (Get-Location).ProviderPath, (Split-Path $PSScriptRoot), (New-TemporaryFile).FullName
Set-Location -LiteralPath ([Environment]::CurrentDirectory = $root)
[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)
$helpText, $failures, $said, $ended = (Get-Content -Raw scripts/run-all.help), 0, $null, $false
function Write-Line([string] $line) { [Console]::Out.Write("$line`n") }
function Write-Results { Write-Line "results: $folder/report.md and report.html" }
function Stop-Script([int] $code, [string] $why) { if ($why) { [Console]::Error.Write("run-all: $why`n") }; $script:ended = $true; exit $code }
function Invoke-Runner { $input | dotnet runner/bin/Release/runner.dll @args }
function Invoke-Render { foreach ($line in dotnet report/bin/Release/report.dll render $folder) { Write-Line $line }; Write-Results }
# What it prints goes to $log; says the first error, without the file names around it, and nothing where it builds.
function Build {
    $PSNativeCommandUseErrorActionPreference = $false
    $script:log = $null | dotnet build @args -c Release --nologo -v quiet 2>&1 | ForEach-Object { "$_" }
    if ($LASTEXITCODE) { [regex]::Match($log -join "`n", '.*error (?<why>[A-Z]*[0-9]*: .*?)( \[[^\]]*\])?(?=\n|$)|$').Groups['why'] }
}
try {
    $given = @(foreach ($name in @($PSBoundParameters.Keys) -notmatch '^(Words|Strict|DryRun|Help|Out|Resume)$') {
            ('--' + ($name -creplace '(?<=[a-z])(?=[A-Z])', '-').ToLowerInvariant()), ($PSBoundParameters[$name] -join ',')
        })
    # Those that are spelt as in Bash; a list that PowerShell has split is one word again.
    for ($i = 0; $i -lt $Words.Count; $i++) {
        $name = $Words[$i]
        if ($name -cin '--help', '-h', '--strict', '--dry-run') { Set-Variable ($name -replace '-' -replace '^h$', 'help') $true; continue }
        # The help names every flag, and one blank behind it the value that it takes.
        if ($name -cnotmatch '^--[a-z-]+$' -or $helpText -cnotmatch "(?m)^  $name [^ ]") { Stop-Script 2 "unknown flag '$name' (see --help)." }
        if (-not ($value = $Words[++$i] -join ',')) { Stop-Script 2 "$name takes a value." }
        if ($name -cin '--out', '--resume') { Set-Variable $name.Substring(2) $value } else { $given += $name, $value }
    }
    if ($Help) { [Console]::Out.Write($helpText.Replace('{script}', 'run-all.ps1')); Stop-Script 0 }
    if ($Out -and $Resume) { Stop-Script 2 '--resume goes on in its own folder: --out has no place there.' }
    # As the caller meant them: relative to the folder that the script was called from.
    $Out, $Resume = $Out, $Resume -replace '/$' | ForEach-Object { $_ -and $caller -ne $root ? [IO.Path]::Combine($caller, $_) : $_ }
    try { $version = dotnet --version 2>$null } catch { Stop-Script 1 'the .NET SDK 10 is needed: https://dotnet.microsoft.com/download' }
    if ([int]($version -split '\.')[0] -lt 10) { Stop-Script 1 "the .NET SDK 10 or newer is needed, but this is $version." }
    # A sweep that goes on has built its tools already.
    $toBuild = @('runner', 'report' | Where-Object { -not $Resume -or -not (Test-Path "$_/bin/Release/$_.dll") })
    if ('runner' -in $toBuild -and ($reason = Build runner)) { Stop-Script 1 "runner does not build: $reason" }
    $resumed, $folder = @(if ($Resume) { '--resume', $Resume }), ($Resume ? $Resume : $Out ? $Out : 'results/DATE-MACHINE')
    $settings = Invoke-Runner sweep --folder $caller @resumed @given
    if ($DryRun) { $settings | Invoke-Runner plan --dry-run "$folder/raw.jsonl" @resumed; Stop-Script 0 }
    $plan = @(if ($Resume) { $settings | Invoke-Runner plan @resumed })
    $newest = Get-Item "$folder/raw.jsonl", "$folder/report.md" -ErrorAction Ignore | Sort-Object LastWriteTimeUtc | Select-Object -Last 1
    if ($Resume -and -not $plan -and $newest.Name -eq 'report.md') { Write-Results; Stop-Script 0 } # finished
    $reason = if ('report' -in $toBuild) { Build report }
    if ($reason -clike 'NU1*') { Write-Line "ScottPlot is not to be had ($reason): charts come from the SVG writer."; $reason = Build report '-p:ScottPlotVersion=none' }
    if ($reason) { Stop-Script 1 "report does not build: $reason" }
    if (-not $Resume) { $folder = Invoke-Runner folder @(if ($Out) { $Out }) }
    if (-not $Resume -or $plan) {
        foreach ($library in ($settings -clike 'libraries=*').Substring(10) -split ',') {
            Write-Line "building bench-$library"
            $more = @(if ((Build "bench-$library") -and (Build "bench-$library" '-p:PartialRegistry=true')) { '--failed' }; if ($Strict) { '--strict' })
            try { $log | Invoke-Runner built --library $library --out $notes @more } catch { $failures++ }
        }
        $settings | Invoke-Runner begin $folder --built $notes @(if ($Resume) { '--resume' })
        $plan = @($settings | Invoke-Runner plan --built $notes @resumed)
        # At last what is to be known more closely; a launch that left no trace is not tried again.
        for ($measured = ''; "$plan" -cne $measured; $plan = @($settings | Invoke-Runner plan --built $notes --more $folder)) {
            $measured, $total, $n, $clock = "$plan", @($plan -match "`t").Count, 0, [Diagnostics.Stopwatch]::StartNew()
            foreach ($line in $plan) {
                $title, $words = $line -split "`t"
                if (-not $words) { Write-Line $title; continue }
                [Console]::Out.Write("[$((++$n))/$total] $title … ")
                # Ctrl-C reaches the run itself, whose end is awaited. Its stdin is a pipe that this script alone holds: it ends with it.
                $start = [Diagnostics.ProcessStartInfo]::new('dotnet', [string[]] (@('runner/bin/Release/runner.dll', 'run') +
                    ($words -split ' ') + '--out', "$folder/raw.jsonl", '--until-stdin-closes'))
                $start.RedirectStandardInput = $start.RedirectStandardOutput = $start.RedirectStandardError = $true
                $run = [Diagnostics.Process]::Start($start)
                $said, $errors = $run.StandardOutput.ReadToEndAsync(), $run.StandardError.ReadToEndAsync()
                $run.WaitForExit()
                $left = [math]::Floor($clock.Elapsed.TotalSeconds * ($total - $n) / $n)
                $eta = 'ETA {0}:{1:00}' -f [math]::Floor($left / 60), ($left % 60)
                $outcome = $said.Result -split "\r?\n" -notmatch '^({|$)' -join "`n" # no records of a full disk
                Write-Line ($outcome[0] -eq ' ' ? "$eta`n$outcome" : ($outcome ? $outcome : "exit code $($run.ExitCode)") + "  $eta")
                if ($run.ExitCode -eq 130) { return }
                if ($run.ExitCode -notin 0, 3) { $failures++; [Console]::Error.Write($errors.Result) }
                if ($run.ExitCode -eq 4) { Stop-Script 1 "$folder/raw.jsonl takes no more records: make room, then go on with --resume." }
            }
        }
    }
    $said = $null # or Ctrl-C would render twice
    Invoke-Render
    Stop-Script ($failures ? 1 : 0) ($failures ? "$failures builds or launches failed; report.md names them." : '')
}
catch { Stop-Script ($_.Exception.ExitCode ?? 1) ($_.Exception.ExitCode ? '' : $_.Exception.Message) } # a program has said why
finally {
    [IO.File]::Delete($notes)
    # Ctrl-C ends the pipeline, and PowerShell's own exit code would be 0 or 1. A run that Ctrl-C ended twice says nothing.
    if ($ended) { Set-Location -LiteralPath $caller } else { try { if ($said.Result) { Invoke-Render } } finally { [Environment]::Exit(130) } }
}
