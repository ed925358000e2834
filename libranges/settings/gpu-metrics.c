/* SPDX-License-Identifier: MIT */
/* Handles RANGES_GPU_METRICS: what is sampled on GPUs. */
#include "libranges/settings/gpu-metrics.h"

#include <string.h>

#include "libranges/base/log.h"

static const struct {
	const char *name;
	int flag;
} known[] = {
	{ "power", RCAP_GPU_METRICS_POWER },      { "clocks", RCAP_GPU_METRICS_CLOCKS },
	{ "util", RCAP_GPU_METRICS_UTIL },        { "memory", RCAP_GPU_METRICS_MEMORY },
	{ "temp", RCAP_GPU_METRICS_TEMPERATURE }, { "pcie", RCAP_GPU_METRICS_PCIE },
	{ "gpm", RCAP_GPU_METRICS_GPM },
};

#define KNOWN (sizeof(known) / sizeof(known[0]))

/* Returns the bit of a word; 0 if there is no such word. */
static int find(const char *name, size_t length)
{
	for (size_t i = 0; i < KNOWN; i++) {
		if (strlen(known[i].name) == length && memcmp(known[i].name, name, length) == 0) {
			return known[i].flag;
		}
	}
	return 0;
}

int rcap_gpu_metrics_parse(const char *text, char *why, size_t size)
{
	int flags = 0;

	while (*text != '\0') {
		const size_t length = strcspn(text, ",");
		const int flag = find(text, length);

		if (flag == 0 || (text[length] == ',' && text[length + 1] == '\0')) {
			const size_t used = rcap_log_format(why, size, "expected a list of ");

			rcap_log_list(why + used, size - used, known, sizeof(known[0]), KNOWN);
			return -1;
		}
		flags |= flag;
		text += length + (text[length] == ',');
	}
	return flags;
}
