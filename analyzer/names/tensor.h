/* SPDX-License-Identifier: MIT */
/* Which kernels use tensor cores, and which operators could, by name, as HTA's plugin guesses. */
#ifndef RA_TENSOR_H
#define RA_TENSOR_H

#include <stdbool.h>

#include "analyzer/base/text/util-string.h"
#include "format/tables.h"

/* Goes by the plugin's list of 2021, which has none of the names that came with Hopper. */
bool ra_tensor_is_kernel(struct rlog_string name);
bool ra_tensor_is_operator(struct rlog_string name);

/* For the default mode: also knows CUTLASS by its templates' names, cuBLAS on Hopper and Blackwell,
 * and FlashAttention. */
bool ra_tensor_is_any_kernel(const struct ra_util_string_pairs *name);

/* Likewise: also knows later matrix products, convolutions and attention. */
bool ra_tensor_is_any_operator(struct rlog_string name);

#endif
