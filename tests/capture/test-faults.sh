#!/bin/sh
# SPDX-License-Identifier: MIT
# Each call of the C library that libranges.so makes in a program fails once. The program does not
# notice it. Each of its events is recorded or counted, or a line says that there is no log.

. "${0%/*}/../lib.sh"
need_temp
ranges=$top_builddir/libranges/ranges
capture=$top_builddir/tests/capture
for program in "$ranges" "$capture/pusher" "$capture/count-log"; do
	[ -x "$program" ] || skip_all "$program is not built"
done
[ "${SANITIZERS:-no}" = no ] || skip_all "a sanitizer must be loaded first"
[ -z "${UNDER:-}" ] || skip_all "tells nothing about memory"
cd "$temp" || exit 1
mkdir spool out
unset NVTX_INJECTION64_PATH LD_PRELOAD RANGES_OUTPUT RANGES_LOG RANGES_CHECKED RANGES_RUN_DIR RANGES_ROOT_PID
export RANGES_SPOOL_DIR="$temp/spool"
${CC:-cc} -D_GNU_SOURCE -shared -fPIC "$top_srcdir/tests/fail-at.c" -o fail-at.so -ldl 2>cc.txt ||
	skip_all "no shared library can be built: $(cat cc.txt)"
most=${RANGES_TEST_FAULTS:-6} # the calls of one function that are tried

pairs=400
calls=$((2 * 2 * pairs))
all=0
told=0

# try FUNCTION N: the Nth call of it fails. Return: 1 if there are fewer calls. $wrong describes the
# faults.
try()
{
	rm -rf out/* spool/* left
	truncate -s 8192 calls
	# shellcheck disable=SC2016 # the inner shell's
	FAIL_CALL=$1 FAIL_AT=$2 FAIL_WHO=pusher FAIL_FROM=libranges.so FAIL_LEFT=$temp/left \
		timeout 120 "$ranges" run -o out/a.bin -- sh -c 'LD_PRELOAD=$1 exec "$2" calls 2 "$3"' - \
		"$temp/fail-at.so" "$capture/pusher" "$pairs" >out.txt 2>err.txt
	status=$?
	wrong=
	[ "$status" = 7 ] || wrong="exit status $status"
	[ ! -s out.txt ] || wrong="$wrong, output"
	[ -z "$(ls spool)" ] || wrong="$wrong, something is left in the spool"
	if [ -e out/a.bin ]; then
		"$capture/count-log" out/a.bin >counts 2>&1 || echo "damaged 0 0" >counts
		read -r recorded lost open <counts
		[ "$recorded" != damaged ] && [ $((recorded + lost)) -eq "$calls" ] && [ "$open" = 0 ] ||
			wrong="$wrong, $recorded recorded and $lost lost of $calls, $open without an end"
	else
		told=$((told + 1))
		[ -s err.txt ] || wrong="$wrong, no log and no word"
	fi
	all=$((all + 1))
	[ ! -e left ]
}

for function in open write pwrite read pread ftruncate fallocate posix_fallocate mmap mprotect fstat flock \
	mkdir malloc calloc realloc pthread_create pthread_key_create; do
	faults=
	n=1
	while [ "$n" -le "$most" ] && try "$function" "$n"; do
		[ -z "$wrong" ] || {
			faults=yes
			diag "call $n: ${wrong#, }" "$(cat err.txt)"
		}
		n=$((n + 1))
	done
	is_empty "$faults" "$function fails, call by call ($((n - 1)) of libranges' calls)"
done
diag "$all runs, $told without a log, which was said"
done_testing
