/* SPDX-License-Identifier: MIT */
/* Reads the bytes of a JSON file. Unpacks them if they are gzip. */
#include "analyzer/read-json/kineto-input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/side/pool.h"
#include "analyzer/read-json/json-log.h"
#include "analyzer/read-json/kineto-ahead.h"
#include "format/codec.h"
#include "format/wire.h"

#define PACKED_BYTES ((size_t) 1 << 16)
/* these bytes follow the data of a gzip member: its CRC-32 and its length */
#define TRAILER_BYTES 8u

/* Deflate packs JSON of traces 10 to 40 times, and any data at most 1032 times. A file that unpacks
 * to more than this ratio was made to fill memory. */
#define MAX_RATIO        200
#define SUSPICIOUS_BYTES (UINT64_C(16) << 20)

struct ra_kineto_input {
	int fd;                /* owned; -1: the input is in memory */
	const uint8_t *memory; /* borrowed; its bytes are read before those of fd */
	size_t memory_left;
	uint8_t *head; /* owned: for a pipe, the bytes to which `memory` points */
	uint64_t size;
	uint64_t taken; /* number of bytes of the file that were read */
	uint64_t done;  /* number of these that were needed for the requested bytes */
	uint64_t unpacked;
	z_stream stream; /* if is_gzip, has memory of zlib's that must be freed */
	bool is_gzip;
	bool in_member; /* a gzip member has begun and not ended */
	/* owned: packed bytes, put after the last packed bytes that were read before */
	uint8_t *packed;
	size_t packed_count;
	uint32_t crc; /* CRC and number of the member's unpacked bytes so far */
	uint32_t member_bytes;
	const char *damage; /* fault at the end of the member; NULL: none known */
	uint8_t first[16];  /* the first unpacked bytes */
	size_t first_count;
	struct ra_json_log_watch watch;
	/* owned; unpacks in another thread. Then its tasks use all members above but done, first
	 * and watch. NULL: the reader itself unpacks */
	struct ra_kineto_ahead *ahead;
	/* the file is so large that `ahead` was made, unless no thread could be started */
	bool is_large;
};

static bool is_space(uint8_t byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

enum ra_kineto_form ra_kineto_input_detect(const void *bytes, size_t size)
{
	const uint8_t *at = bytes;
	const uint8_t *end = at + size;

	if (size >= 3 && at[0] == 0x1F && at[1] == 0x8B && at[2] == 8) {
		return RA_KINETO_FORM_GZIP;
	}
	if (size >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0) {
		at += 3;
	}
	while (at < end && is_space(*at)) {
		at++;
	}
	if (at == end) {
		return size > 0 ? RA_KINETO_FORM_JSON : RA_KINETO_FORM_NONE;
	}
	return *at == '{' || *at == '[' ? RA_KINETO_FORM_JSON : RA_KINETO_FORM_NONE;
}

void ra_kineto_input_close(struct ra_kineto_input *input)
{
	if (input == NULL) {
		return;
	}
	ra_kineto_ahead_destroy(input->ahead);
	if (input->is_gzip) {
		inflateEnd(&input->stream);
	}
	if (input->fd >= 0) {
		close(input->fd);
	}
	free(input->packed);
	free(input->head);
	free(input);
}

/* Reads bytes of the file without unpacking. Return: 0, -RLOG_E_SYSTEM. */
static int read_raw(struct ra_kineto_input *input, void *buffer, size_t size, size_t *count)
{
	ssize_t got = 0;

	if (input->fd < 0 || input->memory_left > 0) {
		*count = size < input->memory_left ? size : input->memory_left;
		memcpy(buffer, input->memory, *count);
		input->memory += *count;
		input->memory_left -= *count;
	} else {
		do {
			got = read(input->fd, buffer, size);
		} while (got < 0 && errno == EINTR);
		if (got < 0) {
			return -RLOG_E_SYSTEM;
		}
		*count = (size_t) got;
	}
	input->taken += *count;
	return 0;
}

static void start_gzip(struct ra_kineto_input *input)
{
	input->packed = ra_alloc_zeros(1, TRAILER_BYTES + PACKED_BYTES);
	/* Adding 16 to the window's 15 bits asks for a gzip header. */
	if (inflateInit2(&input->stream, 15 + 16) != Z_OK) {
		ra_alloc_end();
	}
	/* Switches off zlib's checksum, which takes as long as unpacking. check_member() uses a
	 * faster one. */
	inflateValidate(&input->stream, 0);
	input->is_gzip = true;
	input->in_member = true;
}

struct ra_kineto_input *ra_kineto_input_open_memory(const void *bytes, size_t size)
{
	struct ra_kineto_input *input = ra_alloc_zeros(1, sizeof(*input));

	input->fd = -1;
	input->memory = bytes;
	input->memory_left = size;
	input->size = size;
	if (ra_kineto_input_detect(bytes, size) == RA_KINETO_FORM_GZIP) {
		start_gzip(input);
	}
	return input;
}

struct ra_kineto_input *ra_kineto_input_open_pipe(int fd, const void *head, size_t size)
{
	struct ra_kineto_input *input = ra_alloc_zeros(1, sizeof(*input));

	input->fd = fd;
	input->head = ra_alloc_bytes(size + 1);
	memcpy(input->head, head, size);
	input->memory = input->head;
	input->memory_left = size;
	if (ra_kineto_input_detect(head, size) == RA_KINETO_FORM_GZIP) {
		start_gzip(input);
	}
	return input;
}

int ra_kineto_input_open(struct ra_kineto_input **out, const char *path, struct rlog_error *err)
{
	struct ra_kineto_input *input = ra_alloc_zeros(1, sizeof(*input));
	uint8_t head[3] = { 0 };
	struct stat status = { 0 };

	input->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (input->fd < 0 || fstat(input->fd, &status) != 0) {
		const int rc = rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "open");

		ra_kineto_input_close(input);
		return rc;
	}
	input->size = (uint64_t) status.st_size;
	if (pread(input->fd, head, sizeof(head), 0) == sizeof(head) &&
	    ra_kineto_input_detect(head, sizeof(head)) == RA_KINETO_FORM_GZIP) {
		start_gzip(input);
	}
	*out = input;
	return 0;
}

