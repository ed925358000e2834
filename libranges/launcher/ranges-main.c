/* SPDX-License-Identifier: MIT */
/* The launcher's main(): chooses the subcommand, the program to run, or the analyzer. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libranges/settings/config.h"
#include "libranges/base/log.h"
#include "libranges/launcher/shared/ranges-command.h"
#include "libranges/launcher/shared/ranges-find.h"
#include "libranges/launcher/shared/ranges-help.h"
#include "libranges/launcher/shared/ranges-options.h"

static const struct rcap_ranges_command *const commands[] = {
	&rcap_ranges_run_command, &rcap_ranges_compare_command, &rcap_ranges_recover_command,
	&rcap_ranges_ctl_command, &rcap_ranges_top_command,
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

/* Commands of the analyzer. `ranges stats` is the same as `analyzer stats`, as in git. */
static const char *const analyzer_commands[] = { "analyze", "batch",     "check", "diff",   "dump",
	                                         "info",    "mcp",       "merge", "search", "slice",
	                                         "sql",     "summarize", "stats", "verify", "why" };

#define ANALYZER_COUNT (sizeof(analyzer_commands) / sizeof(analyzer_commands[0]))

static int print_help(void)
{
	printf("Usage: ranges COMMAND ...\n"
	       "       ranges [OPTIONS OF run] [--] PROGRAM [ARGUMENTS]\n"
	       "Records the NVTX ranges of an unchanged program in a log for \"analyzer\".\n"
	       "\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		printf("  ranges %s %s\n      %s\n", commands[i]->name, commands[i]->arguments,
		       commands[i]->summary);
	}
	printf("  ranges ");
	for (size_t i = 0; i < ANALYZER_COUNT; i++) {
		printf("%s%s", i == 0 ? "" : "|", analyzer_commands[i]);
	}
	printf(" ...\n      The same command of \"analyzer\"\n"
	       "\n\"ranges COMMAND --help\" lists options and environment variables.\n"
	       "Example: ranges run -o trace.bin -- ./app && analyzer trace.bin -o trace.json\n");
	return RCAP_RANGES_EXIT_OK;
}

/* True if execvp() would find the program. Then "ranges PROGRAM" runs it. */
static bool is_program(const char *name)
{
	const char *path = secure_getenv("PATH");

	if (strchr(name, '/') != NULL) {
		return true; /* `run` reports what is wrong with it */
	}
	while (path != NULL && name[0] != '\0') {
		const size_t length = strcspn(path, ":");
		char file[RCAP_CONFIG_PATH_BYTES];

		if (length + strlen(name) + 2 <= sizeof(file)) {
			rcap_log_format(file, sizeof(file), "%.*s%s%s", (int) length, path,
			                length == 0 ? "" : "/", name);
			if (access(file, X_OK) == 0) {
				return true;
			}
		}
		path = path[length] == ':' ? path + length + 1 : NULL;
	}
	return false;
}

static bool is_of_analyzer(const char *name)
{
	for (size_t i = 0; i < ANALYZER_COUNT; i++) {
		if (strcmp(analyzer_commands[i], name) == 0) {
			return true;
		}
	}
	return false;
}

/* Replaces this process by the analyzer. Return: an exit code if that failed. */
static int run_analyzer(char **argv)
{
	char analyzer[RCAP_CONFIG_PATH_BYTES];

	rcap_ranges_find_analyzer(analyzer, sizeof(analyzer));
	argv[0] = analyzer;
	execvp(analyzer, argv);
	rcap_log_line(RCAP_LOG_ERROR, "cannot start %s: %s", analyzer,
	              rcap_ranges_help_errno(errno));
	return errno == ENOENT ? RCAP_RANGES_EXIT_NOT_FOUND : RCAP_RANGES_EXIT_NOT_EXECUTABLE;
}

int main(int argc, char **argv)
{
	const char *const name = argc > 1 ? argv[1] : "";

	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		if (strcmp(commands[i]->name, name) == 0) {
			if (argc == 3 && strcmp(argv[2], "--options") == 0) {
				/* Shell completions read this list. */
				rlog_options_print_list(stdout, rcap_ranges_option_table,
				                        rcap_ranges_option_pairs, name);
				return RCAP_RANGES_EXIT_OK;
			}
			return commands[i]->run(commands[i], argc - 1, argv + 1);
		}
	}
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
		return print_help();
	}
	if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
		return rcap_ranges_help_version();
	}
	if (strcmp(name, "record") == 0) { /* what perf and other tools call `run` */
		return rcap_ranges_run_command.run(&rcap_ranges_run_command, argc - 1, argv + 1);
	}
	if (is_of_analyzer(name)) {
		return run_analyzer(argv);
	}
	if (name[0] == '-' || is_program(name)) {
		return rcap_ranges_run_command.run(&rcap_ranges_run_command, argc, argv);
	}
	rcap_log_line(RCAP_LOG_ERROR,
	              "%s%s; usage: ranges run [OPTIONS] [--] PROGRAM [ARGUMENTS], ranges --help",
	              name[0] == '\0' ? "a command is missing" : "there is no command or program ",
	              name);
	return RCAP_RANGES_EXIT_USAGE;
}
