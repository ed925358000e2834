/* SPDX-License-Identifier: MIT */
/* What an event of a Chrome trace is, by its ph and cat. */
#include "analyzer/rows/kineto-kinds.h"

#include <string.h>
#include <strings.h>

struct word {
	const char *text;
	enum ra_kineto_kind kind;
};

static bool is_word(struct rlog_string text, const char *word)
{
	return strlen(word) == text.length && strncasecmp(text.bytes, word, text.length) == 0;
}

static bool has_end(struct rlog_string text, const char *end)
{
	const size_t length = strlen(end);

	return text.length > length &&
	       strncasecmp(text.bytes + text.length - length, end, length) == 0;
}

enum ra_kineto_kind ra_kineto_kinds_of_category(struct rlog_string category)
{
	static const struct word words[] = {
		{ "cpu_op", RA_KINETO_CPU_OP },
		{ "operator", RA_KINETO_CPU_OP },
		{ "user_annotation", RA_KINETO_USER_ANNOTATION },
		{ "gpu_user_annotation", RA_KINETO_GPU_USER_ANNOTATION },
		{ "python_function", RA_KINETO_PYTHON_FUNCTION },
		{ "runtime", RA_KINETO_RUNTIME },
		{ "kernel", RA_KINETO_KERNEL },
		{ "mtia_ccp_events", RA_KINETO_KERNEL },
		{ "gpu_memcpy", RA_KINETO_MEMCPY },
		{ "memcpy", RA_KINETO_MEMCPY },
		{ "gpu_memset", RA_KINETO_MEMSET },
		{ "memset", RA_KINETO_MEMSET },
		{ "cuda_sync", RA_KINETO_SYNC },
		{ "overhead", RA_KINETO_OVERHEAD },
		{ "trace", RA_KINETO_TRACE },
		{ "cuda_profiler_range", RA_KINETO_PROFILER_RANGE },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (is_word(category, words[i].text)) {
			return words[i].kind;
		}
	}
	if (has_end(category, "_runtime")) {
		return RA_KINETO_RUNTIME;
	}
	return has_end(category, "_driver") ? RA_KINETO_DRIVER : RA_KINETO_OTHER;
}

enum ra_kineto_kind ra_kineto_kinds_of_phase(uint8_t phase, enum ra_kineto_kind complete,
                                             struct rlog_string name)
{
	switch (phase) {
	case 'X':
		return complete;
	case 'i':
	case 'I':
	case 'R':
		return is_word(name, "[memory]") ? RA_KINETO_MEMORY : RA_KINETO_INSTANT;
	case 'C':
		return RA_KINETO_COUNTER;
	case 'B':
		return RA_KINETO_BEGIN;
	case 'E':
		return RA_KINETO_END;
	case 's':
		return RA_KINETO_FLOW_START;
	case 't':
		return RA_KINETO_FLOW_STEP;
	case 'f':
		return RA_KINETO_FLOW_END;
	case 'b':
	case 'S':
		return RA_KINETO_ASYNC_BEGIN;
	case 'n':
	case 'T':
	case 'p':
		return RA_KINETO_ASYNC_STEP;
	case 'e':
	case 'F':
		return RA_KINETO_ASYNC_END;
	case 'M':
		return RA_KINETO_METADATA;
	default:
		return RA_KINETO_UNKNOWN;
	}
}
