#!/usr/bin/env bash
# Holds the suite's own figures against those of others, on this machine and in one run: sockperf and iperf3,
# the kernel's counters, the same loop without accounting, and a bench against itself. See --help.
set -euo pipefail
cd "$(dirname "$0")/.."

parts=(tools wire accounting compare)
rounds=7 seconds=3 tries=20 slowed_tries=5 out=proof/results port=21110
readonly launches=10 payload=32 rate=2000 slow_us=20

usage() {
    cat <<'TEXT'
Usage: proof/run.sh [--rounds N] [--short] [--out DIR] [PART...]

Measures, interleaved over several rounds, and writes proof/results/PART.md of each part. Wants a quiet machine
for 25 minutes. Part wire is of the benches that are built.

  tools        bench-udp and bench-tcp against sockperf and iperf3
  wire         packets and bytes a message against the kernel's counters
  accounting   bench-udp against the same loop without stamps, accounting and checks
  compare      pairs of equal sweeps, and of one against a slowed copy, before `report compare`

  --rounds N   of the first and the third part (7)
  --short      one to three rounds and tries, to see that it runs (4 minutes)
  --out DIR    where to write
TEXT
}

fail() {
    echo "run: $1" >&2
    exit "${2:-1}"
}

# median, least and most of the numbers on stdin, as "1.02 (0.97 to 1.08)" in a format of printf.
median_and_range() {
    sort -g | awk -v format="$1" 'function f(value) { return sprintf(value < 1000 ? format : "%.0f", value) }
        { x[NR] = $1 } END {
            if (!NR) { print "n/a"; exit }
            m = NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2
            print f(m) " (" f(x[1]) " to " f(x[NR]) ")" }'
}

# clients NAME PHASE: a count of the clients in the slice of that phase, or in all that the pattern matches.
clients() {
    sed -n "/\"record\":\"slice\".*\"side\":\"client\".*\"phase\":\"$2\"/ s/.*\"$1\":\([0-9]*\).*/\1/p" "$work/run.jsonl" |
        awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

calculate() {
    awk "BEGIN { printf \"%.6g\\n\", $1 }"
}

# percentile P [NAME] of a histogram of the window, by default its round trips, in µs: the middle of its bucket.
percentile() {
    sed -n "/\"phase\":\"window\"/ s/.*\"${2-rtt_ns}\":\[\[\([][0-9,]*\)\]\].*/\1/p" "$work/run.jsonl" | sed 's/\],\[/\n/g' |
        awk -F, -v p="$1" '{ lower[NR] = $1; total += $2; up_to[NR] = total } END {
            for (i = 1; up_to[i] < p * total; i++) { }
            for (width = 1; 128 * width <= lower[i]; width *= 2) { }
            printf "%.2f\n", (lower[i] + width / 2) / 1000 }'
}

# Messages/s answered in the window.
rate_of() {
    calculate "$(clients completed window) / $(clients elapsed_ns window) * 1e9"
}

runner() {
    dotnet runner/bin/Release/runner.dll "$@"
}

# The same, but of benches that were built beside its copy.
beside() {
    [[ -d $work/runner ]] || cp -r runner/bin/Release "$work/runner"
    dotnet "$work/runner/runner.dll" "$@"
}

# bench RUNNER LIBRARY BYTES FLAGS...: a run, its records in $work/run.jsonl.
bench() {
    rm -f "$work/run.jsonl"
    "$1" run "$2" --payload-bytes "$3" --warmup-seconds 1 --seconds "$seconds" --out "$work/run.jsonl" "${@:4}" >/dev/null
}

