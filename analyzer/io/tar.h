/* SPDX-License-Identifier: MIT */
/* tar archives (POSIX ustar). */
#ifndef RA_TAR_H
#define RA_TAR_H

#include "analyzer/io/outbuf.h"

/* Writes the header of a file of `size` bytes. @name: 99 bytes at most. */
void ra_tar_begin(struct ra_outbuf *out, const char *name, uint64_t size);

/* Writes the padding after the file. */
void ra_tar_end(struct ra_outbuf *out, uint64_t size);

/* Writes the end of the archive. */
void ra_tar_finish(struct ra_outbuf *out);

#endif
