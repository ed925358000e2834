/* SPDX-License-Identifier: MIT */
/* `ranges run`: starts a program with libranges.so loaded into it, and completes its logs
 * (ranges-logs.c) after its end. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libranges/settings/config.h"
#include "libranges/settings/cupti-kinds.h"
#include "libranges/base/log.h"
#include "libranges/drain/output.h"
#include "libranges/launcher/logs/ranges-aside.h"
#include "libranges/launcher/shared/ranges-child.h"
#include "libranges/launcher/shared/ranges-command.h"
#include "libranges/launcher/ranges-done.h"
#include "libranges/launcher/ranges-deciders.h"
#include "libranges/launcher/ranges-dropin.h"
#include "libranges/launcher/ranges-dying.h"
#include "libranges/launcher/shared/ranges-find.h"
#include "libranges/launcher/shared/ranges-help.h"
#include "libranges/launcher/logs/ranges-left.h"
#include "libranges/launcher/logs/ranges-logs.h"
#include "libranges/launcher/ranges-needs.h"
#include "libranges/launcher/shared/ranges-options.h"
#include "libranges/launcher/logs/ranges-plan.h"
#include "libranges/launcher/shared/ranges-signals.h"
#include "libranges/launcher/ranges-watch.h"
#include "libranges/nvml/nvml-serve.h"

/* The command line. Strings are borrowed from argv. */
struct options {
	const char *output;
	const char *on_done;
	char **program; /* the program's argv */
	struct rcap_ranges_deciders deciders;
	bool replace;
	bool analyze;
	bool nvtx_v2;
};

static struct rcap_config config;
static struct rcap_ranges_plan plan = { .run_fd = -1 };

/* Joins the conditions of several options. Return: 0, or an exit code. */
static int add_condition(const struct rcap_ranges_command *self, const char *value,
                         struct options *out)
{
	static char text[2 * RCAP_TRIGGER_BYTES];
	const size_t used = out->deciders.has_condition ? strlen(text) : 0;
	char why[300];

	rcap_log_format(text + used, sizeof(text) - used, "%s%s", used > 0 ? "; " : "", value);
	out->deciders.has_condition = true;
	if (!rcap_config_is_valid("RANGES_WHEN", text, why, sizeof(why))) {
		return rcap_ranges_help_refuse(self, "--when", why);
	}
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): one thread */
	return setenv("RANGES_WHEN", text, 1) == 0 ? 0 : RCAP_RANGES_EXIT_NOT_EXECUTABLE;
}

/* Takes an option that sets an environment variable. Return: 0, or the exit code if it is
 * refused. */
static int set_variable(const struct rcap_ranges_command *self, const struct rlog_option *row,
                        struct options *out)
{
	const char *const value = row->value == NULL ? strchr(row->variable, '=') + 1 : optarg;
	char name[32];
	char option[32];
	char why[300];

	rcap_log_format(name, sizeof(name), "%.*s", (int) strcspn(row->variable, "="),
	                row->variable);
	rcap_log_format(option, sizeof(option), "--%s", row->name);
	if (!rcap_config_is_valid(name, value, why, sizeof(why))) {
		return rcap_ranges_help_refuse(self, option, why);
	}
	rcap_ranges_deciders_note(&out->deciders, name);
	if (row->id == 'w') {
		return add_condition(self, value, out);
	}
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): one thread */
	return setenv(name, value, 1) == 0 ? 0 : RCAP_RANGES_EXIT_NOT_EXECUTABLE;
}

/* Takes an option. Return: 0, or the exit code if it is refused. */
static int take_option(const struct rcap_ranges_command *self, const struct rlog_option *row,
                       void *context)
{
	struct options *const out = context;
	switch (row->id) {
	case 'o':
		out->output = optarg;
		return 0;
	case 'd':
		out->on_done = optarg;
		return 0;
	case 'f':
		out->replace = true;
		return 0;
	case 'a':
		out->analyze = true;
		return 0;
	case '2':
		out->nvtx_v2 = true;
		return 0;
	default:
		return set_variable(self, row, out);
	}
}

/* Parses the options. They end at "--" or at the first argument that is not an option. Return:
 * false: the command ends with the exit code *code. */
