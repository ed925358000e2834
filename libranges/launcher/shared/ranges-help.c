/* SPDX-License-Identifier: MIT */
/* Prints --help on stdout, and the line about wrong usage on stderr. */
#include "libranges/launcher/shared/ranges-help.h"

#include <stdio.h>
#include <string.h>

#include "libranges/settings/config.h"
#include "libranges/base/log.h"
#include "libranges/launcher/shared/ranges-options.h"

#define COLUMNS 79

/* Prints a text, indented and wrapped at blanks. */
static void print_wrapped(const char *text, size_t indent)
{
	size_t column = 0;

	while (*text != '\0') {
		const size_t length = strcspn(text, " ");

		if (column == 0) {
			printf("%*s", (int) indent, "");
			column = indent;
		} else if (column + 1 + length > COLUMNS) {
			printf("\n%*s", (int) indent, "");
			column = indent;
		} else {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int) length, text);
		column += length;
		text += length;
		text += strspn(text, " ");
	}
	putchar('\n');
}

static void print_variable(const struct rcap_variable *variable)
{
	char limits[80];

	printf("  %s", variable->name);
	if (variable->default_text[0] != '\0') {
		printf(" = %s", variable->default_text);
	}
	if (rcap_config_format_limits(variable, limits, sizeof(limits)) > 0) {
		printf("  [%s]", limits);
	}
	putchar('\n');
	print_wrapped(variable->help, 6);
}

void rcap_ranges_help_print(const struct rcap_ranges_command *command)
{
	size_t count;
	const struct rcap_variable *const table = rcap_config_borrow_table(&count);

	printf("Usage: ranges %s %s\n%s.\n\n%s", command->name, command->arguments,
	       command->summary, command->operands == NULL ? "" : command->operands);
	rlog_options_print_help(stdout, rcap_ranges_option_table, command->name, NULL);
	printf("\n%s", command->notes);
	if (!command->has_variables) {
		printf("\n"
		       "ranges(1) and \"ranges run --help\" list the environment variables.\n");
		return;
	}
	printf("\nEnvironment (name = default [limits]; sizes take K, M, G):\n");
	for (size_t i = 0; i < count; i++) {
		if (!table[i].internal) {
			print_variable(&table[i]);
		}
	}
}

int rcap_ranges_help_refuse(const struct rcap_ranges_command *command, const char *what,
                            const char *detail)
{
	rcap_log_line(RCAP_LOG_ERROR, "%s: %s%s%s; see \"ranges %s --help\"", command->name, what,
	              detail[0] == '\0' ? "" : ": ", detail, command->name);
	return RCAP_RANGES_EXIT_USAGE;
}

int rcap_ranges_help_version(void)
{
	printf("ranges (libranges) %s\n", RCAP_VERSION);
	return RCAP_RANGES_EXIT_OK;
}

const char *rcap_ranges_help_errno(int number)
{
	return strerror(number); /* NOLINT(concurrency-mt-unsafe): one thread */
}
