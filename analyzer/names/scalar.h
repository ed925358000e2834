/* SPDX-License-Identifier: MIT */
/* Finds types of a tensor's values by their names. */
#ifndef RA_SCALAR_H
#define RA_SCALAR_H

#include "analyzer/names/kernel-kinds.h"

struct ra_scalar {
	const char *name;
	int64_t bytes; /* of one value */
	enum ra_kernel_type
		type; /* what kernels compute with it; unknown: no rate is known for it */
};

/* Finds a type by its name in C++ (c10::Half), which inputs have, or in PyTorch (Half), which the
 * arg `dtype` has. Return: of static storage; NULL: there is none. */
const struct ra_scalar *ra_scalar_find(struct rlog_string name);

#endif
