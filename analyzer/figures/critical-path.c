/* SPDX-License-Identifier: MIT */
/* Walks the critical path backwards: from the work that ended last to the work it had to wait
 * for. */
#include "analyzer/figures/critical-path.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/figures/critical-links.h"
#include "analyzer/base/util.h"

/* The position of the walk: the path after at_ns is done. Each turn goes back by at least 1 ns. */
struct walk {
	struct ra_critical_path *path;
	int64_t start_ns;
	int64_t at_ns;
	uint32_t op;    /* the walk is at this operation's end; RA_NONE: on a thread */
	uint32_t track; /* the thread that the walk is on; RA_NONE: none */
};

static int64_t op_end(const struct ra_gpu_op *op)
{
	return ra_util_add_time(op->start_ns, op->dur_ns);
}

/* Adds the time from start_ns to the walk's position to the path. */
static void take(struct walk *walk, enum ra_critical_kind kind, uint32_t index, int64_t from_ns)
{
	struct ra_critical_path *path = walk->path;

	from_ns = from_ns > walk->start_ns ? from_ns : walk->start_ns;
	if (from_ns >= walk->at_ns) {
		return;
	}
	if (path->part_count > 0) {
		struct ra_critical_part *last = &path->parts[path->part_count - 1];

		if (last->kind == kind && last->index == index) {
			last->start_ns = from_ns;
			walk->at_ns = from_ns;
			return;
		}
	}
	RA_UTIL_APPEND(path->parts, path->part_count, path->part_capacity,
	               (struct ra_critical_part){ from_ns, walk->at_ns, index, kind });
	walk->at_ns = from_ns;
}

/* Adds the operation and the delay before it, and goes to the work that the operation waited
 * for. */
static void leave_op(struct walk *walk)
{
	const struct ra_critical_path *path = walk->path;
	const struct ra_gpu *gpu = &path->model->gpu;
	const uint32_t index = walk->op;
	const struct ra_gpu_op *op = &gpu->ops[index];
	const struct ra_gpu_api *api = op->api == RA_NONE ? NULL : &gpu->apis[op->api];
	enum ra_critical_kind kind = RA_CRITICAL_STREAM;
	const uint32_t before =
		ra_critical_links_ended(path, RA_CRITICAL_OF_QUEUE, op->queue, op->start_ns);
	const uint32_t other = ra_critical_links_event(path, index, before);
	int64_t from_ns;

	take(walk, RA_CRITICAL_OPERATION, index, op->start_ns);
	walk->op = before;
	if (other != RA_NONE &&
	    (before == RA_NONE || op_end(&gpu->ops[other]) > op_end(&gpu->ops[before]))) {
		walk->op = other;
		kind = RA_CRITICAL_EVENT;
	}
	if (walk->op != RA_NONE && (api == NULL || op_end(&gpu->ops[walk->op]) > api->start_ns)) {
		from_ns = op_end(&gpu->ops[walk->op]);
	} else if (api != NULL) {
		walk->op = RA_NONE;
		walk->track = api->track;
		kind = RA_CRITICAL_LAUNCH;
		from_ns = ra_util_add_time(api->start_ns, api->dur_ns);
	} else { /* the call waited for something unknown */
		return;
	}
	take(walk, kind, index, from_ns);
}

/* Handles a thread in a range or a call: adds the range or call to the path, or goes to the
 * operation that the call waited for. */
static void leave_piece(struct walk *walk, const struct ra_thread_piece *piece, int64_t from_ns)
{
	const struct ra_critical_path *path = walk->path;
	uint32_t op;

	from_ns = from_ns > piece->start_ns ? from_ns : piece->start_ns;
	if (!piece->is_call) {
		take(walk, RA_CRITICAL_RANGE, piece->index, from_ns);
		return;
	}
	op = ra_critical_links_awaited(path, piece->index, walk->at_ns);
	if (op == RA_NONE || op_end(&path->model->gpu.ops[op]) < from_ns) {
		take(walk, RA_CRITICAL_CALL, piece->index, from_ns);
		return;
	}
	walk->op = op;
	take(walk, RA_CRITICAL_CALL, piece->index, op_end(&path->model->gpu.ops[op]));
}

/* Handles a time when no thread is in a range or call. Goes back to the time when a thread was, or
 * in a capture without threads to the time when a device was busy. */
static void leave_nothing(struct walk *walk, int64_t until_ns)
{
	if (walk->path->threads.home == RA_NONE) {
		walk->op = ra_critical_links_ended(walk->path, RA_CRITICAL_OF_ALL, 0, walk->at_ns);
		if (walk->op != RA_NONE) {
			until_ns = op_end(&walk->path->model->gpu.ops[walk->op]);
		}
	}
	take(walk, RA_CRITICAL_NOTHING, walk->track, until_ns);
}

/* Continues on the walk's thread. If that thread is idle, continues on home; if home is idle too,
 * on the other threads. The walk remembers its thread, and returns to it when that thread is in a
 * range or call again. */
static void leave_thread(struct walk *walk)
{
	const struct ra_thread_activity *threads = &walk->path->threads;
	const uint32_t tracks[2] = { walk->track, threads->home };
	const struct ra_thread_busy *busy;
	int64_t until_ns = walk->start_ns;

	for (size_t i = 0; i < 2; i++) {
		const struct ra_thread_piece *piece =
			tracks[i] == RA_NONE
				? NULL
				: ra_thread_activity_find(threads, tracks[i], walk->at_ns);

		if (piece == NULL) {
			continue;
		}
		if (piece->end_ns >= walk->at_ns) {
			leave_piece(walk, piece, until_ns);
			return;
		}
		until_ns = piece->end_ns > until_ns ? piece->end_ns : until_ns;
	}
	busy = ra_thread_activity_other(threads, walk->at_ns);
	if (busy != NULL && busy->end_ns >= walk->at_ns) {
		walk->track = busy->track;
		return;
	}
	if (busy != NULL && busy->end_ns > until_ns) {
		until_ns = busy->end_ns;
	}
	leave_nothing(walk, until_ns);
}

void ra_critical_path_walk(struct ra_critical_path *path, int64_t start_ns, int64_t end_ns)
{
	struct walk walk = { path, start_ns, end_ns, RA_NONE, path->threads.home };

	path->part_count = 0;
	walk.op = ra_critical_links_ended(path, RA_CRITICAL_OF_ALL, 0, end_ns);
	if (walk.op != RA_NONE && op_end(&path->model->gpu.ops[walk.op]) < end_ns) {
		walk.op = RA_NONE;
	}
	while (walk.at_ns > walk.start_ns) {
		if (walk.op != RA_NONE) {
			leave_op(&walk);
		} else {
			leave_thread(&walk);
		}
	}
}

void ra_critical_path_init(struct ra_critical_path *path, const struct ra_model *model,
                           const uint8_t *is_step)
{
	memset(path, 0, sizeof(*path));
	path->model = model;
	ra_thread_activity_init(&path->threads, model, is_step);
	ra_critical_links_init(path);
}

void ra_critical_path_fini(struct ra_critical_path *path)
{
	ra_thread_activity_fini(&path->threads);
	free(path->by_queue);
	free(path->by_device);
	free(path->by_end);
	free(path->queue_first);
	free(path->devices);
	free(path->waits);
	free(path->events);
	free(path->parts);
	memset(path, 0, sizeof(*path));
}
