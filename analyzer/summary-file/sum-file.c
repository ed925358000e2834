/* SPDX-License-Identifier: MIT */
/* Reads and writes the file of a summary (doc/format.md, section 15). */
#include "analyzer/summary-file/sum-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "analyzer/summary-file/sum-pack.h"
#include "analyzer/summary-file/sum-texts.h"
#include "format/codec.h"
#include "format/wire.h"

#define VERSION       1u
#define HEADER_BYTES  64u
#define TRAILER_BYTES 16u
#define LEVEL         6
/* Larger payloads are refused; no input makes such a large one. */
#define MAX_RAW_BYTES (UINT64_C(1) << 30)

static const uint8_t part_mark[8] = { 0x89, 'R', 'S', 'U', 'M', '\r', '\n', 0x1A };
static const uint8_t end_mark[8] = { 0x89, 'R', 'S', 'E', 'N', '\r', '\n', 0x1A };

static void store(uint8_t *place, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++) {
		place[i] = (uint8_t) (value >> (8 * i));
	}
}

static uint64_t fetch(const uint8_t *place, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++) {
		value |= (uint64_t) place[i] << (8 * i);
	}
	return value;
}

void ra_sum_file_fini(struct ra_sum_file *file)
{
	for (size_t i = 0; i < file->count; i++) {
		free(file->parts[i].bytes);
	}
	for (size_t i = 0; i < file->path_count; i++) {
		free(file->paths[i]);
	}
	free(file->paths);
	free(file->parts);
	memset(file, 0, sizeof(*file));
}

bool ra_sum_file_is(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	uint8_t head[sizeof(part_mark)];
	bool is_sum = false;

	if (fd >= 0) {
		is_sum = pread(fd, head, sizeof(head), 0) == (ssize_t) sizeof(head) &&
		         memcmp(head, part_mark, sizeof(head)) == 0;
		close(fd);
	}
	return is_sum;
}

/* Reads the origin of a part from its bytes, whose lengths have been checked. */
static void read_origin(struct ra_sum_file_part *part)
{
	const uint8_t *header = part->bytes;
	const uint32_t run_bytes = (uint32_t) fetch(header + 40, 4);
	const uint32_t source_bytes = (uint32_t) fetch(header + 44, 4);
	const char *texts = (const char *) header + HEADER_BYTES;

	memcpy(part->origin.id, header + 16, RA_SUM_ID_BYTES);
	part->origin.rank = (int64_t) fetch(header + 32, 8);
	part->origin.run = (struct rlog_string){ texts, run_bytes, run_bytes };
	part->origin.source = (struct rlog_string){ texts + run_bytes, source_bytes, source_bytes };
}

/* Appends a part, and takes ownership of its bytes. */
static void append(struct ra_sum_file *file, uint8_t *bytes, size_t size, const char *path,
                   uint64_t offset)
{
	struct ra_sum_file_part part = { .size = size, .path = path, .offset = offset };

	part.bytes = bytes;
	read_origin(&part);
	RA_UTIL_APPEND(file->parts, file->count, file->capacity, part);
}

/* Return: the number of bytes written. */
static size_t deflate(const uint8_t *raw, size_t raw_bytes, uint8_t *out, size_t room)
{
	struct rlog_codec_deflater *deflater = NULL;
	size_t stored_bytes = 0;

	if (rlog_codec_create_deflater(&deflater, LEVEL) == 0) {
		stored_bytes = rlog_codec_deflate(deflater, raw, raw_bytes, out, room);
	}
	if (stored_bytes == 0) {
		ra_alloc_end();
	}
	rlog_codec_destroy_deflater(deflater);
	return stored_bytes;
}

static void fill_header(uint8_t *header, const struct ra_sum_origin *origin, size_t raw_bytes,
                        size_t stored_bytes)
{
	const size_t texts = (size_t) origin->run.length + origin->source.length;

	memcpy(header, part_mark, sizeof(part_mark));
	store(header + 8, VERSION, 4);
	memcpy(header + 16, origin->id, RA_SUM_ID_BYTES);
	store(header + 32, (uint64_t) origin->rank, 8);
	store(header + 40, origin->run.length, 4);
	store(header + 44, origin->source.length, 4);
	store(header + 48, raw_bytes, 8);
	store(header + 56, stored_bytes, 8);
	store(header + 12, rlog_codec_crc(header + 16, HEADER_BYTES - 16 + texts + stored_bytes),
	      4);
}

