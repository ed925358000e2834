/* SPDX-License-Identifier: MIT */
/* The files of a command that reads several: those of a run's ranks. */
#ifndef RA_CMD_INPUTS_H
#define RA_CMD_INPUTS_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/load/load.h"

/* Ordered by rank. */
struct ra_cmd_inputs {
	char **paths; /* owned, as all here */
	struct ra_model **models;
	int64_t *ranks;
	size_t count;
	size_t capacity; /* of paths */
};

/*
 * Takes the names of files. A folder stands for the logs and traces in it: names that end in .bin,
 * .json and .json.gz, in the order of names. Zero-initialise the inputs.
 *
 * Return: 0, RA_CMD_USAGE or RA_CMD_UNREADABLE with a line on stderr; fini in any case.
 */
int ra_cmd_inputs_init(struct ra_cmd_inputs *inputs, char *const *names, size_t count);
void ra_cmd_inputs_fini(struct ra_cmd_inputs *inputs);

/*
 * Loads them all. A file's rank is what it says of itself, if all say so and no two the same; else
 * its place.
 *
 * @options: NULL for the defaults.
 * Return: 0, RA_CMD_UNREADABLE with a line on stderr.
 */
int ra_cmd_inputs_load(struct ra_cmd_inputs *inputs, const struct ra_load_options *options);

#endif
