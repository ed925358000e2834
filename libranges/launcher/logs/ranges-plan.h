/* SPDX-License-Identifier: MIT */
/* Prepares what a run needs before the program starts: the log's name, a spool directory, the
 * environment. */
#ifndef RCAP_RANGES_PLAN_H
#define RCAP_RANGES_PLAN_H

#include <stdbool.h>

#include "format/error.h"
#include "libranges/settings/config.h"

/* The plan of a run. It has 24 KiB, so keep it in static memory. */
struct rcap_ranges_plan {
	char pattern[RCAP_CONFIG_PATH_BYTES]; /* absolute pattern for RANGES_OUTPUT */
	char output[RCAP_CONFIG_PATH_BYTES];  /* name of the log; "" if it depends on the pid or a
	                                       * number */
	char run_dir[RCAP_CONFIG_PATH_BYTES]; /* our directory for spools; "" if there is none */
	int run_fd;                           /* descriptor of run_dir, which has our lock; -1 if
	                                       * there is none */
	/* An existing log that is kept; "": the name was free. */
	char exists[RCAP_CONFIG_PATH_BYTES];
	char instead[RCAP_CONFIG_PATH_BYTES]; /* name that is used instead; with cycles, that of the
	                                       * first cycle's log */
	char library[RCAP_CONFIG_PATH_BYTES];
	bool has_cycles;         /* there are several logs with numbers; set by the caller */
	const char *remedy;      /* end of the line that reports another name: " (…)", or "" */
	const char *consequence; /* what happens if no log can be written; printed after the reason:
	                          * "; …" */
};

/*
 * Decides the log's name. If the file exists, it is kept, and the next free number is used: see
 * rcap_ranges_plan_tell_kept(). With @replace the file is put aside (ranges-aside.h). All cycles
 * get the same number. If no log can be written there, one line says why.
 *
 * @pattern: as RANGES_OUTPUT.
 * Return: 0; 1: capture is not possible, already reported; -RLOG_E_ARGUMENT, -RLOG_E_FULL: the
 * pattern is wrong; err says how; not reported.
 */
int rcap_ranges_plan_output(struct rcap_ranges_plan *plan, const char *pattern, bool replace,
                            struct rlog_error *err);

/* Reports once that a log existed and another name was used. @has_log: a log was written. If not,
 * this is reported only if there is a file of that name. */
void rcap_ranges_plan_tell_kept(struct rcap_ranges_plan *plan, bool has_log);

/* Finds libranges.so. Return: false if there is none: already reported. */
bool rcap_ranges_plan_library(struct rcap_ranges_plan *plan, const char *wanted);

/*
 * Makes a private directory for the spools of all processes of the run.
 *
 * @wanted: RANGES_SPOOL_DIR, may be "".
 * Return: false if it could not be made: already reported. Then plan->run_dir is "", and the run is
 * still possible.
 */
bool rcap_ranges_plan_run_dir(struct rcap_ranges_plan *plan, const char *wanted);

/* Unlocks the directory, so that other processes can complete what is left in it. */
void rcap_ranges_plan_leave_run_dir(struct rcap_ranges_plan *plan);

/* Sets the variables of the plan in this process' environment, which the child inherits. If an NVTX
 * tool is set already, it is chained behind us, and a line says so. */
void rcap_ranges_plan_export(const struct rcap_ranges_plan *plan, bool is_cuda_off);

/* Removes these variables again, for commands that must not be recorded. */
void rcap_ranges_plan_withdraw(void);

/* Removes the variables that an outer run has set for its own child. */
void rcap_ranges_plan_forget_outer(void);

/* Returns a path as it is shown to the user: without the working directory. Borrowed from
 * `path`. */
const char *rcap_ranges_plan_shorten(const char *path);

#endif
