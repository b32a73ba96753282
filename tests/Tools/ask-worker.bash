#!/usr/bin/env bash
# ask-worker.bash PORT yes|no TOOL [WORDS...]: has the tests' own process let a worker do what `dotnet TOOL WORDS...`
# would do in this folder, with what comes on stdin (yes) or nothing (no), and ends as that would. See WarmTools.
port=$1
input=""
if [[ $2 == yes ]]; then
    input=$(cat)
fi
shift 2
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf '%s\0' "$PWD" "$input" "$#" "$@" >&3
read -r code bytes <&3
head -c "$bytes" <&3
cat <&3 >&2
exit "$code"
