/* SPDX-License-Identifier: MIT */
/* The inputs of a batch: files, folders with everything in them, and lists of files. */
#ifndef RA_BATCH_INPUTS_H
#define RA_BATCH_INPUTS_H

#include <stddef.h>

#include "format/error.h"

struct ra_batch_input {
	char *path;         /* owned, as is run */
	char *run;          /* the folder of the file, relative to the folder that the user named;
	                       else "" */
	const char *source; /* last part of path; borrowed from it */
	char *name; /* owned: name for the files made from it (batch-names.h); NULL: none yet */
};

/* Zero-initialise. Inputs are ordered by run, then path. */
struct ra_batch_inputs {
	struct ra_batch_input *rows; /* owned */
	size_t count;
	size_t capacity;
};

/* Returns the length of a name's suffix, if it is one of an input or a summary; else 0. */
size_t ra_batch_inputs_suffix(const char *name);

/*
 * Adds a file, the inputs in a folder, or for "@FILE" the names listed in a file, one per line. If
 * a folder has a summary.sum, as a batch makes it, only that file is added.
 *
 * @leave_out: a folder to skip; NULL: none.
 * Return: 0, -RLOG_E_SYSTEM (for a folder or list); call fini in any case.
 */
int ra_batch_inputs_add(struct ra_batch_inputs *inputs, const char *name, const char *leave_out,
                        struct rlog_error *err);

/* Sorts the inputs from `first` on. */
void ra_batch_inputs_order(struct ra_batch_inputs *inputs, size_t first);
void ra_batch_inputs_fini(struct ra_batch_inputs *inputs);

/* Keeps only the inputs of shard `shard` of `shards`, counted from 0. */
void ra_batch_inputs_shard(struct ra_batch_inputs *inputs, size_t shard, size_t shards);

#endif
