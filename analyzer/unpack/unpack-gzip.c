/* SPDX-License-Identifier: MIT */
/* Unpacks logs in gzip (RFC 1952), with zlib. Readers of other inputs unpack gzip themselves. */
#include "analyzer/unpack/unpack-kinds.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/unpack/unpack.h"
#include "format/wire.h"

#define WITH_HEADER (15 + 16) /* the largest window, with gzip's header (zlib.h) */

static void *create(const char **why)
{
	z_stream *stream = ra_alloc_zeros(1, sizeof(*stream));

	*why = "no memory";
	if (inflateInit2(stream, WITH_HEADER) != Z_OK) {
		free(stream);
		return NULL;
	}
	return stream;
}

static enum ra_unpack_state step(void *state, struct ra_unpack_step *step, const char **why)
{
	z_stream *stream = state;
	const uInt most = 1u << 30;
	int code;

	stream->next_in = (Bytef *) step->in;
	stream->avail_in = step->in_count < most ? (uInt) step->in_count : most;
	stream->next_out = step->out;
	stream->avail_out = step->out_room < most ? (uInt) step->out_room : most;
	code = inflate(stream, Z_NO_FLUSH);
	step->in_count -= (size_t) (stream->next_in - step->in);
	step->in = stream->next_in;
	step->out_room -= (size_t) (stream->next_out - step->out);
	step->out = stream->next_out;
	switch (code) {
	case Z_STREAM_END:
		return RA_UNPACK_END;
	case Z_OK:
	case Z_BUF_ERROR: /* it needs packed bytes or room, which is no error */
		return RA_UNPACK_MORE;
	default:
		*why = stream->msg != NULL ? stream->msg : "no memory";
		return RA_UNPACK_DAMAGED;
	}
}

static bool reset(void *state)
{
	return inflateReset(state) == Z_OK;
}

static void destroy(void *state)
{
	(void) inflateEnd(state);
	free(state);
}

static bool is_gzip(const uint8_t *head, size_t count)
{
	return count >= 3 && head[0] == 0x1F && head[1] == 0x8B && head[2] == Z_DEFLATED;
}

/* The first members may be empty. Damage ends the loop; the bytes before the damage are given. */
size_t ra_unpack_peek_gzip(const void *head, size_t count, void *text, size_t size)
{
	z_stream stream = { 0 };
	size_t given;
	int code = Z_STREAM_END;

	if (inflateInit2(&stream, WITH_HEADER) != Z_OK) {
		return 0;
	}
	stream.next_in = (z_const Bytef *) head;
	stream.avail_in = (uInt) count;
	stream.next_out = text;
	stream.avail_out = (uInt) size;
	while (code == Z_STREAM_END && stream.avail_out > 0 &&
	       is_gzip(stream.next_in, stream.avail_in) && inflateReset(&stream) == Z_OK) {
		code = inflate(&stream, Z_SYNC_FLUSH);
	}
	given = size - stream.avail_out;
	(void) inflateEnd(&stream);
	return given;
}

static bool probe(const uint8_t *head, size_t count)
{
	uint8_t first[RLOG_MARKER_BYTES] = { 0 };

	return is_gzip(head, count) &&
	       ra_unpack_peek_gzip(head, count, first, sizeof(first)) == sizeof(first) &&
	       memcmp(first, RLOG_MARKER, sizeof(first)) == 0;
}

const struct ra_unpack_kind ra_unpack_gzip = {
	.name = "gzip",
	.command = "gzip -dc",
	.suffix = ".gz",
	.probe = probe,
	.probe_next = is_gzip,
	.create = create,
	.step = step,
	.reset = reset,
	.destroy = destroy,
};
