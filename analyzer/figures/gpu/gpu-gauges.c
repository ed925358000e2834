/* SPDX-License-Identifier: MIT */
/* Finds mean and peak of NVML's counters of each GPU in the log. */
#include "analyzer/figures/gpu/gpu-gauges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/figures/gpu/energy.h"
#include "format/wire.h"

bool ra_gpu_gauges_value(const struct ra_sample *sample, double *value)
{
	if (sample->kind == RA_SAMPLE_INTEGER) {
		*value = (double) (int64_t) sample->bits;
		return true;
	}
	memcpy(value, &sample->bits, sizeof(*value));
	return sample->kind == RA_SAMPLE_REAL && isfinite(*value);
}

static void sum(const struct ra_model *model, struct ra_gpu_gauge *gauge)
{
	double value;

	for (size_t i = gauge->first; i < gauge->end; i++) {
		if (ra_gpu_gauges_value(&model->samples[i], &value)) {
			gauge->peak =
				gauge->count == 0 || value > gauge->peak ? value : gauge->peak;
			gauge->sum += value;
			gauge->count++;
		}
	}
}

void ra_gpu_gauges_init(struct ra_gpu_gauges *gauges, const struct ra_model *model)
{
	size_t at = 0;

	gauges->rows = ra_alloc_zeros(model->counter_count + 1, sizeof(*gauges->rows));
	gauges->count = 0;
	for (uint32_t i = 0; i < model->counter_count; i++) {
		const struct ra_counter *counter = &model->counters[i];
		struct ra_gpu_gauge gauge = { .first = at };

		while (at < model->sample_count && model->samples[at].counter == i) {
			at++;
		}
		gauge.end = at;
		if (ra_counter_is_gpu(counter) && gauge.end > gauge.first) {
			gauge.device = ra_energy_find_device(model, counter);
			gauge.kind = (uint32_t) ((counter->id - RLOG_GPU_COUNTER_BASE) %
			                         RLOG_GPU_COUNTER_STRIDE);
			sum(model, &gauge);
			gauges->rows[gauges->count++] = gauge;
		}
	}
}

void ra_gpu_gauges_fini(struct ra_gpu_gauges *gauges)
{
	free(gauges->rows);
}

const struct ra_gpu_gauge *ra_gpu_gauges_find(const struct ra_gpu_gauges *gauges, uint32_t device,
                                              uint32_t kind)
{
	for (size_t i = 0; i < gauges->count; i++) {
		const struct ra_gpu_gauge *gauge = &gauges->rows[i];

		if (gauge->device == device && gauge->kind == kind && gauge->count > 0) {
			return gauge;
		}
	}
	return NULL;
}
