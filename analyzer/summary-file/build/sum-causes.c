/* SPDX-License-Identifier: MIT */
/* Finds where the time of steps went, by path: rows of RA_SUM_CAUSES. */
#include "analyzer/summary-file/build/sum-causes.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-text.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"
#include "analyzer/names/op-kinds.h"
#include "analyzer/steps/step-role-of.h"
#include "analyzer/steps/step-share.h"

/* Most names of a path. A deeper range is treated as one beside the last. */
#define MOST_DEPTH 32

/* Most paths. If a program makes more, the time of further ranges is added to the range around
 * them. */
#define MOST_PATHS 8192

/* A path: the names of ranges, from the outermost to this one. The first path is that of no
 * range. */
struct path {
	uint32_t around; /* index of the path around this one; for the first path, its own */
	uint32_t label;
	uint32_t depth;
	uint32_t text;     /* index of a text of the part; 0: not made yet */
	uint32_t cause;    /* index of the cause of its ranges; RA_NONE: unknown yet */
	bool is_in_loader; /* a range around it is one of a DataLoader */
};

/* A cause: a role, the operation or call that has it, and the path around that. */
struct cause {
	uint32_t role;
	uint32_t item; /* index of a text of the part; 0: the innermost range of the path */
	uint32_t path;
	int64_t time_ns;  /* time in all steps */
	int64_t fill_ns;  /* time in the first step while it fills the GPU's queue */
	int64_t total_ns; /* sum of durations */
	struct ra_sum_stat stat;
	int64_t longest_at_ns; /* of the longest call: its start … */
	int64_t longest_ns;    /* … its duration … */
	int64_t longest_in_ns; /* … and its time in steps */
};

/* A range that may be open. */
struct frame {
	int64_t end_ns;
	uint32_t path;
};

struct frames {
	struct frame *rows; /* owned */
	size_t count;
	size_t capacity;
};

struct ra_sum_causes {
	struct ra_sum_build_job *job;
	struct path *paths; /* owned */
	size_t path_count;
	size_t path_capacity;
	struct ra_util_map path_of; /* path around << 32 | label → index of the path */
	struct cause *rows;         /* owned */
	size_t count;
	size_t capacity;
	struct ra_util_map index[RA_ROLE_OTHER]; /* by role: path << 32 | item → index in rows */
	struct ra_step_role_of role_of;
	struct ra_step_share share;
	int64_t fill_from_ns;  /* from this time on, the first step fills the queue */
	struct frames *frames; /* owned; by track */
};

/* How much longer the first step is than the median of the others. */
static int64_t find_beyond(const struct ra_steps *steps)
{
	const struct ra_step *rows = steps->times.steps;
	const size_t others = steps->times.step_count - 1;
	int64_t *totals_ns = ra_alloc_zeros(others + 1, sizeof(*totals_ns));
	int64_t beyond_ns = (int64_t) (rows[0].end - rows[0].start);

	for (size_t i = 0; i < others; i++) {
		totals_ns[i] = (int64_t) (rows[i + 1].end - rows[i + 1].start);
	}
	RA_SORT(totals_ns, others, ra_order_int64);
	beyond_ns -= totals_ns[others / 2];
	free(totals_ns);
	return beyond_ns > 0 ? beyond_ns : 0;
}

int64_t ra_sum_causes_fill(const struct ra_steps *steps)
{
	const struct ra_step *first = steps->times.steps;
	int64_t beyond_ns;
	int64_t fill_ns;
	int64_t from_ns;

	if (steps->times.step_count < 2 || steps->is_whole || !ra_steps_is_filling(steps, 0)) {
		return 0;
	}
	from_ns = steps->hosts[0].end_ns;
	from_ns = from_ns > (int64_t) first->start ? from_ns : (int64_t) first->start;
	fill_ns = (int64_t) first->end > from_ns ? (int64_t) first->end - from_ns : 0;
	beyond_ns = find_beyond(steps);
	return fill_ns < beyond_ns ? fill_ns : beyond_ns;
}

