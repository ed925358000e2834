/* SPDX-License-Identifier: MIT */
/* Packs blocks of bytes into gzip members. */
#include "config.h"

#include "analyzer/io/gzip.h"

#include <stdlib.h>

#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#else
#include <zlib.h>
#endif

#include "analyzer/base/alloc.h"

/* The fastest level. It makes JSON of ranges 6 times smaller, the slowest level 8 times. */
#define LEVEL 1

#ifdef HAVE_LIBDEFLATE

struct ra_gzip {
	struct libdeflate_compressor *compressor; /* owned */
	char *member;                             /* owned */
	size_t member_bytes;
};

struct ra_gzip *ra_gzip_create(size_t block_bytes)
{
	struct ra_gzip *gzip = ra_alloc_zeros(1, sizeof(*gzip));

	gzip->compressor = libdeflate_alloc_compressor(LEVEL);
	if (gzip->compressor == NULL) {
		ra_alloc_end();
	}
	gzip->member_bytes = libdeflate_gzip_compress_bound(gzip->compressor, block_bytes);
	gzip->member = ra_alloc_bytes(gzip->member_bytes);
	return gzip;
}

void ra_gzip_destroy(struct ra_gzip *gzip)
{
	if (gzip != NULL) {
		libdeflate_free_compressor(gzip->compressor);
		free(gzip->member);
		free(gzip);
	}
}

const char *ra_gzip_member(struct ra_gzip *gzip, const char *bytes, size_t count,
                           size_t *member_count)
{
	*member_count = libdeflate_gzip_compress(gzip->compressor, bytes, count, gzip->member,
	                                         gzip->member_bytes);
	return *member_count > 0 ? gzip->member : NULL;
}

#else

struct ra_gzip {
	z_stream stream; /* zlib allocates and frees its own memory */
	char *member;    /* owned */
	size_t member_bytes;
};

struct ra_gzip *ra_gzip_create(size_t block_bytes)
{
	struct ra_gzip *gzip = ra_alloc_zeros(1, sizeof(*gzip));

	/* Adding 16 to the window's 15 bits asks for a gzip header; the header's time and name stay
	 * 0. */
	if (deflateInit2(&gzip->stream, LEVEL, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
	    Z_OK) {
		ra_alloc_end();
	}
	gzip->member_bytes = deflateBound(&gzip->stream, block_bytes);
	gzip->member = ra_alloc_bytes(gzip->member_bytes);
	return gzip;
}

void ra_gzip_destroy(struct ra_gzip *gzip)
{
	if (gzip != NULL) {
		deflateEnd(&gzip->stream);
		free(gzip->member);
		free(gzip);
	}
}

const char *ra_gzip_member(struct ra_gzip *gzip, const char *bytes, size_t count,
                           size_t *member_count)
{
	if (deflateReset(&gzip->stream) != Z_OK) {
		return NULL;
	}
	gzip->stream.next_in = (z_const Bytef *) bytes;
	gzip->stream.avail_in = (uInt) count;
	gzip->stream.next_out = (Bytef *) gzip->member;
	gzip->stream.avail_out = (uInt) gzip->member_bytes;
	if (deflate(&gzip->stream, Z_FINISH) != Z_STREAM_END) {
		return NULL;
	}
	*member_count = gzip->member_bytes - gzip->stream.avail_out;
	return gzip->member;
}

#endif
