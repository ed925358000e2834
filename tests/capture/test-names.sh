#!/bin/sh
# SPDX-License-Identifier: MIT
# Tables take time in proportion to the log, whatever its names are.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "python3, which makes the logs, is missing"

# write_log FILE COUNT PYTHON: writes a log of COUNT ranges. PYTHON gives for range i the event that
# begins it, the one that ends it, and the time between.
write_log()
{
	python3 - "$2" "$3" <<'PY' | python3 "$top_srcdir/tests/tools/text-log.py" "$1"
import sys
code = compile(sys.argv[2], "code", "exec")
print('capture pid=1 clock="monotonic"\nclock ticks=0 mono=0 real=0 boot=0 err=0\ndef stream id=1 tid=1')
rows = []
for i in range(int(sys.argv[1])):
    row = {"i": i, "dur": 1}
    exec(code, row)
    rows += [(3 * i, row["begin"]), (3 * i + row["dur"], row["end"])]
for i, (ticks, text) in enumerate(sorted(rows)):
    print("event 1 0", ticks, text)
    if i % 4000 == 3999:
        print("chunk")
PY
}

# cost COMMAND...: prints its CPU time in ms, at least 20, because less is noise. Under a sanitizer
# noise is up to 50, with the start.
cost()
{
	python3 - "$@" <<'PY'
import os, resource, subprocess, sys
noise = 20 if os.environ.get("SANITIZERS", "no") == "no" else 50
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(max(noise, int(1000 * (usage.ru_utime + usage.ru_stime))))
PY
}

# is_like A B SENTENCE: A took at most 10 times as long as B.
is_like()
{
	[ "$1" -le $(($2 * 10)) ]
	ok $? "$3"
	diag "$1 ms, and $2 ms"
}

write_log "$temp/many.bin" 65518 'begin, end = f"push name=\"x{i}a\"", "pop"'
many=$(cost "$analyzer" stats "$temp/many.bin" --limit 1)
write_log "$temp/fewer.bin" 16384 'begin, end = f"push name=\"x{i}a\"", "pop"'
is_like "$many" "$(cost "$analyzer" stats "$temp/fewer.bin" --limit 1)" \
	"a table of four times as many names takes some four times as long"

write_log "$temp/domains.bin" 65536 'd = f"domain={1 + i % 65518}"; begin, end = f"push name=\"x\" {d}", f"pop {d}"'
is "$("$analyzer" stats "$temp/domains.bin" --format tsv | sed 1d | cut -f 1 | sort | uniq -c | tr -d ' ')" \
	65518x "a name has a row for each of 65518 domains"
is_like "$(cost "$analyzer" stats "$temp/domains.bin" --limit 1)" "$many" \
	"the table takes no longer than one with a row for each of as many names"

# Names like those of PyTorch's emit_nvtx.
write_log "$temp/torch.bin" 100000 'begin, end = f"push name=\"aten::op{i % 200}, seq = {i}, op_id = {2 * i + 1}, sizes = [[{i % 3}, 7]]\"", "pop"'
is "$("$analyzer" stats "$temp/torch.bin" --format tsv --names raw | sed 1d | wc -l | tr -d ' ')" 100000 \
	"there are 100000 names of PyTorch's operators"
is "$("$analyzer" stats "$temp/torch.bin" --format tsv | sed 1d | cut -f 1 | sort | cksum)" \
	"$(seq 0 199 | sed 's/^/aten::op/' | sort | cksum)" "they make 200 rows"
is "$("$analyzer" stats "$temp/torch.bin" --group-by shape --format tsv | sed 1d | wc -l | tr -d ' ')" 600 \
	"and 600 with the shapes of their inputs"
is_like "$(cost "$analyzer" stats "$temp/torch.bin" --limit 1)" \
	"$(cost "$analyzer" stats "$temp/torch.bin" --limit 1 --names raw)" "making them takes no longer than not"

# Names like requests to a server: each has its number, and takes seconds.
write_log "$temp/long.bin" 65536 'begin, end, dur = f"start id={i + 1} name=\"{i}\"", f"end id={i + 1}", 5 * 10**9'
is "$("$analyzer" stats "$temp/long.bin" --format tsv --sort median | cut -f 11 | sort -r | uniq -c | tr -d ' ')" \
	"1median_ns
655365000000000" "medians of seconds are exact"
write_log "$temp/short.bin" 65536 'begin, end = f"start id={i + 1} name=\"{i}\"", f"end id={i + 1}"'
is_like "$(cost "$analyzer" stats "$temp/long.bin" --limit 1)" \
	"$(cost "$analyzer" stats "$temp/short.bin" --limit 1)" "many of them take no longer"
done_testing
