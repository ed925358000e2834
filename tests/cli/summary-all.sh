# SPDX-License-Identifier: MIT
# The summary shows 20 ranges, with --all every one; names that differ by a number only are one row, unless --names raw
for name in a b c d e f g h i j k l m n o p q r s t u v w x y; do
	number=$((number + 1))
	echo "event 1 $((number * 2)) $((1000000000 + number * 1000)) push name=\"range $name\""
	echo "event 1 $((number * 2 + 1)) $((1000000000 + number * 1001)) pop"
done | text-log a.bin
analyzer a.bin | grep -c '^range'
analyzer a.bin | grep more
analyzer a.bin --all | grep -c '^range'
{
	echo 'def domain id=5 name="lib"'
	for name in 'step 1' 'step 2' 'step 31' layer3.attn layer12.attn conv1d conv2d aten::log2 aten::log10 'ProfilerStep#8' \
		'ProfilerStep#9' 'only 7'; do
		at=$((${at:-0} + 1))
		echo "event 1 $((at * 2)) $((1000000000 + at * 1000)) push name=\"$name\""
		echo "event 1 $((at * 2 + 1)) $((1000000000 + at * 1001)) pop"
	done
	echo "event 1 $((at * 2 + 2)) $((1000000000 + at * 1002)) push name=\"only 8\" domain=5"
	echo "event 1 $((at * 2 + 3)) $((1000000000 + at * 1003)) pop domain=5"
} | text-log b.bin
analyzer b.bin
analyzer b.bin --names raw | grep -c -e '^step [0-9]' -e '^ProfilerStep#[0-9]'
