/* SPDX-License-Identifier: MIT */
/* HTA's critical path: adds the edges between the calls of each thread. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/compat/hta/critical/critical-impl.h"

/* The start or end of a row, for the stack of calls. */
struct mark {
	double at_us;
	double dur_us;
	uint32_t event;
	uint32_t row;
	bool is_start;
};

struct open_row {
	uint32_t row;
	uint32_t parent; /* row; RA_NONE: none */
};

/* A thread as HTA groups rows. HTA may treat the rows of one thread as those of another. */
struct thread {
	uint32_t of;     /* index in kineto's threads */
	uint32_t tid_of; /* index of the thread whose tid it gets */
};

/* Ends come before starts. An outer row starts first and ends last. All durations are above 0. */
static int compare_marks(const void *a, const void *b)
{
	const struct mark *left = a;
	const struct mark *right = b;
	const int outer =
		RA_ORDER_THEN(RA_ORDER_DOWN(left, right, dur_us), RA_ORDER_UP(left, right, event));
	int order = RA_ORDER_UP(left, right, at_us);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(left, right, is_start));
	return RA_ORDER_THEN(order, left->is_start ? outer : -outer);
}

/* State of the walk over a thread's calls. */
struct walk {
	struct ra_hta_critical_build *build;
	uint32_t last;   /* the last node; RA_NONE: none yet */
	uint32_t parent; /* row of the range around that node's event */
	size_t depth;    /* number of open rows with nodes */
};

/* True if two calls share a lock, so that they already have their edge. Not if one begins after the
 * other's end. */
static bool shares_lock(const struct ra_hta_critical_build *build, uint32_t first, uint32_t second)
{
	const struct ra_hta_critical_node *nodes = build->out->nodes;

	return (build->flags[nodes[first].row] & build->flags[nodes[second].row] &
	        RA_HTA_CRITICAL_LOCK) != 0 &&
	       (nodes[first].is_start || !nodes[second].is_start);
}

static void step(struct walk *walk, const struct open_row *row, bool is_start)
{
	struct ra_hta_critical_build *build = walk->build;
	const struct ra_hta_critical_node *nodes = build->out->nodes;
	const uint32_t node = (is_start ? build->start : build->end)[row->row];

	if ((build->flags[row->row] & RA_HTA_CRITICAL_NODE) == 0) {
		return;
	}
	if (walk->last != RA_NONE && !shares_lock(build, walk->last, node)) {
		const bool is_next = is_start && walk->depth == 0;
		const bool is_free =
			!is_start && (build->flags[row->row] & RA_HTA_CRITICAL_BLOCK) != 0;
		/* The time between two calls belongs to the call around them. */
		uint32_t owner = nodes[walk->last].is_start ? nodes[walk->last].row
		                 : is_start                 ? walk->parent
		                                            : row->row;

		owner = is_next ? RA_NONE : owner;
		ra_hta_critical_link(build, walk->last, node,
		                     is_next ? RA_CRITICAL_DEPENDENCY : RA_CRITICAL_WORK, is_free,
		                     owner);
	}
	walk->last = node;
	walk->parent = row->parent;
	walk->depth += is_start ? 1 : (size_t) -1;
}

/* Walks over a thread's marks. Each end ends the row on top of the stack, even if rows cross, as in
 * HTA. */
static void walk_thread(struct ra_hta_critical_build *build, const struct mark *marks, size_t count,
                        struct open_row *open)
{
	struct walk walk = { .build = build, .last = RA_NONE, .parent = RA_NONE };
	size_t depth = 0;

	for (size_t i = 0; i < count && build->out->failure == NULL; i++) {
		if (marks[i].is_start) {
			open[depth].row = marks[i].row;
			open[depth].parent = depth > 0 ? open[depth - 1].row : RA_NONE;
			step(&walk, &open[depth++], true);
		} else if (depth > 0) {
			step(&walk, &open[--depth], false);
		}
	}
}

/* Finds the only thread whose operators or annotations have `part` in their names. Return: the text
 * of its tid; 0 if there is none, if there are several, or if the tid is false in Python. */
static uint32_t find_tid(const struct ra_hta_critical_build *build, const char *part)
{
	const struct ra_kineto *k = build->rank->kineto;
	uint32_t found = 0;

	for (size_t i = 0; i < build->kept_count; i++) {
		const struct ra_hta_row *row = &build->rank->rows[build->kept[i]];
		const uint32_t category = k->categories[ra_kineto_get_category(k, row->event)].name;
		const uint32_t tid = k->threads[ra_kineto_get_thread(k, row->event)].tid;

		if (!ra_util_string_has(ra_hta_full_name(build->rank, row), part) ||
		    !(ra_kineto_is_text(k, category, "cpu_op") ||
		      ra_kineto_is_text(k, category, "user_annotation"))) {
			continue;
		}
		if (found != 0 && found != tid) {
			return 0;
		}
		found = tid;
	}
	return ra_kineto_is_text(k, found, "0") || ra_kineto_is_text(k, found, "\"\"") ? 0 : found;
}

/* Compares tids: numbers come before texts, as pandas groups them. */
static int compare_ids(const struct ra_kineto *k, uint32_t left, int64_t left_number,
                       uint32_t right, int64_t right_number)
{
	const struct rlog_string a = ra_kineto_string(k, left);
	const struct rlog_string b = ra_kineto_string(k, right);
	const bool a_is_text = a.length > 0 && a.bytes[0] == '"';
	const bool b_is_text = b.length > 0 && b.bytes[0] == '"';
	int order = RA_ORDER(a_is_text, b_is_text);

	if (!a_is_text) {
		order = RA_ORDER_THEN(order, RA_ORDER(left_number, right_number));
	}
	return RA_ORDER_THEN(order, ra_util_string_compare(a, b));
}

