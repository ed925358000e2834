/* SPDX-License-Identifier: MIT */
/* The file of a summary (doc/format.md, section 15). */
#include "analyzer/summary-file/sum-file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/util.h"
#include "analyzer/summary-file/sum-pack.h"
#include "analyzer/summary-file/sum-texts.h"
#include "format/codec.h"
#include "format/wire.h"

#define VERSION       1u
#define HEADER_BYTES  64u
#define TRAILER_BYTES 16u
#define LEVEL         6
/* Larger payloads are refused: no input makes one. */
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

/* The origin of a part from its bytes, whose lengths were checked. */
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

/* Takes the bytes, also if it fails. */
static int append(struct ra_sum_file *file, uint8_t *bytes, size_t size)
{
	if (ra_util_grow(&file->parts, &file->capacity, file->count + 1, sizeof(*file->parts)) !=
	    0) {
		free(bytes);
		return -RLOG_E_NO_MEMORY;
	}
	file->parts[file->count] = (struct ra_sum_file_part){ .bytes = bytes, .size = size };
	read_origin(&file->parts[file->count++]);
	return 0;
}

static int deflate(const uint8_t *raw, size_t raw_bytes, uint8_t *out, size_t *stored_bytes)
{
	struct rlog_codec_deflater *deflater = NULL;
	const int rc = rlog_codec_create_deflater(&deflater, LEVEL);

	if (rc == 0) {
		*stored_bytes = rlog_codec_deflate(deflater, raw, raw_bytes, out, *stored_bytes);
	}
	rlog_codec_destroy_deflater(deflater);
	return rc != 0 || *stored_bytes == 0 ? -RLOG_E_NO_MEMORY : 0;
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

int ra_sum_file_add(struct ra_sum_file *file, const struct ra_sum_part *part)
{
	const struct ra_sum_origin *origin = &part->origin;
	const size_t head = HEADER_BYTES + origin->run.length + origin->source.length;
	uint8_t *raw = NULL;
	uint8_t *bytes = NULL;
	size_t raw_bytes = 0;
	size_t stored_bytes;
	int rc = ra_sum_pack(part, &raw, &raw_bytes);

	stored_bytes = raw_bytes + raw_bytes / 8 + 1024; /* more than zlib can need */
	if (rc == 0) {
		bytes = calloc(1, head + stored_bytes);
		rc = bytes == NULL ? -RLOG_E_NO_MEMORY
		                   : deflate(raw, raw_bytes, bytes + head, &stored_bytes);
	}
	free(raw);
	if (rc != 0) {
		free(bytes);
		return rc;
	}
	if (origin->run.length > 0) {
		memcpy(bytes + HEADER_BYTES, origin->run.bytes, origin->run.length);
	}
	if (origin->source.length > 0) {
		memcpy(bytes + HEADER_BYTES + origin->run.length, origin->source.bytes,
		       origin->source.length);
	}
	fill_header(bytes, origin, raw_bytes, stored_bytes);
	return append(file, bytes, head + stored_bytes);
}

/* How long the part at `at` is. */
static int check_part(const uint8_t *at, size_t left, size_t *size, struct rlog_error *err,
                      uint64_t offset)
{
	uint64_t texts;
	uint64_t stored;

	if (left < HEADER_BYTES) {
		return rlog_error_set(err, RLOG_E_TRUNCATED, offset,
		                      "the summary ends inside the header of a part");
	}
	if (memcmp(at, part_mark, sizeof(part_mark)) != 0) {
		return rlog_error_set(err, RLOG_E_HEADER, offset,
		                      "no part of a summary begins here");
	}
	if (fetch(at + 8, 4) > VERSION) {
		return rlog_error_set(
			err, RLOG_E_VERSION, offset,
			"the summary has version %u, and %u is the last one known here",
			(unsigned) fetch(at + 8, 4), VERSION);
	}
	texts = fetch(at + 40, 4) + fetch(at + 44, 4);
	stored = fetch(at + 56, 8);
	if (fetch(at + 48, 8) > MAX_RAW_BYTES || stored > 2 * MAX_RAW_BYTES ||
	    fetch(at + 48, 8) > RLOG_FREE_RAW_BYTES + RLOG_RAW_PER_BYTE * stored) {
		return rlog_error_set(err, RLOG_E_HEADER, offset,
		                      "a part of the summary says that it is too large");
	}
	if (left - HEADER_BYTES < texts + stored) {
		return rlog_error_set(err, RLOG_E_TRUNCATED, offset,
		                      "the summary ends inside a part");
	}
	*size = (size_t) (HEADER_BYTES + texts + stored);
	if (rlog_codec_crc(at + 16, *size - 16) != fetch(at + 12, 4)) {
		return rlog_error_set(err, RLOG_E_PAYLOAD_CRC, offset,
		                      "a part of the summary does not match its CRC");
	}
	return 0;
}

/* Appends the part at the beginning of these bytes, which lie at `offset` of a file. */
static int take_part(struct ra_sum_file *file, const uint8_t *bytes, size_t count, size_t *size,
                     size_t offset, struct rlog_error *err)
{
	int rc = check_part(bytes, count, size, err, offset);
	uint8_t *copy;

	if (rc != 0) {
		return rc;
	}
	copy = malloc(*size + 1);
	rc = -RLOG_E_NO_MEMORY;
	if (copy != NULL) {
		memcpy(copy, bytes, *size);
		rc = append(file, copy, *size);
	}
	return rc == 0 ? 0 : rlog_error_set(err, -rc, RLOG_NO_OFFSET, "not enough memory");
}

int ra_sum_file_take(struct ra_sum_file *file, const uint8_t *bytes, size_t count)
{
	size_t size = 0;

	return take_part(file, bytes, count, &size, 0, NULL);
}

static int take_parts(struct ra_sum_file *file, const uint8_t *bytes, size_t count,
                      struct rlog_error *err)
{
	size_t at = 0;
	size_t parts = 0;

	while (count - at < TRAILER_BYTES || memcmp(bytes + at, end_mark, sizeof(end_mark)) != 0) {
		size_t size = 0;
		const int rc = take_part(file, bytes + at, count - at, &size, at, err);

		if (rc != 0) {
			return rc;
		}
		at += size;
		parts++;
	}
	if (fetch(bytes + at + 8, 8) != parts || count - at != TRAILER_BYTES) {
		return rlog_error_set(err, RLOG_E_HEADER, at,
		                      "the end of the summary does not match its parts");
	}
	return 0;
}

static int read_all(const char *path, uint8_t **bytes, size_t *count, struct rlog_error *err)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t capacity = 0;
	ssize_t got = 1;

	if (fd < 0) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot be opened");
	}
	while (got > 0) {
		if (ra_util_grow(bytes, &capacity, *count + 65536, 1) != 0) {
			close(fd);
			return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET,
			                      "not enough memory");
		}
		got = read(fd, *bytes + *count, capacity - *count);
		*count += got > 0 ? (size_t) got : 0;
	}
	if (got < 0) {
		(void) rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "cannot be read");
	}
	close(fd);
	return got < 0 ? -RLOG_E_SYSTEM : 0;
}

