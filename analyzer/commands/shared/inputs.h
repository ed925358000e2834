/* SPDX-License-Identifier: MIT */
/* Collects and loads the files of a command that reads several, such as those of a run's ranks. */
#ifndef RA_CMD_INPUTS_H
#define RA_CMD_INPUTS_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/load/load.h"

/* The files of a command, sorted by rank. */
struct ra_cmd_inputs {
	char **paths; /* owned, as are the other arrays and the models */
	struct ra_model **models;
	int64_t *ranks;
	size_t count;
	size_t capacity; /* room in paths */
};

/*
 * Collects file names. A folder stands for the logs and traces in it: names that end in .bin, .json
 * and .json.gz, sorted by name. Zero-initialise the inputs.
 *
 * Return: 0, RA_CMD_USAGE or RA_CMD_UNREADABLE with a line on stderr. Call fini in any case.
 */
int ra_cmd_inputs_init(struct ra_cmd_inputs *inputs, char *const *names, size_t count);
void ra_cmd_inputs_fini(struct ra_cmd_inputs *inputs);

/*
 * Loads all files. A file's rank is the one that it states, if all files state one and all differ.
 * Else it is the file's place in the list.
 *
 * @options: NULL for the defaults.
 * Return: 0, RA_CMD_UNREADABLE with a line on stderr.
 */
int ra_cmd_inputs_load(struct ra_cmd_inputs *inputs, const struct ra_load_options *options);

#endif
