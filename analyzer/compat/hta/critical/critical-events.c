/* SPDX-License-Identifier: MIT */
/* HTA's critical path: finds the launches before and after a recorded CUDA event. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/compat/hta/critical/critical-impl.h"
#include "analyzer/compat/hta/streams.h"
#include "analyzer/base/order/numpy-sort.h"
#include "analyzer/base/util.h"

/* A call, in order of time. */
struct call {
	uint32_t row;
	uint64_t stream; /* key of the call's stream */
	uint32_t launch; /* number of the launch; RA_NONE: the call is no launch */
};

struct calls {
	struct call *calls; /* owned */
	size_t count;
	size_t capacity;
};

static void add_call(struct calls *calls, const struct call *call)
{
	RA_UTIL_APPEND(calls->calls, calls->count, calls->capacity, *call);
}

/* Sorts by time. Equal times are in numpy's order. */
static void sort_calls(struct calls *calls, const struct ra_hta_full *rank)
{
	double *values = ra_alloc_bytes(calls->count * sizeof(*values) + 1);
	uint32_t *order = ra_alloc_bytes(calls->count * sizeof(*order) + 1);
	struct call *sorted = ra_alloc_zeros(calls->count + 1, sizeof(*sorted));

	for (size_t i = 0; i < calls->count; i++) {
		values[i] = rank->rows[calls->calls[i].row].ts_us;
	}
	ra_numpy_sort_order(order, values, calls->count);
	for (size_t i = 0; i < calls->count; i++) {
		sorted[i] = calls->calls[order[i]];
	}
	free(calls->calls);
	calls->calls = sorted;
	calls->capacity = calls->count;
	free(values);
	free(order);
}

/* Makes the key of a stream of a device or thread. In a hostile file two streams could have the
 * same key, which would only cause a wrong edge. */
static uint64_t make_key(uint32_t of, int64_t stream)
{
	return (uint64_t) of << 32 ^ (uint64_t) stream;
}

static uint32_t find_pid(const struct ra_kineto *k, const struct ra_hta_row *row)
{
	return k->threads[ra_kineto_get_thread(k, row->event)].pid;
}

/* Finds the operation that a call launched; NULL: it is missing, or no operation. */
static const struct ra_hta_row *find_operation(const struct ra_hta_full *rank,
                                               const struct ra_hta_row *call)
{
	const struct ra_hta_row *row =
		call->partner > 0 ? ra_hta_full_find(rank, call->partner) : NULL;

	return row != NULL && row->stream != -1 && row->partner > 0 ? row : NULL;
}

/* Collects the calls of one kind in the whole trace, sorted. Does not set their streams. */
typedef bool is_call(const struct ra_hta_full *rank, const struct ra_hta_row *row);

static void find_calls(struct calls *calls, const struct ra_hta_full *rank, is_call *is_wanted)
{
	for (uint32_t i = 0; i < rank->count; i++) {
		if (is_wanted(rank, &rank->rows[i])) {
			const struct call call = { i, 0, RA_NONE };

			add_call(calls, &call);
		}
	}
	sort_calls(calls, rank);
}

static bool is_launch(const struct ra_hta_full *rank, const struct ra_hta_row *row)
{
	return row->partner > 0 &&
	       (ra_hta_class(rank->rank, row->event) & RA_HTA_CLASS_LAUNCH) != 0;
}

static bool is_record(const struct ra_hta_full *rank, const struct ra_hta_row *row)
{
	static const char *const names[] = { "cudaEventRecord", NULL };

	return ra_hta_full_is_named(rank, row, names);
}

static bool is_wait(const struct ra_hta_full *rank, const struct ra_hta_row *row)
{
	static const char *const names[] = { "cudaStreamWaitEvent", NULL };

	return row->partner > 0 && ra_hta_full_is_named(rank, row, names);
}

/* Collects launches, numbered by time. The key of a launch is of its device and stream. */
static void find_launches(struct calls *launches, const struct ra_hta_full *rank)
{
	size_t count = 0;

	find_calls(launches, rank, is_launch);
	for (size_t i = 0; i < launches->count; i++) {
		struct call call = launches->calls[i];
		const struct ra_hta_row *operation = find_operation(rank, &rank->rows[call.row]);

		if (operation != NULL) {
			call.stream =
				make_key(find_pid(rank->kineto, operation), operation->stream);
			call.launch = (uint32_t) count;
			launches->calls[count++] = call;
		}
	}
	launches->count = count;
}

/* Finds the stream on which a wait's event was recorded. Return: false if it is not known. */
static bool find_recorded_stream(const struct ra_hta_full *rank, const struct ra_hta_row *row,
                                 uint64_t *key)
{
	int64_t stream = -1;

	(void) ra_kineto_get_int(rank->kineto, row->event, RA_KINETO_ARG_WAIT_STREAM, &stream);
	*key = make_key(find_pid(rank->kineto, row), stream);
	return stream > -1;
}

/* Maps the correlation of each call that recorded an event to a row that waits for the event. That
 * row has the stream. */
static void find_recorded(struct ra_hta_critical_build *build, struct ra_util_map *recorded)
{
	const struct ra_hta_full *rank = build->rank;

	for (uint32_t i = 0; i < rank->count; i++) {
		const struct ra_hta_row *row = &rank->rows[i];
		int64_t corr = -1;
		uint64_t key;
		uint64_t key_before;
		uint32_t before;

		if (!find_recorded_stream(rank, row, &key)) {
			continue;
		}
		(void) ra_kineto_get_int(rank->kineto, row->event,
		                         RA_KINETO_ARG_WAIT_RECORD_CORRELATION, &corr);
		before = ra_util_map_find(recorded, (uint64_t) corr);
		if (before == RA_UTIL_MAP_NONE) {
			ra_util_map_put(recorded, (uint64_t) corr, i);
		} else if (find_recorded_stream(rank, &rank->rows[before], &key_before) &&
		           key != key_before) {
			build->out->failure = "an event was recorded on two streams";
		}
	}
}

