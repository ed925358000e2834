/* SPDX-License-Identifier: MIT */
/*
 * Computes metrics of a model that has a walk in place of ranges. The medians of the first rows are
 * found while the sums are made. There may be as many rows as ranges. So the medians of the other
 * rows are found in further walks, when the number of their calls is known: the durations of rows
 * with few calls are stored in one array, and rows with many calls get a struct ra_middle.
 */
#include "analyzer/figures/ranges/metrics-walk.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/middle.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/ranges/range-sums.h"
#include "analyzer/figures/ranges/self-time.h"
#include "analyzer/model/walk.h"
#include "analyzer/names/group-base.h"

/* Number of rows whose medians are watched in the first walk. */
#define WATCHED 1024

/* Rows with more calls than this get a struct ra_middle, which then takes less memory than the
 * durations. */
#define MOST_STORED 1024

/* Stands for no path. */
#define NO_PATH RA_NONE

struct pass {
	const struct ra_model *model;
	struct ra_group_base groups; /* by name, or by domain */
	bool by_path;
	bool with_medians;
	bool is_first; /* this walk makes rows and sums */
	uint32_t track;
	struct ra_util_map path_of; /* outer path << 32 | group → path */
	struct ra_group_key *keys;  /* owned; for each path */
	size_t key_capacity;
	struct ra_group_path *paths; /* owned; for each path */
	size_t path_count;
	size_t path_capacity;
	struct ra_range_sum *sums; /* owned; for each row, which is a path or a group */
	size_t count;
	size_t capacity;
	struct ra_middle watched[WATCHED]; /* for the first rows */
	/* For the other rows: */
	struct ra_middle *middles; /* owned; for rows with many calls */
	size_t middle_count;
	uint32_t *middle_of; /* owned; for each row, its index in middles; RA_NONE: its durations
	                        are in `stored` */
	int64_t *stored;     /* owned; durations, one row after the other */
	uint64_t *ends;      /* owned; for each row, the end of its durations stored so far */
};

static void add_row(struct pass *pass)
{
	if (pass->count < WATCHED) {
		pass->watched[pass->count] = (struct ra_middle){ .is_watched = true };
	}
	RA_UTIL_APPEND(pass->sums, pass->count, pass->capacity,
	               (struct ra_range_sum){ .min_ns = INT64_MAX });
}

/* Finds the path of a range of a group within an outer path or NO_PATH. */
static uint32_t find_path(struct pass *pass, uint32_t around, uint32_t group)
{
	const uint64_t code = (uint64_t) around << 32 | group;
	uint32_t found = ra_util_map_find(&pass->path_of, code);
	const size_t count = pass->path_count;
	struct ra_group_key key;

	if (found != RA_UTIL_MAP_NONE) {
		return found;
	}
	found = (uint32_t) count;
	key = pass->groups.keys[group];
	key.path = found;
	ra_util_grow(&pass->keys, &pass->key_capacity, count + 1, sizeof(*pass->keys));
	pass->keys[count] = key;
	RA_UTIL_APPEND(pass->paths, pass->path_count, pass->path_capacity,
	               (struct ra_group_path){
			       .name = key.name,
			       .parent = around,
			       .depth = around == NO_PATH ? 0 : pass->paths[around].depth + 1,
			       .domain = key.domain,
		       });
	ra_util_map_put(&pass->path_of, code, found);
	return found;
}

static void add_sum(const struct pass *pass, const struct ra_slices *s, size_t slice, uint32_t row,
                    uint32_t around)
{
	struct ra_range_sum *sum = &pass->sums[row];
	const int64_t start_ns = s->start_ns[slice];
	const int64_t dur_ns = s->dur_ns[slice];

	ra_range_sum_add_call(sum, dur_ns);
	if (pass->model->tracks[pass->track].kind != RA_TRACK_THREAD) {
		ra_range_sum_add_total(sum, dur_ns);
		return;
	}
	ra_range_sum_add_coverage(sum, pass->track, start_ns, start_ns + dur_ns);
	ra_self_time_add(&sum->self_ns, around != RA_NONE ? &pass->sums[around].self_ns : NULL,
	                 dur_ns);
}

