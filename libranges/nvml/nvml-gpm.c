/* SPDX-License-Identifier: MIT */
/* Reads counters about the use of the GPU's parts: NVML's GPM, from Hopper on. */
#include "libranges/nvml/nvml-gpm.h"

#include <math.h>

#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/settings/gpu-metrics.h"

#define MIB 1048576.0

static const struct {
	uint32_t metric;
	uint32_t kind;
	int group; /* enum rcap_gpu_metrics: the value is wanted if one of these bits is set */
	double unit;
} metrics[] = {
	{ RCAP_NVML_GPM_PCIE_TX, RLOG_GPU_PCIE_TX, RCAP_GPU_METRICS_PCIE, MIB },
	{ RCAP_NVML_GPM_PCIE_RX, RLOG_GPU_PCIE_RX, RCAP_GPU_METRICS_PCIE, MIB },
	{ RCAP_NVML_GPM_SM_ACTIVE, RLOG_GPU_SM_ACTIVE, RCAP_GPU_METRICS_GPM, 1 },
	{ RCAP_NVML_GPM_SM_OCCUPANCY, RLOG_GPU_SM_OCCUPANCY, RCAP_GPU_METRICS_GPM, 1 },
	{ RCAP_NVML_GPM_TENSOR, RLOG_GPU_TENSOR, RCAP_GPU_METRICS_GPM, 1 },
	{ RCAP_NVML_GPM_DRAM, RLOG_GPU_DRAM, RCAP_GPU_METRICS_GPM, 1 },
	{ RCAP_NVML_GPM_FP64, RLOG_GPU_FP64, RCAP_GPU_METRICS_GPM, 1 },
	{ RCAP_NVML_GPM_FP32, RLOG_GPU_FP32, RCAP_GPU_METRICS_GPM, 1 },
	{ RCAP_NVML_GPM_FP16, RLOG_GPU_FP16, RCAP_GPU_METRICS_GPM, 1 },
	{ RCAP_NVML_GPM_NVLINK_TX, RLOG_GPU_NVLINK_TX, RCAP_GPU_METRICS_GPM, MIB },
	{ RCAP_NVML_GPM_NVLINK_RX, RLOG_GPU_NVLINK_RX, RCAP_GPU_METRICS_GPM, MIB },
};

#define METRICS (sizeof(metrics) / sizeof(metrics[0]))

/* The GPM states of a device. */
struct states {
	rcap_nvml_gpm_state states[2]; /* two states of NVML; never freed */
	int newest;
	uint64_t newest_ns; /* CLOCK_MONOTONIC of the last state; 0: there is no valid state */
};

static struct states of_device[RCAP_NVML_MAX_DEVICES];

bool rcap_nvml_gpm_open(const struct rcap_nvml_devices *devices, uint32_t device)
{
	struct rcap_nvml_gpm_support support = { .version = RCAP_NVML_GPM_VERSION };
	struct states *own = &of_device[device];

	return rcap_nvml.gpm_is_supported && rcap_nvml.gpm_alloc && rcap_nvml.gpm_get &&
	       rcap_nvml.gpm_compare &&
	       rcap_nvml.gpm_is_supported(devices->of[device], &support) == 0 &&
	       support.is_supported != 0 && rcap_nvml.gpm_alloc(&own->states[0]) == 0 &&
	       rcap_nvml.gpm_alloc(&own->states[1]) == 0;
}

/* Writes the use between two states. */
static void compare(const struct states *own, const struct rcap_nvml_devices *devices,
                    uint32_t device, int wanted)
{
	static struct rcap_nvml_gpm_question question; /* static, because it has 4 KiB; only one
	                                                * thread uses it */
	uint32_t asked[METRICS];

	question.version = RCAP_NVML_GPM_VERSION;
	question.count = 0;
	question.older = own->states[own->newest ^ 1];
	question.newer = own->states[own->newest];
	for (uint32_t i = 0; i < METRICS; i++) {
		if (metrics[i].group & wanted) {
			asked[question.count] = i;
			question.metrics[question.count++] =
				(struct rcap_nvml_gpm_metric){ .id = metrics[i].metric };
		}
	}
	if (rcap_nvml.gpm_compare(&question) != 0) {
		return;
	}
	for (uint32_t i = 0; i < question.count; i++) {
		const struct rcap_nvml_gpm_metric *metric = &question.metrics[i];

		if (metric->code == 0 && isfinite(metric->value)) {
			rcap_nvml_power_put(devices, device, metrics[asked[i]].kind, own->newest_ns,
			                    metric->value * metrics[asked[i]].unit);
		}
	}
}

void rcap_nvml_gpm_read(const struct rcap_nvml_devices *devices, uint32_t device, int wanted)
{
	struct states *own = &of_device[device];
	const uint64_t now = rcap_clock_mono_ns();
	const bool has_older = own->newest_ns != 0;

	if (has_older && now < own->newest_ns + RCAP_NVML_GPM_LEAST_NS) {
		return;
	}
	if (rcap_nvml.gpm_get(devices->of[device], own->states[own->newest ^ 1]) != 0) {
		return;
	}
	own->newest ^= 1;
	own->newest_ns = now;
	if (has_older) {
		compare(own, devices, device, wanted);
	}
}

void rcap_nvml_gpm_pass(void)
{
	for (uint32_t i = 0; i < RCAP_NVML_MAX_DEVICES; i++) {
		of_device[i].newest_ns = 0;
	}
}
