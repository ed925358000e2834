/* SPDX-License-Identifier: MIT */
/* A summary's part from a log whose ranges are not held: its steps. */
#include "analyzer/summary-file/build/sum-walk-impl.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/model/walk.h"
#include "analyzer/read-log/ranges/step-events.h"

/* 24 MB. With more candidates the model must hold all ranges. */
#define MOST_CANDIDATES ((size_t) 1 << 19)

/* What is known of a name: whether its ranges may be steps, in the last domain asked for. */
struct known {
	uint16_t domain;
	bool is_known;
	bool may_be;
};

struct pass {
	struct ra_sum_walk *walk;
	struct ra_steps_options options;
	struct known *names; /* owned; by name */
	uint32_t track;
	uint64_t place; /* of the next new range */
	bool is_lost;
};

static struct ra_steps_options take_options(const struct ra_sum_walk *walk)
{
	return (struct ra_steps_options){ .range = walk->job->options->step_range };
}

bool ra_sum_walk_has_candidates(const struct ra_sum_walk *walk)
{
	const struct ra_model *model = walk->job->whole;
	const struct ra_steps_options options = take_options(walk);
	bool has =
		options.range != NULL || ra_step_events_find_domain(model) != RA_STEP_EVENTS_NONE;

	for (uint32_t i = 0; i < model->name_count && !has; i++) {
		has = ra_steps_may_be(&options, ra_model_string(model, i), ra_util_string(""));
	}
	return has;
}

static bool may_be(struct pass *pass, const struct ra_slices *slices, size_t slice)
{
	const struct ra_model *model = pass->walk->job->whole;
	const uint16_t domain = slices->domain[slice];
	struct known *name = &pass->names[slices->name[slice]];

	if (!name->is_known || name->domain != domain) {
		name->is_known = true;
		name->domain = domain;
		name->may_be =
			ra_steps_may_be(&pass->options, ra_model_string(model, slices->name[slice]),
		                        ra_model_string(model, model->domains[domain].name));
	}
	return name->may_be;
}

static void add_candidate(struct pass *pass, const struct ra_slices *slices, size_t slice)
{
	struct ra_sum_walk *walk = pass->walk;

	if (walk->candidate_count >= MOST_CANDIDATES) {
		pass->is_lost = true;
		return;
	}
	RA_UTIL_APPEND(walk->candidates, walk->candidate_count, walk->candidate_capacity,
	               (struct ra_sum_walk_candidate){
			       .range = { .start_ns = slices->start_ns[slice],
	                                  .dur_ns = slices->dur_ns[slice],
	                                  .name = slices->name[slice],
	                                  .track = pass->track,
	                                  .domain = slices->domain[slice],
	                                  .flags = slices->flags[slice] },
			       .place = pass->place,
		       });
}

static void take_part(void *context, const struct ra_model *part, int64_t until_ns)
{
	struct pass *pass = context;
	struct ra_sum_walk *walk = pass->walk;
	const struct ra_track *track = &part->tracks[pass->track];
	const struct ra_slices *s = &part->slices;

	(void) until_ns;
	for (size_t i = track->first_slice; i < track->first_slice + track->slice_count; i++) {
		const int64_t end_ns = s->start_ns[i] + s->dur_ns[i];

		walk->first_ns = s->start_ns[i] < walk->first_ns ? s->start_ns[i] : walk->first_ns;
		walk->last_ns = end_ns > walk->last_ns ? end_ns : walk->last_ns;
		if (track->kind != RA_TRACK_THREAD || may_be(pass, s, i)) {
			add_candidate(pass, s, i);
		}
		pass->place++;
	}
}

int ra_sum_walk_find_candidates(struct ra_sum_walk *walk)
{
	const struct ra_model *model = walk->job->whole;
	struct pass pass = { .walk = walk, .options = take_options(walk) };

	pass.names = ra_alloc_zeros(model->name_count + 1, sizeof(*pass.names));
	for (uint32_t t = 0; t < model->track_count && !pass.is_lost; t++) {
		pass.track = t;
		pass.place = 0;
		walk->firsts[t] = walk->candidate_count;
		ra_walk_over(model, t, take_part, &pass);
	}
	walk->firsts[model->track_count] = walk->candidate_count;
	free(pass.names);
	return pass.is_lost ? RA_SUM_NEEDS_RANGES : 0;
}

