/* SPDX-License-Identifier: MIT */
/* Reads the options --names and --rename, which several commands take. */
#ifndef RA_CMD_NAMES_H
#define RA_CMD_NAMES_H

#include "analyzer/names/labels.h"

struct ra_cmd_names {
	struct ra_labels_options labels;
	struct ra_rename *rename; /* owned: the rules of --rename; NULL: there are none */
	bool has_form;            /* --names was given */
};

/*
 * Read the value of --names or --rename: a rule if it begins with s and a punctuation character,
 * else the name of a file of rules.
 *
 * Return: 0, RA_CMD_USAGE (and a line on stderr).
 */
int ra_cmd_names_take_form(struct ra_cmd_names *names, const char *value);
int ra_cmd_names_take_rename(struct ra_cmd_names *names, const char *value);

void ra_cmd_names_free(struct ra_cmd_names *names);

#endif
