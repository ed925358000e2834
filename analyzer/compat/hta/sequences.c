/* SPDX-License-Identifier: MIT */
/* Finds HTA's frequent sequences of kernels below an operator. */
#include "analyzer/compat/hta/sequences.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

/* A range whose name has `part`, and the ranges inside it, by their places among the rows. */
struct root {
	uint32_t depth; /* number of ranges around it */
	uint32_t first; /* place of the range itself */
	uint32_t last;
};

/* The rows of the CPU, ordered by thread, then start, then duration, longest first. */
struct nodes {
	const struct ra_hta_rank *rank; /* borrowed */
	uint32_t *events;               /* owned */
	size_t count;
	size_t *begins;     /* owned: for each thread and one more, where its rows begin */
	uint8_t *matches;   /* owned: for each string id: 1 without the part, 2 with it; 0: not
	                       tested */
	const char *part;   /* borrowed */
	struct root *roots; /* owned: roots on the lowest depth found */
	size_t root_count;
	size_t root_capacity;
};

/* Returns how far apart in ns two starts may be that become equal when they are rounded to floats
 * of µs, and then to µs. */
static uint64_t find_blur(const struct ra_hta_rank *rank)
{
	const struct ra_kineto *k = rank->kineto;
	int64_t least = 0;
	int64_t most = 0;
	double far_us;

	for (size_t i = 0; i < k->count; i++) {
		least = ra_kineto_ts(k, i) < least ? ra_kineto_ts(k, i) : least;
		most = ra_kineto_ts(k, i) > most ? ra_kineto_ts(k, i) : most;
	}
	far_us = fmax(ra_kineto_us(most), -ra_kineto_us(least));
	/* A start is off by at most two units in the last place, so two starts by four. */
	return (uint64_t) (8000 * (nextafter(far_us, INFINITY) - far_us)) +
	       (rank->is_float ? 2000 : 0);
}

/* The context for comparing rows. */
struct row_order {
	const struct ra_hta_rank *rank;
	uint64_t blur_ns;
};

/* Compares by start, then by duration, longest first. Mostly the times in ns decide. */
static int compare_events(const void *context, uint32_t left, uint32_t right)
{
	const struct row_order *order = context;
	const struct ra_hta_rank *rank = order->rank;
	const int64_t left_ns = ra_kineto_ts(rank->kineto, left);
	const int64_t right_ns = ra_kineto_ts(rank->kineto, right);
	double left_us;
	double right_us;

	if (left_ns < right_ns && (uint64_t) right_ns - (uint64_t) left_ns > order->blur_ns) {
		return -1;
	}
	if (left_ns > right_ns && (uint64_t) left_ns - (uint64_t) right_ns > order->blur_ns) {
		return 1;
	}
	left_us = ra_hta_ts(rank, left);
	right_us = ra_hta_ts(rank, right);
	if (left_us != right_us) {
		return left_us < right_us ? -1 : 1;
	}
	left_us += ra_hta_dur(rank, left);
	right_us += ra_hta_dur(rank, right);
	return left_us > right_us ? -1 : left_us < right_us;
}

static bool is_match(struct nodes *nodes, uint32_t event)
{
	uint8_t *match = &nodes->matches[nodes->rank->kineto->name[event]];

	if (*match == 0) {
		const struct rlog_string name = ra_hta_name(nodes->rank, event);

		*match = memmem(name.bytes, name.length, nodes->part, strlen(nodes->part)) != NULL
		                 ? 2
		                 : 1;
	}
	return *match == 2;
}

/* An open range, in the walk over a thread's rows. */
struct open_range {
	double end_us;
	size_t root; /* index of its root; SIZE_MAX: it has none */
};

/* Adds a range whose name matches, unless there are matches on a lower depth. Return: its index,
 * SIZE_MAX if it is not added. */
static size_t add_root(struct nodes *nodes, uint32_t at, size_t depth)
{
	if (!is_match(nodes, nodes->events[at]) ||
	    (nodes->root_count > 0 && nodes->roots[0].depth < depth)) {
		return SIZE_MAX;
	}
	if (nodes->root_count > 0 && nodes->roots[0].depth > depth) {
		nodes->root_count = 0;
	}
	RA_UTIL_APPEND(nodes->roots, nodes->root_count, nodes->root_capacity,
	               (struct root){ (uint32_t) depth, at, at });
	return nodes->root_count - 1;
}

