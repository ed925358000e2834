/* SPDX-License-Identifier: MIT */
/* Checks a log as a whole: damage, gaps, tables, totals. */
#include "analyzer/base/alloc.h"
#include "analyzer/inspect/verify.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/order/order.h"
#include "analyzer/model/names.h"
#include "analyzer/read-log/chunks/chunks.h"
#include "format/wire.h"

static void check_damages(struct ra_verify *verify)
{
	size_t count = 0;
	const struct rlog_damage *damages = rlog_reader_borrow_damages(verify->reader, &count);

	for (size_t i = 0; i < count; i++) {
		ra_verify_report(verify, damages[i].offset, "%" PRIu64 " bytes: %s",
		                 damages[i].bytes, damages[i].what);
	}
}

static void describe(const struct rlog_chunk *chunk, char *text, size_t size)
{
	const char *name = ra_names_chunk(chunk->type);

	if (chunk->stream != 0) {
		snprintf(text, size, "stream %" PRIu32, chunk->stream);
	} else if (name != NULL) {
		snprintf(text, size, "%s", name);
	} else {
		snprintf(text, size, "chunks of type %u", (unsigned) chunk->type);
	}
}

/* Checks chunks whose sequence numbers form one run. A chunk that is a copy fills a gap. A row that
 * is in an original chunk and in a copy does not count as repeated, because copies are divided into
 * chunks differently. */
static void check_run(struct ra_verify *verify, const struct rlog_chunk *const *chunks,
                      size_t count)
{
	uint64_t next = chunks[0]->type == RLOG_CHUNK_STRINGS ? 1 : 0;
	uint64_t next_original = next;
	char text[40];

	describe(chunks[0], text, sizeof(text));
	for (size_t i = 0; i < count; i++) {
		const struct rlog_chunk *chunk = chunks[i];
		const uint64_t end = chunk->sequence + chunk->count;
		const bool is_copy = (chunk->flags & RLOG_FLAG_REPEAT) != 0;

		if (chunk->sequence > next) {
			ra_verify_report(verify, chunk->offset,
			                 "%s: rows %" PRIu64 " to %" PRIu64
			                 " are missing before this chunk",
			                 text, next, chunk->sequence - 1);
		} else if (chunk->sequence < next_original && !is_copy) {
			ra_verify_report(verify, chunk->offset,
			                 "%s: row %" PRIu64
			                 " is there twice, and the chunk is not marked as a copy",
			                 text, chunk->sequence);
		}
		if (end > next) {
			next = end;
		}
		if (end > next_original && !is_copy) {
			next_original = end;
		}
	}
}

/* True if the type's chunks have sequence numbers. Unknown types may number chunks as they like. */
static bool has_sequence(const struct rlog_chunk *chunk)
{
	return chunk->type >= RLOG_CHUNK_STRINGS && chunk->type <= RLOG_CHUNK_INDEX &&
	       (chunk->type == RLOG_CHUNK_EVENTS) == (chunk->stream != 0);
}

static void check_sequences(struct ra_verify *verify)
{
	size_t count = 0;
	const struct rlog_chunk *chunks = rlog_reader_borrow_chunks(verify->reader, &count);
	const struct rlog_chunk **sorted = ra_alloc_zeros(count + 1, sizeof(struct rlog_chunk *));
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (has_sequence(&chunks[i])) {
			sorted[kept++] = &chunks[i];
		}
	}
	RA_SORT(sorted, kept, ra_chunks_compare); /* by sequence number */
	for (size_t first = 0, i = 1; i <= kept; i++) {
		if (i == kept || sorted[i]->stream != sorted[first]->stream ||
		    sorted[i]->type != sorted[first]->type) {
			check_run(verify, sorted + first, i - first);
			first = i;
		}
	}
	free(sorted);
}

/* Reports a finding about the whole file. Its offset is the file's end. */
static uint64_t find_end(const struct ra_verify *verify)
{
	return rlog_reader_size_bytes(verify->reader);
}

