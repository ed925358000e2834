/* SPDX-License-Identifier: MIT */
/* `ranges ctl`: switches captures of running programs on and off, and reports their state. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "libranges/base/clock.h"
#include "libranges/settings/config.h"
#include "libranges/base/log.h"
#include "libranges/drain/drain.h"
#include "libranges/drain/keep/keep-files.h"
#include "libranges/drain/keep/keep.h"
#include "libranges/launcher/shared/ranges-command.h"
#include "libranges/launcher/shared/ranges-help.h"
#include "libranges/launcher/shared/ranges-options.h"
#include "libranges/launcher/logs/ranges-left.h"
#include "libranges/launcher/shared/ranges-live.h"
#include "libranges/launcher/logs/ranges-plan.h"
#include "libranges/process/ask.h"
#include "libranges/spool/owner.h"
#include "libranges/spool/spool-lock.h"
#include "libranges/spool/spool.h"

#define NS_PER_MS UINT64_C(1000000)
/* A living drain answers within ms, or later if it writes to a slow disk. If there is no answer
 * after this time, the program is reported as silent. */
#define ANSWER_NS (5000 * NS_PER_MS)
/* A flush may have to write much data, so it may take this long. */
#define FLUSH_NS (60000 * NS_PER_MS)
/* LAUNCH_NS: how long after its start "ranges run" may take to become visible. FIRST_CALL_NS: how
 * long its program may take until its first call; then it is reported as missing. TELL_NS: after so
 * much waiting a line reports the wait. */
#define LAUNCH_NS     (500 * NS_PER_MS)
#define FIRST_CALL_NS (10000 * NS_PER_MS)
#define TELL_NS       (1000 * NS_PER_MS)
/* One call of `ranges ctl` handles at most this many programs. */
#define MAX_TARGETS 4096u

enum action {
	ACTION_START,
	ACTION_STOP,
	ACTION_FLUSH,
	ACTION_SNAPSHOT,
	ACTION_STATUS
};

struct options {
	const char *name;   /* NULL: any program */
	const char *output; /* file of the snapshot; NULL: use the pattern */
	long pid;           /* 0: any process */
	enum action action;
	bool all;
};

/* A living program that has a capture. */
struct target {
	char path[RCAP_CONFIG_PATH_BYTES];
	char program[64];
	long pid;
};

static struct {
	struct target *all; /* owned */
	size_t count;
	const struct options *options;
} targets;

static struct rcap_config config;

static void nap(void)
{
	const struct timespec time = { .tv_nsec = (long) NS_PER_MS };

	nanosleep(&time, NULL);
}

/* ---- Finding programs ---- */

static void copy_program(char *out, size_t size, const struct rcap_facts *facts)
{
	char exe[sizeof(facts->exe)];
	const char *slash;

	rcap_log_format(exe, sizeof(exe), "%.*s", (int) sizeof(facts->exe) - 1, facts->exe);
	slash = strrchr(exe, '/');
	rcap_log_format(out, size, "%s", slash ? slash + 1 : exe);
	for (char *at = out; *at != '\0'; at++) {
		if ((unsigned char) *at < ' ' || *at == 0x7F) {
			*at = '?';
		}
	}
}

static void add_target(void *context, const char *path)
{
	struct rcap_spool spool;
	struct target *target;

	(void) context;
	if (targets.count == MAX_TARGETS || !rcap_ranges_live_open(&spool, path)) {
		return;
	}
	target = &targets.all[targets.count];
	rcap_log_format(target->path, sizeof(target->path), "%s", path);
	copy_program(target->program, sizeof(target->program), &spool.header->facts);
	target->pid = (long) spool.header->facts.pid;
	rcap_spool_close(&spool);
	if ((targets.options->pid == 0 || targets.options->pid == target->pid) &&
	    (!targets.options->name || strcmp(targets.options->name, target->program) == 0)) {
		targets.count++;
	}
}

/* True for another user's process. Even root may not act on it, because its files belong to that
 * user. */
static bool is_foreign(long pid)
{
	char path[48];
	struct stat st;

	rcap_log_format(path, sizeof(path), "/proc/%ld", pid);
	return stat(path, &st) == 0 ? st.st_uid != geteuid()
	                            : kill((pid_t) pid, 0) != 0 && errno == EPERM;
}

