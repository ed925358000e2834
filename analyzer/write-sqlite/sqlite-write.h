/* SPDX-License-Identifier: MIT */
/* A model as an SQLite file of nsys' schema. */
#ifndef RA_SQLITE_WRITE_H
#define RA_SQLITE_WRITE_H

#include "analyzer/names/labels.h"

/*
 * Writes the model to a file that is empty or not there.
 *
 * @left_out: gets how many things the schema has no place for. Return: 0, or an errno.
 */
int ra_sqlite_write(const struct ra_model *model, const struct ra_labels_options *names,
                    const char *path, uint64_t *left_out);

#endif
