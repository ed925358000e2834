/* SPDX-License-Identifier: MIT */
/* The inputs of a batch: files, folders with all below them, and lists of files. */
#ifndef RA_BATCH_INPUTS_H
#define RA_BATCH_INPUTS_H

#include <stddef.h>

#include "format/error.h"

struct ra_batch_input {
	char *path;         /* owned, as the next */
	char *run;          /* the folder below the one that was named; else "" */
	const char *source; /* last part of path */
	char *name;         /* owned: of what is made of it (batch-names.h); NULL: none yet */
};

/* Zero-initialise. Their order is that of run, then path. */
struct ra_batch_inputs {
	struct ra_batch_input *rows; /* owned */
	size_t count;
	size_t capacity;
};

/* How many bytes of a name are a suffix of an input or a summary; 0: none. */
size_t ra_batch_inputs_suffix(const char *name);

/*
 * Adds a file, a folder, or for "@FILE" the names in a file, a line each. Of a folder with a
 * summary.sum, as a batch leaves, only that is taken.
 *
 * @leave_out: a folder of which nothing is taken; NULL: none.
 * Return: 0, -RLOG_E_SYSTEM (of a folder or list); fini in any case.
 */
int ra_batch_inputs_add(struct ra_batch_inputs *inputs, const char *name, const char *leave_out,
                        struct rlog_error *err);

/* Orders those from `first` on. */
void ra_batch_inputs_order(struct ra_batch_inputs *inputs, size_t first);
void ra_batch_inputs_fini(struct ra_batch_inputs *inputs);

/* Keeps those of shard `shard` of `shards`, counted from 0. */
void ra_batch_inputs_shard(struct ra_batch_inputs *inputs, size_t shard, size_t shards);

#endif
