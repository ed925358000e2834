/* SPDX-License-Identifier: MIT */
/* Frees a model, and finds things in it. */
#include "analyzer/model/model.h"

#include <stdlib.h>

#include "analyzer/base/order/search.h"
#include "analyzer/model/model-facts.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/model/schemas.h"
#include "analyzer/model/walk.h"
#include "format/read/reader.h"

void ra_model_part_destroy(struct ra_model_part *part)
{
	if (part == NULL) {
		return;
	}
	free(part->slices.start_ns);
	free(part->slices.dur_ns);
	free(part->slices.name);
	free(part->slices.parent);
	free(part->slices.domain);
	free(part->slices.flags);
	free(part->firsts);
	free(part);
}

void ra_model_destroy(struct ra_model *model)
{
	if (model == NULL) {
		return;
	}
	if (model->walk != NULL) {
		model->walk->destroy(model->walk);
	}
	free(model->slices.start_ns);
	free(model->slices.dur_ns);
	free(model->slices.name);
	free(model->slices.parent);
	free(model->slices.domain);
	free(model->slices.flags);
	for (size_t i = model->string_count; i < model->name_count; i++) {
		free((void *) model->stand_ins[i - model->string_count].bytes);
	}
	free(model->stand_ins);
	for (size_t i = 1; model->own_strings != NULL && i < model->string_count; i++) {
		free((void *) model->own_strings[i].bytes);
	}
	free(model->own_strings);
	free(model->tracks);
	if (model->totals != NULL) {
		free(model->totals->tracks);
		free(model->totals->marks);
		free(model->totals);
	}
	free(model->marks);
	free(model->slice_attrs);
	free(model->slice_counts);
	free(model->mark_attrs);
	free(model->data_bytes);
	free(model->slice_data.rows);
	free(model->mark_data.rows);
	free(model->sample_data.rows);
	free(model->call_data.rows);
	if (model->schemas != NULL) {
		ra_schemas_fini(model->schemas);
		free(model->schemas);
	}
	free(model->sync_objects);
	free(model->sync_times);
	free(model->counters);
	free(model->samples);
	free(model->calls);
	free(model->os_calls);
	free(model->spans);
	free(model->handoffs);
	free(model->domains);
	free(model->categories);
	for (size_t i = 0; i < model->process_count; i++) {
		free((void *) model->processes[i].host);
		free((void *) model->processes[i].exe);
	}
	free(model->processes);
	ra_model_facts_free(model);
	free(model->loss_spans);
	ra_gpu_fini(&model->gpu);
	ra_model_part_destroy(model->part);
	rlog_reader_close(model->reader);
	ra_kineto_destroy(model->kineto);
	free(model);
}

static const struct ra_attr *find_attr(const struct ra_attr *attrs, size_t count, uint32_t owner)
{
	struct ra_search at = ra_search_in(0, count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, attrs[at.middle].owner < owner);
	}
	return at.low < count && attrs[at.low].owner == owner ? &attrs[at.low] : NULL;
}

const struct ra_attr *ra_model_find_slice_attr(const struct ra_model *model, uint32_t slice)
{
	return find_attr(model->slice_attrs, model->slice_attr_count, slice);
}

const struct ra_data *ra_model_find_data(const struct ra_data_list *list, uint32_t owner,
                                         size_t *count)
{
	struct ra_search at = ra_search_in(0, list->count);
	size_t end;

	while (ra_search_next(&at)) {
		ra_search_tell(&at, list->rows[at.middle].owner < owner);
	}
	for (end = at.low; end < list->count && list->rows[end].owner == owner;) {
		end++;
	}
	*count = end - at.low;
	return end > at.low ? list->rows + at.low : NULL;
}

struct rlog_string ra_model_device_word(const struct ra_model *model, uint32_t device)
{
	static const struct rlog_string gpu = { "GPU", 3, 3 };
	const struct ra_gpu_device *facts = ra_gpu_find_device(&model->gpu, device);

	return facts != NULL && facts->word != 0 ? ra_model_string(model, facts->word) : gpu;
}

struct rlog_string ra_model_string(const struct ra_model *model, uint32_t id)
{
	static const struct rlog_string no_name = { "(no name)", 9, 9 };
	static const struct rlog_string lost = { "(string lost)", 13, 13 };

	if (id == 0) {
		return no_name;
	}
	if (id >= model->string_count) {
		return id < model->name_count ? model->stand_ins[id - model->string_count] : lost;
	}
	return model->strings[id].bytes != NULL ? model->strings[id] : lost;
}

size_t ra_model_find_slice_end(const struct ra_model *model, const struct ra_track *track,
                               int64_t time_ns)
{
	struct ra_search at =
		ra_search_in(track->first_slice, track->first_slice + track->slice_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, model->slices.start_ns[at.middle] <= time_ns);
	}
	return at.low;
}

uint32_t ra_model_find_category(const struct ra_model *model, uint16_t domain, uint32_t category)
{
	struct ra_search at = ra_search_in(0, model->category_count);

	while (ra_search_next(&at)) {
		const struct ra_category *c = &model->categories[at.middle];

		ra_search_tell(&at,
		               c->domain < domain || (c->domain == domain && c->id < category));
	}
	if (at.low < model->category_count && model->categories[at.low].domain == domain &&
	    model->categories[at.low].id == category) {
		return model->categories[at.low].name;
	}
	return 0;
}

uint32_t ra_model_find_track(const struct ra_model *model, uint32_t slice, uint32_t near)
{
	/* There are few tracks, so a search in all is fast. Tracks of threads without ranges have
	 * no slices. */
	for (size_t i = 0; i < model->track_count; i++) {
		const size_t t = (near + i) % model->track_count;
		const struct ra_track *track = &model->tracks[t];

		if (slice >= track->first_slice &&
		    slice - track->first_slice < track->slice_count) {
			return (uint32_t) t;
		}
	}
	return RA_NONE; /* the model has no such slice */
}
