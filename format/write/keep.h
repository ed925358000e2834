/* SPDX-License-Identifier: MIT */
/* The writer's copies of strings and definitions, for the repeats at checkpoints. */
#ifndef RLOG_KEEP_H
#define RLOG_KEEP_H

#include <stddef.h>
#include <stdint.h>

#include "format/tables.h"

struct rlog_keep_string {
	size_t at; /* offset in `bytes` of struct rlog_keep */
	uint32_t length;
	uint32_t full_length;
};

/* Copies of strings and definitions. The struct is in the caller's memory. All zero means empty.
 * All texts are in one block. */
struct rlog_keep {
	char *bytes; /* owned */
	size_t byte_count;
	size_t byte_capacity;
	struct rlog_keep_string *strings; /* owned */
	size_t string_count;
	size_t string_capacity;
	struct rlog_def *defs; /* owned */
	size_t def_count;
	size_t def_capacity;
};

void rlog_keep_fini(struct rlog_keep *keep);

/* Add copies of all rows, or of none. Return: 0, -RLOG_E_NO_MEMORY. */
int rlog_keep_add_strings(struct rlog_keep *keep, const struct rlog_string *strings, size_t count);
int rlog_keep_add_defs(struct rlog_keep *keep, const struct rlog_def *defs, size_t count);

/* Remove the newest rows, so that `count` are left. */
void rlog_keep_cut_strings(struct rlog_keep *keep, size_t count);
void rlog_keep_cut_defs(struct rlog_keep *keep, size_t count);

/* Returns string number i. Its bytes are valid until the next add. */
struct rlog_string rlog_keep_string_at(const struct rlog_keep *keep, size_t i);

#endif
