#!/bin/sh
# SPDX-License-Identifier: MIT
# The report critical-path, where the path is known by hand: on the GPU, on the host, over two
# streams, over several threads, for traces and for logs.
# shellcheck disable=SC2119 # write without arguments
. "${0%/*}/../lib.sh"
need_temp
# shellcheck source=../kineto/trace.sh
. "$test_dir/kineto/trace.sh"

# on_thread TID: standard input's events, of that thread.
on_thread()
{
	sed "s/\"tid\":1,/\"tid\":$1,/"
}

# path: the rows without the share.
path()
{
	csv critical-path | cut -d, -f1-5
}

# Two kernels run one after the other, and a call waits for them. The second's launch is not on the
# path.
{
	event user_annotation ProfilerStep#3 0 100
	event cpu_op work 5 93
	call cudaLaunchKernel 10 2 1
	call cudaLaunchKernel 13 2 2
	call cudaDeviceSynchronize 20 75 3
	gpu kernel k1 15 35 1
	gpu kernel k2 50 40 2
} | write
is "$(path)" "3,kernel,k2,1,40000
3,kernel,k1,1,35000
3,range,work,2,8000
3,nothing,(in no range and no call),2,7000
3,call,cudaDeviceSynchronize,1,5000
3,delay,after the launch,1,3000
3,call,cudaLaunchKernel,1,2000" "the GPU makes the step long"
is "$(csv critical-path | cut -d, -f6 | awk '{ s += $1 } END { print s }')" 1 "shares are of the step"

# A thread in no range and no call is in a function of Python, if the trace has functions.
{
	event user_annotation ProfilerStep#3 0 100
	event cpu_op work 5 10
	event python_function 'train.py(7): main' 0 100
	event python_function 'train.py(12): load' 15 75
	event cpu_op work 90 10
} | write
is "$(path)" "3,python,train.py(12): load,1,75000
3,range,work,2,20000
3,python,train.py(7): main,1,5000" "functions of Python are told in place of nothing"
is "$("$top_builddir/analyzer/analyzer" why "$trace" | tr '\n' ' ' | grep -c 'the file does not say what it did')" 0 "and why knows what the program did"

# The second kernel comes late, because the thread was in "slow". The first is not on the path.
{
	event cpu_op work 0 50
	event cpu_op slow 10 20
	call cudaLaunchKernel 5 2 1
	call cudaLaunchKernel 30 2 2
	gpu kernel a 9 3 1
	gpu kernel b 35 25 2
} | write
is "$(path)" "0,kernel,b,1,25000
0,range,slow,1,20000
0,range,work,2,8000
0,call,cudaLaunchKernel,2,4000
0,delay,after the launch,1,3000" "the host makes the whole long"

# The second of two streams waits for an event of the first. Another kernel, which ended later, was
# launched after the wait.
streams()
{
	event cpu_op work 0 10
	call cudaLaunchKernel 0 2 1
	call cudaStreamWaitEvent 3 1 2
	call cudaLaunchKernel 5 2 3
	call cudaLaunchKernel 8 1 4
	gpu kernel k1 5 35 1
	gpu kernel k2 42 18 3 0 8
	gpu kernel k3 20 21 4 0 9
	$1 gpu cuda_sync 'Stream Wait Event' 3 1 2 0 8
}
streams '' | write
is "$(path)" "0,kernel,k1,1,35000
0,kernel,k2,1,18000
0,delay,after the launch,1,3000
0,delay,after an operation of another stream,1,2000
0,call,cudaLaunchKernel,1,2000" "a stream that waits for another"
streams : | write
is "$(path)" "0,delay,after the launch,1,35000
0,kernel,k2,1,18000
0,call,cudaLaunchKernel,2,4000
0,range,work,2,2000
0,call,cudaStreamWaitEvent,1,1000" "without a record of the wait nobody knows what for"

# As streams(), but k3 was launched before the wait, too. The place where the event was recorded
# tells which kernel the stream waited for.
recorded()
{
	{
		event cpu_op work 0 10
		call cudaLaunchKernel 0 1 1
		call cudaLaunchKernel 1 1 4
		call cudaEventRecord 2 1 5
		call cudaStreamWaitEvent 3 1 2
		call cudaLaunchKernel 5 2 3
		gpu kernel k1 5 35 1
		gpu kernel k2 42 18 3 0 8
		gpu kernel k3 20 21 4 0 9
		gpu cuda_sync 'Stream Wait Event' 3 1 2 0 8 | sed "s/\"correlation\":2/&$1/"
	} | write
	path | grep '^0,kernel' | cut -d, -f3 | sort | tr '\n' ' '
}
is "$(recorded '')" "k2 k3 " "without the event's stream, what ended last is what was waited for"
is "$(recorded ',"wait_on_stream":7,"wait_on_cuda_event_record_corr_id":5')" "k1 k2 " "the event's stream tells what was waited for"
is "$(recorded ',"wait_on_stream":9,"wait_on_cuda_event_record_corr_id":5')" "k2 k3 " "whichever it is"
is "$(recorded ',"wait_on_stream":9,"wait_on_cuda_event_record_corr_id":1')" "k2 " "and what was launched behind the event's recording is not waited for"
is "$(recorded ',"wait_on_stream":-1,"wait_on_cuda_event_record_corr_id":-1')" "k2 k3 " "-1 is nothing known"

