# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154 # the variables of tests/lib.sh
# Writes small traces in JSON for tests of reports. Source it behind lib.sh and need_temp.
# Times are µs. $trace is the file that `write` makes.

trace=$temp/trace.json

# event CAT NAME START DUR [ARGS]: an X event of thread 1 of process 1.
event()
{
	printf ',{"ph":"X","cat":"%s","name":"%s","pid":1,"tid":1,"ts":%s,"dur":%s,"args":{%s}}\n' \
		"$1" "$2" "$3" "$4" "${5:-}"
}

# call NAME START DUR CORRELATION: a call of CUDA's runtime.
call()
{
	event cuda_runtime "$1" "$2" "$3" "\"correlation\":$4"
}

# gpu CAT NAME START DUR CORRELATION [DEVICE [STREAM]]: work on a stream (7) of a device (0).
gpu()
{
	printf ',{"ph":"X","cat":"%s","name":"%s","pid":%s,"tid":%s,"ts":%s,"dur":%s,"args":{"device":%s,"stream":%s,"context":1,"correlation":%s}}\n' \
		"$1" "$2" "${6:-0}" "${7:-7}" "$3" "$4" "${6:-0}" "${7:-7}" "$5"
}

# write [MEMBERS [MAJOR]]: writes standard input as a trace of two devices with 1000 bytes of memory
# and compute capability MAJOR.0 (8.0). MEMBERS are further members of the top level, with a comma
# at the end.
write()
{
	trace_device='"totalGlobalMem":1000,"computeMajor":'${2:-8}',"computeMinor":0,"warpSize":32,"numSms":100,'
	trace_device=$trace_device'"maxThreadsPerBlock":1024,"maxThreadsPerMultiprocessor":2048,"regsPerBlock":65536,'
	trace_device=$trace_device'"regsPerMultiprocessor":65536,"sharedMemPerBlock":49152,'
	trace_device=$trace_device'"sharedMemPerBlockOptin":166912,"sharedMemPerMultiprocessor":167936'
	{
		printf '{%s"deviceProperties":[{"id":0,"name":"GPU",%s},{"id":1,"name":"GPU",%s}],' \
			"${1:-}" "$trace_device" "$trace_device"
		printf '"traceEvents":[{"ph":"M","name":"x","pid":1,"tid":1}\n'
		cat
		echo ']}'
	} >"$trace"
}

# csv REPORT [OPTION...]: prints the rows of a report, without the header.
csv()
{
	trace_report=$1
	shift
	"$top_builddir/analyzer/analyzer" stats --report "$trace_report" --format csv "$@" "$trace" \
		2>/dev/null | sed 1d
}
