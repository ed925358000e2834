# SPDX-License-Identifier: MIT
# No output replaces an input, under whatever name
write_small a.bin
write_small b.html
mkdir folder
cp a.bin folder
ln -s ../b.html folder/b.bin
cksum <b.html >before
analyzer a.bin b.html -o b.html 2>&1 || echo "exit $?"
analyzer folder -o b.html 2>&1 || echo "exit $?"
mkdir out
cp a.bin out/ranks.json.gz
analyzer batch out/ranks.json.gz -o out --timeline all 2>&1 || echo "exit $?"
cp a.bin p_ranges.json
analyzer stats p_ranges.json -r ranges -f json -o p 2>&1 || echo "exit $?"
analyzer summarize a.bin -o a.sum 2>&1 || echo "exit $?"
analyzer summarize b.html -o b.sum 2>&1 || echo "exit $?"
analyzer merge a.sum b.sum -o a.sum 2>&1 || echo "exit $?"
cksum <b.html | cmp - before
cmp a.bin out/ranks.json.gz
cmp a.bin p_ranges.json
ls -A . folder
