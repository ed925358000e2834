/* SPDX-License-Identifier: MIT */
/* Writes the footer's lines about a log that is a part: of a capture, or of another log. */
#include "analyzer/footer/footer-part.h"

#include <string.h>

#include "analyzer/read-log/facts/facts.h"

const struct rlog_fact *ra_footer_part_find_number(const struct rlog_reader *reader,
                                                   const char *key)
{
	const struct rlog_fact *fact =
		reader != NULL ? rlog_reader_find_capture(reader, key) : NULL;

	return fact != NULL && fact->type == RLOG_FACT_U64 && fact->u64 < INT64_MAX ? fact : NULL;
}

/* The texts for lines of the footer whose meaning differs in a part of a log. */
static const struct part_text {
	const char *key;
	const char *one;
	const char *many;
} part_texts[] = {
	{ "open_ranges", "range is open where the part ends, or was never closed: it ends there",
	  "ranges are open where the part ends, or were never closed: they end there" },
	{ "begun_ranges", "range was open when the part begins: it starts there",
	  "ranges were open when the part begins: they start there" },
	{ "outside", "event is not in the part", "events are not in the part" },
};

const char *ra_footer_part_find_text(const struct ra_model *model,
                                     const struct ra_footer_line *line)
{
	if (ra_footer_part_find_number(model->reader, "part_to_ns") == NULL) {
		return NULL;
	}
	for (size_t i = 0; i < sizeof(part_texts) / sizeof(part_texts[0]); i++) {
		if (strcmp(part_texts[i].key, line->key) == 0) {
			return line->count == 1 ? part_texts[i].one : part_texts[i].many;
		}
	}
	return NULL;
}

void ra_footer_part_put_snapshot(struct ra_util_text *text, const struct ra_model *model,
                                 const char *prefix)
{
	const struct rlog_fact *number = ra_footer_part_find_number(model->reader, "snapshot");
	const struct rlog_fact *from = ra_footer_part_find_number(model->reader, "window_mono_ns");
	const struct rlog_fact *to = ra_footer_part_find_number(model->reader, "taken_mono_ns");
	const struct rlog_fact *start = ra_footer_part_find_number(model->reader, "start_mono_ns");
	struct rlog_string why;
	struct rlog_string by;

	if (number == NULL) {
		return;
	}
	ra_util_text_format(text, "%snote: ", prefix);
	if (number->u64 > 0) {
		ra_util_text_format(text, "snapshot %llu", (unsigned long long) number->u64);
	} else {
		ra_util_text_format(text, "the last part of the capture");
	}
	ra_util_text_format(text, ", by ");
	by = ra_facts_find_text(model, "snapshot_by");
	ra_util_text_put_name(text, by, RA_TEXT_TERMINAL);
	why = ra_facts_find_text(model, "snapshot_why");
	if (why.length > 0) {
		ra_util_text_format(text, " (");
		ra_util_text_put_name(text, why, RA_TEXT_TERMINAL);
		ra_util_text_put_char(text, ')');
	}
	if (from != NULL && to != NULL && start != NULL) {
		ra_util_text_format(text, ": ");
		ra_util_text_put_time(text, (int64_t) to->u64 - (int64_t) from->u64);
		ra_util_text_format(text, ", from ");
		ra_util_text_put_time(text, (int64_t) from->u64 - (int64_t) start->u64);
		ra_util_text_format(text, " to ");
		ra_util_text_put_time(text, (int64_t) to->u64 - (int64_t) start->u64);
		ra_util_text_format(text, " after its start");
		if (by.length == strlen("death") && memcmp(by.bytes, "death", by.length) == 0) {
			ra_util_text_format(text, ", the last moment that is known of it");
		}
	}
	ra_util_text_put_char(text, '\n');
}

uint64_t ra_footer_part_end_number(const struct rlog_reader *reader, const char *key)
{
	size_t count = 0;
	const struct rlog_fact *end =
		reader != NULL ? rlog_reader_borrow_end(reader, &count) : NULL;

	for (size_t i = 0; i < count; i++) {
		if (end[i].type == RLOG_FACT_U64 && strcmp(end[i].key, key) == 0) {
			return end[i].u64 < INT64_MAX ? end[i].u64 : INT64_MAX;
		}
	}
	return 0;
}

/* Writes for how long the GPU ran work in the part that was launched before it. */
static void put_gpu_before(struct ra_util_text *text, const struct ra_model *model,
                           const char *prefix)
{
	const uint64_t number = ra_footer_part_end_number(model->reader, "part_gpu_before");
	const uint64_t ns = ra_footer_part_end_number(model->reader, "part_gpu_before_ns");

	if (number == 0) {
		return;
	}
	ra_util_text_format(text, "%snote: ", prefix);
	ra_util_text_put_count(text, number);
	ra_util_text_format(text, " GPU operation%s launched before the part ran in it, for ",
	                    ra_util_text_plural(number));
	ra_util_text_put_time(text, (int64_t) ns);
	ra_util_text_format(text, ", and %s not counted\n", number == 1 ? "is" : "are");
}

void ra_footer_part_put(struct ra_util_text *text, const struct ra_model *model, const char *prefix)
{
	const struct rlog_fact *from = ra_footer_part_find_number(model->reader, "part_from_ns");
	const struct rlog_fact *to = ra_footer_part_find_number(model->reader, "part_to_ns");

	if (from == NULL || to == NULL) {
		return;
	}
	ra_util_text_format(text, "%snote: a part of a recording, from ", prefix);
	ra_util_text_put_time(text, (int64_t) from->u64);
	ra_util_text_format(text, " to ");
	ra_util_text_put_time(text, (int64_t) to->u64);
	ra_util_text_format(text, " of it\n");
	put_gpu_before(text, model, prefix);
}
