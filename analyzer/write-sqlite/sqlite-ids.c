/* SPDX-License-Identifier: MIT */
/* Writes nsys' schema: finds ids of processes and threads. */
#include "analyzer/base/alloc.h"
#include "analyzer/write-sqlite/sqlite.h"

/* An id has 8 bits for a machine, 8 for a virtual machine (nsys' first is 1), 24 for the pid, and
 * 24 for the tid. */
#define VM       (UINT64_C(1) << 48)
#define TID_BITS 24u
#define ID_MASK  UINT64_C(0xFFFFFF)

/* Replaces a pid or tid that does not fit into 24 bits, by one from the upper end of these, which
 * no thread of Linux has. */
static uint64_t make_up(const struct ra_util_map *used, uint64_t base, unsigned shift)
{
	uint64_t id = ID_MASK;

	while (id > 0 && ra_util_map_find(used, base | id << shift) != RA_UTIL_MAP_NONE) {
		id--;
	}
	return base | id << shift;
}

static bool fits(int64_t id)
{
	return id >= 0 && (uint64_t) id <= ID_MASK;
}

/* Finds the globalPids. Processes with equal pids, such as those of two machines, stay separate.
 * Threads with equal tids are merged, as in nsys. */
static void find_pids(struct ra_sqlite *sqlite)
{
	const struct ra_model *m = sqlite->model;
	struct ra_util_map used = { 0 };

	for (uint32_t i = 0; i < m->process_count; i++) {
		const int64_t pid = m->processes[i].pid;
		uint64_t id = VM | (uint64_t) pid << TID_BITS;

		if (!fits(pid) || ra_util_map_find(&used, id) != RA_UTIL_MAP_NONE) {
			id = make_up(&used, VM, TID_BITS);
		}
		sqlite->pids[i] = id;
		ra_util_map_put(&used, id, i);
	}
	ra_util_map_free(&used);
}

static uint64_t pid_of(const struct ra_sqlite *sqlite, uint32_t process)
{
	return process < sqlite->model->process_count ? sqlite->pids[process] : VM;
}

static void find_tids(struct ra_sqlite *sqlite)
{
	const struct ra_model *m = sqlite->model;
	struct ra_util_map used = { 0 };

	for (int round = 0; round < 2; round++) { /* first the real pids, then replacements */
		for (uint32_t t = 0; t < m->track_count; t++) {
			const struct ra_track *track = &m->tracks[t];
			const uint64_t pid = pid_of(sqlite, track->process);

			if (fits(track->tid) == (round == 0)) {
				sqlite->tids[t] = round == 0 ? pid | (uint64_t) track->tid
				                             : make_up(&used, pid, 0);
				ra_util_map_put(&used, sqlite->tids[t], t);
			}
		}
	}
	ra_util_map_free(&used);
}

void ra_sqlite_ids_find(struct ra_sqlite *sqlite)
{
	const struct ra_model *m = sqlite->model;

	sqlite->pids = ra_alloc_zeros(m->process_count + 1, sizeof(*sqlite->pids));
	sqlite->tids = ra_alloc_zeros(m->track_count + 1, sizeof(*sqlite->tids));
	find_pids(sqlite);
	find_tids(sqlite);
}

int64_t ra_sqlite_ids_of_track(const struct ra_sqlite *sqlite, uint32_t track)
{
	return (int64_t) (track < sqlite->model->track_count ? sqlite->tids[track]
	                                                     : pid_of(sqlite, 0));
}

int64_t ra_sqlite_ids_of_call(const struct ra_sqlite *sqlite, uint32_t api)
{
	const struct ra_model *m = sqlite->model;
	const uint32_t track = api < m->gpu.api_count ? m->gpu.apis[api].track : RA_NONE;

	return (int64_t) pid_of(sqlite, track < m->track_count ? m->tracks[track].process : 0);
}

int64_t ra_sqlite_ids_pid(uint64_t global_id)
{
	return (int64_t) (global_id >> TID_BITS & ID_MASK);
}
