# What several parts use.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

fail() {
    echo "run: $1" >&2
    exit "${2:-1}"
}

# median, least and most of the numbers on stdin, as "1.02 (0.97 to 1.08)" in a format of printf.
median_and_range() {
    sort -g | awk -v format="$1" 'function f(value) { return sprintf(value < 1000 ? format : "%.0f", value) }
        { x[NR] = $1 } END {
            if (!NR) { print "n/a"; exit }
            m = NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2
            print f(m) " (" f(x[1]) " to " f(x[NR]) ")" }'
}

# clients NAME PHASE: a count of the clients in the slice of that phase, or in all that the pattern matches.
clients() {
    sed -n "/\"record\":\"slice\".*\"side\":\"client\".*\"phase\":\"$2\"/ s/.*\"$1\":\([0-9]*\).*/\1/p" "$work/run.jsonl" |
        awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

calculate() {
    awk "BEGIN { printf \"%.6g\\n\", $1 }"
}

# percentile P [NAME] of a histogram of the window, by default its round trips, in µs: the middle of its bucket.
percentile() {
    sed -n "/\"phase\":\"window\"/ s/.*\"${2-rtt_ns}\":\[\[\([][0-9,]*\)\]\].*/\1/p" "$work/run.jsonl" | sed 's/\],\[/\n/g' |
        awk -F, -v p="$1" '{ lower[NR] = $1; total += $2; up_to[NR] = total } END {
            for (i = 1; up_to[i] < p * total; i++) { }
            for (width = 1; 128 * width <= lower[i]; width *= 2) { }
            printf "%.2f\n", (lower[i] + width / 2) / 1000 }'
}

# Messages/s answered in the window.
rate_of() {
    calculate "$(clients completed window) / $(clients elapsed_ns window) * 1e9"
}

runner() {
    dotnet runner/bin/Release/runner.dll "$@"
}

# The same, but of benches that were built beside its copy.
beside() {
    [[ -d $work/runner ]] || cp -r runner/bin/Release "$work/runner"
    dotnet "$work/runner/runner.dll" "$@"
}

report() {
    dotnet report/bin/Release/report.dll "$@"
}

build() {
    dotnet build "$1" -c Release --nologo -v quiet "${@:2}" >"$work/log" 2>&1 </dev/null ||
        fail "$1 does not build: $(grep -m 1 'error' "$work/log")"
}

# bench RUNNER LIBRARY BYTES FLAGS...: a run, its records in $work/run.jsonl.
bench() {
    rm -f "$work/run.jsonl"
    "$1" run "$2" --payload-bytes "$3" --warmup-seconds 1 --seconds "$seconds" --out "$work/run.jsonl" "${@:4}" >/dev/null
}

# note NAME BENCH OTHER: one round's pair of figures.
note() {
    echo "$2" >>"$work/$1.bench"
    echo "$3" >>"$work/$1.other"
    calculate "$2 / $3" >>"$work/$1.ratio"
}

# row NAME LABEL WHY: a line of the table of pairs.
row() {
    echo "| $2 | $(median_and_range %.4g <"$work/$1.bench") | $(median_and_range %.4g <"$work/$1.other") |" \
        "$(median_and_range %.2f <"$work/$1.ratio") | $3 |"
}

count() {
    grep -c -E "^$1\$" "$work/$2" || true
}
