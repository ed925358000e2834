# SPDX-License-Identifier: MIT
# An output that is the log itself is refused, under whatever name
write_small a.json
cp a.json kept
ln a.json hard.json
ln -s a.json link.json
for output in a.json ./a.json hard.json link.json; do
	analyzer a.json -o "$output"
	echo "$?"
done
cmp a.json kept && ls -A
