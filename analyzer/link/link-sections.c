/* SPDX-License-Identifier: MIT */
/* Sections of kernels: pairs the begins and ends that a GPU wrote, and finds their kernels and
 * times. */
#include "analyzer/link/link-sections.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/order/util-sort.h"
#include "analyzer/base/util.h"
#include "analyzer/model/schemas.h"
#include "analyzer/model/section-rows.h"

/* Each block can have this many open begins; further begins are ignored. */
#define MAX_DEPTH 64u

/* The most ns that a section without a kernel lasts. */
#define MAX_NS (INT64_C(1) << 60)

/* One begin or end of a section, as the GPU wrote it. */
struct record {
	uint64_t time;
	uint64_t clock;
	uint32_t launch; /* index into launches */
	uint32_t block;
	uint32_t sm;
	uint32_t name;
	uint32_t id_end;
};

struct launch {
	uint64_t first; /* smallest time of its records … */
	uint64_t last;
	int64_t time_ns; /* when the program announced the launch, in the model's ns … */
	uint32_t track;  /* … and on which thread; RA_NONE: the log has no such announcement */
	uint32_t op;
	int64_t shift_ns; /* time from the kernel's start to the first record */
	bool has_records;
};

struct linking {
	struct ra_model *model;
	struct record *records; /* owned, as all arrays here */
	size_t record_count;
	size_t record_capacity;
	struct launch *launches;
	size_t launch_count;
	size_t launch_capacity;
	struct ra_util_sort_entry *order; /* order of the records, later of the sections */
	struct ra_util_map buffers;       /* the program's number of a buffer → our number */
	struct ra_util_map numbers; /* (our number of the buffer, number of the launch) → index into
	                               launches */
	struct ra_util_map names;   /* handle of a registered string → string id */
	size_t section_capacity;
	uint32_t open[MAX_DEPTH]; /* indices of the open sections of the current block */
	uint32_t depth;
};

static uint64_t read_long(const uint8_t *from)
{
	uint64_t value = 0;

	for (unsigned i = 8; i > 0; i--) {
		value = value << 8 | from[i - 1];
	}
	return value;
}

static uint32_t read_word(const uint8_t *from)
{
	return (uint32_t) from[0] | (uint32_t) from[1] << 8 | (uint32_t) from[2] << 16 |
	       (uint32_t) from[3] << 24;
}

/* Finds or adds a launch. The pointer is valid until the next one is added. */
static struct launch *find_launch(struct linking *l, uint64_t buffer, uint32_t number)
{
	uint32_t place = ra_util_map_find(&l->buffers, buffer);
	uint32_t index;
	uint64_t key;

	if (place == RA_UTIL_MAP_NONE) {
		place = (uint32_t) l->buffers.count;
		ra_util_map_put(&l->buffers, buffer, place);
	}
	key = (uint64_t) place << 32 | number;
	index = ra_util_map_find(&l->numbers, key);
	if (index != RA_UTIL_MAP_NONE && index < l->launch_count) {
		return &l->launches[index];
	}
	index = (uint32_t) l->launch_count;
	ra_util_grow(&l->launches, &l->launch_capacity, l->launch_count + 1, sizeof(*l->launches));
	ra_util_map_put(&l->numbers, key, index);
	l->launches[l->launch_count++] = (struct launch){ .track = RA_NONE, .op = RA_NONE };
	return &l->launches[index];
}

/* The text of a registered string. */
static uint32_t find_name(struct linking *l, uint32_t domain, uint64_t handle)
{
	const struct ra_defs *defs = &l->model->schemas->defs;
	const struct rlog_def *def;
	uint32_t name = ra_util_map_find(&l->names, handle);

	if (name == RA_UTIL_MAP_NONE) {
		def = ra_defs_find(defs, RLOG_DEF_REGISTERED_STRING, domain, handle);
		name = def != NULL && ra_defs_string(defs, def->string).bytes != NULL ? def->string
		                                                                      : 0;
		ra_util_map_put(&l->names, handle, name);
	}
	return name;
}

static void widen(struct launch *launch, uint64_t time)
{
	if (!launch->has_records || time < launch->first) {
		launch->first = time;
	}
	if (!launch->has_records || time > launch->last) {
		launch->last = time;
	}
	launch->has_records = true;
}

