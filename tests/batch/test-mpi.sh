#!/bin/sh
# SPDX-License-Identifier: MIT
# A batch over MPI, over tasks of Slurm or by GNU parallel gives the same bytes as a batch on one
# machine.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"
scripts=$top_srcdir/examples/batch
PATH=$(cd "$top_builddir/analyzer" && pwd):$PATH
export PATH OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

mkdir -p "$temp/run/b"
for rank in 0 1 2 3 4 5 6; do
	python3 "$test_dir/tools/text-log.py" "$temp/run/$rank.bin" <<LOG
capture pid=$((100 + rank)) clock="monotonic" rank=$rank
def stream id=1 tid=7 name="main"
event 1 0 1000 push name="step"
event 1 1 $((2000 + rank * 100)) pop
end status="clean"
LOG
done
mv "$temp/run/6.bin" "$temp/run/b/0.bin"
cp "$temp/run/5.bin" "$temp/run/same.bin"
echo "no log" >"$temp/run/foreign.bin"
analyzer batch "$temp/run" -o "$temp/one" -j 1 >/dev/null 2>&1

# same FOLDER-OR-FILE WHAT: it holds the same summary as a batch on one machine.
same()
{
	file=$1
	[ ! -d "$file" ] || file=$file/summary.sum
	cmp -s "$file" "$temp/one/summary.sum"
	ok $? "$2"
}

if [ ! -x "$top_builddir/analyzer/analyzer-mpi" ]; then
	skip "analyzer-mpi gives the same bytes" "configure found no MPI"
elif ! command -v mpirun >/dev/null 2>&1; then
	skip "analyzer-mpi gives the same bytes" "there is no mpirun"
elif [ "${SANITIZERS:-no}" != no ]; then
	skip "analyzer-mpi gives the same bytes" "MPI itself fails under sanitizers"
elif ! timeout 60 mpirun -n 1 --oversubscribe true >/dev/null 2>&1; then
	skip "analyzer-mpi gives the same bytes" "mpirun does not start a program here"
else
	for ranks in 1 2 4; do
		timeout 100 mpirun -n $ranks --oversubscribe analyzer-mpi "$temp/run" -o "$temp/m$ranks" \
			>"$temp/out" 2>"$temp/err"
		is "$? $(cat "$temp/out")" \
			"5 9 inputs: 8 summarised, 1 of these the same as another input, 1 could not be read" \
			"$ranks ranks: what one machine says"
		same "$temp/m$ranks" "$ranks ranks: the same summary"
		cmp -s "$temp/m$ranks/report.txt" "$temp/one/report.txt"
		ok $? "$ranks ranks: the same report"
	done
	timeout 100 mpirun -n 2 --oversubscribe analyzer-mpi "$temp/run" -o "$temp/emitted" --emit table,events.jsonl \
		>/dev/null 2>&1
	analyzer batch "$temp/run" -o "$temp/alone" --emit table,events.jsonl >/dev/null 2>&1
	diff -r "$temp/emitted/traces" "$temp/alone/traces" >"$temp/diff" 2>&1
	is "$?$(cat "$temp/diff") $(find "$temp/emitted/traces" -type f | wc -l)" "0 16" "--emit writes the same files"
	is "$(grep -c '^analyzer: .*foreign.bin: ' "$temp/err")" 1 "a file that is none is named once"
	rm "$temp/m4/summary.sum"
	timeout 100 mpirun -n 3 --oversubscribe analyzer-mpi "$temp/run" -o "$temp/m4" --resume \
		>"$temp/out" 2>/dev/null
	is "$(cut -d, -f1-2 "$temp/out")" "9 inputs: 0 summarised, 8 were summarised before" \
		"it goes on where another one was"
	same "$temp/m4" "with the same bytes"
	timeout 100 mpirun -n 2 --oversubscribe analyzer-mpi "$temp/run" >/dev/null 2>&1
	is $? 2 "options are checked"
	# A rank's memory does not grow with the parts that were made: 64 parts of 0.5 MB, with
	# identities of their own.
	python3 - <<'PY' | python3 "$test_dir/tools/text-log.py" "$temp/large.bin"
import random
random.seed(5)
print('capture pid=1 clock="monotonic" rank=0\ndef stream id=1 tid=7 name="main"')
for row in range(3000):
    print('event 1 %d %d push name="%0320x"' % (2 * row, 1000 + 20 * row, random.getrandbits(1280)))
    print('event 1 %d %d pop' % (2 * row + 1, 1010 + 20 * row))
print('end status="clean"')
PY
	analyzer summarize --names raw "$temp/large.bin" -o "$temp/large.sum"
	is "$(python3 - "$temp" <<'PY'
import os, struct, subprocess, sys, zlib
temp = sys.argv[1]
part = bytearray(open(temp + "/large.sum", "rb").read()[:-16])
for number in range(64):
    part[16:32] = struct.pack(">QQ", number * 0x9E3779B97F4A7C15 % 2**64, number)
    part[12:16] = struct.pack("<I", zlib.crc32(part[16:]))
    os.makedirs(temp + "/large", exist_ok=True)
    with open("%s/large/%d.sum" % (temp, number), "wb") as out:
        out.write(part + b"\x89RSEN\r\n\x1a" + struct.pack("<Q", 1))
def peak_kb(*inputs):
    process = subprocess.Popen(["mpirun", "-n", "3", "--oversubscribe", "analyzer-mpi", *inputs, "-o", temp + "/peak"],
                               stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    return usage.ru_maxrss if status == 0 else -10**9
few, many = peak_kb(temp + "/large/0.sum"), peak_kb(temp + "/large")
print(len(part) > 400000, few > 0 and many - few < 8000 or (few, many))
PY
)" "True True" "32 MB of parts take no memory of the ranks"
	analyzer merge "$temp/large" -o "$temp/large.all" && cmp "$temp/large.all" "$temp/peak/summary.sum" >/dev/null
	ok $? "they are in the summary"
fi

# Tasks of Slurm, by a stand-in for srun. A damaged input makes a shard exit with 5.
rm "$temp/run/foreign.bin"
mkdir "$temp/bin"
cat >"$temp/bin/srun" <<'SRUN'
#!/bin/sh
SLURM_NTASKS=3
export SLURM_NTASKS
for SLURM_PROCID in 0 1 2; do
	export SLURM_PROCID
	"$@" || exit
done
SRUN
chmod +x "$temp/bin/srun"
PATH=$temp/bin:$PATH "$scripts/srun.sh" "$temp/run" "$temp/tasks" >/dev/null 2>&1
same "$temp/tasks.sum" "srun.sh: a shard per task, merged"
for task in 4 2 1 3; do
	SLURM_ARRAY_TASK_ID=$task SLURM_ARRAY_TASK_COUNT=4 "$scripts/slurm-array.sh" "$temp/run" \
		"$temp/array" >/dev/null 2>&1
done
analyzer merge "$temp/array" -o "$temp/array.sum" 2>/dev/null
same "$temp/array.sum" "slurm-array.sh: a shard per task of an array, merged"
if parallel --version 2>/dev/null | grep -q GNU; then
	"$scripts/parallel.sh" "$temp/run" "$temp/par" 3 --will-cite -j 2 >/dev/null 2>&1
	same "$temp/par.sum" "parallel.sh: a shard per job, merged"
else
	skip "parallel.sh: a shard per job, merged" "there is no GNU parallel"
fi
done_testing
