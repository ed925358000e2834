/* SPDX-License-Identifier: MIT */
/* One input to its summary. */
#ifndef RA_BATCH_ONE_H
#define RA_BATCH_ONE_H

#include "analyzer/batch/batch-inputs.h"
#include "analyzer/load/load.h"
#include "analyzer/summary-file/sum-file.h"
#include "analyzer/summary-file/build/sum-series.h"

/* The single calls of several inputs. Zero-initialise. */
struct ra_batch_series {
	struct ra_sum_series *rows; /* owned */
	size_t count;
	size_t capacity;
};

void ra_batch_one_fini_series(struct ra_batch_series *series);

struct ra_batch_options {
	struct ra_load_options load;
	struct ra_labels_options names;
	const char *step_range; /* NULL: PyTorch's steps */
	const char *steps;      /* of these only; NULL: all */
	const char *words; /* all of these that are not the usual, as a text: part of an identity */
	/* Called with what was read of a log or trace, before it is summarised; NULL: not. Return:
	 * 0, or what becomes of the input. */
	int (*see_model)(void *context, const struct ra_batch_input *input,
	                 const struct ra_model *model, struct rlog_error *err);
	void *see_context;
	bool sees_ranges;               /* it looks at the model's ranges, which must be held */
	bool without_paths;             /* as of struct ra_sum_build_options */
	size_t see_counters;            /* the context is so many size_t, which see_model adds to */
	enum ra_count_kind by;          /* NONE: times; else what was counted, of logs that did */
	struct ra_batch_series *series; /* gets the calls of logs and traces; NULL: not */
};

/*
 * Appends what a log or trace comes to, or the parts of a summary, of which no steps can be chosen.
 *
 * Return: 0, or as ra_load_file(), ra_sum_id_file(), ra_sum_file_read().
 */
int ra_batch_one(struct ra_sum_file *file, const struct ra_batch_input *input,
                 const struct ra_batch_options *options, struct rlog_error *err);

#endif
