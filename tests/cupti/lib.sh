# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154 # the variables of tests/lib.sh
# Builds the stand-ins for the CUDA driver and CUPTI, for tests of the GPU's capture. Source it
# after tests/lib.sh and need_temp.

cupti_source=$top_srcdir/tests/cupti
cupti_flags="-std=gnu11 -O1 -g -Wall -Wextra -I$top_srcdir -I$cupti_source"
[ "${SANITIZERS:-no}" = no ] || cupti_flags="$cupti_flags -fsanitize=$SANITIZERS"

# make_once TARGET ARGUMENT…: runs the compiler with these arguments, and puts the result into
# $temp/TARGET. A dozen tests need the same stand-ins. The first test makes each in the build
# folder, where it stays until a source is younger.
make_once()
{
	target=$temp/$1
	shift
	made=$top_builddir/tests/cupti/made/$(echo "${CC:-cc} $cupti_flags $*" | cksum | tr ' ' -)-${target##*/}
	if [ ! -f "$made" ] || [ -n "$(find "$cupti_source" "$top_srcdir/libranges" ${nvml_source:+"$nvml_source"} -name '*.[ch]' -newer "$made" -print -quit)" ]; then
		mkdir -p "${made%/*}" 2>/dev/null || made=$target.made
		# shellcheck disable=SC2086
		${CC:-cc} $cupti_flags -o "$made.$$" "$@" && mv "$made.$$" "$made" || return 1
	fi
	mkdir -p "${target%/*}" && cp "$made" "$target"
}

# build_fake VERSION…: makes $temp/cupti-VERSION/libcupti.so.13 for each, and $temp/libcuda.so.1.
build_fake()
{
	make_once libcuda.so.1 -shared -fPIC -Wl,-soname,libcuda.so.1 \
		"$cupti_source/fake-cuda.c" "$cupti_source/fake-graphs.c" "$cupti_source/fake-capture.c" "$cupti_source/fake-memory.c" "$cupti_source/fake-records.c" -lpthread -ldl || return 1
	made_cuda=$made # programs that are linked with it find it beside themselves
	for version; do
		make_once "cupti-$version/libcupti.so.13" -shared -fPIC -DFAKE_VERSION="$version" -Wl,-soname,libcupti.so.13 \
			"$cupti_source/fake-cupti.c" "$cupti_source/fake-buffers.c" "$cupti_source/fake-hostile.c" "$cupti_source/fake-names.c" "$cupti_source/fake-strides.c" \
			"$cupti_source/fake-subscribers.c" "$cupti_source/fake-v2.c" -lpthread -ldl || return 1
	done
}

# build_program: makes $temp/program, linked with the stand-in driver.
build_program()
{
	# shellcheck disable=SC2016 # the loader knows its $ORIGIN
	make_once program -I"$top_srcdir/libranges/include" \
		"$cupti_source/program.c" "$made_cuda" '-Wl,-rpath,$ORIGIN:$ORIGIN/../..' -lpthread -ldl
}

# build_replay: makes $temp/replay, which plays scripts.
build_replay()
{
	# shellcheck disable=SC2016
	make_once replay -I"$top_srcdir/libranges/include" -rdynamic \
		"$cupti_source/replay.c" "$made_cuda" '-Wl,-rpath,$ORIGIN:$ORIGIN/../..' -lpthread -ldl
}

# build_host: makes $temp/host, a program without CUDA that loads program.c as $temp/libwork.so, as
# Python loads modules.
build_host()
{
	# shellcheck disable=SC2016
	make_once libwork.so -I"$top_srcdir/libranges/include" -shared -fPIC -Dmain=work_main \
		"$cupti_source/program.c" "$made_cuda" '-Wl,-rpath,$ORIGIN:$ORIGIN/../..' -lpthread -ldl &&
		make_once host -I"$top_srcdir/libranges/include" "$cupti_source/host.c" -lpthread -ldl
}

# prepare_cupti VERSION…: makes everything that is needed to run the program under `ranges run` in a
# folder of its own, or skips the test.
prepare_cupti()
{
	ranges=$top_builddir/libranges/ranges
	analyzer=$top_builddir/analyzer/analyzer
	library=$top_builddir/libranges/.libs/libranges.so
	for program in "$ranges" "$analyzer" "$library"; do
		[ -x "$program" ] || skip_all "$program is not built"
	done
	build_fake "$@" 2>"$temp/errors" || skip_all "the stand-ins can't be built: $(cat "$temp/errors")"
	build_program 2>"$temp/errors" || skip_all "the program can't be built: $(cat "$temp/errors")"
	mkdir "$temp/spool" "$temp/work"
	cd "$temp/work" || exit 1
	unset NVTX_INJECTION64_PATH CUDA_INJECTION64_PATH RANGES_OUTPUT RANGES_LOG RANGES_CHECKED RANGES_RUN_DIR \
		RANGES_ROOT_PID RANGES_DOMAINS RANGES_CUDA RANGES_CUDA_SHARED RANGES_CUPTI_PATH RANGES_CUDA_BUFFER RANGES_GRAPH_NODES RANGES_FLUSH_MS \
		CUDA_HOME CUDA_PATH CONDA_PREFIX
	[ -z "${RANGES_TEST_CUDA:-}" ] || {
		RANGES_CUDA=$RANGES_TEST_CUDA # if a test has no --cuda of its own
		export RANGES_CUDA
	}
	RANGES_SPOOL_DIR=$temp/spool
	RANGES_EXIT_MS=60000 # a loaded machine or a sanitizer may need this time for the last flush
	# The search for leaks stops threads. It fails for threads that live until the process is
	# gone, as ours do.
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
	export RANGES_SPOOL_DIR RANGES_EXIT_MS ASAN_OPTIONS
	options=
}

# run VERSION COMMAND…: runs the program under `ranges run`, with the stand-in of that version.
# "found" means the library that the search finds.
run()
{
	version=$1
	shift
	cupti_path=$temp/cupti-$version/libcupti.so.13
	[ "$version" != found ] || cupti_path=
	rm -f log.bin log.*.bin
	# shellcheck disable=SC2086 # the options are meant to be split
	RANGES_CUPTI_PATH=$cupti_path "$ranges" run -f -o log.bin $options "${program_path:-$temp/program}" "$@" \
		>"$temp/out" 2>"$temp/errors"
	run_status=$?
	"$analyzer" dump log.bin >"$temp/dump" 2>>"$temp/errors"
	return $run_status
}

# count PATTERN: counts the lines of the dump that match.
count()
{
	grep -cE "$1" "$temp/dump"
}

# statuses: prints the lines about the GPU, with their codes.
statuses()
{
	sed -n 's/^def gpu_status id=[0-9]* name="\(.*\)"\( val=\([0-9]*\)\)\{0,1\}$/\3 \1/p' "$temp/dump"
}