void ra_sum_file_add(struct ra_sum_file *file, const struct ra_sum_part *part)
{
	const struct ra_sum_origin *origin = &part->origin;
	const size_t head = HEADER_BYTES + origin->run.length + origin->source.length;
	uint8_t *raw;
	uint8_t *bytes;
	size_t raw_bytes;
	size_t room;
	size_t stored_bytes;

	ra_sum_pack(part, &raw, &raw_bytes);
	room = raw_bytes + raw_bytes / 8 + 1024; /* zlib never needs more */
	bytes = ra_alloc_zeros(1, head + room);
	stored_bytes = deflate(raw, raw_bytes, bytes + head, room);
	free(raw);
	if (origin->run.length > 0) {
		memcpy(bytes + HEADER_BYTES, origin->run.bytes, origin->run.length);
	}
	if (origin->source.length > 0) {
		memcpy(bytes + HEADER_BYTES + origin->run.length, origin->source.bytes,
		       origin->source.length);
	}
	fill_header(bytes, origin, raw_bytes, stored_bytes);
	append(file, bytes, head + stored_bytes, NULL, 0);
}

void ra_sum_file_append(struct ra_sum_file *file, const uint8_t *bytes, size_t size)
{
	uint8_t *copy = ra_alloc_bytes(size);

	memcpy(copy, bytes, size);
	append(file, copy, size, NULL, 0);
}

/* Computes the length of the part with this header. */
static int check_header(const uint8_t *at, size_t *size, struct rlog_error *err, uint64_t offset)
{
	uint64_t texts;
	uint64_t stored;

	if (memcmp(at, part_mark, sizeof(part_mark)) != 0) {
		return rlog_error_set(err, RLOG_E_HEADER, offset,
		                      "no part of a summary begins here");
	}
	if (fetch(at + 8, 4) > VERSION) {
		return rlog_error_set(err, RLOG_E_VERSION, offset,
		                      "the summary has version %u; this program reads up to %u",
		                      (unsigned) fetch(at + 8, 4), VERSION);
	}
	texts = fetch(at + 40, 4) + fetch(at + 44, 4);
	stored = fetch(at + 56, 8);
	if (fetch(at + 48, 8) > MAX_RAW_BYTES || stored > 2 * MAX_RAW_BYTES ||
	    fetch(at + 48, 8) > RLOG_FREE_RAW_BYTES + RLOG_RAW_PER_BYTE * stored) {
		return rlog_error_set(err, RLOG_E_HEADER, offset,
		                      "a part of the summary gives a size over the limit");
	}
	*size = (size_t) (HEADER_BYTES + texts + stored);
	return 0;
}

static int check_crc(const uint8_t *bytes, size_t size, struct rlog_error *err, uint64_t offset)
{
	return rlog_codec_crc(bytes + 16, size - 16) == fetch(bytes + 12, 4)
	               ? 0
	               : rlog_error_set(err, RLOG_E_PAYLOAD_CRC, offset,
	                                "a part of the summary does not match its CRC");
}

/* A file that is being read from beginning to end. */
struct input {
	int fd;
	const char *path; /* path of the file; NULL: payloads are kept in memory, as for a pipe */
	uint64_t offset;
	uint8_t *bytes; /* owned: bytes of the current part */
	size_t capacity;
};

/* Reads `count` bytes, or fewer at the end of the file. Return: the number of bytes read, or
 * -RLOG_E_SYSTEM. */
static ssize_t read_bytes(int fd, uint8_t *bytes, size_t count)
{
	size_t done = 0;

	while (done < count) {
		const ssize_t got = read(fd, bytes + done, count - done);

		if (got < 0 && errno == EINTR) {
			continue;
		}
		if (got < 0) {
			return -RLOG_E_SYSTEM;
		}
		if (got == 0) {
			break;
		}
		done += (size_t) got;
	}
	return (ssize_t) done;
}

/* Reports that the file ends inside a part. */
static int refuse_short(const struct input *input, size_t have, const char *what,
                        struct rlog_error *err)
{
	if (input->offset == 0 && have == 0) {
		return rlog_error_set(err, RLOG_E_EMPTY, 0, "the file is empty");
	}
	if (input->offset == 0 &&
	    (have < sizeof(part_mark) || memcmp(input->bytes, part_mark, sizeof(part_mark)) != 0)) {
		return rlog_error_set(err, RLOG_E_NOT_A_LOG, 0, "this is not a summary");
	}
	return rlog_error_set(err, RLOG_E_TRUNCATED, input->offset, "the summary ends inside %s",
	                      what);
}

