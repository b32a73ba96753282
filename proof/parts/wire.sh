# What the records say of the wire against the kernel's counters.
# shellcheck shell=bash disable=SC2154 # run.sh and common.sh set them

# snmp_count Udp|Tcp NAME: the kernel's count of it.
snmp_count() {
    awk -v protocol="$1:" -v name="$2" '$1 == protocol { if (!n) { for (i = 2; i <= NF; i++) if ($i == name) n = i } else print $n }' /proc/net/snmp
}

lo_count() {
    sed -n 's/^ *lo://p' /proc/net/dev | awk -v column="$1" '{ print $column }'
}

wire() {
    local library folder messages packets bytes datagrams window
    cat <<TEXT
# Packets and bytes a message

Both directions of each round trip pass the interface lo, whose counters this script read before and after
a run; the record's are of its window (\`outside\`). A datagram of $payload bytes takes $payload + 8 (UDP) + 20 (IP)
= $((payload + 28)) bytes there, and a round trip of plain sockets two of them: $((2 * (payload + 28))) bytes in 2 packets.

| bench, 1 x 1 | messages | packets a message: kernel | record | bytes a message: kernel | record | UDP datagrams a message: kernel |
|---|---:|---:|---:|---:|---:|---:|
TEXT
    for folder in bench-*/bin/Release/bench-*.dll; do
        library=${folder##*/bench-} library=${library%.dll}
        packets=$(lo_count 10) bytes=$(lo_count 9) datagrams=$(snmp_count Udp OutDatagrams)
        bench runner "$library" "$payload"
        packets=$(($(lo_count 10) - packets)) bytes=$(($(lo_count 9) - bytes))
        datagrams=$(($(snmp_count Udp OutDatagrams) - datagrams))
        messages=$(clients sent '[a-z]*') window=$(clients completed window)
        echo "| $library | $messages | $(calculate "$packets / $messages") |" \
            "$(calculate "$(clients interface_sent_packets window) / $window") |" \
            "$(calculate "$bytes / $messages") |" \
            "$(calculate "$(clients interface_sent_bytes window) / $window") |" \
            "$(calculate "$datagrams / $messages") |"
    done
    echo
}
