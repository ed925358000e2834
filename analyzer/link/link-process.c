/* SPDX-License-Identifier: MIT */
/*
 * The rules `helper` and `process`: if a thread launches work while it has no range open, and only
 * one thread of the process has ranges open, the work belongs to that thread's range. `helper` does
 * so if the launching thread evidently works for the other thread, as PyTorch's autograd threads
 * do; `process` does so for all threads.
 */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/link/link-sole.h"

/* A thread is a helper if, in this part of its launches, the other thread waits for it. A launch
 * shows no wait if the other thread did something since the helper's previous launch. So the first
 * launch of each burst never shows a wait. */
#define WAITS_NUM 3u
#define WAITS_DEN 4u

/* At least this many launches must show a wait. */
#define LEAST_WAITS 8u

/* What is known about a thread that launches work while it has no range open. */
struct helper {
	uint32_t owner;    /* the thread that it works for; RA_NONE: no thread, or more than one */
	uint64_t waits;    /* number of launches that show that the owner waited */
	uint64_t launches; /* number of launches without a range of the thread */
	bool has_owner;    /* at some launch, there was an owner */
	/* At the previous launch, its time and the owner's open range: */
	int64_t time_ns;
	uint32_t slice;
};

/* The calls of a thread that have begun so far. */
struct calls {
	size_t next; /* index into apis */
	size_t end;
	int64_t last_ns; /* latest end of such a call */
};

struct helpers {
	const struct ra_model *model;
	struct helper *rows; /* owned; by track */
	struct calls *calls; /* owned; by track */
	struct ra_link_sole sole;
};

static void init(struct helpers *helpers, const struct ra_model *model)
{
	const struct ra_gpu *gpu = &model->gpu;

	*helpers = (struct helpers){ .model = model };
	helpers->rows = ra_alloc_zeros(model->track_count + 1, sizeof(*helpers->rows));
	for (size_t t = 0; t < model->track_count; t++) {
		helpers->rows[t].owner = RA_NONE;
	}
	helpers->calls = ra_alloc_zeros(model->track_count + 1, sizeof(*helpers->calls));
	for (size_t i = 0; i < gpu->api_count; i++) {
		struct calls *calls = &helpers->calls[gpu->apis[i].track];

		if (calls->end == 0) {
			*calls = (struct calls){ .next = i, .last_ns = INT64_MIN };
		}
		calls->end = i + 1;
	}
	ra_link_sole_init(&helpers->sole, model);
}

static void fini(struct helpers *helpers)
{
	ra_link_sole_fini(&helpers->sole);
	free(helpers->rows);
	free(helpers->calls);
}

/* True if the owner began and ended no range and no call since the previous launch. @slice: the
 * range that it has open. */
static bool has_waited(struct helpers *helpers, const struct helper *row, uint32_t track,
                       uint32_t slice, int64_t time_ns)
{
	const struct ra_model *model = helpers->model;
	const struct ra_link_cursor *cursor = &helpers->sole.cursors[track];
	const size_t begun = cursor->track->first_slice + cursor->next;
	struct calls *calls = &helpers->calls[track];

	for (; calls->next < calls->end && model->gpu.apis[calls->next].start_ns <= time_ns;
	     calls->next++) {
		const struct ra_gpu_api *api = &model->gpu.apis[calls->next];
		const int64_t end_ns = ra_util_add_time(api->start_ns, api->dur_ns);

		calls->last_ns = end_ns > calls->last_ns ? end_ns : calls->last_ns;
	}
	/* If no range began and the same range is open, then no range ended. */
	return row->owner == track && row->slice == slice &&
	       model->slices.start_ns[begun - 1] <= row->time_ns &&
	       (calls->end == 0 || calls->last_ns <= row->time_ns);
}

/* Counts one launch without a range. */
static void note(struct helpers *helpers, struct helper *row, int64_t time_ns)
{
	uint32_t track = RA_NONE;
	const uint32_t slice = ra_link_sole_find(&helpers->sole, time_ns, &track);

	row->launches++;
	if (slice != RA_NONE) {
		row->waits += has_waited(helpers, row, track, slice, time_ns);
		row->owner = row->has_owner && row->owner != track ? RA_NONE : track;
		row->has_owner = true;
	}
	row->time_ns = time_ns;
	row->slice = slice;
}

void ra_link_process_find_helpers(struct ra_model *model, const struct ra_link_orphan *orphans,
                                  size_t count)
{
	struct helpers helpers;

	init(&helpers, model);
	for (size_t i = 0; i < count; i++) {
		const struct ra_gpu_op *op = &model->gpu.ops[orphans[i].op];

		if (op->slice == RA_NONE) {
			note(&helpers, &helpers.rows[model->gpu.apis[op->api].track],
			     orphans[i].time_ns);
		}
	}
	for (size_t t = 0; t < model->track_count; t++) {
		const struct helper *row = &helpers.rows[t];

		if (row->has_owner && row->owner != RA_NONE && row->waits >= LEAST_WAITS &&
		    row->waits * WAITS_DEN >= row->launches * WAITS_NUM) {
			model->tracks[t].helped = row->owner + 1;
		}
	}
	fini(&helpers);
}

void ra_link_process_adopt(struct ra_model *model, const struct ra_link_orphan *orphans,
                           size_t count, bool is_wanted)
{
	struct ra_link_sole sole;

	ra_link_sole_init(&sole, model);
	for (size_t i = 0; i < count; i++) {
		struct ra_gpu_op *op = &model->gpu.ops[orphans[i].op];
		const uint32_t helped = model->tracks[model->gpu.apis[op->api].track].helped;
		uint32_t track = RA_NONE;
		const uint32_t slice =
			op->slice != RA_NONE ? RA_NONE
					     : ra_link_sole_find(&sole, orphans[i].time_ns, &track);

		if (slice == RA_NONE) {
			continue;
		}
		if (helped == track + 1 || is_wanted) {
			op->slice = slice;
			op->rule = helped == track + 1 ? RA_GPU_RULE_HELPER : RA_GPU_RULE_PROCESS;
		} else {
			model->gpu.process_ns = ra_util_add_time(model->gpu.process_ns, op->dur_ns);
		}
	}
	ra_link_sole_fini(&sole);
}
