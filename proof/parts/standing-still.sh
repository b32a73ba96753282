# What processes do that stand still, and what standing still does to their messages.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

# sides_of RUNNER: the processes of its benches.
sides_of() {
    local list
    local children
    local pid
    local name
    for list in "/proc/$1/task"/*/children; do
        read -r -a children <"$list" || true
        for pid in "${children[@]}"; do
            if read -r name <"/proc/$pid/comm" && [[ $name == bench-* ]]; then
                echo "$pid"
            fi
        done
    done 2>/dev/null
}

# state_of PROCESS: its state, such as T for stopped, and its CPU time in ticks. They go into $state and $ticks, because
# to print them would take a fork.
state_of() {
    local line
    local fields
    read -r line 2>/dev/null <"/proc/$1/stat" || return
    read -r -a fields <<<"${line##*) }"
    state=${fields[0]}
    ticks=$((fields[11] + fields[12]))
}

# watch_sides RUNNER: looks at its sides for as long as it lives, and prints lines MICROSECOND PROCESS STATE TICKS.
watch_sides() {
    local looks=0
    local pids=()
    local pid
    local state
    local ticks
    while kill -0 "$1" 2>/dev/null; do
        if ((looks % 50 == 0)); then
            mapfile -t pids < <(sides_of "$1")
        fi
        looks=$((looks + 1))
        for pid in "${pids[@]}"; do
            if state_of "$pid"; then
                echo "${EPOCHREALTIME/[.,]/} $pid $state $ticks"
            fi
        done
        sleep 0.005
    done
}

# Of such lines: processes, seconds of standing still looked at, CPU ms used meanwhile, CPU seconds in all, longest
# standstill in s. Of pairs of looks less than 20 ms apart, which is what the shortest going on takes, and not of the
# first: a thread may end its last instruction on another CPU just after the first look.
judge_looks() {
    awk -v tick_ms="$(calculate "1000 / $(getconf CLK_TCK)")" '
        !($2 in at) {
            many++
            first[$2] = $4
        }
        {
            now = $1
            pid = $2
            is_stopped = $3 == "T"
            gap = now - at[pid]
        }
        is_stopped && run[pid] == 0 { since[pid] = now }
        is_stopped && run[pid] >= 2 && gap < 20000 {
            still += gap
            used += $4 - ticks[pid]
        }
        is_stopped && now - since[pid] > longest { longest = now - since[pid] }
        {
            run[pid] = is_stopped ? run[pid] + 1 : 0
            at[pid] = now
            ticks[pid] = $4
        }
        END {
            for (pid in at) all += ticks[pid] - first[pid]
            all_s = all * tick_ms / 1000
            printf "%d %.1f %d %.1f %.2f\n", many, still / 1e6, used * tick_ms, all_s, longest / 1e6
        }'
}

# Datagrams and segments that this machine has sent.
sent_count() {
    echo $(($(snmp_count Udp OutDatagrams) + $(snmp_count Tcp OutSegs)))
}

# sent_meanwhile: of those, what is sent in half a second.
sent_meanwhile() {
    local before
    before=$(sent_count)
    sleep 0.5
    echo $(($(sent_count) - before))
}

# pauses COUNT [RUNNER]: what is sent while it and all its sides stand still for half a second so many times, and in
# as long a time in which they go on.
pauses() {
    local n
    local still=0
    local going=0
    local pid
    local stopped
    local state
    local ticks
    for ((n = 0; n < $1; n++)); do
        stopped=()
        if [[ ${2-} ]]; then
            kill -STOP "$2" || break
            for pid in $(sides_of "$2"); do
                if state_of "$pid" && [[ $state != T ]]; then
                    stopped+=("$pid")
                fi
            done
            kill -STOP "${stopped[@]}" 2>/dev/null || true
            sleep 0.05
        fi
        still=$((still + $(sent_meanwhile)))
        if [[ ${2-} ]]; then
            kill -CONT "${stopped[@]}" "$2" 2>/dev/null || true
        fi
        going=$((going + $(sent_meanwhile)))
    done
    echo "$still $going"
}

# outcomes_of FOLDER ID: what became of the messages of the clients of that run, over all phases: sent, lost, repeated,
# foreign, unanswered, corrupt.
outcomes_of() {
    awk -v run="\"record\":\"slice\",\"run_id\":\"$2\"" '
        function of(name) {
            if (!match($0, "\"" name "\":[0-9]+")) return 0
            return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
        }
        index($0, run) && /"side":"client"/ {
            sent += of("sent")
            lost += of("lost")
            repeated += of("duplicates")
            foreign += of("foreign")
            unanswered += of("unanswered")
            corrupt += of("corrupt")
        }
        END { printf "%d %d %d %d %d %d\n", sent, lost, repeated, foreign, unanswered, corrupt }' "$1/raw.jsonl"
}

# block_in_background OUT MEMBERS FLAGS...: a block of them with 100 clients; its runner's process in "$leader".
block_in_background() {
    dotnet runner/bin/Release/runner.dll run "$2" \
        --run-id r1 \
        --clients 100 \
        --payload-bytes "$payload" \
        --out "$1" \
        "${@:3}" >/dev/null 2>&1 &
    leader=$!
}

# Nothing that was told to stand still may outlive this script so.
let_all_go_on() {
    if [[ ${leader-} ]]; then
        # shellcheck disable=SC2046 # processes, a word each
        kill -CONT "$leader" $(sides_of "$leader") 2>/dev/null || true
    fi
    rm -rf "$temporary"
}

# all_are_there MEMBERS: both sides of each member of the block have started.
all_are_there() {
    local members
    members=$(tr , '\n' <<<"$1" | wc -l)
    [[ $(sides_of "$leader" | wc -l) -ge $((members * 2)) ]]
}

# stand_still KIND: a block that is looked at, and one whose runner is paused too, as a row of the table.
stand_still() {
    local commas
    local idle
    local looks
    local paused
    commas=$(members "$1" | paste -sd,)
    echo "standing-still: $1, looked at" >&2
    block_in_background "$work/looked-at.jsonl" "$commas" \
        --rounds "$(full 40 6)" \
        --warmup-seconds "$(full 2 0.5)" \
        --seconds 0.5
    watch_sides "$leader" >"$work/looks-$1"
    wait "$leader" || true
    echo "standing-still: $1, all paused" >&2
    idle=$(pauses "$(full 10 3)")
    block_in_background "$work/paused.jsonl" "$commas" \
        --rounds "$(full 100 20)" \
        --warmup-seconds "$(full 2 0.5)" \
        --seconds 0.1
    while ! all_are_there "$commas" && kill -0 "$leader"; do
        sleep 0.2
    done
    sleep 1
    read -r -a looks < <(judge_looks <"$work/looks-$1")
    read -r -a paused < <(pauses "$(full 10 3)" "$leader")
    cells "$1" "${looks[@]}" "${paused[@]}" "${idle% *}" >>"$work/still"
    kill -TERM "$leader" 2>/dev/null || true
    wait "$leader" || true
}

# launch_messages CLIENTS: one interleaved launch of each kind, and one of the unreliable ones alone.
launch_messages() {
    local kind
    for kind in unreliable reliable; do
        echo "standing-still: $kind, $1 clients" >&2
        launch_of runner "$work/messages" r1 "$(members $kind | paste -sd,)" "${1}x1" \
            --rounds "$(full 25 4)" \
            --warmup-seconds "$(full 2 0.3)" \
            --seconds "$(full 1 0.2)"
    done
    launch_of runner "$work/messages" alone "$(members unreliable | paste -sd,)" "${1}x1" \
        --warmup-seconds "$(full 1 0.3)" \
        --seconds "$(full 3 0.2)"
}

# of_a_million LOST SENT
of_a_million() {
    if [[ $2 -eq 0 ]]; then
        echo n/a
    else
        awk -v lost="$1" -v sent="$2" 'BEGIN { printf "%.3g", 1e6 * lost / sent }'
    fi
}

# messages_row WORD CLIENTS: what became of the messages of a member, as a row of the table.
messages_row() {
    local id=${1/\//-}-${2}x1-$payload
    local turn
    local apart
    local lost_alone=""
    read -r -a turn < <(outcomes_of "$work/messages" "r1-$id")
    read -r -a apart < <(outcomes_of "$work/messages" "alone-$id")
    if [[ $1 == */unreliable ]]; then
        lost_alone=$(of_a_million "${apart[1]}" "${apart[0]}")
    fi
    cells "${1/\// }" "$2" "${turn[0]}" "${turn[1]}" \
        "$(of_a_million "${turn[1]}" "${turn[0]}")" \
        "$lost_alone" \
        "${turn[@]:2}"
}

