# SPDX-License-Identifier: MIT
# An invalid rule is named, with its place and its fault
write_small a.bin
# shellcheck disable=SC1003 # a rule that ends in a backslash
for rule in 's/(/x/' 's/[a/x/' 's//x/' 's/a/x' 's/a' 's' 's/a/\1/' 's/a/\n/' 's/a/x/gx' 's\a\x\' 's/a{2/x/' none; do
	analyzer stats a.bin --rename "$rule" 2>&1
	echo "exit $?"
done
printf '# comment\n\ns/a/b/\ns/(/x/\n' >rules
analyzer a.bin --rename rules 2>&1
echo "exit $?"
printf 'a/b\n' >rules
analyzer a.bin --rename ./rules 2>&1
printf 's/a\0/b/\n' >rules
analyzer a.bin --rename rules 2>&1
mkdir folder
analyzer stats a.bin --rename folder 2>&1
printf 's/a/b/\r\n\n' >rules
analyzer stats a.bin --rename rules --format csv | sed 1q