# A copy in a call that waits for it.
{
	call cudaMemcpy 0 30 1
	gpu gpu_memcpy 'Memcpy HtoD (Pageable -> Device)' 5 20 1
} | write
is "$(path)" "0,memcpy,Memcpy HtoD,1,20000
0,call,cudaMemcpy,2,10000" "a copy is on the path of the call that waits for it"

# The second thread works while the first, which has the step, is in no range or call.
threads()
{
	event user_annotation ProfilerStep#3 0 100
	event cpu_op forward 0 20
	event cpu_op backward 22 38 | on_thread 2
	event cpu_op optimizer 62 8
}
threads | write
is "$(path)" "3,range,backward,1,38000
3,nothing,(in no range and no call),3,34000
3,range,forward,1,20000
3,range,optimizer,1,8000" "where the step's thread is in nothing another thread is on the path"
{
	threads
	call cudaLaunchKernel 50 2 1 | on_thread 2
	call cudaStreamSynchronize 70 20 2
	gpu kernel kb 55 25 1
} | write
is "$(path)" "3,range,backward,1,28000
3,kernel,kb,1,25000
3,range,forward,1,20000
3,nothing,(in no range and no call),2,12000
3,call,cudaStreamSynchronize,1,10000
3,delay,after the launch,1,3000
3,call,cudaLaunchKernel,1,2000" "from a wait to the kernel, and on to the thread that launched it"

# GPU work without a known call, and no activity of the host.
{
	gpu kernel k1 10 10 1
	gpu kernel k2 30 5 2 0 8
} | write
is "$(path)" "0,nothing,(in no range and no call),1,10000
0,kernel,k1,1,10000
0,kernel,k2,1,5000" "a GPU alone"

# Our own log.
cat <<'LOG' | python3 "$test_dir/tools/text-log.py" "$trace"
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="step"
event 3 0 1100 api name="cudaLaunchKernel" dur=100 tid=7 corr=1 kind=1
event 3 1 2000 kernel name="k" dur=500 context=1 queue=7 corr=1
event 1 1 1900 pop
end status="clean"
LOG
is "$(path)" "0,delay,after the launch,1,800
0,kernel,k,1,500
0,call,cudaLaunchKernel,1,100
0,range,step,1,100" "of a log"

# As recorded(), but the log's event is recorded in another context than the one that waits.
log_recorded()
{
	cat <<LOG | python3 "$test_dir/tools/text-log.py" "$trace"
capture pid=7 clock="monotonic"
def stream id=1 tid=7 name="main"
def stream id=3 parent=1 name="GPU"
event 1 0 1000 push name="work"
event 3 0 1000 api name="cudaLaunchKernel" dur=1000 tid=7 corr=1 kind=1
event 3 1 2000 api name="cudaLaunchKernel" dur=1000 tid=7 corr=4 kind=1
event 3 2 3000 api name="cudaEventRecord" dur=1000 tid=7 corr=5 kind=1
event 3 3 3000 gpu_event context=$1 queue=7 corr=5 id=77 sync=1
event 3 4 4000 api name="cudaStreamWaitEvent" dur=1000 tid=7 corr=2 kind=1
event 3 5 4000 gpu_sync kind=2 context=1 queue=8 corr=2 id=77 sync=1
event 3 6 6000 api name="cudaLaunchKernel" dur=2000 tid=7 corr=3 kind=1
event 3 7 6000 kernel name="k1" dur=35000 context=2 queue=7 corr=1
event 3 8 21000 kernel name="k3" dur=21000 context=1 queue=7 corr=4
event 3 9 43000 kernel name="k2" dur=18000 context=1 queue=8 corr=3
event 1 1 11000 pop
end status="clean"
LOG
	path | grep '^0,kernel' | cut -d, -f3 | sort | tr '\n' ' '
}
is "$(log_recorded 2)" "k1 k2 " "an event of a log tells what was waited for"
is "$(log_recorded 1)" "k2 k3 " "… by its context"
done_testing