/* Roots on a greater depth are dropped only when they have ended. */
static void close_range(struct nodes *nodes, const struct open_range *range, size_t at)
{
	if (range->root != SIZE_MAX) {
		nodes->roots[range->root].last = (uint32_t) at - 1;
	}
}

/* Walks over a thread's rows. A range that crosses another is inside the range in which it
 * starts. */
static void walk_thread(struct nodes *nodes, size_t first, size_t end, struct open_range *open)
{
	const struct ra_hta_rank *rank = nodes->rank;
	size_t depth = 0;

	for (size_t i = first; i < end; i++) {
		const uint32_t event = nodes->events[i];
		const double ts_us = ra_hta_ts(rank, event);

		while (depth > 0 && !(ts_us < open[depth - 1].end_us)) {
			depth--;
			close_range(nodes, &open[depth], i);
		}
		open[depth].end_us = ts_us + ra_hta_dur(rank, event);
		open[depth].root = add_root(nodes, (uint32_t) i, depth);
		depth++;
	}
	while (depth > 0) {
		depth--;
		close_range(nodes, &open[depth], end);
	}
}

/* HTA treats threads of process 0 as streams. */
static bool is_node(const struct ra_hta_rank *rank, uint32_t event)
{
	const struct ra_kineto *k = rank->kineto;
	const uint32_t link = rank->link_of[event];

	if (link == RA_NONE || k->threads[ra_kineto_get_thread(k, event)].pid_number == 0) {
		return false;
	}
	return link == RA_HTA_PLAIN || rank->linked[link].stream == -1;
}

/* Adds the rows, thread by thread, in the order of events. */
static void collect_nodes(struct nodes *nodes)
{
	const struct ra_hta_rank *rank = nodes->rank;
	const struct ra_kineto *k = rank->kineto;
	size_t *begins = ra_alloc_zeros(k->thread_count + 2, sizeof(*begins));

	nodes->begins = begins;
	nodes->matches = ra_alloc_zeros(k->string_count + 1, sizeof(*nodes->matches));
	for (uint32_t i = 0; i < k->count; i++) {
		if (is_node(rank, i)) {
			begins[ra_kineto_get_thread(k, i) + 2] += ra_hta_copies(rank, i);
		}
	}
	for (size_t t = 2; t < k->thread_count + 2; t++) {
		begins[t] += begins[t - 1];
	}
	nodes->count = begins[k->thread_count + 1];
	nodes->events = ra_alloc_bytes(nodes->count * sizeof(*nodes->events) + 1);
	for (uint32_t i = 0; i < k->count; i++) {
		for (unsigned c = is_node(rank, i) ? ra_hta_copies(rank, i) : 0; c > 0; c--) {
			nodes->events[begins[ra_kineto_get_thread(k, i) + 1]++] = i;
		}
	}
}

static void make_nodes(struct nodes *nodes)
{
	const size_t thread_count = nodes->rank->kineto->thread_count;
	const struct row_order order = { nodes->rank, find_blur(nodes->rank) };
	struct open_range *open;
	size_t most = 0;

	collect_nodes(nodes);
	for (size_t t = 0; t < thread_count; t++) {
		const size_t count = nodes->begins[t + 1] - nodes->begins[t];

		most = count > most ? count : most;
		ra_run_sort_indices(nodes->events + nodes->begins[t], count, compare_events,
		                    &order);
	}
	open = ra_alloc_bytes(most * sizeof(*open) + 1);
	for (size_t t = 0; t < thread_count; t++) {
		walk_thread(nodes, nodes->begins[t], nodes->begins[t + 1], open);
	}
	free(open);
}

struct found {
	const struct ra_hta_row *row; /* borrowed */
	uint32_t place;               /* index in this list */
};

static int compare_found(const void *a, const void *b)
{
	const struct found *left = a;
	const struct found *right = b;

	return RA_ORDER_THEN(RA_ORDER_UP(left, right, row->ts_us), RA_ORDER_UP(left, right, place));
}

struct founds {
	struct found *founds; /* owned */
	size_t count;
	size_t capacity;
};

