/* SPDX-License-Identifier: MIT */
/* Reads an export of nsys: its threads and processes. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/util-sort.h"
#include "analyzer/base/util.h"
#include "analyzer/read-nsys/nsys.h"

/* New correlation ids begin here. All processes but the first get such ids. */
#define FIRST_OWN_CORR UINT32_C(0x80000000)

uint32_t ra_nsys_threads_find_process(struct ra_nsys *nsys, uint64_t global_tid)
{
	const uint64_t id = global_tid & ~(uint64_t) RA_NSYS_ID_MASK;
	uint32_t index = ra_util_map_find(&nsys->process_of, id);

	if (index != RA_UTIL_MAP_NONE) {
		return index;
	}
	index = (uint32_t) nsys->process_count;
	RA_UTIL_APPEND(nsys->processes, nsys->process_count, nsys->process_capacity, id);
	ra_util_map_put(&nsys->process_of, id, index);
	return index;
}

uint32_t ra_nsys_threads_find(struct ra_nsys *nsys, uint64_t global_tid)
{
	uint32_t index = ra_util_map_find(&nsys->thread_of, global_tid);

	if (index != RA_UTIL_MAP_NONE) {
		return index;
	}
	index = (uint32_t) nsys->thread_count;
	RA_UTIL_APPEND(nsys->threads, nsys->thread_count, nsys->thread_capacity,
	               (struct ra_nsys_thread){
			       .id = global_tid,
			       .process = ra_nsys_threads_find_process(nsys, global_tid),
			       .track = RA_NONE,
		       });
	ra_util_map_put(&nsys->thread_of, global_tid, index);
	return index;
}

uint32_t ra_nsys_threads_corr(struct ra_nsys *nsys, uint32_t process, uint32_t corr)
{
	const uint64_t key = (uint64_t) process << 32 | corr;
	uint32_t own;

	if (corr == 0 || (process == 0 && corr < FIRST_OWN_CORR)) {
		return corr;
	}
	own = ra_util_map_find(&nsys->corrs, key);
	if (own == RA_UTIL_MAP_NONE) {
		own = FIRST_OWN_CORR + (uint32_t) nsys->corrs.count;
		ra_util_map_put(&nsys->corrs, key, own);
	}
	return own;
}

/* Reads the names that the system has for threads in the model. A name that the program gave is
 * kept. */
static void read_thread_names(struct ra_nsys *nsys)
{
	static const char *const columns[] = { "globalTid", "nameId", NULL };
	struct ra_nsys_rows rows;

	ra_nsys_rows_open(&rows, &nsys->db, "ThreadNames", columns, NULL);
	while (ra_nsys_rows_next(&rows)) {
		const uint32_t thread = ra_util_map_find(&nsys->thread_of,
		                                         (uint64_t) ra_nsys_rows_int(&rows, 0, 0));

		if (thread != RA_UTIL_MAP_NONE && nsys->threads[thread].name == 0) {
			nsys->threads[thread].name = ra_nsys_names_of_id(nsys, &rows, 1);
		}
	}
	ra_nsys_rows_close(&rows);
}

static void name_processes(struct ra_nsys *nsys, const uint32_t *place)
{
	static const char *const columns[] = { "globalPid", "name", NULL };
	struct ra_nsys_rows rows;

	ra_nsys_rows_open(&rows, &nsys->db, "PROCESSES", columns, NULL);
	while (ra_nsys_rows_next(&rows)) {
		const uint32_t process = ra_util_map_find(&nsys->process_of,
		                                          (uint64_t) ra_nsys_rows_int(&rows, 0, 0));
		const char **exe = process != RA_UTIL_MAP_NONE
		                           ? &nsys->model->processes[place[process]].exe
		                           : NULL;

		if (exe != NULL && *exe == NULL) {
			const struct rlog_string name = ra_nsys_rows_text(&rows, 1);

			*exe = ra_util_copy(name.bytes, name.length);
		}
	}
	ra_nsys_rows_close(&rows);
}

