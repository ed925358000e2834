/* SPDX-License-Identifier: MIT */
/* Collects from a model without slices the few ranges that a report needs one by one, and makes a
 * model that holds them. */
#include "analyzer/model/few-ranges.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

void ra_few_ranges_fini(struct ra_few_ranges *few)
{
	free(few->rows);
	free(few->open);
	*few = (struct ra_few_ranges){ 0 };
}

uint32_t ra_few_ranges_add(struct ra_few_ranges *few, const struct ra_walk_range *range)
{
	if (few->count >= RA_FEW_RANGES_MOST) {
		few->is_full = true;
		return RA_NONE;
	}
	RA_UTIL_APPEND(few->rows, few->count, few->capacity, *range);
	return (uint32_t) few->count - 1;
}

static void begin_track(struct ra_few_ranges *few, size_t track)
{
	if (few->track != track) {
		few->track = track;
		few->open_count = 0;
	}
}

/* Adds a range that comes for the first time. Return: its row; RA_NONE: there are too many. */
static uint32_t add_slice(struct ra_few_ranges *few, const struct ra_slices *s, size_t slice,
                          size_t track)
{
	return ra_few_ranges_add(few, &(struct ra_walk_range){
					      .start_ns = s->start_ns[slice],
					      .name = s->name[slice],
					      .track = (uint32_t) track,
					      .domain = s->domain[slice],
				      });
}

void ra_few_ranges_take(struct ra_few_ranges *few, const struct ra_slice_stretch *stretch,
                        ra_few_ranges_wants *wants, void *context)
{
	const struct ra_slices *s = &stretch->model->slices;
	const bool has_all = stretch->model->tracks[stretch->track].kind != RA_TRACK_THREAD;
	size_t open = 0;

	begin_track(few, stretch->track);
	ra_util_grow(&few->open, &few->open_capacity, s->count, sizeof(*few->open));
	for (size_t i = 0; i < s->count; i++) {
		const int64_t dur_ns = s->dur_ns[i];
		uint32_t row = RA_NONE;

		if (i < few->open_count) {
			row = few->open[i];
		} else if (has_all || wants(context, s->name[i], s->domain[i])) {
			row = add_slice(few, s, i, stretch->track);
		}
		if (dur_ns == RA_SLICE_SINK_OPEN) {
			few->open[open++] = row; /* stays in place, because open <= i */
			continue;
		}
		ra_few_ranges_note_time(few, s->start_ns[i], s->start_ns[i] + dur_ns);
		if (row != RA_NONE) {
			few->rows[row].dur_ns = dur_ns;
			few->rows[row].flags = s->flags[i];
		}
	}
	few->open_count = open;
}

/* Adds a range that begins in a run, if it is wanted. Return: its row; RA_NONE: it is not wanted,
 * or there are too many. */
static uint32_t add_pushed(struct ra_few_ranges *few, const struct ra_slice_run *run, size_t range,
                           ra_few_ranges_wants *wants, void *context)
{
	const size_t push = run->ranges[range].push;

	if (!wants(context, run->names[push], run->domain)) {
		return RA_NONE;
	}
	return ra_few_ranges_add(few, &(struct ra_walk_range){
					      .start_ns = run->times[push],
					      .name = run->names[push],
					      .track = (uint32_t) run->track,
					      .domain = run->domain,
				      });
}

void ra_few_ranges_take_run(struct ra_few_ranges *few, const struct ra_slice_run *run,
                            ra_few_ranges_wants *wants, void *context)
{
	const struct ra_slices *s = &run->model->slices;
	size_t open = 0;

	begin_track(few, run->track);
	ra_util_grow(&few->open, &few->open_capacity, run->open_before + run->open_count + 1,
	             sizeof(*few->open));
	for (size_t i = 0; i < run->count; i++) {
		const bool is_before = i < run->open_before;
		const int64_t start_ns =
			is_before ? s->start_ns[i] : run->times[run->ranges[i].push];
		uint32_t row;

		if (is_before) {
			row = i < few->open_count ? few->open[i] : RA_NONE;
		} else {
			row = add_pushed(few, run, i, wants, context);
		}
		if (open < run->open_count && run->open[open] == i) {
			few->open[open++] = row; /* open is at most i, so no entry is overwritten
			                            before it is read */
			continue;
		}
		ra_few_ranges_note_time(few, start_ns, run->times[run->ranges[i].pop]);
		if (row != RA_NONE) {
			few->rows[row].dur_ns = run->times[run->ranges[i].pop] - start_ns;
			few->rows[row].flags = is_before ? s->flags[i] : 0;
		}
	}
	few->open_count = run->open_count;
}

