/* SPDX-License-Identifier: MIT */
/* Adds rows to a trace: the ranges in which its CUDA graphs were captured. */
#include "analyzer/graphs/graph-replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "analyzer/graphs/graph-match.h"
#include "analyzer/graphs/graph-open.h"

/* An operation of a graph in the trace. */
struct op {
	uint32_t launch; /* index into launches of struct extending */
	uint32_t event;
	int64_t start_ns;
	uint64_t node;
};

/* The ranges that every replay of the same sequence gets. */
struct plan {
	struct ra_graph_match match;
	uint32_t *symbols; /* owned: the sequence to which the plan applies: its symbols … */
	uint64_t *nodes;   /* … its nodes … */
	uint32_t *streams; /* … and its streams; all 0 if the nodes give the order */
	size_t count;
	uint32_t *ranges; /* owned; indices into match.captures->ranges, ascending */
	size_t range_count;
	uint32_t *leaves; /* owned; for each place in the sequence: index into ranges, or NONE */
};

struct extending {
	struct ra_kineto_store *store;
	struct ra_kineto *kineto;
	struct ra_kineto_captured *captured;
	struct ra_graph_captures *traces; /* owned, as all arrays here */
	size_t trace_count;
	struct ra_graph_match_all *all;
	uint32_t *launches; /* rows of the calls that launched graphs, in the trace */
	size_t launch_count;
	size_t launch_capacity;
	uint32_t *open_names; /* string ids of the ranges that were open at launches … */
	size_t open_count;
	size_t open_capacity;
	size_t *open_first; /* … for each launch, where its ids begin … */
	size_t *open_last;  /* … and where they end */
	struct op *ops;     /* ordered by launch, then node, then time */
	size_t op_count;
	size_t op_capacity;
	struct plan *plans;
	size_t plan_count;
	size_t plan_capacity;
	struct ra_util_map plan_of; /* maps the hash of a sequence to the last plan with that
	                               hash */
	uint32_t *symbols;          /* the sequence of the current launch */
	uint64_t *nodes;
	uint32_t *streams;
	uint32_t *rows; /* for the current launch, the row of each of the plan's ranges */
	size_t row_capacity;
	size_t parent_capacity;
};

/* ---- What graphs ran ---- */

static int compare_ops(const void *left, const void *right)
{
	const struct op *a = left;
	const struct op *b = right;
	int order = RA_ORDER_UP(a, b, launch);

	/* CUPTI numbers nodes in the order in which they were made. Several streams may run them in
	 * another order. */
	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, node));
	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, start_ns));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, event));
}

static void collect_launches(struct extending *by, struct ra_util_map *launch_of)
{
	const struct ra_kineto *k = by->kineto;

	for (uint32_t i = 0; i < k->count; i++) {
		if (k->corr[i] != RA_KINETO_NONE && ra_graph_capture_is_call(k, i, "GraphLaunch") &&
		    ra_util_map_find(launch_of, k->corr[i]) == RA_UTIL_MAP_NONE) {
			ra_util_map_put(launch_of, k->corr[i], (uint32_t) by->launch_count);
			RA_UTIL_APPEND(by->launches, by->launch_count, by->launch_capacity, i);
		}
	}
}

static void collect_ops(struct extending *by)
{
	const struct ra_kineto *k = by->kineto;
	struct ra_util_map launch_of = { 0 };

	collect_launches(by, &launch_of);
	for (uint32_t i = 0; i < k->count && by->launch_count > 0; i++) {
		const bool is_op =
			k->kind[i] >= RA_KINETO_KERNEL && k->kind[i] <= RA_KINETO_MEMSET &&
			(k->flags[i] & RA_KINETO_HAS_TS) != 0 && k->corr[i] != RA_KINETO_NONE;
		const uint32_t launch =
			is_op ? ra_util_map_find(&launch_of, k->corr[i]) : RA_UTIL_MAP_NONE;
		int64_t node = 0;

		if (launch == RA_UTIL_MAP_NONE) {
			continue;
		}
		ra_kineto_get_int(k, i, RA_KINETO_ARG_GRAPH_NODE_ID, &node);
		RA_UTIL_APPEND(by->ops, by->op_count, by->op_capacity,
		               (struct op){ launch, i, ra_kineto_ts(k, i),
		                            node > 0 ? (uint64_t) node : 0 });
	}
	RA_SORT(by->ops, by->op_count, compare_ops);
	ra_util_map_free(&launch_of);
}

