/* SPDX-License-Identifier: MIT */
/* HTA's frequent sequences of kernels below an operator. */
#include "analyzer/hta-sequences.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/kineto-model.h"
#include "analyzer/util-map.h"
#include "analyzer/util.h"
#include "format/error.h"

/* A row of a thread on the CPU. */
struct node {
	uint32_t row;
	uint32_t depth; /* of ranges around it */
	uint32_t last;  /* node that is the last one inside, itself if there is none */
};

struct nodes {
	const struct ra_hta_rank *rank; /* borrowed */
	struct node *nodes;             /* owned; by thread, start, longer first */
	size_t count;
	uint32_t *stack;   /* owned: open nodes; at first the rows in the nodes' order */
	uint32_t *kernels; /* owned: row of a call → row of the first kernel it launched */
	uint32_t *next;    /* owned: row of a kernel → the call's next */
};

static uint32_t find_thread(const struct ra_hta_rank *rank, uint32_t row)
{
	return rank->kineto->thread[rank->rows[row].event];
}

static double find_end(const struct ra_hta_rank *rank, uint32_t row)
{
	return rank->rows[row].ts_us + rank->rows[row].dur_us;
}

static int compare_rows(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_hta_rank *rank = context;
	const double start_us = rank->rows[left].ts_us;
	const double end_us = find_end(rank, left);

	if (find_thread(rank, left) != find_thread(rank, right)) {
		return find_thread(rank, left) < find_thread(rank, right) ? -1 : 1;
	}
	if (start_us != rank->rows[right].ts_us) {
		return start_us < rank->rows[right].ts_us ? -1 : 1;
	}
	if (end_us != find_end(rank, right)) {
		return end_us > find_end(rank, right) ? -1 : 1;
	}
	return left < right ? -1 : left > right;
}

/* Finds depths and insides. What crosses hangs on what is around its begin. */
static void nest(struct nodes *nodes)
{
	const struct ra_hta_rank *rank = nodes->rank;
	size_t open = 0;

	for (size_t i = 0; i < nodes->count; i++) {
		struct node *node = &nodes->nodes[i];

		while (open > 0) {
			const uint32_t top = nodes->nodes[nodes->stack[open - 1]].row;

			if (find_thread(rank, top) == find_thread(rank, node->row) &&
			    rank->rows[node->row].ts_us < find_end(rank, top)) {
				break;
			}
			open--;
		}
		node->depth = (uint32_t) open;
		node->last = (uint32_t) i;
		nodes->stack[open++] = (uint32_t) i;
	}
	for (size_t i = nodes->count; i-- > 0;) {
		struct node *node = &nodes->nodes[i];
		size_t after = i + 1;

		/* The next node that is not deeper ends this one's inside. */
		while (after < nodes->count && nodes->nodes[after].depth > node->depth &&
		       find_thread(rank, nodes->nodes[after].row) == find_thread(rank, node->row)) {
			node->last = nodes->nodes[after].last;
			after = (size_t) nodes->nodes[after].last + 1;
		}
	}
}

/* Threads of process 0 are streams to HTA. */
static bool is_cpu(const struct ra_hta_rank *rank, const struct ra_hta_row *row)
{
	const struct ra_kineto *k = rank->kineto;

	return row->stream == -1 && k->threads[k->thread[row->event]].pid_number != 0;
}

