/* SPDX-License-Identifier: MIT */
/* Finds the steps for a summary's part, from a log whose ranges are not held in memory. */
#include "analyzer/summary-file/build/sum-walk-impl.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/model/walk.h"
#include "analyzer/read-log/ranges/step-events.h"

/* For a name: whether ranges with it may be steps, for the domain that was tested last. */
struct known {
	uint16_t domain;
	bool is_known;
	bool may_be;
};

struct pass {
	struct ra_sum_walk *walk;
	struct ra_steps_options options;
	struct known *names; /* owned; by name: what is known about it */
	uint32_t track;
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
	(void) ra_few_ranges_add(&pass->walk->few,
	                         &(struct ra_walk_range){ .start_ns = slices->start_ns[slice],
	                                                  .dur_ns = slices->dur_ns[slice],
	                                                  .name = slices->name[slice],
	                                                  .track = pass->track,
	                                                  .domain = slices->domain[slice],
	                                                  .flags = slices->flags[slice] });
}

static void take_part(void *context, const struct ra_model *part, int64_t until_ns)
{
	struct pass *pass = context;
	struct ra_sum_walk *walk = pass->walk;
	const struct ra_track *track = &part->tracks[pass->track];
	const struct ra_slices *s = &part->slices;

	(void) until_ns;
	for (size_t i = track->first_slice; i < track->first_slice + track->slice_count; i++) {
		ra_few_ranges_note_time(&walk->few, s->start_ns[i], s->start_ns[i] + s->dur_ns[i]);
		if (track->kind != RA_TRACK_THREAD || may_be(pass, s, i)) {
			add_candidate(pass, s, i);
		}
	}
}

int ra_sum_walk_find_candidates(struct ra_sum_walk *walk)
{
	const struct ra_model *model = walk->job->whole;
	struct pass pass = { .walk = walk, .options = take_options(walk) };

	pass.names = ra_alloc_zeros(model->name_count + 1, sizeof(*pass.names));
	for (uint32_t t = 0; t < model->track_count && !walk->few.is_full; t++) {
		pass.track = t;
		ra_walk_over(model, t, take_part, &pass);
	}
	free(pass.names);
	return walk->few.is_full ? RA_SUM_NEEDS_RANGES : 0;
}

void ra_sum_walk_make_steps(struct ra_sum_walk *walk)
{
	const struct ra_steps_options options = take_options(walk);
	struct ra_model *some = &walk->some;

	ra_few_ranges_view(&walk->few, walk->job->whole, some);
	ra_steps_init(&walk->job->steps, some, &options);
	some->slices.count = walk->few.count;
	ra_sum_build_name_steps(walk->job, &some->slices);
}
