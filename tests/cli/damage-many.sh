# SPDX-License-Identifier: MIT
# Ten of many damaged stretches are named, and the others counted
{
	echo 'capture pid=1 clock="monotonic"'
	echo 'def stream id=1 tid=1'
	i=0
	while [ $i -lt 30 ]; do
		echo "event 1 $i $((100 + i)) mark name=\"mark\""
		echo chunk
		i=$((i + 1))
	done
} | text-log a.bin
i=1
while [ $i -le 26 ]; do
	flip a.bin $(($(offset_of a.bin 4 $i) + 40))
	i=$((i + 2))
done
analyzer info a.bin >out
