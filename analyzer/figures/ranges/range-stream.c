/* SPDX-License-Identifier: MIT */
/* Computes metrics of ranges that are streamed past once or a few times and are not kept. The first
 * pass makes all sums and counts durations in cells; further passes find the medians within a
 * cell. */
#include "analyzer/figures/ranges/range-stream.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/figures/ranges/range-part.h"
#include "analyzer/figures/ranges/range-runs.h"
#include "analyzer/figures/ranges/self-time.h"

struct ra_range_stream {
	struct ra_slice_sink sink;
	const struct ra_labels_options *names; /* borrowed */
	struct ra_labels labels;
	struct ra_range_part parts[RA_RANGE_STREAM_PARTS];
	struct ra_self_time self;
	struct ra_range_levels levels;
	bool has_names; /* the first part is grouped by label */
	bool has_parts; /* at least one part is wanted */
	bool is_merged; /* the labels are final */
	unsigned pass;  /* number of the current pass; 0: none yet */
};

static uint32_t find_group(struct ra_range_part *part, const struct ra_slices *slices, size_t slice,
                           uint8_t kind)
{
	return ra_range_part_find(part, slices->name[slice], slices->domain[slice],
	                          (slices->flags[slice] & RA_SLICE_WAIT) != 0 ? RA_GROUP_WAIT
	                                                                      : kind);
}

/* Sums a stretch in the first pass: self and total time (doc/metrics.md, section 3). @inner_ns: of
 * a thread's ranges, see self-time.h; otherwise NULL. */
static void sum_stretch(struct ra_range_part *part, const struct ra_slice_stretch *stretch,
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

		sum = &part->sums[group];
		if (is_thread) {
			/* An open range continues, but it covers everything up to now. */
			ra_range_sum_add_coverage(sum, stretch->track, s->start_ns[i],
			                          is_open ? stretch->now_ns
			                                  : s->start_ns[i] + dur_ns);
		} else {
			ra_range_sum_add_total(sum, dur_ns);
		}
		if (is_open) {
			continue;
		}
		ra_range_sum_add_call(sum, dur_ns);
		if (inner_ns != NULL) {
			sum->self_ns -= (uint64_t) inner_ns[i];
		}
		if (part->has_medians) {
			ra_range_part_add_middle(part, group, (uint64_t) dur_ns);
		}
	}
}

/* Adds a stretch in a further pass. */
static void narrow_stretch(struct ra_range_part *part, const struct ra_slice_stretch *stretch)
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

static void forget_sums(struct ra_range_stream *stream)
{
	for (int p = 0; p < RA_RANGE_STREAM_PARTS; p++) {
		ra_range_part_fini(&stream->parts[p]);
	}
	ra_self_time_fini(&stream->self);
	ra_range_levels_fini(&stream->levels);
}

static void forget(struct ra_range_stream *stream)
{
	if (stream->pass > 0 || stream->is_merged) {
		forget_sums(stream);
		ra_labels_fini(&stream->labels);
	}
	stream->is_merged = false;
	stream->pass = 0;
}

static void begin_groups(struct ra_range_stream *stream)
{
	struct ra_group_base *names = &stream->parts[RA_RANGE_STREAM_NAMES].groups;

	ra_group_base_init(names, &stream->labels, stream->has_names);
	ra_group_base_init(&stream->parts[RA_RANGE_STREAM_DOMAINS].groups, NULL, false);
	if (stream->names->merges_numbers && !stream->is_merged) {
		ra_group_base_note_domains(names);
	}
}

/* Makes labels. Only at the end of the pass it is known which names are merged. Until then, all
 * names that may be merged are merged. */
static void begin_labels(struct ra_range_stream *stream, const struct ra_model *model)
{
	struct ra_labels_options names = *stream->names;

	names.joins_numbers = names.merges_numbers;
	names.merges_numbers = false;
	ra_labels_init(&stream->labels, model, &names);
}

static void begin(void *context, const struct ra_model *model)
{
	struct ra_range_stream *stream = context;

	if (stream->pass++ > 0) {
		return;
	}
	if (!stream->is_merged) {
		begin_labels(stream, model);
	}
	begin_groups(stream);
}

