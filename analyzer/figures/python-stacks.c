/* SPDX-License-Identifier: MIT */
/* Call stacks of a PyTorch trace: from an event's args, else from the Python functions around
 * it. */
#include "analyzer/figures/python-stacks.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

/* The text of a stack has at most this many functions. */
#define TEXT_CALLS 256
#define TEXT_BYTES 16384

/* This bit marks numbers of nodes; other numbers are string ids, which are all smaller. */
#define NODE_BIT (UINT32_C(1) << 31)

#define NONE RA_KINETO_NONE

/* A call of a Python function; the function's event has the time and the thread. */
struct ra_python_stacks_call {
	uint32_t event;
	uint32_t around; /* index of the call that encloses it in time */
};

struct ra_python_stacks_node {
	uint32_t name;   /* string id */
	uint32_t caller; /* index of a node, or NONE */
};

struct ra_python_stacks_place {
	bool is_set;
	int64_t time_ns;
	size_t begin; /* the call for which the node was made */
	size_t found; /* the call that is open, or NONE */
};

struct building {
	struct ra_python_stacks *stacks;
	struct ra_util_map by_id;    /* Python id → call */
	struct ra_util_map by_parts; /* caller << 32 | name → node */
	size_t capacity;
};

static int64_t end_of(const struct ra_kineto *k, uint32_t event)
{
	const int64_t dur_ns = ra_kineto_dur(k, event);

	return ra_util_add_time(ra_kineto_ts(k, event), dur_ns > 0 ? dur_ns : 0);
}

static int compare_calls(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_kineto *k = context;
	int order = RA_ORDER(ra_kineto_ts(k, left), ra_kineto_ts(k, right));

	order = RA_ORDER_THEN(order, RA_ORDER(end_of(k, right), end_of(k, left)));
	return RA_ORDER_THEN(order, RA_ORDER(left, right));
}

static bool is_call(const struct ra_kineto *k, uint32_t event)
{
	return k->kind[event] == RA_KINETO_PYTHON_FUNCTION &&
	       (k->flags[event] & RA_KINETO_HAS_TS) != 0;
}

/* Sorts calls by thread; the calls of each thread are nearly in order. Return: where each thread's
 * calls begin; free it. */
static uint32_t *find_begins(const struct ra_kineto *k)
{
	uint32_t *begins = ra_alloc_zeros(k->thread_count + 1, sizeof(*begins));

	for (uint32_t i = 0; i < k->count; i++) {
		begins[ra_kineto_get_thread(k, i) + 1] += is_call(k, i);
	}
	for (size_t i = 1; i <= k->thread_count; i++) {
		begins[i] += begins[i - 1];
	}
	return begins;
}

static void list_calls(struct ra_python_stacks *stacks)
{
	const struct ra_kineto *k = stacks->kineto;
	uint32_t *begins = find_begins(k); /* the place of the thread's next call */
	uint32_t *events;
	uint32_t first = 0;

	stacks->count = begins[k->thread_count];
	events = ra_alloc_bytes((stacks->count + 1) * sizeof(*events));
	for (uint32_t i = 0; i < k->count; i++) {
		if (is_call(k, i)) {
			events[begins[ra_kineto_get_thread(k, i)]++] = i;
		}
	}
	for (size_t t = 0; t < k->thread_count; t++) {
		ra_run_sort_indices(events + first, begins[t] - first, compare_calls, k);
		first = begins[t];
	}
	free(begins);
	stacks->calls = ra_alloc_bytes((stacks->count + 1) * sizeof(*stacks->calls));
	for (size_t i = 0; i < stacks->count; i++) {
		stacks->calls[i] = (struct ra_python_stacks_call){ events[i], NONE };
	}
	free(events);
}

static uint32_t thread_of(const struct ra_python_stacks *stacks, size_t call)
{
	return ra_kineto_get_thread(stacks->kineto, stacks->calls[call].event);
}

static int64_t start_of(const struct ra_python_stacks *stacks, size_t call)
{
	return ra_kineto_ts(stacks->kineto, stacks->calls[call].event);
}

/* Finds callers by time, the only way in a trace without Python ids. */
static void nest_calls(struct ra_python_stacks *stacks)
{
	const struct ra_kineto *k = stacks->kineto;

	for (uint32_t i = 1; i < stacks->count; i++) {
		struct ra_python_stacks_call *call = &stacks->calls[i];
		uint32_t around = i - 1;

		while (around != NONE &&
		       (thread_of(stacks, around) != thread_of(stacks, i) ||
		        end_of(k, stacks->calls[around].event) <= ra_kineto_ts(k, call->event))) {
			around = stacks->calls[around].around;
		}
		call->around = around;
	}
}

static void index_ids(struct building *building)
{
	const struct ra_python_stacks *stacks = building->stacks;

	for (uint32_t i = 0; i < stacks->count; i++) {
		int64_t id;

		if (ra_kineto_get_int(stacks->kineto, stacks->calls[i].event,
		                      RA_KINETO_ARG_PYTHON_ID, &id)) {
			ra_util_map_put(&building->by_id, (uint64_t) id, i);
		}
	}
}

