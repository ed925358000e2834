# SPDX-License-Identifier: MIT
# A line reports options that no chosen report takes, missing steps, and too many files
mkdir run
for rank in 0 1; do
	text-log run/$rank.bin <<LOG
capture pid=7 clock="monotonic" rank=$rank
event 1 0 1000 push name="ProfilerStep#5"
event 1 1 1010 pop
event 1 2 1020 push name="ProfilerStep#6"
event 1 3 1030 pop
end status="clean"
LOG
done
check()
{
	analyzer stats "$@" 2>&1
	echo "exit $?: $*"
}
check run/0.bin -r kernels -g shape
check run/0.bin -g stack
check run/0.bin -r ranges,key_averages -g stack
check run/0.bin -r key_averages,threads -g domain
check run/0.bin -r ranges,threads -g domain -f csv
check run/0.bin -r overview --steps 60-70
check run/0.bin -r overview --steps 1 --step-range nothing
check run/0.bin -r overview,threads --steps 6-9 -f csv
check run/0.bin -r threads --steps 6
check run -r gpu
check run -r overview,gpu
check run -r stragglers,nothing
check run -r breakdown,overview,ranges,comm -f csv
check run -r breakdown,overview -f json
check run -r all -f csv
check run/0.bin -r footer
analyzer run
