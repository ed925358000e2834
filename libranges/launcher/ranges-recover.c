/* SPDX-License-Identifier: MIT */
/* `ranges recover`: completes logs out of the spools that a run left behind, or lists them. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "libranges/base/config.h"
#include "libranges/base/log.h"
#include "libranges/launcher/ranges-command.h"
#include "libranges/launcher/ranges-dying.h"
#include "libranges/launcher/ranges-help.h"
#include "libranges/launcher/ranges-left.h"
#include "libranges/launcher/ranges-logs.h"
#include "libranges/launcher/ranges-plan.h"
#include "libranges/drain/recover.h"

static struct rcap_config config;
static struct rcap_ranges_plan plan;

struct options {
	const char *spool;
	const char *output; /* NULL: as the programs wanted */
	bool help;
	bool version;
};

/* Return: 0, or an exit code. */
static int parse_options(const struct rcap_ranges_command *self, char **argv, struct options *out)
{
	bool only_names = false;

	for (argv++; *argv != NULL; argv++) {
		const char *const argument = *argv;

		if (!only_names && strcmp(argument, "--") == 0) {
			only_names = true;
		} else if (!only_names &&
		           (strcmp(argument, "-o") == 0 || strcmp(argument, "--output") == 0)) {
			if (argv[1] == NULL || argv[1][0] == '\0') {
				return rcap_ranges_help_refuse(self, "an argument is missing for",
				                               argument);
			}
			out->output = *++argv;
		} else if (!only_names &&
		           (strcmp(argument, "-h") == 0 || strcmp(argument, "--help") == 0)) {
			out->help = true;
			return 0;
		} else if (!only_names &&
		           (strcmp(argument, "-V") == 0 || strcmp(argument, "--version") == 0)) {
			out->version = true;
			return 0;
		} else if (!only_names && argument[0] == '-') {
			return rcap_ranges_help_refuse(self, "there is no option", argument);
		} else if (out->spool != NULL) {
			return rcap_ranges_help_refuse(self, "one spool or directory is expected",
			                               argument);
		} else {
			out->spool = argument;
		}
	}
	if (out->spool == NULL && out->output != NULL) {
		return rcap_ranges_help_refuse(self, "the spool file or directory is missing", "");
	}
	return 0;
}

/* Completes what the options name. Return: 0, or an errno value when it cannot be looked at. */
static int recover(const struct options *options, const char *output, struct rcap_ranges_logs *logs)
{
	struct stat st;

	if (stat(options->spool, &st) != 0) {
		return errno;
	}
	if (S_ISDIR(st.st_mode)) {
		rcap_ranges_dying_wait(options->spool, false, logs->wait_ms);
		return rcap_ranges_logs_add_directory(logs, options->spool, output);
	}
	rcap_ranges_logs_add_spool(logs, options->spool, output);
	return 0;
}

/* Prints the spools that are there, a line each. */
static int list_spools(void)
{
	if (rcap_ranges_left_print(config.spool_dir) == 0) {
		rcap_log_line(RCAP_LOG_WARN, "no spool is left");
	}
	return RCAP_RANGES_EXIT_OK;
}

static int exit_code(const struct rcap_ranges_logs *logs)
{
	if (logs->failed == 0) {
		return RCAP_RANGES_EXIT_OK;
	}
	return logs->failed == logs->spools ? RCAP_RANGES_EXIT_UNREADABLE : RCAP_RANGES_EXIT_PARTLY;
}

static int run(const struct rcap_ranges_command *self, int argc, char **argv)
{
	struct options options = { .spool = NULL };
	struct rcap_ranges_logs logs = { .was_killed = true };
	const char *output;
	struct rlog_error err = { .code = RLOG_OK };
	int rc;

	(void) argc;
	rc = parse_options(self, argv, &options);
	if (rc != 0) {
		return rc;
	}
	if (options.version) {
		return rcap_ranges_help_version();
	}
	if (options.help) {
		rcap_ranges_help_print(self);
		return RCAP_RANGES_EXIT_OK;
	}
	rcap_config_load(&config, rcap_config_log_problem, NULL);
	rcap_log_init((enum rcap_log_level) config.log_level);
	logs.wait_ms = config.wait_ms;
	if (options.spool == NULL) {
		return list_spools();
	}
	output = options.output;
	if (output != NULL) {
		plan.remedy = "";
		plan.consequence = "";
		rc = rcap_ranges_plan_output(&plan, options.output, false, &err);
		if (rc != 0) {
			return rc < 0 ? rcap_ranges_help_refuse(self, options.output, err.message)
			              : RCAP_RANGES_EXIT_UNREADABLE;
		}
		output = plan.pattern;
	}
	rc = recover(&options, output, &logs);
	if (rc != 0) {
		rcap_log_line(RCAP_LOG_ERROR, "cannot read %s: %s", options.spool,
		              rcap_ranges_help_errno(rc));
		return RCAP_RANGES_EXIT_UNREADABLE;
	}
	rcap_ranges_logs_report(&logs, options.spool);
	rc = exit_code(&logs);
	rcap_ranges_logs_fini(&logs);
	return rc;
}

const struct rcap_ranges_command rcap_ranges_recover_command = {
	.name = "recover",
	.arguments = "[SPOOL_DIRECTORY|SPOOL_FILE [-o FILE]]",
	.summary = "Completes logs out of the spools that programs and their launcher left",
	.options =
		"  -o, --output FILE   name of the log; one that was begun is copied\n"
		"  -h, --help          this text\n"
		"  -V, --version       the version\n"
		"\n"
		"Without a spool it lists your spools that are there, one per line: alive, dead,\n"
		"busy (being recovered) or unknown, pid, program, file.\n"
		"Spools of programs that still run are left alone; the others are removed when\n"
		"their log is complete. \"ranges run\" does all this by itself.\n"
		"Exit codes: 0; 2 wrong usage; 3 nothing could be completed; 5 not everything.\n",
	.run = run,
};
