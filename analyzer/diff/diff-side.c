/* SPDX-License-Identifier: MIT */
/* Fills one side of a comparison: all of its inputs together, and each of its runs. */
#include "analyzer/diff/diff-side.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"

static void fini_run(struct ra_diff_run *run)
{
	ra_sum_set_fini(&run->set);
	free(run->series);
	free(run->steps);
}

void ra_diff_side_fini(struct ra_diff_side *side)
{
	for (size_t i = 0; i < side->run_count; i++) {
		fini_run(&side->runs[i]);
	}
	free(side->runs);
	ra_sum_set_fini(&side->set);
	ra_batch_one_fini_series(&side->series);
	memset(side, 0, sizeof(*side));
}

/* A part, and the run that it belongs to. */
struct place {
	const struct ra_sum_origin *origin;
	size_t part;
	size_t again; /* number of earlier parts with the same rank in the same folder */
};

static int compare_ranks(const void *a, const void *b)
{
	const struct place *left = a;
	const struct place *right = b;
	int order = ra_util_string_compare(left->origin->run, right->origin->run);

	order = RA_ORDER_THEN(order, RA_ORDER(left->origin->rank, right->origin->rank));
	order = RA_ORDER_THEN(order,
	                      ra_util_string_compare(left->origin->source, right->origin->source));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, part));
}

static int compare_runs(const void *a, const void *b)
{
	const struct place *left = a;
	const struct place *right = b;
	int order = ra_util_string_compare(left->origin->run, right->origin->run);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, again));
	order = RA_ORDER_THEN(order, RA_ORDER(left->origin->rank, right->origin->rank));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, part));
}

static bool is_same_run(const struct place *a, const struct place *b)
{
	return a->again == b->again && ra_util_string_is_same(a->origin->run, b->origin->run);
}

/* Sorts the parts by run. Return: how many runs there are. */
static size_t order_parts(const struct ra_sum_file *file, struct place *places)
{
	size_t runs = 0;

	for (size_t i = 0; i < file->count; i++) {
		places[i] = (struct place){ .origin = &file->parts[i].origin, .part = i };
	}
	RA_SORT(places, file->count, compare_ranks);
	for (size_t i = 1; i < file->count; i++) {
		const struct ra_sum_origin *before = places[i - 1].origin;

		if (before->rank == places[i].origin->rank &&
		    ra_util_string_is_same(before->run, places[i].origin->run)) {
			places[i].again = places[i - 1].again + 1;
		}
	}
	RA_SORT(places, file->count, compare_runs);
	for (size_t i = 0; i < file->count; i++) {
		runs += i == 0 || !is_same_run(&places[i], &places[i - 1]);
	}
	return runs;
}

static const struct ra_sum_series *find_series(const struct ra_diff_side *side,
                                               const struct ra_sum_origin *origin)
{
	for (size_t i = 0; i < side->series.count; i++) {
		if (memcmp(side->series.rows[i].id, origin->id, sizeof(origin->id)) == 0) {
			return &side->series.rows[i];
		}
	}
	return NULL;
}

static void add_part(const struct ra_diff_side *side, struct ra_diff_run *run,
                     const struct ra_sum_part *part)
{
	run->set.without_causes = true;
	ra_sum_set_add(&run->set, part);
	// NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers
	RA_UTIL_APPEND(run->series, run->series_count, run->series_capacity,
	               find_series(side, &part->origin));
	ra_util_grow(&run->steps, &run->step_capacity, run->step_count + part->step_count,
	             sizeof(*run->steps));
	for (size_t i = 0; i < part->step_count; i++) {
		struct ra_diff_step *step = &run->steps[run->step_count++];
		uint32_t name;

		ra_sum_texts_find(&run->set.texts, part->texts[part->steps[i].name], &name);
		step->name = run->set.texts.rows[name]; /* the set already has it */
		step->start_ns = part->steps[i].start_ns;
		memcpy(step->role_ns, part->steps[i].role_ns, sizeof(step->role_ns));
	}
}

int ra_diff_side_fill(struct ra_diff_side *side, const struct ra_sum_file *file)
{
	struct place *places = ra_alloc_zeros(file->count + 1, sizeof(*places));
	size_t *run_of = ra_alloc_zeros(file->count + 1, sizeof(*run_of));
	size_t run = 0;
	int rc = 0;

	side->run_count = order_parts(file, places);
	side->runs = ra_alloc_zeros(side->run_count + 1, sizeof(*side->runs));
	for (size_t i = 0; i < file->count; i++) {
		run += i > 0 && !is_same_run(&places[i], &places[i - 1]);
		run_of[places[i].part] = run;
	}
	for (size_t i = 0; i < file->count && rc == 0; i++) {
		struct ra_sum_part part = { 0 };

		rc = ra_sum_file_unpack(&file->parts[i], &part);
		if (rc == 0) {
			ra_sum_set_add(&side->set, &part);
			add_part(side, &side->runs[run_of[i]], &part);
		}
		ra_sum_fini(&part);
	}
	free(places);
	free(run_of);
	return rc;
}

/* Counts the calls of all rows with one key. Each row is of one device. */
static size_t count_calls(const struct ra_sum_series *series, uint64_t key)
{
	const struct ra_sum_series_row *end = series->rows + series->row_count;
	size_t count = 0;

	for (const struct ra_sum_series_row *row = ra_sum_series_find(series, key);
	     row != NULL && row < end && row->key == key; row++) {
		count += row->count;
	}
	return count;
}

/* Copies the calls of all rows with one key. @part: number of the input, which makes its places
 * differ from those of other inputs. */
static void copy_calls(const struct ra_sum_series *series, uint64_t key, uint32_t part,
                       struct ra_sum_series_call *to)
{
	const struct ra_sum_series_row *end = series->rows + series->row_count;
	uint32_t device = 0;

	for (const struct ra_sum_series_row *row = ra_sum_series_find(series, key);
	     row != NULL && row < end && row->key == key; row++, device++) {
		for (size_t i = 0; i < row->count; i++) {
			*to = series->calls[row->first + i];
			to->place ^= part * UINT32_C(0x9E3779B1) ^ device * UINT32_C(0x85EBCA77);
			to++;
		}
	}
}

bool ra_diff_side_gather(const struct ra_diff_run *run, uint64_t key,
                         struct ra_sum_series_call **calls, size_t *count)
{
	size_t at = 0;

	*count = 0;
	*calls = NULL;
	for (size_t i = 0; i < run->series_count; i++) {
		if (run->series[i] == NULL) {
			return false;
		}
		*count += count_calls(run->series[i], key);
	}
	*calls = ra_alloc_zeros(*count + 1, sizeof(**calls));
	for (size_t i = 0; i < run->series_count; i++) {
		copy_calls(run->series[i], key, (uint32_t) i, *calls + at);
		at += count_calls(run->series[i], key);
	}
	return *count > 0;
}
