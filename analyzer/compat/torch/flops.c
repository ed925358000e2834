/* SPDX-License-Identifier: MIT */
/* Computes an operator's floating point operations from its name and the sizes of its inputs. */
#include "analyzer/compat/torch/flops.h"

#include <string.h>

#include "analyzer/base/dims.h"

/* Counts those of a matrix product. The first matrix is input number `first`. With batches, the
 * sizes of both matrices begin with the number of batches. */
static double count_product(struct rlog_string dims, size_t first, bool is_batched)
{
	struct ra_dims a;
	struct ra_dims b;
	double inner;

	if (!ra_dims_find(dims, first, &a) || !ra_dims_find(dims, first + 1, &b) || a.count == 0 ||
	    b.count == 0) {
		return 0;
	}
	inner = a.value[a.count - 1];
	if (inner == 0 || (is_batched && a.value[0] == 0)) {
		return 0;
	}
	return 2 * (ra_dims_multiply(&a) / inner / (is_batched ? a.value[0] : 1)) *
	       ra_dims_multiply(&b);
}

/* Returns the number of places where a filter of size `kernel` fits along one axis. */
static double count_places(double size, double padding, double dilation, double kernel,
                           double stride)
{
	const double room = size + 2 * padding - dilation * (kernel - 1) - 1;

	return room < 0 || stride < 1 ? 0 : (double) ((uint64_t) (room / stride)) + 1;
}

static double count_convolution(struct rlog_string dims, struct rlog_string concrete)
{
	struct ra_dims input;
	struct ra_dims filter;
	struct ra_dims stride;
	struct ra_dims padding;
	struct ra_dims dilation;
	struct rlog_string element;
	double groups;
	double places = 1;

	if (!ra_dims_find(dims, 0, &input) || !ra_dims_find(dims, 1, &filter) || input.count != 4 ||
	    filter.count != 4 || !ra_dims_find(concrete, 3, &stride) ||
	    !ra_dims_find(concrete, 4, &padding) || !ra_dims_find(concrete, 5, &dilation) ||
	    stride.count != 2 || padding.count != 2 || dilation.count != 2 ||
	    !ra_dims_find_element(concrete, 6, &element)) {
		return 0;
	}
	groups = ra_dims_read_number(element);
	if (groups < 1) {
		return 0;
	}
	for (size_t i = 0; i < 2; i++) {
		places *= count_places(input.value[2 + i], padding.value[i], dilation.value[i],
		                       filter.value[2 + i], stride.value[i]);
	}
	return 2 * input.value[0] * places * filter.value[2] * filter.value[3] * input.value[1] *
	       filter.value[0] / groups;
}

double ra_flops_of_event(const struct ra_kineto *kineto, uint32_t event)
{
	static const struct {
		const char *name;
		size_t first;
		bool is_batched;
	} products[] = {
		{ "aten::mm", 0, false },
		{ "aten::addmm", 1, false },
		{ "aten::bmm", 0, true },
		{ "aten::baddbmm", 1, true },
	};
	const uint32_t name = kineto->name[event];
	struct rlog_string dims;
	struct ra_dims sizes;
	uint32_t id;

	if (kineto->strings[name].length < 8 ||
	    memcmp(kineto->strings[name].bytes, "aten::", 6) != 0) {
		return 0;
	}
	id = ra_kineto_get_text(kineto, event, RA_KINETO_ARG_INPUT_DIMS);
	id = id != 0 ? id : ra_kineto_get_text(kineto, event, RA_KINETO_ARG_INPUT_DIMS_OLD);
	dims = kineto->strings[id];
	for (size_t i = 0; i < sizeof(products) / sizeof(products[0]); i++) {
		if (ra_kineto_is_text(kineto, name, products[i].name)) {
			return count_product(dims, products[i].first, products[i].is_batched);
		}
	}
	if (ra_kineto_is_text(kineto, name, "aten::conv2d")) {
		id = ra_kineto_get_text(kineto, event, RA_KINETO_ARG_CONCRETE_INPUTS);
		return count_convolution(dims, kineto->strings[id]);
	}
	if (ra_kineto_is_text(kineto, name, "aten::add") ||
	    ra_kineto_is_text(kineto, name, "aten::mul")) {
		return ra_dims_find(dims, 0, &sizes) && sizes.count > 0 ? ra_dims_multiply(&sizes)
		                                                        : 0;
	}
	return 0;
}