static bool parse_options(const struct rcap_ranges_command *self, int argc, char **argv,
                          struct options *out, int *code)
{
	if (!rcap_ranges_options_read(self, argc, argv, take_option, out, code)) {
		return false;
	}
	out->program = argv + optind;
	if (out->program[0] == NULL) {
		*code = rcap_ranges_help_refuse(self, "the program to run is missing", "");
	}
	return *code == 0;
}

/* If the program is linked with NVTX's old library, and the library is missing, lets it find
 * ours. */
static void prepare_dropin(const struct options *options, const struct rcap_ranges_needs *needs)
{
	const char *what = "--nvtx-v2";

	if (!options->nvtx_v2) {
		if (!needs->misses_nvtx) {
			return;
		}
		what = "the program has no libnvToolsExt.so.1";
	}
	if (rcap_ranges_dropin_export(plan.library)) {
		RCAP_LOG(RCAP_LOG_INFO, "%s: libranges' is in its search path", what);
	} else {
		RCAP_LOG(RCAP_LOG_WARN, "%s: there is none next to %s, either", what, plan.library);
	}
}

/* Switches our thread off if the program will probably sandbox itself by libseccomp. Its filter may
 * cover the system calls of all threads, and forbid those that our thread makes. If the program
 * uses CUDA, our thread stays, because the GPU's capture needs it. */
static void foresee_sandbox(const struct rcap_ranges_needs *needs)
{
	if (!needs->has_seccomp || needs->has_cuda || secure_getenv("RANGES_THREAD") != NULL) {
		return;
	}
	RCAP_LOG(RCAP_LOG_WARN, "the program is linked with libseccomp: recorded without a "
	                        "libranges thread (RANGES_THREAD=on: with one)");
	config.threads = RCAP_THREADS_OFF;
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): one thread */
	setenv("RANGES_THREAD", "off", 1);
}

/* Prepares the capture. Return: 0; 1 if the program must run without a capture; else an exit code
 * (2). */
static int prepare(const struct rcap_ranges_command *self, const struct options *options)
{
	const char *const pattern = options->output != NULL ? options->output : config.output;
	const char *const library = secure_getenv("RANGES_LIBRARY");
	struct rcap_ranges_needs needs;
	struct rlog_error err = { .code = RLOG_OK };
	char why[300];
	int rc;

	plan.has_cycles = rcap_schedule_has_cycles(config.schedule, config.capture_range,
	                                           config.standby == 1);
	plan.remedy = " (-f replaces it)";
	plan.consequence = "; the program runs without capture";
	rc = rcap_ranges_plan_output(&plan, pattern, options->replace, &err);
	if (rc < 0) {
		/* A setting of the environment is for all programs, so it must not stop this
		 * one. */
		rcap_log_line(RCAP_LOG_ERROR, "%s: output \"%s\": %s%s", self->name, pattern,
		              err.message, options->output ? "" : plan.consequence);
		return options->output ? RCAP_RANGES_EXIT_USAGE : 1;
	}
	if (rc != 0 || !rcap_ranges_plan_library(&plan, library != NULL ? library : "")) {
		return 1;
	}
	rcap_ranges_needs_list(options->program[0], &needs);
	foresee_sandbox(&needs);
	if (config.threads == RCAP_THREADS_OFF &&
	    rcap_ranges_deciders_check_thread(&options->deciders, self, &config) != 0) {
		return RCAP_RANGES_EXIT_USAGE;
	}
	rcap_ranges_plan_run_dir(&plan, config.spool_dir);
	rcap_ranges_plan_export(&plan,
	                        config.threads == RCAP_THREADS_OFF ||
	                                rcap_cupti_kinds_parse(config.cuda, why, sizeof(why)) == 0);
	prepare_dropin(options, &needs);
	return 0;
}

/* If there is only one log, gives it the name that the user asked for, even if another process has
 * written it. Does not rename logs of cycles, because the program was told their names. */
static void rename_only_log(struct rcap_ranges_logs *logs)
{
	char *const path = logs->count == 1 ? logs->logs[0].path : NULL;

	if (path == NULL || logs->logs[0].is_numbered || logs->alive != 0 ||
	    plan.output[0] == '\0' || strcmp(path, plan.output) == 0) {
		return;
	}
	if (rcap_output_rename_to_free(path, plan.output) == 0) {
		rcap_log_format(path, sizeof(logs->logs[0].path), "%s", plan.output);
	}
}

