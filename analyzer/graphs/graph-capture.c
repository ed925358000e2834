/* SPDX-License-Identifier: MIT */
/* Finds the stream captures in a trace: the launches in each, and the ranges that were open
 * then. */
#include "analyzer/graphs/graph-capture.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/util.h"
#include "analyzer/graphs/graph-open.h"

/* The time from the call that begins a capture to the call that ends it. */
struct window {
	int64_t start_ns;
	int64_t end_ns;
	int64_t latest_ns; /* the latest end of all windows up to this one, in order of start */
	uint32_t thread;
	uint32_t pid; /* string id of the process' number */
};

struct finding {
	struct ra_graph_captures *captures;
	const struct ra_kineto *kineto;
	struct ra_kineto_store *store;
	struct ra_util_map *paths;
	bool with_python;
	struct ra_util_map ran; /* correlations of calls whose work ran on the GPU */
	struct window *windows; /* owned; ordered by start */
	uint32_t *of_window;    /* owned; for each launch, the window it is in */
	size_t window_count;
	size_t window_capacity;
	size_t range_capacity;
	size_t launch_capacity;
};

static bool has_word(struct rlog_string name, const char *word)
{
	return memmem(name.bytes, name.length, word, strlen(word)) != NULL;
}

bool ra_graph_capture_is_call(const struct ra_kineto *kineto, uint32_t event, const char *word)
{
	return ra_graph_open_is_call(kineto, event) &&
	       has_word(ra_kineto_string(kineto, kineto->name[event]), word);
}

uint32_t ra_graph_capture_find_symbol(struct rlog_string name, uint32_t id)
{
	/* HIP fills and copies with its own kernels. */
	if (has_word(name, "Memset") || has_word(name, "__amd_rocclr_fillBuffer")) {
		return RA_GRAPH_SET;
	}
	if (has_word(name, "Memcpy") || has_word(name, "__amd_rocclr_copyBuffer")) {
		return RA_GRAPH_COPY;
	}
	return id;
}

/* ---- Windows ---- */

static bool is_module(const struct ra_kineto *k, uint32_t event)
{
	struct ra_kineto_value value;

	return ra_kineto_get(k, event, RA_KINETO_ARG_PYTHON_MODULE_ID, &value) &&
	       value.type != RA_KINETO_NULL;
}

static bool is_range(const struct finding *finding, uint32_t event)
{
	static const char step[] = "ProfilerStep#";
	const struct ra_kineto *k = finding->kineto;
	const struct rlog_string name = ra_kineto_string(k, k->name[event]);

	if ((k->flags[event] & RA_KINETO_HAS_TS) == 0 || name.length == 0) {
		return false;
	}
	switch ((enum ra_kineto_kind) k->kind[event]) {
	case RA_KINETO_OTHER:
	case RA_KINETO_CPU_OP:
		return true;
	case RA_KINETO_USER_ANNOTATION:
		return name.length < sizeof(step) - 1 ||
		       memcmp(name.bytes, step, sizeof(step) - 1) != 0;
	case RA_KINETO_PYTHON_FUNCTION:
		return finding->with_python || is_module(k, event);
	default:
		return false;
	}
}

static int compare_windows(const void *left, const void *right)
{
	const struct window *a = left;
	const struct window *b = right;
	const int order = RA_ORDER_UP(a, b, start_ns);

	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, thread));
}

static void pair_edges(struct finding *finding, struct ra_graph_open *edges)
{
	const struct ra_kineto *k = finding->kineto;
	struct window window = { .thread = RA_KINETO_NONE };

	while (ra_graph_open_next(edges)) {
		const uint32_t event = edges->event;

		if (ra_graph_capture_is_call(k, event, "StreamBeginCapture")) {
			window = (struct window){
				.start_ns = ra_kineto_ts(k, event),
				.thread = ra_kineto_get_thread(k, event),
				.pid = k->threads[ra_kineto_get_thread(k, event)].pid
			};
		} else if (window.thread == ra_kineto_get_thread(k, event)) {
			window.end_ns = ra_kineto_ts(k, event);
			RA_UTIL_APPEND(finding->windows, finding->window_count,
			               finding->window_capacity, window);
			window.thread = RA_KINETO_NONE;
		}
	}
}

