/* SPDX-License-Identifier: MIT */
/* Writes and reads the log that is embedded in a trace in JSON, which was made from it. */
#include "config.h"

#include "analyzer/read-json/json-log.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/read-json/kineto-json.h"
#include "analyzer/rows/kineto-number.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/base/util.h"
#include "format/codec.h"

/* How a text begins that may have the key; and the key, with the text that comes before it. */
static const char head[] = "{\"schemaVersion\":1,";
static const char marker[] = "\n\"libranges\":{";

#define MARKER_BYTES (sizeof(marker) - 1)

/* Each line of base64 has so many bytes of the log, because some readers reject lines of
 * megabytes. */
#define LINE_BYTES 3060u

/* After so many bytes of the file were read, their memory is freed. */
#define STRETCH_BYTES ((uint64_t) 1 << 22)

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* ---- writing ---- */

/* Encodes as base64: three bytes become four characters; '=' is written for each byte that the last
 * three lack. */
static char *encode(char *place, const uint8_t *bytes, size_t count)
{
	for (size_t i = 0; i < count; i += 3) {
		const size_t left = count - i;
		const uint32_t word = (uint32_t) bytes[i] << 16 |
		                      (left > 1 ? (uint32_t) bytes[i + 1] << 8 : 0) |
		                      (left > 2 ? bytes[i + 2] : 0);

		*place++ = digits[word >> 18];
		*place++ = digits[word >> 12 & 63];
		*place++ = left > 1 ? digits[word >> 6 & 63] : '=';
		*place++ = left > 2 ? digits[word & 63] : '=';
	}
	return place;
}

_Static_assert(LINE_BYTES % 3 == 0 && LINE_BYTES / 3 * 4 + 8 <= RA_OUTBUF_RESERVE_BYTES,
               "a line is whole, and fits what can be reserved");

void ra_json_log_put(struct ra_outbuf *out, const struct rlog_reader *reader)
{
	const uint8_t *bytes = rlog_reader_borrow_bytes(reader);
	const uint64_t size = rlog_reader_size_bytes(reader);
	uint64_t kept = 0;
	uint32_t crc;

	ra_outbuf_put(out, ",", 1);
	crc = rlog_codec_crc_add(out->crc, out->bytes, out->used);
	ra_outbuf_printf(out, "%s\"version\":\"%s\",\"text_crc32\":%" PRIu32 ",\"log\":[", marker,
	                 PACKAGE_VERSION, crc);
	for (uint64_t at = 0; at < size; at += LINE_BYTES) {
		const size_t count = size - at < LINE_BYTES ? (size_t) (size - at) : LINE_BYTES;
		char *place = ra_outbuf_reserve(out, RA_OUTBUF_RESERVE_BYTES);

		place = ra_outbuf_copy(place, at == 0 ? "\n\"" : ",\n\"", at == 0 ? 2 : 3);
		place = encode(place, bytes + at, count);
		*place++ = '"';
		ra_outbuf_commit(out, place);
		if (at - kept >= STRETCH_BYTES) {
			rlog_reader_drop_pages(reader, kept, at);
			kept = at;
		}
	}
	ra_outbuf_text(out, "]}");
}

/* ---- finding ---- */

/* Goes on with a key that was cut at the end of the previous bytes. Return: how many bytes were
 * handled. */
static size_t continue_match(struct ra_json_log_watch *watch, const char *bytes, size_t count)
{
	const size_t left = MARKER_BYTES - watch->matched;
	const size_t part = count < left ? count : left;

	if (memcmp(bytes, marker + watch->matched, part) == 0) {
		watch->matched += (uint8_t) part;
		watch->is_found = watch->matched == MARKER_BYTES;
		return part;
	}
	/* The text was not the key. No other key can begin inside it, except at its first
	 * character. */
	watch->crc = rlog_codec_crc_add(watch->crc, marker, watch->matched);
	watch->matched = 0;
	return 0;
}

void ra_json_log_watch(struct ra_json_log_watch *watch, const char *bytes, size_t count)
{
	size_t from = 0;

	if (!watch->has_begun && count > 0) {
		watch->has_begun = true;
		watch->is_ours = memcmp(bytes, head,
		                        count < sizeof(head) - 1 ? count : sizeof(head) - 1) == 0;
	}
	while (watch->is_ours && !watch->is_found && from < count) {
		const char *line;
		size_t part;

		if (watch->matched > 0) {
			from += continue_match(watch, bytes + from, count - from);
			continue;
		}
		line = bytes + from;
		do {
			line = memchr(line, '\n', (size_t) (bytes + count - line));
			part = line != NULL ? (size_t) (bytes + count - line) : 0;
			part = part < MARKER_BYTES ? part : MARKER_BYTES;
		} while (line != NULL && memcmp(line, marker, part) != 0 && ++line < bytes + count);
		if (line == NULL || line == bytes + count) {
			line = bytes + count;
			part = 0;
		}
		watch->crc = rlog_codec_crc_add(watch->crc, bytes + from,
		                                (size_t) (line - bytes) - from);
		from = (size_t) (line - bytes) + part;
		watch->matched = (uint8_t) part;
		watch->is_found = part == MARKER_BYTES;
	}
}