/* Reads packed bytes of the file. The last bytes read before stay in front of the new ones, because
 * a member's trailer may be cut in two. */
static int read_packed(struct ra_kineto_input *input, size_t *count)
{
	uint8_t *const bytes = input->packed + TRAILER_BYTES;
	int rc;

	memmove(input->packed, input->packed + input->packed_count, TRAILER_BYTES);
	input->packed_count = 0;
	rc = read_raw(input, bytes, PACKED_BYTES, count);
	if (rc == 0) {
		input->packed_count = *count;
		input->stream.next_in = bytes;
		input->stream.avail_in = (uInt) *count;
	}
	return rc;
}

static uint32_t read_u32(const uint8_t *bytes)
{
	return (uint32_t) bytes[0] | (uint32_t) bytes[1] << 8 | (uint32_t) bytes[2] << 16 |
	       (uint32_t) bytes[3] << 24;
}

/* Compares the unpacked bytes' CRC and length with the trailer that was just read. Return: zlib's
 * code. */
static int check_member(struct ra_kineto_input *input)
{
	const uint8_t *trailer = input->stream.next_in - TRAILER_BYTES;

	if (read_u32(trailer) != input->crc) {
		/* so that the offset in the message is that of the CRC's end */
		input->stream.avail_in += 4;
		input->damage = "incorrect data check";
	} else if (read_u32(trailer + 4) != input->member_bytes) {
		input->damage = "incorrect length check";
	}
	return input->damage != NULL ? Z_DATA_ERROR : Z_STREAM_END;
}

static int unpack(struct ra_kineto_input *input)
{
	z_stream *z = &input->stream;
	const uint8_t *from = z->next_out;
	const int code = input->damage != NULL ? Z_DATA_ERROR : inflate(z, Z_NO_FLUSH);
	const size_t count = (size_t) (z->next_out - from);

	input->crc = rlog_codec_crc_add(input->crc, from, count);
	input->member_bytes += (uint32_t) count;
	return code == Z_STREAM_END ? check_member(input) : code;
}

/* Begins the next member, if there is one: `cat a.gz b.gz` makes several. Any other bytes end the
 * reading. */
static int next_member(struct ra_kineto_input *input)
{
	z_stream *z = &input->stream;

	input->in_member = false;
	input->crc = 0;
	input->member_bytes = 0;
	if (z->avail_in == 0) {
		size_t count;
		const int rc = read_packed(input, &count);

		if (rc != 0) {
			return rc;
		}
	}
	if (z->avail_in > 0 && *z->next_in == 0x1F) {
		if (inflateReset(z) != Z_OK) {
			ra_alloc_end();
		}
		input->in_member = true;
	}
	return 0;
}

/* Checks the ratio of sizes only at the begin of a unit of the text, so that the result does not
 * depend on how much is read at once. */
static int check_size(const struct ra_kineto_input *input, struct rlog_error *err)
{
	if (input->unpacked % RA_KINETO_AHEAD_UNIT == 0 && input->unpacked > SUSPICIOUS_BYTES &&
	    input->unpacked / MAX_RATIO > input->taken) {
		return rlog_error_set(err, RLOG_E_INFLATE, input->taken,
		                      "the gzip data unpack to over %d times their size, more than "
		                      "any trace: the rest is not read",
		                      MAX_RATIO);
	}
	return 0;
}

