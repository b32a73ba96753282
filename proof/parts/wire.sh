# What the records say of the wire against the kernel's counters.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

# snmp_count Udp|Tcp NAME: the kernel's count of it, whose file has a line of names and one of figures.
snmp_count() {
    awk -v protocol="$1:" -v name="$2" '
        $1 != protocol { next }
        column {
            print $column
            exit
        }
        {
            for (i = 2; i <= NF; i++) {
                if ($i == name) column = i
            }
        }' /proc/net/snmp
}

lo_count() {
    sed -n 's/^ *lo://p' /proc/net/dev | awk -v column="$1" '{ print $column }'
}

# wire_row LIBRARY: a run of it, as a row of the table.
wire_row() {
    local packets
    local bytes
    local datagrams
    local messages
    local in_window
    packets=$(lo_count 10)
    bytes=$(lo_count 9)
    datagrams=$(snmp_count Udp OutDatagrams)
    bench runner "$1" "$payload"
    packets=$(($(lo_count 10) - packets))
    bytes=$(($(lo_count 9) - bytes))
    datagrams=$(($(snmp_count Udp OutDatagrams) - datagrams))
    messages=$(clients sent '[a-z]*')
    in_window=$(clients completed window)
    cells "$1" \
        "$messages" \
        "$(calculate "$packets / $messages")" \
        "$(calculate "$(clients interface_sent_packets window) / $in_window")" \
        "$(calculate "$bytes / $messages")" \
        "$(calculate "$(clients interface_sent_bytes window) / $in_window")" \
        "$(calculate "$datagrams / $messages")"
}

wire() {
    local library
    cat <<TEXT
# Packets and bytes per message

Both directions of each round trip pass the interface lo, whose counters this script read before and after
a run; the record's are of its window (\`outside\`). A datagram of $payload bytes takes $payload + 8 (UDP) + 20 (IP)
= $((payload + 28)) bytes there, and a round trip of baselines two of them: $((2 * (payload + 28))) bytes in 2
packets.

TEXT
    table lrrrrrr "bench, 1 x 1" messages "packets per message: kernel" record "bytes per message: kernel" record \
        "UDP datagrams per message: kernel"
    for library in $(libraries); do
        wire_row "$library"
    done
    echo
}
