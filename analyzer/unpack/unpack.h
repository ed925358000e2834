/* SPDX-License-Identifier: MIT */
/* Unpacks compressed inputs in a thread, while another thread reads their contents. */
#ifndef RA_UNPACK_H
#define RA_UNPACK_H

#include <stddef.h>

#include "format/error.h"

struct ra_unpack;
struct ra_unpack_kind;

/* Finds the compression of a file by its first bytes; NULL: it is none of this folder. gzip is
 * never found, because readers unpack it themselves. */
const struct ra_unpack_kind *ra_unpack_find(const void *head, size_t count);

/* The length of the suffix of a compressed file's name: 4 for "x.json.zst"; 0: it has no such
 * suffix. */
size_t ra_unpack_suffix(const char *name, size_t length);

/* The source of the packed bytes. */
struct ra_unpack_source {
	int fd;
	const void *head; /* the bytes already read from fd; borrowed */
	size_t count;
};

/*
 * Starts to unpack a source.
 *
 * @kind: found from the source's head.
 * @source: the callee gets ownership of its fd, even on failure; its head is copied.
 * @out_fd: gets the fd from which to read the unpacked bytes. The caller closes it, and need not
 * read everything.
 * Return: 0 and *out, to be freed by ra_unpack_finish(); -RLOG_E_NOT_A_LOG if the compression is
 * not built in or its library is missing; -RLOG_E_SYSTEM.
 */
int ra_unpack_start(struct ra_unpack **out, const struct ra_unpack_kind *kind,
                    const struct ra_unpack_source *source, int *out_fd, struct rlog_error *err);

/*
 * Waits for the thread and frees everything. Call it only after closing out_fd.
 *
 * @err: what was wrong with the packed data, with the offset in them; not set if nothing was.
 * Return: 0, even if the reader stopped early; -RLOG_E_INFLATE, -RLOG_E_TRUNCATED, -RLOG_E_SYSTEM.
 */
int ra_unpack_finish(struct ra_unpack *unpack, struct rlog_error *err);

/*
 * Unpacks the first bytes of gzip data from the head of the data.
 *
 * @text: has room for `size` bytes.
 * Return: the number of unpacked bytes, at most `size`.
 */
size_t ra_unpack_peek_gzip(const void *head, size_t count, void *text, size_t size);

#endif
