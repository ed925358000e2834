/* SPDX-License-Identifier: MIT */
/* Summarises many inputs in worker processes, each result into a file of its own. */
#ifndef RA_BATCH_RUN_H
#define RA_BATCH_RUN_H

#include "analyzer/batch/batch-one.h"

#define RA_BATCH_MESSAGE_BYTES 240u

/* The result for an input. It is small, because there may be 100,000 inputs. Zero: no result
 * yet. */
struct ra_batch_result {
	char part[48];  /* name of the part's file in the folder; "": there is none */
	char *message;  /* owned: what went wrong; NULL: nothing */
	uint64_t bytes; /* size of the input */
	bool was_there; /* the file is from an earlier run */
	bool unwritten; /* the input was read, but its file could not be written */
};

/* A result as it is sent between processes: without pointers. */
struct ra_batch_answer {
	struct ra_batch_result result; /* with message NULL */
	char message[RA_BATCH_MESSAGE_BYTES];
};

/* Convert between a result and the form sent between processes. take_answer first frees the
 * result's old contents. After make_answer the result still belongs to the sender. */
void ra_batch_take_answer(struct ra_batch_result *result, const struct ra_batch_answer *answer);
void ra_batch_make_answer(struct ra_batch_answer *answer, const struct ra_batch_result *result);

/* Stores that the input has no part, with the reason. */
void ra_batch_refuse(struct ra_batch_result *result, const char *message);

/* Frees `count` results and the array. NULL is allowed. */
void ra_batch_free_results(struct ra_batch_result *results, size_t count);

struct ra_batch_job {
	const struct ra_batch_inputs *inputs;
	const struct ra_batch_options *options;
	const char *folder; /* folder for the parts; it must exist */
	size_t workers;     /* at least 1 */
	bool resume;        /* parts that exist in the folder are not made again */
	/* Called after each input; NULL: not called. */
	void (*progress)(void *context, size_t done, uint64_t bytes);
	void *progress_context;
	/* Called in the worker with the input's summary; NULL: not called. Return: 0, or an error,
	 * which becomes the result for the input. */
	int (*see_summary)(void *context, const struct ra_batch_input *input, const char *part,
	                   const struct ra_sum_file *file, struct rlog_error *err);
	/* Called in the worker if `part` exists. Return: whether the input's other outputs exist,
	 * too. NULL: there are no others. */
	bool (*has_outputs)(void *context, const struct ra_batch_input *input, const char *part);
	void *context;
};

/*
 * Runs a process for each input, up to job->workers at the same time. If a process fails or
 * crashes, only its input is affected. @results: an array with an element for each input, all zero.
 * Return: 0, -RLOG_E_SYSTEM (no process could be started).
 */
int ra_batch_run(const struct ra_batch_job *job, struct ra_batch_result *results,
                 struct rlog_error *err);

#endif
