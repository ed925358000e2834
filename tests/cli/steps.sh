# SPDX-License-Identifier: MIT
# Steps from ranges_step() on two threads: their reports, GPU work by its launch, ranges by their begin
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
def domain id=5 name="lib"
def stream id=1 tid=7 name="main"
def stream id=2 tid=8 name="worker"
def stream id=4 parent=1 name="GPU"
event 1 0 1000 step payload=u64:3
event 1 1 1100 push name="train"
event 1 2 1900 pop
event 1 3 2000 step name="last" payload=u64:4
event 1 4 2100 push name="train" domain=5
event 1 5 2700 pop domain=5
event 1 6 3500 step_end
event 1 7 3600 push name="save"
event 1 8 3900 pop
event 2 0 1500 push name="load"
event 2 1 2500 pop
event 2 2 2600 step payload=u64:5
event 2 3 4000 mark name="end"
event 4 0 1200 api name="cudaLaunchKernel" dur=10 tid=7 corr=1 kind=1
event 4 1 1950 api name="cudaLaunchKernel" dur=10 tid=7 corr=2 kind=1
event 4 2 3700 api name="cudaLaunchKernel" dur=10 tid=7 corr=3 kind=1
event 4 3 1300 kernel name="a" dur=100 device=0 context=1 queue=7 corr=1
event 4 4 2050 kernel name="b" dur=300 device=0 context=1 queue=7 corr=2
event 4 5 3800 kernel name="c" dur=50 device=0 context=1 queue=7 corr=3
LOG
analyzer dump a.bin | grep -E ' (step|step_end)'
analyzer stats -r overview,ranges a.bin
analyzer stats -r ranges,kernels,devices --steps 3 a.bin
analyzer stats -r overview --steps 7 a.bin
analyzer a.bin -o a.json
for file in a.bin a.json; do
	analyzer stats -r overview,ranges,kernels -f csv --steps 3-4 "$file" >"$file.csv" 2>/dev/null
done
cmp a.bin.csv a.json.csv && echo "the same from JSON"
