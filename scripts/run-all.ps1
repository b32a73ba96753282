#!/usr/bin/env pwsh
#Requires -Version 7.4

<#
.SYNOPSIS
Builds every bench-*, measures the runs of a preset and renders the report.
.DESCRIPTION
run-all.sh is its equal: it has the same functions in the same order, but for two that Bash does not need, and its
flags work here too. Whatever both would have to decide alike is decided by runner/.
.EXAMPLE
scripts/run-all.ps1 -Preset essential -Libraries udp,enet
.EXAMPLE
scripts/run-all.ps1 --delivery unreliable --clients 1,10,100,1000 --seconds 5 --repeats 5
#>
[CmdletBinding(PositionalBinding = $false)]
param(
    # One of scripts/presets, or a file.
    [ArgumentCompleter({ (Get-Item "$PSScriptRoot/presets/$($args[2])*").BaseName })]
    [string] $Preset,

    # Folders bench-NAME.
    [ArgumentCompleter({ (Get-Item "$PSScriptRoot/../bench-$($args[2])*").Name.Substring(6) })]
    [string[]] $Libraries,

    # Another version of the library, NAME@VERSION or NAME@FOLDER.
    [ArgumentCompleter({ (Get-Item "$PSScriptRoot/../bench-$($args[2])*").Name.Substring(6) })]
    [string] $Against,

    # The library with a server of another version, NAME@VERSION or NAME@FOLDER.
    [ArgumentCompleter({ (Get-Item "$PSScriptRoot/../bench-$($args[2])*").Name.Substring(6) })]
    [string] $ServerLibrary,

    # Written by `runner documents`: settings of a sweep.
    # Seed of the order.
    [string] $Seed,

    # What is done: echo; stream, one way; in rooms: broadcast, game; calls: sum, get-user, say-hello.
    [ArgumentCompletions('echo', 'stream', 'broadcast', 'game', 'sum', 'get-user', 'say-hello')]
    [string[]] $Work,

    # Modes: reliable-ordered, reliable-unordered, unreliable.
    [ArgumentCompletions('reliable-ordered', 'reliable-unordered', 'unreliable')]
    [string[]] $Delivery,

    # Clients, each with a connection and socket of its own.
    [string[]] $Clients,

    # Messages in flight per client.
    [string[]] $Parallel,

    # Bytes per message, header included; of say-hello those of its data.
    [string[]] $PayloadBytes,

    # Content of the messages: random, zeros, ones.
    [ArgumentCompletions('random', 'zeros', 'ones')]
    [string[]] $Payload,

    # Messages/s over all clients, as in 3000; or 30/client; or 50%, of what the closed loop makes; 0: the closed
    # loop.
    [string[]] $Rate,

    # Ticks/s of a game's server.
    [string[]] $TickHz,

    # Clients per room; 0: all of a machine are in one.
    [string[]] $Room,

    # Bytes that a game's server sends each player at a tick.
    [string[]] $SnapshotBytes,

    # Clients in rooms that read nothing while a window is open.
    [string[]] $StalledClients,

    # Clients in rooms that leave and join again per second, as in 2 or 2/s.
    [string[]] $Churn,

    # As the library comes: default; with its knobs: tuned.
    [ArgumentCompletions('default', 'tuned')]
    [string[]] $Profile,

    # Of a library's ways these; or all; or first; first,spin: the first, and spin of who has it.
    [ArgumentCompletions('first', 'all')]
    [string[]] $Variant,

    # Encryption: none, tls.
    [ArgumentCompletions('none', 'tls')]
    [string[]] $Security,

    # Least warm-up.
    [string] $WarmupSeconds,

    # Length of the long window, besides the slices; -1: until Ctrl-C.
    [string] $Seconds,

    # Rounds of a launch, in each of which every library has one slice.
    [string] $Rounds,

    # Least length of a slice.
    [string] $SliceMs,

    # For the load to settle before a slice.
    [string] $SettleMs,

    # Idle CPUs are kept from sleeping.
    [ArgumentCompletions('yes', 'no')]
    [string] $Awake,

    # A .nettrace of each side beside the results.
    [ArgumentCompletions('yes', 'no')]
    [string] $Trace,

    # Round trip of an emulated link between server and clients; none: no link.
    [ArgumentCompletions('none')]
    [string[]] $RttMs,

    # Most jitter that is added to a round trip of the link.
    [string[]] $JitterMs,

    # Percent of the link's packets that are lost, each way.
    [string[]] $LossPercent,

    # Mean length of the bursts in which packets are lost.
    [string[]] $LossBurstPackets,

    # Mbit/s of the link, each way; 0: as fast as this machine is.
    [string[]] $RateMbit,

    # What may wait for the rate: 64kB; or bdp, 0.5bdp: of bandwidth x round trip.
    [ArgumentCompletions('bdp')]
    [string[]] $Queue,

    # Of clients x parallel only these, as in 100x1,1x100.
    [string[]] $Only,

    # Loads outside the combinations of the lists, each with what replaces those, as in 'clients=60 rate=20/client;
    # clients=10 rate=128/client'. A preset has a line load=… of each.
    [string] $Loads,

    # The closed loop and 10, 25, 50, 75, 90 % of it too.
    [ArgumentCompletions('yes', 'no')]
    [string] $Ladder,

    # Terms of p50, p90, p99, p99.9=<n>us, ms or s, and loss=<x>%, as in p99=5ms,loss=0.1%: the report says the
    # highest rate that keeps to it.
    [string[]] $Slo,

    # CPUs of server and clients, as in 0,2/1,3; auto: planned.
    [ArgumentCompletions('none', 'auto')]
    [string[]] $Pin,

    # Libraries are interleaved, or one after another.
    [ArgumentCompletions('yes', 'no')]
    [string] $Interleaved,

    # Launches.
    [string] $Repeats,

    # More launches until the half-width of every ratio to the baseline is below that, as in 3%.
    [string] $Until,

    # Also searches for the most clients at which each library keeps to an SLO: terms of p50, p90, p99, p99.9=<n>us,
    # ms or s, late-ticks=<x>% and loss=<x>%, as in p99=50ms,late-ticks=1%,loss=1%.
    [string[]] $PlayersUntil,

    # Or until all launches took so long, as in 90s, 2h.
    [string] $AtMost,

    # End of settings of a sweep.

    # Folder of the results.
    [string] $Out,

    # Folder of a sweep that goes on.
    [string] $Resume,

    # Host of the server, through ssh.
    [string] $ServerHost,

    # Hosts that share the clients.
    [string[]] $ClientHosts,

    # What the server listens on.
    [string] $Address,

    # Folder on the hosts that the executables go into.
    [string] $RemoteFolder,

    # An unavailable bench is an error.
    [switch] $Strict,

    # Tell what is measured in about what time, print the commands, and measure nothing.
    [switch] $DryRun,

    # All about the flags.
    [switch] $Help,

    # Flags spelt as in Bash.
    [Parameter(DontShow, ValueFromRemainingArguments)]
    [object[]] $Words
)

