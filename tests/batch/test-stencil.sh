#!/bin/sh
# SPDX-License-Identifier: MIT
# examples/mpi/stencil.c, and the commands of doc/guide/mpi.md that find its slow rank: which, in which range, since which step.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
ranges=$top_builddir/libranges/ranges
if [ ! -x "$analyzer" ] || [ ! -x "$ranges" ]; then
	skip_all "the programs are not built"
fi
[ "${SANITIZERS:-no}" = no ] || skip_all "MPI itself fails under sanitizers"
command -v mpicc >/dev/null 2>&1 || skip_all "there is no mpicc"
command -v mpirun >/dev/null 2>&1 || skip_all "there is no mpirun"
OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
timeout 60 mpirun -n 1 --oversubscribe true >/dev/null 2>&1 || skip_all "mpirun does not start a program here"

mkdir "$temp/bin" "$temp/logs" "$temp/spools"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$ranges" >"$temp/bin/ranges"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$analyzer" >"$temp/bin/analyzer"
chmod +x "$temp/bin/ranges" "$temp/bin/analyzer"
PATH=$temp/bin:$PATH
RANGES_SPOOL_DIR=$temp/spools
export PATH RANGES_SPOOL_DIR

mpicc -O2 -Wall -Wextra -Werror -I"$top_srcdir/libranges/include" "$top_srcdir/examples/mpi/stencil.c" \
	-o "$temp/stencil" -lm 2>"$temp/err" ||
	skip_all "mpicc does not build it: $(head -n 1 "$temp/err")"
cd "$temp" || exit 1
timeout 300 mpirun --oversubscribe -n 4 ranges run -o 'logs/log.%r.bin' -- ./stencil 40 >out 2>err
is "$? $(find logs -name 'log.*.bin' | sort | tr '\n' ' ')" \
	"0 logs/log.0.bin logs/log.1.bin logs/log.2.bin logs/log.3.bin " "each rank has a log with its number"
analyzer stats logs/ -r ranges --step-range step --sort imbalance -f csv 2>/dev/null >ranges.csv
is "$(sed -n '1p' ranges.csv | cut -d, -f1,22-)" "name,imbalance,slowest,since_call,since_step,since_ratio" \
	"the columns that the guide shows"
is "$(sed -n '2p' ranges.csv | cut -d, -f1,23)" "compute,rank 2" "the range that is out of balance, and the slow rank"
# Other work on the machine can make single earlier calls slow as well.
is "$(sed -n '2p' ranges.csv | awk -F, '{ print ($24 >= 17 && $24 <= 20 && $25 == $24 && $26 > 5) ? "since the middle" : $0 }')" \
	"since the middle" "since which step"
done_testing
