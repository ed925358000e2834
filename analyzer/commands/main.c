/* SPDX-License-Identifier: MIT */
/* The analyzer program: finds the subcommand, runs it, and sees to it that its output arrived. */
#include "config.h"

#include <errno.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <string.h>

#include "analyzer/commands/cmd-list.h"
#include "format/wire.h"

static bool is_option(const char *word, const char *name)
{
	return strcmp(word, name) == 0;
}

/* --help may stand anywhere before a "--". */
static bool has_help(int argc, char **argv)
{
	for (int i = 1; i < argc && !is_option(argv[i], "--"); i++) {
		if (is_option(argv[i], "--help") || is_option(argv[i], "-h")) {
			return true;
		}
	}
	return false;
}

/* Runs a command with argv[0] as getopt shall name it. */
static int run_command(const struct ra_cmd *command, int argc, char **argv)
{
	char name[64] = "analyzer";

	if (has_help(argc, argv)) {
		ra_cmd_list_print_help(command);
		return RA_CMD_OK;
	}
	if (command != &cmd_analyze) {
		snprintf(name, sizeof(name), "analyzer %s", command->name);
	}
	argv[0] = name;
	return command->run(argc, argv);
}

static int run(int argc, char **argv)
{
	if (argc < 2) {
		return ra_cmd_usage("no file given");
	}
	if (is_option(argv[1], "--help") || is_option(argv[1], "-h")) {
		ra_cmd_list_print_help(NULL);
		return RA_CMD_OK;
	}
	if (is_option(argv[1], "--version") || is_option(argv[1], "-V")) {
		printf("analyzer (libranges) %s, log format %d\n", PACKAGE_VERSION,
		       RLOG_FORMAT_VERSION);
		return RA_CMD_OK;
	}
	const struct ra_cmd *command = ra_cmd_list_find(argv[1]);

	if (command != NULL) {
		return run_command(command, argc - 1, argv + 1);
	}
	return run_command(&cmd_analyze, argc, argv);
}

/*
 * Large arrays go back to the system when they are freed. By itself the C library comes to keep
 * ever larger ones for later, which costs a fifth of the memory that a large trace needs.
 */
static void give_back_arrays(void)
{
#ifdef __GLIBC__
	// NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread
	(void) mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

int main(int argc, char **argv)
{
	give_back_arrays();

	int code = run(argc, argv);

	errno = 0;
	const bool is_broken = ferror(stdout) != 0;

	if (fclose(stdout) != 0 || is_broken) {
		code = ra_cmd_print_unwritten("standard output", errno != 0 ? errno : EIO);
	}
	return code;
}
