# SPDX-License-Identifier: MIT
# Users' rules rename ranges as sed -E would, in their order, in tables and timelines
names='layer 12 forward
layer:3 [Forward]
baac/abc
x.y.z
two "quoted"
aten::mm, seq = 1, op_id = 7'
{
	echo 'capture pid=1 clock="monotonic"'
	ticks=0
	printf '%s\n' "$names" | sed 's/"/\\"/g' | while read -r name; do
		echo "event 1 0 $ticks push name=\"$name\""
		echo "event 1 0 $((ticks + 1)) pop"
		ticks=$((ticks + 2))
	done
} | text-log a.bin
for rule in 's/[0-9]+/N/' 's/[0-9]+/N/g' 's/(layer)[ :]([0-9]+)/\2 \1/' 's|/|/ /|' 's/\//&&\&\\/g' 's/FORWARD/f/i' \
	's/a*/-/g' 's/x*$/-/g' 's/^a*/-/g' 's/(a|b)*/<\1>/g' 's/\./\\./g' 's,.*,,' 's#[[:alpha:]]+#\0\0#g' \
	's/(b)|(y)/[\1\2]/g' 's/\[|\\|"/_/gi' 's/z*//'; do
	printf '%s\n' "$names" | LC_ALL=C sed -E "$rule" | sort -u >wanted
	analyzer stats a.bin --names raw --rename "$rule" --format tsv 2>/dev/null |
		sed -e 1d -e 's/	.*//' -e "s/^'//" | sort -u | cmp - wanted && printf 'same: %s\n' "$rule"
done

cat >rules <<'RULES'
# Layers share a row, however they are spelled.

s/^layer[ :][0-9]+ \[?(.)orward]?$/layer \1orward/
s/ F/ f/
RULES
analyzer stats a.bin --rename rules --rename 's/^aten::(.*)/\1 of PyTorch/'
analyzer a.bin --rename rules --all | grep -o '^layer[^ ]* [^ ]*'
analyzer a.bin -o - --rename rules | grep -o '"name":"\(layer\|aten\)[^}]*"pid"' | sed 's/,"pid"//'
analyzer dump a.bin | grep -c forward

# Expressions see bytes, but an empty match does not split a character.
echo 'event 1 0 0 push name="naïve"' | text-log b.bin
analyzer stats b.bin --rename 's/x*/-/g' --format tsv 2>/dev/null | sed -e 1d -e 's/	.*//'
