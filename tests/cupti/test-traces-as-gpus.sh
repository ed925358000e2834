#!/bin/sh
# SPDX-License-Identifier: MIT
# The log has a program's exact GPU work. Real traces of PyTorch and exports of nsys are played:
# ranges through NVTX, calls and GPU work through CUPTI. The analyzer gives the same figures for the
# log and the trace, to the ns. RANGES_TEST_TRACES_AS_GPUS=small plays only the small ones.
. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/cupti/lib.sh"

traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
command -v python3 >/dev/null 2>&1 || skip_all "no python3"
[ -d "$traces/unit" ] || skip_all "no traces: RANGES_TEST_TRACES names their folder"
traces=$(cd "$traces" && pwd)
prepare_cupti 24
build_replay 2>"$temp/errors" || skip_all "the player can't be built: $(cat "$temp/errors")"
[ "${SANITIZERS:-no}" = no ] || RANGES_TEST_TRACES_AS_GPUS=small

# play TRACE: makes its log, and writes the differences to $temp/differs.
play()
{
	python3 "$cupti_source/replay-script.py" "$1" script >lacks || return 1
	rank=$(sed -n 's/^rank //p' lacks)
	# Nothing else may wait for the script's clock. So the last flush has enough time.
	(
		[ -z "$rank" ] || export RANK="$rank" WORLD_SIZE=1024
		! grep -q '^y ' script || export RANGES_CUDA=sync
		RANGES_CLOCK=monotonic RANGES_EXIT_MS=60000 RANGES_CUPTI_PATH=$temp/cupti-24/libcupti.so.13 \
			"$ranges" run -q -f -o log.bin "$temp/replay" script
	) 2>errors || return 1
	python3 "$cupti_source/replay-compare.py" "$analyzer" "$1" log.bin lacks "$temp/seen" >"$temp/differs"
}

unset RANK WORLD_SIZE
figures=0
count=0
for trace in "$traces"/*.json.gz "$traces"/unit/*.json.gz; do
	case $RANGES_TEST_TRACES_AS_GPUS:${trace##*/} in
	small:nccl_data* | small:negative_queue* | small:ns_resolution* | small:resnet50*) continue ;;
	esac
	name=${trace##*/}
	play "$trace"
	status=$?
	is "$status:$(cat errors):$(grep -v ' figures$' "$temp/differs")" "0::" "${name%.json.gz}: $(tail -n 1 "$temp/differs") are the trace's"
	figures=$((figures + $(tail -n 1 "$temp/differs" | sed 's/ .*//')))
	count=$((count + 1))
	case $name in
	h100_*)
		is "$("$analyzer" stats --format json log.bin | sed -n 's/.*"gpu":{[^}]*"time_ns":\([0-9]*\),"attributed_ns":\1,.*/all/p')" all \
			"${name%.json.gz}: all GPU time belongs to a range, with default settings"
		;;
	esac
done

# sums: prints the log's sums in the form of replay-nsys.py: kernels, their ns, copies, their bytes.
sums()
{
	"$analyzer" stats --report kernels --format csv log.bin | python3 -c 'import csv, sys
rows = list(csv.DictReader(sys.stdin))
print(sum(int(row["calls"]) for row in rows), sum(int(row["total_ns"]) for row in rows))'
	"$analyzer" stats --report memcpy --format csv log.bin | python3 -c 'import csv, sys
rows = [row for row in csv.DictReader(sys.stdin) if row["name"].startswith("Memcpy")]
print(sum(int(row["calls"]) for row in rows), sum(int(row["bytes"]) for row in rows))'
}

# nsys' recordings of real programs with NVTX, compared through a trace, and by their own sums.
mkdir nsys
for export in "$traces"/nsys/*.sqlite.gz; do
	case $RANGES_TEST_TRACES_AS_GPUS:${export##*/} in
	*:'*.sqlite.gz' | small:torch_* | small:cupy_*) continue ;;
	esac
	name=${export##*/}
	python3 "$cupti_source/replay-nsys.py" "$export" nsys >list 2>errors
	is "$?:$(cat errors)" 0: "${name%.sqlite.gz} becomes a trace"
	while read -r trace wanted; do
		play "$trace"
		status=$?
		is "$status:$(cat errors):$(grep -v ' figures$' "$temp/differs"):$(sums | tr '\n' ' ')" "0:::$wanted " \
			"${name%.sqlite.gz}: $(tail -n 1 "$temp/differs") are those of nsys' rows, and its sums"
		figures=$((figures + $(tail -n 1 "$temp/differs" | sed 's/ .*//')))
		count=$((count + 1))
	done <list
done
skip "unit_edge" "made by hand: ranges of one thread cross in it, which no push and pop make; tests/nsys holds what is read of it"
ok "$((count < 20))" "there are traces"
[ "$figures" -gt 50000 ]
ok $? "$figures figures of $count traces compared"
is "$(python3 "$cupti_source/replay-compare.py" --exceptions | sort | tr '\n' ' ')" "$(sort -u "$temp/seen" | tr '\n' ' ')" \
	"no exception is listed that nothing needs"
done_testing
