/* SPDX-License-Identifier: MIT */
/*
 * Power and energy of GPUs, as counters.
 *
 * Seen on an H200 with driver 580: the samples that the driver keeps, one each 20 ms, follow the
 * load at once. "Power instant" does as well, but changes each 100 ms. What
 * nvmlDeviceGetPowerUsage() returns is a mean of the last second, which tells nothing of a step of
 * milliseconds.
 */
#include "libranges/nvml/nvml-power.h"

#include <string.h>

#include "format/wire.h"
#include "libranges/base/clock.h"

/* More than any driver keeps: 119 were seen. */
#define KEPT_SAMPLES 512u
#define MILLI        1e-3
#define NS_PER_US    1e3

static uint64_t seen_us[RCAP_NVML_MAX_DEVICES]; /* CLOCK_REALTIME of the last sample taken */

static double value_of(uint32_t type, const union rcap_nvml_value *value)
{
	switch (type) {
	case RCAP_NVML_TYPE_DOUBLE:
		return value->real;
	case RCAP_NVML_TYPE_ULONG:
	case RCAP_NVML_TYPE_U64:
		return (double) value->u64;
	default:
		return value->u32;
	}
}

void rcap_nvml_power_put(const struct rcap_nvml_devices *devices, uint32_t device, uint32_t kind,
                         uint64_t mono_ns, double value)
{
	const struct rcap_nvml_ring_sample sample = {
		.mono_ns = mono_ns, .device = device, .kind = kind, .value = value
	};

	rcap_nvml_ring_put(devices->ring, &sample);
}

bool rcap_nvml_power_open(const struct rcap_nvml_devices *devices, uint32_t device)
{
	uint32_t type = RCAP_NVML_TYPE_U32;
	uint32_t count = 0;
	int code;

	if (!rcap_nvml.get_samples) {
		return false;
	}
	/* Without a place for them it says how many it keeps. */
	code = rcap_nvml.get_samples(devices->of[device], RCAP_NVML_SAMPLES_POWER, 0, &type, &count,
	                             NULL);
	return (code == 0 && count > 0) || code == RCAP_NVML_NOT_FOUND;
}

void rcap_nvml_power_begin(const struct rcap_nvml_devices *devices)
{
	const uint64_t now_us = rcap_clock_real_ns() / 1000;

	for (uint32_t i = 0; i < devices->count; i++) {
		seen_us[i] = now_us;
	}
}

void rcap_nvml_power_take(const struct rcap_nvml_devices *devices, uint32_t device)
{
	static struct rcap_nvml_sample samples[KEPT_SAMPLES]; /* one thread's */
	uint32_t type = RCAP_NVML_TYPE_U32;
	uint32_t count = KEPT_SAMPLES;
	struct rlog_clock_point now;

	if (rcap_nvml.get_samples(devices->of[device], RCAP_NVML_SAMPLES_POWER, seen_us[device],
	                          &type, &count, samples) != 0) {
		return;
	}
	rcap_clock_sync(&now);
	for (uint32_t i = 0; i < count && i < KEPT_SAMPLES; i++) {
		const double age_us = (double) now.real_ns / 1000 - (double) samples[i].time_us;

		/* Some versions give the last one again. */
		if (samples[i].time_us <= seen_us[device] || age_us < 0) {
			continue;
		}
		seen_us[device] = samples[i].time_us;
		rcap_nvml_power_put(devices, device, RLOG_GPU_POWER,
		                    now.mono_ns - (uint64_t) (age_us * NS_PER_US),
		                    value_of(type, &samples[i].value) * MILLI);
	}
}

void rcap_nvml_power_read(const struct rcap_nvml_devices *devices, uint32_t device)
{
	struct rcap_nvml_field field = { .id = RCAP_NVML_FIELD_POWER_INSTANT };
	uint32_t milliwatts = 0;

	if (rcap_nvml.get_fields && rcap_nvml.get_fields(devices->of[device], 1, &field) == 0 &&
	    field.code == 0) {
		rcap_nvml_power_put(devices, device, RLOG_GPU_POWER, rcap_clock_mono_ns(),
		                    value_of(field.type, &field.value) * MILLI);
	} else if (rcap_nvml.get_power &&
	           rcap_nvml.get_power(devices->of[device], &milliwatts) == 0) {
		rcap_nvml_power_put(devices, device, RLOG_GPU_POWER, rcap_clock_mono_ns(),
		                    milliwatts * MILLI);
	}
}

void rcap_nvml_power_meter(const struct rcap_nvml_devices *devices, uint32_t device)
{
	unsigned long long millijoules = 0;
	const uint64_t before = rcap_clock_mono_ns();

	if (rcap_nvml.get_energy && rcap_nvml.get_energy(devices->of[device], &millijoules) == 0) {
		rcap_nvml_power_put(devices, device, RLOG_GPU_ENERGY,
		                    before + (rcap_clock_mono_ns() - before) / 2,
		                    (double) millijoules * MILLI);
	}
}
