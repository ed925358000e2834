/* SPDX-License-Identifier: MIT */
/* Stores the single calls of a part's rows, in order of start. */
#include "analyzer/summary-file/build/sum-series.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"

/* It pays to forget places only when there are this many. */
#define LEAST_PLACES 65536

void ra_sum_series_fini(struct ra_sum_series *series)
{
	free(series->rows);
	free(series->calls);
	free(series->notes);
	free(series->all);
	memset(series, 0, sizeof(*series));
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ (hash >> 29);
}

static uint64_t mix_text(uint64_t hash, struct rlog_string text)
{
	return mix(hash, ra_util_string_hash(text.bytes == NULL ? "" : text.bytes, text.length));
}

uint64_t ra_sum_series_key(uint32_t table, uint32_t kind, struct rlog_string domain,
                           struct rlog_string name)
{
	return mix_text(mix_text(mix(mix(1, table), kind), domain), name);
}

void ra_sum_series_note(struct ra_sum_series *series, uint32_t row, int64_t dur_ns, uint32_t place)
{
	RA_UTIL_APPEND(
		series->notes, series->note_count, series->note_capacity,
		(struct ra_sum_series_note){ row, { (float) (dur_ns < 0 ? 0 : dur_ns), place } });
}

struct role {
	struct rlog_string name;
	uint32_t track;
};

static int compare_roles(const void *a, const void *b)
{
	const struct role *left = a;
	const struct role *right = b;
	const int order = ra_util_string_compare(left->name, right->name);

	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, track));
}

uint32_t *ra_sum_series_order(const struct ra_model *model)
{
	struct role *roles = ra_alloc_zeros(model->track_count + 1, sizeof(*roles));
	uint32_t *order = ra_alloc_zeros(model->track_count + 1, sizeof(*order));

	for (uint32_t i = 0; i < model->track_count; i++) {
		roles[i].name = ra_model_string(model, model->tracks[i].name);
		roles[i].track = i;
	}
	RA_SORT(roles, model->track_count, compare_roles);
	for (uint32_t i = 0; i < model->track_count; i++) {
		order[i] = roles[i].track;
	}
	free(roles);
	return order;
}

void ra_sum_places_fini(struct ra_sum_places *places)
{
	ra_util_map_free(&places->counts);
	free(places->kinds);
	free(places->arounds);
	memset(places, 0, sizeof(*places));
}

uint64_t ra_sum_places_hash(struct rlog_string name)
{
	return ra_util_string_hash(name.bytes == NULL ? "" : name.bytes, name.length);
}

void ra_sum_places_begin(struct ra_sum_places *places, uint8_t kind, size_t order)
{
	places->root = mix(kind, order);
	places->enough = LEAST_PLACES;
}

/* The place is made of the name, the place around, and the number of such ranges before it. */
uint64_t ra_sum_places_find(struct ra_sum_places *places, uint64_t around, uint64_t name)
{
	const uint64_t kind = mix(around, name);
	const uint32_t found = ra_util_map_find(&places->counts, kind);
	const uint32_t count = found == RA_UTIL_MAP_NONE ? 0 : found;

	if (found == RA_UTIL_MAP_NONE && places->forgets) {
		ra_util_grow(&places->kinds, &places->kind_capacity, places->count + 1,
		             sizeof(*places->kinds));
		ra_util_grow(&places->arounds, &places->around_capacity, places->count + 1,
		             sizeof(*places->arounds));
		places->kinds[places->count] = kind;
		places->arounds[places->count++] = around;
	}
	ra_util_map_put(&places->counts, kind, count + 1);
	return mix(kind, count + 1);
}

void ra_sum_places_forget(struct ra_sum_places *places, const uint64_t *open, size_t count)
{
	struct ra_util_map counts = { 0 };
	struct ra_util_map is_open = { 0 };
	size_t kept = 0;

	if (places->count < places->enough) {
		return;
	}
	ra_util_map_put(&is_open, places->root, 1);
	for (size_t i = 0; i < count; i++) {
		ra_util_map_put(&is_open, open[i], 1);
	}
	for (size_t i = 0; i < places->count; i++) {
		if (ra_util_map_find(&is_open, places->arounds[i]) != RA_UTIL_MAP_NONE) {
			ra_util_map_put(&counts, places->kinds[i],
			                ra_util_map_find(&places->counts, places->kinds[i]));
			places->kinds[kept] = places->kinds[i];
			places->arounds[kept++] = places->arounds[i];
		}
	}
	ra_util_map_free(&is_open);
	ra_util_map_free(&places->counts);
	places->counts = counts;
	places->count = kept;
	places->enough = LEAST_PLACES + 2 * kept;
}