# sockperf_run MODE FLAGS...: its output in $work/sockperf, with a server of its own.
sockperf_run() {
    local mode=$1 server protocol=()
    shift
    if [[ " $* " == *" --tcp "* ]]; then protocol=(--tcp); fi
    port=$((port + 1)) # the one before may not be free yet
    : >"$work/sockperf-server"
    sockperf server -i 127.0.0.1 -p $port ${protocol[@]+"${protocol[@]}"} >"$work/sockperf-server" 2>&1 &
    server=$!
    until grep -q "to block on socket" "$work/sockperf-server"; do
        kill -0 $server 2>/dev/null || fail "sockperf's server ended: $(tail -n 1 "$work/sockperf-server")"
        sleep 0.05
    done
    sockperf "$mode" -i 127.0.0.1 -p $port -m $payload -t "$seconds" --full-rtt "$@" >"$work/sockperf" 2>&1 ||
        fail "sockperf $mode failed: $(tail -n 1 "$work/sockperf")"
    kill $server
    wait $server 2>/dev/null || true
}

sockperf_percentile() {
    sed -n "s/.*percentile $1 = *\([0-9.]*\).*/\1/p" "$work/sockperf"
}

# note NAME BENCH OTHER: one round's pair of figures.
note() {
    echo "$2" >>"$work/$1.bench"
    echo "$3" >>"$work/$1.other"
    calculate "$2 / $3" >>"$work/$1.ratio"
}

# row NAME LABEL WHY: a line of the table of pairs.
row() {
    echo "| $2 | $(median_and_range %.4g <"$work/$1.bench") | $(median_and_range %.4g <"$work/$1.other") |" \
        "$(median_and_range %.2f <"$work/$1.ratio") | $3 |"
}

tools() {
    local round mode sender receiver
    for ((round = 1; round <= rounds; round++)); do
        echo "tools: round $round of $rounds" >&2
        for mode in udp tcp; do
            local flags=()
            if [[ $mode == tcp ]]; then flags=(--tcp); fi
            bench runner $mode $payload
            sockperf_run ping-pong ${flags[@]+"${flags[@]}"}
            note "$mode-50" "$(percentile 0.5)" "$(sockperf_percentile 50.000)"
            note "$mode-99" "$(percentile 0.99)" "$(sockperf_percentile 99.000)"
        done
        bench runner udp $payload --rate $rate
        sockperf_run under-load --mps $rate --reply-every 1
        note load-50 "$(percentile 0.5)" "$(sockperf_percentile 50.000)"
        note load-99 "$(percentile 0.99)" "$(sockperf_percentile 99.000)"
        percentile 0.99 send_lag_ns >>"$work/lag"

        bench runner tcp 65000 --parallel 16
        port=$((port + 1))
        iperf3 --server --port $port --one-off >/dev/null 2>&1 &
        sleep 0.5
        iperf3 --client 127.0.0.1 --port $port --bidir --length 65000 --time "$seconds" --format m >"$work/iperf3"
        wait $!
        sender=$(sed -n 's/.*\[TX-C\].* \([0-9.]*\) Mbits.*receiver/\1/p' "$work/iperf3")
        receiver=$(sed -n 's/.*\[RX-C\].* \([0-9.]*\) Mbits.*receiver/\1/p' "$work/iperf3")
        note throughput "$(calculate "$(rate_of) * 65000 * 8e-6")" "$(calculate "($sender + $receiver) / 2")"
    done
    cat <<TEXT
# Against sockperf and iperf3

$rounds rounds of $seconds s each, all of them in turn; medians and, in brackets, least and most. Messages of
$payload bytes; µs are whole round trips. The bench's percentiles are of its histogram, within 0.8 %.

| | bench | other | ratio | why it may differ |
|---|---:|---:|---:|---|
$(row udp-50 "UDP, one in flight, p50 µs: bench-udp, sockperf ping-pong" \
    "waking a thread that waits takes most of both; sockperf blocks in receive, a bench looks at its sockets and then waits in poll")
$(row udp-99 "the same, p99 µs" "as above")
$(row load-50 "UDP, $rate messages/s, p50 µs: bench-udp, sockperf under-load" \
    "sockperf sends and receives in two threads and counts from the send, a bench does both in one and counts from when a message was due")
$(row load-99 "the same, p99 µs" \
    "how late a bench sends is part of it (p99 of its send lag: $(median_and_range %.2f <"$work/lag") µs); its clients never sleep at this rate, so that on two CPUs the server shares one with all else")
$(row tcp-50 "TCP, one in flight, p50 µs: bench-tcp, sockperf ping-pong" \
    "as with UDP; a bench's server waits in select over all connections and the listener")
$(row tcp-99 "the same, p99 µs" "as above")
$(row throughput "TCP, 65,000 bytes, Mbit/s each way: bench-tcp, 16 in flight, iperf3 --bidir" \
    "a bench frames, echoes and checks every message with one thread a side, and copies it; iperf3 looks at no byte")

TEXT
}