/* Finds the caller of a function: the one in the trace, if it began earlier. This condition also
 * rules out cycles. */
static uint32_t find_caller(const struct building *building, uint32_t i)
{
	const struct ra_python_stacks *stacks = building->stacks;
	const struct ra_python_stacks_call *call = &stacks->calls[i];
	uint32_t caller = NONE;
	int64_t id;

	if (ra_kineto_get_int(stacks->kineto, call->event, RA_KINETO_ARG_PYTHON_PARENT_ID, &id)) {
		caller = ra_util_map_find(&building->by_id, (uint64_t) id);
	}
	return caller != NONE && caller < i && thread_of(stacks, caller) == thread_of(stacks, i)
	               ? caller
	               : call->around;
}

/* Callers come before the calls they make, so the caller's node exists. */
static void find_node(struct building *building, uint32_t i)
{
	struct ra_python_stacks *stacks = building->stacks;
	uint32_t *own = &stacks->node_of[i];
	const uint32_t caller = find_caller(building, i);
	const struct ra_python_stacks_node node = {
		stacks->kineto->name[stacks->calls[i].event],
		caller == NONE ? NONE : stacks->node_of[caller],
	};
	const uint64_t key = (uint64_t) node.caller << 32 | node.name;

	*own = ra_util_map_find(&building->by_parts, key);
	if (*own != RA_UTIL_MAP_NONE) {
		return;
	}
	*own = (uint32_t) stacks->node_count;
	ra_util_map_put(&building->by_parts, key, *own);
	RA_UTIL_APPEND(stacks->nodes, stacks->node_count, building->capacity, node);
}

void ra_python_stacks_init_calls(struct ra_python_stacks *stacks, const struct ra_model *model)
{
	*stacks = (struct ra_python_stacks){ .kineto = model->kineto };
	if (!ra_model_has(model, RA_HAS_ROWS)) {
		return;
	}
	stacks->newest = ra_alloc_zeros(1, sizeof(*stacks->newest));
	list_calls(stacks);
	nest_calls(stacks);
}

void ra_python_stacks_init(struct ra_python_stacks *stacks, const struct ra_model *model)
{
	struct building building = { .stacks = stacks };

	ra_python_stacks_init_calls(stacks, model);
	stacks->node_of = ra_alloc_bytes((stacks->count + 1) * sizeof(*stacks->node_of));
	index_ids(&building);
	for (uint32_t i = 0; i < stacks->count; i++) {
		find_node(&building, i);
	}
	ra_util_map_free(&building.by_id);
	ra_util_map_free(&building.by_parts);
}

void ra_python_stacks_fini(struct ra_python_stacks *stacks)
{
	free(stacks->calls);
	free(stacks->node_of);
	free(stacks->nodes);
	free(stacks->newest);
	*stacks = (struct ra_python_stacks){ 0 };
}

/* Return: the end of those calls of the thread that begin no later than a time. */
static size_t find_end(const struct ra_python_stacks *stacks, uint32_t thread, int64_t time_ns)
{
	struct ra_search at = ra_search_in(0, stacks->count);

	while (ra_search_next(&at)) {
		const uint32_t own = thread_of(stacks, at.middle);

		ra_search_tell(&at, own < thread || (own == thread &&
		                                     start_of(stacks, at.middle) <= time_ns));
	}
	return at.low;
}

/* Finds the innermost call that is open at a time: goes outwards from the last call that began by
 * then. Skips calls that the search before found closed, so a sweep over time looks at each call
 * once. */
static size_t find_open(const struct ra_python_stacks *stacks, size_t at, int64_t time_ns)
{
	struct ra_python_stacks_place *newest = stacks->newest;
	const size_t begin = at;

	if (newest->is_set && newest->begin == begin && newest->time_ns <= time_ns) {
		at = newest->found;
	}
	while (at != NONE && end_of(stacks->kineto, stacks->calls[at].event) <= time_ns) {
		at = stacks->calls[at].around;
	}
	*newest = (struct ra_python_stacks_place){ true, time_ns, begin, at };
	return at;
}

uint32_t ra_python_stacks_find(const struct ra_python_stacks *stacks, uint32_t event)
{
	const struct ra_kineto *k = stacks->kineto;
	const uint32_t told = ra_kineto_get_text(k, event, RA_KINETO_ARG_CALL_STACK);
	bool is_python;
	size_t at;
	uint32_t node;

	if (told != 0 || stacks->count == 0 || event == RA_KINETO_NONE) {
		return told;
	}
	is_python = k->kind[event] == RA_KINETO_PYTHON_FUNCTION;
	at = find_end(stacks, ra_kineto_get_thread(k, event), ra_kineto_ts(k, event));
	if (at == 0 || thread_of(stacks, at - 1) != ra_kineto_get_thread(k, event)) {
		return 0;
	}
	at--;
	while (is_python && stacks->calls[at].event != event) {
		/* These calls begin together with it, after it in the array. */
		if (at == 0 || start_of(stacks, at) != ra_kineto_ts(k, event)) {
			return 0;
		}
		at--;
	}
	at = is_python ? at : find_open(stacks, at, ra_kineto_ts(k, event));
	if (at == NONE) {
		return 0;
	}
	node = stacks->node_of[at];
	node = is_python ? stacks->nodes[node].caller : node;
	return node == NONE ? 0 : node | NODE_BIT;
}

