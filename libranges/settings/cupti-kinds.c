/* SPDX-License-Identifier: MIT */
/* Handles RANGES_CUDA: what is recorded about CUDA. */
#include "libranges/settings/cupti-kinds.h"

#include <stdlib.h>
#include <string.h>

#include "libranges/base/log.h"

static const struct {
	const char *name;
	int bits;
} words[] = {
	{ "on", 0 },
	{ "driver", RCAP_CUPTI_WITH_DRIVER },
	{ "memory", RCAP_CUPTI_WITH_MEMORY },
	{ "graph-nodes", RCAP_CUPTI_WITH_NODES },
	{ "latency", RCAP_CUPTI_WITH_LATENCY },
	{ "events", RCAP_CUPTI_WITH_EVENTS | RCAP_CUPTI_WITH_SYNC },
	{ "sync", RCAP_CUPTI_WITH_SYNC },
	{ "unified-memory", RCAP_CUPTI_WITH_UNIFIED },
	{ "external", RCAP_CUPTI_WITH_EXTERNAL },
	{ "profiler", RCAP_CUPTI_WITH_PROFILER },
	{ "no-flush", RCAP_CUPTI_WITHOUT_FLUSH },
	{ "cupti-clock", RCAP_CUPTI_WITHOUT_CLOCK },
	{ "inline", RCAP_CUPTI_INLINE },
};

#define WORD_COUNT (sizeof(words) / sizeof(words[0]))

int rcap_cupti_kinds_parse(const char *text, char *why, size_t size)
{
	int bits = RCAP_CUPTI_ON;

	if (strcmp(text, "off") == 0 || strcmp(text, "0") == 0) {
		return 0;
	}
	if (strcmp(text, "1") == 0) {
		return bits;
	}
	for (;;) {
		const size_t length = strcspn(text, ",");
		size_t i = 0;

		while (i < WORD_COUNT && (strlen(words[i].name) != length ||
		                          memcmp(words[i].name, text, length) != 0)) {
			i++;
		}
		if (i == WORD_COUNT) {
			const size_t used =
				rcap_log_format(why, size, "\"%.*s\" is not one of off, ",
			                        (int) (length < 40 ? length : 40), text);

			rcap_log_list(why + used, size - used, words, sizeof(words[0]), WORD_COUNT);
			return -1;
		}
		bits |= words[i].bits;
		if (text[length] == '\0') {
			return bits;
		}
		text += length + 1;
	}
}

bool rcap_cupti_kinds_are_off(void)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): CUDA itself reads its variables at this moment */
	const char *text = secure_getenv("RANGES_CUDA");
	char why[160];

	return text && rcap_cupti_kinds_parse(text, why, sizeof(why)) == 0;
}
