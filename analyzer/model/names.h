/* SPDX-License-Identifier: MIT */
/* Gives the names that doc/format.md has for the numbers in a log. */
#ifndef RA_NAMES_H
#define RA_NAMES_H

#include <stdint.h>

/* All functions return a static string, or NULL for a number that this version does not know. */
const char *ra_names_chunk(uint32_t type);
const char *ra_names_op(uint32_t op);
const char *ra_names_def(uint32_t kind);
const char *ra_names_cause(uint32_t cause);
const char *ra_names_payload(uint32_t type);
/* The name of a kind of object that a program can name (NVTX's resource type). */
const char *ra_names_object(uint64_t type);

#endif