/* Reads until `count` bytes of the part are in memory. A forged size takes no more memory than the
 * file has bytes. */
static int fill(struct input *input, size_t have, size_t count, const char *what,
                struct rlog_error *err)
{
	while (have < count) {
		const size_t step = count - have < 1 << 20 ? count - have : 1 << 20;
		ssize_t got;

		ra_util_grow(&input->bytes, &input->capacity, have + step, 1);
		got = read_bytes(input->fd, input->bytes + have, step);
		if (got < 0) {
			return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot be read");
		}
		have += (size_t) got;
		if ((size_t) got < step) {
			return refuse_short(input, have, what, err);
		}
	}
	return 0;
}

/* Reads the rest of a part whose header has been read. */
static int read_part(struct ra_sum_file *file, struct input *input, struct rlog_error *err)
{
	size_t size = 0;
	size_t kept;
	uint8_t *copy;
	int rc = check_header(input->bytes, &size, err, input->offset);

	if (rc == 0) {
		rc = fill(input, HEADER_BYTES, size, "a part", err);
	}
	if (rc == 0) {
		rc = check_crc(input->bytes, size, err, input->offset);
	}
	if (rc != 0) {
		return rc;
	}
	kept = input->path == NULL ? size
	                           : HEADER_BYTES + (size_t) fetch(input->bytes + 40, 4) +
	                                     (size_t) fetch(input->bytes + 44, 4);
	copy = ra_alloc_bytes(kept + 1);
	memcpy(copy, input->bytes, kept);
	append(file, copy, size, input->path, input->offset);
	input->offset += size;
	return 0;
}

static int read_parts(struct ra_sum_file *file, struct input *input, struct rlog_error *err)
{
	size_t parts;
	uint8_t more;
	int rc;

	for (parts = 0;; parts++) {
		rc = fill(input, 0, TRAILER_BYTES, "the header of a part", err);
		if (rc != 0) {
			return rc;
		}
		if (parts == 0 && memcmp(input->bytes, part_mark, sizeof(part_mark)) != 0) {
			return rlog_error_set(err, RLOG_E_NOT_A_LOG, 0, "this is not a summary");
		}
		if (memcmp(input->bytes, end_mark, sizeof(end_mark)) == 0) {
			break;
		}
		rc = fill(input, TRAILER_BYTES, HEADER_BYTES, "the header of a part", err);
		if (rc == 0) {
			rc = read_part(file, input, err);
		}
		if (rc != 0) {
			return rc;
		}
	}
	if (fetch(input->bytes + 8, 8) != parts || read_bytes(input->fd, &more, 1) != 0) {
		return rlog_error_set(err, RLOG_E_HEADER, input->offset,
		                      "the end of the summary does not match its parts");
	}
	return 0;
}

/* Stores the name of a file in which payloads stay. */
static const char *keep_path(struct ra_sum_file *file, const char *path)
{
	RA_UTIL_APPEND(file->paths, file->path_count, file->path_capacity, ra_alloc_copy(path));
	return file->paths[file->path_count - 1];
}

size_t ra_sum_file_head(const struct ra_sum_file_part *part)
{
	return HEADER_BYTES + (size_t) part->origin.run.length + part->origin.source.length;
}

void ra_sum_file_refer(struct ra_sum_file *file, const struct ra_sum_file_part *part)
{
	const size_t head = HEADER_BYTES + (size_t) fetch(part->bytes + 40, 4) +
	                    (size_t) fetch(part->bytes + 44, 4);
	const char *path = keep_path(file, part->path);
	uint8_t *copy = ra_alloc_bytes(head);

	memcpy(copy, part->bytes, head);
	append(file, copy, part->size, path, part->offset);
}

int ra_sum_file_read(struct ra_sum_file *file, const char *path, struct rlog_error *err)
{
	const size_t before = file->count;
	struct input input = { .fd = open(path, O_RDONLY | O_CLOEXEC) };
	struct stat status;
	int rc;

	if (input.fd < 0) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot be opened");
	}
	if (fstat(input.fd, &status) == 0 && S_ISREG(status.st_mode)) {
		input.path = keep_path(file, path);
	}
	rc = read_parts(file, &input, err);
	close(input.fd);
	free(input.bytes);
	while (rc != 0 && file->count > before) {
		free(file->parts[--file->count].bytes);
	}
	return rc;
}

