/* SPDX-License-Identifier: MIT */
/* Finds steps that differ on the GPU, whatever the lengths of their ranges on the host are. */
#include <stdlib.h>

#include "analyzer/advice/advice.h"
#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"

#define MOST_DIFFERENT 1.2 /* × the length of the median step */
#define MOST_ALIKE     1.1 /* × the median GPU work: up to this, the amount is the same */

/* The median of the steps' lengths, or of their busy times. */
static int64_t find_median(const struct ra_advice *advice, bool of_busy)
{
	const struct ra_steps *steps = &advice->steps->steps;
	const struct ra_step_times *times = &steps->times;
	int64_t *lengths = ra_alloc_zeros(times->step_count + 1, sizeof(*lengths));
	int64_t median_ns;

	for (size_t i = 0; i < times->step_count; i++) {
		lengths[i] = of_busy ? advice->step_busy_ns[i] : ra_steps_length(steps, i);
	}
	RA_SORT(lengths, times->step_count, ra_order_int64);
	median_ns = lengths[times->step_count / 2];
	free(lengths);
	return median_ns;
}

/* The differences between the longest step and the median one. */
struct variation {
	size_t longest;
	int64_t median_ns;
	int64_t busy_ns; /* GPU busy time of the longest step */
	int64_t median_busy_ns;
};

static void put_detail(struct ra_util_text *text, const struct ra_advice *advice,
                       const struct variation *variation)
{
	const struct ra_steps *steps = &advice->steps->steps;
	const struct ra_step *step = &steps->times.steps[variation->longest];
	const struct rlog_string name = step->name;
	const int64_t length_ns = ra_steps_length(steps, variation->longest);
	const int64_t total_ns = ra_advice_ns(step->end - step->start);

	ra_util_text_format(text, "the longest, step ");
	ra_util_text_put(text, name.bytes, name.length);
	ra_util_text_format(text, ", takes ");
	ra_util_text_put_time(text, length_ns);
	if (length_ns <
	    total_ns) { /* if a first step fills the GPU's queue, the length of its range counts */
		ra_util_text_format(text, " by its range (");
		ra_util_text_put_time(text, total_ns);
		ra_util_text_format(text, " to the end of its GPU work)");
	}
	ra_util_text_format(text, ", the median step ");
	ra_util_text_put_time(text, variation->median_ns);
	if (advice->busy_ns > 0) {
		ra_util_text_format(text, "; the GPU is busy for ");
		ra_util_text_put_time(text, variation->busy_ns);
		ra_util_text_format(text, " of the longest, in the median for ");
		ra_util_text_put_time(text, variation->median_busy_ns);
	}
}

static void tell(struct ra_advice *advice, struct variation *variation, int64_t above_ns,
                 const struct ra_advice_evidence *evidence)
{
	struct ra_util_text detail = { 0 };
	enum ra_advice_id id = RA_ADVICE_STEPS;

	variation->busy_ns = advice->step_busy_ns[variation->longest];
	variation->median_busy_ns = find_median(advice, true);
	if (variation->busy_ns > 0 &&
	    (double) variation->busy_ns <= MOST_ALIKE * (double) variation->median_busy_ns) {
		id = RA_ADVICE_STEPS_HOST;
	}
	put_detail(&detail, advice, variation);
	ra_advice_add(advice, id, above_ns, evidence, &detail);
	ra_util_text_free(&detail);
}

/* Applies the rules about steps. On the host steps may differ in length while the GPU does their
 * work at an even pace; that is no finding. So here a step lasts until its GPU work is done. */
void ra_advice_steps_apply(struct ra_advice *advice)
{
	const struct ra_steps *steps = &advice->steps->steps;
	const struct ra_step_times *times = &steps->times;
	const int64_t median_ns = steps->is_whole ? 0 : find_median(advice, false);
	struct ra_advice_evidence evidence = { 0 };
	struct variation variation = { .longest = times->step_count, .median_ns = median_ns };
	int64_t above_ns = 0;

	for (size_t i = 0; i < times->step_count; i++) {
		const struct ra_step *step = &times->steps[i];
		const struct ra_advice_event event = { ra_advice_ns(step->start),
			                               ra_steps_length(steps, i), step->name,
			                               RA_NONE, -1 };

		if (times->step_count < 3 || steps->is_whole ||
		    (double) event.dur_ns <= MOST_DIFFERENT * (double) median_ns) {
			continue;
		}
		above_ns = ra_util_add_time(above_ns, event.dur_ns - median_ns);
		ra_advice_note(&evidence, &event);
		variation.longest =
			evidence.longest.start_ns == event.start_ns ? i : variation.longest;
	}
	if (variation.longest < times->step_count) {
		tell(advice, &variation, above_ns, &evidence);
	}
	ra_advice_evidence_fini(&evidence);
}
