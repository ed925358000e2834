/* SPDX-License-Identifier: MIT */
/* Makes the sample log, and compares the data read from it with the data written. */
#include "tests/unit/format/format-sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/codec.h"
#include "format/wire.h"
#include "tests/tap.h"

/* Strings 1 … STRINGS are put in two parts. */
#define STRINGS     24u
#define STRING_SIZE 64

int sample_open_memory(void)
{
	const int fd = memfd_create("sample", MFD_CLOEXEC);

	if (fd < 0) {
		tap_bail("memfd_create failed");
	}
	return fd;
}

struct sample_bytes sample_read_file(int fd)
{
	struct sample_bytes out = { 0 };
	struct stat status;

	if (fstat(fd, &status) != 0) {
		tap_bail("fstat failed");
	}
	out.size = (size_t) status.st_size;
	out.bytes = malloc(out.size + 1);
	if (!out.bytes || pread(fd, out.bytes, out.size, 0) != (ssize_t) out.size) {
		tap_bail("cannot read a file of %zu bytes", out.size);
	}
	return out;
}

void sample_free(struct sample_bytes *bytes)
{
	free(bytes->bytes);
	*bytes = (struct sample_bytes){ 0 };
}

uint64_t sample_random(uint64_t *state)
{
	/* xorshift64 */
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

struct rlog_writer *sample_create(int fd, int level)
{
	const struct rlog_writer_options options = {
		.tag = SAMPLE_TAG,
		.level = level,
		.checkpoint_bytes = 4096,
	};
	struct rlog_writer *writer = NULL;
	struct rlog_error err;

	if (rlog_writer_create(&writer, fd, &options, &err)) {
		tap_bail("rlog_writer_create: %s", err.message);
	}
	return writer;
}

/* Text of string `id`: of any length, some no UTF-8. */
static struct rlog_string make_string(uint32_t id, char buffer[STRING_SIZE])
{
	const int length = snprintf(buffer, STRING_SIZE, "string %u %.*s", id, (int) (id % 40),
	                            "abcdefghijklmnopqrstuvwxyz0123456789abcdefghij");

	if (id % 7 == 0) {
		buffer[0] = '\xFF';
	}
	return (struct rlog_string){
		.bytes = buffer,
		.length = (uint32_t) length,
		.full_length = id % 5 == 0 ? 70000 + id : (uint32_t) length,
	};
}

static struct rlog_def make_def(uint32_t ordinal)
{
	return (struct rlog_def){
		.kind = 1 + ordinal % 4,
		.id = ordinal * UINT64_C(1000003),
		.parent = ordinal % 3,
		.string = ordinal % STRINGS,
		.value = ordinal % 2 ? UINT64_MAX - ordinal : ordinal,
	};
}

static struct rlog_clock_point make_clock(uint32_t round)
{
	return (struct rlog_clock_point){
		.ticks = 1000000 + round * UINT64_C(50000000),
		.mono_ns = 77000000000 + round * UINT64_C(20000000),
		.real_ns = UINT64_C(1700000000000000000) + round * UINT64_C(20000000),
		.boot_ns = 78000000000 + round * UINT64_C(20000000),
		.err_ns = 30 + round,
	};
}

static struct rlog_loss make_loss(uint32_t stream, uint32_t round)
{
	return (struct rlog_loss){
		.stream = stream,
		.cause = RLOG_CAUSE_RING_FULL,
		.count = 10 * (round + UINT64_C(1)) + stream,
	};
}

/* Attributes of one row of op push or mark. */
static void add_attrs(struct rlog_batch *batch, uint32_t row, uint64_t random)
{
	static const uint64_t bits[] = {
		UINT64_C(0x400921FB54442D18), /* pi */
		UINT64_C(0x7FF8000000001234), /* a NaN with a payload */
		UINT64_C(0x3FF8000000000000), /* 1.5, also a float */
		UINT64_C(0x8000000000000000), /* -0.0 */
	};

	if (random % 3 == 0) {
		rlog_batch_add_attr(batch, RLOG_ATTR_CATEGORY, row, 1 + random % 1000);
	}
	if (random % 2 == 0) {
		rlog_batch_add_attr(batch, RLOG_ATTR_COLOR, row, 0xFF000000u | (random >> 40));
	}
	switch (random >> 8 & 7) {
	case 0:
		rlog_batch_add_attr(batch, RLOG_ATTR_PTYPE, row, RLOG_PAYLOAD_I64);
		rlog_batch_add_attr(batch, RLOG_ATTR_PAYLOAD, row,
		                    (uint64_t) INT64_MIN >> (random & 63));
		break;
	case 1:
		rlog_batch_add_attr(batch, RLOG_ATTR_PTYPE, row, RLOG_PAYLOAD_DOUBLE);
		rlog_batch_add_attr(batch, RLOG_ATTR_PAYLOAD, row, bits[random >> 16 & 3]);
		break;
	case 2:
		rlog_batch_add_attr(batch, RLOG_ATTR_PTYPE, row, RLOG_PAYLOAD_U64);
		rlog_batch_add_attr(batch, RLOG_ATTR_PAYLOAD, row,
		                    UINT64_MAX >> (random >> 16 & 63));
		break;
	default:
		break;
	}
}

static void fill_batch(struct rlog_batch *batch, uint32_t stream, uint32_t round)
{
	/* The second half of the strings comes in round 1. */
	const uint64_t names = round ? STRINGS : STRINGS / 2;
	uint64_t state = 1 + stream * UINT64_C(7919) + round * UINT64_C(104729);
	uint64_t ticks = 1000000 + round * UINT64_C(50000000);

	if (rlog_batch_init(batch, SAMPLE_ROWS)) {
		tap_bail("no memory");
	}
	batch->stream = stream;
	batch->sequence = round * (uint64_t) SAMPLE_ROWS;
	batch->flags = round + 1 == SAMPLE_ROUNDS ? RLOG_FLAG_LAST : 0;
	for (uint32_t row = 0; row < SAMPLE_ROWS; row++) {
		const uint64_t random = sample_random(&state);
		const uint8_t op = (uint8_t) (stream == 1 ? 1 + row % 2 : 1 + random % 7);
		const bool has_name =
			op == RLOG_OP_PUSH || op == RLOG_OP_START || op == RLOG_OP_MARK;
		const bool has_id = op == RLOG_OP_START || op == RLOG_OP_END;

		ticks += random % (UINT64_C(1) << (random >> 32) % 20);
		ticks -= stream == 3 && random % 16 == 0 ? 1000 : 0;
		rlog_batch_append(batch, ticks, op, has_name ? (uint32_t) (1 + random % names) : 0,
		                  stream == 2 ? (uint32_t) (random % 3) : 0,
		                  has_id ? 1 + (random >> 20) % 8 : 0);
		if (has_name && stream != 1) {
			add_attrs(batch, row, random);
		}
		if (op == RLOG_OP_LOSS) {
			rlog_batch_add_attr(batch, RLOG_ATTR_LOST, row, 1 + random % 100);
			rlog_batch_add_attr(batch, RLOG_ATTR_CAUSE, row, RLOG_CAUSE_RING_FULL);
			rlog_batch_add_attr(batch, RLOG_ATTR_SPAN, row, random % 100000);
		}
		if (op == RLOG_OP_DEPTH) {
			rlog_batch_add_attr(batch, RLOG_ATTR_DEPTH, row, 1 + random % 9);
			rlog_batch_add_attr(batch, RLOG_ATTR_MIN_DEPTH, row, random % 2);
		}
	}
}

const struct rlog_batch *sample_batch(uint32_t stream, uint32_t round)
{
	static struct rlog_batch batches[SAMPLE_STREAMS][SAMPLE_ROUNDS];
	struct rlog_batch *const batch = &batches[stream - 1][round];

	if (batch->count == 0) {
		fill_batch(batch, stream, round);
	}
	return batch;
}

static int put_strings(struct rlog_writer *writer, uint32_t first, uint32_t count,
                       struct rlog_error *err)
{
	char buffers[STRINGS][STRING_SIZE];
	struct rlog_string strings[STRINGS];

	for (uint32_t i = 0; i < count; i++) {
		strings[i] = make_string(first + i, buffers[i]);
	}
	return rlog_writer_put_strings(writer, first, strings, count, err);
}

static int put_capture(struct rlog_writer *writer, struct rlog_error *err)
{
	const struct rlog_string texts[] = {
		{ .bytes = "./app", .length = 5 },
		{ .bytes = "--name=\xC3\xA9", .length = 9 },
		{ .bytes = "\xFE", .length = 1 },
	};
	const struct rlog_fact facts[] = {
		{ .key = "argv", .type = RLOG_FACT_TEXTS, .texts = texts, .text_count = 3 },
		{ .key = "host", .type = RLOG_FACT_TEXT, .texts = texts, .text_count = 1 },
		{ .key = "pid", .type = RLOG_FACT_U64, .u64 = 4711 },
		{ .key = "rank", .type = RLOG_FACT_I64, .i64 = -1 },
		{ .key = "crash_safe", .type = RLOG_FACT_BOOL, .u64 = 1 },
	};

	return rlog_writer_put_capture(writer, facts, sizeof(facts) / sizeof(facts[0]), err);
}

static int put_events(struct rlog_writer *writer, uint32_t stream, uint32_t round,
                      struct rlog_error *err)
{
	const struct rlog_batch *const batch = sample_batch(stream, round);

	return rlog_writer_next_event(writer, stream) <= batch->sequence
	               ? rlog_writer_put_events(writer, batch, stream, err)
	               : 0;
}

static int put_defs(struct rlog_writer *writer, uint32_t round, struct rlog_error *err)
{
	const struct rlog_def defs[] = { make_def(2 * round), make_def(2 * round + 1) };

	return rlog_writer_put_defs(writer, UINT64_C(2) * round, defs, 2, err);
}

int sample_step(struct rlog_writer *writer, uint32_t step, struct rlog_error *err)
{
	const uint32_t round = (step - 2) / SAMPLE_ROUND_STEPS;
	const uint32_t part = (step - 2) % SAMPLE_ROUND_STEPS;
	struct rlog_clock_point clock;
	struct rlog_loss loss;

	if (step == 0) {
		return rlog_writer_size_bytes(writer) == 0 ? put_capture(writer, err) : 0;
	}
	if (step == 1) {
		return put_strings(writer, 1, STRINGS / 2, err);
	}
	switch (part) {
	case 0:
		clock = make_clock(round);
		return rlog_writer_put_clock(writer, &clock, 1, err);
	case 1:
		return put_defs(writer, round, err);
	case 2:
		return round == 1 ? put_strings(writer, 1 + STRINGS / 2, STRINGS - STRINGS / 2, err)
		                  : 0;
	case 3:
	case 4:
	case 5:
		return put_events(writer, part - 2, round, err);
	case 6:
	case 7:
	case 8:
		loss = make_loss(part - 5, round);
		return rlog_writer_put_losses(writer, &loss, 1, err);
	default:
		return rlog_writer_checkpoint(writer, err);
	}
}

int sample_write(struct rlog_writer *writer, uint32_t rounds, struct rlog_error *err)
{
	int code = 0;

	for (uint32_t step = 0; step < SAMPLE_STEPS(rounds) && !code; step++) {
		code = sample_step(writer, step, err);
	}
	return code;
}

struct sample_bytes sample_make(int level)
{
	const int fd = sample_open_memory();
	struct rlog_writer *const writer = sample_create(fd, level);
	struct sample_bytes out;
	struct rlog_error err;

	if (sample_write(writer, SAMPLE_ROUNDS, &err) ||
	    rlog_writer_finish(writer, "clean", 6, &err)) {
		tap_bail("cannot write the sample: %s", err.message);
	}
	rlog_writer_destroy(writer);
	out = sample_read_file(fd);
	(void) close(fd);
	return out;
}

/* Pairs without those of value 0, which mean the same as none. */
static bool same_attr(const struct rlog_attr_column *a, const struct rlog_attr_column *b)
{
	size_t i = 0;
	size_t k = 0;

	for (;;) {
		while (i < a->count && a->value[i] == 0) {
			i++;
		}
		while (k < b->count && b->value[k] == 0) {
			k++;
		}
		if (i == a->count || k == b->count) {
			return i == a->count && k == b->count;
		}
		if (a->row[i] != b->row[k] || a->value[i] != b->value[k]) {
			return false;
		}
		i++;
		k++;
	}
}

static bool same_data(const struct rlog_data_column *a, const struct rlog_data_column *b)
{
	bool same = a->count == b->count;

	for (size_t i = 0; i < a->count && same; i++) {
		const uint32_t bytes = a->from[i + 1] - a->from[i];

		same = a->row[i] == b->row[i] && bytes == b->from[i + 1] - b->from[i] &&
		       (bytes == 0 ||
		        memcmp(a->bytes + a->from[i], b->bytes + b->from[i], bytes) == 0);
	}
	return same;
}

bool sample_same_batch(const struct rlog_batch *a, const struct rlog_batch *b)
{
	bool same = a->count == b->count && a->stream == b->stream && a->sequence == b->sequence;

	for (size_t i = 0; i < a->count && same; i++) {
		same = a->ticks[i] == b->ticks[i] && a->op[i] == b->op[i] &&
		       a->name[i] == b->name[i] && a->domain[i] == b->domain[i] &&
		       a->id[i] == b->id[i];
	}
	for (size_t i = 0; i < RLOG_ATTRS && same; i++) {
		same = same_attr(&a->attr[i], &b->attr[i]);
	}
	return same && same_data(&a->data, &b->data);
}

static const char *find_event_lie(const struct rlog_reader *reader, uint64_t *events)
{
	const struct rlog_chunk *chunks = NULL;
	const char *lie = NULL;
	struct rlog_batch got;
	size_t count = 0;

	*events = 0;
	chunks = rlog_reader_borrow_chunks(reader, &count);
	if (rlog_batch_init(&got, 1)) {
		tap_bail("no memory");
	}
	for (size_t i = 0; i < count && !lie; i++) {
		struct rlog_error err;

		if (chunks[i].type != RLOG_CHUNK_EVENTS) {
			continue;
		}
		if (chunks[i].stream > SAMPLE_STREAMS || chunks[i].sequence % SAMPLE_ROWS ||
		    chunks[i].sequence >= SAMPLE_STREAM_EVENTS) {
			lie = "a chunk of events that was not written";
		} else if (rlog_reader_decode_events(reader, &chunks[i], &got, &err)) {
			lie = "a good chunk that cannot be decoded";
		} else {
			const uint32_t round = (uint32_t) (chunks[i].sequence / SAMPLE_ROWS);

			lie = sample_same_batch(&got, sample_batch(chunks[i].stream, round))
			              ? NULL
			              : "wrong events";
			*events += got.count;
		}
	}
	rlog_batch_fini(&got);
	return lie;
}

static const char *find_string_lie(const struct rlog_reader *reader)
{
	size_t count = 0;
	const struct rlog_string *const strings = rlog_reader_borrow_strings(reader, &count);

	if (count > STRINGS + 1) {
		return "too many strings";
	}
	for (uint32_t id = 1; id < count; id++) {
		char buffer[STRING_SIZE];
		const struct rlog_string wanted = make_string(id, buffer);

		if (strings[id].bytes &&
		    (strings[id].length != wanted.length ||
		     strings[id].full_length != wanted.full_length ||
		     memcmp(strings[id].bytes, wanted.bytes, wanted.length) != 0)) {
			return "a wrong string";
		}
	}
	return NULL;
}

/* Each definition read is the next one written, or one of those behind it. */
static const char *find_def_lie(const struct rlog_reader *reader)
{
	size_t count = 0;
	const struct rlog_def *const defs = rlog_reader_borrow_defs(reader, &count);
	uint32_t ordinal = 0;

	for (size_t i = 0; i < count; i++, ordinal++) {
		for (;; ordinal++) {
			const struct rlog_def wanted = make_def(ordinal);

			if (ordinal >= 2 * SAMPLE_ROUNDS) {
				return "a wrong definition";
			}
			if (defs[i].kind == wanted.kind && defs[i].id == wanted.id &&
			    defs[i].parent == wanted.parent && defs[i].string == wanted.string &&
			    defs[i].value == wanted.value) {
				break;
			}
		}
	}
	return NULL;
}

static const char *find_other_lie(const struct rlog_reader *reader)
{
	size_t count = 0;
	const struct rlog_clock_point *const clock = rlog_reader_borrow_clock(reader, &count);
	const struct rlog_fact *const pid = rlog_reader_find_capture(reader, "pid");
	const struct rlog_loss *losses = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct rlog_clock_point wanted =
			make_clock((uint32_t) ((clock[i].ticks - 1000000) / 50000000));

		if (memcmp(&clock[i], &wanted, sizeof(wanted)) != 0) {
			return "a wrong clock point";
		}
	}
	losses = rlog_reader_borrow_losses(reader, &count);
	for (size_t i = 0; i < count; i++) {
		const uint64_t round = (losses[i].count - losses[i].stream) / 10 - 1;
		const struct rlog_loss wanted = make_loss(losses[i].stream, (uint32_t) round);

		if (losses[i].stream > SAMPLE_STREAMS || round >= SAMPLE_ROUNDS ||
		    losses[i].cause != wanted.cause || losses[i].count != wanted.count) {
			return "a wrong loss";
		}
	}
	return pid && pid->u64 != 4711 ? "a wrong fact" : NULL;
}

