/* SPDX-License-Identifier: MIT */
/* Writes a model as an SQLite file with nsys' schema. */
#include "analyzer/write-sqlite/sqlite-write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/model/model-rows.h"
#include "analyzer/model/walk.h"
#include "analyzer/write-sqlite/sqlite.h"

/* Readers that use doubles can't hold larger numbers exactly. */
#define EXACT_NS (INT64_C(1) << 53)

/* How much to add to times. A model made from an export keeps the times of the export. Times of
 * other inputs count from the start of the capture. */
static int64_t find_shift(const struct ra_model *m)
{
	const int64_t shift_ns = -m->origin_ns;
	int64_t end_ns;

	return m->origin_ns > -EXACT_NS && m->origin_ns < EXACT_NS &&
	                       !__builtin_add_overflow(m->end_ns, shift_ns, &end_ns) &&
	                       end_ns < EXACT_NS
	               ? shift_ns
	               : 0;
}

static uint64_t count_regions(const struct ra_gpu *gpu)
{
	uint64_t count = 0;

	for (size_t i = 0; i < gpu->memory_count; i++) {
		count += gpu->memories[i].is_region;
	}
	return count;
}

static uint64_t count_holds(const struct ra_model *m)
{
	uint64_t count = 0;

	for (size_t i = 0; m->walk != NULL && i < m->sync_object_count; i++) {
		count += m->sync_objects[i].holds;
	}
	for (size_t i = 0; i < m->sync_time_count; i++) {
		count += m->sync_times[i].kind == RA_SYNC_HOLD;
	}
	return count;
}

static uint64_t count_queued(const struct ra_gpu *gpu)
{
	uint64_t count = 0;

	for (size_t i = 0; i < gpu->op_count; i++) {
		count += gpu->ops[i].queued_ns != 0;
	}
	return count;
}

static void find_left_out(const struct ra_model *m, struct ra_sqlite_left_out *out)
{
	static const struct ra_totals none = { 0 };
	const struct ra_totals *passed = m->walk != NULL ? m->totals : &none;
	const struct {
		const char *what;
		uint64_t count;
	} lacks[] = {
		{ "counter values", m->sample_count },
		{ "structured payloads",
		  m->slice_data.count + m->mark_data.count + passed->data_count },
		{ "batches and deferred events", m->call_count },
		{ "hand-offs", m->handoff_count + passed->handoff_count },
		{ "regions of memory", count_regions(&m->gpu) },
		{ "sections of kernels", m->gpu.section_count },
		{ "holds of locks", count_holds(m) },
		{ "times in the driver's queue", count_queued(&m->gpu) },
		{ "memory records of PyTorch", ra_model_rows_count(m, RA_KINETO_MEMORY) },
		{ "arguments of events", ra_model_has(m, RA_HAS_ROWS) ? m->kineto->count : 0 },
	};
	size_t length = 0;

	*out = (struct ra_sqlite_left_out){ 0 };
	for (size_t i = 0; i < sizeof(lacks) / sizeof(lacks[0]); i++) {
		if (lacks[i].count > 0 && length < sizeof(out->list)) {
			length += (size_t) snprintf(out->list + length, sizeof(out->list) - length,
			                            "%s%s (%" PRIu64 ")", length > 0 ? ", " : "",
			                            lacks[i].what, lacks[i].count);
		}
		out->count += lacks[i].count;
	}
}

static void prepare(struct ra_sqlite *sqlite, const struct ra_labels_options *names)
{
	const struct ra_model *m = sqlite->model;

	sqlite->texts.table = ra_sqlite_long_table(sqlite, &ra_sqlite_tables_strings);
	sqlite->texts.of_name = ra_alloc_zeros(m->name_count + 1, sizeof(*sqlite->texts.of_name));
	sqlite->texts.of_label = ra_alloc_zeros(m->name_count + 1, sizeof(*sqlite->texts.of_label));
	ra_sqlite_ids_find(sqlite);
	ra_labels_init(&sqlite->labels, m, names);
}

/* Writes everything. Return: the database, open and complete. */
static struct ra_sqlite_db write_tables(const struct ra_model *model,
                                        const struct ra_labels_options *names, const char *path)
{
	struct ra_sqlite sqlite = { .model = model, .shift_ns = find_shift(model) };

	ra_sqlite_db_open(&sqlite.db, path);
	prepare(&sqlite, names);
	ra_sqlite_table_create(&sqlite.texts.table);
	ra_sqlite_nvtx_put(&sqlite);
	ra_sqlite_calls_put(&sqlite);
	ra_sqlite_gpu_put(&sqlite);
	ra_sqlite_facts_put(&sqlite);
	ra_sqlite_texts_fini(&sqlite.texts);
	(void) ra_sqlite_db_commit(&sqlite.db);
	ra_labels_fini(&sqlite.labels);
	free(sqlite.kernel_names);
	free(sqlite.pids);
	free(sqlite.tids);
	return sqlite.db;
}

int ra_sqlite_write(const struct ra_model *model, const struct ra_labels_options *names,
                    const char *path, struct ra_sqlite_left_out *left_out)
{
	struct ra_sqlite_db db = write_tables(model, names, path);

	find_left_out(model, left_out);
	return ra_sqlite_db_end(&db);
}

int ra_sqlite_write_private(const struct ra_model *model, struct sqlite3 **db)
{
	static const struct ra_labels_options names = { 0 };
	struct ra_sqlite_db made = write_tables(model, &names, "");

	*db = made.handle;
	if (made.code != 0) {
		(void) ra_sqlite_db_end(&made);
		*db = NULL;
	}
	return made.code;
}
