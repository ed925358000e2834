/* SPDX-License-Identifier: MIT */
/* Tests small files that claim large contents: the reader checks each number before it uses it. */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "format/codec.h"
#include "format/columns/pack.h"
#include "format/wire.h"
#include "tests/tap.h"
#include "tests/unit/format/format-sample.h"

/* What became of a forged log. */
struct outcome {
	int code; /* of open; then of the first chunk of events */
	size_t chunks;
	size_t damages;
	int damage_code; /* of the first damage */
	uint64_t offset; /* of the error, or of the first damage */
};

static struct outcome try_log(const struct sample_bytes *log)
{
	struct outcome out = { 0 };
	struct rlog_reader *reader = NULL;
	const struct rlog_chunk *chunks = NULL;
	const struct rlog_damage *damages = NULL;
	struct rlog_batch batch;
	struct rlog_error err = { 0 };

	out.code = rlog_reader_open_memory(&reader, log->bytes, log->size, &err);
	out.offset = err.offset;
	if (out.code) {
		return out;
	}
	damages = rlog_reader_borrow_damages(reader, &out.damages);
	if (out.damages) {
		out.damage_code = damages[0].code;
		out.offset = damages[0].offset;
	}
	chunks = rlog_reader_borrow_chunks(reader, &out.chunks);
	if (rlog_batch_init(&batch, 0)) {
		tap_bail("no memory");
	}
	for (size_t i = 0; i < out.chunks && !out.code; i++) {
		if (chunks[i].type == RLOG_CHUNK_EVENTS) {
			out.code = rlog_reader_decode_events(reader, &chunks[i], &batch, &err);
			out.offset = out.code ? err.offset : out.offset;
		}
	}
	rlog_batch_fini(&batch);
	rlog_reader_close(reader);
	return out;
}

