#!/bin/sh
# SPDX-License-Identifier: MIT
# Logs, traces and exports written as SQLite files of nsys' schema.

. "${0%/*}/../lib.sh"
top_srcdir=$(cd "$top_srcdir" && pwd)
analyzer=$(cd "$top_builddir" && pwd)/analyzer/analyzer
traces=$(cd "${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}" 2>/dev/null && pwd)
need_temp
cd "$temp" || exit 1
gpu=$test_dir/fuzz/files/gpu.bin
plain=$test_dir/data/format-1/plain.bin
odd=$test_dir/data/format-1/odd.bin

# fails STATUS SENTENCE COMMAND...   one line on standard error, nothing else anywhere
fails()
{
	status=$1
	sentence=$2
	shift 2
	"$@" >out 2>err
	is "$? $(wc -l <err) $(wc -c <out)" "$status 1 0" "$sentence"
	is "$(find . -name '.*.sqlite*' -o -name '*.sqlite-*' | wc -l)" 0 "... and leaves nothing behind"
}

if ! "$analyzer" --version | grep -q 'reads exports of nsys'; then
	fails 6 "an analyzer without libsqlite3 says so in one line" "$analyzer" "$plain" -o x.sqlite
	done_testing
fi

# ---- read back ----
# same KIND INPUT   every report of what is written is that of the input
same()
{
	"$analyzer" "$2" -o x.sqlite 2>err
	is $? 0 "$(basename "$2") is written"
	python3 "$test_dir/nsys/roundtrip.py" "$analyzer" "$2" x.sqlite "$1" >out
	is $? 0 "... and read back: $(tail -n 1 out)"
	diag "$(head -n 20 out)"
}
same log "$plain"
same log "$gpu"
same odd "$odd"
python3 -c 'import sqlite3, sys
sqlite3.connect("small.sqlite").executescript(open(sys.argv[1]).read())' "$test_dir/nsys/small.sql"
same export small.sqlite
# ---- what it cannot hold ----
python3 - >trace.json <<'END'
import json
print(json.dumps({"traceEvents": [
    {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 5, "args": {"Input Dims": [[2, 2]]}},
    {"ph": "i", "s": "t", "name": "[memory]", "pid": 1, "tid": 1, "ts": 2, "args": {"Bytes": 64, "Addr": 1, "Total Allocated": 64}}]}))
END
"$analyzer" trace.json -o x.sqlite 2>err
is "$(grep 'not written' err)" \
	"analyzer: x.sqlite: 3 not written: nsys' tables have no place for memory records of PyTorch (1), arguments of events (2)" \
	"memory records and arguments that are left out of a trace are told"
python3 "$test_dir/tools/text-log.py" lacks.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="step"
event 1 1 9000 pop
event 3 0 1100 api name="cudaLaunchKernel" dur=100 tid=7 corr=1 kind=1
event 3 1 1700 kernel name="k" dur=500 context=1 queue=7 corr=1 queued=50
end status="clean"
LOG
"$analyzer" lacks.bin -o x.sqlite 2>err
is "$(grep 'not written' err)" "analyzer: x.sqlite: 1 not written: nsys' tables have no place for times in the driver's queue (1)" \
	"so is what a log has of kernels beside their times"
for name in resnet50_w0 dlrm_rank3 nccl_data; do
	if [ -f "$traces/$name.json.gz" ]; then
		same trace "$traces/$name.json.gz"
	else
		skip "$name is written and read back" "no public traces"
	fi
done
for name in cupy_power_2025_3 graph_2025_5 saxpy_mpi_2022 tiny_2026_1; do
	if [ -f "$traces/nsys/$name.sqlite.gz" ]; then
		gzip -dc "$traces/nsys/$name.sqlite.gz" >"$name.sqlite"
		same export "$name.sqlite"
	else
		skip "$name is written and read back" "no public exports"
	fi
done

# ---- what is in it ----
"$analyzer" "$gpu" -o x.sqlite
"$analyzer" "$gpu" -o y.sqlite
cmp -s x.sqlite y.sqlite
is $? 0 "the same input gives the same bytes"
is "$(find . -name '*.sqlite-*' | wc -l)" 0 "no file stands beside it"
"$analyzer" "$odd" -o odd.sqlite 2>err
cat >facts.py <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])  # a name that is not UTF-8 would stop it
for query in sys.stdin:
    print(*(" ".join(map(str, row)) for row in db.execute(query)), sep=";")
