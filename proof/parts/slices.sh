# How long a slice and its settling should be: which of them give the narrowest interval a minute.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

readonly slices_seed=1

# What a slice needs besides itself and its settling: coming to rest and changing over.
readonly slices_change_ms=10

# All settings as LOAD SLICE SETTLE, in an order that is random but the same for a seed.
slice_settings() {
    local load
    local slice
    local settle
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
    sed -n 's/.*"spent_ms":\[\([^]]*\)\].*/\1/p' "$1/raw.jsonl" |
        tr , '\n' |
        awk '{ sum += $1 } END { print sum / 1000 }'
}

# measure_slices LOAD SLICE SETTLE NUMBER SECONDS LIBRARIES...: one launch, and the figures of each library as a line
# LOAD SLICE SETTLE LIBRARY RATIO HALF_WIDTH, the half-width in % of the ratio and of a minute.
measure_slices() {
    local folder=$work/$1-$2-$3
    local studied=("${@:6}")
    local members
    local round_ms=$(((${#studied[@]} + 1) * ($2 + $3 + slices_change_ms)))
    local library
    members=$(printf '%s/unreliable,' "${studied[@]}")udp/unreliable
    launch_of runner "$folder" r1 "$members" "$1" \
        --slice-ms "$2" \
        --settle-ms "$3" \
        --rounds $(($5 * 1000 / round_ms + 1)) \
        --warmup-seconds "$(full 1 0.3)" \
        --seconds 0.1 \
        --order-seed "$4" </dev/null
    for library in "${studied[@]}"; do
        figure "$folder" "$library/unreliable" ratio_to_baseline |
            awk -v what="$1 $2 $3 $library" -v spent="$(spent_s "$folder")" '
                $2 != "null" { print what, $1, 100 * ($3 - $2) / 2 / $1 * sqrt(spent / 60) }'
    done
}

# relative_slices LOAD LIBRARY: its lines, with the ratio over the median of them all.
relative_slices() {
    local median
    if ! grep "^$1 .* $2 " "$work/measured" >"$work/of"; then
        return
    fi
    median=$(cut -d' ' -f5 "$work/of" | median_and_range %.6g | cut -d' ' -f1)
    awk -v median="$median" '{ print $0, $5 / median }' "$work/of"
}

# Half-widths over loads and libraries as lines HALF_WIDTH SLICE SETTLE, the narrowest first.
slices_by_width() {
    local slice
    local settle
    cut -d' ' -f2,3 "$work/settings" | sort -u | while read -r slice settle; do
        awk -v slice="$slice" -v settle="$settle" '$2 == slice && $3 == settle { print $6 }' "$work/settings" |
            mean_and_interval |
            awk -v what="$slice $settle" '{ print $1, what }'
    done | sort -g
}

# slices_table LOAD LIBRARY COLUMN: that column of its lines, by slice and settling.
slices_table() {
    awk -v load="$1" -v member="$2" -v column="$3" '
        $1 == load && $4 == member {
            at[$2, $3] = $column
            slices[$2]
            settles[$3]
        }
        function in_order(set, list,   key, n, i) {
            for (key in set) {
                n++
                for (i = n; i > 1 && list[i - 1] + 0 > key + 0; i--) list[i] = list[i - 1]
                list[i] = key
            }
            return n
        }
        function cell(slice, settle) {
            return ((slice, settle) in at) ? sprintf(" %.3g |", at[slice, settle]) : " n/a |"
        }
        END {
            n = in_order(slices, rows)
            m = in_order(settles, columns)
            line = "| slice ms |"
            rule = "|---:|"
            for (j = 1; j <= m; j++) {
                line = line " settle " columns[j] " ms |"
                rule = rule "---:|"
            }
            print line
            print rule
            for (i = 1; i <= n; i++) {
                line = "| " rows[i] " |"
                for (j = 1; j <= m; j++) line = line cell(rows[i], columns[j])
                print line
            }
        }' "$work/settings"
}

# values_of COLUMN: of the settings, each once.
values_of() {
    cut -d' ' -f"$1" "$work/settings" | sort -n | uniq
}

# column_where COLUMN VALUE WHICH: that column of the settings whose other column has the value.
column_where() {
    awk -v column="$1" -v value="$2" -v which="$3" '$column == value { print $which }' "$work/settings"
}

# slices_by COLUMN: for each value of it the half-width (geometric mean) and the ratios over the median of their load
# and library.
slices_by() {
    local value
    for value in $(values_of "$1"); do
        cells "$value" \
            "$(column_where "$1" "$value" 6 | mean_and_interval | awk '{ printf "%.3g", $1 }')" \
            "$(column_where "$1" "$value" 7 | mean_and_interval | in_words)"
    done
}

# ratios_by COLUMN: the least and the most of those ratios.
ratios_by() {
    local value
    for value in $(values_of "$1"); do
        column_where "$1" "$value" 7 | mean_and_interval | awk '{ printf "%.3f\n", $1 }'
    done | sort -g | sed -n '1p; $p' | paste -sd, | sed 's/,/ to /'
}

# The settings that are narrowest, and the place of the default among all.
slices_verdict() {
    awk '
        NR == 1 {
            printf "narrowest over all loads is a slice of %s ms after %s ms to settle (±%.2f %% a minute)", $2, $3, $1
        }
        NR > 1 && NR < 5 { printf "%s %s and %s ms (%.2f)", (NR > 2 ? "," : ", then"), $2, $3, $1 }
        $2 == 80 && $3 == 30 {
            place = NR
            width = $1
        }
        END {
            if (place) printf ";\nthe default is %d. of %d with ±%.2f %%.\n", place, NR, width
            else printf ";\nthe default is not among them.\n"
        }' "$work/choice"
}

# slices_section LOAD LIBRARY
slices_section() {
    cat <<TEXT
## ${1/x/ x }, $2: half-width, % a minute

$(slices_table "$1" "$2" 6)

Ratios to UDP:

$(slices_table "$1" "$2" 5)

TEXT
}

slices() {
    local load
    local slice
    local settle
    local library
    local seconds_each
    local number=0
    local many
    local studied=()
    mapfile -t studied < <(libraries | grep -E '^(enet|netcoreserver)$')
    seconds_each=$(full 12 3)
    many=$(slice_settings | wc -l)
    while read -r load slice settle; do
        number=$((number + 1))
        echo "slices: setting $number of $many: $load, $slice ms, settle $settle ms" >&2
        measure_slices "$load" "$slice" "$settle" $number "$seconds_each" "${studied[@]}" >>"$work/measured"
    done < <(slice_settings)
    for load in 100x1 100x10 1x1; do
        for library in "${studied[@]}"; do
            relative_slices $load "$library"
        done
    done >"$work/settings"
    slices_by_width >"$work/choice"
    cat <<TEXT
# Length of a slice, time to settle

Asked: which of them give the narrowest interval of a ratio a minute, and whether the ratio depends on them. Members udp
${studied[*]}, unreliable, in one block, one launch of each setting with some $seconds_each s of rounds, in random order
(seed $slices_seed). Half-widths are of rounds alone, in % of the ratio, scaled to a minute of rounds of them all by the
square root; the launches' own differences come on top, and no setting narrows those.

**Verdict**: $(slices_verdict)
Over the median of their load and library the ratios are $(ratios_by 2) by length of the slice,
$(ratios_by 3) by time to settle.

| slice ms | ± % a minute, mean of all | ratio over the median of its load and library |
|---:|---:|---:|
$(slices_by 2)

| settle ms | ± % a minute, mean of all | ratio over the median of its load and library |
|---:|---:|---:|
$(slices_by 3)

TEXT
    for load in 100x1 100x10 1x1; do
        for library in "${studied[@]}"; do
            slices_section $load "$library"
        done
    done
    failures "$work"/*x*-*
    echo
}
