/* SPDX-License-Identifier: MIT */
/* Writes nsys' schema: declarations shared by the files of this folder. */
#ifndef RA_SQLITE_H
#define RA_SQLITE_H

#include "analyzer/base/util-map.h"
#include "analyzer/names/labels.h"
#include "analyzer/write-sqlite/sqlite-db.h"
#include "analyzer/write-sqlite/sqlite-tables.h"

/* The table StringIds, which has each text once. */
struct ra_sqlite_texts {
	struct ra_sqlite_table table;
	struct rlog_string *texts; /* owned, with their bytes; by id */
	size_t count;
	size_t capacity;
	struct ra_util_map by_hash; /* hash of a text → id */
	uint32_t *of_name;          /* owned: by name of the model: id + 1; 0: not needed so far */
	/* owned: by name of the model: id + 1 of the label of the name; 0: not needed so far */
	uint32_t *of_label;
};

/* A kernel's name in the three forms that nsys has. Each is an id in StringIds. */
struct ra_sqlite_kernel_name {
	int64_t full;
	int64_t base;
	int64_t mangled; /* RA_SQLITE_NULL: unknown */
	bool is_known;
};

struct ra_sqlite {
	struct ra_sqlite_db db;
	const struct ra_model *model; /* borrowed */
	struct ra_labels labels;      /* owned; for ranges and marks */
	struct ra_sqlite_texts texts;
	struct ra_sqlite_kernel_name *kernel_names; /* owned: by name of the model */
	uint64_t *pids;                             /* owned: by process: its globalPid */
	uint64_t *tids;                             /* owned: by track: its globalTid */
	int64_t shift_ns; /* ns to add to the model's times to get the file's */
};

/* ---- sqlite-ids.c ---- */

/* Finds the globalPid of each process, and the globalTid of each track. */
void ra_sqlite_ids_find(struct ra_sqlite *sqlite);

/* The globalTid of a track. For RA_NONE, and for a track that is not a thread's, the globalPid of
 * the process. */
int64_t ra_sqlite_ids_of_track(const struct ra_sqlite *sqlite, uint32_t track);

/* The globalPid of the process that made an API call. For RA_NONE, that of the first process. */
int64_t ra_sqlite_ids_of_call(const struct ra_sqlite *sqlite, uint32_t api);

/* The pid or tid that such an id contains. */
int64_t ra_sqlite_ids_pid(uint64_t global_id);

/* ---- sqlite-texts.c ---- */

/* The id of a text in StringIds. */
int64_t ra_sqlite_texts_add(struct ra_sqlite *sqlite, struct rlog_string text);

/* The id of an unchanged name of the model; for name 0 the id of the empty text. */
int64_t ra_sqlite_texts_of_name(struct ra_sqlite *sqlite, uint32_t name);

/* The id of the label of a name of the model. */
int64_t ra_sqlite_texts_of_label(struct ra_sqlite *sqlite, uint32_t name);

void ra_sqlite_texts_fini(struct ra_sqlite_texts *texts);

/* ---- sqlite-nvtx.c, sqlite-gpu.c, sqlite-calls.c, sqlite-facts.c ---- */

void ra_sqlite_nvtx_put(struct ra_sqlite *sqlite);
void ra_sqlite_gpu_put(struct ra_sqlite *sqlite);
void ra_sqlite_calls_put(struct ra_sqlite *sqlite);
void ra_sqlite_facts_put(struct ra_sqlite *sqlite);

static inline struct ra_sqlite_table ra_sqlite_table(struct ra_sqlite *sqlite,
                                                     const struct ra_sqlite_definition *definition)
{
	return (struct ra_sqlite_table){ .db = &sqlite->db, .definition = definition };
}

/* Makes a table that may have as many rows as the input has events. */
static inline struct ra_sqlite_table ra_sqlite_long_table(
	struct ra_sqlite *sqlite, const struct ra_sqlite_definition *definition)
{
	return (struct ra_sqlite_table){ .db = &sqlite->db,
		                         .definition = definition,
		                         .is_long = true };
}

#endif
