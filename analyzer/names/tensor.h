/* SPDX-License-Identifier: MIT */
/* Guesses by name which kernels use tensor cores, and which operators could use them, as HTA's
 * plugin does. */
#ifndef RA_TENSOR_H
#define RA_TENSOR_H

#include <stdbool.h>

#include "analyzer/base/text/util-string.h"
#include "format/tables.h"

/* True for a name in the plugin's list of 2021. That list lacks the names that came with Hopper. */
bool ra_tensor_is_kernel(struct rlog_string name);
bool ra_tensor_is_operator(struct rlog_string name);

/* The test of the default mode. It also knows CUTLASS by its templates' names, cuBLAS on Hopper and
 * Blackwell, and FlashAttention. */
bool ra_tensor_is_any_kernel(const struct ra_util_string_pairs *name);

/* The test of the default mode. It also knows later matrix products, convolutions and attention. */
bool ra_tensor_is_any_operator(struct rlog_string name);

#endif
