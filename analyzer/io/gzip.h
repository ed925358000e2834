/* SPDX-License-Identifier: MIT */
/* Packs blocks of bytes into gzip members. */
#ifndef RA_GZIP_H
#define RA_GZIP_H

#include <stddef.h>

struct ra_gzip;

/* Makes a packer for blocks of up to block_bytes. */
struct ra_gzip *ra_gzip_create(size_t block_bytes);

/* NULL is allowed. */
void ra_gzip_destroy(struct ra_gzip *gzip);

/*
 * Packs one block into one gzip member. Concatenated members unpack to the concatenated blocks.
 *
 * Return: the member, valid until the next call or destroy; NULL if there is no memory.
 */
const char *ra_gzip_member(struct ra_gzip *gzip, const char *bytes, size_t count,
                           size_t *member_count);

#endif