int ra_sum_file_read(struct ra_sum_file *file, const char *path, struct rlog_error *err)
{
	const size_t before = file->count;
	uint8_t *bytes = NULL;
	size_t count = 0;
	int rc = read_all(path, &bytes, &count, err);

	if (rc == 0 && count == 0) {
		rc = rlog_error_set(err, RLOG_E_EMPTY, 0, "the file is empty");
	} else if (rc == 0 && (count < sizeof(part_mark) ||
	                       memcmp(bytes, part_mark, sizeof(part_mark)) != 0)) {
		rc = rlog_error_set(err, RLOG_E_NOT_A_LOG, 0, "this is no summary");
	} else if (rc == 0) {
		rc = take_parts(file, bytes, count, err);
	}
	free(bytes);
	while (rc != 0 && file->count > before) {
		free(file->parts[--file->count].bytes);
	}
	return rc;
}

static int compare_parts(const void *a, const void *b)
{
	const struct ra_sum_file_part *left = a;
	const struct ra_sum_file_part *right = b;
	const int order = ra_sum_compare(&left->origin, &right->origin);
	const size_t common = left->size < right->size ? left->size : right->size;

	/* Equal origins, other bytes: of another version of this program. */
	return order != 0 ? order : memcmp(left->bytes, right->bytes, common);
}

static int compare_ids(const void *a, const void *b)
{
	const struct ra_sum_file_part *left = a;
	const struct ra_sum_file_part *right = b;
	const int order = memcmp(left->origin.id, right->origin.id, RA_SUM_ID_BYTES);

	return order != 0 ? order : compare_parts(a, b);
}

size_t ra_sum_file_order(struct ra_sum_file *file)
{
	size_t kept = 0;
	size_t dropped;

	if (file->count == 0) {
		return 0;
	}
	qsort(file->parts, file->count, sizeof(*file->parts), compare_ids);
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
	qsort(file->parts, file->count, sizeof(*file->parts), compare_parts);
	return dropped;
}

void ra_sum_file_write(const struct ra_sum_file *file, struct ra_outbuf *out)
{
	uint8_t trailer[TRAILER_BYTES];

	for (size_t i = 0; i < file->count; i++) {
		ra_outbuf_put(out, (const char *) file->parts[i].bytes, file->parts[i].size);
	}
	memcpy(trailer, end_mark, sizeof(end_mark));
	store(trailer + 8, file->count, 8);
	ra_outbuf_put(out, (const char *) trailer, sizeof(trailer));
}

int ra_sum_file_unpack(const struct ra_sum_file_part *from, struct ra_sum_part *part)
{
	const size_t head = HEADER_BYTES + from->origin.run.length + from->origin.source.length;
	const size_t raw_bytes = (size_t) fetch(from->bytes + 48, 8);
	struct rlog_codec_inflater *inflater = NULL;
	uint8_t *raw = malloc(raw_bytes + 1);
	int rc = raw == NULL ? -RLOG_E_NO_MEMORY : rlog_codec_create_inflater(&inflater);

	memset(part, 0, sizeof(*part));
	part->origin.rank = from->origin.rank;
	memcpy(part->origin.id, from->origin.id, RA_SUM_ID_BYTES);
	if (rc == 0) {
		rc = ra_sum_texts_copy(&part->origin.run, from->origin.run);
	}
	if (rc == 0) {
		rc = ra_sum_texts_copy(&part->origin.source, from->origin.source);
	}
	if (rc == 0) {
		rc = rlog_codec_inflate(inflater, from->bytes + head, from->size - head, raw,
		                        raw_bytes);
	}
	if (rc == 0) {
		rc = ra_sum_pack_read(part, raw, raw_bytes);
	}
	rlog_codec_destroy_inflater(inflater);
	free(raw);
	return rc;
}
