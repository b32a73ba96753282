# Ratios in turn and of launches one after another, beside a load that comes and goes.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

# A spinner for every two CPUs, 2 s on and 2 s off, until it is killed.
come_and_go() {
    local spinners=$((($(nproc) + 1) / 2)) n
    trap 'kill $(jobs -p) 2>/dev/null; exit' TERM
    while :; do
        for ((n = 0; n < spinners; n++)); do timeout 2 sh -c 'while :; do :; done' & done
        wait
        sleep 2 &
        wait
    done
}

# shift_of QUIET LOADED: by how much the ratio moved, in %.
shift_of() {
    paste -d' ' "$1" "$2" | awk '{ printf "%+.1f", 100 * ($4 / $1 - 1) }'
}

foreign-load() {
    local other=enet launch launches load=100x1 with spinning library
    local -A rates
    launches=$(full 5 2)
    [[ $(libraries) == *enet* ]] || other=netcoreserver
    for ((launch = 1; launch <= launches; launch++)); do
        echo "foreign-load: launch $launch of $launches" >&2
        for with in $(if ((launch % 2)); then echo quiet loaded; else echo loaded quiet; fi); do
            if [[ $with == loaded ]]; then
                come_and_go &
                spinning=$!
            fi
            launch_of runner "$work/$with" "r$launch" udp/unreliable,$other/unreliable $load --rounds "$(full 60 8)" \
                --warmup-seconds "$(full 2 0.5)" --seconds "$(full 1 0.2)" --order-seed "$launch"
            for library in udp $other; do
                bench runner "$library" "$payload" --delivery unreliable --clients ${load%x*} --parallel ${load#*x}
                rates[$library]=$(rate_of)
            done
            calculate "${rates[$other]} / ${rates[udp]}" >>"$work/$with.apart-ratios"
            if [[ $with == loaded ]]; then
                kill $spinning
                wait $spinning || true
            fi
        done
    done
    for with in quiet loaded; do
        figure "$work/$with" $other/unreliable ratio_to_plain >"$work/$with.turn"
        mean_and_interval <"$work/$with.apart-ratios" >"$work/$with.apart"
    done
    cat <<TEXT
# Beside a foreign load

Asked: a load that comes and goes every 2 s (here one spinner for every two CPUs) widens the intervals of ratios in turn but does
not shift them, where those of launches one after another shift. $other over UDP, unreliable, ${load/x/ x }, $launches launches each with the load and
without, by turns; in turn $(full 60 8) rounds a launch by the report's hierarchical bootstrap, apart a window of $seconds s each with Student's t.

**Verdict**: in turn the load moved the ratio by $(shift_of "$work/quiet.turn" "$work/loaded.turn") % and its half-width from $(half_width <"$work/quiet.turn") to $(half_width <"$work/loaded.turn") %, and the
intervals $(overlap "$work/quiet.turn" "$work/loaded.turn"); apart by $(shift_of "$work/quiet.apart" "$work/loaded.apart") % and from $(half_width <"$work/quiet.apart") to $(half_width <"$work/loaded.apart") %, and they $(overlap "$work/quiet.apart" "$work/loaded.apart").

| $other / UDP | without the load | ± % | with it | ± % | moved by % |
|---|---:|---:|---:|---:|---:|
$(for how in turn apart; do
        echo "| ${how/turn/in turn} | $(in_words <"$work/quiet.$how") | $(half_width <"$work/quiet.$how") |" \
            "$(in_words <"$work/loaded.$how") | $(half_width <"$work/loaded.$how") | $(shift_of "$work/quiet.$how" "$work/loaded.$how") |"
    done)

$(failures "$work/quiet" "$work/loaded")

TEXT
}
