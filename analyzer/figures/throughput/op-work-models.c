/* SPDX-License-Identifier: MIT */
/* Chooses the model for an operator's work, and computes the work of matrix products. */
#include "analyzer/figures/throughput/op-work.h"

#include "analyzer/figures/throughput/op-work-impl.h"

/* A matrix product: the numbers of the inputs that are multiplied, and of the input that is
 * added. */
struct product {
	const char *name;
	signed char a;
	signed char b;
	signed char c;      /* input that is added; -1: nothing is added */
	signed char beta;   /* input that is the factor of c; 0 leaves c out; -1: the factor is 1 */
	bool is_transposed; /* b is [N,K] */
	bool is_mixed;      /* the result has another type than the inputs */
};

static const struct product products[] = {
	{ "aten::mm", 0, 1, -1, -1, false, false },
	{ "aten::bmm", 0, 1, -1, -1, false, false },
	{ "aten::addmm", 1, 2, 0, 3, false, false },
	{ "aten::addmm_", 1, 2, 0, 3, false, false },
	{ "aten::baddbmm", 1, 2, 0, 3, false, false },
	{ "aten::baddbmm_", 1, 2, 0, 3, false, false },
	{ "aten::_addmm_activation", 1, 2, 0, 3, false, false },
	{ "aten::linear", 0, 1, 2, -1, true, false },
	{ "aten::matmul", 0, 1, -1, -1, false, false },
	{ "aten::mv", 0, 1, -1, -1, false, false },
	{ "aten::addmv", 1, 2, 0, 3, false, false },
	{ "aten::dot", 0, 1, -1, -1, false, false },
	{ "aten::_int_mm", 0, 1, -1, -1, false, true },
	{ "aten::_scaled_mm", 0, 1, -1, -1, false, true },
};

/* Returns the size of axis `back` from the end; 1 if the tensor has fewer axes. */
static double axis(const struct ra_dims *dims, size_t back)
{
	return back < dims->count ? dims->value[dims->count - 1 - back] : 1;
}

/* Finds rows, inner size and columns of the product; *batch: number of products. */
static bool measure(const struct product *product, struct ra_dims *a, struct ra_dims *b,
                    double mnk[3], double *batch)
{
	const size_t a_rank = a->count;
	const size_t most = a->count > b->count ? a->count : b->count;
	const double b_inner = b->count == 1 || product->is_transposed ? axis(b, 0) : axis(b, 1);

	mnk[0] = a_rank > 1 ? axis(a, 1) : 1;
	mnk[1] = b->count == 1 ? 1 : product->is_transposed ? axis(b, 1) : axis(b, 0);
	mnk[2] = axis(a, 0);
	*batch = 1;
	for (size_t i = 2; i < most; i++) {
		*batch *= axis(a, i) > axis(b, i) ? axis(a, i) : axis(b, i);
	}
	return b_inner == mnk[2];
}

static bool measure_product(const struct ra_op_args *args, struct ra_op_work *work)
{
	const struct product *product = products;
	const struct product *end = products + sizeof(products) / sizeof(products[0]);
	struct ra_op_tensor a;
	struct ra_op_tensor b;
	struct ra_op_tensor c;
	double mnk[3];
	double batch;
	bool adds;

	while (product < end && !ra_op_work_is_name(args, product->name)) {
		product++;
	}
	if (product == end || !ra_op_work_tensor(args, (size_t) product->a, &a) ||
	    !ra_op_work_tensor(args, (size_t) product->b, &b) ||
	    !measure(product, &a.dims, &b.dims, mnk, &batch)) {
		return false;
	}
	adds = product->c >= 0 && ra_op_work_tensor(args, (size_t) product->c, &c) &&
	       (product->beta < 0 || !ra_op_work_is(args, (size_t) product->beta, "0"));
	work->type = a.type;
	work->flops = batch * mnk[0] * mnk[1] * (2 * mnk[2] + (adds ? 1 : 0));
	if (a.size > 0 && b.size > 0 && !product->is_mixed) {
		work->bytes = a.elements * a.size + b.elements * b.size +
		              (adds ? c.elements * c.size : 0) + batch * mnk[0] * mnk[1] * a.size;
	}
	return true;
}

bool ra_op_work_find(const struct ra_op_args *args, struct ra_op_work *work)
{
	*work = (struct ra_op_work){ 0 };
	if (measure_product(args, work) || ra_op_work_convolution(args, work) ||
	    ra_op_work_attention(args, work) || ra_op_work_elements(args, work)) {
		/* Sizes come from a file. If one is negative or a product overflows, the work is
		 * not known. */
		work->flops = work->flops > 0 && work->flops < 1e300 ? work->flops : 0;
		work->bytes = work->bytes > 0 && work->bytes < 1e300 ? work->bytes : 0;
	}
	return work->flops > 0 || work->bytes > 0;
}
