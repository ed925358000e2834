/* SPDX-License-Identifier: MIT */
/*
 * Power and energy of GPUs, as counters.
 *
 * The samples that the driver keeps (nvml-kept.c) are best. Seen on an H200 with driver 580: "power
 * instant" also follows the load at once, but changes only every 100 ms. nvmlDeviceGetPowerUsage()
 * returns a mean of the last second, which shows nothing of a step of milliseconds.
 */
#include "libranges/nvml/nvml-power.h"

#include "format/wire.h"
#include "libranges/base/clock.h"

#define MILLI 1e-3

double rcap_nvml_power_value(uint32_t type, const union rcap_nvml_value *value)
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

void rcap_nvml_power_read(const struct rcap_nvml_devices *devices, uint32_t device)
{
	struct rcap_nvml_field field = { .id = RCAP_NVML_FIELD_POWER_INSTANT };
	uint32_t milliwatts = 0;

	if (rcap_nvml.get_fields && rcap_nvml.get_fields(devices->of[device], 1, &field) == 0 &&
	    field.code == 0) {
		rcap_nvml_power_put(devices, device, RLOG_GPU_POWER, rcap_clock_mono_ns(),
		                    rcap_nvml_power_value(field.type, &field.value) * MILLI);
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
