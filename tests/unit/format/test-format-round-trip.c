/* SPDX-License-Identifier: MIT */
/* Tests that a log gives back what was written to it: all types of chunks, all forms of columns,
 * extreme values. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/wire.h"
#include "tests/tap.h"
#include "tests/unit/format/format-sample.h"

/* Writes one batch alone, reads it back. Return: the payload's raw size, 0 if anything differs. */
static uint32_t carry(const struct rlog_batch *batch, int level, uint16_t *flags)
{
	const int fd = sample_open_memory();
	struct rlog_writer *const writer = sample_create(fd, level);
	struct rlog_reader *reader = NULL;
	const struct rlog_chunk *chunks = NULL;
	struct sample_bytes log = { 0 };
	struct rlog_batch got;
	struct rlog_error err;
	uint32_t raw = 0;
	size_t count = 0;

	if (rlog_writer_put_events(writer, batch, 0, &err) || rlog_batch_init(&got, 1)) {
		tap_bail("cannot write a batch: %s", err.message);
	}
	log = sample_read_file(fd);
	if (rlog_reader_open_memory(&reader, log.bytes, log.size, &err)) {
		tap_bail("cannot read a batch: %s", err.message);
	}
	chunks = rlog_reader_borrow_chunks(reader, &count);
	if (count == 1 && !rlog_reader_decode_events(reader, &chunks[0], &got, &err) &&
	    sample_same_batch(&got, batch)) {
		raw = chunks[0].raw_bytes;
		*flags = chunks[0].flags;
	}
	rlog_reader_close(reader);
	rlog_writer_destroy(writer);
	rlog_batch_fini(&got);
	sample_free(&log);
	(void) close(fd);
	return raw;
}

/* Writes a batch of one stream. Return: rows that come back with their data, in order, whole. */
static int put_and_count(const struct rlog_batch *batch)
{
	const int fd = sample_open_memory();
	struct rlog_writer *const writer = sample_create(fd, 1);
	struct rlog_reader *reader = NULL;
	const struct rlog_chunk *chunks = NULL;
	struct sample_bytes log = { 0 };
	struct rlog_batch got;
	struct rlog_error err;
	size_t count = 0;
	size_t rows = 0;

	if (rlog_writer_put_events(writer, batch, 0, &err) || rlog_batch_init(&got, 1)) {
		tap_bail("cannot write a batch: %s", err.message);
	}
	log = sample_read_file(fd);
	if (rlog_reader_open_memory(&reader, log.bytes, log.size, &err)) {
		tap_bail("cannot read a batch: %s", err.message);
	}
	chunks = rlog_reader_borrow_chunks(reader, &count);
	for (size_t i = 0; i < count; i++) {
		if (rlog_reader_decode_events(reader, &chunks[i], &got, &err)) {
			tap_bail("chunk %zu: %s", i, err.message);
		}
		for (size_t k = 0; k < got.data.count; k++, rows++) {
			const uint32_t from = batch->data.from[rows];
			const uint32_t bytes = batch->data.from[rows + 1] - from;

			if (got.data.row[k] != k ||
			    got.data.from[k + 1] - got.data.from[k] != bytes ||
			    memcmp(got.data.bytes + got.data.from[k], batch->data.bytes + from,
			           bytes) != 0) {
				tap_bail("row %zu differs", rows);
			}
		}
	}
	rlog_reader_close(reader);
	rlog_writer_destroy(writer);
	rlog_batch_fini(&got);
	sample_free(&log);
	(void) close(fd);
	return (int) rows;
}

static bool carries(const struct rlog_batch *batch)
{
	uint16_t flags = 0;

	return carry(batch, 0, &flags) && carry(batch, 6, &flags);
}

static void start_batch(struct rlog_batch *batch)
{
	rlog_batch_clear(batch);
	batch->stream = 7;
}

