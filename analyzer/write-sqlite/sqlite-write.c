/* SPDX-License-Identifier: MIT */
/* A model as an SQLite file of nsys' schema. */
#include "analyzer/write-sqlite/sqlite-write.h"

#include <errno.h>
#include <stdlib.h>

#include "analyzer/write-sqlite/sqlite.h"

/* Numbers of more bits are not exact for readers that count in doubles. */
#define EXACT_NS (INT64_C(1) << 53)

/* An export keeps its times. Those of other inputs begin with the capture. */
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

static uint64_t count_left_out(const struct ra_model *m)
{
	return m->sample_count + m->call_count + m->handoff_count + m->slice_data.count +
	       m->mark_data.count;
}

static int prepare(struct ra_sqlite *sqlite, const struct ra_labels_options *names)
{
	const struct ra_model *m = sqlite->model;

	sqlite->texts.table = ra_sqlite_table(sqlite, &ra_sqlite_tables_strings);
	sqlite->texts.of_name = calloc(m->name_count + 1, sizeof(*sqlite->texts.of_name));
	if (sqlite->texts.of_name == NULL || ra_sqlite_ids_find(sqlite) != 0) {
		return -RLOG_E_NO_MEMORY;
	}
	return ra_labels_init(&sqlite->labels, m, names);
}

int ra_sqlite_write(const struct ra_model *model, const struct ra_labels_options *names,
                    const char *path, uint64_t *left_out)
{
	struct ra_sqlite sqlite = { .model = model, .shift_ns = find_shift(model) };
	int code;

	sqlite.left_out = count_left_out(model);
	ra_sqlite_db_open(&sqlite.db, path);
	if (prepare(&sqlite, names) != 0) {
		ra_sqlite_db_fail(&sqlite.db);
	} else {
		ra_sqlite_table_create(&sqlite.texts.table);
		ra_sqlite_nvtx_put(&sqlite);
		ra_sqlite_calls_put(&sqlite);
		ra_sqlite_gpu_put(&sqlite);
		ra_sqlite_facts_put(&sqlite);
	}
	ra_sqlite_texts_fini(&sqlite.texts);
	code = ra_sqlite_db_close(&sqlite.db);
	ra_labels_fini(&sqlite.labels);
	free(sqlite.kernel_names);
	free(sqlite.pids);
	free(sqlite.tids);
	*left_out = sqlite.left_out;
	return code;
}