static void add_records(struct linking *l, uint32_t domain, const uint8_t *rows, size_t count)
{
	ra_util_grow(&l->records, &l->record_capacity, l->record_count + count,
	             sizeof(*l->records));
	for (size_t i = 0; i < count; i++, rows += RA_SECTION_RECORD_BYTES) {
		struct record *record = &l->records[l->record_count];
		struct launch *launch = find_launch(l, read_long(rows + RA_SECTION_RECORD_BUFFER),
		                                    read_word(rows + RA_SECTION_RECORD_LAUNCH));

		*record = (struct record){
			.time = read_long(rows + RA_SECTION_RECORD_TIME),
			.clock = read_long(rows + RA_SECTION_RECORD_CLOCK),
			.block = read_word(rows + RA_SECTION_RECORD_BLOCK),
			.sm = read_word(rows + RA_SECTION_RECORD_SM),
			.id_end = read_word(rows + RA_SECTION_RECORD_ID_END),
			.launch = (uint32_t) (launch - l->launches),
		};
		widen(launch, record->time);
		record->name = find_name(l, domain, read_long(rows + RA_SECTION_RECORD_NAME));
		l->record_count++;
	}
}

static void add_launches(struct linking *l, const struct ra_call *call, const uint8_t *rows,
                         size_t count)
{
	for (size_t i = 0; i < count; i++, rows += RA_SECTION_LAUNCH_BYTES) {
		const uint32_t number = read_word(rows + RA_SECTION_LAUNCH_LAUNCH);
		const uint32_t dropped = read_word(rows + RA_SECTION_LAUNCH_DROPPED);
		struct launch *launch;

		l->model->gpu.sections_dropped =
			ra_util_add(l->model->gpu.sections_dropped, dropped);
		if (number == 0) {
			continue;
		}
		launch = find_launch(l, read_long(rows + RA_SECTION_LAUNCH_BUFFER), number);
		launch->track = call->track;
		launch->time_ns = call->time_ns;
	}
}

static void collect(struct linking *l)
{
	const struct ra_model *m = l->model;

	for (size_t i = 0; i < m->call_data.count; i++) {
		const struct ra_data *data = &m->call_data.rows[i];
		const struct ra_call *call = &m->calls[data->owner];
		const uint8_t *rows;
		size_t count;

		switch (ra_section_rows_find(m, data, &rows, &count)) {
		case RA_SECTION_ROWS_RECORDS:
			add_records(l, m->domains[call->domain].id, rows, count);
			break;
		case RA_SECTION_ROWS_LAUNCHES:
			add_launches(l, call, rows, count);
			break;
		case RA_SECTION_ROWS_NONE:
			break;
		}
	}
}

static int compare_launches(const void *left, const void *right)
{
	const struct launch *a = *(const struct launch *const *) left;
	const struct launch *b = *(const struct launch *const *) right;
	int order = RA_ORDER_UP(a, b, track);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, time_ns));
	return RA_ORDER_THEN(order, RA_ORDER(a, b));
}

/* Finds the kernel of each call that launched exactly one kernel; RA_NONE for other calls. */
static void find_kernels(const struct ra_gpu *gpu, uint32_t *kernels)
{
	for (size_t i = 0; i < gpu->api_count; i++) {
		kernels[i] = RA_NONE;
	}
	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];

		if (op->api != RA_NONE && op->kind == RA_GPU_KERNEL) {
			kernels[op->api] = kernels[op->api] == RA_NONE ? (uint32_t) i : RA_NONE - 1;
		}
	}
	for (size_t i = 0; i < gpu->api_count; i++) {
		kernels[i] = kernels[i] == RA_NONE - 1 ? RA_NONE : kernels[i];
	}
}

/* The first kernel that a thread launched between two times. @at: index of the call to begin with;
 * gets the index to begin with next time. */
static uint32_t find_kernel(const struct ra_gpu *gpu, const uint32_t *kernels,
                            const struct launch *launch, int64_t end_ns, size_t *at)
{
	for (; *at < gpu->api_count && gpu->apis[*at].track <= launch->track; (*at)++) {
		const struct ra_gpu_api *api = &gpu->apis[*at];

		if (api->track < launch->track || api->start_ns < launch->time_ns) {
			continue;
		}
		if (api->start_ns >= end_ns) {
			break;
		}
		if (kernels[*at] != RA_NONE) {
			return kernels[*at];
		}
	}
	return RA_NONE;
}

/* Assigns kernels to launches. Goes through launches and calls in the order of thread and time,
 * through each only once. */
static void match_kernels(struct linking *l, struct launch **sorted, size_t count,
                          const uint32_t *kernels)
{
	size_t at = 0;

	for (size_t i = 0; i < count; i++) {
		const bool has_next = i + 1 < count && sorted[i + 1]->track == sorted[i]->track;

		if (sorted[i]->track != RA_NONE) {
			sorted[i]->op =
				find_kernel(&l->model->gpu, kernels, sorted[i],
			                    has_next ? sorted[i + 1]->time_ns : INT64_MAX, &at);
		}
	}
}