static void check_strings(struct ra_verify *verify)
{
	size_t count = 0;
	const struct rlog_string *strings = rlog_reader_borrow_strings(verify->reader, &count);
	size_t lost = 0;
	size_t first = 0;

	for (size_t i = 1; i < count; i++) {
		if (strings[i].bytes == NULL) {
			first = lost == 0 ? i : first;
			lost++;
		}
	}
	if (lost > 0) {
		ra_verify_report(verify, find_end(verify),
		                 "%zu strings are missing in the file, the first has id %zu", lost,
		                 first);
	}
}

static void check_defs(struct ra_verify *verify)
{
	size_t string_count = 0;
	size_t count = 0;
	const struct rlog_string *strings =
		rlog_reader_borrow_strings(verify->reader, &string_count);
	const struct rlog_def *defs = rlog_reader_borrow_defs(verify->reader, &count);

	for (size_t i = 0; i < count; i++) {
		const uint32_t id = defs[i].string;

		if (id != 0 && (id >= string_count || strings[id].bytes == NULL)) {
			ra_verify_report(verify, find_end(verify),
			                 "definition %zu (kind %" PRIu32 ", id %" PRIu64
			                 ") names string %" PRIu32 ", which is not there",
			                 i, defs[i].kind, defs[i].id, id);
		}
	}
}

static void check_total(struct ra_verify *verify, const struct rlog_fact *fact, const char *key,
                        uint64_t counted)
{
	if (fact->type == RLOG_FACT_U64 && strcmp(fact->key, key) == 0 && fact->u64 != counted) {
		ra_verify_report(verify, find_end(verify),
		                 "the end chunk counts %" PRIu64 " %s, the file holds %" PRIu64,
		                 fact->u64, key, counted);
	}
}

static uint64_t count_events(const struct ra_verify *verify)
{
	size_t count = 0;
	const struct rlog_chunk *chunks = rlog_reader_borrow_chunks(verify->reader, &count);
	uint64_t events = 0;

	for (size_t i = 0; i < count; i++) {
		if (chunks[i].type == RLOG_CHUNK_EVENTS &&
		    (chunks[i].flags & RLOG_FLAG_REPEAT) == 0) {
			events += chunks[i].count;
		}
	}
	return events;
}

static void check_end(struct ra_verify *verify)
{
	size_t string_count = 0;
	size_t def_count = 0;
	size_t count = 0;
	const struct rlog_fact *facts = rlog_reader_borrow_end(verify->reader, &count);

	rlog_reader_borrow_strings(verify->reader, &string_count);
	rlog_reader_borrow_defs(verify->reader, &def_count);
	if (!rlog_reader_is_closed(verify->reader)) {
		ra_verify_report(verify, find_end(verify),
		                 "the log was not closed: its end mark is missing");
	}
	for (size_t i = 0; i < count; i++) {
		check_total(verify, &facts[i], "events", count_events(verify));
		check_total(verify, &facts[i], "strings", string_count > 0 ? string_count - 1 : 0);
		check_total(verify, &facts[i], "defs", def_count);
	}
}

static void check_capture(struct ra_verify *verify)
{
	size_t count = 0;
	const struct rlog_fact *clock = rlog_reader_find_capture(verify->reader, "clock");

	if (rlog_reader_find_capture(verify->reader, "format") == NULL) {
		ra_verify_report(verify, 0, "the capture chunk, or its fact `format`, is missing");
	}
	rlog_reader_borrow_clock(verify->reader, &count);
	if (count == 0 && (clock == NULL || clock->text_count == 0 ||
	                   clock->texts[0].length != strlen("monotonic"))) {
		ra_verify_report(verify, 0, "there is no clock point: times are estimates");
	}
}

static void check_chunks(struct ra_verify *verify)
{
	check_damages(verify);
	check_capture(verify);
	check_sequences(verify);
	check_strings(verify);
	check_defs(verify);
	check_end(verify);
}

int ra_verify_run(struct ra_verify *verify)
{
	int code;

	check_chunks(verify);
	ra_verify_definitions(verify);
	code = ra_verify_events(verify);
	if (code == 0) {
		code = ra_verify_index(verify);
	}
	return code;
}
