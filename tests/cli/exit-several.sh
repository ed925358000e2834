# SPDX-License-Identifier: MIT
# The exit status of several files is that of the worst, wherever it stands; an undecodable chunk is missing
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