/* Reports why the requested process was not found. */
static void report_missing(const struct options *options)
{
	if (options->name) {
		rcap_log_line(RCAP_LOG_ERROR, "ctl: no program named %s is recorded now",
		              options->name);
	} else if (options->pid == 0 && rcap_ranges_left_count_waiting(config.spool_dir) > 0) {
		rcap_log_line(RCAP_LOG_ERROR,
		              "ctl: no program of yours is recorded now; \"ranges run\" started "
		              "one that has not called NVTX or CUDA yet");
	} else if (options->pid == 0) {
		rcap_log_line(RCAP_LOG_ERROR, "ctl: no program of yours is recorded now");
	} else if (is_foreign(options->pid)) {
		rcap_log_line(RCAP_LOG_ERROR, "ctl: process %ld belongs to another user",
		              options->pid);
	} else if (kill((pid_t) options->pid, 0) == 0) {
		rcap_log_line(RCAP_LOG_ERROR,
		              "ctl: process %ld is not recorded: it was not started with \"ranges "
		              "run\", or has not loaded libranges yet",
		              options->pid);
	} else {
		rcap_log_line(RCAP_LOG_ERROR, "ctl: there is no process %ld", options->pid);
	}
}

/*
 * Waits for a program that `ranges run` has just started, because it will soon make its first call.
 * A line reports the wait.
 */
static void await_program(const struct options *options)
{
	const uint64_t since = rcap_clock_mono_ns();
	/* the last time when a program without a spool was seen; its spool comes soon after */
	uint64_t seen = since;
	bool is_told = false;

	while (targets.count == 0 && options->action != ACTION_STATUS &&
	       (options->pid == 0 || kill((pid_t) options->pid, 0) == 0)) {
		const bool is_waiting = rcap_ranges_left_count_waiting(config.spool_dir) > 0;
		const uint64_t now = rcap_clock_mono_ns();
		const uint64_t waited_ns = now - since;

		seen = is_waiting ? now : seen;
		if (is_waiting ? waited_ns > FIRST_CALL_NS : now - seen > LAUNCH_NS) {
			return;
		}
		if (is_waiting && !is_told && waited_ns > TELL_NS) {
			is_told = true;
			rcap_log_line(RCAP_LOG_ERROR,
			              "ctl: a program of \"ranges run\" has not called NVTX or "
			              "CUDA yet: waiting up to 10 s");
		}
		for (int i = 0; i < 20; i++) {
			nap();
		}
		rcap_ranges_left_visit_any(config.spool_dir, add_target, NULL);
	}
}

/* Finds the programs that the options choose. Return: 0, or an exit code. */
static int find_targets(const struct rcap_ranges_command *self, const struct options *options)
{
	targets.options = options;
	targets.all = calloc(MAX_TARGETS, sizeof(*targets.all));
	if (!targets.all) {
		rcap_log_line(RCAP_LOG_ERROR, "ctl: no memory");
		return RCAP_RANGES_EXIT_UNREADABLE;
	}
	rcap_ranges_left_visit_any(config.spool_dir, add_target, NULL);
	if (targets.count == 0) {
		await_program(options);
	}
	if (targets.count == 0) {
		report_missing(options);
		return RCAP_RANGES_EXIT_UNREADABLE;
	}
	if (targets.count > 1 && options->pid == 0 && !options->name && !options->all &&
	    options->action != ACTION_STATUS) {
		return rcap_ranges_help_refuse(self,
		                               "several programs are recorded: choose with --pid, "
		                               "--name or --all",
		                               "");
	}
	if (targets.count > 1 && options->output) {
		return rcap_ranges_help_refuse(self, "-o names the snapshot of one program only",
		                               "");
	}
	return 0;
}

/* ---- What is done with each program ---- */

static const char *phase_name(uint32_t phase)
{
	static const char *const names[] = { "on", "warming up", "off" };

	return phase < 3 ? names[phase] : "?";
}

