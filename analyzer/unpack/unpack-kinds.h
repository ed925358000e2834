/* SPDX-License-Identifier: MIT */
/* Describes what unpack.c needs of a compression: one kind per file of this folder. */
#ifndef RA_UNPACK_KINDS_H
#define RA_UNPACK_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The input that is not taken yet, and the room that is not filled yet. */
struct ra_unpack_step {
	const uint8_t *in;
	size_t in_count;
	uint8_t *out;
	size_t out_room;
};

enum ra_unpack_state {
	RA_UNPACK_MORE, /* it took or gave bytes, or it needs more input */
	RA_UNPACK_END,  /* the packed data are complete; what follows them is not taken */
	RA_UNPACK_DAMAGED,
	RA_UNPACK_REFUSED, /* it is a variant that is not read */
};

struct ra_unpack_kind {
	const char *name;    /* "zstd" */
	const char *command; /* unpacks to standard output; the file's name follows */
	const char *suffix;  /* ".zst" */
	bool has_tail;       /* other data follow the packed data, as the directory of a zip */
	bool (*probe)(const uint8_t *head, size_t count);
	/* The same for packed data that follow others; NULL: as probe. */
	bool (*probe_next)(const uint8_t *head, size_t count);
	/* Makes a state. Context: one thread, as it may load a library. On NULL *why says why, as a
	 * string that lives on. The pointer itself is NULL if the kind is not built in. */
	void *(*create)(const char **why);
	/* Unpacks some more. @why: set if the data are damaged. Needs no lock, because only the
	 * caller uses the state. */
	enum ra_unpack_state (*step)(void *state, struct ra_unpack_step *step, const char **why);
	/* Begins anew after RA_UNPACK_END. */
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
