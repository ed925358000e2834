#!/bin/sh
# SPDX-License-Identifier: MIT
# The analyzer reads nsys' exports to SQLite, and gives the same figures as nsys.

. "${0%/*}/../lib.sh"
top_srcdir=$(cd "$top_srcdir" && pwd)
analyzer=$(cd "$top_builddir" && pwd)/analyzer/analyzer

if ! "$analyzer" --version | grep -q 'reads exports of nsys'; then
	skip_all "built without libsqlite3"
fi
need_temp

# make_database SQL OUT
make_database()
{
	python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[2])
db.executescript(open(sys.argv[1]).read())' "$1" "$2"
}

# ---- a small one ----
make_database "$test_dir/nsys/small.sql" "$temp/small.sqlite"
cat >"$temp/expected" <<'END'
name,domain,kind,calls,cpu_total_ns,self_cpu_ns,cuda_total_ns
step,(default),push/pop,1,900,800,400
registered,lib,push/pop,1,100,100,400
open,(default),start/end,1,750,0,0
END
"$analyzer" stats "$temp/small.sqlite" -f csv 2>"$temp/err" | python3 -c '
import csv, sys
columns = ["name", "domain", "kind", "calls", "cpu_total_ns", "self_cpu_ns", "cuda_total_ns"]
print(",".join(columns))
for row in csv.DictReader(sys.stdin):
    print(",".join(row[column] for column in columns))' >"$temp/out"
is "$(cat "$temp/out")" "$(cat "$temp/expected")" "ranges of an export: names, domains, ranges that never ended, GPU time"
"$analyzer" stats "$temp/small.sqlite" -r api -f csv 2>/dev/null | cut -d, -f1,3,4 >"$temp/out"
printf 'name,total_ns,calls\ncudaDeviceSynchronize,300,1\ncudaLaunchKernel,10,1\n' >"$temp/expected"
is "$(cat "$temp/out")" "$(cat "$temp/expected")" "calls have their plain names, and rows of backtraces count nothing"
"$analyzer" stats "$temp/small.sqlite" -r gpu-sync -f csv 2>/dev/null | cut -d, -f1,2,4 >"$temp/out"
printf 'kind,range,total_ns\ncontext,step,280\n' >"$temp/expected"
is "$(cat "$temp/out")" "$(cat "$temp/expected")" "the call tells what a wait was for, not the number, which changed its meaning"
"$analyzer" stats "$temp/small.sqlite" -r memory -f csv >"$temp/out" 2>/dev/null
grep -q 1024 "$temp/out"
is $? 0 "allocations are read"

# As a folder has them.
mkdir "$temp/folder"
cp "$temp/small.sqlite" "$temp/folder/a.sqlite"
sed 's/registered/other/' "$test_dir/nsys/small.sql" >"$temp/other.sql"
make_database "$temp/other.sql" "$temp/folder/b.sqlite"
is "$("$analyzer" stats "$temp/folder" -r ranks -f csv 2>"$temp/err" | wc -l)" 3 "a folder's exports are its ranks"
"$analyzer" batch "$temp/folder" -o "$temp/all" >"$temp/out" 2>"$temp/err"
is "$?:$("$analyzer" stats "$temp/all" -r ranks -f csv 2>>"$temp/err" | wc -l)" 0:3 "and a batch takes them"

# A table of its own lists the work of CUPTI that nsys noticed. In old versions it has no types.
cat "$test_dir/nsys/small.sql" - >"$temp/busy.sql" <<'END'
INSERT INTO StringIds VALUES (20, 'CUPTI Buffer flush'), (21, 'CUPTI: Resource Management'), (22, 'TLS allocation');
CREATE TABLE PROFILER_OVERHEAD (start INTEGER, end INTEGER, globalTid INTEGER, nameId INTEGER, returnValue INTEGER);
INSERT INTO PROFILER_OVERHEAD VALUES (1400, 1450, 281474976710656 + 5 * 16777216 + 9, 20, 0), (1450, 1470, NULL, 21, 0),
 (1470, 1480, NULL, 22, 0), (1480, 1490, NULL, 99, 0);
