#!/bin/sh
# SPDX-License-Identifier: MIT
# Summaries of real inputs, merged in random splits, trees and orders, have the same bytes; and batches killed at any
# moment end with the same bytes. RANGES_TEST_MERGES (25) and RANGES_TEST_BATCH_KILLS (10) say how often.

. "${0%/*}/../lib.sh"
need_temp
analyzer=$top_builddir/analyzer/analyzer
[ -x "$analyzer" ] || skip_all "the analyzer is not built"
command -v python3 >/dev/null 2>&1 || skip_all "there is no python3"
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}
merges=${RANGES_TEST_MERGES:-25}
kills=${RANGES_TEST_BATCH_KILLS:-10}

# Real inputs: a public run of 8 ranks and other traces, if they are installed; logs of real
# programs; and some made here.
mkdir -p "$temp/in/run"
for trace in "$traces"/dlrm_rank?.json.gz "$traces"/resnet50_w?.json.gz "$traces"/nccl_data.json.gz; do
	[ ! -f "$trace" ] || ln -s "$(cd "$traces" && pwd)/${trace##*/}" "$temp/in/"
done
for log in "$top_srcdir"/tests/data/*.bin "$top_srcdir"/tests/data/*/*.bin; do
	[ ! -f "$log" ] || cp "$log" "$temp/in/run/"
done
if [ -x "$top_builddir/tests/tools/gen-log" ]; then
	for seed in 1 2 3 4; do
		"$top_builddir/tests/tools/gen-log" "$temp/in/run/made$seed.bin" --pairs $((seed * 20000)) --names 50 --depth 6 \
			--seed $seed
	done
fi
"$analyzer" batch "$temp/in" -o "$temp/all" -j1 >"$temp/out" 2>"$temp/err"
diag "$(cat "$temp/out")"

is "$(python3 - "$analyzer" "$temp" "$merges" <<'PY'
import os, random, subprocess, sys
analyzer, temp, merges = sys.argv[1], sys.argv[2], int(sys.argv[3])
random.seed(13)
wanted = open(temp + "/all/summary.sum", "rb").read()
parts = sorted(os.path.join(temp, "all/parts", name) for name in os.listdir(temp + "/all/parts") if name.endswith(".sum"))
def merge(out, inputs):
    random.shuffle(inputs)
    subprocess.run([analyzer, "merge", *inputs, "-o", out], check=True, stderr=subprocess.DEVNULL)
    return out
wrong = 0
for round in range(merges):
    leaves = [[] for _ in range(random.randrange(1, 7))]
    for part in parts:  # some are in two of them
        for leaf in random.sample(range(len(leaves)), 2 if len(leaves) > 1 and random.random() < 0.2 else 1):
            leaves[leaf].append(part)
    made = [merge("%s/leaf%d.sum" % (temp, number), leaf) for number, leaf in enumerate(leaves) if leaf]
    while len(made) > 1:  # any tree
        picked = [made.pop(random.randrange(len(made))) for _ in range(random.randrange(2, len(made) + 1))]
        made.append(merge(picked[0] + ".up", picked))
    wrong += open(merge(temp + "/root.sum", made), "rb").read() != wanted
    for name in os.listdir(temp):
        if name.startswith("leaf"):
            os.unlink(os.path.join(temp, name))
print(len(parts) > 1 or len(parts), wrong)
PY
)" "True 0" "$merges random splits, trees and orders of real inputs: the same bytes"

# The merges above use the parts of one batch. The following parts are made again from the inputs,
# by shards, workers and by hand.
is "$(python3 - "$analyzer" "$temp" <<'PY'
import os, random, subprocess, sys
analyzer, temp = sys.argv[1:]
random.seed(7)
wanted = open(temp + "/all/summary.sum", "rb").read()
wrong = 0
for count in 2, 3, 7:
    outs = []
    for shard in range(1, count + 1):
        out = "%s/s%d-%d" % (temp, count, shard)
        subprocess.run([analyzer, "batch", temp + "/in", "-o", out, "--shard", "%d/%d" % (shard, count), "-j%d" % (1 + shard % 2)],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if os.path.exists(out + "/summary.sum"):  # none if others have all its inputs
            outs.append(out)
    random.shuffle(outs)
    subprocess.run([analyzer, "merge", *outs, "-o", temp + "/shards.sum"], check=True, stderr=subprocess.DEVNULL)
    wrong += open(temp + "/shards.sum", "rb").read() != wanted
print(wrong)
PY
)" 0 "2, 3 and 7 shards, merged in random order: the same bytes"

# The moments are spread over the time that a batch takes here.
is "$(python3 - "$analyzer" "$temp" "$kills" 2>"$temp/err" <<'PY'
import collections, os, random, shutil, subprocess, sys, time
analyzer, temp, kills = sys.argv[1], sys.argv[2], int(sys.argv[3])
random.seed(11)
wanted = open(temp + "/all/summary.sum", "rb").read()
out = temp + "/killed"
command = [analyzer, "batch", temp + "/in", "-o", out, "--resume", "-j2"]
def batch():
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).returncode
start = time.monotonic()
code = batch()
whole = time.monotonic() - start
shutil.rmtree(out)
done = wrong = 0
parts = collections.Counter()
while done < kills:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(random.random() * whole)
    process.kill()
    done += process.wait() < 0
    left = os.listdir(out + "/parts") if os.path.isdir(out + "/parts") else []
    parts[sum(name.endswith(".sum") for name in left)] += 1
    if random.random() < 0.5:  # else it is killed again while it goes on
        wrong += batch() != code or open(out + "/summary.sum", "rb").read() != wanted
        shutil.rmtree(out)
if os.path.isdir(out):
    wrong += batch() != code or open(out + "/summary.sum", "rb").read() != wanted
print("killed with so many parts there:", dict(sorted(parts.items())), file=sys.stderr)
print(wrong)
PY
)" 0 "$kills kills at random moments: what is resumed has the same bytes"
diag "$(cat "$temp/err")"
done_testing
