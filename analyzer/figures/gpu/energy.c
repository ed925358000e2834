/* SPDX-License-Identifier: MIT */
/* The energy of GPUs over time, from NVML's counters in the log, and its part in stretches of
 * time. */
#include "analyzer/figures/gpu/energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util.h"
#include "format/wire.h"

#define NS_PER_S 1e9

/* ---- The device of a counter ---- */

static uint32_t find_kind(const struct ra_counter *counter)
{
	return (uint32_t) ((counter->id - RLOG_GPU_COUNTER_BASE) % RLOG_GPU_COUNTER_STRIDE);
}

static uint32_t find_number(const struct ra_counter *counter)
{
	return (uint32_t) ((counter->id - RLOG_GPU_COUNTER_BASE) / RLOG_GPU_COUNTER_STRIDE);
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Parses "GPU-12345678-9abc-…" into bytes. Return: false if the text is no UUID. */
static bool read_uuid(struct rlog_string text, uint8_t uuid[16])
{
	size_t digits = 0;

	memset(uuid, 0, 16);
	for (size_t i = 4; i < text.length && memcmp(text.bytes, "GPU-", 4) == 0; i++) {
		const int digit = digit_of(text.bytes[i]);

		if (digit >= 0 && digits < 32) {
			uuid[digits / 2] = (uint8_t) (uuid[digits / 2] << 4 | digit);
			digits++;
		}
	}
	return digits == 32;
}

/* @is_by_number: set if the device was identified by its number. */
static uint32_t find_device(const struct ra_model *model, const struct ra_counter *counter,
                            bool *is_by_number)
{
	static const uint8_t none[16];
	uint8_t uuid[16];

	if (counter->uuid != 0 && read_uuid(ra_model_string(model, counter->uuid), uuid)) {
		bool is_known = false;

		for (size_t i = 0; i < model->gpu.device_count; i++) {
			if (memcmp(model->gpu.devices[i].uuid, uuid, 16) == 0) {
				return model->gpu.devices[i].id;
			}
			is_known |= memcmp(model->gpu.devices[i].uuid, none, 16) != 0;
		}
		if (is_known) {
			return RA_NONE; /* a GPU that the program does not use */
		}
	}
	*is_by_number = true;
	return find_number(counter);
}

uint32_t ra_energy_find_device(const struct ra_model *model, const struct ra_counter *counter)
{
	bool is_by_number = false;

	return find_device(model, counter, &is_by_number);
}

/* ---- Curves ---- */

/* Adds a sample. Drops a sample whose value decreases or whose time repeats. @doubt_w: of the
 * period before the sample. */
static void append(struct ra_energy_curve *curve, size_t *capacity, int64_t time_ns, double joules,
                   double doubt_w)
{
	const size_t last = curve->count - 1;

	if (curve->count > 0 && (time_ns <= curve->time_ns[last] || joules < curve->joules[last])) {
		return;
	}
	if (curve->count == *capacity) {
		*capacity = *capacity == 0 ? 1024 : 2 * *capacity;
		ra_util_resize(&curve->time_ns, *capacity, sizeof(*curve->time_ns));
		ra_util_resize(&curve->joules, *capacity, sizeof(*curve->joules));
		ra_util_resize(&curve->doubt_w, *capacity, sizeof(*curve->doubt_w));
	}
	if (curve->count > 0) {
		curve->doubt_w[last] = doubt_w;
	}
	curve->time_ns[curve->count] = time_ns;
	curve->joules[curve->count++] = joules;
}

static double period_w(const struct ra_energy_curve *curve, size_t period)
{
	return (curve->joules[period + 1] - curve->joules[period]) * NS_PER_S /
	       (double) (curve->time_ns[period + 1] - curve->time_ns[period]);
}

static void bound(struct ra_energy_curve *curve)
{
	for (size_t i = 0; i + 1 < curve->count; i++) {
		const double watts = period_w(curve, i);

		curve->least_w = i == 0 || watts < curve->least_w ? watts : curve->least_w;
		curve->most_w = watts > curve->most_w ? watts : curve->most_w;
	}
}

/* Finds the first sample of a counter, or of a later counter. */
static size_t find_first(const struct ra_model *model, uint32_t counter)
{
	struct ra_search at = ra_search_in(0, model->sample_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, model->samples[at.middle].counter < counter);
	}
	return at.low;
}