/* How much of a stretch is in the longest call. */
static int64_t measure_in(const struct cause *row, int64_t from_ns, int64_t to_ns)
{
	const int64_t end_ns = ra_util_add_time(row->longest_at_ns, row->longest_ns);
	const int64_t first_ns = from_ns > row->longest_at_ns ? from_ns : row->longest_at_ns;
	const int64_t last_ns = to_ns < end_ns ? to_ns : end_ns;

	return last_ns > first_ns ? last_ns - first_ns : 0;
}

static void see(void *context, uint32_t what, size_t step, int64_t from_ns, int64_t to_ns)
{
	struct ra_sum_causes *causes = context;
	struct cause *row = &causes->rows[what];

	row->time_ns = ra_util_add_time(row->time_ns, to_ns - from_ns);
	row->longest_in_ns += measure_in(row, from_ns, to_ns);
	if (step == 0 && to_ns > causes->fill_from_ns) {
		from_ns = from_ns > causes->fill_from_ns ? from_ns : causes->fill_from_ns;
		row->fill_ns = ra_util_add_time(row->fill_ns, to_ns - from_ns);
	}
}

static struct ra_sum_causes *create(struct ra_sum_build_job *job)
{
	struct ra_sum_causes *causes = ra_alloc_zeros(1, sizeof(*causes));

	causes->job = job;
	causes->fill_from_ns = INT64_MAX;
	if (ra_sum_causes_fill(&job->steps) > 0) {
		causes->fill_from_ns =
			(int64_t) job->steps.times.steps[0].end - ra_sum_causes_fill(&job->steps);
	}
	RA_UTIL_APPEND(causes->paths, causes->path_count, causes->path_capacity,
	               (struct path){ .cause = RA_NONE });
	causes->frames = ra_alloc_zeros(job->whole->track_count + 1, sizeof(*causes->frames));
	ra_step_role_of_init(&causes->role_of, job->whole);
	ra_step_share_begin(&causes->share, job->steps.times.steps, job->steps.times.step_count,
	                    see, causes);
	return causes;
}

void ra_sum_causes_destroy(struct ra_sum_causes *causes)
{
	if (causes == NULL) {
		return;
	}
	for (size_t i = 0; i < causes->count; i++) {
		ra_sum_stat_fini(&causes->rows[i].stat);
	}
	for (size_t i = 0; i < RA_ROLE_OTHER; i++) {
		ra_util_map_free(&causes->index[i]);
	}
	for (size_t i = 0; i < causes->job->whole->track_count; i++) {
		free(causes->frames[i].rows);
	}
	ra_step_role_of_fini(&causes->role_of);
	ra_util_map_free(&causes->path_of);
	free(causes->frames);
	free(causes->paths);
	free(causes->rows);
	free(causes);
}

/* True if a path is that of a range of a DataLoader, or inside such a path. */
static bool is_loader(struct ra_sum_causes *causes, const struct path *path)
{
	return path->is_in_loader ||
	       ra_op_kinds_is_loader(ra_labels_name(&causes->job->labels, path->label));
}

static uint32_t find_path(struct ra_sum_causes *causes, uint32_t around, uint32_t name)
{
	const uint32_t label = ra_labels_find(&causes->job->labels, name);
	bool is_in_loader;
	uint64_t key;
	uint32_t found;

	if (causes->paths[around].depth >= MOST_DEPTH) {
		around = causes->paths[around].around;
	}
	key = (uint64_t) around << 32 | label;
	found = ra_util_map_find(&causes->path_of, key);
	if (found != RA_UTIL_MAP_NONE) {
		return found;
	}
	if (causes->path_count >= MOST_PATHS) {
		return around;
	}
	found = (uint32_t) causes->path_count;
	ra_util_map_put(&causes->path_of, key, found);
	is_in_loader = around != 0 && is_loader(causes, &causes->paths[around]);
	RA_UTIL_APPEND(causes->paths, causes->path_count, causes->path_capacity,
	               (struct path){ .around = around,
	                              .label = label,
	                              .is_in_loader = is_in_loader,
	                              .depth = causes->paths[around].depth + 1,
	                              .cause = RA_NONE });
	return found;
}