$ErrorActionPreference = 'Stop'
$PSNativeCommandUseErrorActionPreference = $true

$caller = (Get-Location).ProviderPath
$root = Split-Path $PSScriptRoot
[Environment]::CurrentDirectory = $root
Set-Location -LiteralPath $root
[Console]::OutputEncoding = [Text.UTF8Encoding]::new($false)
$helpText = Get-Content -Raw scripts/run-all.help

# What the flags say. The settings of a sweep go to runner as they are given.
$bound = $PSBoundParameters
$given = @('--folder', $caller)

# The sweep as runner tells of it: its settings, its folder, and the launches to measure, a line TITLE<TAB>WORDS each.
# A line without words says why the launches behind it are measured.
$settings = @()
$folder = ''
$plan = @()

# What the last build printed, and what the launch in progress says, which is null while there is none.
$log = @()
$said = $null
$errors = $null
$notes = ''

$failures = 0
$interrupted = $false
$ended = $false

function Write-Line([string] $line) {
    [Console]::Out.Write("$line`n")
}

# Ends the script.
function Stop-Script([int] $code, [string] $sentence) {
    if ($sentence) {
        [Console]::Error.Write("run-all: $sentence`n")
    }
    $script:ended = $true
    exit $code
}

# The path as the caller meant it, who may stand in another folder.
function Resolve-FromCaller([string] $path) {
    if ($caller -eq $root) {
        return $path
    }
    return [IO.Path]::Combine($caller, $path)
}

