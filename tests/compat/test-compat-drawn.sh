#!/bin/sh
# SPDX-License-Identifier: MIT
# Other tools give the same figures for a trace that was written again as for the trace.
#
# These tools do not know the key with the list of changes, so it is removed. The rest has other
# rows, arrows and times, and more events. --compat and our own figures stand for
# HolisticTraceAnalysis, the TensorBoard plugin and TraceLens; the tests beside this one compare
# them with the tools' own figures. If PYTHONPATH has the tools (RANGES_TEST_PYTHON names a Python
# with pandas), they are run on both, too.
#
# Times that Perfetto would read 1 ns wrongly are written relative to a later point. These tools
# also read doubles, and round other times differently. So the original trace is moved to that
# point, too, and then all figures are equal to the last digit.
. "${0%/*}/../lib.sh"
need_temp

analyzer=$top_builddir/analyzer/analyzer
traces=${RANGES_TEST_TRACES:-$top_srcdir/../shared/traces}

if ! command -v python3 >/dev/null 2>&1 || [ ! -d "$traces/expected" ]; then
	skip_all "no python3 or no traces"
fi
mkdir "$temp/drawn"
ln -s "$(cd "$traces" && pwd)/expected" "$temp/drawn/expected"
mkdir "$temp/moved" "$temp/again"
moved=
for file in "$traces"/*.json.gz; do
	name=${file##*/}
	name=${name%.json.gz}
	"$analyzer" "$file" -o "$temp/again/$name.json.gz" 2>"$temp/err"
	shift_us=$(gzip -dc "$temp/again/$name.json.gz" | sed -n '1s/.*"shift_us":\([0-9]*\).*/\1/p')
	if [ -n "$shift_us" ]; then
		moved="$moved $name "
		python3 "$top_srcdir/tests/compat/move.py" "$file" "$shift_us" | gzip -1 >"$temp/moved/$name.json.gz"
	else
		ln -s "$(cd "$traces" && pwd)/$name.json.gz" "$temp/moved/"
	fi
	gzip -dc "$temp/again/$name.json.gz" | sed '1,/\]},$/{
		1s/^{"libranges_timeline".*/{/
		/^"[0-9]*","[0-9]*",/d
	}' | gzip -1 >"$temp/drawn/$name.json.gz"
done
is "$moved" " nccl_data  ns_resolution " "times of two traces are moved"
is "$(gzip -dc "$temp/drawn/dlrm_rank0.json.gz" | grep -c -e libranges_timeline):$(gzip -dc "$temp/drawn/dlrm_rank0.json.gz" |
	grep -c '"added":1')" "0:1054" "what is compared has not the key, but what was added"
is "$(gzip -dc "$temp/drawn/dlrm_rank3.json.gz" | grep -cE '"rank":[[:space:]]+3')" 1 "HolisticTraceAnalysis finds the rank"

# ns_resolution has times since 1970 with fractions of a µs, which are rounded to 250 ns. So the
# tools' stored figures differ.
for expected in "$traces"/expected/*.hta.json; do
	name=${expected##*/}
	[ "${name#ns_resolution}" = "$name" ] || continue
	result=$(python3 "$top_srcdir/tests/compat/hta.py" "$analyzer" "$temp/drawn" "$expected" 2>&1 | grep -v '^#')
	compared=${result##*
}
	is "${result% *}|${compared#* }" "${compared% *}|0" \
		"${name%.hta.json}: ${compared% *} figures of HolisticTraceAnalysis are those of the trace"
done
for expected in "$traces"/expected/*.tb.json; do
	name=${expected##*/}
	name=${name%.tb.json}
	[ "$name" != ns_resolution ] || continue
	within=1e-9
	case $moved in *" $name "*) within=1e-3 ;; esac
	python3 "$top_srcdir/tests/tools/compare-tb.py" --within $within "$analyzer" "$temp/drawn/$name.json.gz" "$expected" >"$temp/out" 2>"$temp/err"
	status=$?
	[ $status -eq 0 ] || diag "$(head -n 20 "$temp/out" "$temp/err")"
	ok $status "$name: $(sed -n 's/^.*: \([0-9]*\) figures.*/\1/p' "$temp/out") figures of the TensorBoard plugin are those of the trace"
done
for name in $moved; do
	for kind in tb hta; do
		for side in moved drawn; do
			"$analyzer" stats --compat=$kind -r all -f csv "$temp/$side/$name.json.gz" 2>"$temp/err" |
				sed '/^unknown_events,/d' >"$temp/$side.figures" # halves of arrows without the other
		done
		[ -s "$temp/moved.figures" ] && cmp -s "$temp/moved.figures" "$temp/drawn.figures"
		status=$?
		[ $status -eq 0 ] || diag "$(cat "$temp/err"; diff "$temp/moved.figures" "$temp/drawn.figures" | head -n 10)"
		ok $status "$name, moved: $(wc -l <"$temp/moved.figures") lines of figures as of $kind are those of the trace"
	done
done
python3 "$top_srcdir/tests/kineto/compare-tracelens.py" "$analyzer" "$temp/drawn" >"$temp/out" 2>"$temp/err"
ok $? "so are those of TraceLens: $(tail -n 1 "$temp/out")"

# same TOOL NAME...: the tool shows the same for these traces, as ranks, and for the traces written
# again.
same()
{
	tool=$1
	shift
	sentence="$tool itself shows the same of $*"
	for name; do
		set -- "$@" "$name.json.gz"
		shift
	done
	status=0
	(cd "$temp/moved" && "$python" "$here/drawn-tools.py" "$tool" "$@") >"$temp/old" 2>"$temp/err" || status=$?
	if [ $status -eq 77 ]; then
		skip "$sentence" "$(cat "$temp/old")"
		return
	fi
	(cd "$temp/again" && "$python" "$here/drawn-tools.py" "$tool" "$@") >"$temp/new" 2>>"$temp/err" || status=$?
	[ $status -eq 0 ] && [ -s "$temp/old" ] && cmp -s "$temp/old" "$temp/new"
	ok $? "$sentence: $(wc -l <"$temp/old") lines"
	cmp -s "$temp/old" "$temp/new" || diag "$(tail -n 5 "$temp/err"; diff "$temp/old" "$temp/new" | cut -c 1-200 | head -n 10)"
}

python=${RANGES_TEST_PYTHON:-python3}
here=$(cd "$top_srcdir/tests/compat" && pwd)
for tool in hta tracelens tb; do
	for name in h100_bert_small nccl_data resnet50_w0 dlrm_rank0; do
		same "$tool" "$name"
	done
done
same hta dlrm_rank0 dlrm_rank1 dlrm_rank2 dlrm_rank3 dlrm_rank4 dlrm_rank5 dlrm_rank6 dlrm_rank7
done_testing