static void take(void *context, const struct ra_slice_stretch *stretch)
{
	struct ra_range_stream *stream = context;
	const bool is_thread = stretch->model->tracks[stretch->track].kind == RA_TRACK_THREAD;
	const int64_t *inner_ns = NULL;

	if (!stream->has_parts) {
		return;
	}
	ra_labels_reserve(&stream->labels);
	if (stream->pass == 1 && is_thread) {
		inner_ns = ra_self_time_take(&stream->self, &stretch->model->slices);
	}
	for (int p = 0; p < RA_RANGE_STREAM_PARTS; p++) {
		struct ra_range_part *part = &stream->parts[p];

		if (!part->is_wanted || (stream->pass > 1 && !part->has_medians)) {
			continue;
		}
		ra_range_part_reserve(part, stretch->model, stretch->model->slices.count);
		if (stream->pass == 1) {
			sum_stretch(part, stretch, inner_ns);
		} else {
			narrow_stretch(part, stretch);
		}
	}
}

static int64_t take_run(void *context, const struct ra_slice_run *run)
{
	struct ra_range_stream *stream = context;
	const bool is_summed = stream->has_parts && stream->pass == 1;
	int64_t covered_ns = 0;

	ra_labels_reserve(&stream->labels);
	for (int p = 0; p < RA_RANGE_STREAM_PARTS; p++) {
		struct ra_range_part *part = &stream->parts[p];

		if (!part->is_wanted || (stream->pass > 1 && !part->has_medians)) {
			continue;
		}
		ra_range_part_reserve(part, run->model, run->count);
		if (stream->pass > 1) {
			ra_range_runs_narrow(part, run);
			continue;
		}
		covered_ns = ra_range_runs_sum(part, run, &stream->self, &stream->levels);
	}
	if (is_summed) {
		ra_range_runs_keep_self(&stream->self, run, &stream->levels);
	}
	return is_summed ? covered_ns : ra_range_runs_cover(run);
}

/* Finishes the self times after the first pass: until now they lack the ranges' durations.
 * Start/end ranges have no self time. */
static void finish_self(const struct ra_range_part *part)
{
	for (size_t g = 0; g < part->sum_count; g++) {
		if (part->groups.keys[g].kind != RA_TRACK_START_END) {
			part->sums[g].self_ns += ra_range_sum_durations(&part->sums[g]);
		}
	}
}

/*
 * Makes the final labels.
 *
 * Return: false if the sums are of other groups than these labels make; then the sums are dropped.
 */
static bool finish_labels(struct ra_range_stream *stream)
{
	struct ra_range_part *part = &stream->parts[RA_RANGE_STREAM_NAMES];
	struct ra_labels labels;
	bool is_same;

	ra_group_base_reserve(&part->groups, stream->labels.model);
	ra_labels_init_merged(&labels, stream->labels.model, stream->names, part->groups.domains);
	is_same = ra_group_base_relabel(&part->groups, &labels);
	if (!is_same) {
		forget_sums(stream);
		stream->pass = 0;
	}
	ra_labels_fini(&stream->labels);
	stream->labels = labels;
	stream->is_merged = true;
	return is_same;
}

static enum ra_slice_sink_wish end(void *context)
{
	struct ra_range_stream *stream = context;
	bool needs_more = false;

	if (stream->names->merges_numbers && !stream->is_merged && !finish_labels(stream)) {
		return RA_SLICE_SINK_AGAIN;
	}
	for (int p = 0; p < RA_RANGE_STREAM_PARTS; p++) {
		const struct ra_range_part *part = &stream->parts[p];

		if (stream->pass == 1) {
			finish_self(part);
		}

		for (size_t g = 0; part->has_medians && g < part->sum_count; g++) {
			needs_more |= ra_middle_settle(&part->middles[g]);
			/* Runs are not counted here, but in the medians. */
			part->sums[g].calls = part->middles[g].count;
		}
	}
	return needs_more ? RA_SLICE_SINK_AGAIN : RA_SLICE_SINK_ENOUGH;
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
		.take_run = take_run,
		.end = end,
		.drop = drop,
	};
	for (int p = 0; p < RA_RANGE_STREAM_PARTS; p++) {
		stream->parts[p].is_wanted = (parts >> p & 1) != 0;
		stream->has_parts |= stream->parts[p].is_wanted;
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
	const struct ra_range_part *made = &stream->parts[part];

	memset(metrics, 0, sizeof(*metrics));
	ra_range_sums_make_rows(metrics, made->sums, made->groups.keys, made->groups.count);
	for (size_t g = 0; made->has_medians && g < metrics->count; g++) {
		metrics->rows[g].median_ns = ra_middle_value(&made->middles[g]);
	}
}