static int compare_starts(const void *left, const void *right)
{
	const struct ra_util_sort_entry *a = left;
	const struct ra_util_sort_entry *b = right;
	int order = RA_ORDER_UP(a, b, tag); /* the key's tag is the device */

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, key));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, index));
}

/*
 * Finds how the GPU's timer relates to the kernels' clock. No record is outside its kernel, so each
 * kernel gives a lower and an upper limit of the difference of the two clocks. We take the largest
 * lower limit so far, because the first block begins when its kernel begins, but never more than
 * the upper limit. Arithmetic is modulo 2^64; if a file has senseless times, they are limited to
 * the kernel's time later.
 */
static void tie_clocks(struct linking *l, const struct ra_util_sort_entry *entries, size_t count)
{
	const struct ra_gpu *gpu = &l->model->gpu;
	uint64_t difference = 0;

	for (size_t i = 0; i < count; i++) {
		struct launch *launch = &l->launches[entries[i].index];
		const struct ra_gpu_op *op = &gpu->ops[launch->op];
		const uint64_t least = (uint64_t) op->start_ns - launch->first;
		const uint64_t most =
			(uint64_t) ra_util_add_time(op->start_ns, op->dur_ns) - launch->last;

		if (i == 0 || entries[i - 1].tag != entries[i].tag) {
			difference = least;
		}
		if ((int64_t) (most - difference) < 0) {
			difference = most;
		}
		if ((int64_t) (least - difference) > 0) {
			difference = least;
		}
		launch->shift_ns = (int64_t) (difference - least);
	}
}

static void place_launches(struct linking *l)
{
	const struct ra_gpu *gpu = &l->model->gpu;
	struct launch **sorted = ra_alloc_zeros(l->launch_count + 1, sizeof(void *));
	uint32_t *kernels = ra_alloc_bytes((gpu->api_count + 1) * sizeof(*kernels));
	struct ra_util_sort_entry *entries = ra_alloc_zeros(l->launch_count + 1, sizeof(*entries));
	size_t count = 0;

	for (size_t i = 0; i < l->launch_count; i++) {
		sorted[i] = &l->launches[i];
	}
	RA_SORT(sorted, l->launch_count, compare_launches);
	find_kernels(gpu, kernels);
	match_kernels(l, sorted, l->launch_count, kernels);
	for (size_t i = 0; i < l->launch_count; i++) {
		const struct launch *launch = &l->launches[i];

		if (launch->has_records && launch->op != RA_NONE) {
			const struct ra_gpu_op *op = &gpu->ops[launch->op];

			entries[count++] = (struct ra_util_sort_entry){
				(uint64_t) op->start_ns + (UINT64_C(1) << 63), (uint32_t) i,
				gpu->queues[op->queue].device
			};
		}
	}
	RA_SORT(entries, count, compare_starts);
	tie_clocks(l, entries, count);
	free(sorted);
	free(kernels);
	free(entries);
}

/* Converts the time of a record to the model's ns. */
static int64_t convert(const struct linking *l, const struct record *record)
{
	const struct launch *launch = &l->launches[record->launch];
	const struct ra_gpu_op *op;
	const uint64_t since = record->time - launch->first;
	int64_t since_ns = since < (uint64_t) MAX_NS ? (int64_t) since : MAX_NS;

	if (launch->op == RA_NONE) {
		return since_ns;
	}
	op = &l->model->gpu.ops[launch->op];
	since_ns = ra_util_add_time(since_ns, launch->shift_ns);
	return op->start_ns + (since_ns < op->dur_ns ? since_ns : op->dur_ns);
}

static void close_section(struct ra_gpu_section *section, const struct record *end, int64_t end_ns)
{
	section->dur_ns = end_ns - section->start_ns;
	/* Until now, cycles had the clock at the begin. Clocks of different SMs can't be
	 * compared. */
	section->cycles = end->sm == section->sm && end->clock >= section->cycles
	                          ? end->clock - section->cycles
	                          : 0;
}

static void open_section(struct linking *l, const struct record *record, int64_t time_ns)
{
	struct ra_gpu *gpu = &l->model->gpu;

	ra_util_grow(&gpu->sections, &l->section_capacity, gpu->section_count + 1,
	             sizeof(*gpu->sections));
	gpu->sections[gpu->section_count] = (struct ra_gpu_section){
		.start_ns = time_ns,
		.cycles = record->clock,
		.name = record->name,
		.id = record->id_end / 2,
		.op = l->launches[record->launch].op,
		.launch = record->launch,
		.block = record->block,
		.sm = record->sm,
		.depth = l->depth,
	};
	gpu->sections_unplaced += l->launches[record->launch].op == RA_NONE;
	l->open[l->depth++] = (uint32_t) gpu->section_count++;
}

