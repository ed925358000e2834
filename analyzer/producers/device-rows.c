/* SPDX-License-Identifier: MIT */
/* Finds the rows of devices in a trace, and the kinds of the events on them. */
#include "analyzer/producers/device-rows.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/util-map.h"
#include "analyzer/producers/details.h"
#include "analyzer/producers/links.h"
#include "analyzer/producers/producers.h"

struct finding {
	struct ra_kineto *kineto;
	struct ra_kineto_store *store;
	struct ra_producers_row *rows; /* owned: by thread */
	struct ra_util_map works;    /* pid → 0; has the processes of which a row has role WORK */
	struct ra_util_map ordinals; /* pid → number given to a device that has no number */
	struct ra_util_map kinds;    /* name → enum ra_kineto_kind of the work with that name */
	bool *holds; /* owned: by thread: true if its role was WORK_ELSE and became WORK */
	bool has_holders;
};

/* A JSON string without its quotes. */
static struct rlog_string unquote(struct rlog_string text)
{
	if (text.length >= 2 && text.bytes[0] == '"') {
		text.bytes++;
		text.length -= 2;
		text.full_length = text.length;
	}
	return text;
}

static struct rlog_string name_row(const struct ra_kineto *k, uint32_t name, uint32_t id)
{
	return name != 0 ? ra_kineto_string(k, name) : unquote(ra_kineto_string(k, id));
}

static bool has_work(const struct ra_producers_row *rows, size_t count, const char *producer)
{
	for (size_t i = 0; i < count; i++) {
		if (rows[i].producer == producer && !rows[i].is_common &&
		    rows[i].role == RA_PRODUCERS_WORK) {
			return true;
		}
	}
	return false;
}

/* Ignores rows whose names other programs use as well, if the trace has no other work of the
 * producer. */
static void drop_common(struct ra_producers_row *rows, size_t count)
{
	/* producer of the last such row, so that has_work() is called once for a run of rows */
	const char *asked = NULL;
	bool is_there = false;

	for (size_t t = 0; t < count; t++) {
		if (!rows[t].is_common) {
			continue;
		}
		if (rows[t].producer != asked) {
			asked = rows[t].producer;
			is_there = has_work(rows, count, asked);
		}
		if (!is_there) {
			rows[t] = (struct ra_producers_row){
				.role = RA_PRODUCERS_HOST,
				.device = -1,
				.stream = -1,
			};
		}
	}
}

/* Return: false if no row is known. */
static bool find_rows(struct finding *finding)
{
	struct ra_kineto *k = finding->kineto;
	bool is_any = false;

	finding->rows = ra_alloc_zeros(k->thread_count + 1, sizeof(*finding->rows));
	for (uint32_t t = 0; t < k->thread_count; t++) {
		const struct ra_kineto_thread *thread = &k->threads[t];
		struct ra_producers_row *row = &finding->rows[t];

		ra_producers_find_row(row, name_row(k, thread->process_name, thread->pid),
		                      name_row(k, thread->name, thread->tid));
	}
	drop_common(finding->rows, k->thread_count);
	for (uint32_t t = 0; t < k->thread_count; t++) {
		is_any |= finding->rows[t].producer != NULL;
		if (finding->rows[t].role == RA_PRODUCERS_WORK) {
			ra_util_map_put(&finding->works, k->threads[t].pid, 0);
		}
	}
	return is_any;
}

/* Numbers the devices that have no number, in the order of the file. */
static int64_t count_device(struct finding *finding, uint32_t pid)
{
	uint32_t number = ra_util_map_find(&finding->ordinals, pid);

	if (number == RA_UTIL_MAP_NONE) {
		number = (uint32_t) finding->ordinals.count;
		ra_util_map_put(&finding->ordinals, pid, number);
	}
	return number;
}

static void name_device(struct finding *finding, uint32_t t)
{
	struct ra_producers_row *row = &finding->rows[t];
	struct ra_kineto_thread *thread = &finding->kineto->threads[t];

	thread->device = row->device;
	if (row->is_by_thread && thread->tid_number >= 0) {
		thread->device = thread->tid_number;
		thread->stream = 0;
	} else if (row->device < 0 && row->role == RA_PRODUCERS_WORK) {
		thread->device = count_device(finding, thread->pid);
	}
	if (thread->stream < 0) {
		thread->stream = row->stream >= 0          ? row->stream
		                 : thread->tid_number >= 0 ? thread->tid_number
		                                           : t;
	}
	if (row->word.length != 3 || memcmp(row->word.bytes, "GPU", 3) != 0) {
		thread->device_word = ra_kineto_strings_add(&finding->store->strings,
		                                            row->word.bytes, row->word.length);
	}
}

static void name_devices(struct finding *finding)
{
	const struct ra_kineto *k = finding->kineto;

	finding->holds = ra_alloc_zeros(k->thread_count + 1, sizeof(*finding->holds));
	for (uint32_t t = 0; t < k->thread_count; t++) {
		struct ra_producers_row *row = &finding->rows[t];

		if (row->role == RA_PRODUCERS_WORK_ELSE) {
			finding->holds[t] = ra_util_map_find(&finding->works, k->threads[t].pid) ==
			                    RA_UTIL_MAP_NONE;
			finding->has_holders |= finding->holds[t];
			row->role = finding->holds[t] ? RA_PRODUCERS_WORK : RA_PRODUCERS_RANGES;
		}
		if (row->role == RA_PRODUCERS_WORK || row->role == RA_PRODUCERS_RANGES ||
		    row->role == RA_PRODUCERS_UNKNOWN) {
			name_device(finding, t);
		}
	}
}

