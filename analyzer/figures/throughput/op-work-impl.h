/* SPDX-License-Identifier: MIT */
/* Reads an operator's inputs, and declares the families of models. Private to op-work*.c. */
#ifndef RA_OP_WORK_IMPL_H
#define RA_OP_WORK_IMPL_H

#include "analyzer/base/text/util-string.h"
#include "analyzer/figures/throughput/op-work.h"

/* A tensor among the inputs. */
struct ra_op_tensor {
	struct ra_dims dims;
	double elements; /* number of elements, each counted once */
	double size;     /* bytes of an element; 0: not known */
	enum ra_kernel_type type;
};

/* Reads a tensor. Return: false if input `index` is no tensor. */
bool ra_op_work_tensor(const struct ra_op_args *args, size_t index, struct ra_op_tensor *tensor);

/* Returns input `index` as a word, such as "True". */
bool ra_op_work_is(const struct ra_op_args *args, size_t index, const char *word);

/* True if the name is exactly this text, which must be longer than "aten::". Nearly all names begin
 * with "aten::", so the bytes after it are compared first. */
static inline bool ra_op_work_is_name(const struct ra_op_args *args, const char *name)
{
	const size_t at = sizeof("aten::") - 1;

	return args->name.length > at && args->name.bytes[at] == name[at] &&
	       ra_util_string_is(args->name, name);
}

/* Each computes the work of one family. Return: false if the operator is not of the family, or its
 * inputs do not fit. */
bool ra_op_work_convolution(const struct ra_op_args *args, struct ra_op_work *work);
bool ra_op_work_attention(const struct ra_op_args *args, struct ra_op_work *work);
bool ra_op_work_elements(const struct ra_op_args *args, struct ra_op_work *work);

#endif
