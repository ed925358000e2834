/* SPDX-License-Identifier: MIT */
/* Finds attention that is not fused in files without operators, by the order of kernels. */
#ifndef RA_ADVICE_ATTENTION_H
#define RA_ADVICE_ATTENTION_H

#include "analyzer/advice/advice.h"

/*
 * Finds softmax kernels (no log-softmax) that have a matrix product among the 8 operations before
 * and among the 8 after them in their queue, as attention has. Adds the operations from the first
 * product to the second to the evidence, named after the range or call of their launch.
 *
 * Return: how many softmaxes were found.
 */
uint64_t ra_advice_attention_find(struct ra_advice *advice, struct ra_advice_evidence *evidence);

#endif
