#!/bin/sh
# SPDX-License-Identifier: MIT
# torch.profiler's schedule in a Python program that uses a GPU: the kernels of the active steps are
# recorded, and no others. The GPU is the stand-in of tests/cupti.

. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"
case ${SANITIZERS:-no} in
no) ;;
*) skip_all "a library with a sanitizer cannot be loaded into Python" ;;
esac
python3 -c 'import ctypes, sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null || skip_all "no python3"
prepare_cupti 130400
unset RANGES_SCHEDULE RANGES_STANDBY RANGES_CAPTURE_RANGE
mkdir "$temp/bin"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$analyzer" >"$temp/bin/analyzer"
chmod +x "$temp/bin/analyzer"

# steps OPTIONS…: runs the program, and writes its output to out.
steps()
{
	PATH=$temp/bin:$PATH PYTHONPATH=$top_srcdir/python PYTHONDONTWRITEBYTECODE=1 \
		RANGES_CUPTI_PATH=$temp/cupti-130400/libcupti.so.13 "$ranges" run "$@" -o log.bin -- \
		python3 "$top_srcdir/tests/python/gpu.py" "$temp/libcuda.so.1" >out 2>errors
}

steps --standby
is "$?:$(cat out)" "0:log.c1.bin
log.c2.bin
[('in_step_83', 'train 83'), ('in_step_83', 'train 83'), ('in_step_83', 'train 83')]
[('in_step_167', 'train 167'), ('in_step_167', 'train 167'), ('in_step_167', 'train 167')]" \
	"steps 83 and 167 have their kernels, in their ranges, and there are no others"
is_empty "$(grep fake errors)" "no rule of CUPTI is broken"
rm -f log*.bin
steps -q
is "$?:$(grep bin out | tr '\n' ' '):$(grep -c "in_step_83.*in_step_83.*in_step_83" out):$(echo ./*.bin)" \
	"0:log.c2.bin log.c3.bin :1:./log.bin ./log.c2.bin ./log.c3.bin" \
	"CUDA starts the capture before the first profile: that is a log of its own"
done_testing
