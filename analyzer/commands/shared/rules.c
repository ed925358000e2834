/* SPDX-License-Identifier: MIT */
/* Reads the options --attribute and --graph-capture, which several commands take. */
#include "analyzer/commands/shared/rules.h"

#include <string.h>

#include "analyzer/commands/shared/cmd.h"

int ra_cmd_rules_take(struct ra_link_options *options, const char *value)
{
	static const char *const words[] = { "sequence", "process", "backward-rows",
		                             "origin",   "own",     NULL };
	const char *word = value;

	for (;;) {
		const size_t length = strcspn(word, ",");
		const int choice = ra_cmd_choose_part("--attribute", word, length, words);

		if (choice < 0) {
			return RA_CMD_USAGE;
		}
		options->with_sequence |= choice == 0 || choice == 2;
		options->with_process |= choice == 1;
		options->with_origin |= choice == 3;
		options->with_own |= choice == 4;
		options->with_backward_rows |= choice == 2;
		if (word[length] == '\0') {
			return 0;
		}
		word += length + 1;
	}
}

int ra_cmd_rules_take_captures(const char **captures, const char *value)
{
	if (*captures != NULL) {
		return ra_cmd_usage(
			"--graph-capture: given twice; put several traces into one folder");
	}
	*captures = value;
	return 0;
}