/* ---- Ranges open at launches ---- */

/* True of the events that also become ranges of the model (kineto-model.c). */
static bool is_range(const struct ra_kineto *k, uint32_t event, bool with_python)
{
	return (k->flags[event] & RA_KINETO_HAS_TS) != 0 &&
	       (k->kind[event] <= RA_KINETO_USER_ANNOTATION ||
	        (k->kind[event] == RA_KINETO_PYTHON_FUNCTION && with_python));
}

static void find_open(struct extending *by, bool with_python)
{
	const struct ra_kineto *k = by->kineto;
	struct ra_graph_open open = { .kineto = k };
	struct ra_util_map launch_of = { 0 };

	for (uint32_t i = 0; i < k->count; i++) {
		if (is_range(k, i, with_python)) {
			ra_graph_open_add(&open, i);
		}
	}
	for (uint32_t i = 0; i < by->launch_count; i++) {
		ra_graph_open_add(&open, by->launches[i]);
		ra_util_map_put(&launch_of, by->launches[i], i);
	}
	by->open_first = ra_alloc_zeros(by->launch_count + 1, sizeof(*by->open_first));
	by->open_last = ra_alloc_zeros(by->launch_count + 1, sizeof(*by->open_last));
	while (ra_graph_open_next(&open)) {
		const uint32_t launch =
			open.is_call ? ra_util_map_find(&launch_of, open.event) : RA_UTIL_MAP_NONE;

		if (launch == RA_UTIL_MAP_NONE) {
			continue;
		}
		by->open_first[launch] = by->open_count;
		for (size_t i = 0; i < open.depth; i++) {
			RA_UTIL_APPEND(by->open_names, by->open_count, by->open_capacity,
			               k->name[open.stack[i]]);
		}
		by->open_last[launch] = by->open_count;
	}
	ra_util_map_free(&launch_of);
	ra_graph_open_fini(&open);
}

static bool is_open(const struct extending *by, uint32_t launch, uint32_t name)
{
	for (size_t i = by->open_first[launch]; i < by->open_last[launch]; i++) {
		if (by->open_names[i] == name) {
			return true;
		}
	}
	return false;
}

/* ---- Plans ---- */

static int compare_numbers(const void *left, const void *right)
{
	const uint32_t *a = left;
	const uint32_t *b = right;

	return RA_ORDER(*a, *b);
}

/* Finds the ranges around the operations that have a partner. */
static void find_ranges(struct plan *plan)
{
	const struct ra_graph_captures *captures = plan->match.captures;
	struct ra_util_map seen = { 0 };
	size_t capacity = 0;

	plan->leaves = ra_alloc_zeros(plan->count + 1, sizeof(*plan->leaves));
	for (size_t i = 0; i < plan->count; i++) {
		const uint32_t launch = plan->match.launches[i];
		uint32_t r = launch == RA_KINETO_NONE ? RA_KINETO_NONE
		                                      : captures->launches[launch].range;

		while (r != RA_KINETO_NONE && ra_util_map_find(&seen, r) == RA_UTIL_MAP_NONE) {
			ra_util_map_put(&seen, r, 0);
			RA_UTIL_APPEND(plan->ranges, plan->range_count, capacity, r);
			r = captures->ranges[r].parent;
		}
	}
	RA_SORT(plan->ranges, plan->range_count, compare_numbers);
	for (size_t i = 0; i < plan->range_count; i++) {
		ra_util_map_put(&seen, plan->ranges[i], (uint32_t) i);
	}
	for (size_t i = 0; i < plan->count; i++) {
		const uint32_t launch = plan->match.launches[i];
		const uint32_t range = launch == RA_KINETO_NONE ? RA_KINETO_NONE
		                                                : captures->launches[launch].range;

		plan->leaves[i] =
			range == RA_KINETO_NONE ? RA_KINETO_NONE : ra_util_map_find(&seen, range);
	}
	ra_util_map_free(&seen);
}

