# Ratios of interleaved libraries and of launches one after another, beside a load that comes and goes.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

# A spinner for every two CPUs, 2 s on and 2 s off, until it is killed.
come_and_go() {
    local spinners=$((($(nproc) + 1) / 2))
    local n
    trap 'kill $(jobs -p) 2>/dev/null; exit' TERM
    while :; do
        for ((n = 0; n < spinners; n++)); do
            timeout 2 sh -c 'while :; do :; done' &
        done
        wait
        sleep 2 &
        wait
    done
}

# shift_of QUIET LOADED: by how much the ratio moved, in %.
shift_of() {
    paste -d' ' "$1" "$2" | awk '{ printf "%+.1f", 100 * ($4 / $1 - 1) }'
}

# foreign_launch LAUNCH NAME OTHER LOAD: interleaved and one after another, into the figures of that name.
foreign_launch() {
    local of_other
    local of_udp
    launch_of runner "$work/$2" "r$1" "udp/unreliable,$3/unreliable" "$4" \
        --rounds "$(full 60 8)" \
        --warmup-seconds "$(full 2 0.5)" \
        --seconds "$(full 1 0.2)" \
        --order-seed "$1"
    of_udp=$(foreign_rate udp "$4")
    of_other=$(foreign_rate "$3" "$4")
    calculate "$of_other / $of_udp" >>"$work/$2.apart-ratios"
}

# foreign_rate LIBRARY LOAD: messages/s of a window by itself.
foreign_rate() {
    bench runner "$1" "$payload" --delivery unreliable --clients "${2%x*}" --parallel "${2#*x}"
    rate_of
}

# foreign_row turn|apart TITLE
foreign_row() {
    cells "$2" \
        "$(in_words <"$work/quiet.$1")" \
        "$(half_width <"$work/quiet.$1")" \
        "$(in_words <"$work/loaded.$1")" \
        "$(half_width <"$work/loaded.$1")" \
        "$(shift_of "$work/quiet.$1" "$work/loaded.$1")"
}

# foreign_verdict turn|apart: by how much the load moved the ratio and widened its interval.
foreign_verdict() {
    local quiet=$work/quiet.$1
    local loaded=$work/loaded.$1
    echo "by $(shift_of "$quiet" "$loaded") % and its half-width from $(half_width <"$quiet") to" \
        "$(half_width <"$loaded") %, and the intervals $(overlap "$quiet" "$loaded")"
}

foreign-load() {
    local other=enet
    local load=100x1
    local launch
    local launches
    local with
    local spinning
    launches=$(full 5 2)
    if [[ $(libraries) != *enet* ]]; then
        other=netcoreserver
    fi
    for ((launch = 1; launch <= launches; launch++)); do
        echo "foreign-load: launch $launch of $launches" >&2
        # Another one goes first each time.
        for with in $(if ((launch % 2)); then echo quiet loaded; else echo loaded quiet; fi); do
            if [[ $with == quiet ]]; then
                foreign_launch "$launch" quiet $other $load
                continue
            fi
            come_and_go &
            spinning=$!
            foreign_launch "$launch" loaded $other $load
            kill $spinning
            wait $spinning || true
        done
    done
    for with in quiet loaded; do
        figure "$work/$with" $other/unreliable ratio_to_baseline >"$work/$with.turn"
        mean_and_interval <"$work/$with.apart-ratios" >"$work/$with.apart"
    done
    cat <<TEXT
# Beside a foreign load

Asked: a load that comes and goes every 2 s (here one spinner for every two CPUs) widens the intervals
of ratios of interleaved libraries
but does not shift them, where those of launches one after another shift. $other over UDP, unreliable, ${load/x/ x },
$launches launches each with the load and without, by turns; interleaved $(full 60 8) rounds per launch by the report's
hierarchical bootstrap, apart a window of $seconds s each with Student's t.

**Verdict**: interleaved, the load moved the ratio
$(foreign_verdict turn); apart it moved it
$(foreign_verdict apart).

TEXT
    table lrrrrr "$other / UDP" "without the load" "± %" "with it" "± %" "moved by %"
    foreign_row turn "interleaved"
    foreign_row apart apart
    echo
    failures "$work/quiet" "$work/loaded"
    echo
}