static int compare_threads(const void *a, const void *b, void *kineto)
{
	const struct ra_kineto *k = kineto;
	const struct thread *left = a;
	const struct thread *right = b;
	const struct ra_kineto_thread *pids[2] = { &k->threads[left->of], &k->threads[right->of] };
	const struct ra_kineto_thread *tids[2] = { &k->threads[left->tid_of],
		                                   &k->threads[right->tid_of] };
	const int order = compare_ids(k, pids[0]->pid, pids[0]->pid_number, pids[1]->pid,
	                              pids[1]->pid_number);

	return RA_ORDER_THEN(order, compare_ids(k, tids[0]->tid, tids[0]->tid_number, tids[1]->tid,
	                                        tids[1]->tid_number));
}

/* Joins the threads of the forward and the backward pass as HTA does, if it finds both. The
 * backward pass runs on its own thread while the other waits. */
static void merge_passes(const struct ra_hta_critical_build *build, struct thread *threads)
{
	const struct ra_kineto *k = build->rank->kineto;
	const uint32_t forward = find_tid(build, "forward");
	const uint32_t backward = find_tid(build, "autograd");
	uint32_t target = RA_NONE;

	for (uint32_t t = 0; t < k->thread_count; t++) {
		threads[t] = (struct thread){ t, t };
		if (forward != 0 && k->threads[t].tid == forward) {
			target = t;
		}
	}
	for (size_t t = 0; t < k->thread_count && target != RA_NONE && backward != 0; t++) {
		if (k->threads[t].tid == backward) {
			threads[t].tid_of = target;
		}
	}
}

/* The rows of each group of threads, one group after the other. */
struct groups {
	uint32_t *of;          /* owned: for each thread of kineto, its group */
	size_t *begin;         /* owned: for each group and one more, where its rows begin */
	bool *is_gpu;          /* owned: for each group */
	struct mark *marks;    /* owned */
	struct open_row *open; /* owned: room for the deepest stack */
	size_t count;
};

static void number_groups(struct groups *groups, const struct ra_hta_critical_build *build)
{
	struct ra_kineto *k = (struct ra_kineto *) build->rank->kineto;
	struct thread *threads = ra_alloc_bytes(k->thread_count * sizeof(*threads) + 1);

	groups->of = ra_alloc_zeros(k->thread_count + 1, sizeof(*groups->of));
	merge_passes(build, threads);
	RA_SORT_WITH(threads, k->thread_count, compare_threads, k);
	for (size_t t = 0; t < k->thread_count; t++) {
		if (t == 0 || compare_threads(&threads[t - 1], &threads[t], k) != 0) {
			groups->count++;
		}
		groups->of[threads[t].of] = (uint32_t) groups->count - 1;
	}
	free(threads);
}

static uint32_t find_group(const struct groups *groups, const struct ra_hta_full *rank,
                           uint32_t row)
{
	return groups->of[ra_kineto_get_thread(rank->kineto, rank->rows[row].event)];
}

static void fill_groups(struct groups *groups, const struct ra_hta_critical_build *build)
{
	const struct ra_hta_full *rank = build->rank;

	groups->begin = ra_alloc_zeros(groups->count + 2, sizeof(*groups->begin));
	groups->is_gpu = ra_alloc_zeros(groups->count + 1, sizeof(*groups->is_gpu));
	groups->marks = ra_alloc_bytes(2 * build->kept_count * sizeof(*groups->marks) + 1);
	groups->open = ra_alloc_bytes(build->kept_count * sizeof(*groups->open) + 1);
	for (size_t i = 0; i < build->kept_count; i++) {
		const uint32_t group = find_group(groups, rank, build->kept[i]);

		groups->begin[group + 2] += 2;
		groups->is_gpu[group] |= rank->rows[build->kept[i]].stream >= 0;
	}
	for (size_t g = 2; g < groups->count + 2; g++) {
		groups->begin[g] += groups->begin[g - 1];
	}
	for (size_t i = 0; i < build->kept_count; i++) {
		const uint32_t r = build->kept[i];
		const struct ra_hta_row *row = &rank->rows[r];
		struct mark mark = { row->ts_us, row->dur_us, row->event, r, true };
		size_t *at = &groups->begin[find_group(groups, rank, r) + 1];

		groups->marks[(*at)++] = mark;
		mark.at_us += row->dur_us;
		mark.is_start = false;
		groups->marks[(*at)++] = mark;
	}
}

void ra_hta_critical_stack_add(struct ra_hta_critical_build *build)
{
	struct groups groups = { 0 };

	if (build->kept_count > 0) {
		number_groups(&groups, build);
	}
	fill_groups(&groups, build);
	for (size_t g = 0; g < groups.count; g++) {
		struct mark *marks = groups.marks + groups.begin[g];
		const size_t count = groups.begin[g + 1] - groups.begin[g];

		if (!groups.is_gpu[g] && count > 0) {
			RA_SORT(marks, count, compare_marks);
			walk_thread(build, marks, count, groups.open);
		}
	}
	free(groups.of);
	free(groups.begin);
	free(groups.is_gpu);
	free(groups.marks);
	free(groups.open);
}
