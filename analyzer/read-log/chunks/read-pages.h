/* SPDX-License-Identifier: MIT */
/* Gives back the memory of that part of a log's file which was read. */
#ifndef RA_READ_PAGES_H
#define RA_READ_PAGES_H

#include "format/read/reader.h"

/* The part that is still in memory. Zero-initialise. */
struct ra_read_pages {
	uint64_t from;
	uint64_t to;
};

/* Notes that a chunk was decoded (rlog_reader_decode_kept()). Gives back the memory of several
 * chunks at a time, which takes fewer system calls. */
void ra_read_pages_note(struct ra_read_pages *pages, const struct rlog_reader *reader,
                        const struct rlog_chunk *chunk);

/* Gives back the memory that is left. */
void ra_read_pages_drop(struct ra_read_pages *pages, const struct rlog_reader *reader);

#endif
