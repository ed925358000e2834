# SPDX-License-Identifier: MIT
# On a terminal tables have its width, and kernels have short names unless an option says otherwise
text-log a.bin <<'LOG'
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="a very long name of a range that nobody wants to see whole in a table"
event 1 1 2000 pop
event 3 0 1000 api name="cudaLaunchKernel" dur=100 tid=7 corr=1 kind=1
event 3 1 1100 api name="cudaLaunchKernel" dur=100 tid=7 corr=2 kind=1
event 3 2 2000 kernel name="void ns::add<float, 4>(float*, int)" dur=1000 context=1 queue=7 corr=1
event 3 3 3000 kernel name="void ns::add<float, 8>(float*, int)" dur=1000 context=1 queue=7 corr=2
end status="clean"
LOG
# on_terminal COMMAND [WORD...]: its output, on a terminal of 60 columns. Not its progress, which a slow
# machine would show.
on_terminal()
{
	on-screen -e 60 50 "$@"
}
on_terminal analyzer stats a.bin -r ranges,kernels
on_terminal analyzer stats a.bin -r kernels --kernel-name full --width 0
on_terminal analyzer stats a.bin -r kernels -f csv
analyzer stats a.bin -r kernels
on_terminal analyzer a.bin
