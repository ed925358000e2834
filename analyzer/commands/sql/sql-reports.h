/* SPDX-License-Identifier: MIT */
/* Tables that reports add to a database for queries: ranges and steps. */
#ifndef RA_SQL_REPORTS_H
#define RA_SQL_REPORTS_H

#include "analyzer/model/model.h"

struct ra_sqlite_library;
struct sqlite3;

/*
 * Adds two tables. `ranges` has the rows of the report "ranges"; `steps` has the rows of the report
 * "overview", with each step's start and end. A table is added only if the statement contains its
 * name.
 *
 * @statement: NULL: adds both.
 * Return: false: sqlite's errmsg has the reason. Context: before ra_query_begin().
 */
bool ra_sql_reports_add(const struct ra_sqlite_library *sqlite, struct sqlite3 *db,
                        const struct ra_model *model, const char *statement);

#endif
