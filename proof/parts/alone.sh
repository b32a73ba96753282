# Ratios in turn against those of libraries measured alone, one after another.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

# apart_ratios LOAD WORD PLAIN: of the same launch's rates alone, a line a launch.
apart_ratios() {
    awk -v load="$1" -v word="$2" -v plain="$3" '$2 == load && $3 == word { one[$1] = $4 } $2 == load && $3 == plain { other[$1] = $4 }
        END { for (n in one) if (n in other) print one[n] / other[n] }' "$work/rates"
}

# alone_rate LOAD WORD: median of its launches' rates alone.
alone_rate() {
    awk -v load="$1" -v word="$2" '$2 == load && $3 == word { print $4 }' "$work/rates" | median_and_range %.0f | cut -d' ' -f1
}

alone() {
    local launch launches load kind word words=() plain n rates
    launches=$(full 4 2)
    mapfile -t words < <(members unreliable; members reliable)
    for ((launch = 1; launch <= launches; launch++)); do
        for load in 100x1 100x10; do
            echo "alone: launch $launch of $launches, $load" >&2
            for kind in unreliable reliable; do
                launch_of runner "$work/$load-$kind" "r$launch" "$(printf '%s\n' "${words[@]}" | grep "/$kind" | paste -sd,)" \
                    $load --rounds "$(full 25 6)" --warmup-seconds "$(full 2 0.5)" --seconds "$(full 1 0.2)" --order-seed "$launch"
            done
            # Another one begins each time.
            for ((n = 0; n < ${#words[@]}; n++)); do
                word=${words[(n + launch * 3) % ${#words[@]}]}
                launch_of runner "$work/$load-alone-$launch" "r1-${word/\//-}" "$word" $load --warmup-seconds "$(full 2 0.3)" --seconds "$(full 3 0.5)"
            done
            for word in "${words[@]}"; do
                figure "$work/$load-alone-$launch" "$word" throughput_per_s | sed "s|^|$launch $load $word |" >>"$work/rates"
            done
        done
    done
    for load in 100x1 100x10; do
        for word in "${words[@]}"; do
            kind=${word#*/} kind=${kind%%-*} plain=$(plain_of "${word#*/}")
            figure "$work/$load-$kind" "$word" ratio_to_plain >"$work/turn"
            apart_ratios $load "$word" "$plain" | mean_and_interval >"$work/apart"
            rates=$(figure "$work/$load-$kind" "$word" throughput_per_s | awk '{ printf "%.0f", $1 }')/$(alone_rate $load "$word")
            echo "| ${load/x/ x } | ${word/\// } | $(in_words <"$work/turn") | $(in_words <"$work/apart") |" \
                "$(if [[ $word == "$plain" ]]; then echo "plain socket"; else overlap "$work/turn" "$work/apart"; fi) |" \
                "${rates/\// | } | $(if [[ $rates =~ ^[0-9.]+/[0-9.]+$ ]]; then calculate "$rates"; else echo n/a; fi) |"
        done
    done >"$work/rows"
    cat <<TEXT
# In turn against alone

Asked: ratios in turn agree with those of libraries measured alone, one after another, within the intervals of both, for every bench. $launches launches of each;
in turn $(full 25 6) rounds a launch with the report's hierarchical bootstrap, alone a window of $(full 3 0.5) s each, the ratio to the plain socket's window of the same
launch with Student's t. The order of those alone is another in each launch. With 95 % intervals a pair of equal ratios seldom misses.

**Verdict**: the intervals of $(grep -c '| overlap |' "$work/rows" || true) of $(grep -c -E '\| (do not )?overlap \|' "$work/rows" || true) ratios that are known overlap. Rates in turn are
$(awk -F' \\| ' '{ print $NF + 0 }' "$work/rows" | grep -v '^0$' | median_and_range %.2f) times those alone.

| clients x in flight | member | ratio to the plain socket in turn | alone | intervals | messages/s in turn | alone | ratio |
|---|---|---:|---:|---|---:|---:|---:|
$(cat "$work/rows")

$(failures "$work"/*-unreliable "$work"/*-reliable "$work"/*-alone-*)

TEXT
}
