/* SPDX-License-Identifier: MIT */
/* Unpacks xz, with liblzma. */
#include "config.h"

#include "analyzer/unpack/unpack-kinds.h"

#ifdef HAVE_LZMA
#include <lzma.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/library.h"

/* Of xz's presets, -9 needs the most memory for unpacking: 65 MiB. */
#define MEMORY_BYTES (UINT64_C(256) << 20)

struct library {
	lzma_ret (*stream_decoder)(lzma_stream *stream, uint64_t memory, uint32_t flags);
	lzma_ret (*code)(lzma_stream *stream, lzma_action action);
	void (*end)(lzma_stream *stream);
};

#define CALL(call) RA_LIBRARY_CALL(struct library, lzma_, call)

static const struct ra_library_call calls[] = { CALL(stream_decoder), CALL(code), CALL(end) };

static struct library library;

/* Initialises the decoder, for the first time or again: the library reuses the memory that it
 * has. */
static bool reset(void *state)
{
	return library.stream_decoder(state, MEMORY_BYTES, 0) == LZMA_OK;
}

static void destroy(void *state)
{
	library.end(state);
	free(state);
}

static void *create(const char **why)
{
	static const lzma_stream none = LZMA_STREAM_INIT;
	lzma_stream *stream;

	if (library.code == NULL &&
	    !ra_library_load(LZMA_SONAME, calls, sizeof(calls) / sizeof(calls[0]), &library, why)) {
		library.code = NULL;
		return NULL;
	}
	stream = ra_alloc_bytes(sizeof(*stream));
	*stream = none;
	if (!reset(stream)) {
		destroy(stream);
		*why = "no memory";
		return NULL;
	}
	return stream;
}

static enum ra_unpack_state step(void *state, struct ra_unpack_step *step, const char **why)
{
	lzma_stream *stream = state;
	lzma_ret code;

	stream->next_in = step->in;
	stream->avail_in = step->in_count;
	stream->next_out = step->out;
	stream->avail_out = step->out_room;
	code = library.code(stream, LZMA_RUN);
	step->in = stream->next_in;
	step->in_count = stream->avail_in;
	step->out = stream->next_out;
	step->out_room = stream->avail_out;
	switch (code) {
	case LZMA_OK:
	case LZMA_BUF_ERROR: /* it needs more packed bytes */
		return RA_UNPACK_MORE;
	case LZMA_STREAM_END:
		return RA_UNPACK_END;
	case LZMA_MEM_ERROR:
	case LZMA_MEMLIMIT_ERROR:
		*why = "they need more than 256 MiB to unpack";
		return RA_UNPACK_DAMAGED;
	case LZMA_OPTIONS_ERROR:
		*why = "options that liblzma does not know";
		return RA_UNPACK_DAMAGED;
	default:
		*why = "they don't match their checksums";
		return RA_UNPACK_DAMAGED;
	}
}

#else

static void *create(const char **why)
{
	*why = "it was built without liblzma";
	return NULL;
}

#endif

static bool probe(const uint8_t *head, size_t count)
{
	return count >= 6 && head[0] == 0xFD && head[1] == '7' && head[2] == 'z' &&
	       head[3] == 'X' && head[4] == 'Z' && head[5] == 0;
}

const struct ra_unpack_kind ra_unpack_xz = {
	.name = "xz",
	.command = "xz -dc",
	.suffix = ".xz",
	.probe = probe,
	.create = create,
#ifdef HAVE_LZMA
	.step = step,
	.reset = reset,
	.destroy = destroy,
#endif
};
