/* SPDX-License-Identifier: MIT */
/* Which kernels use tensor cores, and which operators could: by name, as the plugin guesses. */
#ifndef RA_TENSOR_H
#define RA_TENSOR_H

#include <stdbool.h>

#include "analyzer/base/text/util-string.h"
#include "format/tables.h"

/* The plugin's list, of 2021: it knows none of the names that came with Hopper. */
bool ra_tensor_is_kernel(struct rlog_string name);
bool ra_tensor_is_operator(struct rlog_string name);

/* The default mode's: also kernels of CUTLASS, by its templates' names too, cuBLAS on Hopper and
 * Blackwell, and FlashAttention. */
bool ra_tensor_is_any_kernel(const struct ra_util_string_pairs *name);

/* Likewise: also what has come since as a product of matrices, a convolution, or attention. */
bool ra_tensor_is_any_operator(struct rlog_string name);

#endif
