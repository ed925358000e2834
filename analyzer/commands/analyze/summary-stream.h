/* SPDX-License-Identifier: MIT */
/* Collects what the summary and the page need of a log whose ranges are not held: the sums of their
 * names, and the few ranges that steps and advice are made of. */
#ifndef RA_SUMMARY_STREAM_H
#define RA_SUMMARY_STREAM_H

#include "analyzer/figures/ranges/range-stream.h"

struct ra_summary_stream;

/*
 * @step_range: NAME[@DOMAIN] of the ranges that are steps; NULL: default. @names: of the rows of
 * ranges. Both are borrowed until destroy.
 */
struct ra_summary_stream *ra_summary_stream_create(const char *step_range,
                                                   const struct ra_labels_options *names);

/*
 * The same for a page: the model gets a walk (walk.h), too, and the sums are also by domain. If the
 * model has totals, it has no GPU work.
 */
struct ra_summary_stream *ra_summary_stream_create_walk(const char *step_range,
                                                        const struct ra_labels_options *names);

/* NULL is allowed. */
void ra_summary_stream_destroy(struct ra_summary_stream *stream);

/* The sink that takes the ranges; borrowed. */
const struct ra_slice_sink *ra_summary_stream_borrow_sink(struct ra_summary_stream *stream);

/* The sums, with final labels; borrowed. */
struct ra_range_stream *ra_summary_stream_borrow_sums(struct ra_summary_stream *stream);

/*
 * Makes a model with few ranges that gives the same steps and advice as one that holds all ranges;
 * borrowed. @model: of the load; it has no GPU work.
 */
const struct ra_model *ra_summary_stream_view(struct ra_summary_stream *stream,
                                              const struct ra_model *model);

#endif
