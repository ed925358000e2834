/* SPDX-License-Identifier: MIT */
/* What a compression is to unpack.c: a kind per file of this folder. */
#ifndef RA_UNPACK_KINDS_H
#define RA_UNPACK_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that were not taken yet, and room that was not filled yet. */
struct ra_unpack_step {
	const uint8_t *in;
	size_t in_count;
	uint8_t *out;
	size_t out_room;
};

enum ra_unpack_state {
	RA_UNPACK_MORE, /* it took or gave something, or needs more input */
	RA_UNPACK_END,  /* the packed data are complete; what follows was not taken */
	RA_UNPACK_DAMAGED,
	RA_UNPACK_REFUSED, /* it is of a kind that is not read */
};

struct ra_unpack_kind {
	const char *name;    /* "zstd" */
	const char *command; /* that unpacks to standard output, with the file's name behind it */
	const char *suffix;  /* ".zst" */
	bool has_tail;       /* something else follows the packed data, as the list of a zip */
	bool (*probe)(const uint8_t *head, size_t count);
	/* Likewise, of packed data behind others; NULL: probe. */
	bool (*probe_next)(const uint8_t *head, size_t count);
	/* Makes a state; from one thread, as it may load a library. NULL: *why says why not, in
	 * words that stay. The kind itself is NULL where it is not built in. */
	void *(*create)(const char **why);
	/* Goes on. @why: set where it is damaged. Needs no lock: the state is the caller's alone.
	 */
	enum ra_unpack_state (*step)(void *state, struct ra_unpack_step *step, const char **why);
	/* Begins anew after an end. */
	bool (*reset)(void *state);
	void (*destroy)(void *state);
};

extern const struct ra_unpack_kind ra_unpack_zstd;
extern const struct ra_unpack_kind ra_unpack_xz;
extern const struct ra_unpack_kind ra_unpack_bzip2;
extern const struct ra_unpack_kind ra_unpack_zip;
extern const struct ra_unpack_kind ra_unpack_gzip;
extern const struct ra_unpack_kind ra_unpack_lz4;
extern const struct ra_unpack_kind ra_unpack_7z;

#endif