/* Adds a duration in a walk after the first. */
static void add_later(struct pass *pass, uint32_t row, uint64_t dur_ns)
{
	uint32_t middle;

	if (row < WATCHED) {
		ra_middle_narrow(&pass->watched[row], dur_ns);
		return;
	}
	middle = pass->middle_of[row - WATCHED];
	if (middle == RA_NONE) {
		pass->stored[pass->ends[row - WATCHED]++] = (int64_t) dur_ns;
	} else {
		ra_middle_add(&pass->middles[middle], dur_ns);
	}
}

static void narrow(struct pass *pass, uint32_t row, uint64_t dur_ns)
{
	if (row < WATCHED) {
		ra_middle_narrow(&pass->watched[row], dur_ns);
	} else if (pass->middle_of[row - WATCHED] != RA_NONE) {
		ra_middle_narrow(&pass->middles[pass->middle_of[row - WATCHED]], dur_ns);
	}
}

/* Finds the row of a range. @around: the row of the range around it, or RA_NONE. */
static uint32_t find_row(struct pass *pass, const struct ra_slices *s, size_t slice,
                         uint32_t around)
{
	const uint8_t kind = (s->flags[slice] & RA_SLICE_WAIT) != 0
	                             ? RA_GROUP_WAIT
	                             : (uint8_t) pass->model->tracks[pass->track].kind;
	const uint32_t group =
		ra_group_base_find(&pass->groups, s->name[slice], s->domain[slice], kind);
	const uint32_t row = pass->by_path ? find_path(pass, around, group) : group;

	if (row == pass->count) {
		add_row(pass);
	}
	return row;
}

/* Ranges of threads are tagged with their rows, so that the rows are known when other ranges are
 * inside them. */
static void take_part(void *context, const struct ra_model *part, int64_t until_ns)
{
	struct pass *pass = context;
	const struct ra_track *track = &part->tracks[pass->track];
	const struct ra_slices *s = &part->slices;
	uint64_t *tags = part->part_tags;

	(void) until_ns;
	for (size_t i = track->first_slice; i < track->first_slice + track->slice_count; i++) {
		const bool has_around = tags != NULL && s->parent[i] != RA_NONE;
		const uint32_t around = has_around ? (uint32_t) tags[s->parent[i]] : RA_NONE;
		const uint32_t row = find_row(pass, s, i, around);

		if (pass->is_first) {
			add_sum(pass, s, i, row, around);
			if (pass->with_medians && row < WATCHED) {
				ra_middle_add(&pass->watched[row], (uint64_t) s->dur_ns[i]);
			}
		} else if (pass->ends != NULL) {
			add_later(pass, row, (uint64_t) s->dur_ns[i]);
		} else {
			narrow(pass, row, (uint64_t) s->dur_ns[i]);
		}
		if (tags != NULL) { /* start/end ranges have no self time */
			tags[i] = row;
		}
	}
}

static void walk(struct pass *pass)
{
	for (uint32_t t = 0; t < pass->model->track_count; t++) {
		pass->track = t;
		ra_walk_over(pass->model, t, take_part, pass);
	}
}

/* Return: true if another walk is needed. */
static bool settle(struct pass *pass)
{
	bool needs_more = false;

	for (size_t i = 0; i < pass->count && i < WATCHED; i++) {
		needs_more |= ra_middle_settle(&pass->watched[i]);
	}
	for (size_t i = 0; i < pass->middle_count; i++) {
		needs_more |= ra_middle_settle(&pass->middles[i]);
	}
	return needs_more;
}

