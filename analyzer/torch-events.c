/* SPDX-License-Identifier: MIT */
/* The events that torch.profiler's table is made of, as torch makes them from Kineto's. */
#include "analyzer/torch-events.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/util.h"
#include "format/error.h"

/* An event that names an operator. Sorted by id, then in the file's order. */
struct link {
	uint32_t id;    /* External id */
	uint32_t row;   /* of the trace */
	uint32_t event; /* index */
};

struct record {
	double time_us;
	int64_t cpu_bytes; /* of this record; then of all up to it */
	int64_t gpu_bytes;
	uint32_t row;
	uint32_t order;
	int32_t cover; /* events that begin here less those that ended before */
};

struct making {
	struct ra_torch_events *events;
	size_t capacity;
	struct record *records; /* owned; by time */
	size_t record_count;
	struct link *links; /* owned */
	size_t link_count;
	struct ra_util_map by_tid; /* number of a tid → thread of the first that has it */
	struct ra_util_map last;   /* thread → innermost event that is open there */
};

static bool is_text(struct rlog_string name, const char *text)
{
	return name.length == strlen(text) && memcmp(name.bytes, text, name.length) == 0;
}

/* Names that torch takes no event from. */
static bool is_dropped(struct rlog_string name)
{
	static const char *const dropped[] = {
		"[memory]",
		"[OutOfMemory]",
		"profiler::_record_function_enter",
		"profiler::_record_function_enter_new",
		"profiler::_record_function_exit",
		"aten::is_leaf",
		"aten::output_nr",
		"aten::_version",
	};

	for (size_t i = 0; i < sizeof(dropped) / sizeof(dropped[0]); i++) {
		if (is_text(name, dropped[i])) {
			return true;
		}
	}
	return false;
}

bool ra_torch_events_is_step(struct rlog_string name)
{
	static const char head[] = "ProfilerStep#";
	const size_t length = sizeof(head) - 1;

	return name.length >= length && memcmp(name.bytes, head, length) == 0;
}

/* Kinds that become events: 1 of the CPU, 2 of the device; 0 for the others. */
static int find_side(uint8_t kind)
{
	switch (kind) {
	case RA_KINETO_CPU_OP:
	case RA_KINETO_USER_ANNOTATION:
	case RA_KINETO_RUNTIME:
	case RA_KINETO_DRIVER:
	case RA_KINETO_OVERHEAD:
		return 1;
	case RA_KINETO_KERNEL:
	case RA_KINETO_MEMCPY:
	case RA_KINETO_MEMSET:
	case RA_KINETO_GPU_USER_ANNOTATION:
	case RA_KINETO_SYNC:
	case RA_KINETO_PROFILER_RANGE:
		return 2;
	default:
		return 0;
	}
}

/* torch knows threads by tid alone, and 5 is "5". */
static int find_thread(struct making *making, uint32_t index, uint32_t *thread)
{
	const struct ra_kineto_thread *t = &making->events->kineto->threads[index];
	uint32_t first;

	*thread = index;
	if (t->tid_number == INT64_MIN) {
		return 0;
	}
	first = ra_util_map_find(&making->by_tid, (uint64_t) t->tid_number);
	if (first != RA_UTIL_MAP_NONE) {
		*thread = first;
		return 0;
	}
	return ra_util_map_put(&making->by_tid, (uint64_t) t->tid_number, index);
}

static struct ra_torch_event *add_event(struct making *making, uint32_t row)
{
	struct ra_torch_events *events = making->events;
	const struct ra_kineto *k = events->kineto;
	struct ra_torch_event *event;

	if (ra_util_grow(&events->rows, &making->capacity, events->count + 1,
	                 sizeof(*events->rows)) != 0) {
		return NULL;
	}
	event = &events->rows[events->count++];
	*event = (struct ra_torch_event){
		.start_us = ra_kineto_us(k->ts_ns[row]),
		.row = row,
		.name = ra_torch_events_is_step(k->strings[k->name[row]]) ? events->step_name
		                                                          : k->name[row],
		.kernels = RA_TORCH_NO_EVENT,
		.parent = RA_TORCH_NO_EVENT,
		.first_child = RA_TORCH_NO_EVENT,
		.last_child = RA_TORCH_NO_EVENT,
		.next = RA_TORCH_NO_EVENT,
	};
	event->end_us = event->start_us;
	return find_thread(making, k->thread[row], &event->thread) == 0 ? event : NULL;
}