static int read_gzip(struct ra_kineto_input *input, char *buffer, size_t size, size_t *count,
                     struct rlog_error *err)
{
	z_stream *z = &input->stream;
	const size_t unit = RA_KINETO_AHEAD_UNIT - input->unpacked % RA_KINETO_AHEAD_UNIT;
	const int rc = check_size(input, err);

	if (rc != 0) {
		return rc;
	}
	size = size < unit ? size : unit;
	z->next_out = (Bytef *) buffer;
	z->avail_out = (uInt) size;
	while (z->avail_out > 0 && input->in_member) {
		int code;

		if (z->avail_in == 0) {
			size_t got;

			if (read_packed(input, &got) != 0) {
				return rlog_error_set(err, RLOG_E_SYSTEM, input->taken, "read");
			}
			if (got == 0) {
				break;
			}
		}
		code = unpack(input);
		if (code == Z_STREAM_END) {
			if (next_member(input) != 0) {
				return rlog_error_set(err, RLOG_E_SYSTEM, input->taken, "read");
			}
		} else if (code != Z_OK && code != Z_BUF_ERROR) {
			if (z->avail_out < size) {
				break; /* the bytes before the fault are handed over first; the next
				          call meets it again */
			}
			return rlog_error_set(err, RLOG_E_INFLATE, input->taken - z->avail_in,
			                      "damaged gzip data: %s",
			                      input->damage != NULL ? input->damage
			                      : z->msg != NULL      ? z->msg
			                                            : "no deflate stream");
		}
	}
	*count = size - z->avail_out;
	input->unpacked += *count;
	if (*count == 0 && input->in_member) {
		return rlog_error_set(err, RLOG_E_TRUNCATED, input->taken,
		                      "the gzip data end too early");
	}
	return 0;
}

/* Gives the next bytes of the text. Return: the values of ra_kineto_input_read(). */
static int unpack_next(void *context, char *buffer, size_t size, size_t *count, uint64_t *done,
                       struct rlog_error *err)
{
	struct ra_kineto_input *input = context;
	int rc = 0;

	*count = 0;
	if (input->is_gzip) {
		rc = read_gzip(input, buffer, size, count, err);
	} else if (read_raw(input, buffer, size, count) != 0) {
		rc = rlog_error_set(err, RLOG_E_SYSTEM, input->taken, "read");
	}
	*done = input->taken;
	return rc;
}

/* If the input is large enough, lets a thread unpack it. */
static void begin_ahead(struct ra_kineto_input *input)
{
	if (!input->is_large && input->is_gzip &&
	    (input->size >= RA_POOL_LEAST_BYTES || input->done >= RA_POOL_LEAST_BYTES)) {
		input->is_large = true;
		input->ahead = ra_kineto_ahead_create(unpack_next, input);
	}
}

int ra_kineto_input_read(struct ra_kineto_input *input, char *buffer, size_t size, size_t *count,
                         struct rlog_error *err)
{
	int rc;

	begin_ahead(input);
	rc = input->ahead != NULL
	             ? ra_kineto_ahead_read(input->ahead, buffer, size, count, &input->done, err)
	             : unpack_next(input, buffer, size, count, &input->done, err);
	if (rc == 0) {
		const size_t room = sizeof(input->first) - input->first_count;
		const size_t taken = *count < room ? *count : room;

		memcpy(input->first + input->first_count, buffer, taken);
		input->first_count += taken;
		ra_json_log_watch(&input->watch, buffer, *count);
	}
	return rc;
}

const char *ra_kineto_input_packed(const struct ra_kineto_input *input)
{
	static const char sqlite[] = "SQLite format 3";

	if (!input->is_gzip || input->first_count == 0 ||
	    ra_kineto_input_detect(input->first, input->first_count) == RA_KINETO_FORM_JSON) {
		return NULL;
	}
	if (input->first_count >= sizeof(sqlite) &&
	    memcmp(input->first, sqlite, sizeof(sqlite)) == 0) {
		return "an SQLite database";
	}
	return input->first_count >= RLOG_MARKER_BYTES &&
	                       memcmp(input->first, RLOG_MARKER, RLOG_MARKER_BYTES) == 0
	               ? "a log"
	               : "a file of another kind";
}

const struct ra_json_log_watch *ra_kineto_input_watch(const struct ra_kineto_input *input)
{
	return &input->watch;
}

bool ra_kineto_input_is_gzip(const struct ra_kineto_input *input)
{
	return input->is_gzip;
}

uint64_t ra_kineto_input_size(const struct ra_kineto_input *input)
{
	return input->size;
}

uint64_t ra_kineto_input_done(const struct ra_kineto_input *input)
{
	return input->done;
}