static void run_analyzer(const struct rcap_ranges_logs *logs)
{
	char analyzer[RCAP_CONFIG_PATH_BYTES];
	struct rcap_ranges_child child;
	char *argv[3] = { analyzer, NULL, NULL };

	if (logs->count == 0) {
		return;
	}
	rcap_ranges_find_analyzer(analyzer, sizeof(analyzer));
	argv[1] = logs->logs[0].path;
	rcap_ranges_plan_withdraw();
	if (rcap_ranges_child_run(argv, false, -1, NULL, NULL, &child) != 0 ||
	    child.exec_errno != 0) {
		rcap_log_line(RCAP_LOG_WARN, "cannot start %s: %s", analyzer,
		              rcap_ranges_help_errno(child.exec_errno));
	}
}

/* Captures that ended less than this ago may still be completed by another process. */
#define LEFT_FOR_S 600

/* Reports captures that were never completed. They take memory, and their users miss their logs. */
static void report_left(void)
{
	const size_t left = rcap_ranges_left_visit(config.spool_dir, LEFT_FOR_S, NULL, NULL);

	if (left > 0) {
		rcap_log_line(RCAP_LOG_WARN,
		              "%lu earlier capture%s never completed: \"ranges recover\" lists "
		              "them, \"ranges recover --all\" completes them",
		              (unsigned long) left, left == 1 ? " was" : "s were");
	}
}

/* Undoes the plan if a signal comes before the program has started. Files that were to be replaced
 * get their names back. */
static void undo_plan(void)
{
	rcap_ranges_aside_abandon();
	rmdir(plan.run_dir);
}

/* Takes over the signals. Before the program has started, a signal ends us. While logs are
 * completed, signals do not end us, unless the user presses ^C several times, because a file system
 * may hang. */
static void hold_signals(void)
{
	static const struct rcap_ranges_signals_end early = { .tidy = undo_plan };

	rcap_ranges_signals_hold();
	rcap_ranges_signals_end_by(&early);
	rcap_ranges_signals_pass_to(0);
}

static void begin_completion(void)
{
	static char line[RCAP_CONFIG_PATH_BYTES + 80];
	static const struct rcap_ranges_signals_end end = {
		.presses = 3,
		.hint = "completing the log: press ^C twice more to give up",
		.line = line,
		.tidy = rcap_ranges_aside_abandon
	};

	rcap_log_format(line, sizeof(line),
	                "interrupted, the log is not complete: \"ranges recover %s\" completes it",
	                plan.run_dir);
	rcap_ranges_signals_end_by(&end);
}

/* Runs after the program's end: completes its logs, prints the line about them, and prints the
 * summary. */
static void finish(const struct options *options, const struct rcap_ranges_child *child,
                   struct rcap_ranges_done *done)
{
	struct rcap_ranges_logs logs = { .domains = config.domains,
		                         .program = options->program[0],
		                         .was_killed = child->exit_code >= RCAP_RANGES_EXIT_SIGNAL,
		                         .wait_ms = config.wait_ms };
	int rc;

	if (plan.run_dir[0] == '\0') {
		rcap_ranges_plan_tell_kept(&plan, false);
		return;
	}
	/* Makes a file size limit an error of write(), not a signal, so that we can still return
	 * the program's exit code. The program had the inherited setting. */
	(void) signal(SIGXFSZ, SIG_IGN);
	if (child->exec_errno != 0) {
		rmdir(plan.run_dir);
		return;
	}
	rcap_ranges_dying_wait(plan.run_dir, child->exit_code >= RCAP_RANGES_EXIT_SIGNAL,
	                       config.wait_ms);
	rcap_ranges_done_look(done);
	rc = rcap_ranges_logs_add_directory(&logs, plan.run_dir, NULL);
	if (rc != 0) {
		rcap_log_line(RCAP_LOG_ERROR, "cannot read the spools in %s: %s", plan.run_dir,
		              rcap_ranges_help_errno(rc));
		return;
	}
	rcap_ranges_logs_sort(&logs, child->pid);
	rename_only_log(&logs);
	rcap_ranges_aside_settle();
	rcap_ranges_plan_tell_kept(&plan, logs.count > 0);
	rcap_ranges_logs_report(&logs, plan.run_dir);
	report_left();
	rcap_ranges_signals_end_by(NULL);
	rcap_ranges_plan_leave_run_dir(&plan);
	rcap_ranges_done_end(done, &logs);
	if (options->analyze) {
		run_analyzer(&logs);
	}
	rcap_ranges_logs_fini(&logs);
}

