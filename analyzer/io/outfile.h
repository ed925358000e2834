/* SPDX-License-Identifier: MIT */
/* An output file that is there whole or not at all. */
#ifndef RA_OUTFILE_H
#define RA_OUTFILE_H

#include <errno.h>
#include <stdbool.h>

#include "analyzer/io/outbuf.h"

/*
 * A regular file is written under another name in its folder and renamed at the end, so that a
 * failure leaves what was there before. Pipes and devices are written directly. One can be open at
 * a time: a signal that ends the program removes its unfinished file.
 */
struct ra_outfile {
	struct ra_outbuf buffer;
	int fd;
	char *path;      /* owned; where the bytes go; NULL: standard output */
	char *temp_path; /* owned; where they are until then; NULL: written directly */
};

/* What ra_outfile_open() and ra_outfile_commit() return for a target that is an input. */
#define RA_OUTFILE_IS_INPUT EEXIST

/*
 * Names a file that is read: by no name will an output replace it. Not for several threads at once.
 * What cannot be looked at is not protected.
 */
void ra_outfile_protect(const char *path);

/* Whether a file, by whatever name, is one of these. */
bool ra_outfile_is_protected(const char *path);

/*
 * Opens the output.
 *
 * @path: "-" is standard output; a name that ends in .gz is packed.
 * Return: 0, or an errno (nothing is left behind then).
 */
int ra_outfile_open(struct ra_outfile *file, const char *path);

/* Writes what is left and gives the file its name. Return: 0, or an errno (nothing is left behind
 * then). */
int ra_outfile_commit(struct ra_outfile *file);

/* Forgets the output and removes what was written. */
void ra_outfile_abandon(struct ra_outfile *file);

/* True if text ends with suffix. */
bool ra_outfile_has_suffix(const char *text, const char *suffix);

#endif