static void print_status(const struct target *target, const struct rcap_spool *spool)
{
	const struct rcap_spool_header *header = spool->header;
	const struct rcap_control *control = &header->control;
	const uint32_t switches = atomic_load_explicit(&control->switches, memory_order_acquire);
	const uint32_t cycle = switches > 0 ? rcap_control_at(control, switches - 1)->cycle
	                                    : control->first_phase == RCAP_PHASE_ON;
	const bool is_kept = (control->kept.window_ns | control->kept.window_bytes) != 0;
	uint64_t events = atomic_load_explicit(&header->events, memory_order_relaxed);
	char path[sizeof(header->log_path)];
	struct rcap_keep_sum kept = { .events = events };

	if (is_kept) {
		rcap_keep_add(spool->header, rcap_keep_count_events(spool), &kept);
		events = kept.events;
	}
	printf("%ld %s: %s, cycle %u, %lu events %s, %lu outside", target->pid, target->program,
	       phase_name(atomic_load_explicit(&control->phase, memory_order_relaxed)), cycle,
	       (unsigned long) (events + control->events_before), is_kept ? "kept" : "written",
	       (unsigned long) (rcap_drain_outside(spool) + kept.outside));
	if (control->plan[0] != '\0') {
		printf(", step %lu of %.*s",
		       (unsigned long) atomic_load_explicit(&control->steps, memory_order_relaxed),
		       (int) sizeof(control->plan) - 1, control->plan);
	}
	if (is_kept) {
		/* The log has only pieces so far. This is the name that it will get. */
		printf(", keeps %.*s", (int) sizeof(control->kept.text) - 1, control->kept.text);
		if (rcap_drain_name(header, 0, 0, path, sizeof(path))) {
			printf(": %s", path);
		}
	} else if (atomic_load_explicit(&header->log_inode, memory_order_acquire) != 0) {
		printf(": %.*s", (int) sizeof(header->log_path) - 1, header->log_path);
	}
	printf("\n");
}

static int report_ended(const struct target *target)
{
	rcap_log_line(RCAP_LOG_ERROR, "ctl: process %ld (%s) has just ended", target->pid,
	              target->program);
	return RCAP_RANGES_EXIT_UNREADABLE;
}

/* Waits for the log of the cycle that a stop has ended; it is complete soon. Return: exit code. */
static int print_log(const struct target *target, const struct rcap_spool *spool)
{
	const struct rcap_control *const control = &spool->header->control;
	const uint32_t switches = atomic_load_explicit(&control->switches, memory_order_acquire);
	const uint32_t cycle = rcap_control_at(control, switches - 1)->cycle;
	const uint64_t until = rcap_clock_mono_ns() + ANSWER_NS;
	const struct rcap_closed_log *closed = &control->closed[cycle % RCAP_CONTROL_LOGS];
	bool is_there = true;

	while (atomic_load_explicit(&control->cycles_done, memory_order_acquire) < cycle &&
	       is_there && rcap_clock_mono_ns() < until) {
		nap();
		is_there = rcap_ranges_live_is_there(spool);
	}
	if (!is_there &&
	    atomic_load_explicit(&control->cycles_done, memory_order_acquire) < cycle) {
		return report_ended(target);
	}
	if (atomic_load_explicit(&control->cycles_done, memory_order_acquire) < cycle) {
		printf("%ld %s: off; its log is still being written\n", target->pid,
		       target->program);
		return RCAP_RANGES_EXIT_OK;
	}
	printf("%ld %s: off, %lu events: %.*s\n", target->pid, target->program,
	       (unsigned long) closed->events, (int) sizeof(closed->path) - 1, closed->path);
	return RCAP_RANGES_EXIT_OK;
}

static int refuse(const struct target *target, const char *why)
{
	rcap_log_line(RCAP_LOG_ERROR, "ctl: process %ld (%s): %s", target->pid, target->program,
	              why);
	return RCAP_RANGES_EXIT_REFUSED;
}

