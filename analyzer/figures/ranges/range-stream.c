/* SPDX-License-Identifier: MIT */
/* Metrics of ranges that are streamed past once or a few times and are not kept. The first pass
 * makes all sums and counts durations in cells; further passes find the medians within a cell. */
#include "analyzer/figures/ranges/range-stream.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/middle.h"
#include "analyzer/figures/ranges/range-sums.h"
#include "analyzer/figures/ranges/self-time.h"
#include "analyzer/names/group-base.h"

/* At most so many groups have medians found in the first pass: up to 32 KB each. */
#define WATCHED_GROUPS 512

/* Groups of one kind. */
struct part {
	bool is_wanted;
	bool has_medians;
	struct ra_group_base groups;
	struct ra_range_sum *sums; /* owned; by group, as the next */
	size_t sum_count;
	size_t sum_capacity;
	struct ra_middle *middles; /* owned */
	size_t middle_capacity;
};

struct ra_range_stream {
	struct ra_slice_sink sink;
	const struct ra_labels_options *names; /* borrowed */
	struct ra_labels labels;
	struct part parts[RA_RANGE_STREAM_PARTS];
	struct ra_self_time self;
	bool has_names; /* they are what makes a row */
	unsigned pass;  /* 0: none yet */
};

static void add_group(struct part *part)
{
	RA_UTIL_APPEND(part->sums, part->sum_count, part->sum_capacity,
	               (struct ra_range_sum){ .min_ns = INT64_MAX });
	if (part->has_medians) {
		ra_util_grow(&part->middles, &part->middle_capacity, part->sum_count,
		             sizeof(*part->middles));
		part->middles[part->sum_count - 1] =
			(struct ra_middle){ .is_watched = part->sum_count <= WATCHED_GROUPS };
	}
}

static uint32_t find_group(struct part *part, const struct ra_slices *slices, size_t slice,
                           uint8_t kind)
{
	return ra_group_base_find(&part->groups, slices->name[slice], slices->domain[slice],
	                          (slices->flags[slice] & RA_SLICE_WAIT) != 0 ? RA_GROUP_WAIT
	                                                                      : kind);
}

/* The first pass: self and total time (doc/metrics.md, section 3). @inner_ns: of a thread, see
 * self-time.h. */
static void sum_stretch(struct part *part, const struct ra_slice_stretch *stretch,
                        const int64_t *inner_ns)
{
	const struct ra_slices *s = &stretch->model->slices;
	const bool is_thread = stretch->model->tracks[stretch->track].kind == RA_TRACK_THREAD;
	const uint8_t kind = is_thread ? RA_TRACK_THREAD : RA_TRACK_START_END;

	for (size_t i = 0; i < s->count; i++) {
		const uint32_t group = find_group(part, s, i, kind);
		const int64_t dur_ns = s->dur_ns[i];
		const bool is_open = dur_ns == RA_SLICE_SINK_OPEN;
		struct ra_range_sum *sum;

		if (group == part->sum_count) {
			add_group(part);
		}
		sum = &part->sums[group];
		if (is_thread) {
			/* An open range continues, after all that covers anything up to now. */
			ra_range_sum_add_coverage(sum, stretch->track, s->start_ns[i],
			                          is_open ? stretch->now_ns
			                                  : s->start_ns[i] + dur_ns);
		} else {
			sum->total_ns = ra_util_add_time(sum->total_ns, dur_ns);
		}
		if (is_open) {
			continue;
		}
		ra_range_sum_add_call(sum, dur_ns);
		if (is_thread) {
			sum->self_ns += (uint64_t) dur_ns - (uint64_t) inner_ns[i];
		}
		if (part->has_medians) {
			ra_middle_add(&part->middles[group], (uint64_t) dur_ns);
		}
	}
}

/* A further pass. */
static void narrow_stretch(struct part *part, const struct ra_slice_stretch *stretch)
{
	const struct ra_slices *s = &stretch->model->slices;
	const uint8_t kind = (uint8_t) stretch->model->tracks[stretch->track].kind;

	for (size_t i = 0; i < s->count; i++) {
		if (s->dur_ns[i] != RA_SLICE_SINK_OPEN) {
			const uint32_t group = find_group(part, s, i, kind);

			ra_middle_narrow(&part->middles[group], (uint64_t) s->dur_ns[i]);
		}
	}
}

