/* SPDX-License-Identifier: MIT */
/* Unpacks the begin of a payload with zlib, because libdeflate unpacks only whole payloads. */
#include "analyzer/read-log/chunks/outer-head.h"

#include <stdlib.h>

#include <zlib.h>

#include "format/wire.h"

/* So many bytes are unpacked at first, and then if necessary. The first number is enough for most
 * lists, the last for all. */
static const size_t portions[] = { 512, RLOG_OUTER_BYTES };

/* The file's memory is given back in stretches of this length. */
#define STRETCH_BYTES (8u << 20)

struct ra_outer_head {
	z_stream stream;
	uint64_t first_page; /* offset from which memory was not given back yet */
	struct rlog_outer outer;
	uint8_t bytes[RLOG_OUTER_BYTES];
};

struct ra_outer_head *ra_outer_head_create(void)
{
	struct ra_outer_head *head = calloc(1, sizeof(*head));

	if (head != NULL && inflateInit(&head->stream) != Z_OK) {
		free(head);
		head = NULL;
	}
	return head;
}

void ra_outer_head_destroy(struct ra_outer_head *head)
{
	if (head != NULL) {
		(void) inflateEnd(&head->stream);
		free(head);
	}
}

/* Unpacks the payload up to `most` bytes. Return: the number of unpacked bytes. Damage is found
 * when the list is read. */
static size_t unpack(struct ra_outer_head *head, size_t most)
{
	z_stream *const stream = &head->stream;

	stream->avail_out = (uInt) (most - (size_t) (stream->next_out - head->bytes));
	(void) inflate(stream, Z_SYNC_FLUSH);
	return (size_t) (stream->next_out - head->bytes);
}

/* Reads the list from a packed payload. */
static int read_packed(struct ra_outer_head *head, const uint8_t *stored,
                       const struct rlog_chunk *chunk)
{
	z_stream *const stream = &head->stream;
	int code = -1;

	if (inflateReset(stream) != Z_OK) {
		return code;
	}
	stream->next_in = (Bytef *) stored;
	stream->avail_in = chunk->stored_bytes;
	stream->next_out = head->bytes;
	for (size_t i = 0; i < sizeof(portions) / sizeof(portions[0]) && code != 0; i++) {
		code = rlog_outer_read(&head->outer, head->bytes, unpack(head, portions[i]),
		                       chunk->first_ticks);
	}
	return code;
}

/* Gives back the file's memory before `until`, where reading goes on. The chunks of a thread are
 * mostly in the order of their offsets; the chunks of the next thread begin near the file's begin
 * again. */
static void drop_pages(struct ra_outer_head *head, const struct rlog_reader *reader, uint64_t until)
{
	const bool is_back = until < head->first_page;

	if (is_back || until - head->first_page >= STRETCH_BYTES) {
		rlog_reader_drop_pages(reader, head->first_page,
		                       is_back ? head->first_page + STRETCH_BYTES : until);
		head->first_page = until;
	}
}

const struct rlog_outer *ra_outer_head_read(struct ra_outer_head *head,
                                            const struct rlog_reader *reader,
                                            const struct rlog_chunk *chunk)
{
	const uint64_t offset = chunk->offset + RLOG_HEADER_BYTES;
	const uint8_t *stored = rlog_reader_borrow_bytes(reader) + offset;
	const int code = (chunk->flags & RLOG_FLAG_STORED) != 0
	                         ? rlog_outer_read(&head->outer, stored, chunk->stored_bytes,
	                                           chunk->first_ticks)
	                         : read_packed(head, stored, chunk);

	drop_pages(head, reader, offset);
	return code == 0 ? &head->outer : NULL;
}
