# bench-udp's profile tuned against a loop in C that makes the same calls.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

# batches_pins: the sides' CPUs, as where a side runs scatters a round trip by more than what is measured here.
batches_pins() {
    if [[ $(nproc) -gt 1 ]]; then
        echo "--server-cpus 0 --client-cpus 1"
    fi
}

# batches_rate RUNNER LIBRARY PROFILE LOAD: messages/s of a run.
batches_rate() {
    # shellcheck disable=SC2046 # several words
    bench "$1" "$2" "$payload" --profile "$3" --clients "${4%x*}" --parallel "${4#*x}" $(batches_pins)
    clients lost window >>"$work/lost"
    rate_of
}

# on_cpu NUMBER CMD...: on that CPU where there are several.
on_cpu() {
    if [[ $(nproc) -gt 1 ]]; then
        exec taskset -c "$@"
    fi
    exec "${@:2}"
}

# batches_c LOAD: messages/s of the loop in C.
batches_c() {
    local server
    (on_cpu 0 "$work/echo" server "$port") &
    server=$!
    until grep -q "^ *[0-9]*: [0-9A-F]*:$(printf %04X "$port") " /proc/net/udp; do
        if ! kill -0 $server 2>/dev/null; then
            fail "the server in C ended."
        fi
        sleep 0.05
    done
    (on_cpu 1 "$work/echo" client "$port" "${1%x*}" "${1#*x}" "$payload" "$seconds") >"$work/said"
    kill $server
    wait $server 2>/dev/null || true
    cut -d' ' -f2 "$work/said" >>"$work/lost"
    cut -d' ' -f1 "$work/said"
}

batches_round() {
    local load
    local usual
    local tuned
    local without
    local in_c
    for load in "${batches_loads[@]}"; do
        # Another one goes first each time.
        if (($1 % 2)); then
            in_c=$(batches_c "$load")
            tuned=$(batches_rate runner udp tuned "$load")
            without=$(batches_rate beside accounting tuned "$load")
        else
            without=$(batches_rate beside accounting tuned "$load")
            tuned=$(batches_rate runner udp tuned "$load")
            in_c=$(batches_c "$load")
        fi
        usual=$(batches_rate runner udp default "$load")
        note "tuned-$load" "$tuned" "$in_c"
        note "without-$load" "$without" "$in_c"
        note "usual-$load" "$tuned" "$usual"
    done
}

batches_rows() {
    local load
    for load in "${batches_loads[@]}"; do
        row "tuned-$load" "${load/x/ x }: tuned, C" ""
        row "without-$load" "tuned without accounting, C" ""
        row "usual-$load" "tuned, default" ""
    done
}

# batches_held LOAD: that load's ratio to C, and what the rest is where it is below what is asked.
batches_held() {
    local ratio
    local without
    ratio=$(median_and_range %.2f <"$work/tuned-$1.ratio")
    without=$(median_and_range %.2f <"$work/without-$1.ratio")
    if awk -v ratio="${ratio%% *}" 'BEGIN { exit !(ratio >= 0.8) }'; then
        echo "- ${1/x/ x }: $ratio, as asked."
    else
        echo "- ${1/x/ x }: $ratio, which is below 0.8. Without stamps, tallies and checks it is $without:" \
            "what lies between the two is the accounting, and the rest up to 1 is .NET, and what the loop in C" \
            "does not do: it sends back what came from where it lies, and copies no message."
    fi
}

batches() {
    local -a batches_loads=(1x1 100x1 100x10 1x100)
    local round
    if ! has_program cc; then
        echo "# Several datagrams a call, against C"
        echo
        echo "There is no C compiler (\`cc\`) here, so nothing was measured."
        return
    fi
    cc -O2 -o "$work/echo" proof/batches/echo.c >"$work/log" 2>&1 ||
        fail "proof/batches/echo.c does not compile: $(grep -m 1 'error' "$work/log")"
    build proof/accounting -o "$work/bench-accounting"
    for ((round = 1; round <= rounds; round++)); do
        echo "batches: round $round of $rounds" >&2
        batches_round $round
    done
    cat <<TEXT
# Several datagrams a call, against C

bench-udp's profile tuned against a loop in C (\`proof/batches/echo.c\`) that makes the same calls with the same knobs
and nothing else, $rounds interleaved rounds of $seconds s each, each side on a CPU of its own where there are
several, messages of $payload bytes; messages/s. *Without accounting* is bench-udp without clock, header, checksum,
slots, tallies and histogram (\`proof/accounting\`). Lost in all: $(awk '{ sum += $1 } END { print sum }' "$work/lost").

**Verdict**: asked is at least 0.8 of the loop in C.

$(for load in "${batches_loads[@]}"; do batches_held "$load"; done)

$(table lrrrl "clients x in flight" first other ratio "")
$(batches_rows)

At 100 x 1 a client has nothing that could go together, as each has a socket of its own: its calls take one datagram
each, and the server's several.

TEXT
}
