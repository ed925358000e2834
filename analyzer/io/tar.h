/* SPDX-License-Identifier: MIT */
/* Writes tar archives (POSIX ustar). */
#ifndef RA_TAR_H
#define RA_TAR_H

#include "analyzer/io/outbuf.h"

/* Writes the header of a file of `size` bytes. @name: has at most 99 bytes. */
void ra_tar_begin(struct ra_outbuf *out, const char *name, uint64_t size);

/* Writes the padding after a file of `size` bytes. */
void ra_tar_end(struct ra_outbuf *out, uint64_t size);

/* Writes the end of the archive. */
void ra_tar_finish(struct ra_outbuf *out);

#endif
