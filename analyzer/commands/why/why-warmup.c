/* SPDX-License-Identifier: MIT */
/* Compares the first steps with the median and the longest of the others. */
#include "analyzer/commands/why/why-warmup.h"

#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "analyzer/steps/steps.h"

#define LEAST_STEPS 8
#define MOST_PART   4 /* at most one in MOST_PART steps may warm up */
#define LEAST_COST  0.05

static int compare_times(const void *left, const void *right)
{
	const int64_t a = *(const int64_t *) left;
	const int64_t b = *(const int64_t *) right;

	return (a > b) - (a < b);
}

/* True if a time is over one and a half times another. */
static bool is_longer(int64_t time_ns, int64_t than_ns)
{
	return time_ns - than_ns > than_ns / 2;
}

static int64_t find_most(const int64_t *times, size_t from, size_t to)
{
	int64_t most_ns = 0;

	for (size_t i = from; i < to; i++) {
		most_ns = times[i] > most_ns ? times[i] : most_ns;
	}
	return most_ns;
}

/* Counts the steps that warm up. @times: the lengths of the steps. @sorted: the same, in ascending
 * order. */
static size_t count_steps(const int64_t *times, const int64_t *sorted, size_t count)
{
	const int64_t median_ns = sorted[count / 2];
	int64_t more_ns = 0;
	int64_t all_ns = 0;
	size_t found = 0;

	for (; found < count / MOST_PART && is_longer(times[found], median_ns); found++) {
		more_ns = ra_util_add_time(more_ns, times[found] - median_ns);
	}
	for (size_t i = 0; i < count; i++) {
		all_ns = ra_util_add_time(all_ns, times[i]);
	}
	return is_longer(find_most(times, 0, found), find_most(times, found, count)) &&
	                       (double) more_ns >= LEAST_COST * (double) all_ns
	               ? found
	               : 0;
}

static void copy_name(char *to, size_t size, const struct ra_steps *steps, size_t step,
                      const char *after)
{
	const struct rlog_string name = steps->times.steps[step].name;

	snprintf(to, size, "%.*s%s", (int) name.length, name.bytes, after);
}

/* Notes the first steps. Return: false if their names are no numbers, because then --step can't
 * choose the others. */
static bool note_steps(struct ra_why_warmup *warmup, const struct ra_steps *steps,
                       const int64_t *times, size_t count)
{
	copy_name(warmup->only, sizeof(warmup->only), steps, count, "-");
	copy_name(warmup->first, sizeof(warmup->first), steps, 0, "");
	copy_name(warmup->last, sizeof(warmup->last), steps, count - 1, "");
	warmup->count = count;
	for (size_t i = 0; i < count; i++) {
		warmup->sum_ns = ra_util_add_time(warmup->sum_ns, times[i]);
	}
	return ra_steps_check_only(warmup->only) == NULL &&
	       !ra_steps_is_chosen(steps->times.steps[count - 1].name, warmup->only);
}

bool ra_why_warmup_find(struct ra_why_warmup *warmup, const struct ra_model *model,
                        const char *step_range)
{
	const struct ra_steps_options options = { .range = step_range };
	struct ra_steps steps;
	int64_t *times;
	int64_t *sorted;
	size_t count;
	size_t found = 0;

	*warmup = (struct ra_why_warmup){ 0 };
	ra_steps_init(&steps, model, &options);
	count = steps.times.step_count;
	times = ra_alloc_zeros(count + 1, sizeof(*times));
	sorted = ra_alloc_zeros(count + 1, sizeof(*sorted));
	for (size_t i = 0; i < count; i++) {
		times[i] = sorted[i] = ra_steps_length(&steps, i);
	}
	if (count >= LEAST_STEPS) {
		RA_SORT(sorted, count, compare_times);
		found = count_steps(times, sorted, count);
	}
	if (found > 0 && !note_steps(warmup, &steps, times, found)) {
		found = 0;
	}
	free(times);
	free(sorted);
	ra_steps_fini(&steps);
	return found > 0;
}

void ra_why_warmup_put(struct ra_util_text *text, const struct ra_why_warmup *warmup)
{
	if (warmup->count == 1) {
		ra_util_text_format(text, "Step %s, of ", warmup->first);
	} else {
		ra_util_text_format(text, "Steps %s to %s, of ", warmup->first, warmup->last);
	}
	ra_util_text_put_time(text, warmup->sum_ns);
	if (warmup->count == 1) {
		ra_util_text_format(text, ", warms up and is left out: --step %s- has it. ",
		                    warmup->first);
	} else {
		ra_util_text_format(text,
		                    " in all, warm up and are left out: --step %s- has them. ",
		                    warmup->first);
	}
}
