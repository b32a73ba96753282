# How long a slice and its settling should be: which of them give the narrowest interval a minute.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

readonly slices_seed=1

# All settings as LOAD SLICE SETTLE, in an order that is random but the same for a seed.
slice_settings() {
    local load slice settle
    for load in 100x1 100x10 1x1; do
        for slice in $(full "20 50 80 120 200" "50 100"); do
            for settle in $(full "10 30 50" "10 30"); do
                echo "$(cksum <<<"$slices_seed $load $slice $settle" | cut -d' ' -f1) $load $slice $settle"
            done
        done
    done | sort -n | cut -d' ' -f2-
}

# Seconds that the rounds of a sweep took, of all its members.
spent_s() {
    sed -n 's/.*"spent_ms":\[\([^]]*\)\].*/\1/p' "$1/raw.jsonl" | tr , '\n' | awk '{ sum += $1 } END { print sum / 1000 }'
}

# A table of what awk makes of the lines LOAD SLICE SETTLE MEMBER RATIO HALF_WIDTH RELATIVE of a load and member.
slices_table() {
    awk -v load="$1" -v member="$2" -v column="$3" '$1 == load && $4 == member { at[$2, $3] = $column; slices[$2]; settles[$3] }
        function in_order(set, list,   key, n, i, kept) {
            for (key in set) { for (i = ++n; i > 1 && list[i - 1] + 0 > key + 0; i--) list[i] = list[i - 1]; list[i] = key }
            return n }
        END {
            n = in_order(slices, rows); m = in_order(settles, columns)
            line = "| slice ms |"; rule = "|---:|"
            for (j = 1; j <= m; j++) { line = line " settle " columns[j] " ms |"; rule = rule "---:|" }
            print line; print rule
            for (i = 1; i <= n; i++) {
                line = "| " rows[i] " |"
                for (j = 1; j <= m; j++) line = line (((rows[i], columns[j]) in at) ? sprintf(" %.3g |", at[rows[i], columns[j]]) : " n/a |")
                print line } }' "$work/settings"
}

# by COLUMN: for each value of it the half-width (geometric mean) and the ratios over the median of their load and member.
by() {
    local value
    cut -d' ' -f"$1" "$work/settings" | sort -n | uniq | while read -r value; do
        awk -v column="$1" -v value="$value" '$column == value { print $6 }' "$work/settings" | mean_and_interval | awk '{ printf "%.3g ", $1 }'
        awk -v column="$1" -v value="$value" '$column == value { print $7 }' "$work/settings" | mean_and_interval | in_words
    done | paste -d' ' <(cut -d' ' -f"$1" "$work/settings" | sort -n | uniq) - | sed 's/\([^ ]*\) \([^ ]*\) \(.*\)/| \1 | \2 | \3 |/'
}

# The least and the most of numbers on stdin.
range() {
    sort -g | sed -n '1p; $p' | paste -sd, | sed 's/,/ to /'
}

slices() {
    local load slice settle member folder seconds_each number=0 many studied=()
    mapfile -t studied < <(libraries | grep -E '^(enet|netcoreserver)$')
    seconds_each=$(full 12 3)
    many=$(slice_settings | wc -l)
    while read -r load slice settle; do
        echo "slices: setting $((++number)) of $many: $load, $slice ms, settle $settle ms" >&2
        folder=$work/$load-$slice-$settle
        # Coming to rest and changing over take some 10 ms.
        launch_of runner "$folder" r1 "$(printf '%s/unreliable,' "${studied[@]}")udp/unreliable" "$load" --slice-ms "$slice" --settle-ms "$settle" \
            --rounds $((seconds_each * 1000 / (${#studied[@]} + 1) / (slice + settle + 10) + 1)) \
            --warmup-seconds "$(full 1 0.3)" --seconds 0.1 --order-seed $number </dev/null
        for member in "${studied[@]}"; do
            figure "$folder" "$member/unreliable" ratio_to_plain |
                awk -v what="$load $slice $settle $member" -v spent="$(spent_s "$folder")" \
                    '$2 != "null" { print what, $1, 100 * ($3 - $2) / 2 / $1 * sqrt(spent / 60) }'
        done >>"$work/measured"
    done < <(slice_settings)
    for load in 100x1 100x10 1x1; do
        for member in "${studied[@]}"; do
            grep "^$load .* $member " "$work/measured" >"$work/of" || continue
            awk -v median="$(cut -d' ' -f5 "$work/of" | median_and_range %.6g | cut -d' ' -f1)" '{ print $0, $5 / median }' "$work/of"
        done
    done >"$work/settings"
    # Over loads and members, the narrowest first.
    cut -d' ' -f2,3 "$work/settings" | sort -u | while read -r slice settle; do
        echo "$(awk -v slice="$slice" -v settle="$settle" '$2 == slice && $3 == settle { print $6 }' "$work/settings" |
            mean_and_interval | cut -d' ' -f1) $slice $settle"
    done | sort -g >"$work/choice"
    cat <<TEXT
# Length of a slice, time to settle

Asked: which of them give the narrowest interval of a ratio a minute, and whether the ratio depends on them. Members udp ${studied[*]}, unreliable,
in one block, one launch of each setting with some $seconds_each s of rounds, in random order (seed $slices_seed). Half-widths are of rounds alone, in % of the ratio, scaled
to a minute of rounds of them all by the square root; the launches' own differences come on top, and no setting narrows those.

**Verdict**: narrowest over all loads is a slice of $(awk 'NR == 1 { print $2 " ms after " $3 " ms to settle (±" sprintf("%.2f", $1) " % a minute)" }' "$work/choice"), then $(awk 'NR > 1 && NR < 5 { printf "%s%s and %s ms (%.2f)", (NR > 2 ? ", " : ""), $2, $3, $1 }' "$work/choice");
the default is $(awk '$2 == 80 && $3 == 30 { found = sprintf("%d. of %%d with ±%.2f %%%%", NR, $1) } END { printf found ? found : "not among them", NR }' "$work/choice").
Over the median of their load and library the ratios are $(by 2 | cut -d' ' -f6 | range) by length of the slice, $(by 3 | cut -d' ' -f6 | range) by time to settle.

| slice ms | ± % a minute, mean of all | ratio over the median of its load and library |
|---:|---:|---:|
$(by 2)

| settle ms | ± % a minute, mean of all | ratio over the median of its load and library |
|---:|---:|---:|
$(by 3)

$(for load in 100x1 100x10 1x1; do
        for member in "${studied[@]}"; do
            printf '## %s, %s: half-width, %% a minute\n\n%s\n\nRatios to UDP:\n\n%s\n\n' "${load/x/ x }" "$member" \
                "$(slices_table $load "$member" 6)" "$(slices_table $load "$member" 5)"
        done
    done)

$(failures "$work"/*x*-*)

TEXT
}
