# Completion of run-all.sh and run-all.ps1 in Bash: `source scripts/completion.bash`.
# shellcheck shell=bash

# The names of files NAME.preset.
_run_all_presets() {
    local file
    for file in "$1"/scripts/presets/*.preset; do
        file=${file##*/}
        echo "${file%.preset}"
    done
}

# The names of folders bench-NAME.
_run_all_libraries() {
    local folder
    for folder in "$1"/bench-*/; do
        folder=${folder%/}
        echo "${folder##*/bench-}"
    done
}

# The flags, all of which the help names.
_run_all_flags() {
    sed -n 's/^  \(--[a-z-]*\) .*/\1/p' "$1/scripts/run-all.help"
}

# The words that may stand behind a flag; none where any number or name may.
_run_all_values() {
    case $1 in
        --preset) _run_all_presets "$2" ;;
        --libraries | --against | --server-library) _run_all_libraries "$2" ;;
        --strict | --dry-run | --help) _run_all_flags "$2" ;;
        --*) sed -n "s/^$1 //p" "$2/scripts/run-all.words" ;;
        *) _run_all_flags "$2" ;;
    esac
}

# Adds the files that begin so, or with -d the folders.
_run_all_add_paths() {
    local file
    while IFS= read -r file; do
        COMPREPLY+=("$file")
    done < <(compgen "$1" -- "$2")
}

_run_all() {
    local word=${COMP_WORDS[COMP_CWORD]}
    local before=${COMP_WORDS[COMP_CWORD - 1]}
    local chosen=""
    local root
    local item
    root=$(dirname "${COMP_WORDS[0]}")/..
    if [[ $before == --out || $before == --resume ]]; then
        _run_all_add_paths -d "$word"
        return
    fi
    # In a list the last item is completed.
    if [[ $word == *,* ]] && grep -q "^  $before LIST" "$root/scripts/run-all.help"; then
        chosen=${word%,*},
        word=${word##*,}
    fi
    for item in $(_run_all_values "$before" "$root"); do
        if [[ $item == "$word"* ]]; then
            COMPREPLY+=("$chosen$item")
        fi
    done
    # A preset may be a file too.
    if [[ $before == --preset ]]; then
        _run_all_add_paths -f "$word"
    fi
}

complete -F _run_all run-all.sh run-all.ps1
