/* SPDX-License-Identifier: MIT */
/* Summarises many inputs in worker processes, each result in a file of its own. */
#ifndef RA_BATCH_RUN_H
#define RA_BATCH_RUN_H

#include "analyzer/batch/batch-one.h"

#define RA_BATCH_MESSAGE_BYTES 240u

/* What became of an input. Few bytes, for there is one for each of 100,000 inputs; zero: nothing
 * yet. */
struct ra_batch_result {
	char part[48];  /* name of its file in the folder; "" if there is none */
	char *message;  /* owned: why not; NULL: all went well */
	uint64_t bytes; /* of the input */
	bool was_there; /* from an earlier run */
	bool unwritten; /* the input was read, its file could not be written */
};

/* The same between processes: without pointers. */
struct ra_batch_answer {
	struct ra_batch_result result; /* message: NULL */
	char message[RA_BATCH_MESSAGE_BYTES];
};

/* Between a result and what goes from one process to another. take_answer frees what was in the
 * result before; after make_answer the result still belongs to the sender. */
void ra_batch_take_answer(struct ra_batch_result *result, const struct ra_batch_answer *answer);
void ra_batch_make_answer(struct ra_batch_answer *answer, const struct ra_batch_result *result);

/* The input has no part, and this is why. */
void ra_batch_refuse(struct ra_batch_result *result, const char *message);

/* Frees what `count` results own, and the array. NULL is allowed. */
void ra_batch_free_results(struct ra_batch_result *results, size_t count);

struct ra_batch_job {
	const struct ra_batch_inputs *inputs;
	const struct ra_batch_options *options;
	const char *folder; /* where the parts go; it is there */
	size_t workers;     /* at least 1 */
	bool resume;        /* what is in the folder already is not made again */
	/* Called after each input; NULL: not called. */
	void (*progress)(void *context, size_t done, uint64_t bytes);
	void *progress_context;
	/* In the worker, with what an input came to; NULL: not called. Return: 0, or what becomes
	 * of the input. */
	int (*see_summary)(void *context, const struct ra_batch_input *input, const char *part,
	                   const struct ra_sum_file *file, struct rlog_error *err);
	/* In the worker, where `part` is there already: whether that is all; NULL: it is. */
	bool (*has_outputs)(void *context, const struct ra_batch_input *input, const char *part);
	void *context;
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
