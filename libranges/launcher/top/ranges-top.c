/* SPDX-License-Identifier: MIT */
/* `ranges top`: shows what recorded programs are doing now, only from their spools. */
#include "libranges/launcher/top/ranges-top.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libranges/base/clock.h"
#include "libranges/settings/config.h"
#include "libranges/base/log.h"
#include "libranges/launcher/shared/ranges-command.h"
#include "libranges/launcher/shared/ranges-help.h"
#include "libranges/launcher/shared/ranges-options.h"
#include "libranges/launcher/logs/ranges-left.h"
#include "libranges/launcher/shared/ranges-live.h"
#include "libranges/launcher/top/ranges-top-screen.h"

/* At most this many programs are shown. Each takes some MB. */
#define MOST_SIGHTS 256u
/* Time between two reads. Events stay in a spool for a second, or for less time if there are
 * many. */
#define READ_MS 10

static struct {
	struct rcap_ranges_sight *all[MOST_SIGHTS]; /* owned, and each element, too */
	size_t count;
	const struct rcap_ranges_top_options *options;
} sights;

static struct rcap_config config;

static bool is_open(const char *path)
{
	for (size_t i = 0; i < sights.count; i++) {
		if (strcmp(sights.all[i]->peek.path, path) == 0) {
			return true;
		}
	}
	return false;
}

static bool is_wanted(const struct rcap_ranges_sight *sight)
{
	const struct rcap_ranges_top_options *options = sights.options;

	return (options->pid == 0 || options->pid == sight->peek.header->facts.pid) &&
	       (!options->name || strcmp(options->name, sight->program) == 0);
}

static void add_sight(void *context, const char *path)
{
	struct rcap_ranges_sight *sight;

	(void) context;
	if (sights.count == MOST_SIGHTS || is_open(path)) {
		return;
	}
	sight = malloc(sizeof(*sight));
	if (!sight || !rcap_ranges_sight_open(sight, path)) {
		free(sight);
		return;
	}
	if (!is_wanted(sight) || !rcap_ranges_sight_read(sight)) {
		rcap_ranges_sight_close(sight);
		free(sight);
		return;
	}
	rcap_ranges_sight_begin(sight);
	sights.all[sights.count++] = sight;
}

static void remove_sight(size_t i)
{
	rcap_ranges_sight_close(sights.all[i]);
	free(sights.all[i]);
	sights.all[i] = sights.all[--sights.count];
}

/* Compares by rank (programs without a rank first), then by process id. */
static int compare_sights(const void *a, const void *b)
{
	const struct rcap_facts *x = &(*(struct rcap_ranges_sight *const *) a)->peek.header->facts;
	const struct rcap_facts *y = &(*(struct rcap_ranges_sight *const *) b)->peek.header->facts;

	return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
	                          : (x->pid > y->pid) - (x->pid < y->pid);
}

static void find_sights(void)
{
	rcap_ranges_left_visit_readable(config.spool_dir, add_sight, NULL);
	qsort(sights.all, sights.count, sizeof(struct rcap_ranges_sight *), compare_sights);
}

/* Reports why there is nothing to show. Return: exit code. */
static int report_none(const struct rcap_ranges_top_options *options)
{
	if (options->name) {
		rcap_log_line(RCAP_LOG_ERROR, "top: no program named %s is recorded now",
		              options->name);
	} else if (options->pid == 0) {
		rcap_log_line(RCAP_LOG_ERROR, "top: no program of yours is recorded now");
	} else if (kill((pid_t) options->pid, 0) == 0) {
		rcap_log_line(RCAP_LOG_ERROR,
		              "top: process %ld is not recorded: it was not started with \"ranges "
		              "run\", or has made no NVTX call yet",
		              options->pid);
	} else if (errno == EPERM) {
		rcap_log_line(RCAP_LOG_ERROR, "top: process %ld belongs to another user",
		              options->pid);
	} else {
		rcap_log_line(RCAP_LOG_ERROR, "top: there is no process %ld", options->pid);
	}
	return RCAP_RANGES_EXIT_UNREADABLE;
}

/* Waits some ms. Return: false if the user quits. */
static bool wait_moment(bool has_screen)
{
	const struct timespec nap = { .tv_nsec = READ_MS * 1000000L };

	if (has_screen) {
		return rcap_ranges_top_screen_wait(READ_MS);
	}
	nanosleep(&nap, NULL);
	return true;
}

