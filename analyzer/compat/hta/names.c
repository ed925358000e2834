/* SPDX-License-Identifier: MIT */
/* Classifies events by name, as HTA does. */
#include "analyzer/compat/hta/names.h"

#include <stddef.h>
#include <string.h>

#include "analyzer/base/text/util-string.h"

static bool starts_with_any(struct rlog_string name, const char *const *starts)
{
	for (size_t i = 0; starts[i] != NULL; i++) {
		if (ra_util_string_has_prefix(name, starts[i])) {
			return true;
		}
	}
	return false;
}

enum ra_hta_kind ra_hta_names_find_kind(struct rlog_string name)
{
	static const char *const communication[] = { "nccl", "hip", "hccl", NULL };
	static const char *const memory[] = { "Memcpy", "Memset", "dma", NULL };
	static const char *const other[] = { "Stream Wait Event",
		                             "runFunction",
		                             "job_exe",
		                             "packet",
		                             "pe_exe",
		                             "cpum_exe_subgraph",
		                             "collective_subgraph_execution",
		                             NULL };
	static const char *const other_parts[] = { "Memcpy", "Memset", "dma", "Sync", NULL };

	if (starts_with_any(name, communication) || ra_util_string_has(name, "ncclKernel")) {
		return RA_HTA_COMMUNICATION;
	}
	if (starts_with_any(name, memory)) {
		return RA_HTA_MEMORY;
	}
	if (starts_with_any(name, other) ||
	    (ra_util_string_has_prefix(name, "cuda") && ra_util_string_has(name, "LaunchKernel"))) {
		return RA_HTA_OTHER;
	}
	for (size_t i = 0; other_parts[i] != NULL; i++) {
		if (ra_util_string_has(name, other_parts[i])) {
			return RA_HTA_OTHER;
		}
	}
	return RA_HTA_COMPUTATION;
}

const char *ra_hta_names_kind(unsigned kinds)
{
	static const char *const names[8] = {
		"OTHER",
		"COMPUTATION",
		"COMMUNICATION",
		"COMPUTATION overlapping COMMUNICATION",
		"MEMORY",
		"COMPUTATION overlapping MEMORY",
		"COMMUNICATION overlapping MEMORY",
		"COMPUTATION overlapping COMMUNICATION overlapping MEMORY",
	};

	return names[kinds & 7];
}

bool ra_hta_names_is_any(struct rlog_string name, const char *const *names)
{
	for (size_t i = 0; names[i] != NULL; i++) {
		if (name.length == strlen(names[i]) &&
		    memcmp(name.bytes, names[i], name.length) == 0) {
			return true;
		}
	}
	return false;
}

bool ra_hta_names_is_step(struct rlog_string name, int64_t *number)
{
	static const char start[] = "ProfilerStep#";
	const size_t at = sizeof(start) - 1;
	int64_t value = 0;
	size_t i = at;

	while (ra_util_string_has_prefix(name, start) && i < name.length && name.bytes[i] >= '0' &&
	       name.bytes[i] <= '9' && value < INT64_MAX / 100) {
		value = 10 * value + (name.bytes[i] - '0');
		i++;
	}
	if (number != NULL) {
		*number = value;
	}
	return i > at;
}

#define MTIA_LAUNCH "runFunction - job_prep_and_submit_for_execution"

uint16_t ra_hta_names_classify(struct rlog_string name)
{
	static const char *const waits[] = { "Event Sync", "Context Sync", NULL };
	static const char *const launches[] = {
		"cudaLaunchKernel",
		"cudaLaunchKernelExC",
		"cuLaunchKernel",
		"cuLaunchKernelEx",
		"cudaMemcpyAsync",
		"cudaMemsetAsync",
		"hipLaunchKernel",
		"hipExtModuleLaunchKernel",
		"hipMemcpyAsync",
		"hipMemsetAsync",
		"hipMemcpyWithStream",
		MTIA_LAUNCH,
		NULL,
	};
	static const char *const kernels[] = { "cudaLaunchKernel", "cudaLaunchKernelExC",
		                               MTIA_LAUNCH, NULL };
	static const char *const copies[] = { "cudaMemcpyAsync", "cudaMemsetAsync", NULL };
	unsigned class = RA_HTA_CLASS_KNOWN | (unsigned) ra_hta_names_find_kind(name);

	class |= ra_hta_names_is_step(name, NULL) ? RA_HTA_CLASS_STEP : 0;
	class |= ra_hta_names_is_any(name, waits) ? RA_HTA_CLASS_WAIT : 0;
	class |= ra_hta_names_is_any(name, launches) ? RA_HTA_CLASS_LAUNCH : 0;
	class |= ra_hta_names_is_any(name, kernels) ? RA_HTA_CLASS_KERNEL : 0;
	class |= ra_hta_names_is_any(name, copies) ? RA_HTA_CLASS_COPY : 0;
	class |= ra_util_string_has_prefix(name, "ncclKernel") ? RA_HTA_CLASS_COLLECT : 0;
	return (uint16_t) class;
}
