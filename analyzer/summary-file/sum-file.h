/* SPDX-License-Identifier: MIT */
/* The file of a summary: its packed parts, in an order that does not depend on who merged them. */
#ifndef RA_SUM_FILE_H
#define RA_SUM_FILE_H

#include "analyzer/io/outbuf.h"
#include "analyzer/summary-file/sum.h"
#include "format/error.h"

/* A packed part. It is in memory; or it is in a file, and only its head is in memory. */
struct ra_sum_file_part {
	struct ra_sum_origin origin; /* its texts are borrowed from `bytes` */
	uint8_t *bytes; /* owned: header, texts and packed payload, in the form of the file … */
	size_t size;
	/* … then this is NULL; or bytes lack the payload, which is in this file … */
	const char *path;
	uint64_t offset; /* … in the part that begins at this offset */
};

/* The parts. Zero-initialise. */
struct ra_sum_file {
	struct ra_sum_file_part *parts; /* owned */
	size_t count;
	size_t capacity;
	char **paths; /* owned, with their texts: the files in which parts are */
	size_t path_count;
	size_t path_capacity;
};

void ra_sum_file_fini(struct ra_sum_file *file);

/* True if a file begins as files of summaries do. */
bool ra_sum_file_is(const char *path);

/* Packs a part and appends it. */
void ra_sum_file_add(struct ra_sum_file *file, const struct ra_sum_part *part);

/* Appends a packed part. Its bytes are copied. */
void ra_sum_file_append(struct ra_sum_file *file, const uint8_t *bytes, size_t size);

/*
 * Checks the CRCs of a file's parts and appends the parts; if the file is damaged, appends none.
 * The payloads of a regular file are not kept in memory, so the file must not change while the
 * parts are used.
 *
 * Return: 0; -RLOG_E_SYSTEM, -RLOG_E_EMPTY, -RLOG_E_NOT_A_LOG, -RLOG_E_VERSION, -RLOG_E_HEADER,
 * -RLOG_E_PAYLOAD_CRC, -RLOG_E_TRUNCATED.
 */
int ra_sum_file_read(struct ra_sum_file *file, const char *path, struct rlog_error *err);

/* The length of a part's head. If a part is in a file, only the head is in memory. */
size_t ra_sum_file_head(const struct ra_sum_file_part *part);

/* Appends a part that is in a file, and that another process has read. Copies everything: bytes
 * (the head is enough), size, path and offset. */
void ra_sum_file_refer(struct ra_sum_file *file, const struct ra_sum_file_part *part);

/* Sorts the parts, and keeps only the first part with each id. The result depends only on the set
 * of parts. Return: the number of parts dropped. */
size_t ra_sum_file_order(struct ra_sum_file *file);

/*
 * Gets all bytes of a part; the caller frees them.
 *
 * Return: 0, -RLOG_E_SYSTEM, or -RLOG_E_PAYLOAD_CRC (the part's file has changed).
 */
int ra_sum_file_load(const struct ra_sum_file_part *part, uint8_t **bytes);

/* Writes the file. The parts must be in order. Return: 0, or the code of ra_sum_file_load(). */
int ra_sum_file_write(const struct ra_sum_file *file, struct ra_outbuf *out);

/* Unpacks a part. Return: 0, -RLOG_E_INFLATE, -RLOG_E_MSGPACK, -RLOG_E_SCHEMA, or the code of
 * ra_sum_file_load(). Call ra_sum_fini() in any case. */
int ra_sum_file_unpack(const struct ra_sum_file_part *from, struct ra_sum_part *part);

#endif