/* Appends calls of cudaEventRecord after the launches. */
static void add_records(struct ra_hta_critical_build *build, struct calls *calls)
{
	const struct ra_hta_full *rank = build->rank;
	struct ra_util_map recorded = { 0 };
	struct ra_util_map seen = { 0 };
	struct calls records = { 0 };

	find_calls(&records, rank, is_record);
	if (records.count > 0) {
		find_recorded(build, &recorded);
	}
	for (size_t i = 0; i < records.count; i++) {
		struct call call = records.calls[i];
		const uint64_t corr = (uint64_t) rank->rows[call.row].corr;
		const uint32_t wait = ra_util_map_find(&recorded, corr);

		if (ra_util_map_find(&seen, corr) != RA_UTIL_MAP_NONE) {
			build->out->failure = "an event was recorded twice by one call";
		}
		ra_util_map_put(&seen, corr, 1);
		if (wait != RA_UTIL_MAP_NONE &&
		    find_recorded_stream(rank, &rank->rows[wait], &call.stream)) {
			add_call(calls, &call);
		}
	}
	free(records.calls);
	ra_util_map_free(&recorded);
	ra_util_map_free(&seen);
}

/* Finds the last launch on the stream before each recorded event. */
static void match_records(struct ra_hta_critical_events *events,
                          struct ra_hta_critical_build *build, const struct calls *launches)
{
	const struct ra_hta_full *rank = build->rank;
	struct ra_util_map latest = { 0 }; /* stream → launch */
	struct calls calls = { 0 };

	for (size_t i = 0; i < launches->count; i++) {
		add_call(&calls, &launches->calls[i]);
	}
	add_records(build, &calls);
	sort_calls(&calls, rank);
	for (size_t i = 0; i < calls.count; i++) {
		const struct call *call = &calls.calls[i];
		const uint32_t before = ra_util_map_find(&latest, call->stream);

		if (call->launch == RA_NONE && before < launches->count) {
			ra_util_map_put(&events->record_launch,
			                (uint64_t) rank->rows[call->row].corr,
			                launches->calls[before].row);
		} else if (call->launch != RA_NONE &&
		           (before == RA_UTIL_MAP_NONE || before < call->launch)) {
			ra_util_map_put(&latest, call->stream, call->launch);
		}
	}
	free(calls.calls);
	ra_util_map_free(&latest);
}

static bool has_name(const struct ra_hta_full *rank, const char *name)
{
	const char *const names[] = { name, NULL };

	for (size_t i = 0; i < rank->count; i++) {
		if (ra_hta_full_is_named(rank, &rank->rows[i], names)) {
			return true;
		}
	}
	return false;
}

/* Collects launches and calls of cudaStreamWaitEvent. The key of a call is of its thread and
 * stream. */
static void add_waits(struct ra_hta_critical_build *build, const struct calls *launches,
                      struct calls *calls)
{
	const struct ra_hta_full *rank = build->rank;
	const struct ra_kineto *k = rank->kineto;
	struct calls waits = { 0 };

	find_calls(&waits, rank, is_wait);
	/* HTA stops if no stream waits, because then it has no tables to concatenate. */
	if (waits.count == 0 && has_name(rank, "cudaStreamWaitEvent") &&
	    has_name(rank, "Stream Wait Event")) {
		build->out->failure = "no call that makes a stream wait has its wait in the trace";
	}
	for (size_t i = 0; i < launches->count + waits.count; i++) {
		struct call call =
			i < launches->count ? launches->calls[i] : waits.calls[i - launches->count];
		const struct ra_hta_row *row = &rank->rows[call.row];
		const struct ra_hta_row *operation = find_operation(rank, row);

		if (operation != NULL) {
			call.stream =
				make_key(ra_kineto_get_thread(k, row->event), operation->stream);
			add_call(calls, &call);
		}
	}
	free(waits.calls);
}

/* Finds the first launch after each wait, on its thread and stream. */
static void match_waits(struct ra_hta_critical_events *events, struct ra_hta_critical_build *build,
                        const struct calls *launches)
{
	const struct ra_hta_full *rank = build->rank;
	struct ra_util_map next = { 0 }; /* key of thread and stream → launch */
	struct calls calls = { 0 };

	add_waits(build, launches, &calls);
	sort_calls(&calls, rank);
	for (size_t i = calls.count; i-- > 0;) {
		const struct call *call = &calls.calls[i];
		const uint32_t after = ra_util_map_find(&next, call->stream);

		if (call->launch == RA_NONE) {
			ra_util_map_put(&events->wait_launch, rank->rows[call->row].event,
			                after == RA_UTIL_MAP_NONE ? call->row
			                                          : launches->calls[after].row);
		} else if (after == RA_UTIL_MAP_NONE || after > call->launch) {
			ra_util_map_put(&next, call->stream, call->launch);
		}
	}
	free(calls.calls);
	ra_util_map_free(&next);
}

void ra_hta_critical_events_find(struct ra_hta_critical_events *events,
                                 struct ra_hta_critical_build *build)
{
	struct calls launches = { 0 };

	*events = (struct ra_hta_critical_events){ 0 };
	find_launches(&launches, build->rank);
	match_records(events, build, &launches);
	match_waits(events, build, &launches);
	free(launches.calls);
}

void ra_hta_critical_events_fini(struct ra_hta_critical_events *events)
{
	ra_util_map_free(&events->record_launch);
	ra_util_map_free(&events->wait_launch);
}