static bool is_for(const struct plan *plan, const struct extending *by, size_t count)
{
	if (plan->count != count) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		if (plan->symbols[i] != by->symbols[i] || plan->nodes[i] != by->nodes[i] ||
		    plan->streams[i] != by->streams[i]) {
			return false;
		}
	}
	return true;
}

static uint64_t hash_sequence(const struct extending *by, size_t count)
{
	uint64_t hash = count;

	for (size_t i = 0; i < count; i++) {
		hash = (hash ^ by->symbols[i]) * UINT64_C(0x9E3779B97F4A7C15) + (hash >> 29);
		hash = (hash ^ by->nodes[i] ^ (uint64_t) by->streams[i] << 32) *
		               UINT64_C(0x9E3779B97F4A7C15) +
		       (hash >> 29);
	}
	return hash;
}

static void make_plan(struct extending *by, struct plan *plan, size_t count)
{
	const struct ra_graph_sequence sequence = { by->symbols, by->nodes, by->streams, count };

	*plan = (struct plan){ .count = count };
	plan->symbols = ra_alloc_zeros(count + 1, sizeof(*plan->symbols));
	plan->nodes = ra_alloc_zeros(count + 1, sizeof(*plan->nodes));
	plan->streams = ra_alloc_zeros(count + 1, sizeof(*plan->streams));
	for (size_t i = 0; i < count; i++) {
		plan->symbols[i] = by->symbols[i];
		plan->nodes[i] = by->nodes[i];
		plan->streams[i] = by->streams[i];
	}
	ra_graph_match_find(&plan->match, by->all, &sequence);
	find_ranges(plan);
}

/* Finds or makes the plan for the current sequence. On a hash collision a new plan is made each
 * time. */
static const struct plan *find_plan(struct extending *by, size_t count)
{
	const uint64_t hash = hash_sequence(by, count);
	const uint32_t known = ra_util_map_find(&by->plan_of, hash);

	if (known != RA_UTIL_MAP_NONE && is_for(&by->plans[known], by, count)) {
		return &by->plans[known];
	}
	ra_util_grow(&by->plans, &by->plan_capacity, by->plan_count + 1, sizeof(*by->plans));
	make_plan(by, &by->plans[by->plan_count], count);
	ra_util_map_put(&by->plan_of, hash, (uint32_t) by->plan_count);
	return &by->plans[by->plan_count++];
}

/* ---- Rows ---- */

static bool is_kept(uint32_t key)
{
	switch (key) {
	case RA_KINETO_ARG_INPUT_DIMS:
	case RA_KINETO_ARG_INPUT_DIMS_OLD:
	case RA_KINETO_ARG_INPUT_TYPE:
	case RA_KINETO_ARG_INPUT_STRIDES:
	case RA_KINETO_ARG_CONCRETE_INPUTS:
	case RA_KINETO_ARG_PYTHON_MODULE_ID:
		return true;
	default:
		return false; /* other arguments contain numbers that refer to events of the
		                 capture's trace */
	}
}

static uint32_t move_string(struct extending *by, struct rlog_string text)
{
	return ra_kineto_strings_add(&by->store->strings, text.bytes, text.length);
}

static void put_arg(struct extending *by, uint32_t key, const struct ra_kineto_value *value)
{
	struct ra_kineto_item item = { .key = key << 1 | 1 };
	char digits[24];
	int length;

	switch (value->type) {
	case RA_KINETO_INT:
		length = snprintf(digits, sizeof(digits), "%lld", (long long) value->integer);
		ra_kineto_store_number(by->store, digits, (size_t) length, &item);
		break;
	case RA_KINETO_STRING:
		item.tag = RA_KINETO_TAG_STRING;
		item.payload = move_string(by, value->text);
		break;
	case RA_KINETO_JSON:
		item.tag = RA_KINETO_TAG_JSON;
		item.payload = move_string(by, value->text);
		break;
	default:
		return;
	}
	ra_kineto_store_item(by->store, &item);
}

/* Adds a row for a range of the capture, at the time of the launch. @name: the range's string id in
 * by->kineto. */
