/* SPDX-License-Identifier: MIT */
/* The launcher's main(): picks the subcommand. */
#include <stdio.h>
#include <string.h>

#include "libranges/base/log.h"
#include "libranges/launcher/ranges-command.h"
#include "libranges/launcher/ranges-help.h"

static const struct rcap_ranges_command *const commands[] = {
	&rcap_ranges_run_command,
	&rcap_ranges_recover_command,
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static int print_help(void)
{
	printf("Usage: ranges COMMAND ...\n"
	       "Records the NVTX ranges of a program, unchanged, in a log for \"analyzer\".\n\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		printf("  ranges %s %s\n      %s\n", commands[i]->name, commands[i]->arguments,
		       commands[i]->summary);
	}
	printf("\n\"ranges COMMAND --help\" lists options and environment variables.\n"
	       "Example: ranges run -o trace.bin -- ./app && analyzer trace.bin -o trace.json\n");
	return RCAP_RANGES_EXIT_OK;
}

int main(int argc, char **argv)
{
	const char *const name = argc > 1 ? argv[1] : "";

	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (strcmp(commands[i]->name, name) == 0) {
			return commands[i]->run(commands[i], argc - 1, argv + 1);
		}
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
		return print_help();
	}
	if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
		return rcap_ranges_help_version();
	}
	rcap_log_line(RCAP_LOG_ERROR,
	              "%s%s; usage: ranges run [OPTIONS] [--] PROGRAM [ARGUMENTS], ranges --help",
	              name[0] == '\0' ? "a command is missing" : "there is no command ", name);
	return RCAP_RANGES_EXIT_USAGE;
}
