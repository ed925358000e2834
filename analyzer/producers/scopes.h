/* SPDX-License-Identifier: MIT */
/* Reads the scopes of the program that Triton's Proton records with each kernel. */
#ifndef RA_SCOPES_H
#define RA_SCOPES_H

#include "analyzer/rows/kineto-store.h"

/*
 * Handles kernels with an arg call_stack such as ["ROOT", "step", "attention", "kernel"]. In
 * kineto->details, the scopes become the operator, "step/attention", and the outermost scope the
 * module. The kernels' thread becomes a queue of GPU 0, because Proton names no device.
 */
void ra_scopes_read(struct ra_kineto *kineto, struct ra_kineto_store *store);

#endif
