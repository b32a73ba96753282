# What `report compare` calls of equal sweeps, and of a slowed copy.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

readonly launches_each=10

# A slower bench-udp beside the copy of the runner.
make_slowed() {
    copy_of_udp "$work/slowed" udp
    slow_down "$work/slowed"
    build "$work/slowed" -o "$work/bench-udp"
}

# launch RUNNER FOLDER NUMBER: one launch of a cell, into the sweep of that folder.
launch() {
    "$1" run udp \
        --run-id "${2##*/}-$3" \
        --payload-bytes "$payload" \
        --warmup-seconds 0.2 \
        --seconds 0.5 \
        --out "$2/raw.jsonl" >/dev/null
}

# new_sweep RUNNER FOLDER
new_sweep() {
    "$1" built --library udp >"$work/built"
    runner sweep --preset quick --interleaved no --libraries udp --delivery unreliable --clients 1 \
        --warmup-seconds 0.2 --seconds 0.5 --repeats $launches_each |
        "$1" begin "$2" --built "$work/built"
}

# verdict BASE NEW PAGE: better, worse, within or not (comparable); its exit code must say the same.
verdict() {
    local code=0
    local expected=0
    local word=not
    report compare "$1" "$2" --out "$3" 2>/dev/null || code=$?
    if grep -q '^\*\*1 better' "$3"; then
        word=better
    elif grep -q '^\*\*0 better, 1 worse' "$3"; then
        word=worse
        expected=1
    elif grep -q '^\*\*0 better, 0 worse, 1 within' "$3"; then
        word=within
    fi
    if [[ $code -ne $expected ]]; then
        fail "report compare ended with exit code $code where a cell is '$word'."
    fi
    echo $word
}

# The ratio of the one cell of a comparison.
ratio_in() {
    sed -n 's/^| udp .* msgs\/s | [^|]* | [^|]* | \([0-9.]*\) |.*/\1/p' "$1"
}

# compare_try TRY: a pair of equal sweeps, and one of a slowed copy in some tries, whose launches alternate.
compare_try() {
    local number
    local one=$work/try$1-a
    local other=$work/try$1-b
    local slowed=$work/try$1-slowed
    new_sweep runner "$one"
    new_sweep runner "$other"
    if (($1 <= slowed_tries)); then
        new_sweep beside "$slowed"
    fi
    for ((number = 1; number <= launches_each; number++)); do
        # Who goes first changes, so that neither has the better moments.
        if ((number % 2)); then
            launch runner "$one" $number
            launch runner "$other" $number
        else
            launch runner "$other" $number
            launch runner "$one" $number
        fi
        if (($1 <= slowed_tries)); then
            launch beside "$slowed" $number
        fi
    done
    verdict "$one" "$other" "$work/equal.md" >>"$work/equal"
    ratio_in "$work/equal.md" >>"$work/equal.ratio"
    if (($1 <= slowed_tries)); then
        verdict "$one" "$slowed" "$work/slowed.md" >>"$work/slowed"
        ratio_in "$work/slowed.md" >>"$work/slowed.ratio"
    fi
    # All launches of the same bench are one sweep too, of which the noise floor is asked.
    if [[ ! -s $work/all/raw.jsonl ]]; then
        head -n 2 "$one/raw.jsonl" >"$work/all/raw.jsonl"
    fi
    tail -q -n +3 "$one/raw.jsonl" "$other/raw.jsonl" >>"$work/all/raw.jsonl"
}

compare() {
    local try
    make_slowed
    mkdir "$work/all"
    for ((try = 1; try <= tries; try++)); do
        echo "compare: try $try of $tries" >&2
        compare_try $try
    done
    report noise "$work/all" >"$work/noise.md" 2>&1 || true
    cat <<TEXT
# What \`report compare\` calls

Pairs of sweeps of bench-udp, 1 x 1, $launches_each launches of half a second per side, taken by turns.

- **The same bench on both sides**, $tries pairs: $(count within equal) within noise,
  $(count better equal) called better,
  $(count worse equal) called worse (exit code 1), $(count not equal) not comparable.
  False alarms: $(count '(better|worse)' equal) of $tries.
  Ratios of messages/s: $(median_and_range %.3f <"$work/equal.ratio").
- **A copy whose server spins $slow_us µs before each answer**, $slowed_tries pairs: called worse (exit code 1) in
  $(count worse slowed) of $slowed_tries, not comparable in $(count not slowed).
  Ratios of messages/s: $(median_and_range %.2f <"$work/slowed.ratio").
- **The noise floor**, of all launches of the same bench as one sweep:

$(grep -E '^(The noise floor|Measured on|A comparison|halves|report:)' "$work/noise.md")

TEXT
}
