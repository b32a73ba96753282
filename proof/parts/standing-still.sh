# What processes do that stand still, and what standing still does to their messages.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

# sides_of RUNNER: the processes of its benches.
sides_of() {
    local list children pid name
    for list in "/proc/$1/task"/*/children; do
        read -r -a children <"$list" || true
        for pid in ${children[@]+"${children[@]}"}; do
            if read -r name <"/proc/$pid/comm" && [[ $name == bench-* ]]; then echo "$pid"; fi
        done
    done 2>/dev/null
}

# state_of PROCESS: its state, such as T for stopped, and its CPU time in ticks; into $state and $ticks, as a fork would take longer.
state_of() {
    local line fields
    read -r line 2>/dev/null <"/proc/$1/stat" || return
    read -r -a fields <<<"${line##*) }"
    state=${fields[0]} ticks=$((fields[11] + fields[12]))
}

# Looks at them for as long as the runner lives: lines MICROSECOND PROCESS STATE TICKS.
watch_sides() {
    local looks=0 pids=() pid state ticks
    while kill -0 "$1" 2>/dev/null; do
        if ((looks++ % 50 == 0)); then mapfile -t pids < <(sides_of "$1"); fi
        for pid in ${pids[@]+"${pids[@]}"}; do
            if state_of "$pid"; then echo "${EPOCHREALTIME/[.,]/} $pid $state $ticks"; fi
        done
        sleep 0.005
    done
}

# Of such lines: processes, seconds of standing still looked at, CPU ms used meanwhile, CPU seconds in all, longest
# standstill in s. Of pairs of looks less than 20 ms apart, which is what the shortest going on takes, and not of the
# first: a thread may end its last instruction on another CPU just after the first look.
judge_looks() {
    awk -v tick_ms="$(calculate "1000 / $(getconf CLK_TCK)")" '
        { pid = $2
          if (!(pid in at)) { many++; first[pid] = $4 }
          gap = $1 - at[pid]
          if ($3 == "T") {
              if (run[pid] == 0) since[pid] = $1
              if (run[pid] >= 2 && gap < 20000) { still += gap; used += $4 - ticks[pid] }
              run[pid]++
              if ($1 - since[pid] > longest) longest = $1 - since[pid]
          } else run[pid] = 0
          at[pid] = $1; ticks[pid] = $4 }
        END {
            for (pid in at) all += ticks[pid] - first[pid]
            printf "%d %.1f %d %.1f %.2f\n", many, still / 1e6, used * tick_ms, all * tick_ms / 1000, longest / 1e6 }'
}

# Datagrams and segments that this machine has sent.
sent_count() {
    echo $(($(snmp_count Udp OutDatagrams) + $(snmp_count Tcp OutSegs)))
}

# pauses COUNT [RUNNER]: what is sent while it and all its sides stand still for half a second so many times, and in
# as long a time in which they go on.
pauses() {
    local n before still=0 going=0 pid stopped state ticks
    for ((n = 0; n < $1; n++)); do
        stopped=()
        if [[ ${2-} ]]; then
            kill -STOP "$2" || break
            for pid in $(sides_of "$2"); do
                if state_of "$pid" && [[ $state != T ]]; then stopped+=("$pid"); fi
            done
            kill -STOP ${stopped[@]+"${stopped[@]}"} 2>/dev/null || true
            sleep 0.05
        fi
        before=$(sent_count)
        sleep 0.5
        still=$((still + $(sent_count) - before))
        if [[ ${2-} ]]; then kill -CONT ${stopped[@]+"${stopped[@]}"} "$2" 2>/dev/null || true; fi
        before=$(sent_count)
        sleep 0.5
        going=$((going + $(sent_count) - before))
    done
    echo "$still $going"
}

# outcomes_of FOLDER ID: what became of the messages of the clients of that run, over all phases: sent, lost, repeated,
# foreign, unanswered, corrupt.
outcomes_of() {
    awk -v run="\"record\":\"slice\",\"run_id\":\"$2\"" '
        function of(name) { return match($0, "\"" name "\":[0-9]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : 0 }
        index($0, run) && /"side":"client"/ {
            sent += of("sent"); lost += of("lost"); repeated += of("duplicates"); foreign += of("foreign")
            unanswered += of("unanswered"); corrupt += of("corrupt") }
        END { printf "%d %d %d %d %d %d\n", sent, lost, repeated, foreign, unanswered, corrupt }' "$1/raw.jsonl"
}

# block_in_background OUT MEMBERS FLAGS...: a block of them with 100 clients; its runner's process in "$leader".
block_in_background() {
    dotnet runner/bin/Release/runner.dll run "$2" --run-id r1 --clients 100 --payload-bytes "$payload" --out "$1" \
        "${@:3}" >/dev/null 2>&1 &
    leader=$!
}

standing-still() {
    local kind clients word leader idle turn apart commas loads
    loads=$(full "1 100 500" "1 100")
    [[ -r /proc/$$/task/$$/children ]] || fail "this kernel does not tell whose child a process is."
    # Nothing that was told to stand still may outlive this script so.
    trap '[[ ! ${leader-} ]] || kill -CONT "$leader" $(sides_of "$leader") 2>/dev/null || true; rm -rf "$temporary"' EXIT
    for kind in unreliable reliable; do
        echo "standing-still: $kind, looked at" >&2
        commas=$(members $kind | paste -sd,)
        block_in_background "$work/looked-at.jsonl" "$commas" --rounds "$(full 40 6)" --warmup-seconds "$(full 2 0.5)" --seconds 0.5
        watch_sides "$leader" >"$work/looks-$kind"
        wait "$leader" || true
        echo "standing-still: $kind, all paused" >&2
        idle=$(pauses "$(full 10 3)")
        block_in_background "$work/paused.jsonl" "$commas" --rounds "$(full 100 20)" --warmup-seconds "$(full 2 0.5)" --seconds 0.1
        while [[ $(sides_of "$leader" | wc -l) -lt $(($(tr , '\n' <<<"$commas" | wc -l) * 2)) ]] && kill -0 "$leader"; do sleep 0.2; done
        sleep 1
        echo "| $kind | $(judge_looks <"$work/looks-$kind" | sed 's/ / | /g') | $(pauses "$(full 10 3)" "$leader" | sed 's/ / | /') | ${idle% *} |" >>"$work/still"
        kill -TERM "$leader" 2>/dev/null || true
        wait "$leader" || true
    done
    for clients in $loads; do
        for kind in unreliable reliable; do
            echo "standing-still: $kind, $clients clients" >&2
            launch_of runner "$work/messages" r1 "$(members $kind | paste -sd,)" "${clients}x1" --rounds "$(full 25 4)" \
                --warmup-seconds "$(full 2 0.3)" --seconds "$(full 1 0.2)"
        done
        launch_of runner "$work/messages" alone "$(members unreliable | paste -sd,)" "${clients}x1" --warmup-seconds "$(full 1 0.3)" \
            --seconds "$(full 3 0.2)"
    done
    members '' | while read -r word; do
        for clients in $loads; do
            turn=$(outcomes_of "$work/messages" "r1-${word/\//-}-${clients}x1-$payload")
            apart=$(outcomes_of "$work/messages" "alone-${word/\//-}-${clients}x1-$payload")
            echo "$turn $apart" | awk -v what="| ${word/\// } | $clients |" '
                function million(lost, sent) { return sent ? sprintf("%.3g", 1e6 * lost / sent) : "n/a" }
                { print what, $1 " | " $2 " | " million($2, $1) " | " (what ~ /unreliable/ ? million($8, $7) : "") " | " $3 " | " $4 " | " $5 " | " $6 " |" }'
        done
    done >"$work/rows"
    cat <<TEXT
# Standing still

Asked: who stands still uses no CPU and sends nothing, nobody does for over 2 s, and nothing is lost, repeated or timed out by it. One block of every
member with 100 clients, each kind looked at about every 10 ms through \`/proc/PID/stat\`; another, in whose midst the runner and the side that has its
slice were stopped too, half a second each time, while the kernel counted datagrams and TCP segments of the machine; and one launch of $(full 25 4) rounds of every
member at ${loads// /, } clients, and of the unreliable ones one alone.

**Verdict**: standing still for $(awk -F' \\| ' '{ sum += $3 } END { printf "%.0f", sum }' "$work/still") s in all took $(awk -F' \\| ' '{ sum += $4 } END { print sum }' "$work/still") ms of CPU, and the longest was $(awk -F' \\| ' '$6 > most { most = $6 } END { print most }' "$work/still") s; $(awk -F' \\| ' '{ sum += $7 } END { print sum }' "$work/still") datagrams and segments were
sent while all stood still ($(awk -F' \\| ' '{ sum += $9 } END { print sum }' "$work/still") by this machine without them). $(judge_messages <"$work/rows") Launches failed: $(failures "$work/messages" | wc -l).

| kind | processes | s of standing still looked at | CPU ms meanwhile | CPU s in all | longest standstill s | sent while all stood still | as long going on | as long without them |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
$(cat "$work/still")

All phases of a launch. Lost of a million: what is given up; what a kernel's or a library's queue dropped is lost alone as well.

| member | clients | sent | lost | of a million | alone | repeated | foreign | unanswered | changed |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
$(cat "$work/rows")

$(failures "$work/messages")

TEXT
}

# The rows of messages in a sentence or two.
judge_messages() {
    awk -F' \\| ' '
        { wrong = $7 + $8 + $9 + $10 }
        /unreliable/ { sent += $3; lost += $4; other += wrong; if ($6 != "n/a" && $5 > $6 + 100) more++; rows++ }
        / reliable/ { reliable += $3; of_reliable += $4 + wrong }
        $3 == 0 { silent++ }
        END {
            printf "Of %d reliable messages %d were lost, repeated, foreign, unanswered or changed;\n", reliable, of_reliable
            printf "of %d unreliable ones %d were repeated, foreign, unanswered or changed, and %.3g of a million lost: in %d of %d rows over 100 of a million more than alone.", sent, other, sent ? 1e6 * lost / sent : 0, more, rows
            if (silent) printf " %d rows have no measurement.", silent
            print "" }'
}
