/* SPDX-License-Identifier: MIT */
/* The tables of nsys' schema that we write, and names for the numbers in them. */
#ifndef RA_SQLITE_TABLES_H
#define RA_SQLITE_TABLES_H

#include "analyzer/write-sqlite/sqlite-db.h"

/* The version of the schema; that of nsys 2026.1. */
#define RA_SQLITE_SCHEMA       "3.24.14"
#define RA_SQLITE_SCHEMA_MAJOR "3"
#define RA_SQLITE_SCHEMA_MINOR "24"
#define RA_SQLITE_SCHEMA_MICRO "14"

extern const struct ra_sqlite_definition ra_sqlite_tables_strings;
extern const struct ra_sqlite_definition ra_sqlite_tables_nvtx;
extern const struct ra_sqlite_definition ra_sqlite_tables_runtime;
extern const struct ra_sqlite_definition ra_sqlite_tables_kernel;
extern const struct ra_sqlite_definition ra_sqlite_tables_copy;
extern const struct ra_sqlite_definition ra_sqlite_tables_set;
extern const struct ra_sqlite_definition ra_sqlite_tables_graph;
extern const struct ra_sqlite_definition ra_sqlite_tables_sync;
extern const struct ra_sqlite_definition ra_sqlite_tables_overhead;
extern const struct ra_sqlite_definition ra_sqlite_tables_memory;
extern const struct ra_sqlite_definition ra_sqlite_tables_os;
extern const struct ra_sqlite_definition ra_sqlite_tables_threads;
extern const struct ra_sqlite_definition ra_sqlite_tables_processes;
extern const struct ra_sqlite_definition ra_sqlite_tables_gpu;
extern const struct ra_sqlite_definition ra_sqlite_tables_device;
extern const struct ra_sqlite_definition ra_sqlite_tables_start;
extern const struct ra_sqlite_definition ra_sqlite_tables_details;
extern const struct ra_sqlite_definition ra_sqlite_tables_diagnostic;
extern const struct ra_sqlite_definition ra_sqlite_tables_meta;
/* Tables that nsys does not have: */
extern const struct ra_sqlite_definition ra_sqlite_tables_capture;
extern const struct ra_sqlite_definition ra_sqlite_tables_open;

/* A row of an ENUM_… table: a number and its name. */
struct ra_sqlite_word {
	int64_t id;
	const char *name;
	const char *label;
};

struct ra_sqlite_words {
	const char *table;
	const struct ra_sqlite_word *words;
	size_t count;
};

/* All ENUM_… tables. */
const struct ra_sqlite_words *ra_sqlite_tables_words(size_t *count);

#endif
