/* SPDX-License-Identifier: MIT */
/* Triton's Proton: the scopes of the program that each kernel has with it. */
#ifndef RA_SCOPES_H
#define RA_SCOPES_H

#include "analyzer/rows/kineto-store.h"

/*
 * Of kernels with an arg call_stack, ["ROOT", "step", "attention", "kernel"], the scopes become the
 * operator, "step/attention", and the outermost the module: kineto->details. Their thread is a
 * queue of GPU 0, as Proton names no device.
 */
void ra_scopes_read(struct ra_kineto *kineto, struct ra_kineto_store *store);

#endif