static void find_windows(struct finding *finding)
{
	const struct ra_kineto *k = finding->kineto;
	struct ra_graph_open edges = { .kineto = k };
	int64_t latest_ns = INT64_MIN;

	for (uint32_t i = 0; i < k->count; i++) {
		if (ra_graph_capture_is_call(k, i, "StreamBeginCapture") ||
		    ra_graph_capture_is_call(k, i, "StreamEndCapture")) {
			ra_graph_open_add(&edges, i);
		}
	}
	pair_edges(finding, &edges);
	ra_graph_open_fini(&edges);
	RA_SORT(finding->windows, finding->window_count, compare_windows);
	for (size_t i = 0; i < finding->window_count; i++) {
		struct window *window = &finding->windows[i];

		latest_ns = window->end_ns > latest_ns ? window->end_ns : latest_ns;
		window->latest_ns = latest_ns;
	}
}

/* Finds the capture that a call is in: a capture of the call's thread, or else the only one of its
 * process at that time, because PyTorch's backward pass launches from other threads. */
static uint32_t find_window(const struct finding *finding, uint32_t event)
{
	const struct ra_kineto *k = finding->kineto;
	const int64_t time_ns = ra_kineto_ts(k, event);
	uint32_t found = RA_KINETO_NONE;
	size_t low = 0;
	size_t high = finding->window_count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (finding->windows[middle].start_ns <= time_ns) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	for (size_t i = low; i-- > 0 && finding->windows[i].latest_ns > time_ns;) {
		const struct window *window = &finding->windows[i];

		if (window->end_ns <= time_ns ||
		    window->pid != k->threads[ra_kineto_get_thread(k, event)].pid) {
			continue;
		}
		if (window->thread == ra_kineto_get_thread(k, event)) {
			return (uint32_t) i;
		}
		if (found != RA_KINETO_NONE) {
			return RA_KINETO_NONE; /* there are several, so it is not known which */
		}
		found = (uint32_t) i;
	}
	return found;
}

/* ---- Launches ---- */

/* True for a call that becomes a node of a graph: it launches something that does not run now. */
static bool is_launch(const struct finding *finding, uint32_t event)
{
	const struct ra_kineto *k = finding->kineto;
	const struct rlog_string name = ra_kineto_string(k, k->name[event]);

	return (has_word(name, "Launch") || has_word(name, "Memcpy") || has_word(name, "Memset")) &&
	       !has_word(name, "HostFunc") && !has_word(name, "Graph") &&
	       (k->corr[event] == RA_KINETO_NONE ||
	        ra_util_map_find(&finding->ran, k->corr[event]) == RA_UTIL_MAP_NONE);
}

/* Copies the name of a range or kernel to the strings of the rows that get new rows. */
static uint32_t move_string(const struct finding *finding, uint32_t id)
{
	const struct rlog_string text = ra_kineto_string(finding->kineto, id);

	return finding->store->kineto == finding->kineto
	               ? id
	               : ra_kineto_strings_add(&finding->store->strings, text.bytes, text.length);
}

static uint32_t read_symbol(const struct finding *finding, uint32_t event)
{
	const struct ra_kineto *k = finding->kineto;
	const struct rlog_string call = ra_kineto_string(k, k->name[event]);
	const uint32_t kernel = ra_kineto_get_text(k, event, RA_KINETO_ARG_KERNEL);

	if (kernel == 0) {
		return ra_graph_capture_find_symbol(call, RA_GRAPH_ANY);
	}
	return ra_graph_capture_find_symbol(ra_kineto_string(k, kernel),
	                                    move_string(finding, kernel));
}