function Show-Help {
    [Console]::Out.Write($helpText.Replace('{script}', 'run-all.ps1'))
    Stop-Script 0
}

function Read-Flag {
    if ($Help) {
        Show-Help
    }
    Read-BoundFlag
    for ($i = 0; $i -lt $Words.Count; $i++) {
        if ($Words[$i] -cin '--help', '-h') {
            Show-Help
        }
        elseif ($Words[$i] -ceq '--strict') {
            $script:Strict = $true
        }
        elseif ($Words[$i] -ceq '--dry-run') {
            $script:DryRun = $true
        }
        else {
            # A list that PowerShell has split is one word again.
            Read-ValuedFlag "$($Words[$i])" ($Words[$i + 1] -join ',')
            $i++
        }
    }
    if ($Out -and $Resume) {
        Stop-Script 2 '--resume goes on in its own folder: --out has no place there.'
    }
    if ($Out) {
        $script:Out = Resolve-FromCaller ($Out -replace '/$')
    }
    if ($Resume) {
        $script:Resume = Resolve-FromCaller ($Resume -replace '/$')
    }
}

# The flags that PowerShell has bound to parameters, in the words of Bash.
function Read-BoundFlag {
    foreach ($name in $bound.Keys) {
        if ($name -notin 'Words', 'Strict', 'DryRun', 'Help', 'Out', 'Resume') {
            $spelt = $name -creplace '(?<=[a-z])(?=[A-Z])', '-'
            $script:given += "--$($spelt.ToLowerInvariant())"
            $script:given += $bound[$name] -join ','
        }
    }
}

function Read-ValuedFlag([string] $name, [string] $value) {
    # The help names every flag, and one blank behind it the value that it takes.
    if ($name -cnotmatch '^--[a-z-]+$' -or $helpText -cnotmatch "(?m)^  $name [^ ]") {
        Stop-Script 2 "unknown flag '$name' (see --help)."
    }
    if (-not $value) {
        Stop-Script 2 "$name takes a value."
    }
    if ($name -ceq '--out') {
        $script:Out = $value
    }
    elseif ($name -ceq '--resume') {
        $script:Resume = $value
    }
    else {
        $script:given += $name, $value
    }
}

function Assert-System {
    try {
        $version = dotnet --version 2>$null
    }
    catch {
        Stop-Script 1 'the .NET SDK 10 is needed: https://dotnet.microsoft.com/download'
    }
    if ([int] ($version -split '\.')[0] -lt 10) {
        Stop-Script 1 "the .NET SDK 10 or newer is needed, but this is $version."
    }
}

# Makes the file that this script alone uses, which is gone when it is.
function New-WorkFile {
    $script:notes = (New-TemporaryFile).FullName
}

# Reads what is piped to it, or nothing.
function Invoke-Runner {
    $input | dotnet runner/bin/Release/runner.dll @args
}

# Returns the launches of the sweep; those that a sweep that goes on has are left out.
function Get-Plan {
    $resumed = @()
    if ($Resume) {
        $resumed = '--resume', $Resume
    }
    $settings | Invoke-Runner plan @resumed @args
}

# Returns the launches that a sweep needs besides, to be as precise as was asked for.
function Get-FurtherPlan {
    $settings | Invoke-Runner plan --built $notes --more $folder
}

# Takes a folder and flags; what it prints goes to $log. Returns false where it failed.
function Invoke-Build {
    $PSNativeCommandUseErrorActionPreference = $false
    $script:log = @($null | dotnet build @args -c Release --nologo -v quiet 2>&1 | ForEach-Object { "$_" })
    return $LASTEXITCODE -eq 0
}

