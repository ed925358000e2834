/* SPDX-License-Identifier: MIT */
/* Finds which operator of PyTorch made a function of the backward pass. */
#ifndef RA_KINETO_SEQUENCE_H
#define RA_KINETO_SEQUENCE_H

#include "analyzer/model/model.h"

/*
 * For the rule `sequence` (link.h). It goes by flows of cat fwdbwd if the trace has them. Else it
 * goes by the args "Sequence number", which both sides have, and "Fwd thread id", which only the
 * backward side has.
 *
 * Return: by slice, the range on another thread that caused it, RA_NONE for none; the caller frees
 * it.
 */
uint32_t *ra_kineto_sequence_find(const struct ra_model *model);

#endif
