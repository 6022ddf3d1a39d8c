# SPDX-License-Identifier: GPL-2.0-only
#
# tr-attach --events=net: connections and datagrams, against what both of their ends know and what
# the kernel counts.

load helper
load tracing

# in_namespace TOOL OPTION... -- COMMAND...: with a network of its own, so that nobody else's packets
# are counted there.
in_namespace() {
	unshare --net "$@"
}

# Sets netns, server, client, port, connect_ns and RetransSegs, which connections says.
said_by_connections() {
	eval "$(tr ' ' '\n' <said)"
}

both_sides() {
	local family address

	for family in 4 6; do
		address=127.0.0.1
		[ "$family" = 4 ] || address=::1
		in_namespace "$TR_BIN/tr-attach" --events=net --command-stdout=3 -- \
			"$(workload connections)" "$family" 31 10007 3>said >trace
		said_by_connections
		[ "$(end_of trace lost)" = 0 ]
		here="select(.daddr == \"$address\" and .saddr == \"$address\" and .netns == $netns)"
		# made in no more time than the client measured around its calls
		records trace connect "$here | select(.dport == $port and .ret == 0 and .pid == $client and .proto == \"tcp\") | .ns" >times
		[ "$(wc -l <times)" = 31 ]
		awk -v max="$connect_ns" '{ sum += $1 } $1 <= 0 { exit 2 } END { exit !(sum <= max) }' times
		[ "$(records trace accept "$here | select(.sport == $port and .ret >= 0 and .pid == $server)" | wc -l)" = 31 ]
		# the same connections
		records trace connect "select(.ret == 0) | .sport" | sort >ports
		records trace accept ".dport" | sort | diff ports -
		records trace close "$here | select(.pid == $client) | [.dport, .sent, .received, .retransmits]" | sort | uniq -c >got
		[ "$(sed 's/^ *//' got)" = "31 [$port,10007,20015,0]" ]
		records trace close "$here | select(.pid == $server) | [.sport, .sent, .received, .retransmits]" | sort | uniq -c >got
		[ "$(sed 's/^ *//' got)" = "31 [$port,20015,10007,0]" ]
		records trace close ".dport" | sort -u | grep -qx "$port"
		[ "$(records trace close "select(.ns == null or .ns <= 0)" | wc -l)" = 0 ]
	done
}

# bats test_tags=kernels
@test "each connection is there from both of its sides, with what went over it" {
	need_bpf
	need_namespaces
	both_sides
}

@test "so it is by way of classic tracepoints" {
	need_bpf
	need_namespaces
	TR_PREEMPTS=1 both_sides
}

# bats test_tags=kernels
@test "connections that are refused, and those that no route is for, say why" {
	need_bpf
	need_namespaces
	in_namespace "$TR_BIN/tr-attach" --events=connect,close --command-stdout=3 -- \
		"$(workload connections)" 4 3 11 3>said >trace
	said_by_connections
	[ "$(records trace connect 'select(.ret == -111 and .ns > 0 and .daddr == "127.0.0.1")' | wc -l)" = 7 ]
	[ "$(records trace connect 'select(.ret == -101 and .ns == null and .daddr == "224.0.0.1" and .dport == 9)' | wc -l)" = 5 ]
	[ "$(records trace connect | wc -l)" = 15 ]
	[ "$(records trace close | wc -l)" = 6 ]
	tr-cat --format=text trace | grep -E ' CONNECT +connections [0-9]+ +tcp 127\.0\.0\.1:[0-9]+ -> 127\.0\.0\.1:[0-9]+ in [0-9.]+ (us|ms) -> ECONNREFUSED$'
	tr-cat --format=text trace | grep -E ' CONNECT .* tcp 0\.0\.0\.0:0 -> 224\.0\.0\.1:9 -> ENETUNREACH$'
	tr-cat --format=text trace | grep -E ' CLOSE +connections [0-9]+ +tcp .* sent 11 B, received 23 B, lived [0-9.]+ (us|ms)$'
	tr-cat --format=json trace | tr-cat --format=packed | tr-cat --format=json | diff <(tr-cat --format=json trace) -
}