END
python3 facts.py x.sqlite >out <<'END'
PRAGMA integrity_check
PRAGMA foreign_key_check
SELECT count(*) FROM NVTX_EVENTS WHERE (text IS NULL) != (textId IS NULL)
SELECT count(*) FROM NVTX_EVENTS JOIN StringIds ON textId = id WHERE text != value
SELECT count(*) FROM (SELECT DISTINCT globalTid FROM CUPTI_ACTIVITY_KIND_RUNTIME EXCEPT SELECT globalTid FROM ThreadNames)
SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r USING (correlationId)
SELECT m.label, sum(bytes) FROM CUPTI_ACTIVITY_KIND_MEMCPY JOIN ENUM_CUDA_MEMCPY_OPER m ON copyKind = m.id GROUP BY 1
SELECT count(*) FROM TARGET_INFO_GPU g JOIN TARGET_INFO_CUDA_DEVICE d ON g.id = d.gpuId
SELECT value FROM META_DATA_EXPORT WHERE name = 'EXPORT_SCHEMA_VERSION'
END
cat >expected <<'END'
ok

0
0
0
5
Host-to-Device 500
1
3.24.14
END
is "$(cat out)" "$(cat expected)" "what readers of exports join is there"
python3 facts.py odd.sqlite >out <<'END'
SELECT severity, text FROM DIAGNOSTIC_EVENT WHERE text LIKE 'ring_full%'
SELECT count(*) FROM NVTX_EVENTS WHERE end IS NULL AND eventType IN (59, 60)
SELECT count(*) FROM NVTX_EVENTS WHERE text LIKE '%' || char(65533) || '%'
END
printf '2 ring_full: 327 events were lost: the buffer was full\n11\n' >expected
is "$(head -n 2 out)" "$(cat expected)" "losses are told, and ranges that never ended have no end"
[ "$(tail -n 1 out)" -gt 0 ]
is $? 0 "what is no UTF-8 is replaced"
"$analyzer" stats odd.sqlite --strict -r threads >out 2>err
is $? 4 "what was lost is lost when it is read back"
if [ -f "$traces/nsys/tiny_2026_1.sqlite.gz" ]; then
	python3 - x.sqlite small.sqlite tiny_2026_1.sqlite graph_2025_5.sqlite <<'END' >out
import sqlite3, sys
ours, theirs = [sqlite3.connect(path) for path in sys.argv[1:3]], [sqlite3.connect(path) for path in sys.argv[3:]]
for db in ours[:1]:
    for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'LIBRANGES%'"):
        columns = [row[1:4] for row in db.execute(f"PRAGMA table_info({table})")]
        known = [[row[1:4] for row in other.execute(f"PRAGMA table_info({table})")] for other in theirs]
        if any(known) and columns not in known:
            print(table, columns, known)
END
	is "$(cat out)" "" "tables have the columns of nsys"
else
	skip "tables have the columns of nsys" "no public exports"
fi

# ---- as many rows as there are ----
# Long tables get 16 rows at a time. New names, values that few rows have, and rows of other tables
# come between.
cat >rows.py <<'END'
import sqlite3, subprocess, sys
analyzer, writer = sys.argv[1:]
NEW = 5, 11, 17, 70  # names between which there are fewer and more rows than 16

def name_of(i):
    return b"bad \xff %d" % (i % 2) if i % 8 == 3 else b"new %d" % i if i in NEW else b"name %d" % (i % 3)

def write(count):
    yield b'capture pid=7 clock="monotonic"\ndef stream id=1 tid=7 name="main"\ndef stream id=3 parent=1 name="GPU"'
    for i in range(count):
        value = b" category=5 payload=u64:%d" % (i + 70) if i % 3 == 1 else b" payload=double:%d.5" % i if i % 5 == 2 else b""
        yield b'event 1 0 %d push name="%s"%s\nevent 1 0 %d pop' % (1000 + i * 100, name_of(i), value, 1050 + i * 100)
    for i in range(count):
        kind = b'kernel name="k %d"' % (i % 5) if i % 20 < 17 else b"copy bytes=%d kind=1" % i
        yield b"event 3 0 %d %s dur=5 context=1 queue=7 corr=%d" % (1000 + i * 100, kind, i + 1)
    yield b'end status="clean"\n'

