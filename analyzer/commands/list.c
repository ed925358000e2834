/* SPDX-License-Identifier: MIT */
/* Lists the subcommands, and prints their help. */
#include "analyzer/commands/list.h"

#include <stdio.h>
#include <string.h>

#include "format/options/nearest.h"
#include "analyzer/base/text/util-text.h"
#include "analyzer/commands/options/options.h"
#include "analyzer/commands/help-fold.h"
#include "analyzer/table/table-wrap.h"

static const struct ra_cmd *const commands[] = {
	&cmd_analyze, &cmd_batch, &cmd_check,     &cmd_diff,   &cmd_dump,
	&cmd_info,    &cmd_mcp,   &cmd_merge,     &cmd_search, &cmd_slice,
	&cmd_sql,     &cmd_stats, &cmd_summarize, &cmd_verify, &cmd_why,
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

const struct ra_cmd *ra_cmd_list_find(const char *name)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (strcmp(commands[i]->name, name) == 0) {
			return commands[i];
		}
	}
	return NULL;
}

const char *ra_cmd_list_guess(const char *name)
{
	struct rlog_nearest nearest;

	rlog_nearest_init(&nearest, name, strlen(name));
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		rlog_nearest_offer(&nearest, commands[i]->name);
	}
	return nearest.best;
}

static void print_synopsis(const char *synopsis)
{
	const char *head = "usage: ";
	struct ra_util_text text = { 0 };

	while (*synopsis != '\0') {
		const int length = (int) strcspn(synopsis, "\n");
		struct ra_util_text line = { 0 };

		ra_util_text_format(&line, "%sanalyzer %.*s\n", head, length, synopsis);
		ra_table_wrap_put(&text, line.bytes, line.length, RA_HELP_FOLD_COLUMNS);
		ra_util_text_free(&line);
		head = "       ";
		synopsis += length;
		synopsis += *synopsis == '\n';
	}
	(void) ra_util_text_write(&text, stdout);
	ra_util_text_free(&text);
}

static void print_program_help(void)
{
	fputs("usage: analyzer [COMMAND] FILE... [options]\n"
	      "\n"
	      "Reads a log of ranges and prints what is in it.\n"
	      "\n"
	      "Commands (any other first word is a FILE for `analyze`):\n",
	      stdout);
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		printf("  %-9s  %s\n", commands[i]->name, commands[i]->summary);
	}
	ra_help_fold_print(
		"\n"
		"  analyzer COMMAND --help   options of a command (also: analyzer help COMMAND)\n"
		"  analyzer help WORD        what a report, column, finding or option means\n"
		"  analyzer stats --list     what reports there are; --help REPORT: one of them\n"
		"  analyzer --version        version of the program and of the log format\n"
		"  --max-memory=SIZE         with any command: use no more memory than this\n"
		"  --color=WHEN              always, never, or auto: on terminals without "
		"NO_COLOR\n"
		"  --no-pager                never use a pager ($RANGES_PAGER, $PAGER or less)\n"
		"\n"
		"Exit: 0 ok, 1 a check found something, 2 usage, 3 an input could not be read,\n"
		"4 an input was incomplete (--strict), 5 some of several inputs could not be "
		"read,\n"
		"6 the output could not be written.\n");
}

void ra_cmd_list_print_help(const struct ra_cmd *command)
{
	struct ra_util_text notes = { 0 };
	size_t lines;

	if (command == NULL) {
		print_program_help();
		return;
	}
	print_synopsis(command->synopsis);
	printf("\n%s.\n\n", command->summary);
	lines = rlog_options_print_help(stdout, ra_cmd_option_table, command->name,
	                                RA_CMD_OPTIONS_NAMED);
	if (command->put_notes != NULL) {
		command->put_notes(&notes);
	}
	if (command->notes != NULL) {
		ra_util_text_put(&notes, command->notes, strlen(command->notes));
	}
	if (notes.length > 0) {
		fputs(lines > 0 ? "\n" : "", stdout);
		ra_util_text_put_char(&notes, '\0');
		ra_help_fold_print(notes.bytes);
	}
	ra_util_text_free(&notes);
}