static void forget(struct ra_range_stream *stream)
{
	for (int p = 0; p < RA_RANGE_STREAM_PARTS; p++) {
		struct part *part = &stream->parts[p];

		for (size_t g = 0; part->has_medians && g < part->sum_count; g++) {
			ra_middle_fini(&part->middles[g]);
		}
		free(part->middles);
		free(part->sums);
		ra_group_base_fini(&part->groups);
		*part = (struct part){ .is_wanted = part->is_wanted,
			               .has_medians = part->has_medians };
	}
	ra_self_time_fini(&stream->self);
	if (stream->pass > 0) {
		ra_labels_fini(&stream->labels);
	}
	stream->pass = 0;
}

static void begin(void *context, const struct ra_model *model)
{
	struct ra_range_stream *stream = context;

	if (stream->pass++ > 0) {
		return;
	}
	ra_labels_init(&stream->labels, model, stream->names);
	ra_group_base_init(&stream->parts[RA_RANGE_STREAM_NAMES].groups, &stream->labels,
	                   stream->has_names);
	ra_group_base_init(&stream->parts[RA_RANGE_STREAM_DOMAINS].groups, NULL, false);
}

static void take(void *context, const struct ra_slice_stretch *stretch)
{
	struct ra_range_stream *stream = context;
	const bool is_thread = stretch->model->tracks[stretch->track].kind == RA_TRACK_THREAD;
	const int64_t *inner_ns = NULL;

	ra_labels_reserve(&stream->labels);
	if (stream->pass == 1 && is_thread) {
		inner_ns = ra_self_time_take(&stream->self, &stretch->model->slices);
	}
	for (int p = 0; p < RA_RANGE_STREAM_PARTS; p++) {
		struct part *part = &stream->parts[p];

		if (!part->is_wanted || (stream->pass > 1 && !part->has_medians)) {
			continue;
		}
		ra_group_base_reserve(&part->groups, stretch->model);
		if (stream->pass == 1) {
			sum_stretch(part, stretch, inner_ns);
		} else {
			narrow_stretch(part, stretch);
		}
	}
}

static bool end(void *context)
{
	const struct ra_range_stream *stream = context;
	bool needs_more = false;

	for (int p = 0; p < RA_RANGE_STREAM_PARTS; p++) {
		const struct part *part = &stream->parts[p];

		for (size_t g = 0; part->has_medians && g < part->sum_count; g++) {
			needs_more |= ra_middle_settle(&part->middles[g]);
		}
	}
	return needs_more;
}

static void drop(void *context)
{
	forget(context);
}

struct ra_range_stream *ra_range_stream_create(const struct ra_labels_options *names,
                                               unsigned parts, enum ra_group_by by)
{
	struct ra_range_stream *stream = ra_alloc_zeros(1, sizeof(*stream));

	stream->names = names;
	stream->has_names = by == RA_GROUP_BY_NAME;
	stream->sink = (struct ra_slice_sink){
		.context = stream,
		.begin = begin,
		.take = take,
		.end = end,
		.drop = drop,
	};
	for (int p = 0; p < RA_RANGE_STREAM_PARTS; p++) {
		stream->parts[p].is_wanted = (parts >> p & 1) != 0;
	}
	stream->parts[RA_RANGE_STREAM_NAMES].has_medians =
		stream->parts[RA_RANGE_STREAM_NAMES].is_wanted;
	return stream;
}

void ra_range_stream_keep_samples(struct ra_range_stream *stream)
{
	stream->sink.keeps_samples = true;
}

void ra_range_stream_destroy(struct ra_range_stream *stream)
{
	if (stream != NULL) {
		forget(stream);
		free(stream);
	}
}

const struct ra_slice_sink *ra_range_stream_borrow_sink(struct ra_range_stream *stream)
{
	return &stream->sink;
}

struct ra_labels *ra_range_stream_borrow_labels(struct ra_range_stream *stream)
{
	return &stream->labels;
}

void ra_range_stream_make(const struct ra_range_stream *stream, enum ra_range_stream_part part,
                          struct ra_metrics *metrics)
{
	const struct part *made = &stream->parts[part];

	memset(metrics, 0, sizeof(*metrics));
	ra_range_sums_make_rows(metrics, made->sums, made->groups.keys, made->groups.count);
	for (size_t g = 0; made->has_medians && g < metrics->count; g++) {
		metrics->rows[g].median_ns = ra_middle_value(&made->middles[g]);
	}
}
