/* SPDX-License-Identifier: MIT */
/* Describes what unpack.c needs from a compression. Each file of this folder defines one kind. */
#ifndef RA_UNPACK_KINDS_H
#define RA_UNPACK_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The packed bytes that are not taken yet, and the room that is not filled yet. */
struct ra_unpack_step {
	const uint8_t *in;
	size_t in_count;
	uint8_t *out;
	size_t out_room;
};

enum ra_unpack_state {
	RA_UNPACK_MORE, /* step() took or gave bytes, or it needs more packed bytes */
	RA_UNPACK_END,  /* the packed data are complete; the bytes after them are not taken */
	RA_UNPACK_DAMAGED,
	RA_UNPACK_REFUSED, /* the data are of a variant that is not supported */
};

struct ra_unpack_kind {
	const char *name;    /* such as "zstd" */
	const char *command; /* command that unpacks to standard output; the file's name follows */
	const char *suffix;  /* such as ".zst" */
	/* other data follow the packed data, such as the directory of a zip archive */
	bool has_tail;
	bool (*probe)(const uint8_t *head, size_t count);
	/* The same for packed data that follow packed data; NULL: use probe. */
	bool (*probe_next)(const uint8_t *head, size_t count);
	/* Makes a state. Context: one thread, because it may load a library. Return: NULL: *why
	 * tells why, a text that stays valid. The function pointer is NULL if the kind was not
	 * built in. */
	void *(*create)(const char **why);
	/* Unpacks some more bytes. @why: set if the data are damaged. Needs no lock, because only
	 * the caller uses the state. */
	enum ra_unpack_state (*step)(void *state, struct ra_unpack_step *step, const char **why);
	/* Prepares the state for packed data that follow, after RA_UNPACK_END. */
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
