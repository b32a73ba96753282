# Whether an emulated link does what it is asked, and what it can carry.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

# of_link NAME: the numbers of a list of the launch's link, a line each.
of_link() {
    sed -n "s/.*\"record\":\"launch\".*\"link\":{.*\"$1\":\[\([^]]*\)\].*/\1/p" "$work/run.jsonl" | tr , '\n'
}

sum() {
    awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

# with_link COMMAND... of a link between two namespaces, in $clients and $server, of flags in $link: runs it, prints what it says.
with_link() {
    local said
    mkfifo "$work/in"
    # shellcheck disable=SC2086 # words
    runner link $link <"$work/in" >"$work/link" &
    exec 5>"$work/in"
    until grep -q server "$work/link"; do sleep 0.01; done
    said=$(head -n 1 "$work/link")
    clients=${said#*\"clients\":\"} server=${said#*\"server\":\"}
    clients=${clients%%\"*} server=${server%%\"*}
    "$@"
    exec 5>&-
    wait
    rm "$work/in"
}

# Mbit/s of iperf3 over it, received.
iperf_over() {
    nsenter --net="$server" iperf3 -s -1 >/dev/null &
    sleep 0.5
    nsenter --net="$clients" iperf3 -c 10.77.0.2 -t "$seconds" -J | awk '/"sum_received"/ { f = 1 } f && /bits_per_second/ { printf "%.0f\n", $2 / 1e6; exit }'
    wait $!
}

# has LIBRARY: whether it is built here.
has() {
    [[ -f bench-$1/bin/Release/bench-$1.dll ]]
}

# goodput LIBRARY BYTES FLAGS...: Mbit/s at the server of a stream.
goodput() {
    bench runner "$1" "$2" --work stream "${@:3}" || { echo n/a && return; }
    sed -n '/"side":"server".*"phase":"window"/ s/.*"elapsed_ns":\([0-9]*\).*"streamed":\([0-9]*\).*/\2 \1/p' "$work/run.jsonl" |
        awk -v bytes="$2" '{ printf "%.2f\n", $1 * bytes * 8e3 / $2 }'
}

# echo_ms LIBRARY BYTES FLAGS...: mean round trip.
echo_ms() {
    bench runner "$1" "$2" --clients 1 "${@:3}" || { echo n/a && return; }
    calculate "$(clients rtt_sum_ns window) / $(clients received window) / 1e6"
}

# of_loss LIBRARY BYTES LOSSES FLAGS...: mean round trips at each loss in %, as "100, 104".
of_loss() {
    local loss
    for loss in $3; do echo_ms "$1" "$2" --loss-percent "$loss" "${@:4}"; done | awk '{ printf("%s%s", (NR > 1 ? ", " : ""), $1 == "n/a" ? $1 : sprintf("%.1f", $1)) }'
}

links() {
    local theirs tcp
    local rtt loss burst mbit link time packets=10000 clients server times=10
    [[ $(id -u) -eq 0 ]] || fail "the part links enters its namespaces as root."
    cat <<TEXT
# Emulated links

## Round trips and loss at $packets packets/s each way

bench-udp, 10 clients at a rate, 32 bytes; round trips as it measures them, how late the emulator let packets go by its own clock,
and what it lost against what chance lets expect (twice the standard deviation).

| asked: round trip ms | loss % each way | in bursts of | p50 ms | p99 ms | late p99 µs to server, to clients | packets | lost | expected | emulator's CPU % |
|---:|---:|---:|---:|---:|---|---:|---:|---|---:|
TEXT
    for link in "0 0 1" "20 0 1" "50 0 1" "200 0 1" "50 2 1" "50 10 1" "50 2 5"; do
        read -r rtt loss burst <<<"$link"
        bench runner udp "$payload" --clients 10 --rate "$packets" --rtt-ms "$rtt" --loss-percent "$loss" --loss-burst-packets "$burst"
        echo "| $rtt | $loss | $burst | $(calculate "$(percentile 0.5) / 1000") | $(calculate "$(percentile 0.99) / 1000") |" \
            "$(of_link late_p99_us | paste -sd, | sed 's/,/, /') | $(of_link packets | sum) | $(of_link lost | sum) |" \
            "$(awk -v n="$(of_link packets | sum)" -v p="$loss" -v b="$burst" 'BEGIN { p /= 100; printf "%.0f ± %.0f", n * p, 2 * sqrt(n * p * (1 - p) * (2 * b - 1)) }') |" \
            "$(calculate "100 * $(sed -n 's/.*"link":{.*"cpu_s":\([0-9.e-]*\).*/\1/p' "$work/run.jsonl") / $seconds") |"
    done
    cat <<TEXT

## Rates

What came back of datagrams of 1,200 bytes at 1.3 times the rate, before and after a launch.

| asked Mbit/s | measured |
|---:|---|
TEXT
    for mbit in 1 10 50 100; do
        bench runner udp "$payload" --rate 100 --rtt-ms 20 --rate-mbit "$mbit"
        echo "| $mbit | $(of_link probe_rate_kbit | awk '{ printf("%s%.2f", (NR > 1 ? ", " : ""), $1 / 1000) }') |"
    done
    cat <<TEXT

## What it carries

| link | iperf3, one connection, $(cat /proc/sys/net/ipv4/tcp_congestion_control), Mbit/s received |
|---|---:|
TEXT
    for rtt in 0 20 50; do
        link="--rtt-ms $rtt"
        echo "| $rtt ms | $(with_link iperf_over) |"
    done
    cat <<TEXT

## Against what others measured

Their machines, links and versions differ: it is the order and the size of figures that is to agree.

| who | theirs | here |
|---|---|---|
TEXT
    if has kcp2k; then
        seconds=20 echo_ms kcp2k 32 --rate 50 --rtt-ms 60 --jitter-ms 65 --loss-percent 5 >"$work/mean"
        echo "| KCP's own test.cpp: echoes each 20 ms, 60 to 125 ms, 10 % lost a round trip: mean, most | 138, 392 ms (fast), 156, 571 ms (normal) |" \
            "kcp2k: $(<"$work/mean"), $(calculate "$(clients rtt_max_ns window) / 1e6") ms |"
        for theirs in tcp:53,116,185 kcp2k:13,12,34; do
            echo "| fluttergo.com: echoes of 208 bytes each 20 ms with 2, 5, 10 % lost: mean, ${theirs%:*} | ${theirs#*:} ms |" \
                "$(seconds=10 of_loss "${theirs%:*}" 208 "2 5 10" --rate 50 --rtt-ms 0) ms |"
        done
    fi
    if has enet; then echo "| enet issue 183: bulk at 280 ms, ENet | 2 Mbit/s | $(goodput enet 1000 --rate-mbit 100 --rtt-ms 280) Mbit/s |"; fi
    if has litenetlib; then echo "| the same, LiteNetLib | 9 Mbit/s (of later versions 64 packets a round trip: 1.8) | $(goodput litenetlib 1000 --rate-mbit 100 --rtt-ms 280) Mbit/s |"; fi
    if has datachannel; then
        for theirs in tcp:205,227,257,308 datachannel:99,124,156,231; do
            echo "| libdatachannel issue 409: 64 bytes each 16 ms, a lag of 50 ms each way, with 0, 2, 5, 10 % lost: end to end (here round trip), mean, ${theirs%:*} | ${theirs#*:} ms |" \
                "$(seconds=10 of_loss "${theirs%:*}" 64 "0 2 5 10" --rate 63 --rtt-ms 100) ms |"
        done
        cat <<TEXT

Data channels against TCP, one way, 65,535 bytes a message, no limit of the rate: theirs is streamr-dev's diagnostics of libdatachannel with
netem. Both are bound by what a side may have under way: TCP by tcp_wmem ($(awk '{ print $3 }' /proc/sys/net/ipv4/tcp_wmem) bytes here), data channels by their SCTP buffers.

| round trip ms | theirs: TCP Mbit/s, data channel in % of it | here: TCP Mbit/s | data channel Mbit/s | in % of it |
|---:|---|---:|---:|---:|
TEXT
        for theirs in "0 13919 3.2" "12 2040 13.4" "20 1220 12.7" "52 439 15.2" "100 229 13.7" "200 103 19.0" "500 29 36.4"; do
            read -r rtt tcp theirs <<<"$theirs"
            echo "| $rtt | $tcp, $theirs % | $(goodput tcp 65535 --rtt-ms "$rtt" | tee "$work/tcp") | $(goodput datachannel 65535 --rtt-ms "$rtt" | tee "$work/channel") |" \
                "$(paste "$work/channel" "$work/tcp" | awk '{ print $1 == "n/a" || $2 == "n/a" ? "n/a" : sprintf("%.1f", 100 * $1 / $2) }') |"
        done
    fi
    cat <<TEXT

A window's bytes once a round trip are the most that it lets through: at 50 ms of 100 Mbit/s, one client, messages of 1,000 bytes.

| library | window | Mbit/s at most | measured |
|---|---|---:|---:|
TEXT
    if has enet; then echo "| enet | 65,536 bytes | 10.5 | $(goodput enet 1000 --rate-mbit 100 --rtt-ms 50) |"; fi
    if has litenetlib; then echo "| litenetlib | 64 packets | 10.2 | $(goodput litenetlib 1000 --rate-mbit 100 --rtt-ms 50) |"; fi
    if has kcp2k; then echo "| kcp2k | 32 segments | 5.1 | $(goodput kcp2k 1000 --rate-mbit 100 --rtt-ms 50) |"; fi
    link="--rtt-ms 1" time=$(date +%s%N)
    for ((try = 0; try < times; try++)); do with_link true; done
    echo
    echo "To make a link and to remove it took $(calculate "($(date +%s%N) - $time) / $times / 1e6") ms, mean of $times."
    echo
}
