# SPDX-License-Identifier: MIT
# Of many damaged stretches ten are named, and the number of the others
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
