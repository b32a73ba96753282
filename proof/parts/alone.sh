# Ratios of interleaved libraries against those of libraries measured alone, one after another.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

# apart_ratios LOAD WORD PLAIN: of the same launch's rates alone, a line per launch.
apart_ratios() {
    awk -v load="$1" -v word="$2" -v plain="$3" '
        $2 == load && $3 == word { one[$1] = $4 }
        $2 == load && $3 == plain { other[$1] = $4 }
        END {
            for (launch in one) {
                if (launch in other) print one[launch] / other[launch]
            }
        }' "$work/rates"
}

# alone_rate LOAD WORD: median of its launches' rates alone.
alone_rate() {
    awk -v load="$1" -v word="$2" '$2 == load && $3 == word { print $4 }' "$work/rates" |
        median_and_range %.0f |
        cut -d' ' -f1
}

# alone_interleaved LAUNCH LOAD WORDS...: all that deliver alike, interleaved.
alone_interleaved() {
    local kind
    local members
    for kind in unreliable reliable; do
        members=$(printf '%s\n' "${@:3}" | grep "/$kind" | paste -sd,)
        launch_of runner "$work/$2-$kind" "r$1" "$members" "$2" \
            --rounds "$(full 25 6)" \
            --warmup-seconds "$(full 2 0.5)" \
            --seconds "$(full 1 0.2)" \
            --order-seed "$1"
    done
}

# alone_apart LAUNCH LOAD WORDS...: each by itself; another one begins in each launch.
alone_apart() {
    local launch=$1
    local load=$2
    local n
    local word
    shift 2
    for ((n = 0; n < $#; n++)); do
        word=${*:(n + launch * 3) % $# + 1:1}
        launch_of runner "$work/$load-alone-$launch" "r1-${word/\//-}" "$word" "$load" \
            --warmup-seconds "$(full 2 0.3)" \
            --seconds "$(full 3 0.5)"
    done
    for word in "$@"; do
        figure "$work/$load-alone-$launch" "$word" throughput_per_s | sed "s|^|$launch $load $word |" >>"$work/rates"
    done
}

# alone_row LOAD WORD: what became of a member, as a row of the table.
alone_row() {
    local kind=${2#*/}
    local plain
    local agreement="baseline"
    local interleaved
    local apart
    local ratio=n/a
    kind=${kind%%-*}
    plain=$(plain_of "${2#*/}")
    figure "$work/$1-$kind" "$2" ratio_to_baseline >"$work/turn"
    apart_ratios "$1" "$2" "$plain" | mean_and_interval >"$work/apart"
    if [[ $2 != "$plain" ]]; then
        agreement=$(overlap "$work/turn" "$work/apart")
    fi
    interleaved=$(figure "$work/$1-$kind" "$2" throughput_per_s | awk '{ printf "%.0f", $1 }')
    apart=$(alone_rate "$1" "$2")
    if [[ $interleaved/$apart =~ ^[0-9.]+/[0-9.]+$ ]]; then
        ratio=$(calculate "$interleaved / $apart")
    fi
    cells "${1/x/ x }" "${2/\// }" "$(in_words <"$work/turn")" "$(in_words <"$work/apart")" "$agreement" \
        "$interleaved" "$apart" "$ratio"
}

alone() {
    local launch
    local launches
    local load
    local word
    local words=()
    local overlapping
    local known
    local times
    launches=$(full 4 2)
    mapfile -t words < <(
        members unreliable
        members reliable
    )
    for ((launch = 1; launch <= launches; launch++)); do
        for load in 100x1 100x10; do
            echo "alone: launch $launch of $launches, $load" >&2
            alone_interleaved "$launch" $load "${words[@]}"
            alone_apart "$launch" $load "${words[@]}"
        done
    done
    for load in 100x1 100x10; do
        for word in "${words[@]}"; do
            alone_row $load "$word"
        done
    done >"$work/rows"
    overlapping=$(grep -c '| overlap |' "$work/rows" || true)
    known=$(grep -c -E '\| (do not )?overlap \|' "$work/rows" || true)
    times=$(awk -F' \\| ' '{ print $NF + 0 }' "$work/rows" | grep -v '^0$' | median_and_range %.2f)
    cat <<TEXT
# Interleaved against alone

Asked: ratios of interleaved libraries agree with those of libraries measured alone, one after another,
within the intervals of both, for
every bench. $launches launches of each; interleaved $(full 25 6) rounds per launch
with the report's hierarchical bootstrap,
alone a window of $(full 3 0.5) s each, the ratio to the baseline's window of the same launch with Student's t. The
order of those alone is another in each launch. With 95 % intervals a pair of equal ratios seldom misses.

**Verdict**: the intervals of $overlapping of $known ratios that are known overlap. Rates of interleaved libraries are
$times times those alone.

TEXT
    table llrrlrrr "clients x in flight" member "ratio to the baseline, interleaved" alone intervals \
        "messages/s, interleaved" alone ratio
    cat "$work/rows"
    echo
    failures "$work"/*-unreliable "$work"/*-reliable "$work"/*-alone-*
    echo
}