const char *sample_find_lie(const struct rlog_reader *reader, uint64_t *events)
{
	const char *lie = find_event_lie(reader, events);

	lie = lie ? lie : find_string_lie(reader);
	lie = lie ? lie : find_def_lie(reader);
	return lie ? lie : find_other_lie(reader);
}

void sample_forge(struct sample_bytes *log, struct rlog_chunk_header header, const void *payload,
                  size_t bytes)
{
	void *const grown = realloc(log->bytes, log->size + RLOG_HEADER_BYTES + bytes);

	if (!grown) {
		tap_bail("no memory");
	}
	log->bytes = grown;
	header.tag = header.tag ? header.tag : SAMPLE_TAG;
	header.stored_bytes = header.stored_bytes ? header.stored_bytes : (uint32_t) bytes;
	header.raw_bytes = header.raw_bytes ? header.raw_bytes : (uint32_t) bytes;
	header.payload_crc =
		header.payload_crc ? header.payload_crc : rlog_codec_crc(payload, bytes);
	rlog_chunk_write_header(log->bytes + log->size, &header);
	memcpy(log->bytes + log->size + RLOG_HEADER_BYTES, payload, bytes);
	log->size += RLOG_HEADER_BYTES + bytes;
}

size_t sample_stride(void)
{
#if SAMPLE_SANITIZED
	return 11;
#else
	return getenv("UNDER") ? 199 : 1; /* NOLINT(concurrency-mt-unsafe): one thread. Set by make
	                                     check-valgrind */
#endif
}
