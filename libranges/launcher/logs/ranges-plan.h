/* SPDX-License-Identifier: MIT */
/* What a run needs before the program starts: the log's name, a spool directory, the environment.
 */
#ifndef RCAP_RANGES_PLAN_H
#define RCAP_RANGES_PLAN_H

#include <stdbool.h>

#include "format/error.h"
#include "libranges/settings/config.h"

/* 24 KiB: static memory. */
struct rcap_ranges_plan {
	char pattern[RCAP_CONFIG_PATH_BYTES]; /* for RANGES_OUTPUT: absolute */
	char output[RCAP_CONFIG_PATH_BYTES];  /* name of the log; "" if it depends on the pid or a
	                                         number */
	char run_dir[RCAP_CONFIG_PATH_BYTES]; /* ours; "" if there is none */
	int run_fd;                           /* of it, locked; -1 if there is none */
	char exists[RCAP_CONFIG_PATH_BYTES];  /* the log that is kept; "": its name was free */
	char instead[RCAP_CONFIG_PATH_BYTES]; /* the name that is used, of the first cycle */
	char library[RCAP_CONFIG_PATH_BYTES];
	bool has_cycles;    /* several logs, each with its number in the name. Set by the caller */
	const char *remedy; /* behind the line that another name is used: " (…)", or "" */
	const char *
		consequence; /* what follows when no log can be written, behind the reason: "; …" */
};

/*
 * Decides the log's name. A file that exists is kept: the next free number is used, see
 * rcap_ranges_plan_tell_kept(); with @replace it is put aside (ranges-aside.h). Of cycles the
 * number is that of all. When no log can be written there, one line says why.
 *
 * @pattern: as RANGES_OUTPUT.
 * Return: 0; 1: capture is not possible, and has been said; -RLOG_E_ARGUMENT, -RLOG_E_FULL: the
 * pattern is wrong, err says how, nothing has been said.
 */
int rcap_ranges_plan_output(struct rcap_ranges_plan *plan, const char *pattern, bool replace,
                            struct rlog_error *err);

/* Says that a log exists and another name was used, if that is so. @has_log: one was written; else
 * it is said only if there is a file of that name. Once. */
void rcap_ranges_plan_tell_kept(struct rcap_ranges_plan *plan, bool has_log);

/* Finds the library. Return: false: there is none, and that has been said. */
bool rcap_ranges_plan_library(struct rcap_ranges_plan *plan, const char *wanted);

/*
 * Makes a private directory for the spools of all processes of the run.
 *
 * @wanted: RANGES_SPOOL_DIR, may be "".
 * Return: false: none could be made, that has been said; plan->run_dir is "" then and the run is
 * still possible.
 */
bool rcap_ranges_plan_run_dir(struct rcap_ranges_plan *plan, const char *wanted);

/* Lets others complete what is left in it. */
void rcap_ranges_plan_leave_run_dir(struct rcap_ranges_plan *plan);

/* Puts the plan into the environment of this process, for the child. An NVTX tool that has the
 * place already is chained behind ours, and a line says so. */
void rcap_ranges_plan_export(const struct rcap_ranges_plan *plan, bool is_cuda_off);

/* Takes it out again, for commands that are not to be recorded. */
void rcap_ranges_plan_withdraw(void);

/* Removes from the environment what an outer run has put there for its own child. */
void rcap_ranges_plan_forget_outer(void);

/* A path as shown to the user: without the working directory in front. Borrows from path. */
const char *rcap_ranges_plan_shorten(const char *path);

#endif