/* Reads all programs for one interval. Return: false if the user quits. */
static bool watch_interval(const struct rcap_ranges_top_options *options, bool has_screen)
{
	const uint64_t until = rcap_clock_mono_ns() + (uint64_t) (options->interval_s * 1e9);
	bool is_last;

	do {
		if (!wait_moment(has_screen)) {
			return false;
		}
		is_last = rcap_clock_mono_ns() >= until;
		for (size_t i = sights.count; i-- > 0;) {
			if (!rcap_ranges_sight_read(sights.all[i])) {
				remove_sight(i);
			}
		}
	} while (!is_last && sights.count > 0);
	qsort(sights.all, sights.count, sizeof(struct rcap_ranges_sight *), compare_sights);
	for (size_t i = 0; i < sights.count; i++) {
		rcap_ranges_sight_end(sights.all[i]);
	}
	return true;
}

static void print(FILE *out, const struct rcap_ranges_top_options *options)
{
	if (options->is_json) {
		rcap_ranges_top_json(out, (const struct rcap_ranges_sight *const *) sights.all,
		                     sights.count, options);
	}
	for (size_t i = 0; i < sights.count && !options->is_json; i++) {
		if (i > 0) {
			fprintf(out, "\n");
		}
		rcap_ranges_top_print(out, sights.all[i], options);
	}
	fflush(out);
}

static void print_on_screen(const struct rcap_ranges_top_options *options)
{
	char *text = NULL;
	size_t length = 0;
	FILE *const out = open_memstream(&text, &length);

	if (!out) {
		return;
	}
	print(out, options);
	if (fclose(out) == 0) {
		rcap_ranges_top_screen_show(text);
	} else {
		free(text);
	}
}

/* Takes a snapshot of each program that is shown. The message about the last one stays on the
 * screen. */
static void take_snapshots(void)
{
	char answer[300] = "";

	for (size_t i = 0; i < sights.count; i++) {
		(void) rcap_ranges_live_snapshot(sights.all[i]->peek.path, answer, sizeof(answer));
	}
	rcap_ranges_top_screen_tell(answer);
}

static void begin_interval(void)
{
	find_sights();
	for (size_t i = 0; i < sights.count; i++) {
		rcap_ranges_sight_begin(sights.all[i]);
	}
}

/* Shows one interval. Return: exit code. */
static int run_once(const struct rcap_ranges_top_options *options)
{
	(void) watch_interval(options, false);
	if (sights.count == 0) {
		rcap_log_line(RCAP_LOG_ERROR, "top: it has ended");
		return RCAP_RANGES_EXIT_UNREADABLE;
	}
	print(stdout, options);
	return ferror(stdout) ? RCAP_RANGES_EXIT_UNREADABLE : RCAP_RANGES_EXIT_OK;
}

/* Runs until the user quits, or no program is left. Without a terminal that can move the cursor,
 * prints one display after the other. Return: exit code. */
static int run_live(struct rcap_ranges_top_options *options)
{
	const bool has_screen = rcap_ranges_top_screen_open(options);

	while (watch_interval(options, has_screen) && sights.count > 0 && !ferror(stdout)) {
		if (!has_screen) {
			print(stdout, options);
		} else if (!rcap_ranges_top_screen_is_paused()) {
			print_on_screen(options);
		}
		if (has_screen && rcap_ranges_top_screen_takes_snapshot()) {
			take_snapshots();
		}
		begin_interval();
	}
	rcap_ranges_top_screen_close();
	if (sights.count == 0) {
		rcap_log_line(RCAP_LOG_ERROR, "top: it has ended");
	}
	return RCAP_RANGES_EXIT_OK;
}

/* ---- The command line ---- */

static bool parse_number(const char *text, double min, double max, double *out)
{
	char *end = NULL;

	errno = 0;
	*out = text && text[0] != '\0' ? strtod(text, &end) : NAN;
	return end && *end == '\0' && errno == 0 && *out >= min && *out <= max;
}

