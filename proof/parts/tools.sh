# bench-udp and bench-tcp against sockperf and iperf3.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

readonly rate=2000

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
    sockperf "$mode" -i 127.0.0.1 -p $port -m "$payload" -t "$seconds" --full-rtt "$@" >"$work/sockperf" 2>&1 ||
        fail "sockperf $mode failed: $(tail -n 1 "$work/sockperf")"
    kill $server
    wait $server 2>/dev/null || true
}

sockperf_percentile() {
    sed -n "s/.*percentile $1 = *\([0-9.]*\).*/\1/p" "$work/sockperf"
}

tools() {
    local round mode sender receiver
    # shellcheck disable=SC2034 # bench() reads it: tails at a rate show what is compiled late
    local warmup_seconds=4
    for ((round = 1; round <= rounds; round++)); do
        echo "tools: round $round of $rounds" >&2
        for mode in udp tcp; do
            local flags=()
            if [[ $mode == tcp ]]; then flags=(--tcp); fi
            bench runner $mode "$payload"
            sockperf_run ping-pong ${flags[@]+"${flags[@]}"}
            note "$mode-50" "$(percentile 0.5)" "$(sockperf_percentile 50.000)"
            note "$mode-99" "$(percentile 0.99)" "$(sockperf_percentile 99.000)"
        done
        bench runner udp "$payload" --rate $rate
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

**Verdict**: at $rate messages/s the bench's p99 is $(median_and_range %.2f <"$work/load-99.ratio") times sockperf's; asked is at most 1.5 times, which
$(median_and_range %.4f <"$work/load-99.ratio" | awk '{ print $1 <= 1.5 ? "holds" : "does not hold" }') of the median.

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
