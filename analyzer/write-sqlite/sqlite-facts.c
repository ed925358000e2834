/* SPDX-License-Identifier: MIT */
/* Writes nsys' schema: processes, threads, devices, times, losses, and facts of the file. */
#include "config.h"

#include <string.h>

#include "analyzer/footer/footer.h"
#include "analyzer/write-sqlite/sqlite.h"

#define VM (INT64_C(1) << 48)

/* The numbers used in DIAGNOSTIC_EVENT. */
enum {
	TIME_OF_TARGET = 1,
	SOURCE_INJECTION = 1,
	SEVERITY_INFO = 1,
	SEVERITY_WARNING = 2
};

static void put_words(struct ra_sqlite *sqlite)
{
	size_t count;
	const struct ra_sqlite_words *all = ra_sqlite_tables_words(&count);

	for (size_t i = 0; i < count; i++) {
		const struct ra_sqlite_definition definition = {
			all[i].table, "id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT",
			"id, name, label"
		};
		struct ra_sqlite_table table = ra_sqlite_table(sqlite, &definition);

		for (size_t w = 0; w < all[i].count; w++) {
			ra_sqlite_table_set_word(&table, 1, all[i].words[w].name);
			ra_sqlite_table_set_word(&table, 2, all[i].words[w].label);
			ra_sqlite_table_add(&table, &all[i].words[w].id, 1);
		}
		ra_sqlite_table_close(&table);
	}
}

/* Writes facts about the export. Leaves out its host, user and time, so that the same input gives
 * the same file. */
static void put_meta(struct ra_sqlite *sqlite)
{
	static const char *const facts[][2] = {
		{ "EXPORT_PRODUCT_NAME", "libranges analyzer" },
		{ "EXPORT_PRODUCT_VERSION", PACKAGE_VERSION },
		{ "EXPORT_SCHEMA_VERSION", RA_SQLITE_SCHEMA },
		{ "EXPORT_SCHEMA_VERSION_MAJOR", RA_SQLITE_SCHEMA_MAJOR },
		{ "EXPORT_SCHEMA_VERSION_MINOR", RA_SQLITE_SCHEMA_MINOR },
		{ "EXPORT_SCHEMA_VERSION_MICRO", RA_SQLITE_SCHEMA_MICRO },
		{ "EXPORT_PARAM_LAZY", "true" },
	};
	struct ra_sqlite_table table = ra_sqlite_table(sqlite, &ra_sqlite_tables_meta);

	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		ra_sqlite_table_set_word(&table, 0, facts[i][0]);
		ra_sqlite_table_set_word(&table, 1, facts[i][1]);
		ra_sqlite_table_add(&table, NULL, 0);
	}
	ra_sqlite_table_close(&table);
}

static void put_times(struct ra_sqlite *sqlite)
{
	const struct ra_model *m = sqlite->model;
	const int64_t system_ns = m->zero_ns - sqlite->shift_ns;
	const int64_t times[] = {
		m->zero_real_ns != 0 ? m->zero_real_ns - sqlite->shift_ns : RA_SQLITE_NULL,
		m->zero_ns != 0 ? system_ns : RA_SQLITE_NULL,
	};
	const int64_t end_ns = m->end_ns + sqlite->shift_ns;
	const int64_t details[] = { VM, end_ns, system_ns, system_ns + end_ns };
	struct ra_sqlite_table start = ra_sqlite_table(sqlite, &ra_sqlite_tables_start);
	struct ra_sqlite_table analysis = ra_sqlite_table(sqlite, &ra_sqlite_tables_details);

	ra_sqlite_table_create(&start);
	if (m->zero_real_ns != 0 || m->zero_ns != 0) {
		ra_sqlite_table_add(&start, times, 2);
	}
	ra_sqlite_table_add(&analysis, details, 4);
	ra_sqlite_table_close(&start);
	ra_sqlite_table_close(&analysis);
}

/* Writes a table that nsys does not have. It has facts at which readers of the file would otherwise
 * have to guess. */
static void put_capture(struct ra_sqlite *sqlite)
{
	const struct ra_model *m = sqlite->model;
	const struct {
		const char *name;
		int64_t value;
	} facts[] = {
		{ "zero", sqlite->shift_ns },
		{ "end", m->end_ns + sqlite->shift_ns },
		{ "clock_error", m->quality.clock_error_ns },
		{ "rank", m->process_count > 0 ? m->processes[0].rank : -1 },
	};
	struct ra_sqlite_table table = ra_sqlite_table(sqlite, &ra_sqlite_tables_capture);

	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		ra_sqlite_table_set_word(&table, 0, facts[i].name);
		ra_sqlite_table_set_int(&table, 1, facts[i].value);
		ra_sqlite_table_add(&table, NULL, 0);
	}
	ra_sqlite_table_close(&table);
}

static void put_processes(struct ra_sqlite *sqlite)
{
	const struct ra_model *m = sqlite->model;
	struct ra_sqlite_table table = ra_sqlite_table(sqlite, &ra_sqlite_tables_processes);

	ra_sqlite_table_create(&table);
	for (size_t i = 0; i < m->process_count; i++) {
		const int64_t row[] = { (int64_t) sqlite->pids[i],
			                ra_sqlite_ids_pid(sqlite->pids[i]) };
		const char *slash = strrchr(m->processes[i].exe, '/');

		/* Written without the folder, which may contain a person's name. */
		ra_sqlite_table_set_word(&table, 2,
		                         slash != NULL ? slash + 1 : m->processes[i].exe);
		ra_sqlite_table_add(&table, row, 2);
	}
	ra_sqlite_table_close(&table);
}