# still_sum COLUMN: of all kinds.
still_sum() {
    awk -F' \\| ' -v column="$1" '{ sum += $column } END { print sum + 0 }' "$work/still"
}

# The longest standstill of all kinds.
still_longest() {
    awk -F' \\| ' '$6 > most { most = $6 } END { print most }' "$work/still"
}

standing-still() {
    local clients
    local word
    local leader
    local loads
    local failed
    loads=$(full "1 100 500" "1 100")
    if [[ ! -r /proc/$$/task/$$/children ]]; then
        fail "this kernel does not tell whose child a process is."
    fi
    trap let_all_go_on EXIT
    stand_still unreliable
    stand_still reliable
    for clients in $loads; do
        launch_messages "$clients"
    done
    members '' | while read -r word; do
        for clients in $loads; do
            messages_row "$word" "$clients"
        done
    done >"$work/rows"
    failed=$(failures "$work/messages" | wc -l)
    cat <<TEXT
# Standing still

Asked: who stands still uses no CPU and sends nothing, nobody does for over 2 s, and nothing is lost, repeated or timed
out by it. One block of every member with 100 clients, each kind looked at about every 10 ms through \`/proc/PID/stat\`;
another, in whose midst the runner and the side that has its slice were stopped too, half a second each time, while the
kernel counted datagrams and TCP segments of the machine; and one launch of $(full 25 4) rounds of every member at
${loads// /, } clients, and of the unreliable ones one alone.

**Verdict**: standing still for $(printf '%.0f' "$(still_sum 3)") s in all took $(still_sum 4) ms of CPU, and the
longest was $(still_longest) s; $(still_sum 7) datagrams and segments were sent while all stood still
($(still_sum 9) by this machine without them).
$(judge_messages <"$work/rows")
Launches failed: $failed.

TEXT
    table lrrrrrrrr kind processes "s of standing still looked at" "CPU ms meanwhile" "CPU s in all" \
        "longest standstill s" "sent while all stood still" "as long going on" "as long without them"
    cat "$work/still"
    cat <<TEXT

All phases of a launch. Lost of a million: what is given up; what a kernel's or a library's queue dropped is lost alone
as well.

TEXT
    table lrrrrrrrrr member clients sent lost "of a million" alone repeated foreign unanswered changed
    cat "$work/rows"
    echo
    failures "$work/messages"
    echo
}

# The rows of messages in a sentence or two.
judge_messages() {
    awk -F' \\| ' '
        { wrong = $7 + $8 + $9 + $10 }
        /unreliable/ {
            sent += $3
            lost += $4
            other += wrong
            rows++
            if ($6 != "n/a" && $5 > $6 + 100) more++
        }
        / reliable/ {
            reliable += $3
            of_reliable += $4 + wrong
        }
        $3 == 0 { silent++ }
        END {
            share = sent ? 1e6 * lost / sent : 0
            printf "Of %d reliable messages %d were lost, repeated, foreign, unanswered or changed;\n",
                reliable, of_reliable
            printf "of %d unreliable ones %d were repeated, foreign, unanswered or changed,\n", sent, other
            printf "and %.3g of a million lost: in %d of %d rows", share, more, rows
            printf " over 100 of a million more than alone."
            if (silent) printf " %d rows have no measurement.", silent
            print ""
        }'
}
