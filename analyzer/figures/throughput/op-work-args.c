/* SPDX-License-Identifier: MIT */
/* What the args of an operator say: tensors, their types and sizes, words. */
#include "analyzer/base/text/util-string.h"
#include "analyzer/figures/throughput/op-work-impl.h"

static const struct {
	const char *name; /* as PyTorch writes it */
	double size;      /* bytes */
	enum ra_kernel_type type;
} types[] = {
	{ "c10::BFloat16", 2, RA_KERNEL_BF16 },
	{ "c10::Half", 2, RA_KERNEL_FP16 },
	{ "float", 4, RA_KERNEL_FP32 },
	{ "double", 8, RA_KERNEL_FP64 },
	{ "c10::Float8_e4m3fn", 1, RA_KERNEL_FP8 },
	{ "c10::Float8_e5m2", 1, RA_KERNEL_FP8 },
	{ "c10::Float8_e4m3fnuz", 1, RA_KERNEL_FP8 },
	{ "c10::Float8_e5m2fnuz", 1, RA_KERNEL_FP8 },
	{ "signed char", 1, RA_KERNEL_INT8 },
	{ "unsigned char", 1, RA_KERNEL_TYPE_UNKNOWN },
	{ "bool", 1, RA_KERNEL_TYPE_UNKNOWN },
	{ "short", 2, RA_KERNEL_TYPE_UNKNOWN },
	{ "short int", 2, RA_KERNEL_TYPE_UNKNOWN },
	{ "int", 4, RA_KERNEL_TYPE_UNKNOWN },
	{ "long", 8, RA_KERNEL_TYPE_UNKNOWN },
	{ "long int", 8, RA_KERNEL_TYPE_UNKNOWN },
	{ "c10::complex<float>", 8, RA_KERNEL_TYPE_UNKNOWN },
	{ "c10::complex<double>", 16, RA_KERNEL_TYPE_UNKNOWN },
};

#define TYPE_COUNT (sizeof(types) / sizeof(types[0]))

/* An element without the quotation marks around it. */
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

static size_t find_type(struct rlog_string name)
{
	size_t i = 0;

	while (i < TYPE_COUNT && !ra_util_string_is(name, types[i].name)) {
		i++;
	}
	return i;
}

enum ra_kernel_type ra_op_work_find_type(struct rlog_string array)
{
	struct rlog_string name;
	enum ra_kernel_type type = RA_KERNEL_TYPE_UNKNOWN;

	/* The types needed are among the first inputs; the array is read anew for each. */
	for (size_t i = 0; i < RA_DIMS_MAX && type == RA_KERNEL_TYPE_UNKNOWN; i++) {
		size_t of;

		if (!find_word(array, i, &name)) {
			break;
		}
		of = find_type(name);
		type = of < TYPE_COUNT ? types[of].type : RA_KERNEL_TYPE_UNKNOWN;
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
		const size_t type = find_type(name);

		tensor->size = type < TYPE_COUNT ? types[type].size : 0;
		tensor->type = type < TYPE_COUNT ? types[type].type : RA_KERNEL_TYPE_UNKNOWN;
	}
	return true;
}
