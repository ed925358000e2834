/* SPDX-License-Identifier: MIT */
/* `ranges compare`: runs two commands in turns, and lets `analyzer diff` report which ranges got
 * slower. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "libranges/base/clock.h"
#include "libranges/settings/config.h"
#include "libranges/base/log.h"
#include "libranges/launcher/shared/ranges-child.h"
#include "libranges/launcher/shared/ranges-command.h"
#include "libranges/launcher/compare/ranges-compare-options.h"
#include "libranges/launcher/shared/ranges-find.h"
#include "libranges/launcher/shared/ranges-help.h"
#include "libranges/launcher/compare/ranges-turn.h"
#include "libranges/launcher/shared/ranges-width.h"

#define NS_PER_S 1e9
/* With fewer runs an interval says nothing, so it is not checked. */
#define LEAST_FOR_UNTIL 5u
/* Time between two updates of the line on a terminal. */
#define SHOWN_EVERY_NS UINT64_C(200000000)
#define LINE_BYTES     160

/* State of the comparison. */
struct course {
	const struct rcap_ranges_compare_options *options;
	const struct rcap_ranges_compare_side *running; /* the side whose command is running */
	uint64_t first;                                 /* number of this call's first run */
	uint64_t rounds;
	uint64_t random;
	uint64_t begin_ns;
	uint64_t rounds_ns; /* time of all rounds together */
	uint64_t shown_ns;
	struct rcap_ranges_width width;
	bool is_live; /* standard error is a terminal: shows one line that is updated */
	bool is_warm; /* the warm-up is over, so runs are kept */
	bool has_widths;
};

static struct rcap_config config;

/* ---- Progress ---- */

static uint64_t estimate_left_ns(const struct course *course, uint64_t now_ns)
{
	const struct rcap_ranges_compare_options *const options = course->options;
	const uint64_t passed = now_ns - course->begin_ns;
	uint64_t left = UINT64_MAX;

	if (options->time_ns != 0) {
		left = passed < options->time_ns ? options->time_ns - passed : 0;
	}
	if (options->runs != 0 && course->rounds > 0) {
		const uint64_t mean = course->rounds_ns / course->rounds;
		const uint64_t rounds = options->runs - course->rounds;
		const uint64_t by_runs = mean * rounds;

		left = by_runs < left ? by_runs : left;
	}
	return left;
}

/* Writes the progress, like "3 of 10", the widest interval, and the time left. */
static void describe(const struct course *course, char *out, size_t size)
{
	const struct rcap_ranges_compare_options *const options = course->options;
	const uint64_t left = estimate_left_ns(course, rcap_clock_mono_ns());
	char of[32] = "";
	char width[LINE_BYTES / 2] = "";
	char time[48] = "";

	if (options->runs != 0) {
		snprintf(of, sizeof(of), " of %lu", (unsigned long) options->runs);
	}
	if (course->width.rows > 0) {
		snprintf(width, sizeof(width), ", %.40s +-%.1f %%", course->width.name,
		         100 * course->width.widest);
	}
	if (left != UINT64_MAX) {
		snprintf(time, sizeof(time), ", %.0f s left", (double) left / NS_PER_S);
	}
	if (course->is_warm) {
		snprintf(out, size, "%s, run %lu%s%s%s", course->running->name,
		         (unsigned long) course->rounds + 1, of, width, time);
	} else {
		snprintf(out, size, "%s, warm-up", course->running->name);
	}
}

/* Updates the line on a terminal while a command runs. */
static void show_live(void *context)
{
	struct course *const course = context;
	const uint64_t now_ns = rcap_clock_mono_ns();
	char line[LINE_BYTES];

	if (!course->is_live || now_ns - course->shown_ns < SHOWN_EVERY_NS) {
		return;
	}
	course->shown_ns = now_ns;
	describe(course, line, sizeof(line));
	fprintf(stderr, "\r\033[K%s", line);
	fflush(stderr);
}

static void clear_live(const struct course *course)
{
	if (course->is_live) {
		fprintf(stderr, "\r\033[K");
		fflush(stderr);
	}
}

