/* SPDX-License-Identifier: MIT */
/* What batches wrote into OUT, so that a later one removes what it does not write again. */
#ifndef RA_CMD_BATCH_OUTPUTS_H
#define RA_CMD_BATCH_OUTPUTS_H

#include <stddef.h>

/* Paths below OUT. Zero-initialise. */
struct ra_cmd_batch_outputs {
	char **paths; /* owned, with the texts */
	size_t count;
	size_t capacity;
};

void ra_cmd_batch_outputs_fini(struct ra_cmd_batch_outputs *outputs);

/* Takes the path. */
void ra_cmd_batch_outputs_add(struct ra_cmd_batch_outputs *outputs, char *path);

/* Adds what OUT/.outputs lists; where there is none, nothing. */
void ra_cmd_batch_outputs_read(struct ra_cmd_batch_outputs *outputs, const char *output);

void ra_cmd_batch_outputs_order(struct ra_cmd_batch_outputs *outputs);

/* Writes that list, in order and each once. Return: 0, or an errno. */
int ra_cmd_batch_outputs_write(struct ra_cmd_batch_outputs *outputs, const char *output);

/* Removes the files of `before` that are not in `now`, which is in order, and the folders that are
 * empty then. What is no regular file below OUT, or an input, stays. */
void ra_cmd_batch_outputs_remove(const struct ra_cmd_batch_outputs *before,
                                 const struct ra_cmd_batch_outputs *now, const char *output);

#endif
