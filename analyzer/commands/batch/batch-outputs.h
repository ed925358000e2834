/* SPDX-License-Identifier: MIT */
/* Keeps a list of the files that batches wrote into OUT, so that a later batch removes those that
 * it does not rewrite. */
#ifndef RA_CMD_BATCH_OUTPUTS_H
#define RA_CMD_BATCH_OUTPUTS_H

#include <stddef.h>

/* A list of paths below OUT. Zero-initialise. */
struct ra_cmd_batch_outputs {
	char **paths; /* owned, with the texts */
	size_t count;
	size_t capacity;
};

void ra_cmd_batch_outputs_fini(struct ra_cmd_batch_outputs *outputs);

/* Adds a path; takes ownership. */
void ra_cmd_batch_outputs_add(struct ra_cmd_batch_outputs *outputs, char *path);

/* Adds the paths listed in OUT/.outputs. Adds nothing if that file does not exist. */
void ra_cmd_batch_outputs_read(struct ra_cmd_batch_outputs *outputs, const char *output);

void ra_cmd_batch_outputs_order(struct ra_cmd_batch_outputs *outputs);

/* Writes the list to OUT/.outputs, sorted and without duplicates. Return: 0, or an errno. */
int ra_cmd_batch_outputs_write(struct ra_cmd_batch_outputs *outputs, const char *output);

/* Removes the files of `before` that are not in `now`, and folders that become empty. `now` must be
 * sorted. Inputs are kept, and so is everything that is not a regular file below OUT. */
void ra_cmd_batch_outputs_remove(const struct ra_cmd_batch_outputs *before,
                                 const struct ra_cmd_batch_outputs *now, const char *output);

#endif
