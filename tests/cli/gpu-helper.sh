# SPDX-License-Identifier: MIT
# Rule helper: a thread without ranges works for the thread that waits for it, as autograd does
# A thread that launches while the other one also works does not work for it.
{
	cat <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=2 parent=1 name="GPU"
LOG
	event=0
	row=0
	corr=0
	for step in 0 1 2; do
		for range in forward backward; do
			[ $range = forward ] && begin=$((step * 10000)) || begin=$((step * 10000 + 4000))
			echo "event 1 $event $begin push name=\"$range\""
			echo "event 1 $((event + 1)) $((begin + 3900)) pop"
			event=$((event + 2))
			for k in 0 1 2 3 4 5 6 7; do
				at=$((begin + 100 + 100 * k))
				# In forward main itself launches (7), with a copying thread (9) in
				# between. In backward autograd launches (8).
				[ $range = forward ] && threads='7 9' || threads=8
				for tid in $threads; do
					corr=$((corr + 1))
					echo "event 2 $row $((at + tid)) api name=\"cudaLaunchKernel\" dur=1 tid=$tid corr=$corr kind=1"
					echo "event 2 $((row + 1)) $((at + 50 + tid)) kernel name=\"by $tid\" dur=10 context=1 queue=$tid corr=$corr"
					row=$((row + 2))
				done
			done
		done
	done
	echo 'end status="clean"'
} | text-log a.bin
# Columns of each range: name, Self CUDA, CUDA total.
for rules in '' --attribute=own --attribute=process; do
	# shellcheck disable=SC2086 # no rules, no word
	analyzer stats a.bin $rules --format tsv | awk -F '\t' '{ print $1 "|" $10 "|" $11 }'
	# shellcheck disable=SC2086
	analyzer stats a.bin $rules --report footer --format json | sed -n 's/.*\("by_rule_ns":{[^}]*}\).*/\1/p'
	# shellcheck disable=SC2086
	analyzer stats a.bin $rules --report footer | grep gpu
done
