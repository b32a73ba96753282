# bench-udp against the same loop without stamps, accounting and checks.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

# accounting_rate with|without LOAD: messages/s of a run of bench-udp, or of the loop without.
accounting_rate() {
    local which=(runner udp)
    local pins=()
    if [[ $1 == without ]]; then
        which=(beside accounting)
    fi
    # Where a side runs scatters a single round trip by more than what is measured here.
    if [[ $(nproc) -gt 1 ]]; then
        pins=(--server-cpus 0 --client-cpus 1)
    fi
    bench "${which[@]}" "$payload" --clients "${2%x*}" --parallel "${2#*x}" "${pins[@]}"
    rate_of
}

accounting() {
    local round
    local load
    local with
    local without
    build proof/accounting -o "$work/bench-accounting"
    for ((round = 1; round <= rounds; round++)); do
        echo "accounting: round $round of $rounds" >&2
        for load in 1x1 100x10; do
            # Another one goes first each time.
            if ((round % 2)); then
                with=$(accounting_rate with $load)
                without=$(accounting_rate without $load)
            else
                without=$(accounting_rate without $load)
                with=$(accounting_rate with $load)
            fi
            note "accounting-$load" "$with" "$without"
        done
    done
    cat <<TEXT
# The price of the accounting

bench-udp against the same loop without clock, header, checksum, slots, tallies and histogram
(\`proof/accounting\`), $rounds interleaved rounds, each side on a CPU of its own, messages/s;
1 - ratio is what they cost.

| clients x in flight | with | without | ratio | |
|---|---:|---:|---:|---|
$(row accounting-1x1 "1 x 1" "")
$(row accounting-100x10 "100 x 10" "saturated")

TEXT
}
