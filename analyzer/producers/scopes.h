/* SPDX-License-Identifier: MIT */
/* Reads the program's scopes that Triton's Proton records with each kernel. */
#ifndef RA_SCOPES_H
#define RA_SCOPES_H

#include "analyzer/rows/kineto-store.h"

/*
 * For kernels with an arg call_stack, ["ROOT", "step", "attention", "kernel"]: the scopes become
 * the operator, "step/attention", and the outermost one the module, in kineto->details. Their
 * thread becomes a queue of GPU 0, because Proton names no device.
 */
void ra_scopes_read(struct ra_kineto *kineto, struct ra_kineto_store *store);

#endif
