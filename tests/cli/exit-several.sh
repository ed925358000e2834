# SPDX-License-Identifier: MIT
# The exit status of several files is that of the worst, in any position; an undecodable chunk is missing
write_small a.bin
text-log lost.bin <<'LOG'
capture pid=1 clock="monotonic"
event 1 0 5 push name="a"
event 1 1 6 pop
raw 4 "\x80"
end status="clean"
LOG
try()
{
	analyzer "$@" >out 2>err
	echo "exit $?: $*"
}
try verify a.bin
try verify lost.bin
try verify a.bin lost.bin
try verify lost.bin a.bin
try verify a.bin none.bin
try verify lost.bin none.bin a.bin
try verify none.bin none.bin
try dump --strict a.bin
try dump lost.bin
try dump --strict lost.bin
try stats --strict -r threads lost.bin
# A trace is sound if all of it was read. A summary is sound if it was unpacked, whatever its inputs
# lacked.
printf '{"traceEvents":[\n{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2}\n]}\n' >all.json
printf '{"traceEvents":[\n{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":2},\n{"ph":"X","na' >cut.json
analyzer batch cut.json -o batch >/dev/null 2>&1
try verify all.json
cat out
try verify cut.json
cat out
try verify --quiet cut.json
cat out
try verify all.json cut.json
try verify batch/summary.sum
cat out
try dump --slices --strict all.json
try dump --slices cut.json
try dump --slices --strict cut.json
for file in a.bin lost.bin all.json cut.json; do
	try "$file"
	try --strict "$file"
done
try stats -r ranges --strict all.json all.json
try stats -r ranges cut.json all.json
try stats -r ranges --strict cut.json all.json
try stats -r ranges --strict all.json cut.json
