# A bench interleaved with its own copy, and with one whose server is slower.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

readonly slow_us=20
readonly copies_group=5

# copy_of_udp FOLDER NAME: what bench-udp is made of, called otherwise and else byte-equal.
copy_of_udp() {
    mkdir -p "$1"
    cp -r bench-udp/*.cs "$1"
    cp bench-udp/bench-udp.csproj "$1/bench-$2.csproj"
    sed -i "s/ Name = \"udp\"/ Name = \"$2\"/" "$1/Library.cs"
    if [[ $2 != udp && $(diff -r bench-udp "$1" | grep -c '^>') -ne 1 ]]; then
        fail "bench-udp/Library.cs has no place for another name any more."
    fi
}

# slow_down FOLDER: the server of that copy spins for so long before each answer.
slow_down() {
    local now="System.Diagnostics.Stopwatch.GetTimestamp()"
    local ticks="System.Diagnostics.Stopwatch.Frequency * $slow_us / 1_000_000"
    local spin="for (var until = $now + $ticks; $now < until;) ;"
    sed -i "/int length = socket.ReceiveFrom(/ s|\$|\n                $spin|" "$1/Server.cs"
    if [[ $(diff bench-udp/Server.cs "$1/Server.cs" | grep -c '^>') -ne 1 ]]; then
        fail "bench-udp/Server.cs has no place for the slowing line any more."
    fi
}

# Of ratios on stdin, a line each: how many there are, how many are over 2 % off, and of how many the interval excludes
# 1.
told() {
    awk '
        {
            n++
            off += $1 > 1.02 || $1 < 0.98
            ranked += $2 != "null" && ($2 > 1 || $3 < 1)
        }
        END { printf "%d %d %d\n", n, off, ranked }'
}

# ranked_of FILES...: of how many ratios in all how many are ranked.
ranked_of() {
    cat "$@" | told | awk '{ print $3 " of " $1 }'
}

# copies_launch LAUNCH LOAD: one block, into a sweep of its own, that of its group, and that of all.
copies_launch() {
    local sweep
    launch_of beside "$work/$2-$1" "r$1" udp,udpcopy,udpslow "$2" \
        --rounds "$(full 30 8)" \
        --warmup-seconds "$(full 2 0.5)" \
        --seconds "$(full 1 0.2)" \
        --order-seed "$1"
    for sweep in "$work/$2-by-$((($1 - 1) / copies_group + 1))" "$work/$2-all"; do
        mkdir -p "$sweep"
        cat "$work/$2-$1/raw.jsonl" >>"$sweep/raw.jsonl"
    done
}

# copies_ratios WORD FOLDERS...: the ratio in each of these sweeps, a line each.
copies_ratios() {
    local sweep
    for sweep in "${@:2}"; do
        figure "$sweep" "$1" ratio_to_baseline
    done
}

# copies_row LOAD LIBRARY: what became of a copy, as a row of the table.
copies_row() {
    local word=$2/unreliable
    local single=$work/$1-$2.alone
    local grouped=$work/$1-$2.grouped
    local n
    local off
    local ranked
    copies_ratios "$word" "$work/$1"-[0-9]* >"$single"
    copies_ratios "$word" "$work/$1"-by-* >"$grouped"
    read -r n off ranked < <(told <"$single")
    cells "${1/x/ x }" "$2" \
        "$(cut -d' ' -f1 "$single" | median_and_range %.3f)" \
        "$off of $n" \
        "$ranked of $n" \
        "$(in_words <"$grouped" | sed 's/)/), /g; s/, $//')" \
        "$(ranked_of "$grouped")" \
        "$(figure "$work/$1-all" "$word" ratio_to_baseline | in_words)" \
        "$(figure "$work/$1-all" "$word" cpu_ratio_to_baseline | in_words)"
}

copies() {
    local name
    local load
    local launch
    local launches
    local library
    local told_alone
    local told_grouped
    launches=$(full 15 2)
    for name in udp udpcopy udpslow; do
        copy_of_udp "$work/source/$name" $name
    done
    slow_down "$work/source/udpslow"
    for name in udp udpcopy udpslow; do
        build "$work/source/$name" -o "$work/bench-$name"
    done
    for ((launch = 1; launch <= launches; launch++)); do
        echo "copies: block $launch of $launches" >&2
        copies_launch "$launch" 100x1
        # Of one client fewer: what wakes up late is no error of the method's.
        if ((launch <= $(full 5 2))); then
            copies_launch "$launch" 1x1
        fi
    done
    for load in 100x1 1x1; do
        for library in udpcopy udpslow; do
            copies_row $load $library
        done
    done >"$work/rows"
    read -r -a told_alone < <(cat "$work"/*-udpcopy.alone | told)
    read -r -a told_grouped < <(cat "$work"/*-udpcopy.grouped | told)
    cat <<TEXT
# A bench beside its own copy

Asked: in one block bench-udp and a byte-equal copy differ by less than 2 % and are never ranked, and a copy whose
server spins $slow_us µs before each answer always is. $launches blocks of 100 x 1 and $(full 5 2) of 1 x 1,
$(full 30 8) rounds each, both copies in all; the report's own ratios to bench-udp. A block by itself has an interval of
its rounds alone; $copies_group blocks are what an \`essential\` sweep has. Ranked: the interval excludes 1.

**Verdict**: of ${told_alone[0]} blocks the copy is over 2 % off in ${told_alone[1]} and would be ranked in
${told_alone[2]}; in groups of up to $copies_group it is over 2 % off in ${told_grouped[1]} of ${told_grouped[0]} and
ranked in ${told_grouped[2]}. The slowed copy is ranked in $(ranked_of "$work"/*-udpslow.alone) blocks and
$(ranked_of "$work"/*-udpslow.grouped) groups.

TEXT
    table llrrrlrrr "clients x in flight" copy "ratio of a block: median (range)" "over 2 % off" ranked \
        "of $copies_group blocks: ratios with intervals" ranked "of all: ratio" "CPU per message"
    cat "$work/rows"
    echo
    failures "$work"/*-all
    echo
}
