/* SPDX-License-Identifier: MIT */
/* Makes a log of the pieces that are kept. */
#ifndef RCAP_SNAPSHOT_H
#define RCAP_SNAPSHOT_H

#include "libranges/drain/drain.h"

/* The log that is to be written. */
struct rcap_snapshot {
	const char *by;  /* what asks for the log: one of the words in doc/format.md */
	const char *why; /* "" if there is no reason to report */
	/* An absolute path; a file there is replaced. NULL or "": the next free name of the
	 * pattern. */
	const char *path;
	const char *status; /* status of the final log, see rlog_writer_finish(); NULL for a
	                     * snapshot */
	uint64_t from_ns; /* CLOCK_MONOTONIC: the log begins at this time or a little before; 0: it
	                   * has everything */
};

/*
 * Writes a log of everything drained so far. The log has a temporary name until it is complete. So
 * a program that dies leaves no incomplete log.
 *
 * The final log becomes the spool's log. A snapshot gets an entry in kept.logs.
 * Return: 0, or -code. Context: the drain, between two batches.
 */
int rcap_snapshot_write(struct rcap_drain *drain, const struct rcap_snapshot *what,
                        struct rlog_error *err);

#endif
