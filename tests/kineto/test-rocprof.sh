#!/bin/sh
# SPDX-License-Identifier: MIT
# Profiles of rocprofv3 in JSON: made ones, and a real one whose figures another program found.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
real=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}/other/rocprof_v3_mi350.json.gz
command -v python3 >/dev/null 2>&1 || skip_all "no python3"
for kind in calls kernels queues odd; do
	python3 "$top_srcdir/tests/kineto/rocprof.py" "$kind" >"$temp/$kind.json" || exit 1
done

# cells FILE REPORT COLUMN...: those columns of a report, rows separated by ";".
cells()
{
	file=$1
	report=$2
	shift 2
	"$analyzer" stats "$file" -r "$report" -f tsv 2>/dev/null | awk -F '\t' -v wanted="$*" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(wanted, column, " "); next }
		{ for (i = 1; i <= n; i++) printf "%s%s", $(at[column[i]]), i < n ? "," : ";" }'
}

calls=$temp/calls.json
is "$(cells "$calls" kernels name calls total_ns)" "gemm(float*),2,1500;fill.kd,1,100;" "kernels have their names, for people if there is one"
is "$(cells "$calls" devices device name kernel_ns memcpy_ns)" '0,AMD "made" GPU,100,0;1,AMD "made" GPU,1500,40;' \
	"each is of its agent, counted among the GPUs"
is "$(cells "$calls" ranges name domain self_cpu_ns cuda_total_ns)" \
	"epoch 1,(default),1500,1500;ncclAllReduce,rccl,500,100;(outside any range),,,40;" "markers and calls of RCCL are ranges"
is "$(cells "$calls" api name calls total_ns)" "hipLaunchKernel,3,150;" "calls have their names"
is "$(cells "$calls" launch correlation stream tid api)" \
	",3,,;1,3,41,hipLaunchKernel;2,4,41,hipLaunchKernel;3,3,41,hipLaunchKernel;" "and the kernels that they launched"
is "$(cells "$calls" memcpy name bytes)" "Memcpy HtoD,4096;" "copies have their direction and bytes"
is "$("$analyzer" info "$calls" 2>/dev/null | awk '/^(host|program) / { print $2 }' | tr '\n' ' ')" "node-8 train " "the host and the program are told"
if python3 -c 'import sqlite3' 2>/dev/null && "$analyzer" "$calls" -o "$temp/calls.sqlite" 2>"$temp/said"; then
	is "$(python3 -c 'import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
print(*base.execute("SELECT gridX, gridY, blockX, registersPerThread, dynamicSharedMemory FROM CUPTI_ACTIVITY_KIND_KERNEL ORDER BY start").fetchone(),
      *base.execute("SELECT smCount, clockRate, totalMemory FROM TARGET_INFO_GPU").fetchone())' "$temp/calls.sqlite")" \
		"4 3 256 24 512 64 2100000000 17179869184" "facts of launches and of devices are written: grids are of workgroups"
else
	skip "facts of launches and devices" "no SQLite"
fi
is "$(cells "$temp/kernels.json" idle-streams device stream | tr ';' '\n' | grep -c .)" 3 "queues are streams of HIP"
is "$(cells "$temp/queues.json" trace section name | tr ';' '\n' | grep '^stream' | tr '\n' ' ')" "stream,0:16 stream,1:16 stream,1:17 " \
	"those of the hardware if rocprofv3 was told so"
is "$("$analyzer" stats "$temp/kernels.json" -r kernels 2>&1 | grep '^gpu')" "gpu: not linked: the recording has no API calls" \
	"a recording without calls says so"
is "$("$analyzer" stats "$temp/odd.json" -r kernels 2>&1 | grep -c '^note: 2 records are of kinds.*(scratch_memory)\|^note: 1 event has no name\|^note: 1 duration is below 0')" 3 \
	"what is odd is counted"

# Other ways in and out give the same.
gzip -c "$calls" >"$temp/packed"
"$analyzer" stats "$calls" -r all -f tsv >"$temp/wanted" 2>/dev/null
for way in packed pipe json; do
	case $way in
	packed) "$analyzer" stats "$temp/packed" -r all -f tsv ;;
	pipe) gzip -dc <"$temp/packed" | "$analyzer" stats - -r all -f tsv ;;
	json) "$analyzer" "$calls" -o "$temp/out.json" && "$analyzer" stats "$temp/out.json" -r all -f tsv ;;
	esac >"$temp/got" 2>/dev/null
	diff "$temp/wanted" "$temp/got" >"$temp/said"
	ok $? "$way: the same reports"
done
"$analyzer" "$calls" -o "$temp/out.pftrace" 2>/dev/null && "$analyzer" "$calls" -o "$temp/out.html" 2>/dev/null
ok $? "a page and a trace for Perfetto are made"
"$analyzer" summarize "$calls" -o "$temp/out.sum" 2>/dev/null
is "$("$analyzer" "$temp/out.sum" 2>/dev/null | grep -c 'epoch 1')" 1 "and a summary"
python3 -c 'import subprocess, sys
analyzer, path = sys.argv[1:]
whole = open(path, "rb").read()
for size in range(60, len(whole), 97):
    open(path + ".cut", "wb").write(whole[:size])
    done = subprocess.run([analyzer, "stats", "-r", "kernels", path + ".cut"], capture_output=True, text=True)
    if done.returncode != 0 or "1 stretch of the file could not be read" not in done.stderr + done.stdout:
        print(size, done)' "$analyzer" "$calls" >"$temp/said" 2>&1
is_empty "$(cat "$temp/said")" "a file that is cut is read as far as it goes, and says so"
is "$("$analyzer" dump "$calls" 2>&1 | grep -c 'a profile of rocprofv3, and the command reads logs')" 1 "commands for logs say what it is"

if [ -f "$real" ]; then
	"$analyzer" stats "$real" -r kernels -f tsv 2>/dev/null | awk -F '\t' 'NR > 1 { names++; calls += $4; sum += $3
		if ($3 > most) { most = $3; of = substr($1, 1, 24) " " $4 } }
		END { printf "%d %d %.0f %s %.0f\n", names, calls, sum, of, most }' >"$temp/said"
	is "$(cat "$temp/said")" "80 43915 4441741378 ncclDevKernel_Generic_1( 1310 4158756678" "the real one has 43,915 kernels of 80 names"
	is "$(cells "$real" devices device span_ns busy_ns operations)" "0,15122023494,4233112334,43915;" "on one device, for that long"
	is "$(cells "$real" trace section count | tr ';' '\n' | awk -F , '$1 == "stream" { streams++; ops += $2 } END { print streams, ops }')" \
		"567 43915" "in 567 streams"
	is "$(cells "$real" overview kernel_ns communication_ns total_ns)" "281681933,3951430401,15122023494;" "the overview has that time as well"
	is "$(python3 "$top_srcdir/tests/kineto/outputs.py" "$analyzer" "$real" "$temp" 2>&1 | grep -v '^page')" "json 43915 4441741378
pftrace 43915 4441741378
summary 43915 4441741378" "JSON, protobuf and summary have these kernels"
else
	skip "a real profile" "no traces: RANGES_TEST_TRACES names their folder"
fi
done_testing
