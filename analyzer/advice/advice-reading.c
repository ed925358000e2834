/* SPDX-License-Identifier: MIT */
/* Finds when each thread read the program's input. */
#include "analyzer/advice/advice-reading.h"

#include <stdlib.h>

#include "analyzer/advice/advice.h"
#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/names/name-tests.h"
#include "analyzer/rows/kineto.h"

static void add_slices(struct ra_intervals *reading, const struct ra_model *model)
{
	const struct ra_slices *slices = &model->slices;
	struct ra_name_tests loaders;

	ra_name_tests_init(&loaders, model, ra_advice_host_is_loader);
	for (uint32_t t = 0; t < model->track_count; t++) {
		const struct ra_track *track = &model->tracks[t];

		for (size_t i = track->first_slice; i < track->first_slice + track->slice_count;
		     i++) {
			if (ra_name_tests_ask(&loaders, slices->name[i])) {
				ra_intervals_add(
					&reading[t], slices->start_ns[i],
					ra_util_add_time(slices->start_ns[i], slices->dur_ns[i]));
			}
		}
	}
	ra_name_tests_fini(&loaders);
}

/* Python functions are ranges of the model only with --python. Each name is tested once. */
static void add_python(struct ra_intervals *reading, const struct ra_model *model)
{
	const struct ra_kineto *kineto = model->kineto;
	uint8_t *known = ra_alloc_zeros(kineto->string_count + 1, sizeof(*known));

	for (uint32_t i = 0; i < kineto->count; i++) {
		const uint32_t name = kineto->name[i];
		const int64_t start_ns = ra_kineto_ts(kineto, i) - kineto->zero_ns;
		uint32_t track;

		if (kineto->kind[i] != RA_KINETO_PYTHON_FUNCTION || ra_kineto_dur(kineto, i) <= 0) {
			continue;
		}
		if (known[name] == 0) {
			known[name] =
				ra_advice_host_is_loader(ra_kineto_string(kineto, name)) ? 2 : 1;
		}
		track = kineto->threads[ra_kineto_get_thread(kineto, i)].track;
		if (known[name] == 2 && track < model->track_count) {
			ra_intervals_add(&reading[track], start_ns,
			                 ra_util_add_time(start_ns, ra_kineto_dur(kineto, i)));
		}
	}
	free(known);
}

struct ra_intervals *ra_advice_reading_init(const struct ra_model *model)
{
	struct ra_intervals *reading = ra_alloc_zeros(model->track_count + 1, sizeof(*reading));

	add_slices(reading, model);
	if (ra_model_has(model, RA_HAS_ROWS)) {
		add_python(reading, model);
	}
	for (size_t t = 0; t < model->track_count; t++) {
		ra_intervals_unite(&reading[t]);
	}
	return reading;
}

void ra_advice_reading_fini(struct ra_intervals *reading, const struct ra_model *model)
{
	for (size_t t = 0; t < model->track_count; t++) {
		ra_intervals_fini(&reading[t]);
	}
	free(reading);
}