static void test_sample(int level)
{
	struct sample_bytes log = sample_make(level);
	struct rlog_reader *reader = NULL;
	const struct rlog_fact *facts = NULL;
	struct rlog_error err;
	uint64_t events = 0;
	size_t count = 0;

	if (!tap_ok(rlog_reader_open_memory(&reader, log.bytes, log.size, &err) == 0,
	            "the sample of level %d opens", level)) {
		tap_bail("%s", err.message);
	}
	tap_is_text(sample_find_lie(reader, &events), NULL, "all that is read was written");
	tap_is_uint(events, SAMPLE_EVENTS, "all events are there");
	tap_is_uint(rlog_reader_missing_rows(reader), 0, "no row is missing");
	(void) rlog_reader_borrow_damages(reader, &count);
	tap_is_uint(count, 0, "there is no damage");
	tap_ok(rlog_reader_is_closed(reader), "the log is closed");
	(void) rlog_reader_borrow_strings(reader, &count);
	tap_is_uint(count, 25, "all strings are there");
	(void) rlog_reader_borrow_defs(reader, &count);
	tap_is_uint(count, 8, "all definitions are there");
	(void) rlog_reader_borrow_clock(reader, &count);
	tap_is_uint(count, 4, "all clock points are there");
	(void) rlog_reader_borrow_losses(reader, &count);
	tap_is_uint(count, SAMPLE_STREAMS, "of each kind of loss there is one total");
	facts = rlog_reader_borrow_capture(reader, &count);
	tap_is_uint(count, 6, "all facts are there, and format");
	tap_ok(count == 6 && facts[1].type == RLOG_FACT_TEXTS && facts[1].text_count == 3 &&
	               memcmp(facts[1].texts[2].bytes, "\xFE", 1) == 0,
	       "a list of texts keeps its order and its bytes");
	tap_ok(count == 6 && facts[4].type == RLOG_FACT_I64 && facts[4].i64 == -1,
	       "a negative fact is read as such");
	tap_ok(count == 6 && facts[5].type == RLOG_FACT_BOOL && facts[5].u64 == 1,
	       "a boolean fact is read as such");
	facts = rlog_reader_borrow_end(reader, &count);
	tap_ok(count == 6 && strcmp(facts[1].key, "events") == 0 && facts[1].u64 == SAMPLE_EVENTS,
	       "END states the number of events");
	rlog_reader_close(reader);
	sample_free(&log);
}

/* Each integer column at every power of two and its neighbours: all msgpack lengths. */
static void test_integers(struct rlog_batch *batch)
{
	start_batch(batch);
	for (unsigned int bit = 0; bit < 64; bit++) {
		for (uint64_t step = 0; step < 3; step++) {
			const uint64_t value = (UINT64_C(1) << bit) - 1 + step;

			rlog_batch_append(batch, value, (uint8_t) value, (uint32_t) value,
			                  (uint32_t) value, value);
			rlog_batch_append(batch, 0, UINT8_MAX, UINT32_MAX, UINT32_MAX, UINT64_MAX);
		}
	}
	tap_ok(carries(batch), "integers of all lengths, and times that jump both ways, survive");
	start_batch(batch);
	rlog_batch_append(batch, 0, 0, 0, 0, 0);
	rlog_batch_append(batch, UINT64_MAX, 0, 0, 0, 0);
	rlog_batch_append(batch, 0, 0, 0, 0, 0);
	rlog_batch_append(batch, UINT64_C(1) << 63, 0, 0, 0, 0);
	rlog_batch_append(batch, UINT64_MAX, 0, 0, 0, 0);
	tap_ok(carries(batch), "times from 0 to 2^64-1 and back survive");
}

static void test_flags(struct rlog_batch *batch)
{
	uint16_t flags = 0;

	start_batch(batch);
	rlog_batch_append(batch, 5, RLOG_OP_PUSH, 1, 0, 0);
	rlog_batch_append(batch, 4, RLOG_OP_POP, 0, 0, 0);
	batch->flags = RLOG_FLAG_LAST | RLOG_FLAG_RECOVERED;
	(void) carry(batch, 0, &flags);
	tap_is_uint(flags,
	            RLOG_FLAG_STORED | RLOG_FLAG_FIRST | RLOG_FLAG_LAST | RLOG_FLAG_RECOVERED |
	                    RLOG_FLAG_UNSORTED,
	            "flags say stored, first, last, recovered, unsorted");
	start_batch(batch);
	for (size_t i = 0; i < 500; i++) {
		rlog_batch_append(batch, i * 3, RLOG_OP_MARK, 1, 0, 0);
	}
	(void) carry(batch, 1, &flags);
	tap_is_uint(flags, RLOG_FLAG_FIRST, "a sorted chunk that shrinks is compressed");
	start_batch(batch);
	rlog_batch_append(batch, 1, RLOG_OP_MARK, 1, 0, 0);
	(void) carry(batch, 9, &flags);
	tap_is_uint(flags, RLOG_FLAG_FIRST | RLOG_FLAG_STORED,
	            "one that does not shrink is stored");
}