/* Moves the attributes of start/end ranges to their places among the candidates. */
static void move_attrs(const struct ra_sum_walk *walk, struct ra_model *some)
{
	const struct ra_model *model = walk->job->whole;

	some->slice_attrs = ra_alloc_zeros(model->slice_attr_count + 1, sizeof(*some->slice_attrs));
	some->slice_attr_count = 0;
	for (size_t t = 0; t < model->track_count; t++) {
		const struct ra_track *track = &model->tracks[t];

		for (size_t i = 0; i < model->slice_attr_count && track->kind != RA_TRACK_THREAD;
		     i++) {
			struct ra_attr attr = model->slice_attrs[i];

			if (attr.owner >= track->first_slice &&
			    attr.owner - track->first_slice < track->slice_count) {
				attr.owner = (uint32_t) (attr.owner - track->first_slice +
				                         walk->firsts[t]);
				some->slice_attrs[some->slice_attr_count++] = attr;
			}
		}
	}
}

static void add_slice(struct ra_slices *slices, const struct ra_walk_range *range)
{
	const size_t i = slices->count++;

	slices->start_ns[i] = range->start_ns;
	slices->dur_ns[i] = range->dur_ns;
	slices->name[i] = range->name;
	slices->domain[i] = range->domain;
	slices->flags[i] = range->flags;
	slices->parent[i] = RA_NONE;
}

/* Makes slices of the candidates and, in no track, of one range that is as long as all. */
static void make_slices(const struct ra_sum_walk *walk, struct ra_model *some)
{
	const size_t count = walk->candidate_count + 1;
	struct ra_slices *slices = &some->slices;

	slices->start_ns = ra_alloc_bytes(count * sizeof(*slices->start_ns));
	slices->dur_ns = ra_alloc_bytes(count * sizeof(*slices->dur_ns));
	slices->name = ra_alloc_bytes(count * sizeof(*slices->name));
	slices->parent = ra_alloc_bytes(count * sizeof(*slices->parent));
	slices->domain = ra_alloc_bytes(count * sizeof(*slices->domain));
	slices->flags = ra_alloc_bytes(count * sizeof(*slices->flags));
	slices->count = 0;
	for (size_t i = 0; i < walk->candidate_count; i++) {
		add_slice(slices, &walk->candidates[i].range);
	}
	if (walk->first_ns < INT64_MAX) {
		add_slice(slices, &(struct ra_walk_range){
					  .start_ns = walk->first_ns,
					  .dur_ns = walk->last_ns - walk->first_ns,
				  });
	}
}

static void free_slices(struct ra_slices *slices)
{
	free(slices->start_ns);
	free(slices->dur_ns);
	free(slices->name);
	free(slices->parent);
	free(slices->domain);
	free(slices->flags);
}

void ra_sum_walk_make_steps(struct ra_sum_walk *walk)
{
	const struct ra_steps_options options = take_options(walk);
	const struct ra_model *model = walk->job->whole;
	struct ra_model some = *model;

	make_slices(walk, &some);
	move_attrs(walk, &some);
	some.tracks = ra_alloc_zeros(model->track_count + 1, sizeof(*some.tracks));
	for (size_t t = 0; t < model->track_count; t++) {
		some.tracks[t] = model->tracks[t];
		some.tracks[t].first_slice = walk->firsts[t];
		some.tracks[t].slice_count = walk->firsts[t + 1] - walk->firsts[t];
	}
	ra_steps_init(&walk->job->steps, &some, &options);
	for (size_t i = 0; i < walk->candidate_count; i++) {
		walk->candidates[i].is_step = walk->job->steps.is_step[i];
	}
	some.slices.count = walk->candidate_count;
	ra_sum_build_name_steps(walk->job, &some.slices);
	free(some.tracks);
	free(some.slice_attrs);
	free_slices(&some.slices);
}
