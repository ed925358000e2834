/* SPDX-License-Identifier: MIT */
/* The file of a summary: its parts, packed, in an order that does not tell who merged them. */
#ifndef RA_SUM_FILE_H
#define RA_SUM_FILE_H

#include "analyzer/io/outbuf.h"
#include "analyzer/summary-file/sum.h"
#include "format/error.h"

/* A packed part: in memory, or of a file that was read only its head. */
struct ra_sum_file_part {
	struct ra_sum_origin origin; /* borrowed from bytes */
	uint8_t *bytes; /* owned: header, texts and packed payload, as in the file … */
	size_t size;
	const char *path; /* … NULL; else without the payload, which is in this file of the set … */
	uint64_t offset; /* … where the part begins here */
};

/* Zero-initialise. */
struct ra_sum_file {
	struct ra_sum_file_part *parts; /* owned */
	size_t count;
	size_t capacity;
	char **paths; /* owned, as the texts */
	size_t path_count;
	size_t path_capacity;
};

void ra_sum_file_fini(struct ra_sum_file *file);

/* True if a file begins as summaries do. */
bool ra_sum_file_is(const char *path);

/* Packs a part and appends it. */
void ra_sum_file_add(struct ra_sum_file *file, const struct ra_sum_part *part);

/* Appends a packed part that is in memory; its bytes are copied. */
void ra_sum_file_append(struct ra_sum_file *file, const uint8_t *bytes, size_t size);

/*
 * Appends the parts of a file, whose CRCs are checked; of a damaged file none. Of a regular file
 * payloads stay where they are: it must not change as long as the parts are used.
 *
 * Return: 0; -RLOG_E_SYSTEM, -RLOG_E_EMPTY, -RLOG_E_NOT_A_LOG, -RLOG_E_VERSION, -RLOG_E_HEADER,
 * -RLOG_E_PAYLOAD_CRC, -RLOG_E_TRUNCATED.
 */
int ra_sum_file_read(struct ra_sum_file *file, const char *path, struct rlog_error *err);

/* How many bytes of a part make its head, which is all that is kept of one in a file. */
size_t ra_sum_file_head(const struct ra_sum_file_part *part);

/* Appends a part that is in a file, as another process read it: its bytes (the head is enough),
 * size, path and offset, which are copied. */
void ra_sum_file_refer(struct ra_sum_file *file, const struct ra_sum_file_part *part);

/* Orders the parts and keeps the first of those with one id. What comes out depends on the set of
 * parts only. Return: how many were dropped. */
size_t ra_sum_file_order(struct ra_sum_file *file);

/*
 * All bytes of a part, to be freed.
 *
 * Return: 0, -RLOG_E_SYSTEM, -RLOG_E_PAYLOAD_CRC (its file has changed).
 */
int ra_sum_file_load(const struct ra_sum_file_part *part, uint8_t **bytes);

/* Writes the file; the parts are in order. Return: 0, or as ra_sum_file_load(). */
int ra_sum_file_write(const struct ra_sum_file *file, struct ra_outbuf *out);

/* Unpacks. Return: 0, -RLOG_E_INFLATE, -RLOG_E_MSGPACK, -RLOG_E_SCHEMA, or as ra_sum_file_load();
 * fini the part in any case. */
int ra_sum_file_unpack(const struct ra_sum_file_part *from, struct ra_sum_part *part);

#endif