static double seconds(void)
{
	struct timespec now;

	(void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/* One chunk of events behind a harmless one, with this payload and count. */
static struct outcome try_events(const void *payload, size_t bytes, uint32_t count)
{
	const struct rlog_chunk_header harmless = { .type = 200, .flags = RLOG_FLAG_STORED };
	const struct rlog_chunk_header header = {
		.type = RLOG_CHUNK_EVENTS,
		.stream = 1,
		.flags = RLOG_FLAG_STORED,
		.count = count,
	};
	struct sample_bytes log = { 0 };
	struct outcome out;

	sample_forge(&log, harmless, "x", 1);
	sample_forge(&log, header, payload, bytes);
	out = try_log(&log);
	sample_free(&log);
	return out;
}

/* Payloads of one event that are not what they should be. */
static const struct {
	const char *what;
	const char *bytes;
	size_t count;
	int code;
} payloads[] = {
	{ "nothing but an array's head", "\xDD\xFF\xFF\xFF\xFF", 5, RLOG_E_MSGPACK },
	{ "a map of 2^32-1 keys", "\xDF\xFF\xFF\xFF\xFF", 5, RLOG_E_MSGPACK },
	{ "a column of 2^32-1",
	  "\x82\xA1t\x01\xA2"
	  "dt\xDD\xFF\xFF\xFF\xFF",
	  12, RLOG_E_MSGPACK },
	{ "a column of 2 in a chunk of 1",
	  "\x82\xA1t\x01\xA2"
	  "dt\x92\x01\x02",
	  10, RLOG_E_SCHEMA },
	{ "a column of none", "\x82\xA1t\x01\xA2op\x90", 8, RLOG_E_SCHEMA },
	{ "a column of texts", "\x82\xA1t\x01\xA2op\x91\xA1x", 10, RLOG_E_SCHEMA },
	{ "a column that is a text", "\x82\xA1t\x01\xA2op\xA1x", 9, RLOG_E_SCHEMA },
	{ "op 256", "\x82\xA1t\x01\xA2op\xCD\x01\x00", 10, RLOG_E_SCHEMA },
	{ "a name of 2^32", "\x82\xA1t\x01\xA4name\xCF\0\0\0\1\0\0\0\0", 18, RLOG_E_SCHEMA },
	{ "a negative name", "\x82\xA1t\x01\xA4name\xFF", 10, RLOG_E_SCHEMA },
	{ "a negative name in an array", "\x82\xA1t\x01\xA4name\x91\xFF", 11, RLOG_E_SCHEMA },
	{ "a name of 2^32 in an array", "\x82\xA1t\x01\xA4name\x91\xCF\0\0\0\1\0\0\0\0", 19,
	  RLOG_E_SCHEMA },
	{ "a negative id, which has all 64 bits", "\x82\xA1t\x01\xA2id\xFF", 8, RLOG_E_SCHEMA },
	{ "a float that is no payload", "\x82\xA1t\x01\xA2id\xCA\0\0\0\0", 12, RLOG_E_SCHEMA },
	{ "the same column twice", "\x83\xA1t\x01\xA2op\x01\xA2op\x01", 12, RLOG_E_SCHEMA },
	{ "no t", "\x81\xA2op\x01", 5, RLOG_E_SCHEMA },
	{ "t as an array", "\x81\xA1t\x91\x01", 5, RLOG_E_SCHEMA },
	{ "a negative dt without the flag",
	  "\x82\xA1t\x09\xA2"
	  "dt\xFF",
	  8, RLOG_E_SCHEMA },
	{ "a sum of dt over 2^64",
	  "\x82\xA1t\x09\xA2"
	  "dt\xCF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF",
	  16, RLOG_E_SCHEMA },
	{ "a sparse row behind the last",
	  "\x82\xA1t\x01\xA5"
	  "color\x92\x91\x01\x91\x05",
	  15, RLOG_E_SCHEMA },
	{ "more gaps than rows",
	  "\x82\xA1t\x01\xA5"
	  "color\x92\x92\x00\x00\x92\x05\x05",
	  17, RLOG_E_SCHEMA },
	{ "fewer values than gaps",
	  "\x82\xA1t\x01\xA5"
	  "color\x92\x91\x00\x90",
	  14, RLOG_E_SCHEMA },
	{ "a third array",
	  "\x82\xA1t\x01\xA5"
	  "color\x93\x91\x00\x91\x05\x90",
	  16, RLOG_E_SCHEMA },
	{ "a key that is a number", "\x82\xA1t\x01\x05\x05", 6, RLOG_E_MSGPACK },
	{ "bytes behind the map", "\x81\xA1t\x01\xC0", 5, RLOG_E_MSGPACK },
	{ "an unknown key that lies", "\x82\xA1t\x01\xA1?\xDB\xFF\xFF\xFF\xFF", 11,
	  RLOG_E_MSGPACK },
	{ "a map that ends early", "\x83\xA1t\x01", 4, RLOG_E_MSGPACK },
};

static void test_payloads(void)
{
	for (size_t i = 0; i < sizeof(payloads) / sizeof(payloads[0]); i++) {
		const struct outcome got = try_events(payloads[i].bytes, payloads[i].count, 1);

		tap_ok(got.code == -payloads[i].code && got.offset == RLOG_HEADER_BYTES + 1,
		       "%s: refused as %s", payloads[i].what, rlog_error_name(payloads[i].code));
	}
}

/* What a reader must take although our writer does not make it. */
static void test_tolerance(void)
{
	static const char late_t[] = "\x84\xA2"
				     "dt\x92\x01\x02\xA1?\x91\x91\xC0\xA2op\x05\xA1t\x09";
	static const char dense_color[] = "\x84\xA1t\x01\xA5"
					  "color\x92\x00\x07\xA7payload\xCA\x3F\xC0\0\0\xA2"
					  "dt\x01";
	static const uint8_t start[] = { 0x82, 0xA1, 't', 0x01, 0xA1, '?' };
	uint8_t nested[24100];

	tap_is_int(try_events(late_t, sizeof(late_t) - 1, 2).code, 0,
	           "unknown keys and t behind dt are taken");
	tap_is_int(try_events(dense_color, sizeof(dense_color) - 1, 2).code, 0,
	           "dense attributes and a constant float are taken");
	tap_is_int(try_events("\x81\xA1t\x01", 4, 0).code, 0, "a chunk of no rows is taken");
	memcpy(nested, start, sizeof(start));
	memset(nested + sizeof(start), 0x91, sizeof(nested) - sizeof(start));
	tap_is_int(try_events(nested, sizeof(nested), 1).code, -RLOG_E_MSGPACK,
	           "24000 arrays in each other are refused");
}

/* Headers that break a limit; all have a good CRC. */
static void test_headers(void)
{
	static const struct {
		const char *what;
		struct rlog_chunk_header header;
	} cases[] = {
		{ "more than 1 MiB of payload", { .raw_bytes = RLOG_MAX_RAW_BYTES + 1 } },
		{ "more stored than a payload needs", { .raw_bytes = 4, .stored_bytes = 1029 } },
		{ "more rows than bytes", { .count = 5 } },
		{ "stored and raw that differ", { .flags = RLOG_FLAG_STORED, .raw_bytes = 5 } },
		{ "a sequence number that overflows", { .count = 2, .sequence = UINT64_MAX - 1 } },
		{ "a flag that is refused", { .flags = RLOG_FLAG_STORED | 0x40 } },
	};
	const struct rlog_chunk_header harmless = { .type = 200, .flags = RLOG_FLAG_STORED };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct sample_bytes log = { 0 };
		struct outcome got;

		sample_forge(&log, harmless, "\x81\xA1t\x01", 4);
		sample_forge(&log, cases[i].header, "\x81\xA1t\x01", 4);
		sample_forge(&log, harmless, "\x81\xA1t\x01", 4);
		got = try_log(&log);
		tap_ok(got.code == 0 && got.chunks == 2 && got.damages == 1 &&
		               got.damage_code == RLOG_E_HEADER && got.offset == 68,
		       "%s: that chunk is skipped", cases[i].what);
		sample_free(&log);
	}
}

/* `raw` as one zlib stream. */
static size_t compress(const void *raw, size_t raw_bytes, void *out, size_t capacity)
{
	struct rlog_codec_deflater *deflater = NULL;
	size_t stored = 0;

	if (rlog_codec_create_deflater(&deflater, 9)) {
		tap_bail("no memory");
	}
	stored = rlog_codec_deflate(deflater, raw, raw_bytes, out, capacity);
	rlog_codec_destroy_deflater(deflater);
	if (!stored) {
		tap_bail("cannot compress %zu bytes", raw_bytes);
	}
	return stored;
}

static void test_sizes(void)
{
	static const char raw[] = "\x82\xA1t\x01\xA2op\x01\xA1?\xDA\x00\x28"
				  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
	uint8_t stored[200];
	const size_t bytes = compress(raw, sizeof(raw) - 1, stored, sizeof(stored) - 1);
	const struct {
		const char *what;
		uint32_t raw;
		size_t stored;
		int code;
	} cases[] = {
		{ "less than is there", (uint32_t) sizeof(raw) - 2, bytes, RLOG_E_INFLATE },
		{ "more than is there", (uint32_t) sizeof(raw), bytes, RLOG_E_INFLATE },
		{ "much more than is there", RLOG_MAX_RAW_BYTES, bytes, RLOG_E_INFLATE },
		{ "a stream cut short", (uint32_t) sizeof(raw) - 1, bytes - 1, RLOG_E_INFLATE },
		{ "a byte behind the stream", (uint32_t) sizeof(raw) - 1, bytes + 1,
		  RLOG_E_INFLATE },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct rlog_chunk_header header = {
			.type = RLOG_CHUNK_EVENTS,
			.stream = 1,
			.count = 1,
			.raw_bytes = cases[i].raw,
		};
		struct sample_bytes log = { 0 };
		struct outcome got;

		sample_forge(&log, header, stored, cases[i].stored);
		got = try_log(&log);
		tap_ok(got.code == -cases[i].code && got.offset == 0, "a size of %s: refused as %s",
		       cases[i].what, rlog_error_name(cases[i].code));
		sample_free(&log);
	}
}

/* Compressed 1000:1, a MiB a chunk: more names than such a file can hold. */
static void test_names(void)
{
	const uint32_t rows = RLOG_MAX_RAW_BYTES - 16;
	uint8_t *const raw = malloc(RLOG_MAX_RAW_BYTES);
	uint8_t *const stored = malloc(RLOG_MAX_RAW_BYTES);
	struct sample_bytes log = { 0 };
	struct outcome got;
	size_t bytes = 0;

	if (!raw || !stored) {
		tap_bail("no memory");
	}
	raw[0] = 0x81;
	raw[1] = 0xA1;
	raw[2] = 's';
	raw[3] = 0xDD;
	for (int i = 0; i < 4; i++) {
		raw[4 + i] = (uint8_t) (rows >> (24 - 8 * i));
	}
	memset(raw + 8, 0xA0, rows);
	bytes = compress(raw, rows + 8, stored, RLOG_MAX_RAW_BYTES);
	for (uint32_t i = 0; i < 20; i++) {
		const struct rlog_chunk_header header = {
			.type = RLOG_CHUNK_STRINGS,
			.sequence = 1 + i * (uint64_t) rows,
			.count = rows,
			.raw_bytes = rows + 8,
		};

		sample_forge(&log, header, stored, bytes);
	}
	got = try_log(&log);
	tap_ok(got.code == 0 && got.chunks == 0 && got.damage_code == RLOG_E_SCHEMA,
	       "20 million names in %zu bytes: %zu chunks of 20 are taken", log.size, got.chunks);
	sample_free(&log);
	free(raw);
	free(stored);
}

static void test_numbers(void)
{
	struct sample_bytes log = { 0 };
	const struct rlog_chunk_header string = {
		.type = RLOG_CHUNK_STRINGS,
		.sequence = RLOG_MAX_STRINGS + UINT64_C(1),
		.count = 1,
		.flags = RLOG_FLAG_STORED,
	};
	const struct rlog_chunk_header def = {
		.type = RLOG_CHUNK_DEFS,
		.sequence = RLOG_MAX_DEFS,
		.count = 1,
		.flags = RLOG_FLAG_STORED,
	};
	const struct rlog_chunk_header misplaced = {
		.type = RLOG_CHUNK_CLOCK,
		.stream = 1,
		.flags = RLOG_FLAG_STORED,
	};
	struct outcome got;

	sample_forge(&log, string, "\x81\xA1s\x91\xA0", 5);
	got = try_log(&log);
	tap_ok(!got.code && got.damages == 1 && got.damage_code == RLOG_E_SCHEMA,
	       "a string id over its limit is refused");
	sample_free(&log);
	sample_forge(&log, def, "\x81\xA1?\x00", 4);
	got = try_log(&log);
	tap_ok(!got.code && got.damages == 1 && got.damage_code == RLOG_E_SCHEMA,
	       "a definition's ordinal over its limit is refused");
	sample_free(&log);
	sample_forge(&log, misplaced, "\x81\xA1?\x00", 4);
	got = try_log(&log);
	tap_ok(!got.code && got.damages == 1 && got.damage_code == RLOG_E_SCHEMA,
	       "a clock chunk in a stream is refused");
	sample_free(&log);
}

/* Headers without number, none of them with its payload: reading must stay linear. */
static void test_overlap(void)
{
	const size_t headers = 65536;
	const struct rlog_chunk_header header = {
		.type = RLOG_CHUNK_EVENTS,
		.stream = 1,
		.flags = RLOG_FLAG_STORED,
		.stored_bytes = RLOG_MAX_RAW_BYTES,
		.raw_bytes = RLOG_MAX_RAW_BYTES,
		.payload_crc = 1,
	};
	struct sample_bytes log = { 0 };
	struct outcome got;
	double start = 0;

	log.bytes = malloc(headers * (RLOG_HEADER_BYTES + 1));
	if (!log.bytes) {
		tap_bail("no memory");
	}
	for (size_t i = 0; i < headers; i++) {
		rlog_chunk_write_header(log.bytes + log.size, &header);
		/* Now and then a byte, so that no chunk ends where another begins. */
		log.size += RLOG_HEADER_BYTES + i % 2;
		log.bytes[log.size - 1] = i % 2 ? 0 : log.bytes[log.size - 1];
	}
	start = seconds();
	got = try_log(&log);
	start = seconds() - start;
	tap_ok(got.code == 0 && start < 2, "65536 headers that promise 1 MiB each: %.2f s", start);
	sample_free(&log);
}

static void test_empty_chunks(void)
{
	const size_t chunks = 300000;
	const struct rlog_chunk_header header = { .type = 200, .tag = SAMPLE_TAG };
	struct sample_bytes log = { .bytes = malloc(chunks * RLOG_HEADER_BYTES) };
	struct outcome got;
	double start = 0;

	if (!log.bytes) {
		tap_bail("no memory");
	}
	for (size_t i = 0; i < chunks; i++, log.size += RLOG_HEADER_BYTES) {
		rlog_chunk_write_header(log.bytes + log.size, &header);
	}
	start = seconds();
	got = try_log(&log);
	start = seconds() - start;
	tap_ok(got.code == 0 && got.chunks == chunks && start < 2, "300000 empty chunks: %.2f s",
	       start);
	sample_free(&log);
}

int main(void)
{
	struct rusage usage;

	test_payloads();
	test_tolerance();
	test_headers();
	test_sizes();
	test_numbers();
	test_overlap();
	test_empty_chunks();
	test_names();
	if (sample_stride() == 1) {
		(void) getrusage(RUSAGE_SELF, &usage);
		tap_ok(usage.ru_maxrss < 512L * 1024, "all that in %ld MiB",
		       usage.ru_maxrss / 1024);
	} else {
		tap_skip("all that in 512 MiB", "a sanitizer takes its own");
	}
	return tap_done();
}
