# SPDX-License-Identifier: MIT
# Ranges that Perfetto cannot show are left out, and a line says so
{
	echo 'capture pid=100 clock="monotonic"'
	echo 'clock ticks=0 mono=0 real=0 boot=0 err=0'
	echo 'def stream id=1 tid=100'
	i=0
	while [ $i -lt 515 ]; do
		echo "event 1 $i $((100 + i)) push name=\"level $i\""
		i=$((i + 1))
	done
	echo 'event 1 515 700 mark name="deep mark"'
	i=0
	while [ $i -lt 515 ]; do
		echo "event 1 $i $((1000 + i)) pop"
		i=$((i + 1))
	done
} | text-log a.bin
analyzer a.bin -o a.json
grep -c '"X"' a.json
grep '"metadata"' a.json | no_version