# The first error of the build that failed, without the file names around it.
function Get-FirstError {
    $line = $log -cmatch 'error [A-Z]*[0-9]*: ' | Select-Object -First 1
    return $line -creplace '^.*error (?=[A-Z]*[0-9]*: )' -creplace ' \[[^\]]*\]$'
}

function Build-Runner {
    Write-Line 'building runner'
    if (Invoke-Build runner) {
        return
    }
    Stop-Script 1 "runner does not build: $(Get-FirstError)"
}

# Where the registry lacks ScottPlot, report is built without it.
function Build-Report {
    Write-Line 'building report'
    if (Invoke-Build report) {
        return
    }
    $reason = Get-FirstError
    if ($reason -clike 'NU1*') {
        Write-Line "ScottPlot is not available ($reason): the report has no pictures."
        if (Invoke-Build report '-p:ScottPlotVersion=none') {
            return
        }
        $reason = Get-FirstError
    }
    Stop-Script 1 "report does not build: $reason"
}

# Builds a bench and notes what it says of itself, or why it did not build. Words: its folder and flags of its build.
function Build-Bench([int] $number, [int] $total, [string] $library, [string[]] $words) {
    $flags = @('--library', $library, '--out', $notes)
    Write-Line "building bench-$library ($number of $total)"
    if ($Strict) {
        $flags += '--strict'
    }
    if (-not (Invoke-Build @words)) {
        $flags += '--failed'
    }
    try {
        $log | Invoke-Runner built @flags
    }
    catch {
        $script:failures++
    }
}

function Build-EveryBench {
    $lines = @($settings | Invoke-Runner benches)
    for ($i = 0; $i -lt $lines.Count; $i++) {
        $library, $words = $lines[$i] -split "`t"
        Build-Bench ($i + 1) $lines.Count $library $words
    }
}

# Starts a launch and awaits its end. What it says goes to $said, its errors to $errors. Returns its exit code.
function Invoke-Launch([string] $flags) {
    $arguments = @('runner/bin/Release/runner.dll', 'run')
    $arguments += $flags -split ' '
    $arguments += '--out', "$folder/raw.jsonl", '--until-stdin-closes'
    # By its path: a PowerShell that is itself run by dotnet would start the one beside it.
    $start = [Diagnostics.ProcessStartInfo]::new((Get-Command dotnet).Source, [string[]] $arguments)
    # The launch reads from a pipe that this script alone holds open, so that it ends when the script is killed.
    $start.RedirectStandardInput = $true
    $start.RedirectStandardOutput = $true
    $start.RedirectStandardError = $true
    $launch = [Diagnostics.Process]::Start($start)
    $script:said = $launch.StandardOutput.ReadToEndAsync()
    $script:errors = $launch.StandardError.ReadToEndAsync()
    # Ctrl-C reaches the launch itself, whose end is awaited.
    $launch.WaitForExit()
    return $launch.ExitCode
}

# How long the rest of a plan takes of which so many launches took so many seconds.
function Get-TimeLeft([int] $number, [int] $total, [double] $spent) {
    $seconds = [math]::Floor($spent * ($total - $number) / $number)
    return 'ETA {0}:{1:00}' -f [math]::Floor($seconds / 60), ($seconds % 60)
}

# Says what came of the launch.
function Write-Outcome([int] $code, [string] $eta) {
    # Where the file takes no more records they are said too.
    $outcome = $said.Result -split "\r?\n" -notmatch '^({|$)' -join "`n"
    if ($outcome.StartsWith(' ')) {
        # libraries interleaved have a line each.
        Write-Line $eta
        Write-Line $outcome
    }
    elseif ($outcome) {
        Write-Line "$outcome  $eta"
    }
    else {
        Write-Line "exit code $code  $eta"
    }
}

# Counts the launch if it failed.
function Confirm-Launch([int] $code) {
    if ($code -eq 130) {
        $script:interrupted = $true
    }
    elseif ($code -notin 0, 3) {
        $script:failures++
        [Console]::Error.Write($errors.Result)
    }
    if ($code -eq 4) {
        # Where no record has room, no report has.
        Stop-Script 1 "$folder/raw.jsonl takes no more records: make room, then go on with --resume."
    }
}

