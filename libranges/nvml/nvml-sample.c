/* SPDX-License-Identifier: MIT */
/* In the launcher: what is sampled on GPUs, and when. */
#include "libranges/nvml/nvml-sample.h"

#include <string.h>

#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/settings/gpu-metrics.h"
#include "libranges/nvml/nvml-gpm.h"
#include "libranges/nvml/nvml-kept.h"
#include "libranges/nvml/nvml-load.h"
#include "libranges/nvml/nvml-power.h"
#include "libranges/nvml/nvml-ring.h"

#define NS_PER_MS UINT64_C(1000000)

/* Groups of values that are read together. A group is not read more often than its values can
 * change. */
enum group {
	GROUP_KEPT,  /* power, clocks …, if the driver keeps a sample every 20 ms, for some 2 s */
	GROUP_POWER, /* power, if the driver keeps no samples of it */
	GROUP_CLOCKS, /* clocks, if the driver keeps no samples of them */
	GROUP_UTIL,
	GROUP_PCIE, /* if there is no GPM */
	GROUP_GPM,
	GROUP_MEMORY,
	GROUP_TEMPERATURE,
	GROUPS
};

/* Least time between two reads of a group, even if RANGES_GPU_EVERY is shorter. */
static const uint64_t least_ns[GROUPS] = {
	[GROUP_KEPT] = 1000 * NS_PER_MS,
	[GROUP_POWER] = 100 * NS_PER_MS,
	[GROUP_UTIL] = 200 * NS_PER_MS,
	[GROUP_PCIE] = 1000 * NS_PER_MS, /* a read blocks for 40 ms */
	[GROUP_GPM] = RCAP_NVML_GPM_LEAST_NS,
	[GROUP_MEMORY] = 100 * NS_PER_MS,      /* the log can have each allocation besides */
	[GROUP_TEMPERATURE] = 200 * NS_PER_MS, /* only whole degrees change */
};

#define SLACK_NS (2 * NS_PER_MS)

static struct {
	int wanted; /* enum rcap_gpu_metrics */
	uint64_t every_ns;
	struct rcap_nvml_devices devices;
	uint32_t groups[RCAP_NVML_MAX_DEVICES]; /* bits of enum group */
	uint32_t all_groups;                    /* groups of all devices */
	uint64_t next_ns[GROUPS];               /* CLOCK_MONOTONIC of the next read */
} sampling;

/* ---- The beginning ---- */

static void find_devices(void)
{
	struct rcap_nvml_devices *devices = &sampling.devices;
	uint32_t known = 0;

	if (rcap_nvml.get_count(&known) != 0) {
		known = 0;
	}
	for (uint32_t i = 0; i < known && i < RCAP_NVML_MAX_DEVICES; i++) {
		if (rcap_nvml.get_device(i, &devices->of[i]) != 0) {
			devices->of[i] = NULL; /* as in a container that has only other devices */
			continue;
		}
		devices->count = i + 1;
		if (rcap_nvml.get_uuid(devices->of[i], devices->ring->uuid[i],
		                       RCAP_NVML_UUID_BYTES) != 0) {
			devices->ring->uuid[i][0] = '\0';
		}
	}
	if (devices->count == 0) {
		rcap_nvml_ring_note(sampling.devices.ring, "no GPU metrics: NVML knows no GPU");
	}
}

