/* SPDX-License-Identifier: MIT */
/* Archives as tar writes them (POSIX ustar). */
#ifndef RA_TAR_H
#define RA_TAR_H

#include "analyzer/io/outbuf.h"

/* What goes before a file of so many bytes. @name: 99 bytes at most. */
void ra_tar_begin(struct ra_outbuf *out, const char *name, uint64_t size);

/* What goes behind it. */
void ra_tar_end(struct ra_outbuf *out, uint64_t size);

/* What goes behind the last file. */
void ra_tar_finish(struct ra_outbuf *out);

#endif
