/* SPDX-License-Identifier: MIT */
/* Writes what a part tells about itself and about the whole log: facts, names, losses, the end. */
#include "analyzer/part/part-facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "analyzer/read-log/facts/facts.h"
#include "format/oddity.h"
#include "format/wire.h"

/* Most facts that a part has in addition to those of the whole log. */
#define OWN_FACTS ((size_t) 5)

static const struct rlog_string by_slice = { "slice", 5, 5 };

static bool is_one_of(const char *key, const char *const *words)
{
	for (; *words != NULL; words++) {
		if (strcmp(key, *words) == 0) {
			return true;
		}
	}
	return false;
}

static uint64_t find_number(const struct rlog_fact *facts, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(facts[i].key, key) == 0 &&
		    (facts[i].type == RLOG_FACT_U64 || facts[i].type == RLOG_FACT_BOOL)) {
			return facts[i].u64;
		}
	}
	return 0;
}

static uint64_t to_mono(const struct ra_part *part, uint64_t ticks)
{
	size_t segment = 0;
	const int64_t ns = ra_clock_convert(&part->clock, ticks, &segment);

	return ns > 0 ? (uint64_t) ns : 0;
}

/* Converts ticks to ns since time 0 of the whole log. */
static uint64_t since_zero(const struct ra_part *part, uint64_t ticks, uint64_t cut_before)
{
	size_t segment = 0;
	const int64_t ns = ra_clock_convert(&part->clock, ticks, &segment) - part->model->zero_ns;

	return ra_util_add(cut_before, ns > 0 ? (uint64_t) ns : 0);
}

static void add_number(struct rlog_fact *facts, size_t *count, const char *key, uint64_t number)
{
	facts[(*count)++] = (struct rlog_fact){ .key = key, .u64 = number };
}

/* Adds facts about rows that are missing or damaged in the whole log. A row for which the part has
 * a gap is not counted here, because the gap counts it. */
static void add_lacks(struct ra_part *part, struct rlog_fact *own, size_t *count)
{
	size_t fact_count;
	const struct rlog_fact *facts = rlog_reader_borrow_end(part->reader, &fact_count);
	const uint64_t before = find_number(facts, fact_count, "part_missing");
	size_t damage_count;
	const struct rlog_damage *damages = rlog_reader_borrow_damages(part->reader, &damage_count);
	const uint64_t missing = ra_util_add(
		rlog_reader_missing_rows(part->reader) - part->gap_rows, part->gpu.bad_rows);
	uint64_t damaged = find_number(facts, fact_count, "part_damaged_bytes");
	uint64_t stretches =
		ra_util_add(find_number(facts, fact_count, "part_damaged"), damage_count);

	for (size_t i = 0; i < damage_count; i++) {
		damaged = ra_util_add(damaged, damages[i].bytes);
	}
	if (missing > 0 || before > 0) {
		add_number(own, count, "part_missing", ra_util_add(before, missing));
	}
	if (stretches > 0) {
		add_number(own, count, "part_damaged", stretches);
		add_number(own, count, "part_damaged_bytes", damaged);
	}
	if (!rlog_reader_is_closed(part->reader) ||
	    find_number(facts, fact_count, "part_unclosed") > 0) {
		own[(*count)++] = (struct rlog_fact){ .key = "part_unclosed",
			                              .type = RLOG_FACT_BOOL,
			                              .u64 = 1 };
	}
}

/* Adds a fact about GPU work of earlier calls. If the whole log is a part itself, and this part
 * begins where that begins, the work that was left out there is counted. */
static void add_gpu_before(struct ra_part *part, struct rlog_fact *own, size_t *count)
{
	struct ra_part_result *result = part->result;
	size_t fact_count;
	const struct rlog_fact *facts = rlog_reader_borrow_end(part->reader, &fact_count);

	if (part->window.from == 0) {
		result->gpu_before = find_number(facts, fact_count, "part_gpu_before");
		result->gpu_before_ns = find_number(facts, fact_count, "part_gpu_before_ns");
	}
	if (result->gpu_before > 0) {
		add_number(own, count, "part_gpu_before", result->gpu_before);
		add_number(own, count, "part_gpu_before_ns", result->gpu_before_ns);
	}
}

