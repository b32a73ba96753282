# bench-udp against the same loop without stamps, accounting and checks.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

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
                bench "${which[@]}" "$payload" --clients "${load%x*}" --parallel "${load#*x}" "${pins[@]}"
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
