/* SPDX-License-Identifier: MIT */
/* Reads what the capture tells about how it recorded the GPU. */
#include "analyzer/read-log/gpu/gpu-status.h"

#include <string.h>

#include "format/wire.h"

bool ra_gpu_status_next(const struct rlog_reader *reader, size_t *at, struct ra_gpu_status *out)
{
	static const struct rlog_string lost = { .bytes = "(text lost)", .length = 11 };
	size_t count;
	size_t string_count;
	const struct rlog_def *defs = rlog_reader_borrow_defs(reader, &count);
	const struct rlog_string *strings = rlog_reader_borrow_strings(reader, &string_count);

	while (*at < count) {
		const struct rlog_def *def = &defs[(*at)++];

		if (def->kind == RLOG_DEF_GPU_STATUS) {
			out->text = def->string < string_count && strings[def->string].bytes != NULL
			                    ? strings[def->string]
			                    : lost;
			out->result = (int32_t) def->value;
			return true;
		}
	}
	return false;
}

static bool find_words(const struct rlog_reader *reader, const char *words,
                       struct ra_gpu_status *out)
{
	size_t at = 0;

	while (ra_gpu_status_next(reader, &at, out)) {
		if (memmem(out->text.bytes, out->text.length, words, strlen(words)) != NULL) {
			return true;
		}
	}
	return false;
}

bool ra_gpu_status_find_failure(const struct rlog_reader *reader, struct ra_gpu_status *out)
{
	return find_words(reader, "no GPU data", out);
}

bool ra_gpu_status_has_capture(const struct rlog_reader *reader)
{
	struct ra_gpu_status status;

	return find_words(reader, ", times by CLOCK_", &status);
}

bool ra_gpu_status_find_graphs(const struct rlog_reader *reader, struct ra_gpu_status *out)
{
	return find_words(reader, "CUDA graphs: ", out);
}

/* The text of the setting; NULL: the capture does not have it. */
static const struct rlog_string *find_setting(const struct rlog_reader *reader, const char *start)
{
	size_t count = 0;
	const struct rlog_fact *facts = rlog_reader_borrow_capture(reader, &count);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(facts[i].key, "settings") != 0) {
			continue;
		}
		for (size_t j = 0; j < facts[i].text_count; j++) {
			const struct rlog_string *text = &facts[i].texts[j];

			if (text->length >= strlen(start) &&
			    memcmp(text->bytes, start, strlen(start)) == 0) {
				return text;
			}
		}
	}
	return NULL;
}

static const char cuda[] = "RANGES_CUDA=";

static bool is_off(const struct rlog_string *setting)
{
	const size_t skip = sizeof(cuda) - 1;

	return (setting->length == skip + 3 && memcmp(setting->bytes + skip, "off", 3) == 0) ||
	       (setting->length == skip + 1 && setting->bytes[skip] == '0');
}

bool ra_gpu_status_is_off(const struct rlog_reader *reader)
{
	const struct rlog_string *setting = find_setting(reader, cuda);

	return setting != NULL && is_off(setting);
}

bool ra_gpu_status_is_missing(const struct rlog_reader *reader)
{
	const struct rlog_string *setting = find_setting(reader, cuda);
	struct ra_gpu_status status;
	size_t at = 0;

	return setting != NULL && !ra_gpu_status_next(reader, &at, &status) && !is_off(setting);
}
