/* SPDX-License-Identifier: MIT */
/* Reads an export of nsys in SQLite. */
#include "config.h"

#include "analyzer/read-nsys/nsys-load.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/base/alloc.h"
#include "analyzer/model/schemas.h"
#include "analyzer/read-nsys/nsys.h"

static bool probe(const void *head, size_t count)
{
	static const char magic[] = "SQLite format 3";

	return count >= sizeof(magic) && memcmp(head, magic, sizeof(magic)) == 0;
}

static int refuse_log(struct rlog_reader **out, struct ra_source *source, struct rlog_error *err)
{
	(void) out;
	if (source->is_pipe) {
		close(source->pipe.fd);
	}
	return rlog_error_set(
		err, RLOG_E_NOT_A_LOG, RLOG_NO_OFFSET,
		"this is an SQLite database, and the command reads logs; `analyzer "
		"stats FILE` and `analyzer dump --slices FILE` read what nsys exports");
}

#ifdef HAVE_SQLITE

static bool is_export(struct ra_nsys *nsys)
{
	static const char *const tables[] = { "NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME",
		                              "CUPTI_ACTIVITY_KIND_KERNEL", "StringIds" };

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if (ra_nsys_db_has(&nsys->db, tables[i])) {
			return true;
		}
	}
	if (nsys->db.rc == 0) {
		nsys->db.rc = rlog_error_set(
			nsys->db.err, RLOG_E_NOT_A_LOG, RLOG_NO_OFFSET,
			"an SQLite database, but not an export of nsys: it has no NVTX_EVENTS, no "
			"StringIds, no CUPTI_ACTIVITY_KIND_RUNTIME and …_KERNEL");
	}
	return false;
}

static void fill_quality(struct ra_nsys *nsys)
{
	struct ra_model *m = nsys->model;
	struct ra_quality *q = &m->quality;

	for (size_t t = 0; t < m->track_count; t++) {
		q->events += m->tracks[t].events;
	}
	m->gpu.events = m->gpu.op_count + m->gpu.api_count + m->gpu.sync_count +
	                m->gpu.overhead_count + m->gpu.memory_count;
	m->gpu.bad_times = nsys->bad_times;
	q->closed = true;
	q->first_damage = RLOG_NO_OFFSET;
}

/* Reads all tables. Errors are in db.rc; after the first error nothing more is read. */
static int read_all(struct ra_nsys *nsys)
{
	struct ra_nsys_events *events;

	if (!is_export(nsys)) {
		return nsys->db.rc;
	}
	ra_nsys_capture_read(nsys);
	ra_nsys_names_read(nsys);
	ra_nsys_domains_read(nsys);
	events = ra_nsys_ranges_read(nsys);
	if (nsys->db.rc == 0) {
		ra_nsys_devices_link(nsys);
		ra_nsys_calls_read(nsys);
		ra_nsys_gpu_read(nsys);
		ra_nsys_devices_read(nsys);
	}
	if (nsys->process_count == 0) {
		ra_nsys_threads_find_process(nsys, 0);
	}
	if (nsys->db.rc == 0) {
		ra_nsys_threads_build(nsys);
		ra_nsys_axis_shift(nsys, events);
		ra_nsys_calls_read_os(nsys);
		ra_nsys_ranges_build(nsys, events);
		ra_gpu_sort(&nsys->model->gpu);
	}
	ra_nsys_ranges_free(events);
	fill_quality(nsys);
	ra_nsys_capture_finish(nsys);
	return nsys->db.rc;
}

/* Makes the texts that were added to the model its strings. Otherwise they would count as stand-ins
 * for lost strings. */
static void adopt_names(struct ra_model *m)
{
	struct rlog_string *strings = ra_alloc_zeros(m->name_count, sizeof(*strings));

	strings[0] = m->strings[0];
	for (size_t i = 1; i < m->name_count; i++) {
		strings[i] = m->stand_ins[i - 1];
	}
	free(m->stand_ins);
	m->stand_ins = NULL;
	m->own_strings = strings;
	m->strings = strings;
	m->string_count = m->name_count;
}

static int build_model(struct ra_nsys *nsys)
{
	static const struct rlog_string empty = { "", 0, 0 };
	struct ra_model *m = nsys->model;
	int rc;

	m->strings = &empty; /* all other strings are texts that were added to the model */
	m->string_count = 1;
	m->has = ra_nsys_load_input.has;
	m->file_bytes = nsys->db.file_bytes;
	m->schemas = ra_alloc_zeros(1, sizeof(*m->schemas));
	ra_builder_init(&nsys->builder, m);
	rc = read_all(nsys);
	if (rc == 0) {
		adopt_names(m);
	}
	ra_builder_fini(&nsys->builder);
	ra_gpu_build_fini(&nsys->gpu);
	ra_util_map_free(&nsys->string_ids);
	ra_util_map_free(&nsys->texts);
	ra_util_map_free(&nsys->thread_of);
	ra_util_map_free(&nsys->process_of);
	ra_util_map_free(&nsys->corrs);
	ra_util_map_free(&nsys->domain_of);
	ra_util_map_free(&nsys->domain_names);
	ra_util_map_free(&nsys->domain_ids);
	ra_util_map_free(&nsys->gpu_ids);
	ra_util_map_free(&nsys->device_ids);
	free(nsys->threads);
	free(nsys->processes);
	return rc;
}

static int read_source(struct ra_model **out, struct ra_source *source,
                       const struct ra_input_options *options, struct rlog_error *err)
{
	struct ra_nsys nsys = { 0 };
	int rc;

	(void) options;
	if (source->is_pipe) {
		close(source->pipe.fd);
		return rlog_error_set(err, RLOG_E_NOT_A_FILE, RLOG_NO_OFFSET,
		                      "an SQLite database is read from a file, not from a pipe");
	}
	rc = ra_nsys_db_open(&nsys.db, source->path, err);
	nsys.model = ra_alloc_zeros(1, sizeof(*nsys.model));
	if (rc == 0) {
		rc = build_model(&nsys);
	}
	ra_nsys_db_close(&nsys.db);
	if (rc != 0) {
		ra_model_destroy(nsys.model);
		return rc;
	}
	*out = nsys.model;
	return 0;
}

#else

static int read_source(struct ra_model **out, struct ra_source *source,
                       const struct ra_input_options *options, struct rlog_error *err)
{
	(void) options;
	(void) out;
	if (source->is_pipe) {
		close(source->pipe.fd);
	}
	return rlog_error_set(err, RLOG_E_NOT_A_LOG, RLOG_NO_OFFSET,
	                      "this is an SQLite database, and analyzer was built without "
	                      "libsqlite3 (Debian: libsqlite3-dev)");
}

#endif

static const char *const suffixes[] = { ".sqlite", NULL };

const struct ra_input ra_nsys_load_input = {
	.name = "an export of nsys in SQLite",
	.suffixes = suffixes,
	.has = 0,
	.probe = probe,
	.read = read_source,
	.read_log = refuse_log,
};