END
make_database "$temp/busy.sql" "$temp/busy.sqlite"
"$analyzer" stats "$temp/busy.sqlite" -r overhead -f csv 2>/dev/null | cut -d, -f1,3,4 >"$temp/out"
printf 'name,total_ns,calls\nBuffer Flush,50,1\nResource,20,1\n' >"$temp/expected"
is "$(cat "$temp/out")" "$(cat "$temp/expected")" "what CUPTI was busy with is read, and nothing else of nsys' own"

# columns REPORT COLUMN...   values of each row, a line each
columns()
{
	columns_of=$1
	shift
	"$analyzer" stats "$temp/wide.sqlite" -r "$columns_of" -f csv 2>/dev/null | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(*(row[column] for column in sys.argv[1:]), sep=";")' "$@"
}
python3 - "$test_dir/nsys/small.sql" "$temp/wide.sqlite" <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[2])
tid = 281474976710656 + 5 * 16777216 + 6
db.executescript(open(sys.argv[1]).read() + f"""
DROP VIEW CUPTI_ACTIVITY_KIND_MEMCPY;
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1720, 1730, 0, 7, 0, {tid - 6}, 100, 1), (1730, 1735, 0, 7, 0, {tid - 6}, 7, 1), (1740, 1741, 0, 7, 0, {tid - 6}, 5, 1);
INSERT INTO StringIds VALUES (5, 'poll'), (6, 'x_work(int)');
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1190, 1250, 0, {tid}, 3, 1), (1600, 1610, 0, {tid}, 4, 1);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1240, 1290, 0, 7, 3, 2, {tid - 6}), (1800, 1810, 0, 7, 4, 6, {tid - 6});
INSERT INTO NVTX_EVENTS VALUES (1150, 1700, 59, 'crossing', NULL, {tid}, 2, NULL, NULL), (1160, 1650, 60, 'ended', NULL, {tid}, 0, 2, NULL);
CREATE TABLE OSRT_API (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, nameId INTEGER);
INSERT INTO OSRT_API VALUES (5, 105, 27, {tid}, 5), (205, 225, 27, {tid}, 5), (1, 2, 31, {tid}, 5), (1300, 1399, 27, {tid + 9}, 5);""")
END
printf '%s\n' 'poll;3;219;99;20;100' >"$temp/expected"
is "$(columns os-calls name calls total_ns median_ns min_ns max_ns)" "$(cat "$temp/expected")" \
	"calls of the operating system are read, without nsys' own remarks"
printf '%s\n' 'Memcpy HtoD;3;112;37;7;5;100;54' >"$temp/expected"
is "$(columns copy-sizes name calls total_bytes mean_bytes median_bytes min_bytes max_bytes std_bytes)" \
	"$(cat "$temp/expected")" "sizes of copies: sum, mean, median, extremes, deviation"
printf '%s\n' 'work(int);cudaLaunchKernel;2;1;690;70;180;450' 'x_work(int);cudaLaunchKernel;1;1;210;10;190;10' >"$temp/expected"
is "$(columns launch-calls name api calls queued total_ns api_total_ns queue_total_ns run_total_ns)" \
	"$(cat "$temp/expected")" "a kernel that begins in its call was never queued"
# Of the three calls the second ends after "registered". The third is in all ranges that were open
# until 1650.
cat >"$temp/expected" <<'END'
step;push/pop;0;2;240;570;3
registered;push/pop;1;0;300;400;1
open;start/end;;;240;570;2
crossing;push/pop;1;0;240;570;2
ended;start/end;;;240;570;2
END
is "$(columns range-projection name kind level children projected_start_ns projected_ns operations)" \
	"$(cat "$temp/expected")" "a range has the work of calls that begin and end in it, whether ranges cross or not"
