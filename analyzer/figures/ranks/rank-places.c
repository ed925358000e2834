/* SPDX-License-Identifier: MIT */
/* Finds where slow ranks lose their time: the ranges or kernels that take longer there than on
 * other ranks. */
#include "analyzer/figures/ranks/rank-places.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/steps/steps.h"

/* A place must account for one of these parts of a rank's excess: for the first part that any place
 * reaches. */
static const double enough[] = { 0.8, 0.5 };
#define ENOUGH (sizeof(enough) / sizeof(enough[0]))

/* The time of one name on one rank. */
struct row {
	struct rlog_string name;
	size_t rank;
	int64_t time_ns;
};

struct rows {
	struct row *all; /* owned */
	size_t count;
	size_t capacity;
};

static void add_rows(struct rows *rows, const struct ra_model *model, const int64_t *times_ns,
                     size_t rank)
{
	for (uint32_t n = 0; n < model->name_count; n++) {
		if (times_ns[n] > 0) {
			ra_util_grow(&rows->all, &rows->capacity, rows->count + 1,
			             sizeof(*rows->all));
			rows->all[rows->count++] =
				(struct row){ ra_model_string(model, n), rank, times_ns[n] };
		}
	}
}

/* True if another range of the same name is around it. */
static bool is_inside_itself(const struct ra_slices *slices, size_t slice)
{
	uint32_t at = slices->parent[slice];

	while (at != RA_NONE && slices->name[at] != slices->name[slice]) {
		at = slices->parent[at];
	}
	return at != RA_NONE;
}

static void add_ranges(struct rows *rows, const struct ra_model *model,
                       const struct ra_intervals *held, size_t rank)
{
	static const struct ra_steps_options all = { 0 };
	const struct ra_slices *slices = &model->slices;
	int64_t *times_ns = ra_alloc_zeros(model->name_count + 1, sizeof(*times_ns));
	struct ra_steps steps;

	ra_steps_init(&steps, model, &all);
	for (size_t i = 0; i < slices->count; i++) {
		const int64_t end_ns = ra_util_add_time(slices->start_ns[i], slices->dur_ns[i]);
		int64_t *time_ns = &times_ns[slices->name[i]];

		if (!steps.is_step[i] && !is_inside_itself(slices, i)) {
			*time_ns = ra_util_add_time(
				*time_ns,
				slices->dur_ns[i] -
					ra_intervals_cover(held, slices->start_ns[i], end_ns));
		}
	}
	add_rows(rows, model, times_ns, rank);
	ra_steps_fini(&steps);
	free(times_ns);
}

static void add_kernels(struct rows *rows, const struct ra_model *model, size_t rank)
{
	const struct ra_gpu *gpu = &model->gpu;
	int64_t *times_ns = ra_alloc_zeros(model->name_count + 1, sizeof(*times_ns));

	for (size_t i = 0; i < gpu->op_count; i++) {
		if (gpu->ops[i].name != 0 && !gpu->ops[i].is_collective) {
			times_ns[gpu->ops[i].name] =
				ra_util_add_time(times_ns[gpu->ops[i].name], gpu->ops[i].dur_ns);
		}
	}
	add_rows(rows, model, times_ns, rank);
	free(times_ns);
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *left = a;
	const struct row *right = b;
	const int order = ra_util_string_compare(left->name, right->name);

	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, rank));
}

/* Sorts the rows, and joins rows of the same name and rank, because a model may have a text
 * twice. */
static void join_rows(struct rows *rows)
{
	size_t kept = 0;

	if (rows->count > 0) {
		RA_SORT(rows->all, rows->count, compare_rows);
	}
	for (size_t i = 0; i < rows->count; i++) {
		if (kept > 0 && compare_rows(&rows->all[kept - 1], &rows->all[i]) == 0) {
			rows->all[kept - 1].time_ns =
				ra_util_add_time(rows->all[kept - 1].time_ns, rows->all[i].time_ns);
		} else {
			rows->all[kept++] = rows->all[i];
		}
	}
	rows->count = kept;
}

/* The best place of a rank so far. */
struct choice {
	struct ra_rank_place *place; /* NULL: no place is wanted for this rank */
	int64_t slower_ns;
	int64_t least_ns; /* least time of a name that accounts for half of the excess; 0: there is
	                     none */
	size_t level;     /* index into `enough` of the part that the place reaches; ENOUGH: it
	                     reaches none */
};

static void consider(struct choice *choice, const struct row *row, int64_t usual_ns)
{
	size_t level = 0;

	if (choice->place == NULL) {
		return;
	}
	while (level < ENOUGH &&
	       (double) (row->time_ns - usual_ns) < enough[level] * (double) choice->slower_ns) {
		level++;
	}
	if (level < ENOUGH && (choice->least_ns == 0 || row->time_ns < choice->least_ns)) {
		choice->least_ns = row->time_ns;
	}
	if (level == ENOUGH || level > choice->level ||
	    (level == choice->level && row->time_ns >= choice->place->time_ns)) {
		return;
	}
	choice->level = level;
	choice->place->name = row->name;
	choice->place->time_ns = row->time_ns;
	choice->place->usual_ns = usual_ns;
}

