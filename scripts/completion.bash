# Completion of run-all.sh and run-all.ps1 in Bash: `source scripts/completion.bash`.

_run_all() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} root words="" chosen="" item file
    root=$(dirname "${COMP_WORDS[0]}")/..
    case $before in
        --preset)
            for file in "$root"/scripts/presets/*.preset; do
                file=${file##*/}
                words="$words ${file%.preset}"
            done
            ;;
        --libraries)
            for file in "$root"/bench-*/; do
                file=${file%/}
                words="$words ${file##*/bench-}"
            done
            ;;
        --work) words="echo stream sum get-user say-hello" ;;
        --security) words="none tls" ;;
        --delivery) words="reliable-ordered reliable-unordered unreliable" ;;
        --trace | --ladder | --in-turn | --awake) words="yes no" ;;
        --profile) words="default tuned" ;;
        --pin) words="none auto" ;;
        --out | --resume)
            while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -d -- "$word")
            return
            ;;
        --queue) words="bdp" ;;
        --rtt-ms) words="none" ;;
        --jitter-ms | --loss-percent | --loss-burst-packets | --rate-mbit | --variant | --clients | --parallel | --only | --payload-bytes | --rate | --slo | --rounds | --slice-ms | --settle-ms | --until | --at-most | \
            --warmup-seconds | --seconds | --repeats | --seed | --server-host | --client-hosts | --address | --remote-folder) return ;;
        *)
            # The help names every flag.
            words=$(sed -n 's/^  \(--[a-z-]*\) .*/\1/p' "$root/scripts/run-all.help")
            ;;
    esac
    # In a list the last item is completed.
    if [[ $before =~ ^--(libraries|work|delivery|profile|security)$ && $word == *,* ]]; then
        chosen=${word%,*},
        word=${word##*,}
    fi
    for item in $words; do
        if [[ $item == "$word"* ]]; then COMPREPLY+=("$chosen$item"); fi
    done
    # A preset may be a file too.
    if [[ $before == --preset ]]; then
        while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$word")
    fi
}

complete -F _run_all run-all.sh run-all.ps1