# The kernel's count of NAME in the table of /proc/net/snmp that begins with Udp.
udp_count() {
    awk -v name="$1" '$1 == "Udp:" { if (!n) { for (i = 2; i <= NF; i++) if ($i == name) n = i } else print $n }' /proc/net/snmp
}

lo_count() {
    sed -n 's/^ *lo://p' /proc/net/dev | awk -v column="$1" '{ print $column }'
}

wire() {
    local library folder messages packets bytes datagrams window
    cat <<TEXT
# Packets and bytes a message

Both directions of each round trip pass the interface lo, whose counters this script read before and after
a run; the record's are of its window (\`outside\`). A datagram of $payload bytes takes $payload + 8 (UDP) + 20 (IP)
= $((payload + 28)) bytes there, and a round trip of plain sockets two of them: $((2 * (payload + 28))) bytes in 2 packets.

| bench, 1 x 1 | messages | packets a message: kernel | record | bytes a message: kernel | record | UDP datagrams a message: kernel |
|---|---:|---:|---:|---:|---:|---:|
TEXT
    for folder in bench-*/bin/Release/bench-*.dll; do
        library=${folder##*/bench-} library=${library%.dll}
        packets=$(lo_count 10) bytes=$(lo_count 9) datagrams=$(udp_count OutDatagrams)
        bench runner "$library" $payload
        packets=$(($(lo_count 10) - packets)) bytes=$(($(lo_count 9) - bytes))
        datagrams=$(($(udp_count OutDatagrams) - datagrams))
        messages=$(clients sent '[a-z]*') window=$(clients completed window)
        echo "| $library | $messages | $(calculate "$packets / $messages") |" \
            "$(calculate "$(clients interface_sent_packets window) / $window") |" \
            "$(calculate "$bytes / $messages") |" \
            "$(calculate "$(clients interface_sent_bytes window) / $window") |" \
            "$(calculate "$datagrams / $messages") |"
    done
    echo
}

accounting() {
    # Where a side runs scatters a single round trip by more than what is measured here.
    local round load side with without pins=(--server-cpus 0 --client-cpus 1)
    [[ $(nproc) -gt 1 ]] || pins=()
    build proof/accounting -o "$work/bench-accounting"
    for ((round = 1; round <= rounds; round++)); do
        echo "accounting: round $round of $rounds" >&2
        for load in 1x1 100x10; do
            for side in $(if ((round % 2)); then echo with without; else echo without with; fi); do
                local which=(runner udp)
                if [[ $side == without ]]; then which=(beside accounting); fi
                bench "${which[@]}" $payload --clients "${load%x*}" --parallel "${load#*x}" "${pins[@]}"
                printf -v "$side" %s "$(rate_of)"
            done
            # shellcheck disable=SC2154 # set by printf
            note "accounting-$load" "$with" "$without"
        done
    done
    cat <<TEXT
# The price of the accounting

bench-udp against the same loop without clock, header, checksum, lanes, histogram and the server's counts
(\`proof/accounting\`), $rounds rounds in turn, each side on a CPU of its own, messages/s; 1 - ratio is what they cost.

| clients x in flight | with | without | ratio | |
|---|---:|---:|---:|---|
$(row accounting-1x1 "1 x 1" "")
$(row accounting-100x10 "100 x 10" "saturated")

TEXT
}

# A bench-udp beside the copy of the runner whose server spins for so long before each answer.
make_slowed() {
    cp -r bench-udp "$work/slowed-bench"
    rm -rf "$work/slowed-bench/bin" "$work/slowed-bench/obj"
    local line='        for (var until = System.Diagnostics.Stopwatch.GetTimestamp() + System.Diagnostics.Stopwatch.Frequency'
    line+=" * $slow_us / 1_000_000; System.Diagnostics.Stopwatch.GetTimestamp() < until;) ;"
    sed -i "/static void OnMessage(/,/{/ s|^    {\$|    {\n$line|" "$work/slowed-bench/Server.cs"
    [[ $(diff bench-udp/Server.cs "$work/slowed-bench/Server.cs" | grep -c '^>') -eq 1 ]] ||
        fail "bench-udp/Server.cs has no place for the slowing line any more."
    build "$work/slowed-bench" -o "$work/bench-udp"
}

# launch RUNNER FOLDER NUMBER: one launch of a cell, into the sweep of that folder.
launch() {
    "$1" run udp --run-id "${2##*/}-$3" --payload-bytes $payload --warmup-seconds 0.2 --seconds 0.5 --out "$2/raw.jsonl" >/dev/null
}

# new_sweep RUNNER FOLDER
new_sweep() {
    "$1" built --library udp >"$work/built"
    runner sweep --preset quick --libraries udp --delivery unreliable --clients 1 --warmup-seconds 0.2 --seconds 0.5 \
        --repeats $launches | "$1" begin "$2" --built "$work/built"
}

report() {
    dotnet report/bin/Release/report.dll "$@"
}

# verdict BASE NEW PAGE: better, worse, within or not (comparable); its exit code must say the same.
verdict() {
    local code=0 word=not
    report compare "$1" "$2" --out "$3" 2>/dev/null || code=$?
    if grep -q '^\*\*1 better' "$3"; then word=better; fi
    if grep -q '^\*\*0 better, 1 worse' "$3"; then word=worse; fi
    if grep -q '^\*\*0 better, 0 worse, 1 within' "$3"; then word=within; fi
    [[ $code -eq $([[ $word == worse ]] && echo 1 || echo 0) ]] ||
        fail "report compare ended with exit code $code where a cell is '$word'."
    echo $word
}

compare() {
    local try number
    make_slowed
    mkdir "$work/all"
    for ((try = 1; try <= tries; try++)); do
        echo "compare: try $try of $tries" >&2
        local one=$work/try$try-a other=$work/try$try-b slowed=$work/try$try-slowed
        new_sweep runner "$one"
        new_sweep runner "$other"
        if ((try <= slowed_tries)); then new_sweep beside "$slowed"; fi
        for ((number = 1; number <= launches; number++)); do
            # Who goes first changes, so that neither has the better moments.
            if ((number % 2)); then launch runner "$one" $number; fi
            launch runner "$other" $number
            if ((number % 2 == 0)); then launch runner "$one" $number; fi
            if ((try <= slowed_tries)); then launch beside "$slowed" $number; fi
        done
        verdict "$one" "$other" "$work/equal.md" >>"$work/equal"
        ratio_in "$work/equal.md" >>"$work/equal.ratio"
        if ((try <= slowed_tries)); then
            verdict "$one" "$slowed" "$work/slowed.md" >>"$work/slowed"
            ratio_in "$work/slowed.md" >>"$work/slowed.ratio"
        fi
        [[ -s $work/all/raw.jsonl ]] || head -n 2 "$one/raw.jsonl" >"$work/all/raw.jsonl"
        tail -q -n +3 "$one/raw.jsonl" "$other/raw.jsonl" >>"$work/all/raw.jsonl"
    done
    report noise "$work/all" >"$work/noise.md" 2>&1 || true
    cat <<TEXT
# What \`report compare\` calls

Pairs of sweeps of bench-udp, 1 x 1, $launches launches of half a second a side, taken in turn.

- **The same bench on both sides**, $tries pairs: $(count within equal) within noise, $(count better equal) called better,
  $(count worse equal) called worse (exit code 1), $(count not equal) not comparable. False alarms: $(count '(better|worse)' equal) of $tries.
  Ratios of messages/s: $(median_and_range %.3f <"$work/equal.ratio").
- **A copy whose server spins $slow_us µs before each answer**, $slowed_tries pairs: called worse (exit code 1) in $(count worse slowed)
  of $slowed_tries, not comparable in $(count not slowed). Ratios of messages/s: $(median_and_range %.2f <"$work/slowed.ratio").
- **The noise floor**, of all launches of the same bench as one sweep:

$(grep -E '^(The noise floor|Measured on|A comparison|halves|report:)' "$work/noise.md")

TEXT
}

# The ratio of the one cell of a comparison.
ratio_in() {
    sed -n 's/^| udp .* msgs\/s | [^|]* | [^|]* | \([0-9.]*\) |.*/\1/p' "$1"
}

count() {
    grep -c -E "^$1\$" "$work/$2" || true
}

build() {
    dotnet build "$1" -c Release --nologo -v quiet "${@:2}" >"$work/log" 2>&1 </dev/null ||
        fail "$1 does not build: $(grep -m 1 'error' "$work/log")"
}

check_system() {
    [[ -r /proc/net/snmp ]] || fail "the kernel's counters are read from /proc, so this needs Linux."
    command -v dotnet >/dev/null || fail "the .NET SDK 10 is needed: https://dotnet.microsoft.com/download"
    [[ " ${parts[*]} " != *" tools "* ]] || { command -v sockperf && command -v iperf3; } >/dev/null ||
        fail "sockperf and iperf3 are needed: apt-get install sockperf iperf3, or the like elsewhere."
}

describe() {
    fact() { grep -o "\"$1\":[^,}]*" <<<"$machine" | head -n 1 | cut -d: -f2- | tr -d '"'; }
    cat <<TEXT
Written by \`proof/run.sh $part\`, $(date -u +%F), in $(((SECONDS - started + 30) / 60)) minutes, on $(fact cpu_model), $(fact cpu_count) CPUs, hypervisor $(fact hypervisor),
kernel $(fact kernel), .NET $(fact dotnet_version), suite $(fact suite_commit | cut -c1-12)$(if [[ $(fact suite_dirty) == true ]]; then echo " (changed)"; fi).
Load average before: $load. Steal meanwhile: $(calculate "($(steal) - $steal_before) / (($SECONDS - $started + 1) * $(nproc))") % of the machine.

TEXT
}

# CPU time that the hypervisor gave to others, in hundredths of a second.
steal() {
    awk '$1 == "cpu" { print $9 }' /proc/stat
}

main() {
    local chosen=() part
    while [[ $# -gt 0 ]]; do
        case $1 in
            --help | -h) usage; exit 0 ;;
            --rounds)
                [[ ${2-} =~ ^[1-9][0-9]?$ ]] || fail "--rounds takes a number from 1 to 99." 2
                rounds=$2
                shift
                ;;
            --short) rounds=2 seconds=1 tries=2 slowed_tries=1 ;;
            --out) [[ $# -gt 1 ]] || fail "--out takes a folder." 2; out=$2; shift ;;
            *)
                [[ " ${parts[*]} " == *" $1 "* ]] || fail "there is no part '$1' (see --help)." 2
                chosen+=("$1")
                ;;
        esac
        shift
    done
    if [[ ${#chosen[@]} -gt 0 ]]; then parts=("${chosen[@]}"); fi
    check_system
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    build bench-udp
    build bench-tcp
    build runner
    [[ -f report/bin/Release/report.dll ]] || build report -p:ScottPlotVersion=none
    machine=$(runner machine)
    mkdir -p "$out"
    for part in "${parts[@]}"; do
        started=$SECONDS load=$(cut -d' ' -f1-3 /proc/loadavg) steal_before=$(steal)
        $part >"$work/part"
        { head -n 1 "$work/part"; echo; describe; tail -n +2 "$work/part"; } | cat -s | sed '$ { /^$/d }' >"$out/$part.md"
    done
    echo "results: $out" >&2
}

main "$@"
