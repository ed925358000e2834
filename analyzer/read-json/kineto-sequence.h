/* SPDX-License-Identifier: MIT */
/* Of a trace of PyTorch: which operator made a function of the backward pass. */
#ifndef RA_KINETO_SEQUENCE_H
#define RA_KINETO_SEQUENCE_H

#include "analyzer/model/model.h"

/*
 * For the rule `sequence` (link.h). Flows of cat fwdbwd tell, where the trace has them; else the
 * args "Sequence number", which both have, and "Fwd thread id", which only the backward side has.
 *
 * Return: an array for free(), by slice: the range on another thread that caused it, RA_NONE for
 * none.
 */
uint32_t *ra_kineto_sequence_find(const struct ra_model *model);

#endif
