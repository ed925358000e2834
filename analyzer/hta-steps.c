/* SPDX-License-Identifier: MIT */
/* The steps of the profiler in a rank, and which one a row is in, as HTA has it. */
#include "analyzer/hta-steps.h"

#include "analyzer/util.h"

static int add(struct ra_hta_steps *steps, const struct ra_hta_step *step)
{
	const int rc =
		ra_util_grow(&steps->steps, &steps->capacity, steps->count + 1, sizeof(*step));

	if (rc == 0) {
		steps->steps[steps->count++] = *step;
	}
	return rc;
}

int ra_hta_steps_find(struct ra_hta_steps *steps, const struct ra_hta_rank *rank)
{
	int rc = 0;

	steps->count = 0;
	for (size_t i = 0; i < rank->count && steps->count < RA_HTA_STEPS_MOST && rc == 0; i++) {
		const struct ra_hta_row *row = &rank->rows[i];
		struct ra_hta_step step = { row->ts_us, row->ts_us + row->dur_us, 0 };

		if (ra_hta_is_step(ra_hta_name(rank, row), &step.number)) {
			rc = add(steps, &step);
		}
	}
	return rc;
}

int ra_hta_steps_add_new(struct ra_hta_steps *steps, const struct ra_hta_step *step)
{
	for (size_t i = 0; i < steps->count; i++) {
		if (steps->steps[i].number == step->number) {
			return 0;
		}
	}
	return steps->count == RA_HTA_STEPS_MOST ? 0 : add(steps, step);
}

/* The last step that is open then; -1: none. */
static int64_t find_open(const struct ra_hta_steps *steps, double at_us)
{
	int64_t number = -1;

	for (size_t i = 0; i < steps->count; i++) {
		if (steps->steps[i].start_us <= at_us && at_us < steps->steps[i].end_us) {
			number = steps->steps[i].number;
		}
	}
	return number;
}

int64_t ra_hta_steps_of(const struct ra_hta_rank *rank, const struct ra_hta_steps *steps,
                        const struct ra_hta_row *row)
{
	const struct ra_kineto *k = rank->kineto;
	const struct ra_hta_row *call = row;

	if (row->stream > 0) {
		call = row->partner > 0 ? ra_hta_find(rank, row->partner) : NULL;
	} else if (row->stream == 0 &&
	           !ra_kineto_is_text(k, k->categories[k->category[row->event]].name, "cpu_op")) {
		return -1;
	}
	return call == NULL ? -1 : find_open(steps, call->ts_us);
}