static uint32_t find_cause(struct ra_sum_causes *causes, enum ra_role role, uint32_t item,
                           uint32_t path)
{
	const uint64_t key = (uint64_t) path << 32 | item;
	const uint32_t found = ra_util_map_find(&causes->index[role], key);

	if (found != RA_UTIL_MAP_NONE) {
		return found;
	}
	ra_util_map_put(&causes->index[role], key, (uint32_t) causes->count);
	RA_UTIL_APPEND(causes->rows, causes->count, causes->capacity,
	               (struct cause){ .role = role, .item = item, .path = path });
	return (uint32_t) (causes->count - 1);
}

/* Finds the cause of a range with this name and path. Names with the same label have the same
 * role. */
static uint32_t find_range_cause(struct ra_sum_causes *causes, uint32_t name, uint32_t path)
{
	if (causes->paths[path].cause == RA_NONE) {
		const enum ra_role role = ra_step_role_of_range(&causes->role_of, name);

		causes->paths[path].cause = find_cause(causes, role, 0, path);
	}
	return causes->paths[path].cause;
}

/* Does the same, and stores the durations of ranges inside a DataLoader's range, which gets their
 * time. */
static uint32_t take_range(struct ra_sum_causes *causes, const struct ra_walk_range *range,
                           uint32_t path)
{
	const uint32_t what = find_range_cause(causes, range->name, path);

	if (causes->paths[path].is_in_loader) {
		causes->rows[what].total_ns =
			ra_util_add_time(causes->rows[what].total_ns, range->dur_ns);
	}
	return what;
}

/* Finds the path of a range. Ranges come in the order of a walk, whether they are held in memory or
 * not, so that the result is the same. Steps and waits get the path of the range around them. */
static uint32_t find_path_in(struct ra_sum_causes *causes, const struct ra_walk_range *range,
                             bool is_step)
{
	const int64_t end_ns = ra_util_add_time(range->start_ns, range->dur_ns);
	struct frames *frames = &causes->frames[range->track];
	uint32_t path;

	while (frames->count > 0 && frames->rows[frames->count - 1].end_ns <= range->start_ns) {
		frames->count--;
	}
	path = frames->count > 0 ? frames->rows[frames->count - 1].path : 0;
	if (is_step || (range->flags & RA_SLICE_WAIT) != 0) {
		return path;
	}
	path = find_path(causes, path, range->name);
	if (causes->job->whole->tracks[range->track].kind == RA_TRACK_THREAD &&
	    (range->flags & RA_SLICE_CROSSING) == 0) {
		RA_UTIL_APPEND(frames->rows, frames->count, frames->capacity,
		               (struct frame){ end_ns, path });
	}
	return path;
}

/* A range that is held in memory. */
struct held {
	int64_t start_ns;
	uint32_t track;
	uint32_t slice;
};

/* Something that runs, and its number in the order of adding. */
struct item {
	struct ra_step_share_item item;
	size_t number;
};

/* All that runs, before it is put in order. */
struct items {
	struct ra_sum_causes *causes;
	const struct ra_model *model;
	uint32_t *path_of; /* owned; by slice: its path */
	struct item *rows; /* owned */
	size_t count;
	size_t capacity;
};

static uint32_t find_path_of(const struct items *items, uint32_t slice)
{
	return slice == RA_NONE ? 0 : items->path_of[slice];
}

static void add_item(struct items *items, uint32_t what, int64_t start_ns, int64_t dur_ns)
{
	struct cause *row = &items->causes->rows[what];
	const struct item item = { { .start_ns = start_ns,
		                     .end_ns = ra_util_add_time(start_ns, dur_ns),
		                     .what = what,
		                     .role = row->role },
		                   items->count };

	if (dur_ns > row->longest_ns) {
		row->longest_ns = dur_ns;
		row->longest_at_ns = start_ns;
	}
	RA_UTIL_APPEND(items->rows, items->count, items->capacity, item);
}

