/* SPDX-License-Identifier: MIT */
/* Prints what libranges/nvml/nvml-load.h and NVIDIA's nvml.h disagree about. Compiled where that
 * header is. */
#include <nvml.h>
#include <stddef.h>
#include <stdio.h>

#include "libranges/nvml/nvml-load.h"

static int compared;

static void same(const char *what, long long ours, long long theirs)
{
	compared++;
	if (ours != theirs) {
		printf("differs %s: ours %lld, NVIDIA's %lld\n", what, ours, theirs);
	}
}

#define FIELD(our, field, theirs, their_field)                                                   \
	same(#our "." #field " offset", (long long) offsetof(struct rcap_nvml_##our, field),     \
	     (long long) offsetof(theirs, their_field));                                         \
	same(#our "." #field " size", (long long) sizeof(((struct rcap_nvml_##our *) 0)->field), \
	     (long long) sizeof(((theirs *) 0)->their_field))
#define SIZE(our, theirs) \
	same(#our " size", (long long) sizeof(struct rcap_nvml_##our), (long long) sizeof(theirs))
#define NUMBER(ours, theirs) same(#ours, (long long) (ours), (long long) (theirs))

static void compare_structs(void)
{
	SIZE(utilization, nvmlUtilization_t);
	FIELD(utilization, gpu, nvmlUtilization_t, gpu);
	FIELD(utilization, memory, nvmlUtilization_t, memory);
	SIZE(memory, nvmlMemory_t);
	FIELD(memory, total, nvmlMemory_t, total);
	FIELD(memory, free, nvmlMemory_t, free);
	FIELD(memory, used, nvmlMemory_t, used);
	SIZE(sample, nvmlSample_t);
	FIELD(sample, time_us, nvmlSample_t, timeStamp);
	FIELD(sample, value, nvmlSample_t, sampleValue);
	SIZE(field, nvmlFieldValue_t);
	FIELD(field, id, nvmlFieldValue_t, fieldId);
	FIELD(field, scope, nvmlFieldValue_t, scopeId);
	FIELD(field, time_us, nvmlFieldValue_t, timestamp);
	FIELD(field, latency_us, nvmlFieldValue_t, latencyUsec);
	FIELD(field, type, nvmlFieldValue_t, valueType);
	FIELD(field, code, nvmlFieldValue_t, nvmlReturn);
	FIELD(field, value, nvmlFieldValue_t, value);
	SIZE(gpm_support, nvmlGpmSupport_t);
	FIELD(gpm_support, version, nvmlGpmSupport_t, version);
	FIELD(gpm_support, is_supported, nvmlGpmSupport_t, isSupportedDevice);
	SIZE(gpm_metric, nvmlGpmMetric_t);
	FIELD(gpm_metric, id, nvmlGpmMetric_t, metricId);
	FIELD(gpm_metric, code, nvmlGpmMetric_t, nvmlReturn);
	FIELD(gpm_metric, value, nvmlGpmMetric_t, value);
	FIELD(gpm_metric, texts, nvmlGpmMetric_t, metricInfo);
	FIELD(gpm_question, version, nvmlGpmMetricsGet_t, version);
	FIELD(gpm_question, count, nvmlGpmMetricsGet_t, numMetrics);
	FIELD(gpm_question, older, nvmlGpmMetricsGet_t, sample1);
	FIELD(gpm_question, newer, nvmlGpmMetricsGet_t, sample2);
	same("gpm_question.metrics offset",
	     (long long) offsetof(struct rcap_nvml_gpm_question, metrics),
	     (long long) offsetof(nvmlGpmMetricsGet_t, metrics));
}

static void compare_numbers(void)
{
	NUMBER(RCAP_NVML_NOT_FOUND, NVML_ERROR_NOT_FOUND);
	NUMBER(RCAP_NVML_TYPE_DOUBLE, NVML_VALUE_TYPE_DOUBLE);
	NUMBER(RCAP_NVML_TYPE_U32, NVML_VALUE_TYPE_UNSIGNED_INT);
	NUMBER(RCAP_NVML_TYPE_ULONG, NVML_VALUE_TYPE_UNSIGNED_LONG);
	NUMBER(RCAP_NVML_TYPE_U64, NVML_VALUE_TYPE_UNSIGNED_LONG_LONG);
	NUMBER(RCAP_NVML_SAMPLES_POWER, NVML_TOTAL_POWER_SAMPLES);
	NUMBER(RCAP_NVML_FIELD_POWER_INSTANT, NVML_FI_DEV_POWER_INSTANT);
	NUMBER(RCAP_NVML_PCIE_TX, NVML_PCIE_UTIL_TX_BYTES);
	NUMBER(RCAP_NVML_PCIE_RX, NVML_PCIE_UTIL_RX_BYTES);
	NUMBER(RCAP_NVML_GPM_VERSION, NVML_GPM_METRICS_GET_VERSION);
	NUMBER(RCAP_NVML_GPM_VERSION, NVML_GPM_SUPPORT_VERSION);
	NUMBER(RCAP_NVML_GPM_SM_ACTIVE, NVML_GPM_METRIC_SM_UTIL);
	NUMBER(RCAP_NVML_GPM_SM_OCCUPANCY, NVML_GPM_METRIC_SM_OCCUPANCY);
	NUMBER(RCAP_NVML_GPM_TENSOR, NVML_GPM_METRIC_ANY_TENSOR_UTIL);
	NUMBER(RCAP_NVML_GPM_DRAM, NVML_GPM_METRIC_DRAM_BW_UTIL);
	NUMBER(RCAP_NVML_GPM_FP64, NVML_GPM_METRIC_FP64_UTIL);
	NUMBER(RCAP_NVML_GPM_FP32, NVML_GPM_METRIC_FP32_UTIL);
	NUMBER(RCAP_NVML_GPM_FP16, NVML_GPM_METRIC_FP16_UTIL);
	NUMBER(RCAP_NVML_GPM_PCIE_TX, NVML_GPM_METRIC_PCIE_TX_PER_SEC);
	NUMBER(RCAP_NVML_GPM_PCIE_RX, NVML_GPM_METRIC_PCIE_RX_PER_SEC);
	NUMBER(RCAP_NVML_GPM_NVLINK_RX, NVML_GPM_METRIC_NVLINK_TOTAL_RX_PER_SEC);
	NUMBER(RCAP_NVML_GPM_NVLINK_TX, NVML_GPM_METRIC_NVLINK_TOTAL_TX_PER_SEC);
	NUMBER(RCAP_NVML_CLOCK_SM, NVML_CLOCK_SM);
	NUMBER(RCAP_NVML_CLOCK_MEMORY, NVML_CLOCK_MEM);
	NUMBER(RCAP_NVML_SENSOR_GPU, NVML_TEMPERATURE_GPU);
	NUMBER(RCAP_NVML_UUID_BYTES, NVML_DEVICE_UUID_V2_BUFFER_SIZE);
	/* The library may look at no more metrics than it is given. */
	same("there is no room for more metrics than NVIDIA's",
	     RCAP_NVML_GPM_METRICS <= NVML_GPM_METRIC_MAX, 1);
}

int main(void)
{
	compare_structs();
	compare_numbers();
	printf("compared %d\n", compared);
	return 0;
}