static uint32_t find_groups(uint32_t device)
{
	const int by_gpm = sampling.wanted & (RCAP_GPU_METRICS_GPM | RCAP_GPU_METRICS_PCIE);
	const bool has_power = sampling.wanted & RCAP_GPU_METRICS_POWER;
	const bool has_clocks = sampling.wanted & RCAP_GPU_METRICS_CLOCKS;
	const int kept = rcap_nvml_kept_open(&sampling.devices, device,
	                                     (has_power ? RCAP_NVML_KEPT_POWER : 0) |
	                                             (has_clocks ? RCAP_NVML_KEPT_CLOCKS : 0));
	uint32_t groups = kept != 0 ? 1u << GROUP_KEPT : 0;

	if (has_power && !(kept & RCAP_NVML_KEPT_POWER)) {
		groups |= 1u << GROUP_POWER;
	}
	if (has_clocks && !(kept & RCAP_NVML_KEPT_CLOCKS)) {
		groups |= 1u << GROUP_CLOCKS;
	}
	if (by_gpm != 0 && rcap_nvml_gpm_open(&sampling.devices, device)) {
		groups |= 1u << GROUP_GPM;
	} else if (by_gpm != 0) {
		groups |= by_gpm & RCAP_GPU_METRICS_PCIE ? 1u << GROUP_PCIE : 0;
		if (by_gpm & RCAP_GPU_METRICS_GPM) {
			rcap_nvml_ring_note(sampling.devices.ring,
			                    "no GPM metrics of GPU %u: it has none", device);
		}
	}
	if (sampling.wanted & RCAP_GPU_METRICS_UTIL) {
		groups |= 1u << GROUP_UTIL;
	}
	if (sampling.wanted & RCAP_GPU_METRICS_MEMORY) {
		groups |= 1u << GROUP_MEMORY;
	}
	if (sampling.wanted & RCAP_GPU_METRICS_TEMPERATURE) {
		groups |= 1u << GROUP_TEMPERATURE;
	}
	return groups;
}

bool rcap_nvml_sample_open(struct rcap_nvml_ring *ring, int wanted, uint64_t every_ns)
{
	char why[256];

	memset(&sampling, 0, sizeof(sampling));
	sampling.wanted = wanted;
	sampling.every_ns = every_ns;
	sampling.devices.ring = ring;
	if (!rcap_nvml_load(why, sizeof(why))) {
		rcap_nvml_ring_note(ring, "no GPU metrics: %s", why);
		return false;
	}
	find_devices();
	for (uint32_t i = 0; i < sampling.devices.count; i++) {
		sampling.groups[i] = sampling.devices.of[i] ? find_groups(i) : 0;
		sampling.all_groups |= sampling.groups[i];
	}
	return sampling.devices.count > 0;
}

/* ---- Samples ---- */

static void read_util(uint32_t device, rcap_nvml_device of)
{
	struct rcap_nvml_utilization util;

	if (rcap_nvml.get_utilization && rcap_nvml.get_utilization(of, &util) == 0) {
		const uint64_t now = rcap_clock_mono_ns();

		rcap_nvml_power_put(&sampling.devices, device, RLOG_GPU_UTIL, now, util.gpu);
		rcap_nvml_power_put(&sampling.devices, device, RLOG_GPU_MEMORY_UTIL, now,
		                    util.memory);
	}
}

/* NVML calls this unit KB/s, but it is 1,024 bytes. */
static void read_pcie(uint32_t device, rcap_nvml_device of)
{
	static const uint32_t kinds[2] = {
		[RCAP_NVML_PCIE_TX] = RLOG_GPU_PCIE_TX, [RCAP_NVML_PCIE_RX] = RLOG_GPU_PCIE_RX
	};
	uint32_t kib_per_s = 0;

	for (int i = 0; i < 2 && rcap_nvml.get_pcie; i++) {
		if (rcap_nvml.get_pcie(of, i, &kib_per_s) == 0) {
			rcap_nvml_power_put(&sampling.devices, device, kinds[i],
			                    rcap_clock_mono_ns(), kib_per_s * 1024.0);
		}
	}
}

static void read_clock(uint32_t device, rcap_nvml_device of, uint32_t kind, int which)
{
	uint32_t mhz = 0;

	if (rcap_nvml.get_clock && rcap_nvml.get_clock(of, which, &mhz) == 0) {
		rcap_nvml_power_put(&sampling.devices, device, kind, rcap_clock_mono_ns(), mhz);
	}
}

static void read_memory(uint32_t device, rcap_nvml_device of)
{
	struct rcap_nvml_memory memory;

	if (rcap_nvml.get_memory && rcap_nvml.get_memory(of, &memory) == 0) {
		rcap_nvml_power_put(&sampling.devices, device, RLOG_GPU_MEMORY_USED,
		                    rcap_clock_mono_ns(), (double) memory.used);
	}
}

static void read_temperature(uint32_t device, rcap_nvml_device of)
{
	uint32_t celsius = 0;

	if (rcap_nvml.get_temperature &&
	    rcap_nvml.get_temperature(of, RCAP_NVML_SENSOR_GPU, &celsius) == 0) {
		rcap_nvml_power_put(&sampling.devices, device, RLOG_GPU_TEMPERATURE,
		                    rcap_clock_mono_ns(), celsius);
	}
}