static void add_window(struct ra_part *part, struct rlog_fact *own, size_t *count)
{
	size_t fact_count;
	const struct rlog_fact *facts = rlog_reader_borrow_capture(part->reader, &fact_count);
	const uint64_t before = find_number(facts, fact_count, "part_from_ns");
	const uint64_t to = part->window.to == UINT64_MAX ? part->end_ticks : part->window.to;

	add_number(own, count, "part_from_ns",
	           part->window.from == 0 ? before : since_zero(part, part->window.from, before));
	add_number(own, count, "part_to_ns", since_zero(part, to, before));
	if (part->window.from > 0) {
		own[(*count)++] = (struct rlog_fact){
			.key = "on_by", .type = RLOG_FACT_TEXT, .texts = &by_slice, .text_count = 1
		};
		add_number(own, count, "on_ticks", part->window.from);
		add_number(own, count, "on_mono_ns", to_mono(part, part->window.from));
	}
}

int ra_part_facts_put_capture(struct ra_part *part, struct rlog_error *err)
{
	static const char *const replaced[] = { "format", "part_from_ns", "part_to_ns", NULL };
	static const char *const of_begin[] = { "on_by", "on_ticks", "on_mono_ns", "on_step",
		                                NULL };
	size_t count;
	const struct rlog_fact *facts = rlog_reader_borrow_capture(part->reader, &count);
	struct rlog_fact *all = ra_alloc_zeros(count + OWN_FACTS, sizeof(*all));
	size_t kept = 0;
	int code;

	for (size_t i = 0; i < count; i++) {
		if (!is_one_of(facts[i].key, replaced) &&
		    (part->window.from == 0 || !is_one_of(facts[i].key, of_begin))) {
			all[kept++] = facts[i];
		}
	}
	add_window(part, all, &kept);
	code = rlog_writer_put_capture(part->writer, all, kept, err);
	free(all);
	return code;
}

/* Writes the strings. A lost string gets the text that readers show for it. */
static int put_strings(struct ra_part *part, struct rlog_error *err)
{
	size_t count;
	const struct rlog_string *strings = rlog_reader_borrow_strings(part->reader, &count);
	int code = 0;

	for (size_t i = 1; i < count && code == 0;) {
		size_t end = i;

		while (end < count && strings[end].bytes != NULL) {
			end++;
		}
		if (end == i) {
			char text[40];
			const int length = snprintf(text, sizeof(text), "(string %zu lost)", i);
			const struct rlog_string lost = { text, (uint32_t) length,
				                          (uint32_t) length };

			code = rlog_writer_put_strings(part->writer, (uint32_t) i, &lost, 1, err);
			i++;
		} else {
			code = rlog_writer_put_strings(part->writer, (uint32_t) i, &strings[i],
			                               end - i, err);
			i = end;
		}
	}
	return code;
}

/* Writes the definitions. A thread that ended after the window does not end in the part. */
static int put_defs(struct ra_part *part, struct rlog_error *err)
{
	size_t count;
	const struct rlog_def *defs = rlog_reader_borrow_defs(part->reader, &count);
	struct rlog_def *kept = ra_alloc_zeros(count + 1, sizeof(*kept));
	size_t kept_count = 0;
	int code;

	for (size_t i = 0; i < count; i++) {
		if (defs[i].kind != RLOG_DEF_STREAM_END || defs[i].value < part->window.to) {
			kept[kept_count++] = defs[i];
		}
	}
	code = kept_count == 0 ? 0 : rlog_writer_put_defs(part->writer, 0, kept, kept_count, err);
	free(kept);
	return code;
}

/* Writes the losses, also those that only chunk headers tell of, as in a log that was not
 * closed. */
