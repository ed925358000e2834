# SPDX-License-Identifier: MIT
# --compat=tb: a step without bounds has no figures, and each step of our own logs counts once
cat >gpu.json <<'JSON'
{"traceEvents":[
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":100,"dur":50,"args":{"device":0,"stream":7,"correlation":1}},
{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":200,"dur":50,"args":{"device":0,"stream":7,"correlation":2}}
]}
JSON
# $1: the ranges' name.
write_log()
{
	text-log a.bin <<LOG
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="$1#1"
event 1 1 2000 pop
event 1 2 2000 push name="$1#2"
event 1 3 3000 pop
event 3 0 1100 api name="cudaLaunchKernel" dur=100 tid=7 corr=1 kind=1
event 3 1 1300 kernel name="k" dur=500 device=0 context=1 queue=7 corr=1
event 3 2 2100 api name="cudaLaunchKernel" dur=100 tid=7 corr=2 kind=1
event 3 3 2300 kernel name="k" dur=500 device=0 context=1 queue=7 corr=2
end status="clean"
LOG
	analyzer a.bin -o "$1.json"
}
write_log batch
write_log ProfilerStep
for file in gpu batch ProfilerStep; do
	analyzer stats --compat=tb "$file.json" -r overview,step-average,step-overlap,gpu,advice -f csv 2>/dev/null
done