static void show_turn(const struct course *course, const struct rcap_ranges_turn *turn)
{
	char seconds[32];
	char of[32] = "";

	if (course->is_live || course->options->quiet) {
		return;
	}
	snprintf(seconds, sizeof(seconds), "%.2f s", (double) turn->took_ns / NS_PER_S);
	if (course->options->runs != 0) {
		snprintf(of, sizeof(of), " of %lu", (unsigned long) course->options->runs);
	}
	if (turn->number == 0) {
		rcap_log_line(RCAP_LOG_WARN, "compare: %s, warm-up: %s", turn->side->name, seconds);
	} else {
		rcap_log_line(RCAP_LOG_WARN, "compare: %s, run %lu%s: %s", turn->side->name,
		              (unsigned long) course->rounds + 1, of, seconds);
	}
}

/* ---- Runs ---- */

/* Reports why a run can't be used. Return: exit code. */
static int report_failed(const struct rcap_ranges_turn *turn, int rc)
{
	const char *const which = turn->side->name;
	char output[RCAP_CONFIG_PATH_BYTES];

	rcap_ranges_turn_name_output(output, sizeof(output), turn);
	if (rc != 0) {
		rcap_log_line(RCAP_LOG_ERROR, "compare: cannot run the command \"%s\": %s", which,
		              rcap_ranges_help_errno(rc));
		return RCAP_RANGES_EXIT_NOT_EXECUTABLE;
	}
	if (turn->exit_code == 0) {
		rcap_log_line(RCAP_LOG_ERROR,
		              "compare: the command \"%s\" (%s) makes no NVTX call: there is "
		              "nothing to compare",
		              which, turn->side->command[0]);
		return RCAP_RANGES_EXIT_UNREADABLE;
	}
	rcap_log_line(RCAP_LOG_ERROR,
	              "compare: the command \"%s\" (%s) ended with exit code %d%s%s", which,
	              turn->side->command[0], turn->exit_code,
	              turn->options->show ? "" : "; its output is in ",
	              turn->options->show ? "" : output);
	return turn->exit_code >= RCAP_RANGES_EXIT_NOT_EXECUTABLE ? turn->exit_code
	                                                          : RCAP_RANGES_EXIT_FAILED;
}

/* Does one run. Return: 0; an exit code, after a line on stderr, if there is no log of the run. */
static int take_turn(struct course *course, size_t side, uint64_t number)
{
	struct rcap_ranges_turn turn = { .options = course->options,
		                         .side = &course->options->sides[side],
		                         .number = number,
		                         .meanwhile = course->is_live ? show_live : NULL,
		                         .context = course };
	int rc;

	course->running = turn.side;
	rc = rcap_ranges_turn_run(&turn);
	clear_live(course);
	if (rc != 0 || turn.exit_code != 0 || turn.logs == 0) {
		rcap_ranges_turn_remove(turn.options, turn.side, number, true);
		return report_failed(&turn, rc);
	}
	if (number == 0 || turn.was_interrupted) {
		rcap_ranges_turn_remove(turn.options, turn.side, number, true);
	}
	if (turn.was_interrupted) {
		return RCAP_RANGES_EXIT_SIGNAL + SIGINT;
	}
	show_turn(course, &turn);
	return 0;
}

/* The generator is splitmix64, which works with any seed. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t value = *state += UINT64_C(0x9E3779B97F4A7C15);

	value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
	return value ^ value >> 31;
}

/* Runs both commands in random order, so that a drift of the machine affects both alike. */
static int take_round(struct course *course)
{
	const uint64_t begin_ns = rcap_clock_mono_ns();
	const size_t first = next_random(&course->random) & 1;
	const uint64_t number = course->first + course->rounds;
	int rc = take_turn(course, first, number);

	rc = rc != 0 ? rc : take_turn(course, 1 - first, number);
	if (rc == 0) {
		course->rounds++;
		course->rounds_ns += rcap_clock_mono_ns() - begin_ns;
	}
	return rc;
}

/* ---- Results of the diff ---- */

/*
 * Runs analyzer diff on the runs so far. @json: file for its JSON; its messages are then dropped.
 * NULL: it prints the table. Return: its exit code.
 */