/* Sorts ids. @place: gets the index of each id after sorting. */
static void sort_ids(struct ra_util_sort_entry **entries, size_t count, uint32_t *place)
{
	ra_util_sort(entries, count);
	for (size_t i = 0; i < count; i++) {
		place[(*entries)[i].index] = (uint32_t) i;
	}
}

static void build_processes(struct ra_nsys *nsys, uint32_t *place)
{
	struct ra_util_sort_entry *entries =
		ra_alloc_zeros(nsys->process_count + 1, sizeof(*entries));
	struct ra_model *m = nsys->model;

	for (size_t i = 0; i < nsys->process_count; i++) {
		entries[i] = (struct ra_util_sort_entry){ nsys->processes[i], (uint32_t) i, 0 };
	}
	sort_ids(&entries, nsys->process_count, place);
	ra_util_resize(&m->processes, nsys->process_count, sizeof(*m->processes));
	for (size_t i = 0; i < nsys->process_count; i++) {
		m->processes[m->process_count++] = (struct ra_process){
			.pid = (int64_t) (entries[i].key >> RA_NSYS_TID_BITS & RA_NSYS_ID_MASK),
			.rank = -1,
			.host = ra_alloc_zeros(1, 1),
		};
	}
	free(entries);
	name_processes(nsys, place);
	for (size_t i = 0; i < m->process_count; i++) {
		if (m->processes[i].exe == NULL) {
			m->processes[i].exe = ra_alloc_zeros(1, 1);
		}
	}
}

static void build_tracks(struct ra_nsys *nsys, uint32_t *place, const uint32_t *process_place)
{
	struct ra_util_sort_entry *entries =
		ra_alloc_zeros(nsys->thread_count + 1, sizeof(*entries));
	struct ra_model *m = nsys->model;

	for (size_t i = 0; i < nsys->thread_count; i++) {
		entries[i] = (struct ra_util_sort_entry){ nsys->threads[i].id, (uint32_t) i, 0 };
	}
	sort_ids(&entries, nsys->thread_count, place);
	ra_util_resize(&m->tracks, nsys->thread_count + 1, sizeof(*m->tracks));
	for (size_t i = 0; i < nsys->thread_count; i++) {
		struct ra_nsys_thread *thread = &nsys->threads[entries[i].index];

		thread->track = (uint32_t) m->track_count;
		m->tracks[m->track_count++] = (struct ra_track){
			.kind = RA_TRACK_THREAD,
			.stream = (uint32_t) i + 1,
			.process = process_place[thread->process],
			.tid = (int64_t) (thread->id & RA_NSYS_ID_MASK),
			.name = thread->name,
			.first_ns = INT64_MAX,
			.last_ns = INT64_MIN,
		};
	}
	free(entries);
}

void ra_nsys_threads_build(struct ra_nsys *nsys)
{
	uint32_t *processes = ra_alloc_zeros(nsys->process_count + 1, sizeof(*processes));
	uint32_t *threads = ra_alloc_zeros(nsys->thread_count + 1, sizeof(*threads));
	struct ra_gpu *gpu = &nsys->model->gpu;

	read_thread_names(nsys);
	build_processes(nsys, processes);
	build_tracks(nsys, threads, processes);
	for (size_t i = 0; i < gpu->api_count; i++) {
		gpu->apis[i].track = threads[gpu->apis[i].track];
	}
	for (size_t i = 0; i < gpu->overhead_count; i++) {
		if (gpu->overheads[i].track != RA_NONE) {
			gpu->overheads[i].track = threads[gpu->overheads[i].track];
		}
	}
	for (size_t i = 0; i < gpu->queue_count; i++) {
		gpu->queues[i].process = processes[gpu->queues[i].process];
	}
	free(processes);
	free(threads);
}
