# SPDX-License-Identifier: MIT
# The summary shows 20 ranges, with --all every one
for name in $(seq 25); do
	echo "event 1 $((name * 2)) $((1000000000 + name * 1000)) push name=\"range $name\""
	echo "event 1 $((name * 2 + 1)) $((1000000000 + name * 1001)) pop"
done | text-log a.bin
analyzer a.bin | grep -c '^range'
analyzer a.bin | grep more
analyzer a.bin --all | grep -c '^range'
