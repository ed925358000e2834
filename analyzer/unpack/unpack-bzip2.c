/* SPDX-License-Identifier: MIT */
/* Unpacks bzip2, with libbz2. */
#include "config.h"

#include "analyzer/unpack/unpack-kinds.h"

#ifdef HAVE_BZIP2
#include <bzlib.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/library.h"

struct library {
	int (*DecompressInit)(bz_stream *stream, int verbosity, int small);
	int (*Decompress)(bz_stream *stream);
	int (*DecompressEnd)(bz_stream *stream);
};

#define CALL(call) RA_LIBRARY_CALL(struct library, BZ2_bz, call)

static const struct ra_library_call calls[] = { CALL(DecompressInit), CALL(Decompress),
	                                        CALL(DecompressEnd) };

static struct library library;

static void *create(const char **why)
{
	bz_stream *stream;

	if (library.Decompress == NULL &&
	    !ra_library_load(BZIP2_SONAME, calls, sizeof(calls) / sizeof(calls[0]), &library,
	                     why)) {
		library.Decompress = NULL;
		return NULL;
	}
	stream = ra_alloc_zeros(1, sizeof(*stream));
	if (library.DecompressInit(stream, 0, 0) != BZ_OK) {
		free(stream);
		*why = "no memory";
		return NULL;
	}
	return stream;
}

static bool reset(void *state)
{
	static const bz_stream none;
	bz_stream *stream = state;

	library.DecompressEnd(stream);
	*stream = none;
	return library.DecompressInit(stream, 0, 0) == BZ_OK;
}

static enum ra_unpack_state step(void *state, struct ra_unpack_step *step, const char **why)
{
	bz_stream *stream = state;
	char *in;
	int code;

	/* the library does not write to it, although its type is not const */
	memcpy(&in, &step->in, sizeof(in));
	stream->next_in = in;
	stream->avail_in = (unsigned) step->in_count;
	stream->next_out = (char *) step->out;
	stream->avail_out = (unsigned) step->out_room;
	code = library.Decompress(stream);
	step->in += step->in_count - stream->avail_in;
	step->in_count = stream->avail_in;
	step->out += step->out_room - stream->avail_out;
	step->out_room = stream->avail_out;
	if (code == BZ_STREAM_END) {
		return RA_UNPACK_END;
	}
	*why = code == BZ_MEM_ERROR ? "no memory" : "they don't match their checksums";
	return code == BZ_OK ? RA_UNPACK_MORE : RA_UNPACK_DAMAGED;
}

static void destroy(void *state)
{
	library.DecompressEnd(state);
	free(state);
}

#else

static void *create(const char **why)
{
	*why = "it was built without libbz2";
	return NULL;
}

#endif

/* Checks the block size, which is a digit, and the marker of the first block or of the end. */
static bool probe(const uint8_t *head, size_t count)
{
	return count >= 6 && head[0] == 'B' && head[1] == 'Z' && head[2] == 'h' && head[3] >= '1' &&
	       head[3] <= '9' &&
	       ((head[4] == 0x31 && head[5] == 0x41) || (head[4] == 0x17 && head[5] == 0x72));
}

const struct ra_unpack_kind ra_unpack_bzip2 = {
	.name = "bzip2",
	.command = "bzip2 -dc",
	.suffix = ".bz2",
	.probe = probe,
	.create = create,
#ifdef HAVE_BZIP2
	.step = step,
	.reset = reset,
	.destroy = destroy,
#endif
};