int ra_sum_file_load(const struct ra_sum_file_part *part, uint8_t **bytes)
{
	int rc = 0;
	int fd;

	*bytes = ra_alloc_bytes(part->size + 1);
	if (part->path == NULL) {
		memcpy(*bytes, part->bytes, part->size);
		return 0;
	}
	fd = open(part->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || lseek(fd, (off_t) part->offset, SEEK_SET) < 0) {
		rc = -RLOG_E_SYSTEM;
	} else if (read_bytes(fd, *bytes, part->size) != (ssize_t) part->size ||
	           memcmp(*bytes, part->bytes, HEADER_BYTES) != 0 ||
	           check_crc(*bytes, part->size, NULL, 0) != 0) {
		rc = -RLOG_E_PAYLOAD_CRC;
	}
	if (fd >= 0) {
		close(fd);
	}
	if (rc != 0) {
		free(*bytes);
		*bytes = NULL;
	}
	return rc;
}

static int compare_parts(const void *a, const void *b)
{
	const struct ra_sum_file_part *left = a;
	const struct ra_sum_file_part *right = b;
	const int order = ra_sum_compare(&left->origin, &right->origin);

	/* The origin is the same but the CRC differs: another version of this program made the
	 * part. */
	return RA_ORDER_THEN(order, memcmp(left->bytes, right->bytes, HEADER_BYTES));
}

static int compare_ids(const void *a, const void *b)
{
	const struct ra_sum_file_part *left = a;
	const struct ra_sum_file_part *right = b;
	const int order = memcmp(left->origin.id, right->origin.id, RA_SUM_ID_BYTES);

	return RA_ORDER_THEN(order, compare_parts(a, b));
}

size_t ra_sum_file_order(struct ra_sum_file *file)
{
	size_t kept = 0;
	size_t dropped;

	if (file->count == 0) {
		return 0;
	}
	RA_SORT(file->parts, file->count, compare_ids);
	for (size_t i = 0; i < file->count; i++) {
		if (kept > 0 && memcmp(file->parts[kept - 1].origin.id, file->parts[i].origin.id,
		                       RA_SUM_ID_BYTES) == 0) {
			free(file->parts[i].bytes);
		} else {
			file->parts[kept++] = file->parts[i];
		}
	}
	dropped = file->count - kept;
	file->count = kept;
	RA_SORT(file->parts, file->count, compare_parts);
	return dropped;
}

int ra_sum_file_write(const struct ra_sum_file *file, struct ra_outbuf *out)
{
	uint8_t trailer[TRAILER_BYTES];

	for (size_t i = 0; i < file->count; i++) {
		uint8_t *bytes = NULL;
		const int rc = ra_sum_file_load(&file->parts[i], &bytes);

		if (rc != 0) {
			return rc;
		}
		ra_outbuf_put(out, (const char *) bytes, file->parts[i].size);
		free(bytes);
	}
	memcpy(trailer, end_mark, sizeof(end_mark));
	store(trailer + 8, file->count, 8);
	ra_outbuf_put(out, (const char *) trailer, sizeof(trailer));
	return 0;
}

int ra_sum_file_unpack(const struct ra_sum_file_part *from, struct ra_sum_part *part)
{
	const size_t head = HEADER_BYTES + from->origin.run.length + from->origin.source.length;
	const size_t raw_bytes = (size_t) fetch(from->bytes + 48, 8);
	struct rlog_codec_inflater *inflater = NULL;
	uint8_t *raw = ra_alloc_bytes(raw_bytes + 1);
	uint8_t *bytes = NULL;
	int rc;

	if (rlog_codec_create_inflater(&inflater) != 0) {
		ra_alloc_end();
	}
	memset(part, 0, sizeof(*part));
	part->origin.rank = from->origin.rank;
	memcpy(part->origin.id, from->origin.id, RA_SUM_ID_BYTES);
	rc = ra_sum_file_load(from, &bytes);
	if (rc == 0) {
		part->origin.run = ra_sum_texts_copy(from->origin.run);
		part->origin.source = ra_sum_texts_copy(from->origin.source);
		rc = rlog_codec_inflate(inflater, bytes + head, from->size - head, raw, raw_bytes);
	}
	if (rc == 0) {
		rc = ra_sum_pack_read(part, raw, raw_bytes);
	}
	rlog_codec_destroy_inflater(inflater);
	free(bytes);
	free(raw);
	return rc;
}