/* PyTorch shortens a file's name by the path to its modules, where it knows the path. */
static bool is_torch(struct rlog_string name)
{
	return (name.length >= 6 && memcmp(name.bytes, "torch/", 6) == 0) ||
	       ra_util_string_has(name, "-packages/torch/");
}

/* Built-in functions and modules have no line. */
static bool has_file(struct rlog_string name)
{
	return ra_util_string_has(name, "): ");
}

/* A call that is open for more than half of a stretch is open at the stretch's middle. */
struct rlog_string ra_python_stacks_function_in(const struct ra_python_stacks *stacks,
                                                uint32_t event, int64_t start_ns, int64_t end_ns)
{
	const struct ra_kineto *k = stacks->kineto;
	const int64_t middle_ns = start_ns + (end_ns - start_ns) / 2;
	struct rlog_string torch = { "", 0, 0 };
	size_t at =
		stacks->count > 0 ? find_end(stacks, ra_kineto_get_thread(k, event), middle_ns) : 0;

	if (at == 0 || thread_of(stacks, at - 1) != ra_kineto_get_thread(k, event)) {
		return torch;
	}
	at = find_open(stacks, at - 1, middle_ns);
	for (size_t i = 0; i < TEXT_CALLS && at != NONE; i++, at = stacks->calls[at].around) {
		const struct ra_python_stacks_call *call = &stacks->calls[at];
		const struct rlog_string name = ra_kineto_string(k, k->name[call->event]);
		const int64_t begun_ns = ra_kineto_ts(k, call->event);
		const int64_t ended_ns = end_of(k, call->event);
		const int64_t from_ns = begun_ns > start_ns ? begun_ns : start_ns;
		const int64_t to_ns = ended_ns < end_ns ? ended_ns : end_ns;

		if (to_ns - from_ns < (end_ns - start_ns) / 2 || !has_file(name)) {
			continue;
		}
		if (!is_torch(name)) {
			return name;
		}
		torch = torch.length == 0 ? name : torch;
	}
	return torch;
}

/* Finds an event of a thread; any of its events names the thread. */
static uint32_t find_event(const struct ra_model *model, uint32_t track)
{
	const struct ra_track *t = &model->tracks[track];
	const struct ra_gpu *gpu = &model->gpu;
	struct ra_search at = ra_search_in(0, gpu->api_count);

	for (size_t i = 0; i < t->slice_count; i++) {
		const uint32_t event = model->kineto->slice_event[t->first_slice + i];

		if (event != RA_KINETO_NONE) {
			return event;
		}
	}
	while (ra_search_next(&at)) { /* for each track, sorted by time */
		ra_search_tell(&at, gpu->apis[at.middle].track < track);
	}
	return at.low < gpu->api_count && gpu->apis[at.low].track == track
	               ? model->kineto->api_event[at.low]
	               : RA_KINETO_NONE;
}

struct rlog_string ra_python_stacks_function_on(const struct ra_python_stacks *stacks,
                                                const struct ra_model *model, uint32_t track,
                                                int64_t start_ns, int64_t end_ns)
{
	const uint32_t event = stacks->count > 0 && track < model->track_count
	                               ? find_event(model, track)
	                               : RA_KINETO_NONE;

	return event == RA_KINETO_NONE
	               ? ra_util_string("")
	               : ra_python_stacks_function_in(
				 stacks, event, ra_util_add_time(start_ns, stacks->kineto->zero_ns),
				 ra_util_add_time(end_ns, stacks->kineto->zero_ns));
}

struct rlog_string ra_python_stacks_text(const struct ra_python_stacks *stacks, uint32_t number,
                                         struct ra_table *table)
{
	struct ra_util_text made = { 0 };
	uint32_t node = number & ~NODE_BIT;

	if ((number & NODE_BIT) == 0) {
		return number != 0 ? ra_kineto_string(stacks->kineto, number) : ra_util_string("");
	}
	for (size_t i = 0; i < TEXT_CALLS && made.length < TEXT_BYTES && node != NONE; i++) {
		const struct rlog_string name =
			ra_kineto_string(stacks->kineto, stacks->nodes[node].name);

		ra_util_text_put(&made, ";", i == 0 ? 0 : 1);
		ra_util_text_put(&made, name.bytes, name.length);
		node = stacks->nodes[node].caller;
	}
	ra_util_text_put(&made, ";...", node == NONE ? 0 : 4);
	return ra_table_take_text(table, &made);
}