static bool parse_order(const char *text, enum rcap_ranges_order *out)
{
	for (unsigned i = 0; text && i < RCAP_RANGES_ORDERS; i++) {
		if (strcmp(rcap_ranges_top_order((enum rcap_ranges_order) i), text) == 0) {
			*out = (enum rcap_ranges_order) i;
			return true;
		}
	}
	return false;
}

/* Takes the name or the process id of a program. Return: 0, or an exit code. */
static int take_target(const struct rcap_ranges_command *self, const char *text,
                       struct rcap_ranges_top_options *out)
{
	double number;

	if (out->name || out->pid != 0) {
		return rcap_ranges_help_refuse(self, "top takes one PID or NAME, not also", text);
	}
	if (text[strspn(text, "0123456789")] != '\0' || text[0] == '\0') {
		out->name = text;
		return 0;
	}
	if (!parse_number(text, 1, INT32_MAX, &number)) {
		return rcap_ranges_help_refuse(self, "expected a process number, not", text);
	}
	out->pid = (long) number;
	return 0;
}

/* Takes an option. Return: 0, or the exit code if the option is refused. */
static int take_option(const struct rcap_ranges_command *self, const struct rlog_option *row,
                       void *context)
{
	struct rcap_ranges_top_options *const out = context;
	const char *wrong = NULL;
	double rows = 0;

	switch (row->id) {
	case '1':
		out->is_once = true;
		break;
	case 'j':
		out->is_json = true;
		break;
	case 'm':
		out->filter = optarg;
		break;
	case 'i':
		wrong = parse_number(optarg, 0.05, 3600, &out->interval_s)
		                ? NULL
		                : "--interval needs seconds, 0.05 to 3600, not";
		break;
	case 's':
		wrong = parse_order(optarg, &out->order)
		                ? NULL
		                : "--sort needs share, calls, mean, p99, max or name, not";
		break;
	default:
		wrong = parse_number(optarg, 1, RCAP_RANGES_TOP_ROWS, &rows)
		                ? NULL
		                : "--rows needs a number from 1 to 1000, not";
		out->rows = (size_t) rows;
		break;
	}
	return wrong == NULL ? 0 : rcap_ranges_help_refuse(self, wrong, optarg);
}

/* Parses the command line. Return: false: the command ends with the exit code *code. */
static bool parse_options(const struct rcap_ranges_command *self, int argc, char **argv,
                          struct rcap_ranges_top_options *out, int *code)
{
	if (!rcap_ranges_options_read(self, argc, argv, take_option, out, code)) {
		return false;
	}
	for (int i = optind; i < argc && *code == 0; i++) {
		*code = take_target(self, argv[i], out);
	}
	return *code == 0;
}

static int run(const struct rcap_ranges_command *self, int argc, char **argv)
{
	struct rcap_ranges_top_options options = { .interval_s = 1, .rows = 20, .filter = "" };
	int rc;

	if (!parse_options(self, argc, argv, &options, &rc)) {
		return rc;
	}
	options.is_once = options.is_once || options.is_json || !isatty(STDOUT_FILENO);
	rcap_config_load(&config, rcap_config_log_problem, NULL);
	rcap_log_init((enum rcap_log_level) config.log_level);
	sights.options = &options;
	find_sights();
	rc = sights.count == 0 ? report_none(&options)
	     : options.is_once ? run_once(&options)
	                       : run_live(&options);
	while (sights.count > 0) {
		remove_sight(sights.count - 1);
	}
	return rc;
}

const struct rcap_ranges_command rcap_ranges_top_command = {
	.name = "top",
	.arguments = "[PID | NAME] [OPTIONS]",
	.summary = "Shows what programs that are recorded are doing now",
	.operands =
		"  PID, NAME              one program (the default: all that you may look at)\n",
	.notes = "For each thread it shows the open ranges, outermost first, with their time;\n"
		 "for each range calls/s and share of the interval, and mean, p99 and max since\n"
		 "top began; also GPU and kernels, steps/s, losses and the log's size. It only\n"
		 "reads the program's spool, so the program does nothing for it. A program that\n"
		 "hangs is in the innermost range shown.\n"
		 "On a terminal: q quit, p pause, s sort, / filter, w write a snapshot (--keep),\n"
		 "arrows scroll.\n"
		 "Exit codes: 0; 2 wrong usage; 3 there is no such program, or it has ended.\n",
	.run = run,
};
