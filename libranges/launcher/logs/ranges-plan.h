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
	char pattern[RCAP_CONFIG_PATH_BYTES]; /* for RANGES_OUTPUT: absolute */
	char output[RCAP_CONFIG_PATH_BYTES];  /* name of the log; "" if it depends on the pid or a
	                                         number */
	char run_dir[RCAP_CONFIG_PATH_BYTES]; /* ours; "" if there is none */
	int run_fd;                           /* its descriptor, locked; -1 if there is none */
	/* an existing log that is kept; "": the name was free */
	char exists[RCAP_CONFIG_PATH_BYTES];
	char instead[RCAP_CONFIG_PATH_BYTES]; /* the name that is used instead, of the first
	                                         cycle */
	char library[RCAP_CONFIG_PATH_BYTES];
	bool has_cycles;    /* there are several logs with numbers; set by the caller */
	const char *remedy; /* last part of the line that reports another name: " (…)", or "" */
	const char
		*consequence; /* what happens if no log can be written, after the reason: "; …" */
};

/*
 * Decides the log's name. An existing file is kept: then the next free number is used, see
 * rcap_ranges_plan_tell_kept(). With @replace it is put aside (ranges-aside.h). Cycles share one
 * number. If no log can be written there, one line says why.
 *
 * @pattern: as RANGES_OUTPUT.
 * Return: 0; 1: capture is not possible, already reported; -RLOG_E_ARGUMENT, -RLOG_E_FULL: the
 * pattern is wrong, err says how, not reported.
 */
int rcap_ranges_plan_output(struct rcap_ranges_plan *plan, const char *pattern, bool replace,
                            struct rlog_error *err);

/* Reports, once, that a log exists and another name was used. @has_log: a log was written; else
 * it is reported only if there is a file of that name. */
void rcap_ranges_plan_tell_kept(struct rcap_ranges_plan *plan, bool has_log);

/* Finds the library. Return: false: there is none, already reported. */
bool rcap_ranges_plan_library(struct rcap_ranges_plan *plan, const char *wanted);

/*
 * Makes a private directory for the spools of all processes of the run.
 *
 * @wanted: RANGES_SPOOL_DIR, may be "".
 * Return: false: it could not be made, already reported; then plan->run_dir is "", and the run is
 * still possible.
 */
bool rcap_ranges_plan_run_dir(struct rcap_ranges_plan *plan, const char *wanted);

/* Unlocks the directory, so that other processes complete what is left in it. */
void rcap_ranges_plan_leave_run_dir(struct rcap_ranges_plan *plan);

/* Puts the plan into this process' environment, for the child. An NVTX tool that is set already
 * is chained behind ours, and a line says so. */
void rcap_ranges_plan_export(const struct rcap_ranges_plan *plan, bool is_cuda_off);

/* Takes the plan out of the environment again, for commands that must not be recorded. */
void rcap_ranges_plan_withdraw(void);

/* Removes from the environment what an outer run has put there for its own child. */
void rcap_ranges_plan_forget_outer(void);

/* A path as shown to the user: without the working directory. Borrows from path. */
const char *rcap_ranges_plan_shorten(const char *path);

#endif