static int add_events(struct making *making)
{
	const struct ra_kineto *k = making->events->kineto;
	const uint8_t needed = RA_KINETO_HAS_TS | RA_KINETO_HAS_DUR;

	for (size_t i = 0; i < k->count; i++) {
		const int side = find_side(k->kind[i]);
		struct ra_torch_event *event;

		if (side == 0 || (k->flags[i] & needed) != needed ||
		    is_dropped(k->strings[k->name[i]])) {
			continue;
		}
		event = add_event(making, (uint32_t) i);
		if (event == NULL) {
			return -RLOG_E_NO_MEMORY;
		}
		event->end_us = event->start_us + ra_kineto_us(k->dur_ns[i]);
		event->is_device = side == 2;
		event->is_annotation = k->kind[i] == RA_KINETO_USER_ANNOTATION ||
		                       k->kind[i] == RA_KINETO_GPU_USER_ANNOTATION;
	}
	return 0;
}

static int compare_records(const void *left, const void *right)
{
	const struct record *a = left;
	const struct record *b = right;

	if (a->time_us != b->time_us) {
		return a->time_us < b->time_us ? -1 : 1;
	}
	return a->order < b->order ? -1 : a->order > b->order;
}

static int add_records(struct making *making)
{
	const struct ra_kineto *k = making->events->kineto;
	size_t capacity = 0;

	for (size_t i = 0; i < k->count; i++) {
		struct record *record;
		int64_t bytes = 0;
		int64_t device = 0;

		if (k->kind[i] != RA_KINETO_MEMORY || (k->flags[i] & RA_KINETO_HAS_TS) == 0) {
			continue;
		}
		if (ra_util_grow(&making->records, &capacity, making->record_count + 1,
		                 sizeof(*record)) != 0) {
			return -RLOG_E_NO_MEMORY;
		}
		(void) ra_kineto_get_int(k, (uint32_t) i, RA_KINETO_ARG_BYTES_MEMORY, &bytes);
		(void) ra_kineto_get_int(k, (uint32_t) i, RA_KINETO_ARG_DEVICE_TYPE, &device);
		record = &making->records[making->record_count];
		*record = (struct record){
			.time_us = ra_kineto_us(k->ts_ns[i]),
			.cpu_bytes = device == 0 ? bytes : 0,
			.gpu_bytes = device == 0 ? 0 : bytes,
			.row = (uint32_t) i,
			.order = (uint32_t) making->record_count,
		};
		making->record_count++;
	}
	making->events->has_memory = making->record_count > 0;
	if (making->record_count > 0) {
		qsort(making->records, making->record_count, sizeof(*making->records),
		      compare_records);
	}
	return 0;
}

