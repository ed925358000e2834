/* SPDX-License-Identifier: MIT */
/* Makes a log of the pieces that are kept. */
#ifndef RCAP_SNAPSHOT_H
#define RCAP_SNAPSHOT_H

#include "libranges/drain/drain.h"

/* What is to be written. */
struct rcap_snapshot {
	const char *by;  /* a word of doc/format.md */
	const char *why; /* "": nothing more is to be said */
	/* Absolute: the file is replaced. NULL or "": the next name of the pattern that is free. */
	const char *path;
	const char
		*status;  /* it is the log of the end; see rlog_writer_finish(). NULL: a snapshot */
	uint64_t from_ns; /* CLOCK_MONOTONIC: not much more than what came later; 0: all */
};

/*
 * Writes the log: what was drained up to now. Under another name first, so that a death leaves no
 * half of one.
 *
 * The log of the end becomes the spool's, a snapshot stands in kept.logs.
 * Return: 0, or -code. Context: the drain, between two batches.
 */
int rcap_snapshot_write(struct rcap_drain *drain, const struct rcap_snapshot *what,
                        struct rlog_error *err);

#endif