/* Reports the result of a command for one program. Return: exit code. */
static int report(const struct options *options, const struct target *target,
                  const struct rcap_spool *spool, int result, const char *answer)
{
	const struct rcap_control *const control = &spool->header->control;
	char why[RCAP_SCHEDULE_BYTES + 80];

	switch (result) {
	case RCAP_CONTROL_DONE:
		if (options->action == ACTION_STOP) {
			return print_log(target, spool);
		}
		if (options->action == ACTION_SNAPSHOT) {
			printf("%ld %s: snapshot: %s\n", target->pid, target->program, answer);
		} else {
			printf("%ld %s: %s\n", target->pid, target->program,
			       options->action == ACTION_START ? "on" : "written");
		}
		return RCAP_RANGES_EXIT_OK;
	case RCAP_CONTROL_IS_SO:
		printf("%ld %s: was %s already\n", target->pid, target->program,
		       options->action == ACTION_START ? "on" : "off");
		return RCAP_RANGES_EXIT_OK;
	case RCAP_CONTROL_PLANNED:
		rcap_log_format(why, sizeof(why), "its own settings switch it%s%.*s",
		                control->plan[0] != '\0' ? ": " : "",
		                (int) sizeof(control->plan) - 1, control->plan);
		return refuse(target, why);
	case RCAP_CONTROL_FULL:
		return refuse(target, "too many switches wait to be written: try again");
	case RCAP_CONTROL_NOTHING:
		return refuse(target, (control->kept.window_ns | control->kept.window_bytes) == 0
		                              ? "it keeps nothing for a snapshot: start it with "
		                                "\"ranges run --keep\" or RANGES_KEEP"
		                              : "it is off: nothing is kept for a snapshot");
	case RCAP_CONTROL_FAILED:
		rcap_log_line(RCAP_LOG_ERROR, "ctl: process %ld (%s): no snapshot: %s", target->pid,
		              target->program, answer);
		return RCAP_RANGES_EXIT_UNREADABLE;
	case RCAP_ASK_GONE:
		return report_ended(target);
	default:
		rcap_log_line(RCAP_LOG_ERROR, "ctl: process %ld (%s) does not answer", target->pid,
		              target->program);
		return RCAP_RANGES_EXIT_UNREADABLE;
	}
}

static int act(const struct options *options, const struct target *target)
{
	static const uint32_t commands[] = { RCAP_CONTROL_START, RCAP_CONTROL_STOP,
		                             RCAP_CONTROL_FLUSH, RCAP_CONTROL_SNAPSHOT };
	char answer[RCAP_KEPT_PATH_BYTES] = "";
	struct rcap_spool spool;
	struct rcap_patience patience = { .wait_ns = ANSWER_NS,
		                          .is_there = rcap_ranges_live_is_there,
		                          .context = &spool };
	int result;
	int code;

	if (options->action == ACTION_FLUSH || options->action == ACTION_SNAPSHOT) {
		patience.wait_ns = FLUSH_NS;
	}
	if (!rcap_ranges_live_open(&spool, target->path)) {
		return report_ended(target);
	}
	if (options->action == ACTION_STATUS) {
		print_status(target, &spool);
		code = RCAP_RANGES_EXIT_OK;
	} else if (spool.header->drained != RCAP_DRAINED_INSIDE) {
		code = refuse(target,
		              "it has no libranges thread that could act (RANGES_THREAD=off)");
	} else {
		result = rcap_ask(&spool.header->control, commands[options->action],
		                  options->output, answer, sizeof(answer), &patience);
		code = report(options, target, &spool, result, answer);
	}
	rcap_spool_close(&spool);
	return code;
}

/* ---- The command line ---- */

static bool parse_action(const char *text, enum action *out)
{
	static const char *const names[] = { "start", "stop", "flush", "snapshot", "status" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i], text) == 0) {
			*out = (enum action) i;
			return true;
		}
	}
	return false;
}

/* Takes the name or the process id of the programs. Return: 0, or an exit code. */
static int take_target(const struct rcap_ranges_command *self, bool is_name, const char *value,
                       struct options *out)
{
	char *end = NULL;

	if (is_name ? out->name != NULL : out->pid != 0) {
		return rcap_ranges_help_refuse(
			self, is_name ? "one --name is enough" : "one --pid is enough", "");
	}
	if (is_name) {
		out->name = value;
		return 0;
	}
	errno = 0;
	out->pid = strtol(value, &end, 10);
	if (errno != 0 || *end != '\0' || value[0] < '1' || value[0] > '9' ||
	    out->pid > INT32_MAX) {
		return rcap_ranges_help_refuse(self, "--pid needs the number of a process", value);
	}
	return 0;
}