static enum ra_kineto_kind find_work_kind(struct finding *finding, uint32_t name)
{
	uint32_t kind = ra_util_map_find(&finding->kinds, name);

	if (kind == RA_UTIL_MAP_NONE) {
		kind = ra_producers_find_name(ra_kineto_string(finding->kineto, name))->kind;
		ra_util_map_put(&finding->kinds, name, kind);
	}
	return (enum ra_kineto_kind) kind;
}

static void set_kind(struct ra_kineto *k, uint32_t event, enum ra_kineto_kind kind)
{
	k->kind_count[k->kind[event]]--;
	k->kind[event] = (uint8_t) kind;
	k->kind_count[kind]++;
}

static void note_row(const struct ra_kineto *k, uint32_t event, uint64_t *count, uint32_t *name)
{
	const struct ra_kineto_thread *thread = &k->threads[ra_kineto_get_thread(k, event)];

	if ((*count)++ == 0) {
		*name = thread->name != 0           ? thread->name
		        : thread->process_name != 0 ? thread->process_name
		                                    : thread->pid;
	}
}

/* The kind of an event by its row. */
static enum ra_kineto_kind find_kind(struct finding *finding, uint32_t event, bool is_linked)
{
	struct ra_kineto *k = finding->kineto;
	const struct ra_producers_row *row = &finding->rows[ra_kineto_get_thread(k, event)];
	const struct rlog_string name = ra_kineto_string(k, k->name[event]);
	const bool is_driver = ra_producers_is_driver(name);

	switch (row->role) {
	case RA_PRODUCERS_WORK:
	case RA_PRODUCERS_WORK_ELSE:
		return find_work_kind(finding, k->name[event]);
	case RA_PRODUCERS_UNKNOWN:
		note_row(k, event, &k->oddities.unknown_rows, &k->unknown_row);
		return RA_KINETO_GPU_USER_ANNOTATION;
	case RA_PRODUCERS_RANGES:
		return RA_KINETO_GPU_USER_ANNOTATION;
	case RA_PRODUCERS_COMPUTED:
		note_row(k, event, &k->oddities.computed_rows, &k->computed_row);
		return RA_KINETO_TRACE;
	case RA_PRODUCERS_CALLS:
		return is_driver ? RA_KINETO_DRIVER : RA_KINETO_RUNTIME;
	case RA_PRODUCERS_HOST:
		break;
	}
	return !is_linked  ? ra_producers_find_host_kind(row->producer, name)
	       : is_driver ? RA_KINETO_DRIVER
	                   : RA_KINETO_RUNTIME;
}

static void find_kinds(struct finding *finding)
{
	struct ra_kineto *k = finding->kineto;
	struct ra_links links = { 0 };
	struct ra_details details = { 0 };

	ra_links_init(&links, k, finding->rows);
	for (uint32_t i = 0; i < k->count; i++) {
		enum ra_kineto_kind kind;
		uint32_t link;

		if (k->kind[i] == RA_KINETO_BEGIN &&
		    k->threads[ra_kineto_get_thread(k, i)].device >= 0) {
			note_row(k, i, &k->oddities.unknown_rows, &k->unknown_row);
		}
		if (k->kind[i] != RA_KINETO_OTHER) {
			continue;
		}
		link = ra_links_find(&links, i);
		kind = find_kind(finding, i, link != RA_KINETO_NONE);
		if (kind != RA_KINETO_OTHER) {
			set_kind(k, i, kind);
			k->corr[i] = link != RA_KINETO_NONE ? link : k->corr[i];
		}
		if (kind >= RA_KINETO_KERNEL && kind <= RA_KINETO_MEMSET) {
			ra_details_read(&details, finding->store, i);
		}
	}
	ra_links_fini(&links);
	ra_details_fini(&details, k);
}

/* ---- work that holds work ---- */

/* Makes ranges of events that contain other work, as a loop of a TPU's program does: the time
 * belongs to the work in them. */
static void find_holders(struct finding *finding)
{
	struct ra_kineto *k = finding->kineto;
	uint32_t *events = ra_alloc_zeros(k->count + 1, sizeof(*events));
	size_t count = 0;

	for (uint32_t i = 0; i < k->count; i++) {
		if (finding->holds[ra_kineto_get_thread(k, i)] && k->kind[i] == RA_KINETO_KERNEL &&
		    (k->flags[i] & RA_KINETO_HAS_TS) != 0) {
			events[count++] = i;
		}
	}
	ra_run_sort_indices(events, count, ra_kineto_compare_nested, k);
	for (size_t i = 0; i + 1 < count; i++) {
		const uint32_t event = events[i];
		const uint32_t next = events[i + 1];
		const int64_t end_ns = ra_kineto_ts(k, event) + ra_kineto_dur(k, event);

		if (ra_kineto_get_thread(k, event) == ra_kineto_get_thread(k, next) &&
		    ra_kineto_ts(k, next) < end_ns &&
		    ra_kineto_ts(k, next) + ra_kineto_dur(k, next) <= end_ns) {
			set_kind(k, event, RA_KINETO_GPU_USER_ANNOTATION);
		}
	}
	free(events);
}

void ra_device_rows_find(struct ra_kineto *kineto, struct ra_kineto_store *store)
{
	struct finding finding = { .kineto = kineto, .store = store };

	if (find_rows(&finding)) {
		kineto->has_details = true;
		name_devices(&finding);
		find_kinds(&finding);
		if (finding.has_holders) {
			find_holders(&finding);
		}
	}
	free(finding.rows);
	free(finding.holds);
	ra_util_map_free(&finding.works);
	ra_util_map_free(&finding.ordinals);
	ra_util_map_free(&finding.kinds);
}