/* Rows of one attribute: every `step`-th from `first` on. */
static void fill_attr(struct rlog_batch *batch, enum rlog_attr attr, uint32_t first, uint32_t step)
{
	for (uint32_t row = first; row < batch->count; row += step) {
		rlog_batch_add_attr(batch, attr, row, attr == RLOG_ATTR_PTYPE ? 1 : 5 + row % 3);
	}
}

static void test_forms(struct rlog_batch *batch)
{
	uint16_t flags = 0;
	uint32_t none = 0;
	uint32_t constant = 0;
	uint32_t dense = 0;
	uint32_t sparse = 0;

	start_batch(batch);
	for (size_t i = 0; i < 1000; i++) {
		rlog_batch_append(batch, i, RLOG_OP_PUSH, 0, 0, 0);
	}
	none = carry(batch, 0, &flags);
	fill_attr(batch, RLOG_ATTR_COLOR, 0, 1);
	dense = carry(batch, 0, &flags);
	tap_is_uint(dense - none, 6 + 3 + 1000, "a column of small numbers is dense: a byte each");
	batch->attr[RLOG_ATTR_COLOR].count = 0;
	fill_attr(batch, RLOG_ATTR_COLOR, 3, 100);
	sparse = carry(batch, 0, &flags);
	tap_is_uint(sparse - none, 6 + 1 + 2 * (1 + 10),
	            "a rare attribute is sparse: two bytes each");
	batch->attr[RLOG_ATTR_COLOR].count = 0;
	for (uint32_t row = 0; row < 1000; row++) {
		rlog_batch_add_attr(batch, RLOG_ATTR_COLOR, row, 0xFF00FF00);
		batch->name[row] = 9;
	}
	constant = carry(batch, 0, &flags);
	tap_is_uint(constant - none, 6 + 5 + 5 + 1, "what is the same in all rows is stored once");
	start_batch(batch);
	for (size_t i = 0; i < 1000; i++) {
		rlog_batch_append(batch, 77, 0, 0, 0, 0);
	}
	tap_ok(carry(batch, 0, &flags) >= 1000, "even rows that are all alike have a byte each");
}

static void test_payloads(struct rlog_batch *batch)
{
	static const uint64_t values[] = {
		1,
		127,
		128,
		UINT64_MAX,
		(uint64_t) INT64_MIN,
		(uint64_t) -1,
		(uint64_t) -32,
		(uint64_t) -33,
		(uint64_t) -129,
		(uint64_t) -40000,
		UINT64_C(0x7FF0000000000000),
		UINT64_C(0x7FF8000000001234),
		UINT64_C(0x7FF0000000000001),
		UINT64_C(0xFFF8000000000000),
		UINT64_C(0x8000000000000000),
		UINT64_C(0x3FF0000000000000),
		UINT64_C(0x400921FB54442D18),
		UINT64_C(0x0000000000000001),
	};
	const size_t count = sizeof(values) / sizeof(values[0]);

	for (uint32_t spread = 1; spread <= 40; spread += 39) {
		uint32_t row = 0;

		start_batch(batch);
		for (size_t i = 0; i < count * 7 * spread; i++) {
			rlog_batch_append(batch, i, RLOG_OP_MARK, 0, 0, 0);
		}
		for (uint64_t type = 0; type < 7; type++) {
			for (size_t i = 0; i < count; i++, row += spread) {
				rlog_batch_add_attr(batch, RLOG_ATTR_PTYPE, row, type);
				rlog_batch_add_attr(batch, RLOG_ATTR_PAYLOAD, row, values[i]);
			}
		}
		tap_ok(carries(batch), "payloads of all types keep all bits, NaN and -1 too (%s)",
		       spread == 1 ? "dense" : "sparse");
	}
}

