# What the suite itself costs in a room: bench-udp delivering to itself, beside all libraries that are built here.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

readonly room_clients=100

# cpu_of SIDE: CPU ns that it spent per delivery.
cpu_of() {
    local ns
    ns=$(calculate "$(of_side "$1" cpu_user_ns window) + $(of_side "$1" cpu_system_ns window)")
    calculate "$ns / $(clients deliveries window)"
}

# room RUNNER LIBRARY FLAGS...: a room of all clients in a closed loop.
room() {
    bench "$1" "$2" "$payload" --work broadcast --clients $room_clients "${@:3}"
}

# room_row LIBRARY: its CPU per delivery on both sides together, and what part of it the suite's own is.
room_row() {
    local own
    own=$(median_and_range %.4g <"$work/room-self" | cut -d' ' -f1)
    cells "$1" "$(median_and_range %.0f <"$work/room-$1")" \
        "$(calculate "100 * $own / $(median_and_range %.4g <"$work/room-$1" | cut -d' ' -f1)" | xargs printf '%.1f')"
}

rooms() {
    local round
    local library
    local allocated
    local -a members
    build proof/self -o "$work/bench-self"
    mapfile -t members < <(libraries)
    for ((round = 1; round <= rounds; round++)); do
        echo "rooms: round $round of $rounds" >&2
        room beside self
        cpu_of client >>"$work/room-self"
        calculate "$(clients allocated_bytes window) / $(clients deliveries window)" >>"$work/room-allocated"
        for library in "${members[@]}"; do
            # Some libraries have no rooms.
            if room runner "$library" 2>/dev/null; then
                calculate "$(cpu_of client) + $(cpu_of server)" >>"$work/room-$library"
            fi
        done
    done
    allocated=$(median_and_range %.3f <"$work/room-allocated")
    cat <<TEXT
# What the suite itself costs in a room

bench-udp whose clients deliver to themselves, without any network (\`proof/self\`), beside all libraries, in their
first delivery mode: a room of $room_clients clients that have one message in flight each, $rounds interleaved rounds. A
delivery costs $(median_and_range %.1f <"$work/room-self") ns of CPU in the suite, which allocates $allocated bytes
for it.

$(table lrr library "CPU ns per delivery, both sides" "the suite's own %")
$(for library in "${members[@]}"; do
    if [[ -f $work/room-$library ]]; then
        room_row "$library"
    fi
done)

TEXT
}
