/* SPDX-License-Identifier: MIT */
/* `ranges recover`: completes logs from the spools that runs have left, or lists these. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "libranges/settings/config.h"
#include "libranges/base/log.h"
#include "libranges/launcher/shared/ranges-command.h"
#include "libranges/launcher/ranges-dying.h"
#include "libranges/launcher/shared/ranges-help.h"
#include "libranges/launcher/shared/ranges-options.h"
#include "libranges/launcher/logs/ranges-left.h"
#include "libranges/launcher/logs/ranges-logs.h"
#include "libranges/launcher/logs/ranges-plan.h"
#include "libranges/recover/recover.h"

static struct rcap_config config;
static struct rcap_ranges_plan plan;

struct options {
	const char *spool;
	const char *output; /* NULL: the pattern of each program */
	uint64_t older_s;   /* 0: spools of any age */
	bool all;
	bool remove;
};

/* Parses an age like "90s", "30m", "12h", "7d". Return: seconds; 0 if the text is not an age. */
static uint64_t parse_age(const char *text)
{
	static const struct {
		char unit;
		uint64_t seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	char *end = NULL;
	const unsigned long long number = strtoull(text, &end, 10);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (text[0] >= '0' && text[0] <= '9' && end[0] == units[i].unit && end[1] == '\0' &&
		    number <= UINT32_MAX) {
			return number * units[i].seconds;
		}
	}
	return 0;
}

/* Takes an option. Return: 0, or the exit code if the option is refused. */
static int take_option(const struct rcap_ranges_command *self, const struct rlog_option *row,
                       void *context)
{
	struct options *const out = context;
	switch (row->id) {
	case 'o':
		out->output = optarg;
		return 0;
	case 'a':
		out->all = true;
		return 0;
	case 'd':
		out->remove = true;
		return 0;
	default:
		out->older_s = parse_age(optarg);
		return out->older_s != 0
		               ? 0
		               : rcap_ranges_help_refuse(
					 self, "--older needs an age such as 12h or 7d", optarg);
	}
}

static int check_options(const struct rcap_ranges_command *self, const struct options *options)
{
	const bool is_choice = options->all || options->older_s > 0;

	if (options->spool == NULL && options->output != NULL) {
		return rcap_ranges_help_refuse(self, "the spool file or directory is missing", "");
	}
	if (is_choice && options->spool != NULL) {
		return rcap_ranges_help_refuse(self, "--all and --older take no spool",
		                               options->spool);
	}
	return 0;
}

/* Parses the command line. Return: false: the command ends with the exit code *code. */
static bool parse_options(const struct rcap_ranges_command *self, int argc, char **argv,
                          struct options *out, int *code)
{
	if (!rcap_ranges_options_read(self, argc, argv, take_option, out, code)) {
		return false;
	}
	out->spool = argv[optind];
	*code = argc > optind + 1
	                ? rcap_ranges_help_refuse(self, "one spool or directory is expected",
	                                          argv[optind + 1])
	                : check_options(self, out);
	return *code == 0;
}

/* Completes the spools that the command line names. Return: 0, or an errno value if they can't be
 * read. */
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

/* Prints a line for each existing spool. */
static int list_spools(void)
{
	if (rcap_ranges_left_print(config.spool_dir) == 0) {
		rcap_log_line(RCAP_LOG_WARN, "no spool is left");
	}
	return RCAP_RANGES_EXIT_OK;
}

static void complete_spool(void *context, const char *path)
{
	rcap_ranges_logs_add_spool(context, path, NULL);
}

/* Completes or deletes the spools chosen by --all and --older. */
static int visit_spools(const struct options *options, struct rcap_ranges_logs *logs)
{
	const size_t count = rcap_ranges_left_visit(
		config.spool_dir, options->older_s,
		options->remove ? rcap_ranges_left_delete : complete_spool, logs);

	if (options->remove || count == 0) {
		rcap_log_line(RCAP_LOG_WARN, "%lu spool%s of dead programs%s",
		              (unsigned long) count, count == 1 ? "" : "s",
		              options->remove ? " deleted" : "");
	} else {
		rcap_ranges_logs_report(logs, "--all");
	}
	return 0;
}

static int exit_code(const struct rcap_ranges_logs *logs)
{
	const size_t missing = logs->failed + logs->busy;

	if (missing == 0) {
		return RCAP_RANGES_EXIT_OK;
	}
	return missing == logs->spools ? RCAP_RANGES_EXIT_UNREADABLE : RCAP_RANGES_EXIT_PARTLY;
}

static int run(const struct rcap_ranges_command *self, int argc, char **argv)
{
	struct options options = { .spool = NULL };
	struct rcap_ranges_logs logs = { .was_killed = true };
	const char *output;
	struct rlog_error err = { .code = RLOG_OK };
	int rc;

	if (!parse_options(self, argc, argv, &options, &rc)) {
		return rc;
	}
	rcap_config_load(&config, rcap_config_log_problem, NULL);
	rcap_log_init((enum rcap_log_level) config.log_level);
	logs.wait_ms = config.wait_ms;
	(void) signal(SIGXFSZ, SIG_IGN); /* then a file size limit is an error of write(), not a
	                                  * signal */
	if (options.all || options.older_s > 0) {
		visit_spools(&options, &logs);
		rc = exit_code(&logs);
		rcap_ranges_logs_fini(&logs);
		return rc;
	}
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
		rcap_ranges_plan_tell_kept(&plan, true);
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
	.arguments = "[SPOOL [-o FILE] | --all | --older AGE [--delete]]",
	.summary = "Completes logs from the spools that programs and their launcher left",
	.notes = "SPOOL is a spool file or the directory of a run. Without arguments recover\n"
		 "lists your spools, one per line: alive, dead, busy (being recovered) or\n"
		 "unknown, then pid, program, file.\n"
		 "recover does not touch spools of running programs. It removes the others when\n"
		 "their log is complete. \"ranges run\" does all this by itself.\n"
		 "Exit codes: 0; 2 wrong usage; 3 nothing could be completed; 5 not everything.\n",
	.run = run,
};
