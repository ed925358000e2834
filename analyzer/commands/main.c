/* SPDX-License-Identifier: MIT */
/* The analyzer program: finds the subcommand, runs it, and checks that its output was written. */
#include "config.h"

#include <limits.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "analyzer/commands/list.h"
#include "analyzer/commands/options/option-help.h"
#include "analyzer/commands/shared/messages.h"
#include "analyzer/commands/options/options.h"
#include "analyzer/commands/shared/output.h"
#include "analyzer/commands/shared/screen.h"
#include "analyzer/commands/stats/report-docs.h"
#include "analyzer/commands/stats/report-help.h"
#include "analyzer/commands/stats/report-list.h"
#include "analyzer/commands/stats/word-help.h"
#include "format/wire.h"

#ifdef HAVE_SQLITE
#define NSYS_WORD "reads"
#else
#define NSYS_WORD "built without libsqlite3 for"
#endif

static bool is_option(const char *word, const char *name)
{
	return strcmp(word, name) == 0;
}

/* Finds --help, which may be anywhere before a "--". Return: its index; 0 if there is none. */
static int find_help(int argc, char **argv)
{
	for (int i = 1; i < argc && !is_option(argv[i], "--"); i++) {
		if (is_option(argv[i], "--help") || is_option(argv[i], "-h")) {
			return i;
		}
	}
	return 0;
}

/* Prints the help of a report. Return: an exit code. */
static int print_report_help(const char *name)
{
	const char *guess;

	if (ra_report_help_print(name)) {
		return RA_CMD_OK;
	}
	guess = ra_report_help_guess(name, strlen(name), RA_COMPAT_NONE);
	return guess != NULL ? ra_cmd_usage("there is no report \"%s\" (did you mean \"%s\"?)",
	                                    name, guess)
	                     : ra_cmd_usage("there is no report \"%s\"; `analyzer stats --list` "
	                                    "names all",
	                                    name);
}

/* Finds the known word most similar to an unknown one. Return: NULL if none is similar. */
static const char *guess_topic(const char *name)
{
	const char *guess = ra_cmd_list_guess(name);

	if (guess == NULL) {
		guess = ra_report_help_guess(name, strlen(name), RA_COMPAT_NONE);
	}
	return guess != NULL ? guess : ra_word_help_guess(name);
}

/* Prints help on a word that may be a report, column, finding or option, or several of these.
 * Return: an exit code. */
static int print_topic_help(const char *name)
{
	const bool is_report = ra_report_help_print(name);
	const bool is_ours = ra_report_list_find(name, strlen(name), RA_COMPAT_NONE) != NULL;
	const char *guess;

	if (is_report && is_ours && ra_report_docs_find_finding(name) == NULL) {
		return RA_CMD_OK;
	}
	fputs(is_report ? "\n" : "", stdout);
	if (ra_word_help_print(name) || is_report || ra_option_help_print(name)) {
		return RA_CMD_OK;
	}
	guess = guess_topic(name);
	return guess != NULL
	               ? ra_cmd_usage("there is no command, report, column, finding or "
	                              "option \"%s\" (did you mean \"%s\"?)",
	                              name, guess)
	               : ra_cmd_usage("there is no command, report, column, finding or "
	                              "option \"%s\"; `analyzer stats --list` names the reports",
	                              name);
}

/* Prints help on the word after `stats --help`, which is a report unless it is a file. */
static int print_help(const struct ra_cmd *command, const char *word)
{
	if (command == &cmd_stats && word != NULL && word[0] != '-' && access(word, F_OK) != 0) {
		return print_report_help(word);
	}
	ra_cmd_list_print_help(command);
	return RA_CMD_OK;
}

/* Reads a size: digits followed by K, M, G or T, in powers of 1024. Return: 0 if the text is no
 * size. */
static rlim_t parse_size(const char *text)
{
	static const char units[] = "KMGT";
	char *end = NULL;
	const unsigned long long number = strtoull(text, &end, 10);
	const char *const unit = *end != '\0' ? strchr(units, *end) : NULL;
	const unsigned shift = unit != NULL ? 10 * (unsigned) (unit - units + 1) : 0;

	if (text[0] < '0' || text[0] > '9' || (unit == NULL) != (*end == '\0') ||
	    (unit != NULL && end[1] != '\0') || number > ULLONG_MAX >> shift) {
		return 0;
	}
	return (rlim_t) (number << shift);
}

/* Limits the memory of this process. Return: RA_CMD_OK, RA_CMD_USAGE. */
static int limit_memory(const char *size)
{
	struct rlimit limit;
	const rlim_t bytes = parse_size(size);

	if (bytes == 0) {
		return ra_cmd_usage(
			"--max-memory: expected a size such as 500M or 2G, found \"%s\"", size);
	}
	if (getrlimit(RLIMIT_DATA, &limit) == 0) {
		limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
		(void) setrlimit(RLIMIT_DATA, &limit);
	}
	return RA_CMD_OK;
}

/* Handles an option that every command has. Sets *is_taken if it was such an option. Return:
 * RA_CMD_OK, RA_CMD_USAGE. */
static int take_word(const char *word, bool *is_taken)
{
	static const char option[] = "--max-memory=";

	*is_taken = strncmp(word, option, sizeof(option) - 1) == 0;
	return *is_taken ? limit_memory(word + sizeof(option) - 1)
	                 : ra_cmd_screen_take(word, is_taken);
}