/* Pairs the records of one block in one launch: the records from `first` to before `end` in the
 * order. */
static void pair_block(struct linking *l, size_t first, size_t end)
{
	struct ra_gpu *gpu = &l->model->gpu;
	const struct record *record = NULL;
	int64_t now_ns = INT64_MIN;

	l->depth = 0;
	for (size_t i = first; i < end; i++) {
		uint32_t at = l->depth;
		int64_t time_ns;

		record = &l->records[l->order[i].index];
		time_ns = convert(l, record);
		now_ns = time_ns > now_ns ? time_ns : now_ns;
		if (record->id_end % 2 == 0) {
			if (l->depth < MAX_DEPTH) {
				open_section(l, record, now_ns);
			} else {
				gpu->sections_open++;
			}
			continue;
		}
		while (at > 0 && gpu->sections[l->open[at - 1]].id != record->id_end / 2) {
			at--;
		}
		if (at == 0) {
			gpu->sections_open++;
			continue;
		}
		gpu->sections_open += l->depth - at;
		while (l->depth >= at) {
			close_section(&gpu->sections[l->open[--l->depth]], record, now_ns);
		}
	}
	gpu->sections_open += l->depth;
	while (l->depth > 0) {
		close_section(&gpu->sections[l->open[--l->depth]], record, now_ns);
	}
}

static void pair_records(struct linking *l)
{
	size_t end;

	l->order = ra_alloc_bytes((l->record_count + 1) * sizeof(*l->order));
	for (size_t i = 0; i < l->record_count; i++) {
		l->order[i] = (struct ra_util_sort_entry){
			(uint64_t) l->records[i].launch << 32 | l->records[i].block, (uint32_t) i, 0
		};
	}
	ra_util_sort(&l->order, l->record_count);
	for (size_t first = 0; first < l->record_count; first = end) {
		for (end = first + 1;
		     end < l->record_count && l->order[end].key == l->order[first].key; end++) {
		}
		pair_block(l, first, end);
	}
}

/*
 * If several sections of a launch and block begin at the same time, sections of 0 ns come last. Of
 * the others, each is inside the section before it.
 */
static void copy_sections(const struct ra_gpu *gpu, const struct ra_util_sort_entry *order,
                          struct ra_gpu_section *sorted)
{
	size_t end;

	for (size_t first = 0; first < gpu->section_count; first = end) {
		const struct ra_gpu_section *one = &gpu->sections[order[first].index];
		size_t at = first;

		for (end = first; end < gpu->section_count; end++) {
			const struct ra_gpu_section *next = &gpu->sections[order[end].index];

			if (next->launch != one->launch || next->block != one->block ||
			    next->start_ns != one->start_ns) {
				break;
			}
			if (next->dur_ns > 0) {
				sorted[at++] = *next;
			}
		}
		for (size_t i = first; at < end; i++) {
			if (gpu->sections[order[i].index].dur_ns == 0) {
				sorted[at++] = gpu->sections[order[i].index];
			}
		}
	}
}

/* The sections are in the order of launch, block and time. Stable sorts bring them into the order
 * that the model has. */
static void sort_sections(struct linking *l)
{
	struct ra_gpu *gpu = &l->model->gpu;
	const size_t count = gpu->section_count;
	struct ra_gpu_section *sorted = ra_alloc_bytes((count + 1) * sizeof(*sorted));
	struct ra_util_sort_entry *order = ra_alloc_bytes((count + 1) * sizeof(*order));

	for (size_t i = 0; i < count; i++) {
		const uint32_t op = gpu->sections[i].op;

		order[i] = (struct ra_util_sort_entry){
			op == RA_NONE ? 0 : (uint64_t) gpu->ops[op].start_ns + (UINT64_C(1) << 63),
			(uint32_t) i, op == RA_NONE ? RA_NONE : gpu->ops[op].queue
		};
	}
	ra_util_sort(&order, count);
	for (size_t i = 0; i < count; i++) {
		order[i].key = (uint64_t) order[i].tag << 32 | gpu->sections[order[i].index].block;
	}
	ra_util_sort(&order, count);
	copy_sections(gpu, order, sorted);
	free(order);
	free(gpu->sections);
	gpu->sections = sorted;
}

void ra_link_sections(struct ra_model *model)
{
	struct linking l = { .model = model };

	if (model->schemas == NULL || model->call_data.count == 0) {
		return;
	}
	collect(&l);
	if (l.record_count > 0) {
		place_launches(&l);
		pair_records(&l);
		sort_sections(&l);
	}
	free(l.records);
	free(l.launches);
	free(l.order);
	ra_util_map_free(&l.buffers);
	ra_util_map_free(&l.numbers);
	ra_util_map_free(&l.names);
}
