/* SPDX-License-Identifier: MIT */
/* Computes the work of operators that read and write each element once: only bytes. */
#include <string.h>

#include "analyzer/figures/throughput/op-work-impl.h"

#define MAX_INPUTS 8

/* Names of operators, without aten:: and without the trailing _ of in-place operators. */
static const char *const elementwise[] = {
	"abs",
	"add",
	"addcdiv",
	"addcmul",
	"clamp",
	"clamp_max",
	"clamp_min",
	"copy",
	"cos",
	"div",
	"elu",
	"elu_backward",
	"erf",
	"exp",
	"gelu",
	"gelu_backward",
	"hardsigmoid",
	"hardswish",
	"hardswish_backward",
	"hardtanh",
	"hardtanh_backward",
	"leaky_relu",
	"leaky_relu_backward",
	"lerp",
	"log",
	"masked_fill",
	"maximum",
	"minimum",
	"mish",
	"mul",
	"native_dropout_backward",
	"neg",
	"pow",
	"reciprocal",
	"relu",
	"rsqrt",
	"rsub",
	"sigmoid",
	"sigmoid_backward",
	"silu",
	"silu_backward",
	"sin",
	"softplus",
	"sqrt",
	"sub",
	"tanh",
	"tanh_backward",
	"threshold_backward",
	"_softmax",
	"_softmax_backward_data",
	"_log_softmax",
	"_log_softmax_backward_data",
};

/* These operators also read weights, means and the like. Their result has the size of the first
 * input. */
static const char *const normalizations[] = {
	"native_layer_norm",
	"native_layer_norm_backward",
	"layer_norm",
	"native_batch_norm",
	"native_batch_norm_backward",
	"cudnn_batch_norm",
	"cudnn_batch_norm_backward",
	"miopen_batch_norm",
	"miopen_batch_norm_backward",
	"batch_norm",
	"_batch_norm_impl_index",
	"native_group_norm",
	"native_group_norm_backward",
	"group_norm",
	"_fused_rms_norm",
	"_fused_rms_norm_backward",
	"rms_norm",
};

/* @name: not empty. */
static bool is_listed(struct rlog_string name, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (name.bytes[0] == list[i][0] && ra_util_string_is(name, list[i])) {
			return true;
		}
	}
	return false;
}

/* True if there is a model for the operator in this file; *is_like_first: the result has the size
 * of the first input. */
static bool find_name(const struct ra_op_args *args, bool *is_inplace, bool *is_like_first)
{
	struct rlog_string name = args->name;

	if (name.length < 8 || memcmp(name.bytes, "aten::", 6) != 0) {
		return false;
	}
	name.bytes += 6;
	name.length -= 6;
	*is_inplace = name.bytes[name.length - 1] == '_';
	name.length -= *is_inplace;
	*is_like_first =
		is_listed(name, normalizations, sizeof(normalizations) / sizeof(normalizations[0]));
	return *is_like_first ||
	       is_listed(name, elementwise, sizeof(elementwise) / sizeof(elementwise[0]));
}

/* Finds the shape of the result: the largest size of each axis, aligned at the last axis. */
static void spread(double result[RA_DIMS_MAX], const struct ra_dims *dims)
{
	for (size_t i = 0; i < dims->count; i++) {
		const double size = dims->value[dims->count - 1 - i];

		if (size > result[i]) {
			result[i] = size;
		}
	}
}

/* Counts the inputs that are read. The inputs of clamp_min and clamp_max after the bound may be the
 * output tensor. */
static size_t count_inputs(const struct ra_op_args *args)
{
	return ra_op_work_is_name(args, "aten::clamp_min") ||
	                       ra_op_work_is_name(args, "aten::clamp_max")
	               ? 2
	               : MAX_INPUTS;
}

bool ra_op_work_elements(const struct ra_op_args *args, struct ra_op_work *work)
{
	const size_t count = count_inputs(args);
	double result[RA_DIMS_MAX];
	double elements = 1;
	double read = 0;
	double size = 0; /* bytes of an element of the result */
	bool is_inplace;
	bool is_like_first;
	bool is_copy;

	if (!find_name(args, &is_inplace, &is_like_first)) {
		return false;
	}
	is_copy = is_inplace && ra_op_work_is_name(args, "aten::copy_");
	for (size_t i = 0; i < RA_DIMS_MAX; i++) {
		result[i] = 1;
	}
	for (size_t i = 0; i < count; i++) {
		struct ra_op_tensor tensor;

		if (!ra_op_work_tensor(args, i, &tensor)) {
			continue;
		}
		if (tensor.size <= 0) {
			return false;
		}
		if (i == 0 || !(is_inplace || is_like_first)) {
			spread(result, &tensor.dims);
			size = tensor.size > size ? tensor.size : size;
		}
		read += is_copy && i == 0 ? 0 : tensor.elements * tensor.size;
	}
	for (size_t i = 0; i < RA_DIMS_MAX; i++) {
		elements *= result[i];
	}
	work->bytes = read + (read > 0 ? elements * size : 0);
	return read > 0;
}
