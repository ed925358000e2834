/* SPDX-License-Identifier: MIT */
/* Makes a log of the pieces that are kept. */
#ifndef RCAP_SNAPSHOT_H
#define RCAP_SNAPSHOT_H

#include "libranges/drain/drain.h"

/* What is to be written. */
struct rcap_snapshot {
	const char *by;  /* a word of doc/format.md */
	const char *why; /* "": no reason to give */
	/* Absolute: the file is replaced. NULL or "": the next free name of the pattern. */
	const char *path;
	const char *status; /* of the final log; see rlog_writer_finish(). NULL: a snapshot */
	uint64_t from_ns; /* CLOCK_MONOTONIC: start there, or a little before; 0: take everything */
};

/*
 * Writes the log of everything drained so far. It has another name until it is whole, so that a
 * death leaves no half log.
 *
 * The final log becomes the spool's, a snapshot gets an entry in kept.logs.
 * Return: 0, or -code. Context: the drain, between two batches.
 */
int rcap_snapshot_write(struct rcap_drain *drain, const struct rcap_snapshot *what,
                        struct rlog_error *err);

#endif