void ra_sum_series_note_ranges(struct ra_sum_series *series, const struct ra_model *model,
                               struct ra_labels *labels, size_t first, const struct ra_group *group,
                               const int64_t *values)
{
	const struct ra_slices *slices = &model->slices;
	uint32_t *order = ra_sum_series_order(model);
	struct ra_sum_places places = { 0 };
	uint64_t *of_slice = ra_alloc_bytes((slices->count + 1) * sizeof(*of_slice));

	for (uint32_t r = 0; r < model->track_count; r++) {
		const struct ra_track *track = &model->tracks[order[r]];

		ra_sum_places_begin(&places, track->kind, r);
		for (size_t i = track->first_slice; i < track->first_slice + track->slice_count;
		     i++) {
			const uint32_t parent = slices->parent[i];
			const struct rlog_string name =
				ra_labels_name(labels, ra_labels_find(labels, slices->name[i]));

			of_slice[i] = ra_sum_places_find(
				&places, parent == RA_NONE ? places.root : of_slice[parent],
				ra_sum_places_hash(name));
			if (values == NULL || values[i] >= 0) {
				ra_sum_series_note(series, (uint32_t) (first + group->of_slice[i]),
				                   values == NULL ? slices->dur_ns[i] : values[i],
				                   (uint32_t) of_slice[i]);
			}
		}
	}
	ra_sum_places_fini(&places);
	free(of_slice);
	free(order);
}

static int compare_rows(const void *a, const void *b)
{
	const struct ra_sum_series_row *left = a;
	const struct ra_sum_series_row *right = b;
	const int order = RA_ORDER_UP(left, right, key);

	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, first));
}

uint64_t ra_sum_series_step(uint64_t calls)
{
	return calls == 0 ? 1 : 1 + (calls - 1) / RA_SUM_SERIES_MOST;
}

/* Groups the notes by row. `at`: where the next note of each row goes. */
static void place_notes(struct ra_sum_series *series, const uint64_t *counts, size_t *at)
{
	uint64_t *seen = ra_alloc_zeros(series->row_count + 1, sizeof(*seen));

	for (size_t i = 0; i < series->note_count; i++) {
		const struct ra_sum_series_note *note = &series->notes[i];
		const uint64_t every =
			series->all != NULL ? 1 : ra_sum_series_step(counts[note->row]);

		if (seen[note->row]++ % every == 0) {
			series->calls[at[note->row]++] = note->call;
		}
	}
	free(seen);
}

/* Counts the calls of each row. @counts: by row, all 0 at first. */
static void count_calls(const struct ra_sum_series *series, uint64_t *counts)
{
	if (series->all != NULL) {
		memcpy(counts, series->all, series->all_count * sizeof(*counts));
		return;
	}
	for (size_t i = 0; i < series->note_count; i++) {
		counts[series->notes[i].row]++;
	}
}

void ra_sum_series_seal(struct ra_sum_series *series, const struct ra_sum_part *part)
{
	uint64_t *counts = ra_alloc_zeros(part->row_count + 1, sizeof(*counts));
	size_t *at = ra_alloc_zeros(part->row_count + 1, sizeof(*at));

	series->row_count = part->row_count;
	series->rows = ra_alloc_zeros(part->row_count + 1, sizeof(*series->rows));
	count_calls(series, counts);
	for (size_t i = 0; i < part->row_count; i++) {
		const struct ra_sum_row *row = &part->rows[i];
		const uint64_t every = ra_sum_series_step(counts[i]);

		at[i] = series->call_count;
		series->rows[i] = (struct ra_sum_series_row){
			.key = ra_sum_series_key(row->table, row->kind, part->texts[row->domain],
			                         part->texts[row->name]),
			.first = at[i],
			.count = counts[i] == 0 ? 0 : (size_t) (1 + (counts[i] - 1) / every),
			.all = counts[i],
		};
		series->call_count += series->rows[i].count;
	}
	series->calls = ra_alloc_zeros(series->call_count + 1, sizeof(*series->calls));
	place_notes(series, counts, at);
	free(series->notes);
	series->notes = NULL;
	series->note_count = series->note_capacity = 0;
	RA_SORT(series->rows, series->row_count, compare_rows);
	free(counts);
	free(at);
}

const struct ra_sum_series_row *ra_sum_series_find(const struct ra_sum_series *series, uint64_t key)
{
	struct ra_search at = ra_search_in(0, series->row_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, series->rows[at.middle].key < key);
	}
	return at.low < series->row_count && series->rows[at.low].key == key ? &series->rows[at.low]
	                                                                     : NULL;
}