/* Rows with any values; `kind` chooses which columns are regular and which attributes rare. */
static void fill_random(struct rlog_batch *batch, unsigned int kind, uint64_t *state)
{
	const size_t rows = 1 + sample_random(state) % 400;
	uint64_t ticks = sample_random(state) >> (kind % 64);

	start_batch(batch);
	for (uint32_t row = 0; row < rows; row++) {
		const uint64_t random = sample_random(state);

		ticks += random >> (random % 64);
		rlog_batch_append(batch, ticks, (uint8_t) random, (uint32_t) (random >> 30),
		                  kind % 3 ? 0 : (uint32_t) (random >> 60), kind % 2 ? random : 4);
		for (unsigned int attr = 0; attr < RLOG_ATTRS; attr++) {
			if (random >> ((2 * attr + 3) % 62) & 3 && kind % (attr + 2)) {
				continue;
			}
			rlog_batch_add_attr(batch, (enum rlog_attr) attr, row,
			                    attr == RLOG_ATTR_PTYPE ? random % 7
			                                            : random >> (attr * 7 % 64));
		}
	}
}

static void test_random(struct rlog_batch *batch)
{
	uint64_t state = 4711;
	unsigned int wrong = 0;

	for (unsigned int i = 0; i < 300; i++) {
		fill_random(batch, i, &state);
		wrong += !carries(batch);
	}
	tap_is_uint(wrong, 0, "300 random batches survive");
}

/* More than 1 MiB of payload: the writer makes several chunks of it. */
static void test_big_batch(void)
{
	const int fd = sample_open_memory();
	struct rlog_writer *const writer = sample_create(fd, 1);
	struct rlog_reader *reader = NULL;
	const struct rlog_chunk *chunks = NULL;
	struct sample_bytes log = { 0 };
	struct rlog_batch batch;
	struct rlog_batch got;
	struct rlog_error err;
	uint64_t state = 99;
	size_t count = 0;
	uint64_t row = 0;
	bool same = true;

	if (rlog_batch_init(&batch, 100000) || rlog_batch_init(&got, 1)) {
		tap_bail("no memory");
	}
	start_batch(&batch);
	batch.sequence = 3;
	for (uint32_t i = 0; i < 100000; i++) {
		const uint64_t random = sample_random(&state);

		rlog_batch_append(&batch, i * UINT64_C(100000000), 1, (uint32_t) random, 0, random);
		rlog_batch_add_attr(&batch, RLOG_ATTR_PAYLOAD, i, random | 1);
	}
	tap_is_int(rlog_writer_put_events(writer, &batch, 0, &err), 0,
	           "a batch over 1 MiB is taken");
	log = sample_read_file(fd);
	if (rlog_reader_open_memory(&reader, log.bytes, log.size, &err)) {
		tap_bail("%s", err.message);
	}
	chunks = rlog_reader_borrow_chunks(reader, &count);
	for (size_t i = 0; i < count && same; i++) {
		same = !rlog_reader_decode_events(reader, &chunks[i], &got, &err) &&
		       chunks[i].sequence == row + 3 && chunks[i].raw_bytes <= RLOG_MAX_RAW_BYTES;
		for (size_t k = 0; k < got.count && same; k++, row++) {
			same = got.ticks[k] == batch.ticks[row] && got.id[k] == batch.id[row] &&
			       got.attr[RLOG_ATTR_PAYLOAD].value[k] ==
			               batch.attr[RLOG_ATTR_PAYLOAD].value[row];
		}
	}
	tap_ok(same && row == 100000 && count > 1, "it comes back from %zu chunks", count);
	tap_is_uint(rlog_reader_missing_rows(reader), 3, "and the 3 events before it are missing");
	rlog_reader_close(reader);
	rlog_writer_destroy(writer);
	rlog_batch_fini(&batch);
	rlog_batch_fini(&got);
	sample_free(&log);
	(void) close(fd);
}