static int run_diff(const struct rcap_ranges_compare_options *options, char *json)
{
	static char words[][10] = { "diff", "--fail-on", "-f", "json", "-o" };
	char analyzer[RCAP_CONFIG_PATH_BYTES];
	char sides[2][RCAP_CONFIG_PATH_BYTES];
	char fail_on[64];
	char *argv[12] = { analyzer, words[0], sides[0], sides[1] };
	struct rcap_ranges_child child;
	size_t count = 4;
	int null_fd;
	int rc;

	rcap_ranges_find_analyzer(analyzer, sizeof(analyzer));
	for (size_t i = 0; i < 2; i++) {
		rcap_log_format(sides[i], sizeof(sides[i]), "%s/%s", options->folder,
		                options->sides[i].name);
	}
	if (options->fail_on != NULL) {
		rcap_log_format(fail_on, sizeof(fail_on), "%s", options->fail_on);
		argv[count++] = words[1];
		argv[count++] = fail_on;
	}
	if (json != NULL) {
		argv[count++] = words[2];
		argv[count++] = words[3];
		argv[count++] = words[4];
		argv[count++] = json;
	}
	null_fd = json != NULL ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
	rc = rcap_ranges_child_run(argv, false, null_fd, NULL, NULL, &child);
	if (null_fd >= 0) {
		close(null_fd);
	}
	if (rc != 0 || child.exec_errno != 0) {
		rcap_log_line(RCAP_LOG_ERROR, "cannot start %s: %s", analyzer,
		              rcap_ranges_help_errno(rc != 0 ? rc : child.exec_errno));
		return rc != 0 ? RCAP_RANGES_EXIT_NOT_EXECUTABLE : child.exit_code;
	}
	return child.exit_code;
}

/* Measures the intervals of the runs so far. */
static void look_at_width(struct course *course)
{
	char path[RCAP_CONFIG_PATH_BYTES];

	rcap_log_format(path, sizeof(path), "%s/diff.json", course->options->folder);
	if (run_diff(course->options, path) > 1 ||
	    rcap_ranges_width_read(path, &course->width) != 0) {
		return;
	}
	unlink(path);
	if (course->width.rows == 0 && course->has_widths) {
		course->has_widths = false;
		rcap_log_line(RCAP_LOG_WARN, "compare: analyzer diff gives no intervals for these "
		                             "ranges: --until has no effect yet");
	}
}

static bool is_over(struct course *course)
{
	const struct rcap_ranges_compare_options *const options = course->options;
	const uint64_t passed_ns = rcap_clock_mono_ns() - course->begin_ns;

	if (course->rounds == 0) {
		return false;
	}
	if (options->runs != 0 && course->rounds >= options->runs) {
		return true;
	}
	if (options->time_ns != 0 &&
	    passed_ns + course->rounds_ns / course->rounds > options->time_ns) {
		return true;
	}
	if (options->until > 0 && course->first - 1 + course->rounds >= LEAST_FOR_UNTIL) {
		look_at_width(course);
		return course->width.is_narrow && course->width.widest <= options->until;
	}
	return false;
}

/* ---- The command ---- */

/* Parses a list of CPUs like "0,2-3". Return: false if it is invalid, or there are no such CPUs. */
static bool set_cpus(const char *list)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	while (*list != '\0') {
		char *end;
		unsigned long first = strtoul(list, &end, 10);
		unsigned long last = first;

		if (end == list) {
			return false;
		}
		if (*end == '-') {
			list = end + 1;
			last = strtoul(list, &end, 10);
		}
		if (end == list || last < first || last >= CPU_SETSIZE ||
		    (*end != ',' && *end != '\0')) {
			return false;
		}
		for (; first <= last; first++) {
			CPU_SET(first, &set);
		}
		if (*end == ',' && end[1] == '\0') {
			return false;
		}
		list = *end == ',' ? end + 1 : end;
	}
	return CPU_COUNT(&set) > 0 && sched_setaffinity(0, sizeof(set), &set) == 0;
}

/* True if a folder has logs of an earlier comparison. */
static bool is_taken(const struct rcap_ranges_compare_options *options)
{
	return rcap_ranges_turn_last(options, &options->sides[0]) > 0 ||
	       rcap_ranges_turn_last(options, &options->sides[1]) > 0;
}

/* Chooses the next free name, so that an existing comparison is kept. @name:
 * RCAP_CONFIG_PATH_BYTES. */
static void choose_folder(struct rcap_ranges_compare_options *options, char *name)
{
	const char *const wanted = options->folder;

	for (unsigned i = 1; !options->add && !options->replace && is_taken(options); i++) {
		rcap_log_format(name, RCAP_CONFIG_PATH_BYTES, "%s.%u", wanted, i);
		options->folder = name;
	}
	if (options->folder != wanted) {
		rcap_log_line(RCAP_LOG_WARN,
		              "compare: %s has logs already: the new ones go to %s (-f replaces "
		              "the old ones, -a adds to them)",
		              wanted, name);
	}
	for (size_t i = 0; options->replace && i < 2; i++) {
		for (uint64_t last;
		     (last = rcap_ranges_turn_last(options, &options->sides[i])) > 0;) {
			rcap_ranges_turn_remove(options, &options->sides[i], last, false);
		}
	}
}