cat >"$temp/expected" <<'END'
step;work(int);1;2;450
registered;work(int);1;1;400
crossing;work(int);1;1;50
crossing;x_work(int);1;1;10
END
is "$(columns range-kernels range name ranges calls total_ns | grep -E '^(step;work|registered|crossing)')" "$(cat "$temp/expected")" \
	"kernels count in every range around their call"
is "$(columns range-projection-sum name calls projected_total_ns operations_mean level_mean | head -n 1)" \
	"step;1;570;3.000000;0.000000" "ranges on the GPU by name"
is "$(columns spread name kind calls median_ns std_ns | grep 'work(int);kernel')" \
	"$(printf 'work(int);kernel;2;225;247\nx_work(int);kernel;1;10;')" "of two the median is the mean, of one there is no deviation"
is "$("$analyzer" stats "$temp/wide.sqlite" -r osrt_sum,nvtx_kern_sum -f csv 2>/dev/null | head -n 1)" \
	"$("$analyzer" stats "$temp/wide.sqlite" -r os-calls -f csv 2>/dev/null | head -n 1)" "nsys' names are known"
"$analyzer" "$temp/wide.sqlite" -o "$temp/wide-again.sqlite"
is "$("$analyzer" stats "$temp/wide-again.sqlite" -r os-calls -f csv)" "$("$analyzer" stats "$temp/wide.sqlite" -r os-calls -f csv)" \
	"calls of the operating system are written again"
cd "$temp" || exit 1
for command in "small.sqlite" "small.sqlite -o small.json" "stats small.sqlite -r all" \
	"diff small.sqlite small.sqlite" "dump --slices small.sqlite" "info small.sqlite" "summarize small.sqlite -o small.sum"; do
	# shellcheck disable=SC2086 # words
	"$analyzer" $command >"$temp/out" 2>"$temp/err"
	is $? 0 "analyzer $command"
done

# ---- files that are no exports, or damaged ---- refused FILE SENTENCE
refused()
{
	"$analyzer" stats "$1" >"$temp/out" 2>"$temp/err"
	is "$? $(wc -l <"$temp/err") $(wc -c <"$temp/out")" "3 1 0" "$2"
}
printf 'CREATE TABLE other (a);\n' >"$temp/other.sql"
make_database "$temp/other.sql" "$temp/other.sqlite"
refused "$temp/other.sqlite" "a database of somebody else is refused in one line"
for bytes in 16 100 4096 9000; do
	head -c "$bytes" "$temp/small.sqlite" >"$temp/cut.sqlite"
	refused "$temp/cut.sqlite" "one that was cut to $bytes bytes is refused in one line"
done
"$analyzer" stats /dev/stdin <"$temp/small.sqlite" >"$temp/out" 2>"$temp/err"
is $? 0 "a redirected file is one"
# shellcheck disable=SC2002 # a pipe is what is meant
cat "$temp/small.sqlite" | "$analyzer" stats /dev/stdin >"$temp/out" 2>"$temp/err"
is "$? $(wc -l <"$temp/err")" "3 1" "a pipe is refused in one line"
"$analyzer" dump "$temp/small.sqlite" >"$temp/out" 2>"$temp/err"
is "$? $(wc -l <"$temp/err")" "3 1" "dump, which reads logs, says what reads it"
python3 - "$analyzer" "$temp/small.sqlite" "$temp/flip.sqlite" <<'END' >"$temp/out"
import subprocess, sys
analyzer, path, flipped = sys.argv[1:]
data = open(path, "rb").read()
bad = 0
for at in range(16, len(data), len(data) // 60):
    with open(flipped, "wb") as out:
        out.write(data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1:])
    run = subprocess.run([analyzer, "stats", flipped, "-r", "all"], capture_output=True, timeout=100)
    bad += run.returncode not in (0, 3) or (run.returncode == 3 and run.stderr.count(b"\n") != 1)