/* Handles and removes the options that every command has, which may be anywhere among the
 * arguments. */
static int take_common(int *argc, char **argv)
{
	int kept = 1;
	int code = RA_CMD_OK;

	for (int i = 1; i < *argc; i++) {
		bool is_taken = false;

		if (is_option(argv[i], "--")) {
			while (i < *argc) {
				argv[kept++] = argv[i++];
			}
			break;
		}
		if (code == RA_CMD_OK) {
			code = take_word(argv[i], &is_taken);
		}
		if (!is_taken) {
			argv[kept++] = argv[i];
		}
	}
	argv[kept] = NULL;
	*argc = kept;
	return code;
}

static int run_command(const struct ra_cmd *command, int argc, char **argv)
{
	const int help = find_help(argc, argv);

	ra_cmd_running = command == &cmd_analyze ? "" : command->name;
	if (help > 0) {
		return print_help(command, argv[help + 1]);
	}
	if (argc == 2 && is_option(argv[1], "--options")) {
		/* Prints the words for shell completion. */
		rlog_options_print_list(stdout, ra_cmd_option_table, ra_cmd_option_pairs,
		                        command->name);
		return RA_CMD_OK;
	}
	return command->run(argc, argv);
}

/* analyzer help [COMMAND|REPORT|COLUMN|FINDING|OPTION] */
static int run_help(const char *word, const char *more)
{
	const struct ra_cmd *command = word == NULL ? NULL : ra_cmd_list_find(word);

	if (more != NULL) {
		return ra_cmd_usage("help takes one word; \"%s\" is one too many", more);
	}
	if (word != NULL && command == NULL) {
		return print_topic_help(word);
	}
	ra_cmd_list_print_help(command);
	return RA_CMD_OK;
}

/* analyzer --help [WORD]: as `analyzer help`. If WORD is a file, prints what can be done with
 * it. */
static int run_help_option(int count, char **words)
{
	if (count > 0 && access(words[0], F_OK) == 0) {
		ra_cmd_list_print_help(&cmd_analyze);
		return RA_CMD_OK;
	}
	return run_help(words[0], count > 1 ? words[1] : NULL);
}

/* True for a word that was meant as a command: no file has this name, and it does not look like a
 * path. */
static bool is_no_file(const char *word)
{
	return word[0] != '-' && strpbrk(word, "./") == NULL && access(word, F_OK) != 0;
}

/* Refuses an unknown word. Return: RA_CMD_USAGE if it is similar to a command, else
 * RA_CMD_UNREADABLE. */
static int refuse_word(const char *word)
{
	const char *guess = ra_cmd_list_guess(word);

	if (guess != NULL) {
		return ra_cmd_usage("\"%s\" is neither a command nor a file (did you mean "
		                    "\"analyzer %s\"?)",
		                    word, guess);
	}
	(void) ra_cmd_usage("\"%s\" is neither a command nor a file", word);
	return RA_CMD_UNREADABLE;
}

static int run(int argc, char **argv)
{
	if (argc < 2) {
		return ra_cmd_usage("no file given");
	}
	if (is_option(argv[1], "--help") || is_option(argv[1], "-h")) {
		return run_help_option(argc - 2, argv + 2);
	}
	if (is_option(argv[1], "--version") || is_option(argv[1], "-V")) {
		printf("analyzer (libranges) %s, log format %d, %s exports of nsys\n",
		       PACKAGE_VERSION, RLOG_FORMAT_VERSION, NSYS_WORD);
		return RA_CMD_OK;
	}
	const struct ra_cmd *command = ra_cmd_list_find(argv[1]);

	if (command != NULL) {
		return run_command(command, argc - 1, argv + 1);
	}
	if (is_option(argv[1], "help") && access(argv[1], F_OK) != 0) {
		return run_help(argv[2], argc > 3 ? argv[3] : NULL);
	}
	return is_no_file(argv[1]) ? refuse_word(argv[1]) : run_command(&cmd_analyze, argc, argv);
}

/*
 * Makes the C library return large arrays to the system when they are freed. By default it keeps
 * ever larger ones, which costs a fifth of the memory that a large trace needs. It keeps small
 * arrays, because each report needs them again, and getting new pages costs more than filling them.
 */
static void give_back_arrays(void)
{
#ifdef __GLIBC__
	// NOLINTBEGIN(concurrency-mt-unsafe): there is one thread
	(void) mallopt(M_MMAP_THRESHOLD, 128 << 10);
	(void) mallopt(M_TRIM_THRESHOLD, 1 << 20);
	// NOLINTEND(concurrency-mt-unsafe)
#endif
}

int main(int argc, char **argv)
{
	give_back_arrays();
	(void) signal(SIGXFSZ, SIG_IGN); /* writing beyond the file size limit is then an error of
	                                    write() */
	ra_cmd_messages_begin();
	ra_cmd_output_begin();

	int code = take_common(&argc, argv);

	code = code != RA_CMD_OK ? code : run(argc, argv);

	const int why = ra_cmd_output_end();

	ra_cmd_screen_end();
	if (why != 0) {
		code = ra_cmd_print_unwritten("standard output", why);
	}
	return code;
}
