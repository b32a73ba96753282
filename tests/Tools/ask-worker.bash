#!/usr/bin/env bash
# ask-worker.bash PORT KEY stdin|no-stdin TOOL [WORDS...]: has the tests' own process let a worker do what
# `dotnet TOOL WORDS...` would do in this folder, with what comes on stdin or with nothing, and ends as that would. See
# WarmTools.
port=$1
key=$2
input=""
if [[ $3 == stdin ]]; then
    # A command substitution takes the last line ends away, unless something stands behind them.
    input=$(cat && printf x)
    input=${input%x}
fi
shift 3
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf '%s\0' "$key" "$PWD" "$input" "$#" "$@" >&3
if ! read -r code bytes <&3; then
    echo "Unhandled exception: the tests have not answered" >&2
    exit 125
fi
head -c "$bytes" <&3
cat <&3 >&2
exit "$code"
