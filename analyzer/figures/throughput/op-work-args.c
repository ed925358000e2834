/* SPDX-License-Identifier: MIT */
/* Reads the args of an operator: tensors, their types and sizes, and words. */
#include "analyzer/base/text/util-string.h"
#include "analyzer/figures/throughput/op-work-impl.h"
#include "analyzer/names/scalar.h"

/* Returns an element without the quotation marks around it. */
static bool find_word(struct rlog_string array, size_t index, struct rlog_string *word)
{
	if (!ra_dims_find_element(array, index, word)) {
		return false;
	}
	if (word->length >= 2 && word->bytes[0] == '"') {
		word->bytes++;
		word->length -= 2;
	}
	return true;
}

enum ra_kernel_type ra_op_work_find_type(struct rlog_string array)
{
	struct rlog_string name;
	enum ra_kernel_type type = RA_KERNEL_TYPE_UNKNOWN;

	/* Only the types of the first inputs are needed, so the array is read again for each. */
	for (size_t i = 0; i < RA_DIMS_MAX && type == RA_KERNEL_TYPE_UNKNOWN; i++) {
		const struct ra_scalar *scalar;

		if (!find_word(array, i, &name)) {
			break;
		}
		scalar = ra_scalar_find(name);
		type = scalar == NULL ? RA_KERNEL_TYPE_UNKNOWN : scalar->type;
	}
	return type;
}

bool ra_op_work_is(const struct ra_op_args *args, size_t index, const char *word)
{
	struct rlog_string text;

	return find_word(args->concrete, index, &text) && ra_util_string_is(text, word);
}

bool ra_op_work_tensor(const struct ra_op_args *args, size_t index, struct ra_op_tensor *tensor)
{
	struct ra_dims strides;
	struct rlog_string name;

	*tensor = (struct ra_op_tensor){ .elements = 1 };
	if (!ra_dims_find(args->dims, index, &tensor->dims) || tensor->dims.count == 0) {
		return false;
	}
	if (!ra_dims_find(args->strides, index, &strides) || strides.count != tensor->dims.count) {
		strides.count = 0;
	}
	for (size_t i = 0; i < tensor->dims.count; i++) {
		if (strides.count == 0 || strides.value[i] != 0) {
			tensor->elements *= tensor->dims.value[i];
		}
	}
	if (find_word(args->types, index, &name)) {
		const struct ra_scalar *scalar = ra_scalar_find(name);

		tensor->size = scalar == NULL ? 0 : (double) scalar->bytes;
		tensor->type = scalar == NULL ? RA_KERNEL_TYPE_UNKNOWN : scalar->type;
	}
	return true;
}
