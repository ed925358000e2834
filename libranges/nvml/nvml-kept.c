/* SPDX-License-Identifier: MIT */
/*
 * Reads samples that the driver takes itself and keeps for some seconds. They are read together,
 * once a second.
 *
 * Seen on an H200 with driver 580: samples of power, one every 20 ms, follow the load at once.
 */
#include "libranges/nvml/nvml-kept.h"

#include "format/wire.h"
#include "libranges/base/clock.h"

/* More samples than any driver keeps; we saw 119. */
#define KEPT_SAMPLES 512u
#define NS_PER_US    1e3
#define FRESH_US     UINT64_C(2000000) /* the last sample that a driver keeps is younger */

static const struct {
	int which;     /* NVML's number of the value */
	int bit;       /* enum rcap_nvml_kept */
	uint32_t kind; /* enum rlog_gpu_counter */
	double unit;
} series[] = {
	{ RCAP_NVML_SAMPLES_POWER, RCAP_NVML_KEPT_POWER, RLOG_GPU_POWER, 1e-3 },
	{ RCAP_NVML_SAMPLES_SM_CLOCK, RCAP_NVML_KEPT_CLOCKS, RLOG_GPU_SM_CLOCK, 1 },
	{ RCAP_NVML_SAMPLES_MEMORY_CLOCK, RCAP_NVML_KEPT_CLOCKS, RLOG_GPU_MEMORY_CLOCK, 1 },
};

#define SERIES (sizeof(series) / sizeof(series[0]))

static int kept[RCAP_NVML_MAX_DEVICES];                 /* values that the driver keeps, as bits */
static uint64_t seen_us[RCAP_NVML_MAX_DEVICES][SERIES]; /* CLOCK_REALTIME of the last sample read */
static struct rcap_nvml_sample samples[KEPT_SAMPLES];   /* static, because it is large; only one
                                                         * thread uses it */

/* Reads samples into `samples`. Return: NVML's code. *count: number of samples that were read. */
static int get(const struct rcap_nvml_devices *devices, uint32_t device, uint32_t i,
               uint64_t after_us, uint32_t *type, uint32_t *count)
{
	int code;

	*type = RCAP_NVML_TYPE_U32;
	*count = KEPT_SAMPLES;
	code = rcap_nvml.get_samples(devices->of[device], series[i].which, after_us, type, count,
	                             samples);
	*count = code != 0 ? 0 : *count < KEPT_SAMPLES ? *count : KEPT_SAMPLES;
	return code;
}

/* True if the driver keeps samples of a value. For power it is enough that the driver says so,
 * because an idle driver may have no samples yet. For clocks there must be samples: a driver might
 * say that it keeps clocks, and not do it. Then clocks are read directly. */
static bool is_kept(const struct rcap_nvml_devices *devices, uint32_t device, uint32_t i)
{
	const uint64_t now_us = rcap_clock_real_ns() / 1000;
	uint32_t type = RCAP_NVML_TYPE_U32;
	uint32_t count = 0;
	int code;

	if (series[i].bit == RCAP_NVML_KEPT_POWER) {
		/* Without a buffer, NVML returns how many samples it keeps. */
		code = rcap_nvml.get_samples(devices->of[device], series[i].which, 0, &type, &count,
		                             NULL);
		return (code == 0 && count > 0) || code == RCAP_NVML_NOT_FOUND;
	}
	code = get(devices, device, i, now_us - FRESH_US, &type, &count);
	return code == 0 && count > 0 && samples[count - 1].time_us > now_us - FRESH_US &&
	       rcap_nvml_power_value(type, &samples[count - 1].value) > 0;
}

int rcap_nvml_kept_open(const struct rcap_nvml_devices *devices, uint32_t device, int wanted)
{
	kept[device] = rcap_nvml.get_samples ? wanted : 0;
	for (uint32_t i = 0; i < SERIES; i++) {
		if ((kept[device] & series[i].bit) && !is_kept(devices, device, i)) {
			kept[device] &= ~series[i].bit;
		}
	}
	return kept[device];
}

void rcap_nvml_kept_begin(void)
{
	const uint64_t now_us = rcap_clock_real_ns() / 1000;

	for (uint32_t device = 0; device < RCAP_NVML_MAX_DEVICES; device++) {
		for (uint32_t i = 0; i < SERIES; i++) {
			seen_us[device][i] = now_us;
		}
	}
}

static void take(const struct rcap_nvml_devices *devices, uint32_t device, uint32_t i)
{
	uint64_t *seen = &seen_us[device][i];
	struct rlog_clock_point now;
	uint32_t type;
	uint32_t count;

	if (get(devices, device, i, *seen, &type, &count) != 0) {
		return;
	}
	rcap_clock_sync(&now);
	for (uint32_t s = 0; s < count; s++) {
		const double age_us = (double) now.real_ns / 1000 - (double) samples[s].time_us;

		/* Some versions return the last sample again. */
		if (samples[s].time_us <= *seen || age_us < 0) {
			continue;
		}
		*seen = samples[s].time_us;
		rcap_nvml_power_put(devices, device, series[i].kind,
		                    now.mono_ns - (uint64_t) (age_us * NS_PER_US),
		                    rcap_nvml_power_value(type, &samples[s].value) *
		                            series[i].unit);
	}
}

void rcap_nvml_kept_take(const struct rcap_nvml_devices *devices, uint32_t device)
{
	for (uint32_t i = 0; i < SERIES; i++) {
		if (kept[device] & series[i].bit) {
			take(devices, device, i);
		}
	}
}
