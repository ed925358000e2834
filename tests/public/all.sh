#!/bin/sh
# SPDX-License-Identifier: MIT
# Compares libranges with nvtx-count on each public program of README.md that was built.
#
# usage: all.sh DIR RANGES ANALYZER [CASE...]
#   DIR	the folder where README.md's commands were run
#
# The environment is compare.sh's. stdout: a line per case, with the differences above it.
# Exit: 0 every case that ran is the same, 1 one is not, 2 usage, 77 no program is there.

set -eu

here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 3 ] || {
	echo 'usage: all.sh DIR RANGES ANALYZER [CASE...]' >&2
	exit 2
}
dir=$(cd "$1" && pwd)
ranges=$2
analyzer=$3
shift 3
wanted=" $* "
status=0
ran=0

# compare CASE OPTION FILE COMMAND...: one comparison, if FILE was built and CASE is wanted.
compare()
{
	name=$1
	option=$2
	file=$3
	shift 3
	case $wanted in
	"  " | *" $name "*) ;;
	*) return ;;
	esac
	if [ ! -e "$file" ]; then
		printf '%s: not built\n' "$name"
		return
	fi
	ran=$((ran + 1))
	if result=$("$here/compare.sh" ${option:+"$option"} "$ranges" "$analyzer" "$@"); then
		printf '%s: %s\n' "$name" "$result"
	else
		status=1
		printf '%s\n%s: FAILED\n' "$result" "$name"
	fi
}

caliper=$dir/Caliper-build
compare caliper-loop -t "$caliper/examples/apps/cxx-example" \
	env CALI_CONFIG=nvtx "$caliper/examples/apps/cxx-example" 1000
compare caliper-domain -t "$caliper/examples/apps/cxx-example" \
	env CALI_SERVICES_ENABLE=nvtx \
	CALI_NVTX_BINDING_TRIGGER_ATTRIBUTES=region,loop,function,iteration#mainloop \
	"$caliper/examples/apps/cxx-example" 100
compare caliper-queue -t "$caliper/examples/apps/async_event" \
	env CALI_CONFIG=nvtx "$caliper/examples/apps/async_event"
compare caliper-threads -t "$dir/caliper-perftest/cali-annotation-perftest" \
	env CALI_SERVICES_ENABLE=nvtx OMP_NUM_THREADS=4 OMP_DYNAMIC=false \
	CALI_NVTX_BINDING_TRIGGER_ATTRIBUTES=test.attr,function,region \
	"$dir/caliper-perftest/cali-annotation-perftest" -i 50000 -d 5 -w 4

kokkos=$dir/kokkos-build
connector=$dir/kokkos-tools-build/kp_nvtx_connector.so
focused=$dir/kokkos-tools-build/focused/kp_nvtx_focused_connector.so
latency=$kokkos/benchmarks/launch_latency/Kokkos_launch_latency
compare kokkos-all-calls -t "$connector" \
	env OMP_NUM_THREADS=2 OMP_PROC_BIND=false KOKKOS_TOOLS_LIBS="$connector" \
	"$kokkos/core/unit_test/Kokkos_ProfilingAllCalls"
compare kokkos-latency -t "$connector" \
	env OMP_NUM_THREADS=2 OMP_PROC_BIND=false KOKKOS_TOOLS_LIBS="$connector" \
	"$latency" 100 1000 1
compare kokkos-focused -t "$focused" \
	env OMP_NUM_THREADS=2 OMP_PROC_BIND=false KOKKOS_TOOLS_LIBS="$focused" \
	"$latency" 100 1000 1

python=$dir/python-nvtx
output=$dir/python-nvtx-tmp/lib.c
[ ! -d "$python" ] || : >"$output" # so that every run finds it in this place
compare python-tests -t "$python" \
	env PYTHONPATH="$python" PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=0 \
	/usr/bin/python3 -P -m pytest -q -p no:cacheprovider "$dir/NVTX/python/nvtx/tests"
compare python-cython -t "$python" \
	env PYTHONPATH="$python" PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=0 \
	/usr/bin/python3 -P -m nvtx -- /usr/bin/cython3 -3 -f -o "$output" \
	"$dir/NVTX/python/nvtx/_lib/lib.pyx"

[ "$ran" -gt 0 ] || exit 77
exit "$status"
