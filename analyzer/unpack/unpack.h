/* SPDX-License-Identifier: MIT */
/* Compressed inputs, unpacked by a thread beside the reader of what is in them. */
#ifndef RA_UNPACK_H
#define RA_UNPACK_H

#include <stddef.h>

#include "format/error.h"

struct ra_unpack;
struct ra_unpack_kind;

/* The compression of a file that begins so; NULL: none of this folder. gzip is not: its readers
 * know it. */
const struct ra_unpack_kind *ra_unpack_find(const void *head, size_t count);

/* Bytes of a suffix of compressed files at the end of a name: 4 of "x.json.zst"; 0: none. */
size_t ra_unpack_suffix(const char *name, size_t length);

/* Where packed bytes come from. */
struct ra_unpack_source {
	int fd;
	const void *head; /* what was read from it already, borrowed */
	size_t count;
};

/*
 * Starts to unpack a source.
 *
 * @kind: of the source's head.
 * @source: its fd is taken, also on failure; its head is copied.
 * @out_fd: where the unpacked bytes are read, for the caller to close. Reading less than all of
 * them is allowed.
 * Return: 0 and *out, for ra_unpack_finish(); -RLOG_E_NOT_A_LOG where the compression is not built
 * in or its library is not there; -RLOG_E_SYSTEM.
 */
int ra_unpack_start(struct ra_unpack **out, const struct ra_unpack_kind *kind,
                    const struct ra_unpack_source *source, int *out_fd, struct rlog_error *err);

/*
 * Waits for the thread and frees all. Not before out_fd is closed.
 *
 * @err: what was wrong with the packed data, with the offset in them; not set if nothing was.
 * Return: 0, also where the reader stopped early; -RLOG_E_INFLATE, -RLOG_E_TRUNCATED,
 * -RLOG_E_SYSTEM.
 */
int ra_unpack_finish(struct ra_unpack *unpack, struct rlog_error *err);

/*
 * The first bytes of what is in gzip, of which the head is there.
 *
 * @text: room for `size` bytes.
 * Return: how many there are, at most `size`.
 */
size_t ra_unpack_peek_gzip(const void *head, size_t count, void *text, size_t size);

#endif