/* What is done from time to time while the program runs. */
struct duties {
	struct rcap_ranges_watch watch;
	struct rcap_ranges_done *done;
	bool is_drain; /* the program has no thread of ours, so we drain it */
};

static void take_turn(void *context)
{
	struct duties *const duties = context;

	if (duties->is_drain) {
		rcap_ranges_watch_turn(&duties->watch);
	}
	if (duties->done->command) {
		rcap_ranges_done_turn(duties->done);
	}
}

/* Begins to take samples of the GPUs. Without GPUs the program runs as well. */
static void begin_gpu_metrics(bool is_drain)
{
	int rc;

	if (is_drain && config.gpu_metrics[0] != '\0') {
		rcap_log_line(RCAP_LOG_WARN, "no GPU metrics: they need a libranges thread in the "
		                             "program (--no-thread forbids it)");
		return;
	}
	rc = rcap_nvml_serve_begin(plan.run_dir, config.gpu_metrics, config.gpu_every_ns);
	if (rc != 0) {
		rcap_log_line(RCAP_LOG_WARN, "no GPU metrics: %s", rcap_ranges_help_errno(rc));
	}
}

static int run_program(char **program, struct rcap_ranges_done *done,
                       struct rcap_ranges_child *child)
{
	struct duties duties = { .done = done, .is_drain = config.threads != RCAP_THREADS_ON };
	int rc;

	begin_gpu_metrics(duties.is_drain);
	if (plan.run_dir[0] == '\0' || (!duties.is_drain && !done->command)) {
		return rcap_ranges_child_run(program, true, -1, NULL, NULL, child);
	}
	if (duties.is_drain) {
		rcap_ranges_watch_begin(&duties.watch, plan.run_dir, &config);
	}
	rc = rcap_ranges_child_run(program, true, -1, take_turn, &duties, child);
	if (duties.is_drain) {
		rcap_ranges_watch_end(&duties.watch);
	}
	return rc;
}

static int run(const struct rcap_ranges_command *self, int argc, char **argv)
{
	struct options options = { .output = NULL };
	struct rcap_ranges_done done = { .run_dir = plan.run_dir };
	struct rcap_ranges_child child;
	int rc;

	rcap_ranges_plan_forget_outer();
	if (!parse_options(self, argc, argv, &options, &rc)) {
		return rc;
	}
	rcap_ranges_deciders_yield(&options.deciders);
	rcap_config_load(&config, rcap_config_log_problem, NULL);
	rcap_log_init((enum rcap_log_level) config.log_level);
	rc = rcap_ranges_deciders_check(&options.deciders, self, &config);
	hold_signals();
	rc = rc != 0 ? rc : prepare(self, &options);
	if (rc == RCAP_RANGES_EXIT_USAGE) {
		rcap_ranges_aside_settle();
		return rc;
	}
	done.command = options.on_done;
	rc = run_program(options.program, &done, &child);
	begin_completion();
	rcap_nvml_serve_end();
	if (rc != 0 || child.exec_errno != 0) {
		rcap_log_line(RCAP_LOG_ERROR, "cannot run %s: %s", options.program[0],
		              rcap_ranges_help_errno(rc != 0 ? rc : child.exec_errno));
	}
	if (rc != 0) {
		rcap_ranges_aside_settle();
		rmdir(plan.run_dir);
		rcap_ranges_plan_leave_run_dir(&plan);
		return RCAP_RANGES_EXIT_NOT_EXECUTABLE;
	}
	finish(&options, &child, &done);
	rcap_ranges_aside_settle(); /* the run has no capture, or makes no logs */
	rcap_ranges_plan_leave_run_dir(&plan);
	return child.exit_code;
}

const struct rcap_ranges_command rcap_ranges_run_command = {
	.name = "run",
	.runs_another = true,
	.arguments = "[OPTIONS] [--] PROGRAM [ARGUMENTS]",
	.summary = "Runs a program and records its NVTX ranges; its exit code is passed through",
	.has_variables = true,
	.notes = "Exit codes: the program's; 128 + n if signal n ended it; 127 if it is not\n"
		 "found; 126 if it cannot be executed; 2 wrong usage, nothing is started.\n",
	.run = run,
};
