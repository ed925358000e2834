/* SPDX-License-Identifier: MIT */
/* What a log says of the machine that it is from, and of what ran and recorded there. */
#include "analyzer/read-log/log-facts.h"

#include <string.h>

#include "analyzer/base/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/model/model-facts.h"
#include "analyzer/read-log/gpu/gpu-status.h"

/* Keys of CAPTURE, and ours. */
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

static int add_fact(struct ra_model *model, const struct rlog_fact *fact, const char *name)
{
	int rc = 0;

	switch (fact->type) {
	case RLOG_FACT_U64:
		return fact->u64 > INT64_MAX
		               ? 0
		               : ra_model_facts_add_number(model, name, (int64_t) fact->u64);
	case RLOG_FACT_I64:
		return ra_model_facts_add_number(model, name, fact->i64);
	case RLOG_FACT_BOOL:
		break;
	case RLOG_FACT_TEXT:
	case RLOG_FACT_TEXTS:
		for (size_t i = 0; i < fact->text_count && rc == 0; i++) {
			rc = ra_model_facts_add(model, ra_util_string(name), fact->texts[i]);
		}
		break;
	}
	return rc;
}

/* Of "CUPTI 22 from libcupti.so.12, times by …" the version. */
static int add_cupti(struct ra_model *model)
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
			return ra_model_facts_add(model, ra_util_string("cupti"), text);
		}
	}
	return 0;
}

int ra_log_facts_add(struct ra_model *model)
{
	int rc = add_cupti(model);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && rc == 0; i++) {
		const struct rlog_fact *fact = rlog_reader_find_capture(model->reader, names[i][0]);

		rc = fact != NULL ? add_fact(model, fact, names[i][1]) : 0;
	}
	return rc;
}