/* Makes room for the medians of the rows after the watched ones. */
static void begin_others(struct pass *pass)
{
	const size_t others = pass->count - WATCHED;
	uint64_t stored = 0;

	pass->ends = ra_alloc_zeros(others, sizeof(*pass->ends));
	pass->middle_of = ra_alloc_zeros(others, sizeof(*pass->middle_of));
	for (size_t i = 0; i < others; i++) {
		const uint64_t calls = pass->sums[WATCHED + i].calls;
		const bool is_stored = calls <= MOST_STORED;

		pass->ends[i] = stored;
		pass->middle_of[i] = is_stored ? RA_NONE : (uint32_t) pass->middle_count;
		pass->middle_count += !is_stored;
		stored += is_stored ? calls : 0;
	}
	pass->stored = ra_alloc_zeros((size_t) stored + 1, sizeof(*pass->stored));
	pass->middles = ra_alloc_zeros(pass->middle_count + 1, sizeof(*pass->middles));
}

/* Finds the median of the `calls` values before `end`; sorts these values. */
static int64_t find_stored(int64_t *end, uint64_t calls)
{
	int64_t *values = end - calls;
	int64_t lower;

	RA_SORT(values, (size_t) calls, ra_order_int64);
	lower = values[(calls - 1) / 2];
	return lower + (values[calls / 2] - lower) / 2;
}

static void find_medians(struct pass *pass, struct ra_metrics *metrics)
{
	bool needs_more = settle(pass);

	if (pass->count > WATCHED) {
		begin_others(pass);
		walk(pass);
		for (size_t i = WATCHED; i < pass->count; i++) {
			struct ra_metrics_row *row = &metrics->rows[i];

			if (pass->middle_of[i - WATCHED] == RA_NONE) {
				row->median_ns = find_stored(pass->stored + pass->ends[i - WATCHED],
				                             row->calls);
			}
		}
		free(pass->stored);
		free(pass->ends);
		pass->ends = NULL;
		needs_more = settle(pass);
	}
	while (needs_more) {
		walk(pass);
		needs_more = settle(pass);
	}
	for (size_t i = 0; i < pass->count; i++) {
		const uint32_t other = i < WATCHED ? RA_NONE : pass->middle_of[i - WATCHED];

		if (i < WATCHED || other != RA_NONE) {
			metrics->rows[i].median_ns = ra_middle_value(
				i < WATCHED ? &pass->watched[i] : &pass->middles[other]);
		}
	}
}

static void fini(struct pass *pass)
{
	for (size_t i = 0; i < pass->count && i < WATCHED && pass->with_medians; i++) {
		ra_middle_fini(&pass->watched[i]);
	}
	for (size_t i = 0; i < pass->middle_count; i++) {
		ra_middle_fini(&pass->middles[i]);
	}
	free(pass->middles);
	free(pass->middle_of);
	ra_util_map_free(&pass->path_of);
	ra_group_base_fini(&pass->groups);
	free(pass->keys);
	free(pass->sums);
	free(pass);
}

void ra_metrics_init_walk(struct ra_metrics *metrics, const struct ra_model *model, unsigned by,
                          struct ra_labels *labels, bool with_medians)
{
	struct pass *pass = ra_alloc_zeros(1, sizeof(*pass));

	memset(metrics, 0, sizeof(*metrics));
	pass->model = model;
	pass->by_path = (by & RA_GROUP_BY_PATH) != 0;
	pass->with_medians = with_medians;
	ra_group_base_init(&pass->groups, labels, by != RA_GROUP_BY_DOMAIN);
	ra_group_base_reserve(&pass->groups, model);
	pass->is_first = true;
	walk(pass);
	pass->is_first = false;
	ra_range_sums_make_rows(metrics, pass->sums, pass->by_path ? pass->keys : pass->groups.keys,
	                        pass->count);
	if (with_medians) {
		find_medians(pass, metrics);
	}
	metrics->paths = pass->paths;
	fini(pass);
}