static int compare(struct course *course)
{
	const struct rcap_ranges_compare_options *const options = course->options;
	int rc = 0;

	for (uint64_t i = 0; i < 2 * options->warmups && rc == 0; i++) {
		rc = take_turn(course, i % 2, 0);
	}
	course->is_warm = true;
	while (rc == 0 && !is_over(course)) {
		rc = take_round(course);
	}
	return rc;
}

/* Prints the table after the last run. Return: exit code. */
static int finish(const struct course *course, int rc)
{
	const struct rcap_ranges_compare_options *const options = course->options;
	char seconds[32];
	int code;

	if (course->rounds == 0 || (rc != 0 && rc != RCAP_RANGES_EXIT_SIGNAL + SIGINT)) {
		return rc;
	}
	snprintf(seconds, sizeof(seconds), "%.1f s",
	         (double) (rcap_clock_mono_ns() - course->begin_ns) / NS_PER_S);
	if (!options->quiet) {
		rcap_log_line(RCAP_LOG_WARN,
		              "compare: %s%lu run%s of each in %s, seed %lu: %s/before, %s/after",
		              rc != 0 ? "interrupted; " : "", (unsigned long) course->rounds,
		              course->rounds == 1 ? "" : "s", seconds,
		              (unsigned long) options->seed, options->folder, options->folder);
	}
	code = run_diff(options, NULL);
	return rc != 0 ? rc : code;
}

/* Prepares the first run. Return: 0, or an exit code. */
static int prepare(const struct rcap_ranges_command *self,
                   struct rcap_ranges_compare_options *options, struct course *course, char *folder)
{
	int rc;

	if (options->cpus != NULL && !set_cpus(options->cpus)) {
		return rcap_ranges_help_refuse(
			self, "--cpu takes a list of allowed CPUs, like 0,2-3, not", options->cpus);
	}
	choose_folder(options, folder);
	rc = rcap_ranges_turn_prepare(options);
	if (rc != 0) {
		return rc;
	}
	if (!options->has_seed && getrandom(&options->seed, 4, GRND_NONBLOCK) != 4) {
		options->seed = (uint64_t) getpid();
	}
	course->random = options->seed;
	for (size_t i = 0; i < 2; i++) {
		const uint64_t last = rcap_ranges_turn_last(options, &options->sides[i]);

		course->first = last + 1 > course->first ? last + 1 : course->first;
	}
	course->is_live = !options->quiet && isatty(STDERR_FILENO) == 1;
	course->begin_ns = rcap_clock_mono_ns();
	return 0;
}

static int run(const struct rcap_ranges_command *self, int argc, char **argv)
{
	struct rcap_ranges_compare_options options;
	struct course course = { .options = &options, .has_widths = true };
	char folder[RCAP_CONFIG_PATH_BYTES];
	int rc;

	if (!rcap_ranges_compare_options_parse(self, argc, argv, &options, &rc)) {
		return rc;
	}
	rcap_config_load(&config, rcap_config_log_problem, NULL);
	rcap_log_init((enum rcap_log_level) config.log_level);
	rc = prepare(self, &options, &course, folder);
	return rc != 0 ? rc : finish(&course, compare(&course));
}

const struct rcap_ranges_command rcap_ranges_compare_command = {
	.name = "compare",
	.runs_another = true,
	.arguments = "[OPTIONS] -- BEFORE-COMMAND ::: AFTER-COMMAND",
	.summary = "Runs two commands in turn, and says which of their ranges got slower",
	.notes = "Each turn runs both, in random order, so that other load on the machine hits\n"
		 "both alike. At the end \"analyzer diff DIR/before DIR/after\" prints its table;\n"
		 "call it again with -o diff.html for a page.\n"
		 "Exit codes: 0; 1 with --fail-on, something is slower; 2 wrong usage; 3 no\n"
		 "range was recorded; 7 a command failed, by an exit code of 1 to 125; 126, 127\n"
		 "it could not be started; 128 + n signal n ended it.\n",
	.run = run,
};
