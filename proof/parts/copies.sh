# A bench in turn with its own copy, and with one whose server is slower.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

readonly slow_us=20

# copy_of_udp FOLDER NAME: what bench-udp is made of, called otherwise and else byte-equal.
copy_of_udp() {
    mkdir -p "$1"
    cp -r bench-udp/*.cs "$1"
    cp bench-udp/bench-udp.csproj "$1/bench-$2.csproj"
    sed -i "s/ Name = \"udp\"/ Name = \"$2\"/" "$1/Library.cs"
    [[ $2 == udp || $(diff -r bench-udp "$1" | grep -c '^>') -eq 1 ]] ||
        fail "bench-udp/Library.cs has no place for another name any more."
}

# Its server spins for so long before each answer.
slow_down() {
    local line='        for (var until = System.Diagnostics.Stopwatch.GetTimestamp() + System.Diagnostics.Stopwatch.Frequency'
    line+=" * $slow_us / 1_000_000; System.Diagnostics.Stopwatch.GetTimestamp() < until;) ;"
    sed -i "/static void OnMessage(/,/{/ s|^    {\$|    {\n$line|" "$1/Server.cs"
    [[ $(diff bench-udp/Server.cs "$1/Server.cs" | grep -c '^>') -eq 1 ]] ||
        fail "bench-udp/Server.cs has no place for the slowing line any more."
}

# Of ratios on stdin, a line each: how many there are, how many are over 2 % off, and of how many the interval excludes 1.
told() {
    awk '{ n++; off += $1 > 1.02 || $1 < 0.98; ranked += $2 != "null" && ($2 > 1 || $3 < 1) }
        END { printf "%d %d %d\n", n, off, ranked }'
}

copies() {
    local name load launch launches group_of=5 group library n off ranked
    launches=$(full 15 2)
    for name in udp udpcopy udpslow; do copy_of_udp "$work/source/$name" $name; done
    slow_down "$work/source/udpslow"
    for name in udp udpcopy udpslow; do build "$work/source/$name" -o "$work/bench-$name"; done
    for ((launch = 1; launch <= launches; launch++)); do
        echo "copies: block $launch of $launches" >&2
        # Of one client fewer: what wakes up late is no error of the method's.
        for load in 100x1 $(if ((launch <= $(full 5 2))); then echo 1x1; fi); do
            launch_of beside "$work/$load-$launch" "r$launch" udp,udpcopy,udpslow "$load" --rounds "$(full 30 8)" \
                --warmup-seconds "$(full 2 0.5)" --seconds "$(full 1 0.2)" --order-seed "$launch"
            for group in "$work/$load-by-$(((launch - 1) / group_of + 1))" "$work/$load-all"; do
                mkdir -p "$group"
                cat "$work/$load-$launch/raw.jsonl" >>"$group/raw.jsonl"
            done
        done
    done
    for load in 100x1 1x1; do
        for library in udpcopy udpslow; do
            for launch in "$work/$load"-[0-9]*; do figure "$launch" $library/unreliable ratio_to_plain; done >"$work/$load-$library.alone"
            for group in "$work/$load"-by-*; do figure "$group" $library/unreliable ratio_to_plain; done >"$work/$load-$library.grouped"
            read -r n off ranked < <(told <"$work/$load-$library.alone")
            echo "| ${load/x/ x } | $library | $(cut -d' ' -f1 "$work/$load-$library.alone" | median_and_range %.3f) | $off of $n | $ranked of $n |" \
                "$(in_words <"$work/$load-$library.grouped" | sed 's/)/), /g; s/, $//') |" \
                "$(told <"$work/$load-$library.grouped" | awk '{ print $3 " of " $1 }') |" \
                "$(figure "$work/$load-all" $library/unreliable ratio_to_plain | in_words) |" \
                "$(figure "$work/$load-all" $library/unreliable cpu_ratio_to_plain | in_words) |"
        done
    done >"$work/rows"
    cat <<TEXT
# A bench beside its own copy

Asked: in one block bench-udp and a byte-equal copy differ by less than 2 % and are never ranked, and a copy whose server spins
$slow_us µs before each answer always is. $launches blocks of 100 x 1 and $(full 5 2) of 1 x 1, $(full 30 8) rounds each, both copies in all; the report's own ratios to bench-udp. A
block by itself has an interval of its rounds alone; $group_of blocks are what an \`essential\` sweep has. Ranked: the interval excludes 1.

**Verdict**: $(cat "$work"/*-udpcopy.alone | told | awk '{ print "of " $1 " blocks the copy is over 2 % off in " $2 " and would be ranked in " $3 }');
in groups of up to $group_of $(cat "$work"/*-udpcopy.grouped | told | awk '{ print "it is over 2 % off in " $2 " of " $1 " and ranked in " $3 }'). The slowed copy is ranked in
$(cat "$work"/*-udpslow.alone | told | awk '{ print $3 " of " $1 }') blocks and $(cat "$work"/*-udpslow.grouped | told | awk '{ print $3 " of " $1 }') groups.

| clients x in flight | copy | ratio of a block: median (range) | over 2 % off | ranked | of $group_of blocks: ratios with intervals | ranked | of all: ratio | CPU a message |
|---|---|---:|---:|---:|---|---:|---:|---:|
$(cat "$work/rows")

$(failures "$work"/*-all)

TEXT
}