static int make_nodes(struct nodes *nodes, const struct ra_hta_rank *rank)
{
	const size_t bytes = rank->count * sizeof(uint32_t) + 1;
	int rc;

	nodes->rank = rank;
	nodes->stack = malloc(bytes);
	nodes->kernels = malloc(bytes);
	nodes->next = malloc(bytes);
	if (nodes->stack == NULL || nodes->kernels == NULL || nodes->next == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	memset(nodes->kernels, 0xff, bytes);
	for (size_t i = 0; i < rank->count; i++) {
		if (is_cpu(rank, &rank->rows[i])) {
			nodes->stack[nodes->count++] = (uint32_t) i;
		}
	}
	rc = ra_kineto_model_sort(nodes->stack, nodes->count, compare_rows, rank);
	nodes->nodes = malloc((nodes->count + 1) * sizeof(*nodes->nodes));
	if (rc != 0 || nodes->nodes == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	for (size_t i = 0; i < nodes->count; i++) {
		nodes->nodes[i] = (struct node){ .row = nodes->stack[i] };
	}
	for (size_t i = rank->count; i-- > 0;) {
		const struct ra_hta_row *row = &rank->rows[i];
		const struct ra_hta_row *call = row->stream > 0 && row->partner > 0
		                                        ? ra_hta_find(rank, row->partner)
		                                        : NULL;

		if (call != NULL) {
			nodes->next[i] = nodes->kernels[call - rank->rows];
			nodes->kernels[call - rank->rows] = (uint32_t) i;
		}
	}
	nest(nodes);
	return 0;
}

struct found {
	double start_us;
	uint32_t row;
	uint32_t place; /* in which it was found */
};

static int compare_found(const void *a, const void *b)
{
	const struct found *left = a;
	const struct found *right = b;

	if (left->start_us != right->start_us) {
		return left->start_us < right->start_us ? -1 : 1;
	}
	return left->place < right->place ? -1 : left->place > right->place;
}

struct founds {
	struct found *founds; /* owned */
	size_t count;
	size_t capacity;
};

static int collect(struct founds *founds, const struct nodes *nodes, const struct node *root,
                   const struct ra_hta_rank *rank)
{
	int rc = 0;

	founds->count = 0;
	for (size_t i = (size_t) (root - nodes->nodes); i <= root->last && rc == 0; i++) {
		uint32_t row = nodes->kernels[nodes->nodes[i].row];

		for (; row != RA_NONE && rc == 0; row = nodes->next[row]) {
			rc = ra_util_grow(&founds->founds, &founds->capacity, founds->count + 1,
			                  sizeof(*founds->founds));
			if (rc == 0) {
				founds->founds[founds->count] =
					(struct found){ rank->rows[row].ts_us, row,
					                (uint32_t) founds->count };
				founds->count++;
			}
		}
	}
	if (founds->count > 0) {
		qsort(founds->founds, founds->count, sizeof(*founds->founds), compare_found);
	}
	return rc;
}

/* A new sequence: its kernels' names are kept. */
static int add_sequence(struct ra_hta_sequences *out, const struct ra_hta_rank *rank, uint32_t name,
                        const struct founds *founds)
{
	int rc = ra_util_grow(&out->rows, &out->capacity, out->count + 1, sizeof(*out->rows));

	if (rc == 0) {
		rc = ra_util_grow(&out->kernels, &out->kernel_capacity,
		                  out->kernel_count + founds->count, sizeof(*out->kernels));
	}
	if (rc != 0) {
		return rc;
	}
	out->rows[out->count++] = (struct ra_hta_sequence){
		.name = name,
		.first_kernel = out->kernel_count,
		.kernel_count = founds->count,
	};
	for (size_t i = 0; i < founds->count; i++) {
		out->kernels[out->kernel_count++] =
			rank->kineto->name[rank->rows[founds->founds[i].row].event];
	}
	return 0;
}

/* FNV-1a over the names' ids: equal sequences have equal ones. */
static uint64_t hash(const struct ra_hta_rank *rank, uint32_t name, const struct founds *founds)
{
	uint64_t value = (UINT64_C(0xcbf29ce484222325) ^ name) * UINT64_C(0x100000001b3);

	for (size_t i = 0; i < founds->count; i++) {
		value ^= rank->kineto->name[rank->rows[founds->founds[i].row].event];
		value *= UINT64_C(0x100000001b3);
	}
	return value;
}

static int count_root(struct ra_hta_sequences *out, struct ra_util_map *places,
                      const struct ra_hta_rank *rank, const struct node *root,
                      const struct founds *founds)
{
	const struct ra_hta_row *row = &rank->rows[root->row];
	const uint32_t name = rank->kineto->name[row->event];
	const uint64_t key = hash(rank, name, founds);
	uint32_t place = ra_util_map_find(places, key);
	int rc = 0;

	if (place == RA_UTIL_MAP_NONE) {
		place = (uint32_t) out->count;
		rc = add_sequence(out, rank, name, founds);
		if (rc == 0) {
			rc = ra_util_map_put(places, key, place);
		}
	}
	if (rc == 0) {
		out->rows[place].count++;
		out->rows[place].cpu_us += row->dur_us;
		for (size_t i = 0; i < founds->count; i++) {
			out->rows[place].gpu_us += rank->rows[founds->founds[i].row].dur_us;
		}
	}
	return rc;
}

static bool is_match(const struct ra_hta_rank *rank, const struct node *node, const char *part)
{
	const struct rlog_string name = ra_hta_name(rank, &rank->rows[node->row]);

	return memmem(name.bytes, name.length, part, strlen(part)) != NULL;
}

int ra_hta_sequences_find(struct ra_hta_sequences *out, const struct ra_hta_rank *rank,
                          const char *part, uint64_t least)
{
	struct nodes nodes = { 0 };
	struct founds founds = { 0 };
	struct ra_util_map places = { 0 };
	uint32_t depth = RA_NONE;
	int rc = make_nodes(&nodes, rank);

	*out = (struct ra_hta_sequences){ 0 };
	for (size_t i = 0; i < nodes.count && rc == 0; i++) {
		if (nodes.nodes[i].depth < depth && is_match(rank, &nodes.nodes[i], part)) {
			depth = nodes.nodes[i].depth;
		}
	}
	for (size_t i = 0; i < nodes.count && rc == 0; i++) {
		const struct node *node = &nodes.nodes[i];

		if (node->depth != depth || !is_match(rank, node, part)) {
			continue;
		}
		rc = collect(&founds, &nodes, node, rank);
		if (rc == 0 && founds.count >= least) {
			rc = count_root(out, &places, rank, node, &founds);
		}
	}
	ra_util_map_free(&places);
	free(founds.founds);
	free(nodes.nodes);
	free(nodes.stack);
	free(nodes.kernels);
	free(nodes.next);
	return rc;
}

void ra_hta_sequences_fini(struct ra_hta_sequences *sequences)
{
	free(sequences->rows);
	free(sequences->kernels);
	*sequences = (struct ra_hta_sequences){ 0 };
}