static void read_group(uint32_t device, enum group group)
{
	const rcap_nvml_device of = sampling.devices.of[device];

	switch (group) {
	case GROUP_KEPT:
		rcap_nvml_kept_take(&sampling.devices, device);
		break;
	case GROUP_POWER:
		rcap_nvml_power_read(&sampling.devices, device);
		break;
	case GROUP_UTIL:
		read_util(device, of);
		break;
	case GROUP_PCIE:
		read_pcie(device, of);
		break;
	case GROUP_GPM:
		rcap_nvml_gpm_read(&sampling.devices, device, sampling.wanted);
		break;
	case GROUP_CLOCKS:
		read_clock(device, of, RLOG_GPU_SM_CLOCK, RCAP_NVML_CLOCK_SM);
		read_clock(device, of, RLOG_GPU_MEMORY_CLOCK, RCAP_NVML_CLOCK_MEMORY);
		break;
	case GROUP_MEMORY:
		read_memory(device, of);
		break;
	case GROUP_TEMPERATURE:
	case GROUPS:
		read_temperature(device, of);
		break;
	}
}

static void read_groups(uint32_t groups)
{
	for (uint32_t i = 0; i < sampling.devices.count; i++) {
		for (uint32_t group = 0; group < GROUPS; group++) {
			if (sampling.groups[i] & groups & 1u << group) {
				read_group(i, group);
			}
		}
	}
}

/* ---- When to read ---- */

static void read_meters(void)
{
	for (uint32_t i = 0; i < sampling.devices.count; i++) {
		if (sampling.devices.of[i] && sampling.wanted & RCAP_GPU_METRICS_POWER) {
			rcap_nvml_power_meter(&sampling.devices, i);
		}
	}
}

void rcap_nvml_sample_begin(void)
{
	memset(sampling.next_ns, 0, sizeof(sampling.next_ns));
	/* The driver's samples from now are read later. */
	sampling.next_ns[GROUP_KEPT] = rcap_clock_mono_ns() + least_ns[GROUP_KEPT];
	rcap_nvml_kept_begin();
	rcap_nvml_gpm_pass();
}

static uint64_t find_period(uint32_t group)
{
	return group != GROUP_KEPT && sampling.every_ns > least_ns[group] ? sampling.every_ns
	                                                                  : least_ns[group];
}

/* Returns the groups that are due. Also returns groups that are due so soon that another wake-up
 * would cost more than reading them early. GPM's states must not be closer than their least
 * time. */
static uint32_t find_due(uint64_t now)
{
	uint32_t due = 0;
	uint32_t soon = 0;

	for (uint32_t group = 0; group < GROUPS; group++) {
		if (now >= sampling.next_ns[group]) {
			due |= 1u << group;
		} else if (group != GROUP_GPM && find_period(group) > 10 * SLACK_NS &&
		           now + SLACK_NS >= sampling.next_ns[group]) {
			soon |= 1u << group;
		}
	}
	due &= sampling.all_groups;
	return due == 0 ? 0 : due | (soon & sampling.all_groups);
}

int64_t rcap_nvml_sample_due(void)
{
	uint64_t now = rcap_clock_mono_ns();
	uint64_t first = UINT64_MAX;
	const uint32_t due = find_due(now);

	read_groups(due);
	now = rcap_clock_mono_ns();
	for (uint32_t group = 0; group < GROUPS; group++) {
		if (due & 1u << group) {
			/* Keeps the rhythm. But if NVML takes longer than the interval, skips
			 * reads. */
			sampling.next_ns[group] += find_period(group);
			if (sampling.next_ns[group] < now) {
				sampling.next_ns[group] = now + find_period(group);
			}
		}
		if (sampling.all_groups & 1u << group && sampling.next_ns[group] < first) {
			first = sampling.next_ns[group];
		}
	}
	return first == UINT64_MAX ? INT64_MAX : (int64_t) (first > now ? first - now : 0);
}

void rcap_nvml_sample_all(void)
{
	read_meters();
	/* Leaves out PCIe, whose read blocks. */
	read_groups(sampling.all_groups & ~(1u << GROUP_PCIE));
}
