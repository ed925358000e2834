/* SPDX-License-Identifier: MIT */
/* Unpacks compressed inputs in a thread, next to the reader of their contents. */
#ifndef RA_UNPACK_H
#define RA_UNPACK_H

#include <stddef.h>

#include "format/error.h"

struct ra_unpack;
struct ra_unpack_kind;

/* The compression of a file that begins with these bytes; NULL: none of this folder. It never finds
 * gzip, which the readers unpack themselves. */
const struct ra_unpack_kind *ra_unpack_find(const void *head, size_t count);

/* The length of a name's suffix that compressed files have: 4 of "x.json.zst"; 0: it has none. */
size_t ra_unpack_suffix(const char *name, size_t length);

/* Where the packed bytes come from. */
struct ra_unpack_source {
	int fd;
	const void *head; /* the bytes already read from fd; borrowed */
	size_t count;
};

/*
 * Starts to unpack a source.
 *
 * @kind: found from the source's head.
 * @source: its fd passes to the callee, also on failure; its head is copied.
 * @out_fd: gets the fd to read the unpacked bytes from. The caller closes it, and need not read
 * all.
 * Return: 0 and *out, for ra_unpack_finish(); -RLOG_E_NOT_A_LOG if the compression is not built in
 * or its library is missing; -RLOG_E_SYSTEM.
 */
int ra_unpack_start(struct ra_unpack **out, const struct ra_unpack_kind *kind,
                    const struct ra_unpack_source *source, int *out_fd, struct rlog_error *err);

/*
 * Waits for the thread and frees all. Call it only after closing out_fd.
 *
 * @err: what was wrong with the packed data, with the offset in them; not set if nothing was.
 * Return: 0, also if the reader stopped early; -RLOG_E_INFLATE, -RLOG_E_TRUNCATED, -RLOG_E_SYSTEM.
 */
int ra_unpack_finish(struct ra_unpack *unpack, struct rlog_error *err);

/*
 * Unpacks the first bytes of gzip data from their head.
 *
 * @text: room for `size` bytes.
 * Return: how many bytes were unpacked, at most `size`.
 */
size_t ra_unpack_peek_gzip(const void *head, size_t count, void *text, size_t size);

#endif