static void add_launch(struct finding *finding, uint32_t event, uint32_t range)
{
	struct ra_graph_captures *captures = finding->captures;
	const uint32_t window = find_window(finding, event);
	int64_t node = 0;

	if (window == RA_KINETO_NONE) {
		return;
	}
	ra_kineto_get_int(finding->kineto, event, RA_KINETO_ARG_GRAPH_NODE_ID, &node);
	ra_util_grow(&captures->launches, &finding->launch_capacity, captures->launch_count + 1,
	             sizeof(*captures->launches));
	ra_util_resize(&finding->of_window, finding->launch_capacity, sizeof(*finding->of_window));
	finding->of_window[captures->launch_count] = window;
	captures->launches[captures->launch_count++] = (struct ra_graph_launch){
		.event = event,
		.symbol = read_symbol(finding, event),
		.range = range,
		.path = RA_KINETO_NONE,
		.node = node > 0 ? (uint64_t) node : 0,
	};
}

/* Collects ranges and calls, and the correlations of calls whose work ran at once. */
static void collect_events(struct finding *finding, struct ra_graph_open *open)
{
	const struct ra_kineto *k = finding->kineto;

	for (uint32_t i = 0; i < k->count; i++) {
		if (ra_graph_open_is_call(k, i) || is_range(finding, i)) {
			ra_graph_open_add(open, i);
		}
		if (k->kind[i] >= RA_KINETO_KERNEL && k->kind[i] <= RA_KINETO_MEMSET &&
		    k->corr[i] != RA_KINETO_NONE && k->corr[i] != 0) {
			ra_util_map_put(&finding->ran, k->corr[i], 1);
		}
	}
}

/* Goes through the ranges and calls of each thread, and notes the launches. */
static void find_launches(struct finding *finding)
{
	const struct ra_kineto *k = finding->kineto;
	struct ra_graph_captures *captures = finding->captures;
	struct ra_graph_open open = { .kineto = k };
	uint32_t *range_at = ra_alloc_zeros(1, sizeof(*range_at)); /* indexed by depth */
	size_t depths = 1;
	uint32_t busy = RA_KINETO_NONE; /* the last call that launched; a call inside it is not
	                                   counted again */

	collect_events(finding, &open);
	while (ra_graph_open_next(&open)) {
		const uint32_t event = open.event;
		const size_t depth = open.is_call ? open.depth : open.depth - 1;
		const uint32_t around = depth > 0 ? range_at[depth - 1] : RA_KINETO_NONE;

		if (!open.is_call) {
			ra_util_grow(&range_at, &depths, depth + 1, sizeof(*range_at));
			range_at[depth] = (uint32_t) captures->range_count;
			RA_UTIL_APPEND(
				captures->ranges, captures->range_count, finding->range_capacity,
				(struct ra_graph_range){ event, around, RA_KINETO_NONE, false });
		} else if (is_launch(finding, event) &&
		           (busy == RA_KINETO_NONE ||
		            ra_kineto_get_thread(k, busy) != ra_kineto_get_thread(k, event) ||
		            ra_graph_open_find_end(k, busy) <= ra_kineto_ts(k, event))) {
			busy = event; /* a driver call within a runtime call is the same launch */
			add_launch(finding, event, around);
		}
	}
	free(range_at);
	ra_graph_open_fini(&open);
}

/* ---- Order ---- */

static int compare_launches(const void *context, uint32_t left, uint32_t right)
{
	const struct finding *finding = context;
	const struct ra_kineto *k = finding->kineto;
	const uint32_t a = finding->captures->launches[left].event;
	const uint32_t b = finding->captures->launches[right].event;
	int order = RA_ORDER(finding->of_window[left], finding->of_window[right]);

	order = RA_ORDER_THEN(order, RA_ORDER(ra_kineto_ts(k, a), ra_kineto_ts(k, b)));
	return RA_ORDER_THEN(order, RA_ORDER(a, b));
}

/* Marks the ranges that were open before the capture began. */
static void mark_outside(struct ra_graph_captures *captures, size_t first, size_t end,
                         int64_t start_ns)
{
	for (size_t i = first; i < end; i++) {
		for (uint32_t r = captures->launches[i].range; r != RA_KINETO_NONE;
		     r = captures->ranges[r].parent) {
			struct ra_graph_range *range = &captures->ranges[r];

			range->is_outside |=
				ra_kineto_ts(captures->kineto, range->event) < start_ns;
		}
	}
}

