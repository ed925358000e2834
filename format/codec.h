/* SPDX-License-Identifier: MIT */
/* Compression and checksums: the zlib format and CRC-32, by libdeflate if present, else by zlib. */
#ifndef RLOG_CODEC_H
#define RLOG_CODEC_H

#include <stddef.h>
#include <stdint.h>

/* A deflater and an inflater keep their tables between calls. Use each in one thread at a time. */
struct rlog_codec_deflater;
struct rlog_codec_inflater;

/* Creates a deflater. @level: 1…9. Return: 0, -RLOG_E_NO_MEMORY. */
int rlog_codec_create_deflater(struct rlog_codec_deflater **out, int level);

/* Frees a deflater; NULL is allowed. */
void rlog_codec_destroy_deflater(struct rlog_codec_deflater *deflater);

/*
 * Compresses bytes into one zlib stream.
 *
 * Return: the stream's size; 0 if it does not fit in `capacity` (then the content of `out` is
 * undefined).
 */
size_t rlog_codec_deflate(struct rlog_codec_deflater *deflater, const void *raw, size_t raw_bytes,
                          void *out, size_t capacity);

/* Creates an inflater. Return: 0, -RLOG_E_NO_MEMORY. */
int rlog_codec_create_inflater(struct rlog_codec_inflater **out);

/* Frees an inflater; NULL is allowed. */
void rlog_codec_destroy_inflater(struct rlog_codec_inflater *inflater);

/*
 * Inflates one zlib stream. The stream must end where `stored` ends, and fill `raw` exactly.
 *
 * Return: 0, -RLOG_E_INFLATE.
 */
int rlog_codec_inflate(struct rlog_codec_inflater *inflater, const void *stored,
                       size_t stored_bytes, void *raw, size_t raw_bytes);

/* Computes the CRC-32 of bytes, as zlib's crc32() does. */
uint32_t rlog_codec_crc(const void *bytes, size_t count);

/* Continues a CRC with these bytes. A CRC of 0 is that of no bytes. */
uint32_t rlog_codec_crc_add(uint32_t crc, const void *bytes, size_t count);

#endif
