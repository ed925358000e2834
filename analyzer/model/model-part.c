/* SPDX-License-Identifier: MIT */
/* The facts about all ranges in a model that holds only the ranges around some steps. */
#include "analyzer/model/model-part.h"

#include "analyzer/base/alloc.h"

struct ra_model_part *ra_model_part_create(size_t slices, size_t tracks)
{
	struct ra_model_part *part = ra_alloc_zeros(1, sizeof(*part));
	struct ra_slices *s = &part->slices;
	const size_t room = slices + 1;

	s->start_ns = ra_alloc_bytes(room * sizeof(*s->start_ns));
	s->dur_ns = ra_alloc_bytes(room * sizeof(*s->dur_ns));
	s->name = ra_alloc_bytes(room * sizeof(*s->name));
	s->parent = ra_alloc_bytes(room * sizeof(*s->parent));
	s->domain = ra_alloc_bytes(room * sizeof(*s->domain));
	s->flags = ra_alloc_bytes(room * sizeof(*s->flags));
	s->count = slices;
	part->firsts = ra_alloc_zeros(tracks + 1, sizeof(*part->firsts));
	part->track_count = tracks;
	return part;
}

void ra_model_part_view(const struct ra_model *model, struct ra_model *view,
                        struct ra_track *tracks)
{
	const struct ra_model_part *part = model->part;

	*view = *model;
	view->part = NULL;
	view->slices = part->slices;
	view->tracks = tracks;
	for (size_t t = 0; t < model->track_count; t++) {
		tracks[t] = model->tracks[t];
		tracks[t].first_slice = t < part->track_count ? part->firsts[t] : 0;
		tracks[t].slice_count =
			t < part->track_count ? part->firsts[t + 1] - part->firsts[t] : 0;
	}
}
