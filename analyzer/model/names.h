/* SPDX-License-Identifier: MIT */
/* The words of doc/format.md for the numbers of the log. */
#ifndef RA_NAMES_H
#define RA_NAMES_H

#include <stdint.h>

/* All return a static string, or NULL for a number this version does not know. */
const char *ra_names_chunk(uint32_t type);
const char *ra_names_op(uint32_t op);
const char *ra_names_def(uint32_t kind);
const char *ra_names_cause(uint32_t cause);
const char *ra_names_payload(uint32_t type);
/* A kind of object that programs name: NVTX's type of a resource. */
const char *ra_names_object(uint64_t type);

#endif