static int put_losses(struct ra_part *part, struct rlog_error *err)
{
	size_t count;
	const struct rlog_loss *losses = rlog_reader_borrow_losses(part->reader, &count);
	int code = count == 0 ? 0 : rlog_writer_put_losses(part->writer, losses, count, err);

	for (size_t s = 0; s < part->stream_count && code == 0; s++) {
		const struct ra_part_stream *plan = &part->streams[s];
		struct rlog_loss more = { .stream = plan->stream, .cause = 0 };
		uint64_t known = 0;
		uint64_t told = 0;

		for (size_t i = plan->first; i < plan->end; i++) {
			const uint64_t lost = part->chunks.rows[i]->lost;

			told = lost > told ? lost : told;
		}
		for (size_t i = 0; i < count; i++) {
			if (losses[i].stream == plan->stream &&
			    losses[i].cause != RLOG_CAUSE_INTERN_OVERFLOW) {
				known = ra_util_add(known, losses[i].count);
			}
		}
		more.count = told > known ? told - known : 0;
		if (more.count > 0) {
			code = rlog_writer_put_losses(part->writer, &more, 1, err);
		}
	}
	return code;
}

int ra_part_facts_put_tables(struct ra_part *part, struct rlog_error *err)
{
	size_t count;
	const struct rlog_clock_point *points = rlog_reader_borrow_clock(part->reader, &count);
	int code = count == 0 ? 0 : rlog_writer_put_clock(part->writer, points, count, err);

	code = code != 0 ? code : put_strings(part, err);
	code = code != 0 ? code : put_defs(part, err);
	return code != 0 ? code : put_losses(part, err);
}

static void tell_oddities(struct ra_part *part, const struct rlog_fact *end, size_t count)
{
	uint64_t counts[RLOG_ODDITIES] = { 0 };

	for (uint32_t i = 1; i < RLOG_ODDITIES; i++) {
		counts[i] = find_number(end, count, rlog_oddity_key(i));
	}
	rlog_writer_set_oddities(part->writer, counts);
}

static uint64_t sum_losses(const struct ra_part *part)
{
	size_t count;
	const struct rlog_loss *losses = rlog_reader_borrow_losses(part->reader, &count);
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		sum = ra_util_add(sum, losses[i].count);
	}
	return sum;
}

int ra_part_facts_put_end(struct ra_part *part, struct rlog_error *err)
{
	size_t count;
	const struct rlog_fact *end = rlog_reader_borrow_end(part->reader, &count);
	const uint64_t lost = find_number(end, count, "lost");
	const uint64_t left_out = part->whole_events > part->result->events
	                                  ? part->whole_events - part->result->events
	                                  : 0;
	const uint64_t off = part->window.to;
	struct rlog_fact facts[RLOG_WRITER_END_FACTS];
	static const char *const of_end[] = { "off_ticks", "off_mono_ns", "off_by", NULL };
	size_t kept = 0;

	add_number(facts, &kept, "outside",
	           ra_util_add(find_number(end, count, "outside"), left_out));
	if (off != UINT64_MAX) {
		add_number(facts, &kept, "off_ticks", off);
		add_number(facts, &kept, "off_mono_ns", to_mono(part, off));
		facts[kept++] = (struct rlog_fact){
			.key = "off_by", .type = RLOG_FACT_TEXT, .texts = &by_slice, .text_count = 1
		};
	}
	for (size_t i = 0; i < count && off == UINT64_MAX && kept < 4; i++) {
		if (is_one_of(end[i].key, of_end)) {
			facts[kept++] = end[i];
		}
	}
	add_lacks(part, facts, &kept);
	add_gpu_before(part, facts, &kept);
	tell_oddities(part, end, count);
	rlog_writer_set_end_facts(part->writer, facts, kept);
	return rlog_writer_finish(part->writer,
	                          ra_facts_is_recovered(part->model) ? "recovered" : "clean",
	                          lost > 0 ? lost : sum_losses(part), err);
}