static void add_capture(struct ra_graph_captures *captures, size_t first, size_t end)
{
	struct ra_graph_capture *capture = &captures->captures[captures->capture_count++];

	*capture = (struct ra_graph_capture){ .first = (uint32_t) first,
		                              .count = (uint32_t) (end - first) };
	for (size_t i = first; i < end; i++) {
		capture->is_nameless |= captures->launches[i].symbol == RA_GRAPH_ANY;
	}
	for (size_t i = first; i < end && capture->is_nameless; i++) {
		if (captures->launches[i].symbol < RA_GRAPH_ANY) {
			captures->launches[i].symbol = RA_GRAPH_ANY;
		}
	}
}

static void order_launches(struct finding *finding)
{
	struct ra_graph_captures *captures = finding->captures;
	const size_t count = captures->launch_count;
	uint32_t *order = ra_order_create_indices(count);
	struct ra_graph_launch *sorted = ra_alloc_zeros(count + 1, sizeof(*sorted));
	size_t first = 0;

	ra_run_sort_indices(order, count, compare_launches, finding);
	for (size_t i = 0; i < count; i++) {
		sorted[i] = captures->launches[order[i]];
	}
	free(captures->launches);
	captures->launches = sorted;
	captures->captures = ra_alloc_zeros(finding->window_count + 1, sizeof(*captures->captures));
	for (size_t i = 1; i <= count; i++) {
		if (i == count ||
		    finding->of_window[order[i]] != finding->of_window[order[first]]) {
			add_capture(captures, first, i);
			mark_outside(captures, first, i,
			             finding->windows[finding->of_window[order[first]]].start_ns);
			first = i;
		}
	}
	free(order);
}

/* Numbers the paths of the ranges that contain launches. */
static void find_paths(struct finding *finding)
{
	struct ra_graph_captures *captures = finding->captures;
	const uint32_t wanted = 0;

	for (size_t i = 0; i < captures->launch_count; i++) {
		for (uint32_t r = captures->launches[i].range;
		     r != RA_KINETO_NONE && captures->ranges[r].path != wanted;
		     r = captures->ranges[r].parent) {
			captures->ranges[r].path = wanted;
		}
	}
	for (size_t r = 0; r < captures->range_count; r++) {
		struct ra_graph_range *range = &captures->ranges[r];
		const uint32_t parent = range->parent == RA_KINETO_NONE
		                                ? RA_KINETO_NONE
		                                : captures->ranges[range->parent].path;

		if (range->path == wanted) {
			const uint32_t name =
				move_string(finding, finding->kineto->name[range->event]);

			ra_util_map_number(finding->paths, (uint64_t) parent << 32 | name,
			                   &range->path);
		}
	}
	for (size_t i = 0; i < captures->launch_count; i++) {
		if (captures->launches[i].range != RA_KINETO_NONE) {
			captures->launches[i].path =
				captures->ranges[captures->launches[i].range].path;
		}
	}
}

void ra_graph_capture_find(struct ra_graph_captures *captures, const struct ra_kineto *kineto,
                           struct ra_kineto_store *store, struct ra_util_map *paths,
                           bool with_python)
{
	struct finding finding = {
		.captures = captures,
		.kineto = kineto,
		.store = store,
		.paths = paths,
		.with_python = with_python,
	};

	*captures = (struct ra_graph_captures){ .kineto = kineto };
	find_windows(&finding);
	if (finding.window_count > 0) {
		find_launches(&finding);
		order_launches(&finding);
		find_paths(&finding);
	}
	ra_util_map_free(&finding.ran);
	free(finding.windows);
	free(finding.of_window);
}

void ra_graph_capture_fini(struct ra_graph_captures *captures)
{
	free(captures->ranges);
	free(captures->launches);
	free(captures->captures);
}
