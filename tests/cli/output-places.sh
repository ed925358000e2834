# SPDX-License-Identifier: MIT
# Places of outputs: an older one is replaced completely, dangling links, long names, unwritable places
write_small a.bin
echo old >a.json
analyzer a.bin -o a.json >said
grep -c old a.json
mkdir far
ln -s far/made.json link.json
analyzer a.bin -o link.json >said
find link.json far | sort
[ -L link.json ] && grep -c traceEvents far/made.json
ln -s round.json loop.json
ln -s loop.json round.json
analyzer a.bin -o loop.json 2>&1 || echo "exit $?"
ln -s nowhere/x.json lost.json
analyzer a.bin -o lost.json 2>&1 || echo "exit $?"
long=$(printf '%0250d' 0).json
analyzer a.bin -o "$long" >said
grep -c traceEvents "$long"
# A prefix that is a folder has no name before the report's.
mkdir tables
analyzer stats -r ranges,threads -f csv a.bin -o tables/
ls tables
# The folder of parts seems to exist, but nothing can be written to it.
mkdir out
ln -s nowhere out/parts
analyzer batch a.bin -o out 2>&1 || echo "exit $?"
rm out/parts
analyzer batch a.bin -o out
