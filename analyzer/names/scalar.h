/* SPDX-License-Identifier: MIT */
/* Finds the types of a tensor's values by their names. */
#ifndef RA_SCALAR_H
#define RA_SCALAR_H

#include "analyzer/names/kernel-kinds.h"

struct ra_scalar {
	const char *name;
	int64_t bytes;            /* size of one value */
	enum ra_kernel_type type; /* the type in which kernels compute with it; unknown: no peak
	                             rate is known for it */
};

/* Finds a type by its name in C++ (c10::Half), as inputs have it, or in PyTorch (Half), as the arg
 * `dtype` has it. Return: a type of static storage; NULL: there is none. */
const struct ra_scalar *ra_scalar_find(struct rlog_string name);

#endif