/* ---- reading ---- */

/* State of reading the value of the key again. */
struct reading {
	int depth;
	enum {
		OTHER,
		CRC,
		LOG
	} key;
	int64_t crc;    /* -1: the value has no CRC */
	uint8_t *bytes; /* owned */
	size_t count;
	size_t capacity;
	bool has_log;
	bool is_damaged;
};

static void take_open(void *context, bool is_object)
{
	struct reading *reading = context;

	reading->depth++;
	reading->has_log |= !is_object && reading->depth == 2 && reading->key == LOG;
}

static void take_close(void *context, bool is_object)
{
	(void) is_object;
	((struct reading *) context)->depth--;
}

static void take_key(void *context, const char *text, size_t length, unsigned number)
{
	struct reading *reading = context;

	(void) number;
	reading->key = OTHER;
	if (reading->depth == 1 && length == 10 && memcmp(text, "text_crc32", 10) == 0) {
		reading->key = CRC;
	} else if (reading->depth == 1 && length == 3 && memcmp(text, "log", 3) == 0) {
		reading->key = LOG;
	}
}

#define NO_DIGIT UINT8_MAX

static void decode_four(struct reading *reading, const char *text, const uint8_t *values)
{
	uint32_t word = 0;
	int padding = 0;

	for (int i = 0; i < 4; i++) {
		const uint8_t value = values[(unsigned char) text[i]];
		const bool is_padding = text[i] == '=' && i >= 2;

		padding += is_padding;
		if (is_padding ? text[3] != '=' : value == NO_DIGIT) {
			reading->is_damaged = true;
			return;
		}
		word = word << 6 | (value == NO_DIGIT ? 0u : value);
	}
	for (int i = 0; i < 3 - padding; i++) {
		reading->bytes[reading->count++] = (uint8_t) (word >> (16 - 8 * i));
	}
}

static void take_line(struct reading *reading, const char *text, size_t length)
{
	uint8_t values[256];

	if (length % 4 != 0) {
		reading->is_damaged = true;
		return;
	}
	ra_util_grow(&reading->bytes, &reading->capacity, reading->count + length / 4 * 3 + 1, 1);
	memset(values, NO_DIGIT, sizeof(values));
	for (uint8_t i = 0; i < 64; i++) {
		values[(unsigned char) digits[i]] = i;
	}
	for (size_t i = 0; i < length && !reading->is_damaged; i += 4) {
		decode_four(reading, text + i, values);
	}
}

static void take_value(void *context, enum ra_json_type type, const char *text, size_t length)
{
	struct reading *reading = context;
	struct ra_kineto_number number;

	if (reading->depth == 1 && reading->key == CRC && type == RA_JSON_NUMBER &&
	    ra_kineto_number_parse(text, length, &number) && number.scale == 0) {
		reading->crc = number.digits;
	} else if (reading->depth == 2 && reading->key == LOG && type == RA_JSON_STRING) {
		take_line(reading, text, length);
	}
}

static void read_key(struct reading *reading, const struct rlog_string *json)
{
	static const struct ra_json_handler handler = {
		.open = take_open,
		.close = take_close,
		.key = take_key,
		.value = take_value,
	};
	struct ra_json parser = { .handler = &handler, .context = reading };
	struct ra_kineto_input *input = ra_kineto_input_open_memory(json->bytes, json->length);

	ra_kineto_json_read(&parser, input);
	ra_kineto_input_close(input);
}

/* Opens the log. The reader gets the bytes as from a pipe, so it copies them. */
static enum ra_json_log_state open_log(struct rlog_reader **out, const struct reading *reading)
{
	const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	enum ra_json_log_state state = RA_JSON_LOG_DAMAGED;

	if (fd >= 0) {
		if (rlog_reader_open_pipe(out, fd, reading->bytes, reading->count, NULL) == 0) {
			state = RA_JSON_LOG_THERE;
		}
		close(fd);
	}
	return state;
}

enum ra_json_log_state ra_json_log_open(struct rlog_reader **out, const struct ra_kineto *kineto,
                                        const struct ra_json_log_watch *watch)
{
	enum ra_json_log_state state = RA_JSON_LOG_NONE;
	struct reading reading = { .crc = -1 };
	struct rlog_string json = { 0 };

	for (size_t i = 0; i < kineto->fact_count; i++) {
		if (ra_kineto_is_text(kineto, kineto->facts[i].key, "libranges")) {
			json = ra_kineto_string(kineto, kineto->facts[i].json);
		}
	}
	if (json.bytes != NULL) {
		read_key(&reading, &json);
	}
	if (reading.has_log) {
		if (!watch->is_found || reading.crc != watch->crc) {
			state = RA_JSON_LOG_CHANGED;
		} else if (reading.is_damaged || kineto->stop->code != 0) {
			state = RA_JSON_LOG_DAMAGED;
		} else {
			state = open_log(out, &reading);
		}
	}
	free(reading.bytes);
	return state;
}