static void put_row(struct extending *by, uint32_t launch, const struct ra_kineto *from,
                    uint32_t event, uint32_t name)
{
	struct ra_kineto *k = by->kineto;
	const struct ra_kineto_thread *thread = &k->threads[ra_kineto_get_thread(k, launch)];
	struct ra_kineto_row row = {
		.ts_ns = ra_kineto_ts(k, launch),
		.name = name,
		.pid = thread->pid,
		.tid = thread->tid,
		.corr = RA_KINETO_NONE,
		.external = RA_KINETO_NONE,
		.phase = 'X',
		.flags = RA_KINETO_HAS_TS | RA_KINETO_HAS_DUR | RA_KINETO_HAS_NAME |
		         RA_KINETO_HAS_CAT | RA_KINETO_HAS_ARGS | RA_KINETO_IS_CAPTURED,
	};
	struct ra_kineto_rest rest;

	row.category = move_string(
		by,
		ra_kineto_string(from, from->categories[ra_kineto_get_category(from, event)].name));
	ra_kineto_rest_init(&rest, from, event);
	while (ra_kineto_rest_next(&rest, from)) {
		if (rest.is_arg && is_kept(rest.key)) {
			put_arg(by, rest.key, &rest.value);
		}
	}
	ra_kineto_store_row(by->store, &row);
}

/* Adds rows for the plan's ranges, and sets by->rows to them. A range that is also open at the
 * launch has a row already, so it gets no new row: its place in by->rows gets the row of the range
 * around it. */
static void put_rows(struct extending *by, uint32_t launch, const struct plan *plan)
{
	const struct ra_graph_captures *captures = plan->match.captures;
	struct ra_kineto_captured *captured = by->captured;

	ra_util_grow(&by->rows, &by->row_capacity, plan->range_count + 1, sizeof(*by->rows));
	for (size_t i = 0; captures != NULL && i < plan->range_count; i++) {
		const struct ra_graph_range *range = &captures->ranges[plan->ranges[i]];
		const uint32_t name =
			move_string(by, ra_kineto_string(captures->kineto,
		                                         captures->kineto->name[range->event]));
		uint32_t parent = RA_KINETO_NONE;

		if (range->parent != RA_KINETO_NONE) {
			const uint32_t *place =
				RA_FIND(&range->parent, plan->ranges, i, compare_numbers);

			parent = by->rows[place - plan->ranges];
		}
		by->rows[i] = parent;
		if (range->is_outside && is_open(by, launch, name)) {
			continue;
		}
		by->rows[i] = (uint32_t) by->kineto->count;
		RA_UTIL_APPEND(captured->parents, captured->count, by->parent_capacity, parent);
		put_row(by, by->launches[launch], captures->kineto, range->event, name);
	}
}

static int compare_times(const void *left, const void *right)
{
	const struct op *a = left;
	const struct op *b = right;
	const int order = RA_ORDER_UP(a, b, start_ns);

	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, event));
}

/* Numbers the streams that ran the operations. */
static void number_streams(struct extending *by, const struct op *ops, size_t count)
{
	struct ra_util_map streams = { 0 };

	for (size_t i = 0; i < count; i++) {
		ra_util_map_number(&streams, ra_kineto_get_thread(by->kineto, ops[i].event),
		                   &by->streams[i]);
	}
	ra_util_map_free(&streams);
}

/* Finds the plan for the operations of one launch. @is_by_time: they are in order of time, not of
 * nodes. */
static const struct plan *plan_launch(struct extending *by, const struct op *ops, size_t count,
                                      bool is_by_time)
{
	const struct ra_kineto *k = by->kineto;

	if (is_by_time) {
		number_streams(by, ops, count);
	} else {
		memset(by->streams, 0, count * sizeof(*by->streams));
	}

	for (size_t i = 0; i < count; i++) {
		by->symbols[i] = ra_graph_capture_find_symbol(
			ra_kineto_string(k, k->name[ops[i].event]), k->name[ops[i].event]);
		by->nodes[i] = ops[i].node;
	}
	return find_plan(by, count);
}