/* Data of every length in rows here and there; given in pieces, as the drain does. */
static void test_data(struct rlog_batch *batch)
{
	uint8_t bytes[2000];

	for (size_t i = 0; i < sizeof(bytes); i++) {
		bytes[i] = (uint8_t) (i * 7 >> 2);
	}
	start_batch(batch);
	for (uint32_t i = 0; i < 8000; i++) {
		rlog_batch_append(batch, i, RLOG_OP_CALL, 0, 0, 7);
		for (uint32_t at = 0; i % 3 == 1 && i / 6 < 500 && at <= i / 6; at += 12) {
			rlog_batch_add_data(batch, i, bytes + at % 1900,
			                    i / 6 - at < 12 ? i / 6 - at : 12);
		}
	}
	tap_ok(batch->data.count == 1000 && batch->data.from[1000] > 100000 && carries(batch),
	       "data of all lengths survive");
	start_batch(batch);
	rlog_batch_append(batch, 1, RLOG_OP_MARK, 0, 0, 0);
	rlog_batch_add_data(batch, 0, bytes, 0);
	tap_ok(carries(batch), "data of no bytes are not the same as none");
	start_batch(batch);
	for (uint32_t i = 0; i < 2000; i++) {
		rlog_batch_append(batch, i, RLOG_OP_MORE, 0, 0, 0);
		rlog_batch_add_data(batch, i, bytes, sizeof(bytes));
	}
	tap_is_int(put_and_count(batch), 2000,
	           "rows whose data go beyond a chunk come back from several");
}

static void test_strings(void)
{
	const size_t length = 70001;
	const int fd = sample_open_memory();
	struct rlog_writer *const writer = sample_create(fd, 1);
	char *const text = malloc(length);
	struct rlog_string *const strings = calloc(20000, sizeof(*strings));
	const struct rlog_string *got = NULL;
	struct rlog_reader *reader = NULL;
	struct sample_bytes log = { 0 };
	struct rlog_error err;
	size_t count = 0;
	size_t wrong = 0;

	if (!text || !strings) {
		tap_bail("no memory");
	}
	for (size_t i = 0; i < length; i++) {
		text[i] = i % 2 ? '\x90' : '\xD0'; /* U+0410 */
	}
	for (size_t i = 0; i < 20000; i++) {
		strings[i] = (struct rlog_string){ text + i % 8, (uint32_t) (i % 300), 0 };
	}
	strings[10000] = (struct rlog_string){ text, (uint32_t) length, 0 };
	strings[10001] = (struct rlog_string){ "a\0b", 3, 0 };
	tap_is_int(rlog_writer_put_strings(writer, 1, strings, 20000, &err), 0,
	           "20000 strings of 3 MB are taken");
	tap_is_uint(rlog_writer_next_string(writer), 20001, "and counted");
	tap_is_int(rlog_writer_put_strings(writer, 1, strings, 20000, &err), 0,
	           "offering them again changes nothing");
	log = sample_read_file(fd);
	tap_is_uint(log.size, rlog_writer_size_bytes(writer),
	            "the file has the size the writer says");
	if (rlog_reader_open_memory(&reader, log.bytes, log.size, &err)) {
		tap_bail("%s", err.message);
	}
	got = rlog_reader_borrow_strings(reader, &count);
	for (size_t i = 0; i < 20000 && count == 20001; i++) {
		const struct rlog_string *const string = &got[i + 1];

		wrong += i != 10000 &&
		         (string->length != strings[i].length ||
		          string->full_length != strings[i].length ||
		          memcmp(string->bytes, strings[i].bytes, string->length) != 0);
	}
	tap_is_uint(count, 20001, "they come back");
	tap_is_uint(wrong, 0, "with their bytes");
	tap_ok(count > 10001 && got[10001].length == 65534 && got[10001].full_length == length,
	       "one that is too long is cut between two characters and tells its full length");
	rlog_reader_close(reader);
	rlog_writer_destroy(writer);
	free(text);
	free(strings);
	sample_free(&log);
	(void) close(fd);
}

int main(void)
{
	struct rlog_batch batch;

	if (rlog_batch_init(&batch, 8192)) {
		tap_bail("no memory");
	}
	test_sample(0);
	test_sample(1);
	test_sample(9);
	test_integers(&batch);
	test_flags(&batch);
	test_forms(&batch);
	test_payloads(&batch);
	test_data(&batch);
	test_random(&batch);
	rlog_batch_fini(&batch);
	test_big_batch();
	test_strings();
	return tap_done();
}
