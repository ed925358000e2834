/* SPDX-License-Identifier: MIT */
/* Fuzz target: any bytes as a log, as a log with its CRCs put right, and as the payload of each
 * chunk type. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "format/chunk.h"
#include "format/codec.h"
#include "format/read/reader.h"
#include "format/wire.h"
#include "tests/fuzz/fuzz-repair.h"

/* The name is libFuzzer's. NOLINTNEXTLINE(readability-identifier-naming) */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Touched with every byte that a reader hands out, so that a sanitizer looks at them. */
static volatile uint64_t sink;

static void touch(const void *bytes, size_t count)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		sum += ((const uint8_t *) bytes)[i];
	}
	sink = sink + sum;
}

static void touch_facts(const struct rlog_fact *facts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		touch(facts[i].key, strlen(facts[i].key));
		for (size_t k = 0; k < facts[i].text_count; k++) {
			touch(facts[i].texts[k].bytes, facts[i].texts[k].length);
		}
	}
}

static void touch_batch(const struct rlog_batch *batch)
{
	touch(batch->ticks, batch->count * sizeof(*batch->ticks));
	touch(batch->op, batch->count * sizeof(*batch->op));
	touch(batch->name, batch->count * sizeof(*batch->name));
	touch(batch->domain, batch->count * sizeof(*batch->domain));
	touch(batch->id, batch->count * sizeof(*batch->id));
	for (size_t i = 0; i < RLOG_ATTRS; i++) {
		const struct rlog_attr_column *const column = &batch->attr[i];

		for (size_t k = 0; k < column->count; k++) {
			/* What the analyzer relies on. */
			if (column->row[k] >= batch->count || column->value[k] == 0 ||
			    (k && column->row[k] <= column->row[k - 1])) {
				abort();
			}
		}
	}
}

static void touch_tables(const struct rlog_reader *reader)
{
	const struct rlog_string *strings = NULL;
	const struct rlog_fact *facts = NULL;
	const struct rlog_clock_point *clock = NULL;
	const struct rlog_loss *losses = NULL;
	const struct rlog_def *defs = NULL;
	size_t count = 0;

	facts = rlog_reader_borrow_capture(reader, &count);
	touch_facts(facts, count);
	facts = rlog_reader_borrow_end(reader, &count);
	touch_facts(facts, count);
	strings = rlog_reader_borrow_strings(reader, &count);
	/* Behind that, holes of any size may come. */
	for (size_t i = 0; i < count && i < 100000; i++) {
		if (strings[i].bytes) {
			touch(strings[i].bytes, strings[i].length);
		}
	}
	defs = rlog_reader_borrow_defs(reader, &count);
	touch(defs, count * sizeof(*defs));
	clock = rlog_reader_borrow_clock(reader, &count);
	touch(clock, count * sizeof(*clock));
	losses = rlog_reader_borrow_losses(reader, &count);
	touch(losses, count * sizeof(*losses));
	sink = sink + rlog_reader_missing_rows(reader) + rlog_reader_is_closed(reader);
}

static void read_log(const uint8_t *data, size_t size)
{
	struct rlog_reader *reader = NULL;
	const struct rlog_chunk *chunks = NULL;
	const struct rlog_damage *damages = NULL;
	struct rlog_batch batch = { 0 };
	struct rlog_error err;
	size_t count = 0;
	uint64_t end = 0;

	if (rlog_reader_open_memory(&reader, data, size, &err)) {
		touch(err.message, strlen(err.message));
		return;
	}
	damages = rlog_reader_borrow_damages(reader, &count);
	for (size_t i = 0; i < count; i++) {
		if (damages[i].offset < end || damages[i].bytes == 0 ||
		    damages[i].bytes > size - damages[i].offset) {
			abort();
		}
		end = damages[i].offset + damages[i].bytes;
	}
	touch_tables(reader);
	chunks = rlog_reader_borrow_chunks(reader, &count);
	for (size_t i = 0; i < count; i++) {
		if (chunks[i].type == RLOG_CHUNK_EVENTS &&
		    rlog_reader_decode_events(reader, &chunks[i], &batch, &err) == 0) {
			touch_batch(&batch);
		}
	}
	rlog_batch_fini(&batch);
	rlog_reader_close(reader);
}

/* One chunk with `size` bytes of payload at data + RLOG_HEADER_BYTES. */
static void read_payload(uint8_t *data, size_t size, uint8_t type)
{
	const struct rlog_chunk_header header = {
		.type = type,
		.stream = type == RLOG_CHUNK_EVENTS,
		.sequence = type == RLOG_CHUNK_STRINGS,
		.flags = RLOG_FLAG_STORED | RLOG_FLAG_UNSORTED,
		.stored_bytes = (uint32_t) size,
		.raw_bytes = (uint32_t) size,
		.payload_crc = rlog_codec_crc(data + RLOG_HEADER_BYTES, size),
	};
	struct rlog_chunk_header counted = header;

	for (counted.count = 0; counted.count < 4 && counted.count <= size; counted.count++) {
		rlog_chunk_write_header(data, &counted);
		read_log(data, RLOG_HEADER_BYTES + size);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *const copy = malloc(RLOG_HEADER_BYTES + size + 1);

	if (!copy) {
		return 0;
	}
	read_log(data, size);
	if (size >= RLOG_HEADER_BYTES) {
		memcpy(copy, data, size);
		fuzz_repair(copy, size);
		read_log(copy, size);
	}
	if (size < 1000) {
		memcpy(copy + RLOG_HEADER_BYTES, data, size);
		for (int type = RLOG_CHUNK_CAPTURE; type <= RLOG_CHUNK_END; type++) {
			read_payload(copy, size, (uint8_t) type);
		}
	}
	free(copy);
	return 0;
}