print(bad)
END
is "$(cat "$temp/out")" 0 "a byte that is wrong ends in figures or one line"

# ---- a library that is not there, or none ----
mkdir "$temp/broken"
echo "no library" >"$temp/broken/libsqlite3.so.0"
LD_LIBRARY_PATH=$temp/broken "$analyzer" stats "$temp/small.sqlite" >"$temp/out" 2>"$temp/err"
is "$? $(grep -c "^analyzer: .*/small.sqlite: .*libsqlite3 can't be loaded" "$temp/err") $(wc -l <"$temp/err") $(wc -c <"$temp/out")" \
	"3 1 1 0" "without libsqlite3 an export is refused in one line"
LD_LIBRARY_PATH=$temp/broken "$analyzer" stats "$test_dir/data/format-1/plain.bin" >"$temp/out" 2>"$temp/err"
is $? 0 "... and a log is read, which needs none"

# ---- two processes that each know one GPU, by the same number ----
cp "$temp/small.sqlite" "$temp/two.sqlite"
python3 - "$temp/two.sqlite" <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.executescript("""
CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT, cuDevice INTEGER);
INSERT INTO TARGET_INFO_GPU VALUES (0, 'one', 0), (1, 'two', 1), (2, 'third', 2);
CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER);
INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (1, 0, 5), (2, 0, 6), (1, 1, 6), (NULL, 3, 6);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT start + 10, end + 100, deviceId, streamId, 77, demangledName, 281474976710656 + 6 * 16777216
  FROM CUPTI_ACTIVITY_KIND_KERNEL;
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1900, 1950, 1, 7, 78, 2, 281474976710656 + 6 * 16777216);""")
db.commit()
END
"$analyzer" stats "$temp/two.sqlite" -r devices -f csv 2>/dev/null | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["device"], row["name"], row["operations"], row["busy_ns"])' >"$temp/out"
printf '0 two 2 450\n2 third 1 490\n' >"$temp/expected"
is "$(cat "$temp/out")" "$(cat "$temp/expected")" "two processes' device 0 are two, and one GPU of both is one"

# ---- public exports ----
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}/nsys
for expected in "$traces"/expected/*.nsys.json*; do
	if [ ! -f "$expected" ]; then
		skip "figures of public exports" "no $traces"
		break
	fi
	name=$(basename "$expected")
	name=${name%%.nsys.json*}
	if [ -f "$traces/$name.sql" ]; then
		make_database "$traces/$name.sql" "$temp/$name.sqlite"
	else
		gzip -dc "$traces/$name.sqlite.gz" >"$temp/$name.sqlite"
	fi
	python3 "$test_dir/nsys/figures.py" "$analyzer" "$temp/$name.sqlite" "$expected" >"$temp/out"
	is $? 0 "$name: $(tail -n 1 "$temp/out")"
	diag "$(head -n 20 "$temp/out")"
	"$analyzer" "$temp/$name.sqlite" -o "$temp/again.sqlite" 2>"$temp/err"
	python3 "$test_dir/nsys/figures.py" "$analyzer" "$temp/again.sqlite" "$expected" mended >"$temp/out"
	is $? 0 "$name, written again: $(tail -n 1 "$temp/out")"
	diag "$(head -n 20 "$temp/out")"
	case $name in torch*) ;; *) rm -f "$temp/$name.sqlite" ;; esac
done
if [ -f "$traces/expected/torch_2gpu.diff.json" ]; then
	python3 "$test_dir/nsys/diff.py" "$analyzer" "$temp/torch_2gpu_before_2026_2.sqlite" \
		"$temp/torch_2gpu_after_2026_2.sqlite" "$traces/expected/torch_2gpu.diff.json" >"$temp/out"
	is $? 0 "diff of two exports: $(tail -n 1 "$temp/out")"
	diag "$(head -n 20 "$temp/out")"
else
	skip "diff of two exports" "no $traces"
fi

done_testing