for count in 0, 1, 15, 16, 17, 31, 32, 33, 120:
    subprocess.run([sys.executable, writer, "rows.bin"], input=b"\n".join(write(count)), check=True)
    subprocess.run([analyzer, "rows.bin", "-o", "rows.sqlite"], check=True, stderr=subprocess.DEVNULL)
    db = sqlite3.connect("rows.sqlite")
    every = range(count)
    ranges = [(i + 1, i * 100, i * 100 + 50, name_of(i).decode(errors="replace"), 5 if i % 3 == 1 else None,
               i + 70 if i % 3 == 1 else None, i + .5 if i % 3 != 1 and i % 5 == 2 else None) for i in every]
    texts = dict.fromkeys(name_of(i).decode(errors="replace") for i in every)
    kernels = [i for i in every if i % 20 < 17]
    copies = [i for i in every if i % 20 >= 17]
    for wanted, query in (
            (ranges, "SELECT rowid, start - (SELECT min(start) FROM NVTX_EVENTS), end - (SELECT min(start) FROM NVTX_EVENTS), "
                     "text, category, uint64Value, doubleValue FROM NVTX_EVENTS ORDER BY rowid"),
            ([row[3:4] for row in ranges], "SELECT value FROM NVTX_EVENTS e JOIN StringIds s ON s.id = textId ORDER BY e.rowid"),
            (list(enumerate(texts)), "SELECT id, value FROM StringIds ORDER BY id LIMIT %d" % len(texts)),
            ([(at + 1, i + 1, "k %d" % (i % 5)) for at, i in enumerate(kernels)], "SELECT k.rowid, correlationId, value "
             "FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN StringIds s ON s.id = demangledName ORDER BY k.rowid"),
            ([(at + 1, i + 1, i) for at, i in enumerate(copies)],
             "SELECT rowid, correlationId, bytes FROM CUPTI_ACTIVITY_KIND_MEMCPY ORDER BY rowid")):
        found = db.execute(query).fetchall()
        if found != wanted:
            print(count, query, *next(pair for pair in zip(found + [None], wanted + [None]) if pair[0] != pair[1]))
END
is "$(python3 rows.py "$analyzer" "$test_dir/tools/text-log.py" 2>&1)" "" \
	"0 to 120 rows of a table stand in it, in order and with their values"

# ---- nsys' words for losses ----
python3 - <<'END'
import sqlite3
db = sqlite3.connect("small.sqlite")
db.execute("CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER, timestampType INTEGER, source INTEGER, severity INTEGER, text TEXT, globalPid INTEGER)")
for severity, text in ((2, "Not all CUDA events might have been collected."), (1, "Number of CUDA events collected: \t12."),
                       (2, "Number of incomplete CUPTI events dropped: 34"), (3, "Events were lost: 5 of a thread"),
                       (2, "Number of events dropped: 99999999999999999999999999"), (2, ""), (2, None)):
    db.execute("INSERT INTO DIAGNOSTIC_EVENT VALUES (5000, 1, 1, ?, ?, 0)", (severity, text))
db.commit()
END
"$analyzer" stats small.sqlite -r threads >out 2>err
cat out err | grep -E 'note: (34 |1 warn)' >said
cat >expected <<'END'
note: 34 GPU records were dropped: the driver, or libranges, had no room
note: 1 warning of nsys that events may be missing
END
is "$(cat said)" "$(cat expected)" "what nsys says it lost stands below the tables"
"$analyzer" stats small.sqlite --strict >out 2>err
is $? 4 "... and --strict asks for it"

# ---- where it can't be ----
mkdir broken
echo "no library" >broken/libsqlite3.so.0
fails 6 "without libsqlite3 it is not written" env LD_LIBRARY_PATH=broken "$analyzer" "$plain" -o none.sqlite
fails 6 "nor by a batch" env LD_LIBRARY_PATH=broken "$analyzer" batch "$plain" -o none --emit sqlite
fails 2 "standard output is refused" "$analyzer" "$plain" --to sqlite -o -
fails 2 "so is a packed file" "$analyzer" "$plain" -o z.sqlite.gz
fails 2 "so is what is no file" "$analyzer" "$plain" --to sqlite -o /dev/null
fails 2 "so is the input" "$analyzer" small.sqlite -o small.sqlite
fails 6 "a folder that is not there" "$analyzer" "$plain" -o none/z.sqlite
cp x.sqlite old.sqlite
# shellcheck disable=SC2016 # the inner shell's
fails 6 "a disk that is full, or a limit of size" sh -c 'trap "" XFSZ; ulimit -f 4; exec "$@"' sh "$analyzer" "$plain" -o old.sqlite
cmp -s old.sqlite x.sqlite
is $? 0 "... and what was there stays"
"$analyzer" "$plain" -o old.sqlite
is "$?:$("$analyzer" stats old.sqlite -r threads -f csv | wc -l)" "0:3" "else it is replaced"

done_testing
