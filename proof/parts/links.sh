# Whether an emulated link does what it is asked, and what it can carry.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

readonly links_packets=10000
readonly links_made=10

# of_link NAME: the numbers of a list of the launch's link, a line each.
of_link() {
    sed -n "s/.*\"record\":\"launch\".*\"link\":{.*\"$1\":\[\([^]]*\)\].*/\1/p" "$work/run.jsonl" | tr , '\n'
}

# cpu_of_link: seconds of CPU that the emulator took.
cpu_of_link() {
    sed -n 's/.*"link":{.*"cpu_s":\([0-9.e-]*\).*/\1/p' "$work/run.jsonl"
}

sum() {
    awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

# in_a_row FORMAT: the numbers on stdin as "1.2, 3.4"; what is n/a stays so.
in_a_row() {
    awk -v format="$1" '
        { printf "%s%s", (NR > 1 ? ", " : ""), $1 == "n/a" ? $1 : sprintf(format, $1) }'
}

# end_of_link clients|server: the namespace of that end, of the link that was made.
end_of_link() {
    sed -n "1 s/.*\"$1\":\"\([^\"]*\)\".*/\1/p" "$work/link"
}

# with_link FLAGS COMMAND...: runs the command beside a link of these flags, whose ends are the namespaces $clients and
# $server, and prints what the command says.
with_link() {
    local flags=$1
    local clients
    local server
    shift
    mkfifo "$work/in"
    # shellcheck disable=SC2086 # words
    runner link $flags <"$work/in" >"$work/link" &
    exec 5>"$work/in"
    until grep -q server "$work/link"; do
        sleep 0.01
    done
    clients=$(end_of_link clients)
    server=$(end_of_link server)
    "$@"
    exec 5>&-
    wait
    rm "$work/in"
}

# Mbit/s of iperf3 over the link that there is, received.
iperf_over() {
    nsenter --net="$server" iperf3 -s -1 >/dev/null &
    sleep 0.5
    nsenter --net="$clients" iperf3 -c 10.77.0.2 -t "$seconds" -J | awk '
        /"sum_received"/ { is_received = 1 }
        is_received && /bits_per_second/ {
            printf "%.0f\n", $2 / 1e6
            exit
        }'
    wait $!
}

# has LIBRARY: whether it is built here.
has() {
    [[ -f bench-$1/bin/Release/bench-$1.dll ]]
}

# goodput LIBRARY BYTES FLAGS...: Mbit/s at the server of a stream.
goodput() {
    local of_window='"side":"server".*"phase":"window"'
    local figures='"elapsed_ns":\([0-9]*\).*"streamed":\([0-9]*\)'
    if ! bench runner "$1" "$2" --work stream "${@:3}"; then
        echo n/a
        return
    fi
    sed -n "/$of_window/ s/.*$figures.*/\2 \1/p" "$work/run.jsonl" |
        awk -v bytes="$2" '{ printf "%.2f\n", $1 * bytes * 8e3 / $2 }'
}

# echo_ms LIBRARY BYTES FLAGS...: mean round trip.
echo_ms() {
    if ! bench runner "$1" "$2" --clients 1 "${@:3}"; then
        echo n/a
        return
    fi
    calculate "$(clients rtt_sum_ns window) / $(clients received window) / 1e6"
}

# of_loss LIBRARY BYTES LOSSES FLAGS...: mean round trips at each loss in %, as "100, 104".
of_loss() {
    local loss
    for loss in $3; do
        echo_ms "$1" "$2" --loss-percent "$loss" "${@:4}"
    done | in_a_row %.1f
}

# expected_loss PACKETS PERCENT BURST: what chance lets expect, and twice the standard deviation.
expected_loss() {
    awk -v packets="$1" -v percent="$2" -v burst="$3" '
        BEGIN {
            share = percent / 100
            spread = sqrt(packets * share * (1 - share) * (2 * burst - 1))
            printf "%.0f ± %.0f", packets * share, 2 * spread
        }'
}

# links_row RTT LOSS BURST: what becomes of packets at a rate, as a row of the table.
links_row() {
    local packets
    bench runner udp "$payload" --clients 10 --rate $links_packets \
        --rtt-ms "$1" --loss-percent "$2" --loss-burst-packets "$3"
    packets=$(of_link packets | sum)
    cells "$1" "$2" "$3" \
        "$(calculate "$(percentile 0.5) / 1000")" \
        "$(calculate "$(percentile 0.99) / 1000")" \
        "$(of_link late_p99_us | paste -sd, | sed 's/,/, /')" \
        "$packets" \
        "$(of_link lost | sum)" \
        "$(expected_loss "$packets" "$2" "$3")" \
        "$(calculate "100 * $(cpu_of_link) / $seconds")"
}

links_of_loss() {
    local link
    local rtt
    local loss
    local burst
    cat <<TEXT
## Round trips and loss at $links_packets packets/s each way

bench-udp, 10 clients at a rate, 32 bytes; round trips as it measures them, how late the emulator let packets go by its
own clock, and what it lost against what chance lets expect (twice the standard deviation).

TEXT
    table rrrrrlrrlr "asked: round trip ms" "loss % each way" "in bursts of" "p50 ms" "p99 ms" \
        "late p99 µs to server, to clients" packets lost expected "emulator's CPU %"
    for link in "0 0 1" "20 0 1" "50 0 1" "200 0 1" "50 2 1" "50 10 1" "50 2 5"; do
        read -r rtt loss burst <<<"$link"
        links_row "$rtt" "$loss" "$burst"
    done
}

links_of_rates() {
    local mbit
    cat <<TEXT

## Rates

What arrived of datagrams of 1,200 bytes at 1.3 times the rate, before and after a launch.

| asked Mbit/s | measured |
|---:|---|
TEXT
    for mbit in 1 10 50 100; do
        bench runner udp "$payload" --rate 100 --rtt-ms 20 --rate-mbit "$mbit"
        cells "$mbit" "$(of_link probe_rate_kbit | awk '{ print $1 / 1000 }' | in_a_row %.2f)"
    done
}

links_of_iperf() {
    local rtt
    cat <<TEXT

## What it carries

| link | iperf3, one connection, $(cat /proc/sys/net/ipv4/tcp_congestion_control), Mbit/s received |
|---|---:|
TEXT
    for rtt in 0 20 50; do
        cells "$rtt ms" "$(with_link "--rtt-ms $rtt" iperf_over)"
    done
}

# Against KCP's own test and what was measured of it.
links_of_kcp() {
    local theirs
    seconds=20 echo_ms kcp2k 32 --rate 50 --rtt-ms 60 --jitter-ms 65 --loss-percent 5 >"$work/mean"
    cells "KCP's own test.cpp: echoes each 20 ms, 60 to 125 ms, 10 % lost a round trip: mean, most" \
        "138, 392 ms (fast), 156, 571 ms (normal)" \
        "kcp2k: $(<"$work/mean"), $(calculate "$(percentile 1) / 1e3") ms"
    for theirs in tcp:53,116,185 kcp2k:13,12,34; do
        cells "fluttergo.com: echoes of 208 bytes each 20 ms with 2, 5, 10 % lost: mean, ${theirs%:*}" \
            "${theirs#*:} ms" \
            "$(seconds=10 of_loss "${theirs%:*}" 208 "2 5 10" --rate 50 --rtt-ms 0) ms"
    done
}

# Against what was measured of data channels' round trips.
links_of_datachannel() {
    local what="libdatachannel issue 409: 64 bytes each 16 ms, a lag of 50 ms each way, with 0, 2, 5, 10 % lost: end to"
    local theirs
    what+=" end (here round trip), mean,"
    for theirs in tcp:205,227,257,308 datachannel:99,124,156,231; do
        cells "$what ${theirs%:*}" \
            "${theirs#*:} ms" \
            "$(seconds=10 of_loss "${theirs%:*}" 64 "0 2 5 10" --rate 63 --rtt-ms 100) ms"
    done
}

# Against what was measured of data channels' streams.
links_of_streams() {
    local theirs
    local rtt
    local their_tcp
    local their_share
    local tcp
    local channel
    local share
    cat <<TEXT

Data channels against TCP, one way, 65,535 bytes per message, no limit of the rate:
theirs is streamr-dev's diagnostics of
libdatachannel with netem. Both are bound by what a side may have under way: TCP by tcp_wmem
($(awk '{ print $3 }' /proc/sys/net/ipv4/tcp_wmem) bytes here), data channels by their SCTP buffers.

TEXT
    table rlrrr "round trip ms" "theirs: TCP Mbit/s, data channel in % of it" "here: TCP Mbit/s" \
        "data channel Mbit/s" "in % of it"
    for theirs in "0 13919 3.2" "12 2040 13.4" "20 1220 12.7" "52 439 15.2" "100 229 13.7" "200 103 19.0" "500 29 36.4"
    do
        read -r rtt their_tcp their_share <<<"$theirs"
        tcp=$(goodput tcp 65535 --rtt-ms "$rtt")
        channel=$(goodput datachannel 65535 --rtt-ms "$rtt")
        share=n/a
        if [[ $tcp != n/a && $channel != n/a ]]; then
            share=$(awk -v channel="$channel" -v tcp="$tcp" 'BEGIN { printf "%.1f", 100 * channel / tcp }')
        fi
        cells "$rtt" "$their_tcp, $their_share %" "$tcp" "$channel" "$share"
    done
}

links_of_others() {
    cat <<TEXT

## Against what others measured

Their machines, links and versions differ: it is the order and the size of figures that is to agree.

| who | theirs | here |
|---|---|---|
TEXT
    if has kcp2k; then
        links_of_kcp
    fi
    if has enet; then
        cells "enet issue 183: bulk at 280 ms, ENet" "2 Mbit/s" \
            "$(goodput enet 1000 --rate-mbit 100 --rtt-ms 280) Mbit/s"
    fi
    if has litenetlib; then
        cells "the same, LiteNetLib" "9 Mbit/s (of later versions 64 packets per round trip: 1.8)" \
            "$(goodput litenetlib 1000 --rate-mbit 100 --rtt-ms 280) Mbit/s"
    fi
    if has datachannel; then
        links_of_datachannel
        links_of_streams
    fi
}

# windows_row LIBRARY WINDOW MBIT
windows_row() {
    if has "$1"; then
        cells "$1" "$2" "$3" "$(goodput "$1" 1000 --rate-mbit 100 --rtt-ms 50)"
    fi
}

links_of_windows() {
    cat <<TEXT

A window's bytes once per round trip are the most that it lets through: at 50 ms of 100 Mbit/s, one client, messages of
1,000 bytes.

| library | window | Mbit/s at most | measured |
|---|---|---:|---:|
TEXT
    windows_row enet "65,536 bytes" 10.5
    windows_row litenetlib "64 packets" 10.2
    windows_row kcp2k "32 segments" 5.1
}

links_of_time() {
    local started
    local n
    started=$(date +%s%N)
    for ((n = 0; n < links_made; n++)); do
        with_link "--rtt-ms 1" true
    done
    echo
    echo "To make a link and to remove it took" \
        "$(calculate "($(date +%s%N) - $started) / $links_made / 1e6") ms, mean of $links_made."
    echo
}

links() {
    if [[ $(id -u) -ne 0 ]]; then
        fail "the part links enters its namespaces as root."
    fi
    echo "# Emulated links"
    echo
    links_of_loss
    links_of_rates
    links_of_iperf
    links_of_others
    links_of_windows
    links_of_time
}
