/* SPDX-License-Identifier: MIT */
/* Prints help on an option: `analyzer help graph-capture`. */
#include "analyzer/commands/options/option-help.h"

#include <string.h>

#include "analyzer/commands/options/options.h"

/* Writes "Option of stats, analyze, why." */
static void print_commands(const struct rlog_option *row)
{
	const char *at = row->commands;
	const char *between = "Option of ";

	while (*at != '\0') {
		const size_t mark = *at == '*';
		const size_t length = strcspn(at + mark, " ");

		printf("%s%.*s", between, (int) length, at + mark);
		between = ", ";
		at += mark + length;
		at += strspn(at, " ");
	}
	printf("; analyzer(1) has it all.\n");
}

bool ra_option_help_print(const char *word)
{
	bool is_found = false;

	word += strspn(word, "-");
	for (const struct rlog_option *row = ra_cmd_option_table; row->name != NULL; row++) {
		if (row->text != NULL && strcmp(row->name, word) == 0) {
			fputs(is_found ? "\n" : "", stdout);
			rlog_options_print_row(stdout, row);
			print_commands(row);
			is_found = true;
		}
	}
	return is_found;
}