/* Writes one row for each thread: some readers leave out threads without a row, and count threads
 * with two rows twice. */
static void put_threads(struct ra_sqlite *sqlite)
{
	const struct ra_model *m = sqlite->model;
	struct ra_sqlite_table table = ra_sqlite_table(sqlite, &ra_sqlite_tables_threads);
	struct ra_util_map known = { 0 };

	ra_sqlite_table_create(&table);
	for (uint32_t t = 0; t < m->track_count; t++) {
		const int64_t row[] = { ra_sqlite_texts_of_name(sqlite, m->tracks[t].name),
			                (int64_t) sqlite->tids[t] };

		if (m->tracks[t].kind != RA_TRACK_THREAD ||
		    ra_util_map_find(&known, sqlite->tids[t]) != RA_UTIL_MAP_NONE) {
			continue;
		}
		ra_sqlite_table_add(&table, row, 2);
		ra_util_map_put(&known, sqlite->tids[t], t);
	}
	ra_util_map_free(&known);
	ra_sqlite_table_close(&table);
}

static void put_gpu(struct ra_sqlite *sqlite, struct ra_sqlite_table *table,
                    const struct ra_gpu_device *device)
{
	const struct ra_occupancy_device *limits = &device->limits;
	const int64_t row[] = {
		VM,
		device->id,
		device->id,
		(int64_t) device->memory_bytes,
		(int64_t) (device->bandwidth_kb_s * 1000),
		(int64_t) device->clock_khz * 1000,
		limits->multiprocessors,
		limits->registers_per_block,
		limits->shared_per_block_bytes,
		limits->shared_optin_bytes,
		limits->shared_per_sm_bytes,
		limits->registers_per_sm,
		32,
		limits->threads_per_sm / 32,
		limits->threads_per_block,
		limits->cc_major,
		limits->cc_minor,
	};

	if (device->name != 0) {
		ra_sqlite_table_set_text(table, sizeof(row) / sizeof(row[0]),
		                         ra_model_string(sqlite->model, device->name));
	}
	ra_sqlite_table_add(table, row, sizeof(row) / sizeof(row[0]));
}

/* Writes the devices. Every process sees every device, by the number that the device has in the
 * model. */
static void put_devices(struct ra_sqlite *sqlite)
{
	const struct ra_model *m = sqlite->model;
	struct ra_sqlite_table gpus = ra_sqlite_table(sqlite, &ra_sqlite_tables_gpu);
	struct ra_sqlite_table links = ra_sqlite_table(sqlite, &ra_sqlite_tables_device);

	ra_sqlite_table_create(&gpus);
	ra_sqlite_table_create(&links);
	for (size_t d = 0; d < m->gpu.device_count; d++) {
		const struct ra_gpu_device *device = &m->gpu.devices[d];

		put_gpu(sqlite, &gpus, device);
		for (size_t p = 0; p < m->process_count; p++) {
			const int64_t row[] = { device->id, device->id,
				                ra_sqlite_ids_pid(sqlite->pids[p]),
				                device->limits.multiprocessors };

			ra_sqlite_table_add(&links, row, 4);
		}
	}
	ra_sqlite_table_close(&gpus);
	ra_sqlite_table_close(&links);
}

/* Writes what the footer tells, as far as the schema has words for it. */
static void put_losses(struct ra_sqlite *sqlite)
{
	const struct ra_model *m = sqlite->model;
	struct ra_sqlite_table table = ra_sqlite_table(sqlite, &ra_sqlite_tables_diagnostic);
	struct ra_footer_line lines[RA_FOOTER_LINES];
	const size_t count = ra_footer_collect(m, lines);
	struct ra_util_text text = { 0 };

	for (size_t i = 0; i < count; i++) {
		const int64_t row[] = {
			m->end_ns + sqlite->shift_ns,
			TIME_OF_TARGET,
			SOURCE_INJECTION,
			lines[i].is_programs ? SEVERITY_INFO : SEVERITY_WARNING,
			m->process_count > 0 ? (int64_t) sqlite->pids[0] : RA_SQLITE_NULL,
		};

		ra_util_text_clear(&text);
		ra_util_text_format(&text, "%s: ", lines[i].key);
		if (lines[i].count > 0) {
			ra_util_text_format(&text, "%llu ", (unsigned long long) lines[i].count);
		}
		ra_util_text_format(&text, "%s", lines[i].text);
		ra_sqlite_table_set_text(&table, 5,
		                         (struct rlog_string){ text.bytes, (uint32_t) text.length,
		                                               (uint32_t) text.length });
		ra_sqlite_table_add(&table, row, 5);
	}
	ra_util_text_free(&text);
	ra_sqlite_table_close(&table);
}

void ra_sqlite_facts_put(struct ra_sqlite *sqlite)
{
	put_meta(sqlite);
	put_words(sqlite);
	put_times(sqlite);
	put_capture(sqlite);
	put_processes(sqlite);
	put_threads(sqlite);
	put_devices(sqlite);
	put_losses(sqlite);
}
