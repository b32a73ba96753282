# What several parts use.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

fail() {
    echo "run: $1" >&2
    exit "${2:-1}"
}

# cells TEXT...: a row of a table.
cells() {
    printf '| %s ' "$@"
    echo "|"
}

# table COLUMNS TITLE...: the head of a table. COLUMNS has a letter for each: l for text, r for figures.
table() {
    cells "${@:2}"
    sed 's/l/|---/g; s/r/|---:/g; s/$/|/' <<<"$1"
}

# median, least and most of the numbers on stdin, as "1.02 (0.97 to 1.08)" in a format of printf.
median_and_range() {
    sort -g | awk -v format="$1" '
        function written(value) {
            return sprintf(value < 1000 ? format : "%.0f", value)
        }
        { x[NR] = $1 }
        END {
            if (!NR) {
                print "n/a"
                exit
            }
            median = NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2
            print written(median) " (" written(x[1]) " to " written(x[NR]) ")"
        }'
}

# of_side SIDE NAME PHASE: a count of a side in the slice of that phase, or in all that the pattern matches.
of_side() {
    sed -n "/\"record\":\"slice\".*\"side\":\"$1\".*\"phase\":\"$3\"/ s/.*\"$2\":\([0-9]*\).*/\1/p" \
        "$work/run.jsonl" | awk '{ sum += $1 } END { printf "%.0f\n", sum }'
}

# clients NAME PHASE: the same of the clients.
clients() {
    of_side client "$1" "$2"
}

calculate() {
    awk "BEGIN { printf \"%.6g\\n\", $1 }"
}

# percentile P [NAME] of a histogram of the window, by default its round trips, in µs: the middle of its bucket.
percentile() {
    sed -n "/\"phase\":\"window\"/ s/.*\"${2-rtt_ns}\":\[\[\([][0-9,]*\)\]\].*/\1/p" "$work/run.jsonl" |
        sed 's/\],\[/\n/g' |
        awk -F, -v p="$1" '
            {
                lower[NR] = $1
                total += $2
                up_to[NR] = total
            }
            END {
                bucket = 1
                while (up_to[bucket] < p * total) bucket++
                width = 1
                while (128 * width <= lower[bucket]) width *= 2
                printf "%.2f\n", (lower[bucket] + width / 2) / 1000
            }'
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
    if [[ ! -d $work/runner ]]; then
        cp -r runner/bin/Release "$work/runner"
    fi
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
    "$1" run "$2" \
        --payload-bytes "$3" \
        --warmup-seconds "${warmup_seconds:-1}" \
        --seconds "$seconds" \
        --out "$work/run.jsonl" \
        "${@:4}" >/dev/null
}

# note NAME BENCH OTHER: one round's pair of figures.
note() {
    echo "$2" >>"$work/$1.bench"
    echo "$3" >>"$work/$1.other"
    calculate "$2 / $3" >>"$work/$1.ratio"
}

# row NAME LABEL WHY...: a line of the table of pairs.
row() {
    cells "$2" \
        "$(median_and_range %.4g <"$work/$1.bench")" \
        "$(median_and_range %.4g <"$work/$1.other")" \
        "$(median_and_range %.2f <"$work/$1.ratio")" \
        "${*:3}"
}

count() {
    grep -c -E "^$1\$" "$work/$2" || true
}

# full MANY FEW: the first, or where the run is to be short the second.
full() {
    if [[ $short ]]; then
        echo "$2"
    else
        echo "$1"
    fi
}

libraries() {
    local file
    for file in bench-*/bin/Release/bench-*.dll; do
        file=${file##*/bench-}
        echo "${file%.dll}"
    done
}

# members reliable|unreliable: the words of `runner run` for all that the benches here can deliver so, a line each.
members() {
    local library
    for library in $(libraries); do
        runner built --library "$library" |
            sed -n 's/.*"deliveries":\[\([^]]*\)\].*/\1/p' |
            tr -d '"' |
            tr , '\n' |
            sed "s|^|$library/|"
    done | grep "/$1"
}

# The word of the baseline that is measured with those.
plain_of() {
    if [[ $1 == unreliable ]]; then
        echo udp/unreliable
    else
        echo tcp/reliable-ordered
    fi
}

# launch_of RUNNER FOLDER ID WORDS LOAD FLAGS...: one launch of members under a load such as 100x1,
# interleaved where the
# flags have rounds, into the sweep of that folder. What fails leaves an error record there, but for wrong usage.
launch_of() {
    local code=0
    mkdir -p "$2"
    "$1" run "$4" \
        --run-id "$3" \
        --clients "${5%x*}" \
        --parallel "${5#*x}" \
        --payload-bytes "$payload" \
        --out "$2/raw.jsonl" \
        "${@:6}" >/dev/null 2>"$work/said" || code=$?
    if [[ $code -eq 2 ]]; then
        fail "$(head -n 1 "$work/said")"
    fi
}

# figure FOLDER WORD METRIC: median, low and high by the report's export; nothing where it is not known.
figure() {
    local line="\"library\":\"${2%/*}\",.*\"delivery\":\"${2#*/}\",.*\"metric\":\"$3\","
    local number='\([^,]*\)'
    if [[ ! $1/figures -nt $1/raw.jsonl ]]; then
        report export "$1" --format json >"$1/figures" 2>"$work/said" || fail "$(tail -n 1 "$work/said")"
    fi
    sed -n "/$line/ s/.*\"median\":$number,\"low\":$number,\"high\":$number,.*/\1 \2 \3/p" "$1/figures" |
        sed '/^null/d'
}

# Such figures on stdin in words, as "0.77 (0.75 to 0.79)".
in_words() {
    awk '
        {
            printf $2 == "null" ? "%.3f" : "%.3f (%.3f to %.3f)", $1, $2, $3
            any = 1
        }
        END { print any ? "" : "n/a" }'
}

# Of the same the half-width in % of the median.
half_width() {
    awk '
        $2 != "null" {
            printf "%.1f", 100 * ($3 - $2) / 2 / $1
            any = 1
        }
        END { print any ? "" : "n/a" }'
}

# Of numbers on stdin, such as ratios, their geometric mean and its 95 % interval by Student's t.
mean_and_interval() {
    awk '
        BEGIN { split("0 12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262", t) }
        $1 > 0 {
            n++
            sum += log($1)
            squares += log($1) ^ 2
        }
        END {
            if (!n) exit
            if (n == 1) {
                print exp(sum), "null", "null"
                exit
            }
            spread = squares - sum * sum / n
            half = t[n > 10 ? 10 : n] * sqrt((spread > 0 ? spread : 0) / (n - 1) / n)
            print exp(sum / n), exp(sum / n - half), exp(sum / n + half)
        }'
}

# failures FOLDERS...: what failed in the sweeps there, each reason once.
failures() {
    local id='"run_id":"\([^"]*\)"'
    local reason='"reason":"\(\([^"\\]\|\\.\)*\)"'
    cat "${@/%//raw.jsonl}" |
        sed -n "s/.*\"record\":\"error\",$id.*$reason.*/\1: \2/p" |
        sort |
        uniq |
        sed 's/^/- failed: /'
}

# overlap FILE FILE: whether two such figures' intervals do, as a verb; n/a where either has none.
overlap() {
    paste -d' ' "$1" "$2" | awk '
        /null/ || NF < 6 {
            print "n/a"
            next
        }
        { print $2 <= $6 && $5 <= $3 ? "overlap" : "do not overlap" }'
}
