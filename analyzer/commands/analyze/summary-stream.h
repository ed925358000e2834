/* SPDX-License-Identifier: MIT */
/* Serves the summary and the page if a log's ranges are not held in memory. Collects the sums for
 * each name, and the few ranges from which steps and advice are made. */
#ifndef RA_SUMMARY_STREAM_H
#define RA_SUMMARY_STREAM_H

#include "analyzer/figures/ranges/range-stream.h"

struct ra_summary_stream;

/*
 * Creates a stream for a summary. @step_range: NAME[@DOMAIN] of the ranges that are steps; NULL:
 * default. @names: how to label rows of ranges. Both are borrowed until the stream is destroyed.
 */
struct ra_summary_stream *ra_summary_stream_create(const char *step_range,
                                                   const struct ra_labels_options *names);

/*
 * Creates a stream for a page: the model also gets a walk (walk.h), and the sums are also by
 * domain. If the model has totals, it has no GPU work.
 */
struct ra_summary_stream *ra_summary_stream_create_walk(const char *step_range,
                                                        const struct ra_labels_options *names);

/* Frees the stream. NULL is allowed. */
void ra_summary_stream_destroy(struct ra_summary_stream *stream);

/* Returns the sink that takes the ranges; borrowed. */
const struct ra_slice_sink *ra_summary_stream_borrow_sink(struct ra_summary_stream *stream);

/* Returns the sums, with final labels; borrowed. */
struct ra_range_stream *ra_summary_stream_borrow_sums(struct ra_summary_stream *stream);

/*
 * Returns a model with few ranges; borrowed. It gives the same steps and advice as a model that
 * holds all ranges. @model: the model that was loaded; it has no GPU work.
 */
const struct ra_model *ra_summary_stream_view(struct ra_summary_stream *stream,
                                              const struct ra_model *model);

#endif
