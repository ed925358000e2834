/* SPDX-License-Identifier: MIT */
/* Finds attention that is not fused, by the order of kernels, in files without operators. */
#ifndef RA_ADVICE_ATTENTION_H
#define RA_ADVICE_ATTENTION_H

#include "analyzer/advice/advice.h"

/*
 * Finds softmax kernels (no log-softmax) that have a matrix product among the 8 operations before
 * and among the 8 after them in their queue, as attention has. Adds the operations from the one
 * product to the other to the evidence, by the name of their place.
 *
 * Return: how many softmaxes were found.
 */
uint64_t ra_advice_attention_find(struct ra_advice *advice, struct ra_advice_evidence *evidence);

#endif
