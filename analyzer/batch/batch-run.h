/* SPDX-License-Identifier: MIT */
/* Summarises many inputs in worker processes, each result in a file of its own. */
#ifndef RA_BATCH_RUN_H
#define RA_BATCH_RUN_H

#include "analyzer/batch/batch-one.h"

#define RA_BATCH_MESSAGE_BYTES 240u

/* What became of an input. */
struct ra_batch_result {
	char part[64]; /* name of its file in the folder; "" if there is none */
	char message[RA_BATCH_MESSAGE_BYTES]; /* why not; "" if all went well */
	uint64_t bytes;                       /* of the input */
	bool was_there;                       /* from an earlier run */
};

struct ra_batch_job {
	const struct ra_batch_inputs *inputs;
	const struct ra_batch_options *options;
	const char *folder; /* where the parts go; it is there */
	size_t workers;     /* at least 1 */
	bool resume;        /* what is in the folder already is not made again */
	/* Called after each input; NULL: not called. */
	void (*progress)(void *context, size_t done, uint64_t bytes);
	void *progress_context;
};

/*
 * Runs a process for each input, so many at once. What happens to one of them, even a crash,
 * happens to its input only.
 *
 * @results: room for all inputs, zero. Return: 0, -RLOG_E_SYSTEM (no process could be made).
 */
int ra_batch_run(const struct ra_batch_job *job, struct ra_batch_result *results,
                 struct rlog_error *err);

#endif
