/* SPDX-License-Identifier: MIT */
/* Computes metrics of ranges that are streamed past once or a few times and are not kept. */
#ifndef RA_RANGE_STREAM_H
#define RA_RANGE_STREAM_H

#include "analyzer/figures/ranges/metrics.h"
#include "analyzer/model/slice-sink.h"

struct ra_range_stream;

enum ra_range_stream_part {
	RA_RANGE_STREAM_NAMES,   /* grouped by label (RA_GROUP_BY_NAME), or by domain */
	RA_RANGE_STREAM_DOMAINS, /* grouped by domain, without medians */
	RA_RANGE_STREAM_PARTS,
};

/*
 * @names: names for the labels; borrowed until destroy.
 * @parts: the parts that will be asked for: 1 << enum ra_range_stream_part, or'ed.
 * @by: how the first part is grouped.
 */
struct ra_range_stream *ra_range_stream_create(const struct ra_labels_options *names,
                                               unsigned parts, enum ra_group_by by);

/* Makes the model keep the samples of counters. */
void ra_range_stream_keep_samples(struct ra_range_stream *stream);

/* NULL is allowed. */
void ra_range_stream_destroy(struct ra_range_stream *stream);

/* Returns the sink that takes the ranges; borrowed. */
const struct ra_slice_sink *ra_range_stream_borrow_sink(struct ra_range_stream *stream);

/* Returns the labels of the groups by name; borrowed; available after the first pass. */
struct ra_labels *ra_range_stream_borrow_labels(struct ra_range_stream *stream);

/* Makes the same metrics as ra_metrics_init() of a model that has these ranges. */
void ra_range_stream_make(const struct ra_range_stream *stream, enum ra_range_stream_part part,
                          struct ra_metrics *metrics);

#endif
