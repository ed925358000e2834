/* SPDX-License-Identifier: MIT */
/* Finds which operator of PyTorch made a function of the backward pass. */
#ifndef RA_KINETO_SEQUENCE_H
#define RA_KINETO_SEQUENCE_H

#include "analyzer/model/model.h"

/*
 * Finds the causes for the rule `sequence` (link.h). Uses flows of cat fwdbwd if the trace has
 * some. If not, uses the args "Sequence number", which both sides have, and "Fwd thread id", which
 * only the backward side has.
 *
 * Return: by slice, the range on another thread that caused it; RA_NONE: none; the caller frees the
 * array.
 */
uint32_t *ra_kineto_sequence_find(const struct ra_model *model);

#endif
