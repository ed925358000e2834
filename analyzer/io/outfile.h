/* SPDX-License-Identifier: MIT */
/* An output file that appears whole or not at all. */
#ifndef RA_OUTFILE_H
#define RA_OUTFILE_H

#include <errno.h>
#include <stdbool.h>

#include "analyzer/io/outbuf.h"

/*
 * A regular file is written under another name in its folder and renamed at the end, so that a
 * failure leaves the old file as it was. Pipes and devices are written directly. Only one output
 * file can be open at a time: the one that is removed if a signal ends the program.
 */
struct ra_outfile {
	struct ra_outbuf buffer;
	int fd;
	char *path;      /* owned; the target; NULL: standard output */
	char *temp_path; /* owned; the unfinished file; NULL: the target is written directly */
};

/* Returned by ra_outfile_open() and ra_outfile_commit() for a target that is an input. */
#define RA_OUTFILE_IS_INPUT EEXIST

/*
 * Protects an input file: no output will replace it, whatever path names it. Context: one thread. A
 * file that stat() can't examine is not protected.
 */
void ra_outfile_protect(const char *path);

/* True if the path names one of the protected files, even by another name. */
bool ra_outfile_is_protected(const char *path);

/*
 * Opens the output.
 *
 * @path: "-" is standard output; if it ends in .gz, the output is packed.
 * Return: 0, or an errno (nothing is left behind then).
 */
int ra_outfile_open(struct ra_outfile *file, const char *path);

/* Writes the rest and gives the file its name. Return: 0, or an errno (nothing is left behind
 * then). */
int ra_outfile_commit(struct ra_outfile *file);

/* Closes the output and removes what was written. */
void ra_outfile_abandon(struct ra_outfile *file);

/* True if `text` ends with `suffix`. */
bool ra_outfile_has_suffix(const char *text, const char *suffix);

#endif