/* True if work belongs to the chosen steps: it does if its call does (doc/metrics.md, section
 * 22). */
static bool belongs(const struct items *items, const struct ra_gpu_op *op)
{
	const struct ra_sum_build_job *job = items->causes->job;

	if (job->options->steps == NULL) {
		return true;
	}
	return op->api == RA_NONE
	               ? ra_steps_holds(&job->steps, op->start_ns)
	               : ra_steps_is_open(&job->steps, items->model->gpu.apis[op->api].start_ns);
}

static void add_ops(struct items *items)
{
	struct ra_sum_causes *causes = items->causes;
	const struct ra_gpu *gpu = &items->model->gpu;

	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		const uint32_t what = find_cause(causes, ra_step_role_of_op(&causes->role_of, op),
		                                 ra_sum_build_name_op(causes->job, op),
		                                 find_path_of(items, op->slice));
		struct cause *row = &causes->rows[what];

		if (belongs(items, op)) {
			row->total_ns = ra_util_add_time(row->total_ns, op->dur_ns);
			ra_sum_stat_add(&row->stat, op->dur_ns, op->start_ns);
		}
		add_item(items, what, op->start_ns, op->dur_ns);
	}
}

static void add_calls(struct items *items)
{
	struct ra_sum_causes *causes = items->causes;
	const struct ra_gpu *gpu = &items->model->gpu;

	for (size_t i = 0; i < gpu->api_count; i++) {
		const struct ra_gpu_api *api = &gpu->apis[i];
		const uint32_t name = ra_sum_build_name_call(causes->job, api);
		const uint32_t path = find_path_of(items, api->slice);

		add_item(items, find_cause(causes, RA_ROLE_RUNTIME, name, path), api->start_ns,
		         api->dur_ns);
	}
}

static int compare_held(const void *left, const void *right)
{
	const struct held *a = left;
	const struct held *b = right;
	int order = RA_ORDER_UP(a, b, start_ns);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, track));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, slice));
}

/* Lists the ranges in the order in which a walk gives them. */
static struct held *list_held(const struct ra_model *model, size_t *count)
{
	struct held *held = ra_alloc_zeros(model->slices.count + 1, sizeof(*held));

	*count = 0;
	for (uint32_t t = 0; t < model->track_count; t++) {
		const struct ra_track *track = &model->tracks[t];

		for (size_t i = track->first_slice; i < track->first_slice + track->slice_count;
		     i++) {
			held[(*count)++] =
				(struct held){ model->slices.start_ns[i], t, (uint32_t) i };
		}
	}
	RA_SORT(held, *count, compare_held);
	return held;
}

static void add_ranges(struct items *items, const uint8_t *is_step)
{
	const struct ra_slices *slices = &items->model->slices;
	size_t count;
	struct held *held = list_held(items->model, &count);

	for (size_t i = 0; i < count; i++) {
		const uint32_t slice = held[i].slice;
		const struct ra_walk_range range = {
			.start_ns = slices->start_ns[slice],
			.dur_ns = slices->dur_ns[slice],
			.name = slices->name[slice],
			.track = held[i].track,
			.domain = slices->domain[slice],
			.flags = slices->flags[slice],
		};
		const uint32_t path = find_path_in(items->causes, &range, is_step[slice] != 0);

		items->path_of[slice] = path;
		if (is_step[slice] == 0 && (range.flags & RA_SLICE_WAIT) == 0) {
			add_item(items, take_range(items->causes, &range, path), range.start_ns,
			         range.dur_ns);
		}
	}
	free(held);
}

static int compare_items(const void *left, const void *right)
{
	const struct item *a = left;
	const struct item *b = right;

	return RA_ORDER_THEN(RA_ORDER(a->item.start_ns, b->item.start_ns),
	                     RA_ORDER_UP(a, b, number));
}

