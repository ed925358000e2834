/* SPDX-License-Identifier: MIT */
/* Reads from a log facts about its machine, and about the software that ran and recorded there. */
#include "analyzer/read-log/facts/log-facts.h"

#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/model/model-facts.h"
#include "analyzer/read-log/gpu/gpu-status.h"
#include "analyzer/read-log/ranges/slice-counts.h"

/* Keys in the chunk CAPTURE, and our keys for the same facts. */
static const char *const names[][2] = {
	{ "tool", "recorder" },
	{ "os", "os" },
	{ "arch", "arch" },
	{ "cpus", "cpus" },
	{ "clock", "clock" },
	{ "world_size", "world_size" },
	{ "environment", "variable" },
	{ "settings", "setting" },
};

static void add_fact(struct ra_model *model, const struct rlog_fact *fact, const char *name)
{
	switch (fact->type) {
	case RLOG_FACT_U64:
		if (fact->u64 <= INT64_MAX) {
			ra_model_facts_add_number(model, name, (int64_t) fact->u64);
		}
		return;
	case RLOG_FACT_I64:
		ra_model_facts_add_number(model, name, fact->i64);
		return;
	case RLOG_FACT_BOOL:
		break;
	case RLOG_FACT_TEXT:
	case RLOG_FACT_TEXTS:
		for (size_t i = 0; i < fact->text_count; i++) {
			ra_model_facts_add(model, ra_util_string(name), fact->texts[i]);
		}
		break;
	}
}

/* Adds CUPTI's version, which is in "CUPTI 22 from libcupti.so.12, times by …". */
static void add_cupti(struct ra_model *model)
{
	static const char start[] = "CUPTI ";
	struct ra_gpu_status status;
	size_t at = 0;

	while (ra_gpu_status_next(model->reader, &at, &status)) {
		struct rlog_string text = status.text;
		uint32_t length = 0;

		if (!ra_util_string_has_prefix(text, start)) {
			continue;
		}
		text.bytes += sizeof(start) - 1;
		text.length -= (uint32_t) sizeof(start) - 1;
		while (length < text.length && text.bytes[length] >= '0' &&
		       text.bytes[length] <= '9') {
			length++;
		}
		if (length > 0) {
			text.length = length;
			ra_model_facts_add(model, ra_util_string("cupti"), text);
			return;
		}
	}
}

void ra_log_facts_add(struct ra_model *model)
{
	add_cupti(model);
	ra_slice_counts_begin(model);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct rlog_fact *fact = rlog_reader_find_capture(model->reader, names[i][0]);

		if (fact != NULL) {
			add_fact(model, fact, names[i][1]);
		}
	}
}
