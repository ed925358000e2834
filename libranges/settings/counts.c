/* SPDX-License-Identifier: MIT */
/* Handles RANGES_COUNT: what is counted of threads besides time. */
#include "libranges/settings/counts.h"

#include <string.h>

#include <linux/perf_event.h>

#include "libranges/base/log.h"

static const struct rcap_counts_kind known[] = {
	{ "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	{ "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	{ "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	{ "branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES },
	{ "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
	{ "task-clock", RCAP_COUNTS_CLOCK, 0 },
};

#define KNOWN (sizeof(known) / sizeof(known[0]))

static const struct rcap_counts_kind *find(const char *name, size_t length)
{
	for (size_t i = 0; i < KNOWN; i++) {
		if (strlen(known[i].name) == length && memcmp(known[i].name, name, length) == 0) {
			return &known[i];
		}
	}
	return NULL;
}

int rcap_counts_parse(const char *text, const struct rcap_counts_kind **kinds, char *why,
                      size_t size)
{
	int count = 0;

	while (*text != '\0') {
		const size_t length = strcspn(text, ",");
		const struct rcap_counts_kind *const kind = find(text, length);

		for (int i = 0; kind != NULL && i < count; i++) {
			if (kinds[i] == kind) {
				rcap_log_format(why, size, "%s is given twice", kind->name);
				return -1;
			}
		}
		if (kind == NULL || (text[length] == ',' && text[length + 1] == '\0')) {
			const size_t used = rcap_log_format(why, size, "expected a list of ");

			rcap_log_list(why + used, size - used, known, sizeof(known[0]), KNOWN);
			return -1;
		}
		if (count == RCAP_COUNTS_MAX) {
			rcap_log_format(why, size, "at most %d can be counted", RCAP_COUNTS_MAX);
			return -1;
		}
		kinds[count++] = kind;
		text += length + (text[length] == ',');
	}
	return count;
}