/* Makes the path absolute, because the program has another working directory. Return: 0, or an
 * exit code. */
static int take_output(const struct rcap_ranges_command *self, const char *value,
                       struct options *out)
{
	static char path[RCAP_KEPT_PATH_BYTES];
	char cwd[RCAP_KEPT_PATH_BYTES] = "";

	if (value[0] != '/' && !getcwd(cwd, sizeof(cwd) - 1)) {
		cwd[0] = '\0';
	}
	if ((value[0] != '/' && cwd[0] == '\0') ||
	    strlen(cwd) + 1 + strlen(value) >= sizeof(path)) {
		return rcap_ranges_help_refuse(self, "the file name is too long", value);
	}
	rcap_log_format(path, sizeof(path), "%s%s%s", cwd, cwd[0] != '\0' ? "/" : "", value);
	out->output = path;
	return 0;
}

/* Refuses options that exclude each other. Return: 0, or an exit code. */
static int check_options(const struct rcap_ranges_command *self, const struct options *options,
                         bool has_action)
{
	if (!has_action) {
		return rcap_ranges_help_refuse(
			self, "start, stop, flush, snapshot or status is missing", "");
	}
	if (options->output && options->action != ACTION_SNAPSHOT) {
		return rcap_ranges_help_refuse(self, "-o is for snapshot", "");
	}
	return 0;
}

/* Takes an option. Return: 0, or the exit code if it is refused. */
static int take_option(const struct rcap_ranges_command *self, const struct rlog_option *row,
                       void *context)
{
	struct options *const out = context;
	switch (row->id) {
	case 'a':
		out->all = true;
		return 0;
	case 'o':
		return take_output(self, optarg, out);
	default:
		return take_target(self, row->id == 'n', optarg, out);
	}
}

/* Parses the command line. Return: false: the command ends with the exit code *code. */
static bool parse_options(const struct rcap_ranges_command *self, int argc, char **argv,
                          struct options *out, int *code)
{
	if (!rcap_ranges_options_read(self, argc, argv, take_option, out, code)) {
		return false;
	}
	for (int i = optind; i < argc; i++) {
		if (i > optind || !parse_action(argv[i], &out->action)) {
			*code = rcap_ranges_help_refuse(
				self, "expected start, stop, flush, snapshot or status, not",
				argv[i]);
			return false;
		}
	}
	*code = check_options(self, out, argc > optind);
	return *code == 0;
}

static int run(const struct rcap_ranges_command *self, int argc, char **argv)
{
	struct options options = { .name = NULL };
	int rc;

	if (!parse_options(self, argc, argv, &options, &rc)) {
		return rc;
	}
	rcap_config_load(&config, rcap_config_log_problem, NULL);
	rcap_log_init((enum rcap_log_level) config.log_level);
	rc = find_targets(self, &options);
	for (size_t i = 0; i < targets.count && rc != RCAP_RANGES_EXIT_USAGE; i++) {
		const int code = act(&options, &targets.all[i]);

		rc = code > rc ? code : rc;
	}
	free(targets.all);
	return rc;
}

const struct rcap_ranges_command rcap_ranges_ctl_command = {
	.name = "ctl",
	.arguments = "start|stop|flush|snapshot|status [OPTIONS]",
	.summary = "Switches the capture of running programs on or off, and shows its state",
	.operands =
		"  start                  switch the capture on, into a new log\n"
		"  stop                   switch it off; print the log's name when complete\n"
		"  flush                  write to the log what was recorded up to now\n"
		"  snapshot               write what is kept (\"ranges run --keep\") to a log\n"
		"  status                 a line for each program: on or off, cycle, events, log\n",
	.notes = "Without --pid, --name or --all it takes the one program of yours that is\n"
		 "recorded now. You can neither see nor switch programs of other users. A\n"
		 "program waits for \"ctl start\" under \"ranges run --standby\" or\n"
		 "RANGES_STANDBY=on.\n"
		 "Exit codes: 0, also if it was so already; 2 wrong usage; 3 there is no such\n"
		 "program, or it does not answer; 4 refused: its own settings decide, or nothing\n"
		 "is kept.\n",
	.run = run,
};
