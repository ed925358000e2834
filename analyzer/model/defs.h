/* SPDX-License-Identifier: MIT */
/* Looks up the definitions of a log by kind, parent and id. If a definition is repeated, the last
 * one is taken. */
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

/* Finds a definition; NULL if there is none. O(log n). */
const struct rlog_def *ra_defs_find(const struct ra_defs *defs, uint32_t kind, uint64_t parent,
                                    uint64_t id);

/* All definitions of a kind. Return: the first of them in defs->defs; *count gets their number. */
const struct rlog_def *const *ra_defs_find_kind(const struct ra_defs *defs, uint32_t kind,
                                                size_t *count);

/* A string by id; bytes NULL: there is no such string. */
struct rlog_string ra_defs_string(const struct ra_defs *defs, uint64_t id);

/* The name in a definition; bytes NULL: there is no such definition, or it has no name. */
struct rlog_string ra_defs_find_name(const struct ra_defs *defs, uint32_t kind, uint64_t parent,
                                     uint64_t id);

/* The detail of a definition: the string that the definition's value refers to; bytes NULL: it has
 * no detail. */
struct rlog_string ra_defs_detail(const struct ra_defs *defs, const struct rlog_def *def);

#endif
