/* SPDX-License-Identifier: MIT */
/* A model as an SQLite file of nsys' schema. */
#ifndef RA_SQLITE_WRITE_H
#define RA_SQLITE_WRITE_H

#include "analyzer/names/labels.h"

/* What the schema has no place for. */
struct ra_sqlite_left_out {
	uint64_t count;
	char list[240]; /* "counter values (3), regions of memory (1)", as much of it as there is
	                   room */
};

/*
 * Writes the model to a file that is empty or not there.
 *
 * Return: 0, or an errno.
 */
int ra_sqlite_write(const struct ra_model *model, const struct ra_labels_options *names,
                    const char *path, struct ra_sqlite_left_out *left_out);

struct sqlite3;

/*
 * The same in a database of SQLite's own, which lies in its cache and where that is full in a file
 * in TMPDIR that has no name.
 *
 * Return: 0 and *db, to be closed by sqlite's close(); an errno.
 */
int ra_sqlite_write_private(const struct ra_model *model, struct sqlite3 **db);

#endif