/* Steps to a counter's next sample with a usable value. Return: false if there is none. */
static bool next_value(const struct ra_model *model, uint32_t counter, size_t *at, double *value,
                       int64_t *time_ns)
{
	for (; *at < model->sample_count && model->samples[*at].counter == counter; (*at)++) {
		const struct ra_sample *sample = &model->samples[*at];

		memcpy(value, &sample->bits, sizeof(*value));
		if (sample->kind == RA_SAMPLE_REAL && *value >= 0 && *value < 1e18) {
			*time_ns = sample->time_ns;
			(*at)++;
			return true;
		}
	}
	return false;
}

/* Collects the samples of a counter. @is_energy: otherwise the values are power, and their mean
 * holds between two samples. Return: false if there are too few samples. */
static bool make_curve(const struct ra_model *model, uint32_t counter, bool is_energy,
                       struct ra_energy_curve *curve)
{
	size_t at = find_first(model, counter);
	size_t capacity = 0;
	double joules = 0;
	double last = 0;
	int64_t last_ns = 0;
	double value;
	int64_t time_ns;

	for (; next_value(model, counter, &at, &value, &time_ns); last = value, last_ns = time_ns) {
		if (curve->count > 0 && is_energy) {
			joules += value - last;
		} else if (curve->count > 0) {
			joules += (last + value) / 2 * (double) (time_ns - last_ns) / NS_PER_S;
		}
		append(curve, &capacity, time_ns, joules, is_energy ? 0 : fabs(value - last) / 2);
	}
	bound(curve);
	return curve->count >= 2;
}

static void free_curve(struct ra_energy_curve *curve)
{
	free(curve->time_ns);
	free(curve->joules);
	free(curve->doubt_w);
}

static int compare_curves(const void *left, const void *right)
{
	const struct ra_energy_curve *a = left;
	const struct ra_energy_curve *b = right;

	return RA_ORDER_UP(a, b, device);
}

static uint64_t count_samples(const struct ra_model *model, uint64_t id)
{
	for (uint32_t i = 0; i < model->counter_count; i++) {
		if (ra_counter_is_gpu(&model->counters[i]) && model->counters[i].id == id) {
			return find_first(model, i + 1) - find_first(model, i);
		}
	}
	return 0;
}

/* True if the meter was only read now and then, to check the samples of power. */
static bool is_check(const struct ra_model *model, const struct ra_counter *meter)
{
	const uint64_t power = meter->id - RLOG_GPU_ENERGY + RLOG_GPU_POWER;

	return count_samples(model, power) > 2 * count_samples(model, meter->id);
}

/* Makes curves from one kind of counter, for devices that have none yet. */
static void add_curves(struct ra_energy *energy, const struct ra_model *model, uint32_t kind)
{
	for (uint32_t i = 0; i < model->counter_count; i++) {
		const struct ra_counter *counter = &model->counters[i];
		struct ra_energy_curve curve = { .is_integrated = kind == RLOG_GPU_POWER };

		if (!ra_counter_is_gpu(counter) || find_kind(counter) != kind ||
		    (kind == RLOG_GPU_ENERGY && is_check(model, counter))) {
			continue;
		}
		curve.device = find_device(model, counter, &energy->is_by_number);
		if (curve.device == RA_NONE || ra_energy_find(energy, curve.device) != NULL ||
		    !make_curve(model, i, kind == RLOG_GPU_ENERGY, &curve)) {
			free_curve(&curve);
			continue;
		}
		ra_util_resize(&energy->curves, energy->count + 1, sizeof(*energy->curves));
		energy->curves[energy->count++] = curve;
	}
}

static void add_meter(struct ra_energy *energy, uint32_t device,
                      const struct ra_energy_curve *meter)
{
	for (size_t i = 0; i < energy->count; i++) {
		struct ra_energy_curve *curve = &energy->curves[i];

		if (curve->device == device) {
			curve->meter_j = meter->joules[meter->count - 1];
			curve->meter_ns = meter->time_ns[meter->count - 1] - meter->time_ns[0];
		}
	}
}

/* Notes how much the meters counted from their first to their last reading. */
static void add_meters(struct ra_energy *energy, const struct ra_model *model)
{
	for (uint32_t i = 0; i < model->counter_count; i++) {
		const struct ra_counter *counter = &model->counters[i];
		struct ra_energy_curve meter = { 0 };

		if (ra_counter_is_gpu(counter) && find_kind(counter) == RLOG_GPU_ENERGY &&
		    make_curve(model, i, true, &meter)) {
			add_meter(energy, ra_energy_find_device(model, counter), &meter);
		}
		free_curve(&meter);
	}
}

