/* SPDX-License-Identifier: MIT */
/* Computes the work of an operator by a model: floating point operations and bytes, from its
 * inputs. */
#ifndef RA_OP_WORK_H
#define RA_OP_WORK_H

#include <stdbool.h>

#include "analyzer/base/dims.h"
#include "analyzer/names/kernel-kinds.h"

/* A call of an operator as traces describe it: JSON arrays with one element for each input. */
struct ra_op_args {
	struct rlog_string name;
	struct rlog_string dims;
	struct rlog_string types;    /* types of the inputs; empty: not known */
	struct rlog_string strides;  /* strides; empty: not known. An input that is repeated by
	                                stride 0 is read once */
	struct rlog_string concrete; /* empty: not known */
};

struct ra_op_work {
	double flops;             /* floating point operations; 0: there is no model, or the trace
	                             has too few args */
	double bytes;             /* 0: there is no model, or the trace has too few args */
	enum ra_kernel_type type; /* the type in which the operator multiplies */
};

/*
 * Computes the work by the models of doc/metrics.md, section 23. Time is linear in the length of
 * the texts.
 *
 * Return: false if neither operations nor bytes are known.
 */
bool ra_op_work_find(const struct ra_op_args *args, struct ra_op_work *work);

/* Returns the first type in an array of PyTorch's type names for which devices have a peak. */
enum ra_kernel_type ra_op_work_find_type(struct rlog_string array);

#endif
