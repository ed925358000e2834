/* SPDX-License-Identifier: MIT */
/* Tables of a database for queries that reports make: ranges and steps. */
#ifndef RA_SQL_REPORTS_H
#define RA_SQL_REPORTS_H

#include "analyzer/model/model.h"

struct ra_sqlite_library;
struct sqlite3;

/*
 * Adds the tables `ranges`, the rows of the report ranges, and `steps`, those of overview with the
 * step's start and end, each if the statement has its name in it.
 *
 * @statement: NULL: adds both.
 * Return: false: sqlite's errmsg has the reason. Context: before ra_query_begin().
 */
bool ra_sql_reports_add(const struct ra_sqlite_library *sqlite, struct sqlite3 *db,
                        const struct ra_model *model, const char *statement);

#endif
