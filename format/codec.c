/* SPDX-License-Identifier: MIT */
/* Compression and checksums by libdeflate or zlib; each can read what the other writes. */
#include "config.h"

#include "format/codec.h"

#include <stdlib.h>
#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#else
#include <zlib.h>
#endif

#include "format/error.h"

#ifdef HAVE_LIBDEFLATE

struct rlog_codec_deflater {
	struct libdeflate_compressor *state; /* owned */
};

struct rlog_codec_inflater {
	struct libdeflate_decompressor *state; /* owned */
};

int rlog_codec_create_deflater(struct rlog_codec_deflater **out, int level)
{
	struct rlog_codec_deflater *const deflater = calloc(1, sizeof(*deflater));

	*out = NULL;
	if (!deflater) {
		return -RLOG_E_NO_MEMORY;
	}
	deflater->state = libdeflate_alloc_compressor(level);
	if (!deflater->state) {
		free(deflater);
		return -RLOG_E_NO_MEMORY;
	}
	*out = deflater;
	return 0;
}

void rlog_codec_destroy_deflater(struct rlog_codec_deflater *deflater)
{
	if (deflater) {
		libdeflate_free_compressor(deflater->state);
		free(deflater);
	}
}

size_t rlog_codec_deflate(struct rlog_codec_deflater *deflater, const void *raw, size_t raw_bytes,
                          void *out, size_t capacity)
{
	return libdeflate_zlib_compress(deflater->state, raw, raw_bytes, out, capacity);
}

int rlog_codec_create_inflater(struct rlog_codec_inflater **out)
{
	struct rlog_codec_inflater *const inflater = calloc(1, sizeof(*inflater));

	*out = NULL;
	if (!inflater) {
		return -RLOG_E_NO_MEMORY;
	}
	inflater->state = libdeflate_alloc_decompressor();
	if (!inflater->state) {
		free(inflater);
		return -RLOG_E_NO_MEMORY;
	}
	*out = inflater;
	return 0;
}

void rlog_codec_destroy_inflater(struct rlog_codec_inflater *inflater)
{
	if (inflater) {
		libdeflate_free_decompressor(inflater->state);
		free(inflater);
	}
}

int rlog_codec_inflate(struct rlog_codec_inflater *inflater, const void *stored,
                       size_t stored_bytes, void *raw, size_t raw_bytes)
{
	size_t used = 0;
	size_t made = 0;

	if (libdeflate_zlib_decompress_ex(inflater->state, stored, stored_bytes, raw, raw_bytes,
	                                  &used, &made) != LIBDEFLATE_SUCCESS) {
		return -RLOG_E_INFLATE;
	}
	return used == stored_bytes && made == raw_bytes ? 0 : -RLOG_E_INFLATE;
}

uint32_t rlog_codec_crc(const void *bytes, size_t count)
{
	return libdeflate_crc32(0, bytes, count);
}

uint32_t rlog_codec_crc_add(uint32_t crc, const void *bytes, size_t count)
{
	return libdeflate_crc32(crc, bytes, count);
}

#else /* without libdeflate: zlib */

struct rlog_codec_deflater {
	z_stream stream;
};

struct rlog_codec_inflater {
	z_stream stream;
};

int rlog_codec_create_deflater(struct rlog_codec_deflater **out, int level)
{
	struct rlog_codec_deflater *const deflater = calloc(1, sizeof(*deflater));

	*out = NULL;
	if (!deflater) {
		return -RLOG_E_NO_MEMORY;
	}
	if (deflateInit(&deflater->stream, level) != Z_OK) {
		free(deflater);
		return -RLOG_E_NO_MEMORY;
	}
	*out = deflater;
	return 0;
}

void rlog_codec_destroy_deflater(struct rlog_codec_deflater *deflater)
{
	if (deflater) {
		(void) deflateEnd(&deflater->stream);
		free(deflater);
	}
}

size_t rlog_codec_deflate(struct rlog_codec_deflater *deflater, const void *raw, size_t raw_bytes,
                          void *out, size_t capacity)
{
	z_stream *const stream = &deflater->stream;

	if (deflateReset(stream) != Z_OK) {
		return 0;
	}
	stream->next_in = (z_const Bytef *) raw;
	stream->avail_in = (uInt) raw_bytes;
	stream->next_out = out;
	stream->avail_out = (uInt) capacity;
	return deflate(stream, Z_FINISH) == Z_STREAM_END ? capacity - stream->avail_out : 0;
}

int rlog_codec_create_inflater(struct rlog_codec_inflater **out)
{
	struct rlog_codec_inflater *const inflater = calloc(1, sizeof(*inflater));

	*out = NULL;
	if (!inflater) {
		return -RLOG_E_NO_MEMORY;
	}
	if (inflateInit(&inflater->stream) != Z_OK) {
		free(inflater);
		return -RLOG_E_NO_MEMORY;
	}
	*out = inflater;
	return 0;
}

void rlog_codec_destroy_inflater(struct rlog_codec_inflater *inflater)
{
	if (inflater) {
		(void) inflateEnd(&inflater->stream);
		free(inflater);
	}
}

int rlog_codec_inflate(struct rlog_codec_inflater *inflater, const void *stored,
                       size_t stored_bytes, void *raw, size_t raw_bytes)
{
	z_stream *const stream = &inflater->stream;

	if (inflateReset(stream) != Z_OK) {
		return -RLOG_E_INFLATE;
	}
	stream->next_in = (z_const Bytef *) stored;
	stream->avail_in = (uInt) stored_bytes;
	stream->next_out = raw;
	stream->avail_out = (uInt) raw_bytes;
	if (inflate(stream, Z_FINISH) != Z_STREAM_END) {
		return -RLOG_E_INFLATE;
	}
	return stream->avail_in == 0 && stream->avail_out == 0 ? 0 : -RLOG_E_INFLATE;
}

uint32_t rlog_codec_crc(const void *bytes, size_t count)
{
	return (uint32_t) crc32_z(0, bytes, count);
}

uint32_t rlog_codec_crc_add(uint32_t crc, const void *bytes, size_t count)
{
	return (uint32_t) crc32_z(crc, bytes, count);
}

#endif
