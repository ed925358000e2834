/* SPDX-License-Identifier: MIT */
/* Gives back the memory of that part of a log's file which was read. */
#include "analyzer/read-log/chunks/read-pages.h"

#include "format/wire.h"

/* At most this many bytes are kept. */
#define KEPT_BYTES ((uint64_t) 512 << 10)

void ra_read_pages_drop(struct ra_read_pages *pages, const struct rlog_reader *reader)
{
	if (pages->from < pages->to) {
		rlog_reader_drop_pages(reader, pages->from, pages->to);
	}
	pages->from = pages->to;
}

void ra_read_pages_note(struct ra_read_pages *pages, const struct rlog_reader *reader,
                        const struct rlog_chunk *chunk)
{
	/* A chunk of the next thread is near the file's begin again. */
	if (chunk->offset < pages->to) {
		ra_read_pages_drop(pages, reader);
	}
	if (pages->from == pages->to) {
		pages->from = chunk->offset;
	}
	pages->to = chunk->offset + RLOG_HEADER_BYTES + chunk->stored_bytes;
	if (pages->to - pages->from >= KEPT_BYTES) {
		ra_read_pages_drop(pages, reader);
	}
}