static void take_launch(struct extending *by, size_t first, size_t count)
{
	struct op *ops = by->ops + first;
	struct ra_kineto_captured *captured = by->captured;
	const bool has_nodes = ops[count - 1].node != 0;
	const struct plan *plan = plan_launch(by, ops, count, !has_nodes);

	if (plan->match.captures == NULL && has_nodes) {
		RA_SORT(ops, count, compare_times); /* the node numbers may follow another order
		                                       than the launches */
		plan = plan_launch(by, ops, count, true);
	}
	put_rows(by, ops[0].launch, plan);
	for (size_t i = 0; i < count; i++) {
		if (plan->match.launches[i] == RA_KINETO_NONE) {
			captured->rest_ops[plan->match.rest]++;
		} else if (plan->leaves[i] == RA_KINETO_NONE) {
			captured->rest_ops[RA_KINETO_CAPTURED_OUTSIDE]++;
		} else {
			captured->rule_ops[plan->match.rule]++;
			captured->leaves[ops[i].event] = by->rows[plan->leaves[i]];
		}
	}
	captured->launches++;
}

static void take_launches(struct extending *by)
{
	const size_t count = by->kineto->count;

	by->captured = ra_alloc_zeros(1, sizeof(*by->captured));
	by->kineto->captured = by->captured;
	by->captured->first = (uint32_t) count;
	by->captured->domain = move_string(by, ra_util_string("graph"));
	by->captured->captures = ra_graph_match_count(by->all);
	by->captured->leaves = ra_alloc_bytes((count + 1) * sizeof(*by->captured->leaves));
	for (size_t i = 0; i < count; i++) {
		by->captured->leaves[i] = RA_KINETO_NONE;
	}
	by->symbols = ra_alloc_zeros(by->op_count + 1, sizeof(*by->symbols));
	by->nodes = ra_alloc_zeros(by->op_count + 1, sizeof(*by->nodes));
	by->streams = ra_alloc_zeros(by->op_count + 1, sizeof(*by->streams));
	for (size_t i = 1, first = 0; i <= by->op_count; i++) {
		if (i == by->op_count || by->ops[i].launch != by->ops[first].launch) {
			take_launch(by, first, i - first);
			first = i;
		}
	}
	ra_kineto_store_trim(by->store);
}

/* ---- All ---- */

static void find_captures(struct extending *by, const struct ra_graph_replay_options *options)
{
	const bool is_own = options->capture_count == 0;
	struct ra_util_map paths = { 0 };

	by->trace_count = is_own ? 1 : options->capture_count;
	by->traces = ra_alloc_zeros(by->trace_count, sizeof(*by->traces));
	for (size_t i = 0; i < by->trace_count; i++) {
		ra_graph_capture_find(&by->traces[i], is_own ? by->kineto : options->captures[i],
		                      by->store, &paths, options->with_python);
	}
	by->all = ra_graph_match_create(by->traces, by->trace_count, by->kineto->rank);
	ra_util_map_free(&paths);
}

static void destroy(struct extending *by)
{
	for (size_t i = 0; i < by->plan_count; i++) {
		ra_graph_match_fini(&by->plans[i].match);
		free(by->plans[i].symbols);
		free(by->plans[i].nodes);
		free(by->plans[i].streams);
		free(by->plans[i].ranges);
		free(by->plans[i].leaves);
	}
	for (size_t i = 0; i < by->trace_count; i++) {
		ra_graph_capture_fini(&by->traces[i]);
	}
	if (by->all != NULL) {
		ra_graph_match_destroy(by->all);
	}
	free(by->traces);
	free(by->launches);
	free(by->open_names);
	free(by->open_first);
	free(by->open_last);
	free(by->rows);
	free(by->ops);
	free(by->plans);
	free(by->symbols);
	free(by->nodes);
	free(by->streams);
	ra_util_map_free(&by->plan_of);
}

void ra_graph_replay_extend(struct ra_kineto_store *store,
                            const struct ra_graph_replay_options *options)
{
	struct extending by = { .store = store, .kineto = store->kineto };

	collect_ops(&by);
	if (by.op_count > 0 || options->capture_count > 0) {
		find_captures(&by, options);
		if (options->capture_count > 0 || ra_graph_match_count(by.all) > 0) {
			find_open(&by, options->with_python);
			take_launches(&by);
		}
	}
	destroy(&by);
}