/* Collects the kernels that a call launched. */
static void collect_call(struct founds *founds, const struct ra_hta_rank *rank, uint32_t event)
{
	const uint32_t link = rank->link_of[event];

	if (link >= RA_HTA_PLAIN || rank->linked[link].corr == -1) {
		return;
	}
	for (size_t i = rank->first_of[link]; i < rank->by_corr_count; i++) {
		const struct ra_hta_row *row = &rank->linked[rank->by_corr[i]];

		if (row->corr != rank->linked[link].corr) {
			break;
		}
		if (row->stream > 0 && row->partner > 0 && row->partner == event) {
			const struct found found = { row, (uint32_t) founds->count };

			RA_UTIL_APPEND(founds->founds, founds->count, founds->capacity, found);
		}
	}
}

/* Collects the kernels of a range and of everything inside it, by start. */
static void collect(struct founds *founds, const struct nodes *nodes, const struct root *root)
{
	bool is_sorted = true;

	founds->count = 0;
	for (size_t i = root->first; i <= root->last; i++) {
		/* HTA counts a row's kernels once, even if the row occurs several times. */
		if (i == root->first || nodes->events[i] != nodes->events[i - 1]) {
			collect_call(founds, nodes->rank, nodes->events[i]);
		}
	}
	for (size_t i = 1; i < founds->count && is_sorted; i++) {
		is_sorted = founds->founds[i - 1].row->ts_us <= founds->founds[i].row->ts_us;
	}
	if (!is_sorted) {
		RA_SORT(founds->founds, founds->count, compare_found);
	}
}

/* Adds a new sequence with the names of its kernels. */
static void add_sequence(struct ra_hta_sequences *out, const struct ra_hta_rank *rank,
                         uint32_t name, const struct founds *founds)
{
	ra_util_grow(&out->rows, &out->capacity, out->count + 1, sizeof(*out->rows));
	ra_util_grow(&out->kernels, &out->kernel_capacity, out->kernel_count + founds->count,
	             sizeof(*out->kernels));
	out->rows[out->count++] = (struct ra_hta_sequence){
		.name = name,
		.first_kernel = out->kernel_count,
		.kernel_count = founds->count,
	};
	for (size_t i = 0; i < founds->count; i++) {
		out->kernels[out->kernel_count++] =
			rank->kineto->name[founds->founds[i].row->event];
	}
}

/* FNV-1a over the ids of the names. */
static uint64_t hash(const struct ra_hta_rank *rank, uint32_t name, const struct founds *founds)
{
	uint64_t value = (UINT64_C(0xcbf29ce484222325) ^ name) * UINT64_C(0x100000001b3);

	for (size_t i = 0; i < founds->count; i++) {
		value ^= rank->kineto->name[founds->founds[i].row->event];
		value *= UINT64_C(0x100000001b3);
	}
	return value;
}

static void count_root(struct ra_hta_sequences *out, struct ra_util_map *places,
                       const struct ra_hta_rank *rank, uint32_t event, const struct founds *founds)
{
	const uint32_t name = rank->kineto->name[event];
	const uint64_t key = hash(rank, name, founds);
	uint32_t place = ra_util_map_find(places, key);

	if (place == RA_UTIL_MAP_NONE) {
		place = (uint32_t) out->count;
		add_sequence(out, rank, name, founds);
		ra_util_map_put(places, key, place);
	}
	out->rows[place].count++;
	out->rows[place].cpu_us += ra_hta_dur(rank, event);
	for (size_t i = 0; i < founds->count; i++) {
		out->rows[place].gpu_us += founds->founds[i].row->dur_us;
	}
}

void ra_hta_sequences_find(struct ra_hta_sequences *out, const struct ra_hta_rank *rank,
                           const char *part, uint64_t least)
{
	struct nodes nodes = { .rank = rank, .part = part };
	struct founds founds = { 0 };
	struct ra_util_map places = { 0 };

	make_nodes(&nodes);
	*out = (struct ra_hta_sequences){ 0 };
	for (size_t i = 0; i < nodes.root_count; i++) {
		const struct root *root = &nodes.roots[i];

		collect(&founds, &nodes, root);
		if (founds.count >= least) {
			count_root(out, &places, rank, nodes.events[root->first], &founds);
		}
	}
	ra_util_map_free(&places);
	free(founds.founds);
	free(nodes.events);
	free(nodes.begins);
	free(nodes.matches);
	free(nodes.roots);
}

void ra_hta_sequences_fini(struct ra_hta_sequences *sequences)
{
	free(sequences->rows);
	free(sequences->kernels);
	*sequences = (struct ra_hta_sequences){ 0 };
}
