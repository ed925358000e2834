/* SPDX-License-Identifier: MIT */
/* Completing the log of a process that has died, out of its spool. */
#ifndef RCAP_RECOVER_H
#define RCAP_RECOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "format/error.h"

struct rcap_recover_options {
	const char *output; /* pattern of the log's name if it was not begun yet; NULL: as the
	                       program wanted it */
	bool force;         /* also if the owner seems to be alive */
};

struct rcap_recover_result {
	int64_t pid;
	bool had_events; /* there is a log with at least one event */
	bool was_closed; /* the program had closed its log and nothing came after that */
	bool was_begun;  /* the log had a name already: options->output is not used */
	uint64_t events; /* in the log */
	uint64_t lost;   /* all causes */
	uint64_t bad_records;
	uint32_t threads;
	uint64_t size_bytes; /* of the log */
	char program[256];   /* name of its file, or its end */
	bool is_foreign;     /* of another pid namespace: whether it is alive cannot be known */
	char path[4096];     /* of the log, "" if there is none */
	char note[256];      /* trouble the program had in writing the log, "" if none */
	char gpu_note[256];  /* why there is no GPU data, or none from some time on, "" if there is
	                        or nobody asked for it */
};

/* The owner is alive: nothing was done. */
#define RCAP_RECOVER_ALIVE 1

/*
 * Writes to the log what the spool holds and the log does not, closes it, and fills the result
 * (also for a log that was closed in order). The spool file stays: the caller removes it.
 *
 * Return: 0, RCAP_RECOVER_ALIVE, or -code (of the spool, of system calls, of the writer).
 * Context: not in the traced process; one thread; calling it again after an error is safe and
 * writes nothing twice.
 */
int rcap_recover_spool(const char *spool_path, const struct rcap_recover_options *options,
                       struct rcap_recover_result *out, struct rlog_error *err);

/*
 * Fills the result with what the spool says now, and changes nothing.
 *
 * Return and context: as above.
 */
int rcap_recover_look(const char *spool_path, struct rcap_recover_result *out,
                      struct rlog_error *err);

#endif
