/* SPDX-License-Identifier: MIT */
#include "analyzer/tb-events.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/kineto-model.h"
#include "analyzer/util.h"
#include "format/error.h"

bool ra_tb_events_is(struct rlog_string text, const char *word)
{
	const size_t length = strlen(word);

	return text.length == length && memcmp(text.bytes, word, length) == 0;
}

bool ra_tb_events_has_prefix(struct rlog_string text, const char *prefix)
{
	const size_t length = strlen(prefix);

	return text.length >= length && memcmp(text.bytes, prefix, length) == 0;
}

bool ra_tb_events_has_suffix(struct rlog_string text, const char *suffix)
{
	const size_t length = strlen(suffix);

	return text.length >= length &&
	       memcmp(text.bytes + text.length - length, suffix, length) == 0;
}

bool ra_tb_events_is_loader(struct rlog_string name)
{
	return (ra_tb_events_has_prefix(name, "enumerate(DataLoader)#") &&
	        ra_tb_events_has_suffix(name, ".__next__")) ||
	       ra_tb_events_has_prefix(name, "enumerate(DataPipe)#");
}

static bool is_collective(struct rlog_string name, const char *library)
{
	static const char *const words[] = { "broadcast", "reduce", "all_reduce", "all_gather",
		                             "reduce_scatter" };
	struct rlog_string rest = name;

	if (!ra_tb_events_has_prefix(name, library)) {
		return false;
	}
	rest.bytes += strlen(library);
	rest.length -= (uint32_t) strlen(library);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (ra_tb_events_is(rest, words[i])) {
			return true;
		}
	}
	return false;
}

bool ra_tb_events_is_nccl(struct rlog_string name)
{
	return is_collective(name, "nccl:");
}

bool ra_tb_events_is_gloo(struct rlog_string name)
{
	return is_collective(name, "gloo:");
}

static enum ra_tb_type find_type(struct rlog_string category)
{
	static const struct {
		const char *name;
		enum ra_tb_type type;
	} types[] = {
		{ "trace", RA_TB_TRACE },
		{ "cpu_op", RA_TB_OPERATOR },
		{ "operator", RA_TB_OPERATOR },
		{ "runtime", RA_TB_RUNTIME },
		{ "cuda_runtime", RA_TB_RUNTIME },
		{ "mtia_runtime", RA_TB_RUNTIME },
		{ "glow_runtime", RA_TB_RUNTIME },
		{ "xpu_runtime", RA_TB_RUNTIME },
		{ "privateuse1_runtime", RA_TB_RUNTIME },
		{ "kernel", RA_TB_KERNEL },
		{ "memcpy", RA_TB_MEMCPY },
		{ "gpu_memcpy", RA_TB_MEMCPY },
		{ "memset", RA_TB_MEMSET },
		{ "gpu_memset", RA_TB_MEMSET },
		{ "python", RA_TB_PYTHON },
		{ "python_function", RA_TB_PYTHON_FUNCTION },
		{ "user_annotation", RA_TB_ANNOTATION },
		{ "gpu_user_annotation", RA_TB_ANNOTATION },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (category.length == strlen(types[i].name) &&
		    strncasecmp(category.bytes, types[i].name, category.length) == 0) {
			return types[i].type;
		}
	}
	return RA_TB_NONE;
}

/* The type of an event, given that of its category. */
static enum ra_tb_type refine_type(const struct ra_kineto *kineto, uint32_t row,
                                   enum ra_tb_type type)
{
	struct ra_kineto_value value;

	switch (type) {
	case RA_TB_OPERATOR:
	case RA_TB_ANNOTATION:
		return ra_tb_events_has_prefix(ra_kineto_string(kineto, kineto->name[row]),
		                               "ProfilerStep#")
		               ? RA_TB_STEP
		               : type;
	case RA_TB_PYTHON_FUNCTION:
		return ra_kineto_get(kineto, row, RA_KINETO_ARG_PYTHON_MODULE_ID, &value) &&
		                       value.type != RA_KINETO_NULL
		               ? RA_TB_MODULE
		               : type;
	default:
		return type;
	}
}

/* Stable, and rows come in their order. Doubles of µs lie closer than 4096 ns, so times farther
 * apart differ in them as well. */
static int compare_rows(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_kineto *kineto = context;
	const int64_t apart = kineto->ts_ns[left] / 2 - kineto->ts_ns[right] / 2;
	double a;
	double b;

	if (apart <= -4096 || apart >= 4096) {
		return apart < 0 ? -1 : 1;
	}
	a = ra_kineto_us(kineto->ts_ns[left]);
	b = ra_kineto_us(kineto->ts_ns[right]);
	return a > b ? 1 : a < b ? -1 : 0;
}

/* Events that the plugin would end on (no times, no name) are left out. */
static enum ra_tb_type classify(const struct ra_kineto *kineto, const uint8_t *types, uint32_t row)
{
	const unsigned need = RA_KINETO_HAS_TS | RA_KINETO_HAS_DUR | RA_KINETO_HAS_NAME;

	if (kineto->kind[row] == RA_KINETO_MEMORY) {
		return kineto->phase[row] == 'i' && (kineto->flags[row] & RA_KINETO_HAS_TS) != 0
		               ? RA_TB_MEMORY
		               : RA_TB_NONE;
	}
	if (kineto->phase[row] != 'X' || (kineto->flags[row] & need) != need) {
		return RA_TB_NONE;
	}
	return refine_type(kineto, row, (enum ra_tb_type) types[kineto->category[row]]);
}

/* The type of each category's events, before their names and args are looked at. */
static uint8_t *find_types(const struct ra_kineto *kineto)
{
	uint8_t *types = calloc(kineto->category_count + 1, 1);

	for (size_t i = 1; i < kineto->category_count && types != NULL; i++) {
		types[i] =
			(uint8_t) find_type(ra_kineto_string(kineto, kineto->categories[i].name));
	}
	return types;
}

int ra_tb_events_init(struct ra_tb_events *events, const struct ra_kineto *kineto)
{
	uint8_t *types = find_types(kineto);
	int rc = types == NULL ? -RLOG_E_NO_MEMORY : 0;
	size_t capacity = 0;

	*events = (struct ra_tb_events){ .kineto = kineto };
	for (uint32_t row = 0; row < kineto->count && rc == 0; row++) {
		if (classify(kineto, types, row) != RA_TB_NONE) {
			rc = ra_util_grow(&events->rows, &capacity, events->count + 1,
			                  sizeof(*events->rows));
			if (rc == 0) {
				events->rows[events->count++] = row;
			}
		}
	}
	if (rc == 0) {
		rc = ra_kineto_model_sort(events->rows, events->count, compare_rows, kineto);
	}
	events->types = calloc(events->count + 1, 1);
	if (events->types == NULL) {
		rc = -RLOG_E_NO_MEMORY;
	}
	for (size_t i = 0; i < events->count && rc == 0; i++) {
		events->types[i] = (uint8_t) classify(kineto, types, events->rows[i]);
	}
	free(types);
	return rc;
}

void ra_tb_events_fini(struct ra_tb_events *events)
{
	free(events->rows);
	free(events->types);
	*events = (struct ra_tb_events){ 0 };
}