/* The first record at this time or later; with `is_after` the first one later. */
static size_t find_record(const struct making *making, double time_us, bool is_after)
{
	size_t low = 0;
	size_t high = making->record_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const double at_us = making->records[middle].time_us;

		if (at_us < time_us || (is_after && at_us == time_us)) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/* Sums of texts from a file may be any number; they wrap, as nothing sensible is lost by that. */
static int64_t wrap_add(int64_t a, int64_t b)
{
	return (int64_t) ((uint64_t) a + (uint64_t) b);
}

static int64_t wrap_subtract(int64_t a, int64_t b)
{
	return (int64_t) ((uint64_t) a - (uint64_t) b);
}

/* Gives each event of the CPU its records; those of none become events of their own. */
static int assign_records(struct making *making)
{
	struct record *records = making->records;
	const size_t count = making->record_count;
	const size_t event_count = making->events->count;
	int32_t cover = 0;

	if (count == 0) {
		return 0;
	}
	for (size_t i = 0; i < event_count; i++) {
		const struct ra_torch_event *event = &making->events->rows[i];
		const size_t from = find_record(making, event->start_us, false);
		const size_t to = find_record(making, event->end_us, true);

		if (!event->is_device && from < to) {
			records[from].cover++;
			if (to < count) {
				records[to].cover--;
			}
		}
	}
	for (size_t i = 0; i < count; i++) {
		struct ra_torch_event *event;

		cover += records[i].cover;
		if (cover != 0) {
			continue;
		}
		event = add_event(making, records[i].row);
		if (event == NULL) {
			return -RLOG_E_NO_MEMORY;
		}
		event->cpu_bytes = records[i].cpu_bytes;
		event->gpu_bytes = records[i].gpu_bytes;
	}
	for (size_t i = 1; i < count; i++) {
		records[i].cpu_bytes = wrap_add(records[i].cpu_bytes, records[i - 1].cpu_bytes);
		records[i].gpu_bytes = wrap_add(records[i].gpu_bytes, records[i - 1].gpu_bytes);
	}
	for (size_t i = 0; i < event_count; i++) {
		struct ra_torch_event *event = &making->events->rows[i];
		const size_t from = find_record(making, event->start_us, false);
		const size_t to = find_record(making, event->end_us, true);
		const struct record none = { 0 };
		const struct record *before = from == 0 ? &none : &records[from - 1];

		if (!event->is_device && from < to) {
			event->cpu_bytes =
				wrap_subtract(records[to - 1].cpu_bytes, before->cpu_bytes);
			event->gpu_bytes =
				wrap_subtract(records[to - 1].gpu_bytes, before->gpu_bytes);
		}
	}
	return 0;
}

static int compare_events(const void *left, const void *right)
{
	const struct ra_torch_event *a = left;
	const struct ra_torch_event *b = right;

	if (a->start_us != b->start_us) {
		return a->start_us < b->start_us ? -1 : 1;
	}
	if (a->end_us != b->end_us) {
		return a->end_us > b->end_us ? -1 : 1;
	}
	return a->kernels < b->kernels ? -1 : a->kernels > b->kernels;
}

/* A stable sort: `kernels` holds the order until it is set. */
static void sort_events(struct ra_torch_events *events)
{
	for (size_t i = 0; i < events->count; i++) {
		events->rows[i].kernels = (uint32_t) i;
	}
	if (events->count > 0) {
		qsort(events->rows, events->count, sizeof(*events->rows), compare_events);
	}
}

static int compare_links(const void *left, const void *right)
{
	const struct link *a = left;
	const struct link *b = right;

	if (a->id != b->id) {
		return a->id < b->id ? -1 : 1;
	}
	return a->row < b->row ? -1 : a->row > b->row;
}

/* External id of an event that says which operator it belongs to; 0 if it does not. */
static uint32_t find_operator(const struct ra_kineto *k, uint32_t row)
{
	switch (k->kind[row]) {
	case RA_KINETO_CPU_OP:
	case RA_KINETO_USER_ANNOTATION:
	case RA_KINETO_GPU_USER_ANNOTATION:
	case RA_KINETO_MEMORY:
		return 0;
	default:
		return k->external[row] == RA_KINETO_NONE ? 0 : k->external[row];
	}
}

/* The id by which others name an event: an operator's External id, else its correlation. */
static uint32_t find_own_id(const struct ra_kineto *k, uint32_t row)
{
	const bool is_operator =
		k->kind[row] == RA_KINETO_CPU_OP || k->kind[row] == RA_KINETO_USER_ANNOTATION;
	const uint32_t id = is_operator ? k->external[row] : k->corr[row];

	return id == RA_KINETO_NONE || k->kind[row] == RA_KINETO_MEMORY ? 0 : id;
}

static int find_links(struct making *making)
{
	const struct ra_torch_events *events = making->events;

	making->links = calloc(events->count + 1, sizeof(*making->links));
	if (making->links == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	for (size_t i = 0; i < events->count; i++) {
		const uint32_t id = find_operator(events->kineto, events->rows[i].row);

		if (id != 0) {
			making->links[making->link_count++] = (struct link){
				.id = id,
				.row = events->rows[i].row,
				.event = (uint32_t) i,
			};
		}
	}
	if (making->link_count > 0) {
		qsort(making->links, making->link_count, sizeof(*making->links), compare_links);
	}
	return 0;
}

/* The links of an id begin here; link_count or another id's if there are none. */
static size_t find_link(const struct making *making, uint32_t id)
{
	size_t low = 0;
	size_t high = making->link_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (making->links[middle].id < id) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

/*
 * Each event without an operator of its own gets the device's work that names it, and calls that
 * name it are on its thread.
 */
static void assign_kernels(struct making *making)
{
	struct ra_torch_events *events = making->events;

	for (size_t i = 0; i < events->count; i++) {
		struct ra_torch_event *event = &events->rows[i];
		const uint32_t id = find_own_id(events->kineto, event->row);

		event->kernels = RA_TORCH_NO_EVENT;
		if (event->is_device || id == 0 || find_operator(events->kineto, event->row) != 0) {
			continue;
		}
		for (size_t l = find_link(making, id);
		     l < making->link_count && making->links[l].id == id; l++) {
			struct ra_torch_event *linked = &events->rows[making->links[l].event];

			if (linked->is_device) {
				event->kernels = (uint32_t) i;
				event->device_us += linked->end_us - linked->start_us;
			} else {
				linked->thread = event->thread;
			}
		}
	}
}

/* What ends before this event ends, or before it begins, is not around it. */
static int find_parents(struct making *making)
{
	struct ra_torch_events *events = making->events;

	for (size_t i = 0; i < events->count; i++) {
		struct ra_torch_event *event = &events->rows[i];
		uint32_t top = event->is_device ? RA_TORCH_NO_EVENT
		                                : ra_util_map_find(&making->last, event->thread);

		if (event->is_device) {
			continue;
		}
		while (top != RA_TORCH_NO_EVENT && (event->start_us >= events->rows[top].end_us ||
		                                    event->end_us > events->rows[top].end_us)) {
			top = events->rows[top].parent;
		}
		event->parent = top;
		if (top != RA_TORCH_NO_EVENT) {
			struct ra_torch_event *parent = &events->rows[top];

			if (parent->last_child == RA_TORCH_NO_EVENT) {
				parent->first_child = (uint32_t) i;
			} else {
				events->rows[parent->last_child].next = (uint32_t) i;
			}
			parent->last_child = (uint32_t) i;
			parent->child_count++;
		}
		if (ra_util_map_put(&making->last, event->thread, (uint32_t) i) != 0) {
			return -RLOG_E_NO_MEMORY;
		}
	}
	return 0;
}

/*
 * An only child of its parent's name is put in its place, the kernels included: those of the parent
 * are forgotten. Children come behind their parents, so one pass finds whole chains.
 */
static void remove_duplicates(struct ra_torch_events *events)
{
	for (size_t i = 0; i < events->count; i++) {
		struct ra_torch_event *event = &events->rows[i];
		struct ra_torch_event *parent;

		if (event->parent == RA_TORCH_NO_EVENT) {
			continue;
		}
		parent = &events->rows[event->parent];
		if (parent->name != event->name || parent->child_count != 1) {
			continue;
		}
		parent->kernels = event->kernels;
		parent->first_child = event->first_child;
		parent->last_child = event->last_child;
		parent->child_count = event->child_count;
		for (uint32_t c = event->first_child; c != RA_TORCH_NO_EVENT;
		     c = events->rows[c].next) {
			events->rows[c].parent = event->parent;
		}
		event->is_deleted = true;
	}
}

struct ra_torch_children ra_torch_events_sum_children(const struct ra_torch_events *events,
                                                      const struct ra_torch_event *event)
{
	struct ra_torch_children sum = { 0 };

	for (uint32_t c = event->first_child; c != RA_TORCH_NO_EVENT; c = events->rows[c].next) {
		const struct ra_torch_event *child = &events->rows[c];

		sum.cpu_us += child->end_us - child->start_us;
		sum.device_us += child->device_us;
		sum.cpu_bytes = wrap_add(sum.cpu_bytes, child->cpu_bytes);
		sum.gpu_bytes = wrap_add(sum.gpu_bytes, child->gpu_bytes);
	}
	return sum;
}

/* From kernels to device totals: children first. */
static int sum_devices(struct ra_torch_events *events)
{
	double *own_us = calloc(events->count + 1, sizeof(*own_us));

	if (own_us == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	for (size_t i = 0; i < events->count; i++) {
		own_us[i] = events->rows[i].device_us;
	}
	for (size_t i = events->count; i-- > 0;) {
		struct ra_torch_event *event = &events->rows[i];

		if (event->is_device) {
			event->device_us = event->end_us - event->start_us;
		} else {
			const double kernels_us =
				event->kernels == RA_TORCH_NO_EVENT ? 0 : own_us[event->kernels];

			event->device_us =
				kernels_us + ra_torch_events_sum_children(events, event).device_us;
		}
	}
	free(own_us);
	return 0;
}

int ra_torch_events_init(struct ra_torch_events *events, const struct ra_kineto *kineto)
{
	struct making making = { .events = events };
	int rc;

	*events = (struct ra_torch_events){
		.kineto = kineto,
		.step_name = (uint32_t) kineto->string_count,
	};
	rc = add_events(&making);
	if (rc == 0) {
		rc = add_records(&making);
	}
	if (rc == 0) {
		rc = assign_records(&making);
	}
	if (rc == 0) {
		sort_events(events);
		rc = find_links(&making);
	}
	if (rc == 0) {
		assign_kernels(&making);
		rc = find_parents(&making);
	}
	if (rc == 0) {
		remove_duplicates(events);
		rc = sum_devices(events);
	}
	free(making.records);
	free(making.links);
	ra_util_map_free(&making.by_tid);
	ra_util_map_free(&making.last);
	return rc;
}

void ra_torch_events_fini(struct ra_torch_events *events)
{
	free(events->rows);
	*events = (struct ra_torch_events){ 0 };
}