static void find_all(struct ra_sum_causes *causes)
{
	const struct ra_model *model = causes->job->whole;
	struct items items = { .causes = causes, .model = model };

	items.path_of = ra_alloc_zeros(model->slices.count + 1, sizeof(*items.path_of));
	add_ranges(&items, causes->job->steps.is_step);
	add_ops(&items);
	add_calls(&items);
	RA_SORT(items.rows, items.count, compare_items);
	for (size_t i = 0; i < items.count; i++) {
		ra_step_share_add(&causes->share, &items.rows[i].item);
	}
	free(items.path_of);
	free(items.rows);
}

void ra_sum_causes_begin(struct ra_sum_build_job *job)
{
	job->causes = create(job);
}

void ra_sum_causes_take(struct ra_sum_causes *causes, const struct ra_walk_range *range,
                        bool is_step)
{
	const uint32_t path = find_path_in(causes, range, is_step);
	uint32_t what;

	if (is_step || (range->flags & RA_SLICE_WAIT) != 0) {
		return;
	}
	what = take_range(causes, range, path);
	ra_step_share_add(&causes->share,
	                  &(struct ra_step_share_item){
				  .start_ns = range->start_ns,
				  .end_ns = ra_util_add_time(range->start_ns, range->dur_ns),
				  .what = what,
				  .role = causes->rows[what].role,
			  });
}

/* The index of a text with the names of a path. */
static uint32_t name_path(struct ra_sum_causes *causes, uint32_t path)
{
	struct path *row = &causes->paths[path];
	struct ra_util_text text = { 0 };
	uint32_t labels[MOST_DEPTH + 1];
	size_t count = 0;

	if (path == 0 || row->text != 0) {
		return row->text;
	}
	for (uint32_t at = path; at != 0 && count <= MOST_DEPTH; at = causes->paths[at].around) {
		labels[count++] = causes->paths[at].label;
	}
	while (count-- > 0) {
		const struct rlog_string name = ra_labels_name(&causes->job->labels, labels[count]);

		ra_util_text_put(&text, name.bytes, name.length);
		if (count > 0) {
			ra_util_text_put_char(&text, RA_SUM_BETWEEN);
		}
	}
	row->text = ra_sum_build_text(
		causes->job, (struct rlog_string){ text.bytes, (uint32_t) text.length, 0 });
	ra_util_text_free(&text);
	return row->text;
}

static void add_rows(struct ra_sum_causes *causes)
{
	ra_sum_make_room(causes->job->part, causes->count);
	for (size_t i = 0; i < causes->count; i++) {
		struct cause *from = &causes->rows[i];
		struct ra_sum_row *row;

		if (from->time_ns == 0 && from->total_ns == 0 && from->stat.count == 0) {
			continue;
		}
		row = ra_sum_add_row(causes->job->part);
		row->table = RA_SUM_CAUSES;
		row->kind = from->role;
		row->domain = from->item;
		row->name = name_path(causes, from->path);
		row->self_ns = from->time_ns;
		row->gpu_self_ns = from->fill_ns;
		row->total_ns = from->total_ns;
		row->gpu_total_ns = from->longest_ns;
		row->bytes = (uint64_t) from->longest_in_ns;
		row->errors = from->longest_at_ns > 0 ? (uint64_t) from->longest_at_ns : 0;
		row->stat = from->stat;
		from->stat = (struct ra_sum_stat){ 0 };
	}
}

void ra_sum_causes_build(struct ra_sum_build_job *job)
{
	if (job->causes == NULL && job->whole->walk == NULL) {
		job->causes = create(job);
		find_all(job->causes);
	}
	if (job->causes != NULL) {
		ra_step_share_end(&job->causes->share);
		add_rows(job->causes);
	}
	ra_sum_causes_destroy(job->causes);
	job->causes = NULL;
}