static void add_to_view(struct ra_slices *slices, const struct ra_walk_range *range)
{
	const size_t i = slices->count++;

	slices->start_ns[i] = range->start_ns;
	slices->dur_ns[i] = range->dur_ns;
	slices->name[i] = range->name;
	slices->domain[i] = range->domain;
	slices->flags[i] = range->flags;
	slices->parent[i] = RA_NONE;
}

static void make_slices(const struct ra_few_ranges *few, struct ra_slices *slices)
{
	const size_t count = few->count + 1;

	*slices = (struct ra_slices){
		.start_ns = ra_alloc_bytes(count * sizeof(*slices->start_ns)),
		.dur_ns = ra_alloc_bytes(count * sizeof(*slices->dur_ns)),
		.name = ra_alloc_bytes(count * sizeof(*slices->name)),
		.parent = ra_alloc_bytes(count * sizeof(*slices->parent)),
		.domain = ra_alloc_bytes(count * sizeof(*slices->domain)),
		.flags = ra_alloc_bytes(count * sizeof(*slices->flags)),
	};
	for (size_t i = 0; i < few->count; i++) {
		add_to_view(slices, &few->rows[i]);
	}
	if (few->has_any) {
		add_to_view(slices, &(struct ra_walk_range){
					    .start_ns = few->first_ns,
					    .dur_ns = few->last_ns - few->first_ns,
				    });
	}
}

static void make_tracks(const struct ra_few_ranges *few, const struct ra_model *model,
                        struct ra_model *view)
{
	size_t row = 0;

	view->tracks = ra_alloc_zeros(model->track_count + 1, sizeof(*view->tracks));
	for (size_t t = 0; t < model->track_count; t++) {
		struct ra_track *track = &view->tracks[t];

		*track = model->tracks[t];
		track->first_slice = row;
		while (row < few->count && few->rows[row].track == t) {
			row++;
		}
		track->slice_count = row - track->first_slice;
	}
}

/* Gives start/end ranges their attributes in the view, if the model holds attributes. */
static void move_attrs(const struct ra_model *model, struct ra_model *view)
{
	view->slice_attrs = ra_alloc_zeros(model->slice_attr_count + 1, sizeof(*view->slice_attrs));
	view->slice_attr_count = 0;
	for (size_t t = 0; t < model->track_count; t++) {
		const struct ra_track *track = &model->tracks[t];

		for (size_t i = 0; i < model->slice_attr_count && track->kind != RA_TRACK_THREAD;
		     i++) {
			struct ra_attr attr = model->slice_attrs[i];

			if (attr.owner >= track->first_slice &&
			    attr.owner - track->first_slice < track->slice_count) {
				attr.owner = (uint32_t) (attr.owner - track->first_slice +
				                         view->tracks[t].first_slice);
				view->slice_attrs[view->slice_attr_count++] = attr;
			}
		}
	}
}

void ra_few_ranges_view(const struct ra_few_ranges *few, const struct ra_model *model,
                        struct ra_model *view)
{
	*view = *model;
	make_slices(few, &view->slices);
	make_tracks(few, model, view);
	move_attrs(model, view);
}

void ra_few_ranges_view_fini(struct ra_model *view)
{
	free(view->slices.start_ns);
	free(view->slices.dur_ns);
	free(view->slices.name);
	free(view->slices.parent);
	free(view->slices.domain);
	free(view->slices.flags);
	free(view->tracks);
	free(view->slice_attrs);
}
