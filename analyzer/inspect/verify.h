/* SPDX-License-Identifier: MIT */
/* Checks everything that doc/format.md promises about a log, chunk by chunk. */
#ifndef RA_VERIFY_H
#define RA_VERIFY_H

#include "format/error.h"
#include "format/read/reader.h"

/* The state of a check: what the caller sets, and the results so far. */
struct ra_verify {
	const struct rlog_reader *reader;
	/* Called with each finding, one line without a newline. */
	void (*finding)(void *context, uint64_t offset, const char *message);
	void *context;
	uint64_t findings;
	uint64_t events; /* number of events decoded */
};

/*
 * Runs all checks.
 *
 * @verify: the caller sets reader, finding and context; the rest is zero.
 * Return: 0, whatever was found, or -RLOG_E_NO_MEMORY.
 */
int ra_verify_run(struct ra_verify *verify);

/* The checks, in order. Those that return a value return the same values as ra_verify_run(). */
int ra_verify_events(struct ra_verify *verify);
void ra_verify_definitions(struct ra_verify *verify);
int ra_verify_index(struct ra_verify *verify);

/* Checks the data of a chunk's events, which ra_verify_events() has decoded. */
void ra_verify_data(struct ra_verify *verify, const struct rlog_chunk *chunk,
                    const struct rlog_batch *batch);

/* Checks the outer ranges that the chunk lists. Return: the same values as ra_verify_run(). */
int ra_verify_outer(struct ra_verify *verify, const struct rlog_chunk *chunk,
                    const struct rlog_batch *batch);

/* Reports a finding. */
void ra_verify_report(struct ra_verify *verify, uint64_t offset, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
