/* SPDX-License-Identifier: MIT */
/* Makes the summary of one input. */
#ifndef RA_BATCH_ONE_H
#define RA_BATCH_ONE_H

#include "analyzer/batch/batch-inputs.h"
#include "analyzer/load/load.h"
#include "analyzer/summary-file/sum-file.h"
#include "analyzer/summary-file/build/sum-series.h"

/* The single calls in several inputs, not merged. Zero-initialise. */
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
	const char *steps;      /* only these steps; NULL: all */
	const char *words; /* those options above that differ from the default, as text. It is part
	                      of a summary's identity */
	/* Called with the model of a log or trace before it is summarised; NULL: not called.
	 * Return: 0, or an error, which becomes the result for the input. */
	int (*see_model)(void *context, const struct ra_batch_input *input,
	                 const struct ra_model *model, struct rlog_error *err);
	void *see_context;
	bool sees_ranges;      /* see_model looks at the model's ranges, so they must be held in
	                          memory */
	bool without_paths;    /* as in struct ra_sum_build_options */
	size_t see_counters;   /* if not 0, see_context is an array of this many size_t, and
	                          see_model adds to them */
	enum ra_count_kind by; /* NONE: figures are times; else counts of this kind, from logs that
	                          have them */
	struct ra_batch_series *series; /* gets the single calls of logs and traces; NULL: they are
	                                   not kept */
};

/*
 * Appends the summary of a log or trace, or the parts of a summary file. The steps of a summary
 * can't be chosen.
 *
 * Return: 0, or an error of ra_load_file(), ra_sum_id_file() or ra_sum_file_read().
 */
int ra_batch_one(struct ra_sum_file *file, const struct ra_batch_input *input,
                 const struct ra_batch_options *options, struct rlog_error *err);

#endif