# Measures the launches of the plan.
function Measure-Plan {
    $number = 0
    $total = @($plan -match "`t").Count
    $clock = [Diagnostics.Stopwatch]::StartNew()
    foreach ($line in $plan) {
        if ($interrupted) {
            break
        }
        if (-not $line.Contains("`t")) {
            Write-Line $line
            continue
        }
        $parts = $line -split "`t"
        $number++
        [Console]::Out.Write("[$number/$total] $($parts[0]) … ")
        $code = Invoke-Launch $parts[1]
        Write-Outcome $code (Get-TimeLeft $number $total $clock.Elapsed.TotalSeconds)
        Confirm-Launch $code
    }
}

# Builds the benches and measures until nothing is lacking; a launch that left no trace is not tried again.
function Measure-Sweep {
    $measured = ''
    $resumed = @()
    if ($Resume) {
        $resumed = @('--resume')
    }
    Build-EveryBench
    $settings | Invoke-Runner begin $folder --built $notes @resumed
    $script:plan = @(Get-Plan --built $notes)
    while (-not $interrupted -and $plan -and "$plan" -cne $measured) {
        Measure-Plan
        $measured = "$plan"
        if (-not $interrupted) {
            $script:plan = @(Get-FurtherPlan)
        }
    }
}

# Nothing of a sweep that goes on is lacking, and its report is newer than its records.
function Test-Finished {
    $records = Get-Item -LiteralPath "$folder/raw.jsonl" -ErrorAction Ignore
    $report = Get-Item -LiteralPath "$folder/report.md" -ErrorAction Ignore
    return $Resume -and -not $plan -and $report.LastWriteTimeUtc -gt $records.LastWriteTimeUtc
}

function Write-Result {
    Write-Line "results: $folder/report.md and report.html"
}

function Invoke-Render {
    # When Ctrl-C comes from here on, this is not done again.
    $script:said = $null
    # What goes through the pipeline is lost when Ctrl-C has ended it.
    foreach ($line in dotnet report/bin/Release/report.dll render $folder) {
        Write-Line $line
    }
    Write-Result
}

function Invoke-Main {
    Read-Flag
    Assert-System
    New-WorkFile
    Build-Runner
    $resumed = @()
    $script:folder = 'results/DATE-PRESET-MACHINE'
    if ($Resume) {
        $resumed = '--resume', $Resume
        $script:folder = $Resume
    }
    elseif ($Out) {
        $script:folder = $Out
    }
    $script:settings = @(Invoke-Runner sweep @resumed @given)
    if ($DryRun) {
        Get-Plan --dry-run "$folder/raw.jsonl"
        Stop-Script 0
    }
    if ($Resume) {
        $script:plan = @(Get-Plan)
    }
    if (Test-Finished) {
        Write-Result
        Stop-Script 0
    }
    Build-Report
    if (-not $Resume) {
        $wished = @()
        if ($Out) {
            $wished = @($Out)
        }
        $script:folder = $settings | Invoke-Runner folder @wished
    }
    if (-not $Resume -or $plan) {
        Measure-Sweep
    }
    if ($interrupted) {
        return
    }
    Invoke-Render
    if ($failures) {
        Stop-Script 1 "$failures builds or launches failed; report.md names them."
    }
    Stop-Script 0
}

try {
    Invoke-Main
}
catch {
    # A program that failed has said why itself.
    if ($_.Exception.ExitCode) {
        Stop-Script $_.Exception.ExitCode
    }
    Stop-Script 1 $_.Exception.Message
}
finally {
    if ($notes) {
        [IO.File]::Delete($notes)
    }
    if ($ended) {
        Set-Location -LiteralPath $caller
    }
    else {
        # Ctrl-C ends the pipeline, and PowerShell's own exit code would be 0 or 1.
        # A launch that Ctrl-C ended twice has said nothing, and nothing is rendered then.
        try {
            if ($said.Result) {
                Invoke-Render
            }
        }
        finally {
            [Environment]::Exit(130)
        }
    }
}