/* Returns the middle rank's time in a name; ranks without a row spent 0 in it. */
static int64_t find_usual(const struct row *rows, size_t count, size_t ranks, int64_t *scratch)
{
	for (size_t r = 0; r < ranks; r++) {
		scratch[r] = r < count ? rows[r].time_ns : 0;
	}
	RA_SORT(scratch, ranks, ra_order_int64);
	return scratch[(ranks - 1) / 2];
}

/* Looks for a better place for each choice. */
static void choose(struct choice *choices, size_t ranks, struct rows *rows)
{
	int64_t *scratch = ra_alloc_zeros(ranks + 1, sizeof(*scratch));
	size_t end;

	join_rows(rows);
	for (size_t i = 0; i < rows->count; i = end) {
		int64_t usual_ns;

		for (end = i + 1;
		     end < rows->count &&
		     ra_util_string_compare(rows->all[end].name, rows->all[i].name) == 0;
		     end++) {
		}
		usual_ns = find_usual(&rows->all[i], end - i, ranks, scratch);
		for (size_t r = i; r < end; r++) {
			consider(&choices[rows->all[r].rank], &rows->all[r], usual_ns);
		}
	}
	free(scratch);
}

/* True if GPU time is most of the rank's excess. */
static bool is_of_gpu(const struct ra_rank_delay *delay)
{
	return delay->gpu_ns >= ra_rank_delay_slower(delay) - delay->gpu_ns;
}

/* True if another range, on any thread, is within the time of this range. */
static bool has_inside(const struct ra_slices *slices, const uint8_t *is_step, size_t slice)
{
	const int64_t start_ns = slices->start_ns[slice];
	const int64_t end_ns = ra_util_add_time(start_ns, slices->dur_ns[slice]);

	for (size_t i = 0; i < slices->count; i++) {
		if (i != slice && !is_step[i] && slices->start_ns[i] >= start_ns &&
		    slices->dur_ns[i] < slices->dur_ns[slice] &&
		    ra_util_add_time(slices->start_ns[i], slices->dur_ns[i]) <= end_ns) {
			return true;
		}
	}
	return false;
}

/* Sets when the rank was in its place for the first time, and whether it loses time in all of the
 * place. */
static void look_at_ranges(struct choice *choice, const struct ra_model *model)
{
	static const struct ra_steps_options all = { 0 };
	const struct ra_slices *slices = &model->slices;
	struct ra_rank_place *place = choice->place;
	size_t first = slices->count;
	struct ra_steps steps;

	ra_steps_init(&steps, model, &all);
	for (size_t i = 0; i < slices->count; i++) {
		if ((first == slices->count || slices->start_ns[i] < slices->start_ns[first]) &&
		    !steps.is_step[i] &&
		    ra_util_string_compare(ra_model_string(model, slices->name[i]), place->name) ==
		            0) {
			first = i;
		}
	}
	if (first < slices->count) {
		place->first_ns = slices->start_ns[first];
		place->is_even = choice->least_ns == place->time_ns &&
		                 has_inside(slices, steps.is_step, first);
	}
	ra_steps_fini(&steps);
}

/* Looks for the best place among kernels. */
static void look_at_kernels(struct choice *choice, const struct ra_model *model)
{
	struct ra_rank_place *place = choice->place;
	bool is_any = false;

	for (size_t i = 0; i < model->gpu.op_count; i++) {
		const struct ra_gpu_op *op = &model->gpu.ops[i];

		if (op->name != 0 && (!is_any || op->start_ns < place->first_ns) &&
		    ra_util_string_compare(ra_model_string(model, op->name), place->name) == 0) {
			place->first_ns = op->start_ns;
			is_any = true;
		}
	}
}

static void find_places(struct ra_rank_place *places, const struct ra_rank_delays *delays,
                        const struct ra_files *files, bool of_gpu)
{
	struct choice *choices = ra_alloc_zeros(delays->count + 1, sizeof(*choices));
	struct rows rows = { 0 };
	bool is_any = false;

	for (size_t r = 0; r < delays->count; r++) {
		const struct ra_rank_delay *delay = &delays->ranks[r];

		choices[r] = (struct choice){ .slower_ns = ra_rank_delay_slower(delay),
			                      .level = ENOUGH };
		if (ra_rank_delay_is_slow(delay) && is_of_gpu(delay) == of_gpu) {
			choices[r].place = &places[r];
			places[r].is_kernel = of_gpu;
			is_any = true;
		}
	}
	for (size_t r = 0; r < delays->count && is_any; r++) {
		if (of_gpu) {
			add_kernels(&rows, ra_files_model(files, r), r);
		} else {
			add_ranges(&rows, ra_files_model(files, r), &delays->stretches[r].held, r);
		}
	}
	choose(choices, delays->count, &rows);
	for (size_t r = 0; r < delays->count; r++) {
		if (choices[r].place != NULL && choices[r].place->name.length > 0) {
			(of_gpu ? look_at_kernels : look_at_ranges)(&choices[r],
			                                            ra_files_model(files, r));
		}
	}
	free(rows.all);
	free(choices);
}

void ra_rank_places_find(struct ra_rank_place *places, const struct ra_rank_delays *delays,
                         const struct ra_files *files)
{
	for (size_t r = 0; r < delays->count; r++) {
		places[r] = (struct ra_rank_place){ .name = { "", 0, 0 } };
	}
	find_places(places, delays, files, false);
	find_places(places, delays, files, true);
}
