#!/bin/sh
# SPDX-License-Identifier: MIT
# --compat=tb moves the backward pass below modules as the plugin does, and loses the same
# operators. The expected rows are those of the plugin for these traces.
. "${0%/*}/../lib.sh"
need_temp
. "$top_srcdir/tests/kineto/trace.sh"

# autograd NAME START DUR: an operator of thread 2.
autograd()
{
	printf ',{"ph":"X","cat":"cpu_op","name":"%s","pid":1,"tid":2,"ts":%s,"dur":%s,"args":{}}\n' "$@"
}

# arrow ID START END: from the forward to the backward pass.
arrow()
{
	printf ',{"ph":"s","cat":"fwdbwd","name":"fwdbwd","id":%s,"pid":1,"tid":1,"ts":%s}\n' "$1" "$2"
	printf ',{"ph":"f","cat":"fwdbwd","name":"fwdbwd","id":%s,"pid":1,"tid":2,"ts":%s,"bp":"e"}\n' "$1" "$3"
}

# shellcheck disable=SC2119 # write has arguments of its own, of which none is needed
{
	event user_annotation 'ProfilerStep#1' 0 1000
	event python_function 'nn.Module: Net_0' 10 100 '"Python module id":1'
	event cpu_op aten::mm 20 30
	event cpu_op aten::relu 60 30
	autograd 'autograd::engine::evaluate_function: MmBackward0' 300 50
	autograd MmBackward0 310 30
	autograd aten::mm 315 20
	autograd 'autograd::engine::evaluate_function: torch::autograd::AccumulateGrad' 360 10
	autograd 'autograd::engine::evaluate_function: AddBackward0' 400 50
	autograd AddBackward0 410 30
	arrow 1 20 310
} | write

is "$(csv operators --compat=tb | cut -d, -f1-2 | sort)" "MmBackward0,1
aten::mm,2
aten::relu,1
autograd::engine::evaluate_function: MmBackward0,1
autograd::engine::evaluate_function: torch::autograd::AccumulateGrad,1" \
	"tb: autograd's functions that an arrow leads to stay, others are lost"

# Without a module nothing is moved.
sed 's/Python module id/id/' "$trace" >"$temp/plain.json"
mv "$temp/plain.json" "$trace"
is "$(csv operators --compat=tb | cut -d, -f1-2 | grep -c Add)" 2 \
	"tb: without modules all of autograd's functions stay"

done_testing
