# bench-udp and bench-tcp against sockperf and iperf3.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

readonly rate=2000
readonly bulk_bytes=65000

# sockperf_run MODE FLAGS...: its output in $work/sockperf, with a server of its own.
sockperf_run() {
    local mode=$1
    local server
    local protocol=()
    shift
    if [[ " $* " == *" --tcp "* ]]; then
        protocol=(--tcp)
    fi
    # The port before may not be free yet.
    port=$((port + 1))
    : >"$work/sockperf-server"
    sockperf server -i 127.0.0.1 -p $port "${protocol[@]}" >"$work/sockperf-server" 2>&1 &
    server=$!
    until grep -q "to block on socket" "$work/sockperf-server"; do
        if ! kill -0 $server 2>/dev/null; then
            fail "sockperf's server ended: $(tail -n 1 "$work/sockperf-server")"
        fi
        sleep 0.05
    done
    if ! sockperf "$mode" -i 127.0.0.1 -p $port -m "$payload" -t "$seconds" --full-rtt "$@" >"$work/sockperf" 2>&1; then
        fail "sockperf $mode failed: $(tail -n 1 "$work/sockperf")"
    fi
    kill $server
    wait $server 2>/dev/null || true
}

sockperf_percentile() {
    sed -n "s/.*percentile $1 = *\([0-9.]*\).*/\1/p" "$work/sockperf"
}

# One message in flight, over UDP and TCP.
tools_ping_pong() {
    bench runner udp "$payload"
    sockperf_run ping-pong
    note udp-50 "$(percentile 0.5)" "$(sockperf_percentile 50.000)"
    note udp-99 "$(percentile 0.99)" "$(sockperf_percentile 99.000)"
    bench runner tcp "$payload"
    sockperf_run ping-pong --tcp
    note tcp-50 "$(percentile 0.5)" "$(sockperf_percentile 50.000)"
    note tcp-99 "$(percentile 0.99)" "$(sockperf_percentile 99.000)"
}

# Messages at a rate, over UDP.
tools_at_rate() {
    bench runner udp "$payload" --rate $rate
    sockperf_run under-load --mps $rate --reply-every 1
    note load-50 "$(percentile 0.5)" "$(sockperf_percentile 50.000)"
    note load-99 "$(percentile 0.99)" "$(sockperf_percentile 99.000)"
    percentile 0.99 send_lag_ns >>"$work/lag"
}

# iperf_mbit DIRECTION: what the receiver got, such as of TX-C or RX-C.
iperf_mbit() {
    sed -n "s/.*\[$1\].* \([0-9.]*\) Mbits.*receiver/\1/p" "$work/iperf3"
}

# Bytes both ways at once, over TCP.
tools_bulk() {
    bench runner tcp $bulk_bytes --parallel 16
    port=$((port + 1))
    iperf3 --server --port $port --one-off >/dev/null 2>&1 &
    sleep 0.5
    iperf3 --client 127.0.0.1 --port $port --bidir --length $bulk_bytes --time "$seconds" --format m >"$work/iperf3"
    wait $!
    note throughput \
        "$(calculate "$(rate_of) * $bulk_bytes * 8e-6")" \
        "$(calculate "($(iperf_mbit TX-C) + $(iperf_mbit RX-C)) / 2")"
}

tools_rows() {
    local lag
    lag=$(median_and_range %.2f <"$work/lag")
    row udp-50 "UDP, one in flight, p50 µs: bench-udp, sockperf ping-pong" \
        "waking a thread that waits takes most of both; sockperf blocks in receive," \
        "a bench waits in ppoll and receives then"
    row udp-99 "the same, p99 µs" "as above"
    row load-50 "UDP, $rate messages/s, p50 µs: bench-udp, sockperf under-load" \
        "sockperf sends and receives in two threads and counts from the send," \
        "a bench does both in one and counts from when a message was due"
    row load-99 "the same, p99 µs" \
        "how late a bench sends is part of it (p99 of its send lag: $lag µs);" \
        "a client sleeps in ppoll until the next message is due or one comes"
    row tcp-50 "TCP, one in flight, p50 µs: bench-tcp, sockperf ping-pong" \
        "as with UDP; a bench's server waits in ppoll for all connections and the listener"
    row tcp-99 "the same, p99 µs" "as above"
    row throughput "TCP, 65,000 bytes, Mbit/s each way: bench-tcp, 16 in flight, iperf3 --bidir" \
        "a bench frames, echoes and checks every message with one thread a side, and copies it;" \
        "iperf3 looks at no byte"
}

tools() {
    # Tails at a rate show what is compiled late.
    # shellcheck disable=SC2034 # bench() reads it
    local warmup_seconds=4
    local round
    local verdict
    for ((round = 1; round <= rounds; round++)); do
        echo "tools: round $round of $rounds" >&2
        tools_ping_pong
        tools_at_rate
        tools_bulk
    done
    verdict=$(median_and_range %.4f <"$work/load-99.ratio" | awk '{ print $1 <= 1.5 ? "holds" : "does not hold" }')
    cat <<TEXT
# Against sockperf and iperf3

$rounds rounds of $seconds s each, by turns; medians and, in brackets, least and most. Messages of
$payload bytes; µs are whole round trips. The bench's percentiles are of its histogram, within 0.8 %.

**Verdict**: at $rate messages/s the bench's p99 is $(median_and_range %.2f <"$work/load-99.ratio") times sockperf's;
asked is at most 1.5 times, which $verdict of the median.

| | bench | other | ratio | why it may differ |
|---|---:|---:|---:|---|
$(tools_rows)

TEXT
}
