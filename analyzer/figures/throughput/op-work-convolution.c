/* SPDX-License-Identifier: MIT */
/* Computes the work of convolutions, forward and backward. */
#include <math.h>

#include "analyzer/figures/throughput/op-work-impl.h"

/* The number of the input for each argument; -1: no input has it. */
struct convolution {
	const char *name;
	signed char input;
	signed char filter;
	signed char bias;
	signed char stride;
	signed char padding;
	signed char dilation;
	signed char transposed;
	signed char output_padding;
	signed char groups;
	signed char gradient; /* gradient of the result; -1: this is not the backward operator */
	signed char mask;     /* which gradients are wanted: input, filter, bias */
};

static const struct convolution convolutions[] = {
	{ "aten::conv1d", 0, 1, 2, 3, 4, 5, -1, -1, 6, -1, -1 },
	{ "aten::conv2d", 0, 1, 2, 3, 4, 5, -1, -1, 6, -1, -1 },
	{ "aten::conv3d", 0, 1, 2, 3, 4, 5, -1, -1, 6, -1, -1 },
	{ "aten::conv_transpose1d", 0, 1, 2, 3, 4, 7, 1, 5, 6, -1, -1 },
	{ "aten::conv_transpose2d", 0, 1, 2, 3, 4, 7, 1, 5, 6, -1, -1 },
	{ "aten::conv_transpose3d", 0, 1, 2, 3, 4, 7, 1, 5, 6, -1, -1 },
	{ "aten::convolution", 0, 1, 2, 3, 4, 5, 6, 7, 8, -1, -1 },
	{ "aten::_convolution", 0, 1, 2, 3, 4, 5, 6, 7, 8, -1, -1 },
	{ "aten::cudnn_convolution", 0, 1, -1, 3, 2, 4, -1, -1, 5, -1, -1 },
	{ "aten::miopen_convolution", 0, 1, 2, 4, 3, 5, -1, -1, 6, -1, -1 },
	{ "aten::convolution_backward", 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 10 },
};

/* The settings of a call. */
struct settings {
	struct ra_dims stride;
	struct ra_dims padding;
	struct ra_dims dilation;
	struct ra_dims output_padding;
	double groups;
	bool is_transposed;
};

/* Reads a list with one number an axis. A single number is for all axes; an empty list is the
 * default. */
static bool find_list(const struct ra_op_args *args, signed char index, size_t axes, double usual,
                      struct ra_dims *list)
{
	struct rlog_string text;

	list->count = 0;
	if (index >= 0 && (!ra_dims_find_element(args->concrete, (size_t) index, &text) ||
	                   (text.length > 2 && !ra_dims_read(text, list)))) {
		return false;
	}
	if (list->count <= 1 && axes <= RA_DIMS_MAX) {
		const double value = list->count == 1 ? list->value[0] : usual;

		for (size_t i = 0; i < axes; i++) {
			list->value[i] = value;
		}
		list->count = axes;
	}
	return list->count == axes;
}

static bool find_settings(const struct ra_op_args *args, const struct convolution *of, size_t axes,
                          struct settings *settings)
{
	struct rlog_string groups;

	if (!find_list(args, of->stride, axes, 1, &settings->stride) ||
	    !find_list(args, of->padding, axes, 0, &settings->padding) ||
	    !find_list(args, of->dilation, axes, 1, &settings->dilation) ||
	    !find_list(args, of->output_padding, axes, 0, &settings->output_padding) ||
	    !ra_dims_find_element(args->concrete, (size_t) of->groups, &groups)) {
		return false;
	}
	settings->groups = ra_dims_read_number(groups);
	/* For aten::conv_transpose… the name shows that the convolution is transposed. Then input 1
	 * is the filter. */
	settings->is_transposed =
		of->transposed == of->filter ||
		(of->transposed >= 0 && ra_op_work_is(args, (size_t) of->transposed, "True"));
	return settings->groups >= 1;
}

/* Returns the number of elements of the result. */
static double count_result(const struct ra_dims *input, const struct ra_dims *filter,
                           const struct settings *settings)
{
	double count =
		input->value[0] *
		(settings->is_transposed ? filter->value[1] * settings->groups : filter->value[0]);

	for (size_t i = 0; i + 2 < input->count; i++) {
		const double reach = settings->dilation.value[i] * (filter->value[2 + i] - 1) + 1;
		const double size = input->value[2 + i];
		const double stride = settings->stride.value[i];
		const double padding = 2 * settings->padding.value[i];

		if (stride < 1) {
			return 0;
		}
		count *= settings->is_transposed ? (size - 1) * stride - padding + reach +
		                                           settings->output_padding.value[i]
		                                 : floor((size + padding - reach) / stride) + 1;
	}
	return count > 0 ? count : 0;
}

/* Each gradient that is wanted takes as many multiplications as the result took. */
static void count_backward(const struct ra_op_args *args, const struct convolution *of,
                           const double elements[3], double products, struct ra_op_work *work)
{
	const double all = elements[0] + elements[1] + elements[2];
	struct rlog_string mask;
	const char *at;
	size_t gradient = 0;

	if (!ra_dims_find_element(args->concrete, (size_t) of->mask, &mask)) {
		return;
	}
	for (at = mask.bytes; at < mask.bytes + mask.length && gradient < 3; at++) {
		if (*at != 'T' && *at != 'F') { /* list of True and False */
			continue;
		}
		if (*at == 'T') {
			work->flops += gradient < 2 ? 2 * products : elements[2];
			work->bytes += gradient < 2 ? all : 0;
		}
		gradient++;
	}
}

static const struct convolution *find_convolution(const struct ra_op_args *args)
{
	for (size_t i = 0; i < sizeof(convolutions) / sizeof(convolutions[0]); i++) {
		if (ra_op_work_is_name(args, convolutions[i].name)) {
			return &convolutions[i];
		}
	}
	return NULL;
}

bool ra_op_work_convolution(const struct ra_op_args *args, struct ra_op_work *work)
{
	const struct convolution *of = find_convolution(args);
	struct ra_op_tensor input;
	struct ra_op_tensor filter;
	struct ra_op_tensor bias;
	struct settings settings;
	double elements[3]; /* input, filter, result */
	double products;

	if (of == NULL || !ra_op_work_tensor(args, (size_t) of->input, &input) ||
	    !ra_op_work_tensor(args, (size_t) of->filter, &filter) || input.dims.count < 3 ||
	    input.dims.count != filter.dims.count || filter.dims.value[0] < 1 ||
	    !find_settings(args, of, input.dims.count - 2, &settings)) {
		return false;
	}
	elements[0] = ra_dims_multiply(&input.dims);
	elements[1] = ra_dims_multiply(&filter.dims);
	elements[2] = count_result(&input.dims, &filter.dims, &settings);
	products = (settings.is_transposed ? elements[0] : elements[2]) * elements[1] /
	           filter.dims.value[0];
	work->type = input.type;
	if (of->gradient >= 0) {
		count_backward(args, of, elements, products, work);
		work->bytes *= input.size;
		return true;
	}
	work->flops = 2 * products;
	work->bytes = (elements[0] + elements[1] + elements[2]) * input.size;
	if (of->bias >= 0 && ra_op_work_tensor(args, (size_t) of->bias, &bias)) {
		work->flops += elements[2];
		work->bytes += bias.elements * bias.size;
	}
	return true;
}