# bats test_tags=kernels
@test "a connection that is given up, or asked for twice, is there once" {
	need_bpf
	need_namespaces
	in_namespace "$TR_BIN/tr-attach" --events=connect,close --command-stdout=3 -- "$(workload attempts)" 3>said >trace
	eval "$(tr ' ' '\n' <said)"
	# given up: nobody knows what would have become of it
	[ "$(records trace connect "select(.dport == $stuck and .ret == null)" | wc -l)" = 2 ]
	[ "$(records trace connect "select(.dport == $closed) | .ret")" = -111 ]
	# to itself: both ends are one
	[ "$(records trace connect "select(.dport == $itself and .sport == $itself) | .ret")" = 0 ]
	[ "$(records trace close "select(.dport == $itself)" | wc -l)" = 1 ]
	[ "$(records trace connect "select(.ret == -99 or .ret == -101) | [.ret, .dport]")" = "[$failed,9]" ]
	# those that fill the queue, besides
	[ "$(records trace connect 'select(.ret != 0)' | wc -l)" = 4 ]
	tr-cat --format=text trace | grep -E " CONNECT .* -> 127\.0\.0\.1:$stuck -> \?$"
}

# bats test_tags=kernels
@test "segments that are sent again are those that the kernel counts" {
	need_bpf
	need_namespaces
	in_namespace "$TR_BIN/tr-attach" --events=retransmit,close --command-stdout=3 -- \
		"$(workload connections)" 4 5 300007 lossy 3>said >trace
	said_by_connections
	[ "$RetransSegs" -gt 0 ]
	[ "$(end_of trace lost)" = 0 ]
	# the kernel counts some that it then could not send, and for those calls no tracepoint
	sent_again=$(records trace retransmit .segments | jq -s add)
	[ "$sent_again" -le "$RetransSegs" ]
	[ $((3 * sent_again)) -ge $((2 * RetransSegs)) ]
	[ "$(records trace close .retransmits | jq -s add)" -le "$RetransSegs" ]
	# each connection's own; what was sent again counts once
	tr-cat --format=json trace | jq -s -e '
		(map(select(.type == "retransmit")) | group_by([.sport, .dport]) |
			map({key: "\(.[0].sport)-\(.[0].dport)", value: map(.segments) | add}) | from_entries) as $of |
		map(select(.type == "close")) | length == 10 and
			all(.retransmits >= ($of["\(.sport)-\(.dport)"] // 0))'
	records trace close "select(.pid == $client) | [.sent, .received]" | sort -u >got
	[ "$(cat got)" = '[300007,600015]' ]
}

# bats test_tags=kernels
@test "a connection goes through TCP's states, in their order" {
	need_bpf
	need_namespaces
	in_namespace "$TR_BIN/tr-attach" --events=state --command-stdout=3 -- \
		"$(workload connections)" 4 7 101 3>said >trace
	said_by_connections
	# each connection of the client, by its port
	records trace state "select(.pid == $client and .dport == $port) | [.sport, .from, .to]" |
		jq -s -r 'map(if .[0] == 0 then empty else . end) | group_by(.[0])[] | map(.[2]) | join(" ")' | sort | uniq -c >got
	[ "$(sed 's/^ *//' got)" = '7 ESTABLISHED FIN_WAIT1 FIN_WAIT2 CLOSE' ]
	[ "$(records trace state "select(.to == \"SYN_SENT\" and .dport == $port)" | wc -l)" = 7 ]
	# the server's from the moment when they are accepted
	records trace state "select(.pid == $server and .sport == $port and .from == \"CLOSE_WAIT\") | .to" | sort | uniq -c >got
	[ "$(sed 's/^ *//' got)" = '7 "LAST_ACK"' ]
	records trace state "select(.pid == $server and .to == \"LISTEN\") | .sport" | grep -qx "$port"
}

# bats test_tags=kernels
@test "connections that were there before are known when they end" {
	need_bpf
	need_namespaces
	ready unshare --net "$(workload connections)" 4 17 4099 held
	attach --events=net --pid "$target"
	go
	run -0 finish "$attacher"
	records trace close '[.sent, .received, .ns]' | sort | uniq -c | sed 's/^ *//' >got
	printf '17 [0,4099,null]\n17 [4099,0,null]\n' | diff - got
	[ "$(records trace connect | wc -l)" = 0 ]
}

# bats test_tags=kernels
@test "datagrams have their sizes and both ends, by whichever call" {
	need_bpf
	need_namespaces
	local family address

	for family in 4 6; do
		address=127.0.0.1
		[ "$family" = 4 ] || address=::1
		in_namespace "$TR_BIN/tr-attach" --events=net --command-stdout=3 -- \
			"$(workload datagrams)" "$family" 11 3>said >trace
		eval "$(tr ' ' '\n' <said)"
		[ "$(end_of trace lost)" = 0 ]
		there="select(.netns == $netns and .proto == \"udp\" and .daddr == \"$address\" and .dport == $to and .sport == $from)"
		[ "$(records trace send "$there | .bytes" | wc -l)" = "$n" ]
		[ "$(records trace send "$there | .bytes" | jq -s add)" = "$bytes" ]
		back="select(.netns == $netns and .sport == $to and .ret >= 0)"
		[ "$(records trace recv 'select(.ret < 0) | [.ret, .daddr, .dport]')" = '[-11,"",0]' ]
		[ "$(records trace recv "$back | .bytes" | wc -l)" = "$n" ]
		[ "$(records trace recv "$back | .bytes" | jq -s add)" = "$bytes" ]
		# whom they came from, as far as the caller was told: not by read(2)
		[ "$(records trace recv "$back | select(.daddr == \"$address\" and .dport == $from)" | wc -l)" = $((3 * n / 4)) ]
		[ "$(records trace recv "$back | select(.daddr == \"\" and .dport == 0)" | wc -l)" = $((n / 4)) ]
		[ "$(records trace connect "select(.proto == \"udp\" and .dport == $to and .ret == 0)" | wc -l)" = 1 ]
		[ "$(records trace send 'select(.ret < 0) | .ret')" = "$refused" ]
	done
	tr-cat --format=text trace | grep -E " SEND +datagrams [0-9]+ +udp \[::1\]:$from -> \[::1\]:$to -> 11$"
	tr-cat --format=text trace | grep -E " RECV +datagrams [0-9]+ +udp \[::1\]:$to <- \[::1\]:$from -> 11$"
	tr-cat --format=text trace | grep -E " RECV +datagrams [0-9]+ +udp \[::1\]:$to <- \? -> 11$"
	# an address is a string like others
	[ "$(tr-cat --where 'daddr ~ "::*" && type == "send"' --format=json trace | grep -c '"type":"send"')" -gt 0 ]
	tr-table --by type,dport --agg 'count,sum(bytes)' --output json --where 'type == "recv"' trace >table
	jq -s -e --argjson bytes "$bytes" 'map(.sum_bytes) | add == $bytes' table
}

@test "datagrams of one call beyond those that are looked at are counted as lost" {
	need_bpf
	tr-attach --events=send,recv --command-stdout=3 -- "$(workload datagrams)" 4 71 3>said >trace 2>err
	[ "$(records trace send | wc -l)" = $((3 * 71 + 64 + 1 + 1)) ]
	[ "$(records trace recv | wc -l)" = $((3 * 71 + 64 + 1)) ]
	[ "$(end_of trace lost)" = 14 ]
	tr-cat --format=json trace | grep '"lost":{' | grep -q '"why":"more than 64 datagrams of one call"'
	grep -q '14 lost' err
}

@test "what reads and writes other than sockets is no datagram" {
	need_bpf
	tr-attach --events=send,recv -- cat /etc/passwd >trace
	[ "$(end_of trace records)" = 0 ]
}
