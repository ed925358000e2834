/* SPDX-License-Identifier: MIT */
/* Unpacks zstd (RFC 8878), with libzstd. */
#include "config.h"

#include "analyzer/unpack/unpack-kinds.h"

#ifdef HAVE_ZSTD
#include <zstd.h>

#include "analyzer/base/library.h"

struct library {
	ZSTD_DCtx *(*createDCtx)(void);
	size_t (*freeDCtx)(ZSTD_DCtx *context);
	size_t (*decompressStream)(ZSTD_DCtx *context, ZSTD_outBuffer *out, ZSTD_inBuffer *in);
	unsigned (*isError)(size_t code);
	const char *(*getErrorName)(size_t code);
};

#define CALL(call) RA_LIBRARY_CALL(struct library, ZSTD_, call)

static const struct ra_library_call calls[] = {
	CALL(createDCtx), CALL(freeDCtx), CALL(decompressStream), CALL(isError), CALL(getErrorName),
};

static struct library library;

static void *create(const char **why)
{
	void *context;

	if (library.createDCtx == NULL &&
	    !ra_library_load(ZSTD_SONAME, calls, sizeof(calls) / sizeof(calls[0]), &library, why)) {
		library.createDCtx = NULL;
		return NULL;
	}
	context = library.createDCtx();
	*why = "no memory";
	return context;
}

static enum ra_unpack_state step(void *state, struct ra_unpack_step *step, const char **why)
{
	ZSTD_inBuffer in = { step->in, step->in_count, 0 };
	ZSTD_outBuffer out = { step->out, step->out_room, 0 };
	const size_t code = library.decompressStream(state, &out, &in);

	step->in += in.pos;
	step->in_count -= in.pos;
	step->out += out.pos;
	step->out_room -= out.pos;
	if (library.isError(code)) {
		*why = library.getErrorName(code);
		return RA_UNPACK_DAMAGED;
	}
	return code == 0 ? RA_UNPACK_END : RA_UNPACK_MORE;
}

/* Does nothing, because the library begins the next frame by itself. */
static bool reset(void *state)
{
	(void) state;
	return true;
}

static void destroy(void *state)
{
	library.freeDCtx(state);
}

#else

static void *create(const char **why)
{
	*why = "it was built without libzstd";
	return NULL;
}

#endif

/* True for a frame, or for a skippable frame, which parallel packers write first. */
static bool probe(const uint8_t *head, size_t count)
{
	return count >= 4 &&
	       ((head[0] == 0x28 && head[1] == 0xB5 && head[2] == 0x2F && head[3] == 0xFD) ||
	        ((head[0] & 0xF0) == 0x50 && head[1] == 0x2A && head[2] == 0x4D &&
	         head[3] == 0x18));
}

const struct ra_unpack_kind ra_unpack_zstd = {
	.name = "zstd",
	.command = "zstd -dc",
	.suffix = ".zst",
	.probe = probe,
	.create = create,
#ifdef HAVE_ZSTD
	.step = step,
	.reset = reset,
	.destroy = destroy,
#endif
};
