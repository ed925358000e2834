/* SPDX-License-Identifier: MIT */
/* Writes a model as an SQLite file with nsys' schema. */
#ifndef RA_SQLITE_WRITE_H
#define RA_SQLITE_WRITE_H

#include "analyzer/names/labels.h"

/* The contents of a model for which the schema has no place. */
struct ra_sqlite_left_out {
	uint64_t count;
	char list[240]; /* such as "counter values (3), regions of memory (1)", as much as fits */
};

/*
 * Writes the model to a file that is empty or does not exist.
 *
 * Return: 0, or an errno.
 */
int ra_sqlite_write(const struct ra_model *model, const struct ra_labels_options *names,
                    const char *path, struct ra_sqlite_left_out *left_out);

struct sqlite3;

/*
 * Writes the model to a private database of SQLite. It is in SQLite's cache, and if that is full,
 * in an unnamed file in TMPDIR.
 *
 * Return: 0 and *db, which the caller closes with SQLite's close(); or an errno.
 */
int ra_sqlite_write_private(const struct ra_model *model, struct sqlite3 **db);

#endif
