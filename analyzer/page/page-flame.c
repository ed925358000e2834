/* SPDX-License-Identifier: MIT */
/*
 * Writes the data of the flame graph: [[name, parent, calls, self CPU ns, self GPU ns], …]. Parents
 * come first; parent is an index or -1. If there are more than MAX_NODES nodes, the paths with the
 * least time (CPU and GPUs, with everything inside) are left out. Their times are added to a node
 * "(N more)" of the path around them, so that sums stay the same.
 */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/page/page-html.h"
#include "analyzer/page/page-parts.h"
#include "analyzer/timeline/stacks.h"

#define MAX_NODES  4000
#define NAME_WIDTH 300

struct flame {
	const struct ra_stacks *stacks;
	uint64_t *sums;  /* owned: by node: time of the node and everything inside it */
	uint32_t *place; /* owned: by node: its index in the output; RA_NONE: it is left out */
	/* owned: by node: index of its "(N more)" in mores; RA_NONE: it has none; the last entry
	 * is for outermost nodes */
	uint32_t *rest;
	struct more {
		uint32_t parent; /* index of the parent in the output */
		uint64_t nodes;
		int64_t cpu_ns;
		int64_t gpu_ns;
	} * mores; /* owned */
	size_t more_count;
	uint32_t count; /* number of nodes in the output */
};

static void sum_up(struct flame *flame)
{
	const struct ra_stacks *stacks = flame->stacks;

	for (size_t i = 0; i < stacks->count; i++) {
		flame->sums[i] =
			(uint64_t) stacks->nodes[i].cpu_ns + (uint64_t) stacks->nodes[i].gpu_ns;
	}
	/* from the end, because children come after their parents */
	for (size_t i = stacks->count; i > 0; i--) {
		const uint32_t parent = stacks->nodes[i - 1].parent;

		if (parent != RA_NONE) {
			flame->sums[parent] += flame->sums[i - 1];
		}
	}
}

/* Finds the time that a node must exceed to be in the output. */
static uint64_t find_least(const struct flame *flame)
{
	const size_t count = flame->stacks->count;
	uint64_t *sorted;
	uint64_t least;

	if (count <= MAX_NODES) {
		return 0;
	}
	sorted = ra_alloc_bytes(count * sizeof(*sorted));
	for (size_t i = 0; i < count; i++) {
		sorted[i] = flame->sums[i];
	}
	RA_SORT(sorted, count, ra_order_uint64);
	least = sorted[count - 1 - MAX_NODES];
	free(sorted);
	return least;
}

/* Adds the self time of a node that is left out to "(N more)" of the innermost kept node around
 * it. */
static void add_rest(struct flame *flame, size_t node)
{
	const struct ra_stacks_node *nodes = flame->stacks->nodes;
	uint32_t around = nodes[node].parent;
	struct more *more;
	uint32_t *rest;

	while (around != RA_NONE && flame->place[around] == RA_NONE) {
		around = nodes[around].parent;
	}
	rest = &flame->rest[around == RA_NONE ? flame->stacks->count : around];
	if (*rest == RA_NONE) {
		*rest = (uint32_t) flame->more_count++;
		flame->mores[*rest] = (struct more){
			.parent = around == RA_NONE ? RA_NONE : flame->place[around],
		};
	}
	more = &flame->mores[*rest];
	more->nodes++;
	more->cpu_ns += nodes[node].cpu_ns;
	more->gpu_ns += nodes[node].gpu_ns;
}

static void put_parent(struct ra_util_text *json, uint32_t parent)
{
	ra_util_text_put_int(json, parent == RA_NONE ? -1 : (int64_t) parent);
}

static void put_nodes(struct flame *flame, uint64_t least, struct ra_util_text *json)
{
	const struct ra_stacks *stacks = flame->stacks;
	struct ra_util_text safe = { 0 };

	for (size_t i = 0; i < stacks->count; i++) {
		const struct ra_stacks_node *node = &stacks->nodes[i];

		if (stacks->count > MAX_NODES && flame->sums[i] <= least) {
			add_rest(flame, i);
			continue;
		}
		ra_util_text_clear(&safe);
		ra_page_html_shorten(&safe, node->name, NAME_WIDTH);
		ra_util_text_format(json, flame->count == 0 ? "[\"" : ",\n[\"");
		ra_util_text_put_name(json,
		                      (struct rlog_string){ safe.bytes, (uint32_t) safe.length, 0 },
		                      RA_TEXT_JSON);
		ra_util_text_format(json, "\",");
		put_parent(json, node->parent == RA_NONE ? RA_NONE : flame->place[node->parent]);
		ra_util_text_format(json, ",%llu,%lld,%lld]", (unsigned long long) node->calls,
		                    (long long) node->cpu_ns, (long long) node->gpu_ns);
		flame->place[i] = flame->count++;
	}
	ra_util_text_free(&safe);
	for (size_t i = 0; i < flame->more_count; i++) {
		const struct more *more = &flame->mores[i];

		ra_util_text_format(json, "%s[\"(%llu more)\",", flame->count + i == 0 ? "" : ",\n",
		                    (unsigned long long) more->nodes);
		put_parent(json, more->parent);
		ra_util_text_format(json, ",0,%lld,%lld]", (long long) more->cpu_ns,
		                    (long long) more->gpu_ns);
	}
}

static void put_flame(const struct ra_stacks *stacks, struct ra_util_text *json)
{
	const size_t count = stacks->count;
	struct flame flame = {
		.stacks = stacks,
		.sums = ra_alloc_zeros(count + 1, sizeof(*flame.sums)),
		.place = ra_alloc_bytes((count + 1) * sizeof(*flame.place)),
		.rest = ra_alloc_bytes((count + 1) * sizeof(*flame.rest)),
		.mores = ra_alloc_zeros(count + 1, sizeof(*flame.mores)),
	};

	for (size_t i = 0; i <= count; i++) {
		flame.place[i] = RA_NONE;
		flame.rest[i] = RA_NONE;
	}
	sum_up(&flame);
	put_nodes(&flame, find_least(&flame), json);
	free(flame.sums);
	free(flame.place);
	free(flame.rest);
	free(flame.mores);
}

void ra_page_flame_put(struct ra_page *page, struct ra_util_text *json)
{
	const struct ra_out_options *options = page->options;
	struct ra_stacks stacks;

	ra_stacks_init(&stacks,
	               options->select != NULL ? &options->select->things : page->input.model,
	               &options->names);
	ra_util_text_put_char(json, '[');
	put_flame(&stacks, json);
	ra_util_text_put_char(json, ']');
	ra_stacks_fini(&stacks);
}