void ra_energy_init(struct ra_energy *energy, const struct ra_model *model)
{
	memset(energy, 0, sizeof(*energy));
	add_curves(energy, model, RLOG_GPU_ENERGY);
	add_curves(energy, model, RLOG_GPU_POWER);
	RA_SORT(energy->curves, energy->count, compare_curves);
	add_meters(energy, model);
}

void ra_energy_fini(struct ra_energy *energy)
{
	for (size_t i = 0; i < energy->count; i++) {
		free_curve(&energy->curves[i]);
	}
	free(energy->curves);
}

const struct ra_energy_curve *ra_energy_find(const struct ra_energy *energy, uint32_t device)
{
	for (size_t i = 0; i < energy->count; i++) {
		if (energy->curves[i].device == device) {
			return &energy->curves[i];
		}
	}
	return NULL;
}

/* ---- The energy in stretches of time ---- */

/* Ends the current period and shares out its joules by time. The bound of the error follows from
 * the power, which was within its highest and lowest value both inside and outside the
 * stretches. */
static void settle(const struct ra_energy_curve *curve, struct ra_energy_sum *sum)
{
	const double whole_s =
		(double) (curve->time_ns[sum->period + 1] - curve->time_ns[sum->period]) / NS_PER_S;
	const double inside_s = (double) sum->inside_ns / NS_PER_S;
	const double joules = curve->joules[sum->period + 1] - curve->joules[sum->period];
	const double share = joules * (inside_s / whole_s);
	double low = joules - curve->most_w * (whole_s - inside_s);
	double high = joules - curve->least_w * (whole_s - inside_s);
	double error;

	if (sum->inside_ns == 0) {
		return;
	}
	low = low > curve->least_w * inside_s ? low : curve->least_w * inside_s;
	high = high < curve->most_w * inside_s ? high : curve->most_w * inside_s;
	error = share - low > high - share ? share - low : high - share;
	sum->joules += share;
	sum->error += error > 0 ? error : 0; /* rounding */
	sum->error += curve->doubt_w[sum->period] * inside_s;
	sum->inside_ns = 0;
}

/* Finds the period that contains a time between the first and the last sample. */
static size_t find_period(const struct ra_energy_curve *curve, int64_t time_ns)
{
	size_t low = 0;
	size_t high = curve->count - 1;

	while (low + 1 < high) {
		const size_t middle = low + (high - low) / 2;

		if (curve->time_ns[middle] <= time_ns) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Adds a stretch that no other overlaps, between the first and the last sample. */
static void add_inside(const struct ra_energy_curve *curve, struct ra_energy_sum *sum,
                       int64_t start_ns, int64_t end_ns)
{
	size_t period = sum->period;

	if (!sum->is_begun || start_ns >= curve->time_ns[period + 1]) {
		period = find_period(curve, start_ns);
	}
	while (start_ns < end_ns) {
		const int64_t border_ns = curve->time_ns[period + 1];
		const int64_t until_ns = end_ns < border_ns ? end_ns : border_ns;

		if (sum->is_begun && period != sum->period) {
			settle(curve, sum);
		}
		sum->is_begun = true;
		sum->period = period;
		sum->inside_ns += until_ns - start_ns;
		sum->known_ns += until_ns - start_ns;
		start_ns = until_ns;
		period++;
	}
}

void ra_energy_add(const struct ra_energy_curve *curve, struct ra_energy_sum *sum, int64_t start_ns,
                   int64_t end_ns)
{
	const int64_t first_ns = curve->time_ns[0];
	const int64_t last_ns = curve->time_ns[curve->count - 1];
	int64_t inside_ns = 0;

	if (sum->is_begun || sum->unknown_ns > 0) {
		start_ns = start_ns > sum->until_ns ? start_ns : sum->until_ns;
	}
	if (start_ns >= end_ns) {
		return;
	}
	sum->until_ns = end_ns;
	if (start_ns < last_ns && end_ns > first_ns) {
		const int64_t from_ns = start_ns > first_ns ? start_ns : first_ns;
		const int64_t to_ns = end_ns < last_ns ? end_ns : last_ns;

		inside_ns = to_ns - from_ns;
		add_inside(curve, sum, from_ns, to_ns);
	}
	sum->unknown_ns += end_ns - start_ns - inside_ns;
}

void ra_energy_finish(const struct ra_energy_curve *curve, struct ra_energy_sum *sum)
{
	if (sum->is_begun) {
		settle(curve, sum);
		sum->is_begun = false;
	}
}
