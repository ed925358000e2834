/* SPDX-License-Identifier: MIT */
/* The definitions of a log by kind, parent and id: of equal ones the last. */
#ifndef RA_DEFS_H
#define RA_DEFS_H

#include <stddef.h>
#include <stdint.h>

#include "format/read/reader.h"

struct ra_defs {
	const struct rlog_reader *reader;  /* borrowed */
	const struct rlog_string *strings; /* borrowed */
	size_t string_count;
	const struct rlog_def **defs; /* owned: sorted by kind, parent, id, without repeats */
	size_t count;
};

void ra_defs_init(struct ra_defs *defs, const struct rlog_reader *reader);
void ra_defs_fini(struct ra_defs *defs);

/* A definition, NULL if there is none. O(log n). */
const struct rlog_def *ra_defs_find(const struct ra_defs *defs, uint32_t kind, uint64_t parent,
                                    uint64_t id);

/* All of a kind: the first of them, and how many follow it in defs->defs, it included. */
const struct rlog_def *const *ra_defs_find_kind(const struct ra_defs *defs, uint32_t kind,
                                                size_t *count);

/* A string by id; bytes NULL if there is none. */
struct rlog_string ra_defs_string(const struct ra_defs *defs, uint64_t id);

/* Name of what a definition defines; bytes NULL if it is not defined or has none. */
struct rlog_string ra_defs_find_name(const struct ra_defs *defs, uint32_t kind, uint64_t parent,
                                     uint64_t id);

/* The detail of a definition: the string that its value names; bytes NULL if it has none. */
struct rlog_string ra_defs_detail(const struct ra_defs *defs, const struct rlog_def *def);

#endif
