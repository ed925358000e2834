/* SPDX-License-Identifier: MIT */
/* Compares two traces as the TensorBoard plugin does: joins their operators into one tree of
 * matches. */
#include "analyzer/diff/compat/diff-tb.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/summary-file/sum-texts.h"
#include "format/error.h"

#define NONE RA_KINETO_NONE

/* For each kind and name of node, its places in the second list, in order. */
struct places {
	struct ra_sum_texts texts;
	struct ra_util_map first; /* class and text of a node → its first place in the list */
	size_t *next;             /* owned; for each place, the next place of the same kind and
	                             name; SIZE_MAX: none */
	size_t capacity;
};

/* A match: a place in each of the lists. */
struct match {
	size_t at[2];
};

struct matches {
	struct match *rows; /* owned */
	size_t count;
	size_t capacity;
	struct places places;
};

void ra_diff_tb_fini(struct ra_diff_tb *diff)
{
	free(diff->sides[0].list);
	free(diff->sides[1].list);
	free(diff->rows);
	*diff = (struct ra_diff_tb){ 0 };
}

static void append(struct ra_diff_tb_side *side, uint32_t node)
{
	RA_UTIL_APPEND(side->list, side->count, side->capacity, node);
}

/* Appends the children of a node. */
static void append_children(struct ra_diff_tb_side *side, uint32_t node)
{
	for (uint32_t child = side->nodes->nodes[node].first_child; child != NONE;
	     child = side->nodes->nodes[child].next) {
		append(side, child);
	}
}

/* Appends the nodes below the steps of a thread or, if it has no steps, below its root. */
static void append_top(struct ra_diff_tb_side *side, uint32_t root)
{
	const struct ra_tb_node *nodes = side->nodes->nodes;
	bool has_steps = false;

	for (uint32_t child = nodes[root].first_child; child != NONE; child = nodes[child].next) {
		if (nodes[child].class == RA_TB_CLASS_STEP) {
			has_steps = true;
			append_children(side, child);
		}
	}
	if (!has_steps) {
		append_children(side, root);
	}
}

static bool can_match(const struct ra_tb_node *node)
{
	return node->class == RA_TB_CLASS_STEP || node->class == RA_TB_CLASS_MODULE ||
	       node->class == RA_TB_CLASS_LOADER || node->class == RA_TB_CLASS_OPTIMIZER ||
	       node->class == RA_TB_CLASS_BACKWARD;
}

static const struct ra_tb_node *get_node(const struct ra_diff_tb_side *side,
                                         const struct ra_diff_tb_part *part, size_t at)
{
	return &side->nodes->nodes[side->list[part->first + at]];
}

static uint64_t find_key(struct places *places, const struct ra_diff_tb_side *side,
                         const struct ra_tb_node *node)
{
	uint32_t id;

	ra_sum_texts_find(&places->texts, ra_kineto_string(side->nodes->events->kineto, node->name),
	                  &id);
	return (uint64_t) node->class << 32 | id;
}

/* Indexes the places of the second side. It begins with the last, so that each place gets the next
 * one. */
static void index_places(struct places *places, const struct ra_diff_tb_side *side,
                         const struct ra_diff_tb_part *part)
{
	ra_util_grow(&places->next, &places->capacity, part->count + 1, sizeof(*places->next));
	for (size_t at = part->count; at-- > 0;) {
		const struct ra_tb_node *node = get_node(side, part, at);
		uint32_t next;
		uint64_t key;

		if (!can_match(node)) {
			continue;
		}
		key = find_key(places, side, node);
		next = ra_util_map_find(&places->first, key);
		places->next[at] = next == RA_UTIL_MAP_NONE ? SIZE_MAX : next;
		ra_util_map_put(&places->first, key, (uint32_t) at);
	}
}

/* Matches each node of the first list with the next place of its kind and name after the previous
 * match. */
static void follow(struct matches *matches, const struct ra_diff_tb_side *side,
                   const struct ra_diff_tb_part *part)
{
	struct places *places = &matches->places;
	size_t from = 0;

	for (size_t at = 0; at < part->count; at++) {
		const struct ra_tb_node *node = get_node(side, part, at);
		uint32_t first;
		uint64_t key;
		size_t place;

		if (!can_match(node)) {
			continue;
		}
		key = find_key(places, side, node);
		first = ra_util_map_find(&places->first, key);
		place = first == RA_UTIL_MAP_NONE ? SIZE_MAX : first;
		while (place < from) {
			place = places->next[place];
		}
		if (place == SIZE_MAX) {
			ra_util_map_remove(&places->first, key);
			continue;
		}
		ra_util_map_put(&places->first, key, (uint32_t) place);
		RA_UTIL_APPEND(matches->rows, matches->count, matches->capacity,
		               (struct match){ { at, place } });
		from = place + 1;
	}
}

static void sum_part(const struct ra_diff_tb_side *side, struct ra_diff_tb_part *part)
{
	for (size_t at = 0; at < part->count; at++) {
		const struct ra_tb_node *node = get_node(side, part, at);
		const double host = node->end - node->start;

		part->host += host;
		part->device += node->device_time;
		part->total += node->device_time != 0 ? node->device_time : host;
	}
}

/* Adds a row for one stretch of nodes of each side, unless both are empty. */
static void add_row(struct ra_diff_tb *diff, size_t parent, struct ra_diff_tb_part left,
                    struct ra_diff_tb_part right)
{
	struct ra_diff_tb_row *row;

	if (left.count == 0 && right.count == 0 && diff->count > 0) {
		return;
	}
	ra_util_grow(&diff->rows, &diff->capacity, diff->count + 1, sizeof(*diff->rows));
	sum_part(&diff->sides[0], &left);
	sum_part(&diff->sides[1], &right);
	row = &diff->rows[diff->count++];
	*row = (struct ra_diff_tb_row){ .parent = parent, .parts = { left, right } };
	diff->rows[parent].child_count += diff->count > 1;
}

static struct ra_diff_tb_part cut(const struct ra_diff_tb_part *from, size_t begin, size_t end)
{
	return (struct ra_diff_tb_part){ .first = from->first + begin, .count = end - begin };
}

/* Adds the matches and the stretches between them as children of a row. */
static void add_rows(struct ra_diff_tb *diff, size_t parent, const struct ra_diff_tb_part parts[2],
                     const struct matches *matches)
{
	size_t from[2] = { 0, 0 };

	for (size_t i = 0; i < matches->count; i++) {
		const size_t *at = matches->rows[i].at;

		add_row(diff, parent, cut(&parts[0], from[0], at[0]),
		        cut(&parts[1], from[1], at[1]));
		add_row(diff, parent, cut(&parts[0], at[0], at[0] + 1),
		        cut(&parts[1], at[1], at[1] + 1));
		from[0] = at[0] + 1;
		from[1] = at[1] + 1;
	}
	if (matches->count > 0) {
		add_row(diff, parent, cut(&parts[0], from[0], parts[0].count),
		        cut(&parts[1], from[1], parts[1].count));
	}
}

/* Fills the lists whose nodes are matched below a row. If the row has one node on each side, these
 * are their children. If it has several on each side, these are the nodes themselves. */
static void list_below(struct ra_diff_tb *diff, size_t row, struct ra_diff_tb_part parts[2])
{
	const size_t counts[2] = { diff->rows[row].parts[0].count, diff->rows[row].parts[1].count };
	const bool are_single = counts[0] == 1 && counts[1] == 1;

	for (int i = 0; i < 2; i++) {
		struct ra_diff_tb_side *side = &diff->sides[i];

		parts[i] = cut(&diff->rows[row].parts[i], 0,
		               counts[0] > 1 && counts[1] > 1 ? counts[i] : 0);
		if (are_single) {
			parts[i].first = side->count;
			append_children(side, side->list[diff->rows[row].parts[i].first]);
			parts[i].count = side->count - parts[i].first;
		}
	}
}

static void divide_row(struct ra_diff_tb *diff, size_t row, struct matches *matches)
{
	struct ra_diff_tb_part parts[2];

	list_below(diff, row, parts);
	matches->count = 0;
	if (parts[0].count > 0 && parts[1].count > 0) {
		index_places(&matches->places, &diff->sides[1], &parts[1]);
		follow(matches, &diff->sides[0], &parts[0]);
	}
	ra_util_map_free(&matches->places.first);
	diff->rows[row].first_child = diff->count;
	add_rows(diff, row, parts, matches);
}

/* Finds the root of the first remaining thread, or NONE. */
static uint32_t find_root(const struct ra_tb_nodes *nodes)
{
	for (size_t i = 0; i < nodes->tree_count; i++) {
		if (!nodes->trees[i].is_dropped) {
			return nodes->trees[i].root;
		}
	}
	return NONE;
}

/* True if the charts show a row. Only the baseline's side is looked at. */
static bool is_drawn(const struct ra_diff_tb *diff, size_t row)
{
	const struct ra_tb_node *node = ra_diff_tb_node(diff, row, 0);
	struct rlog_string name;

	if (node == NULL) {
		return diff->rows[row].parts[0].count == 0;
	}
	name = ra_kineto_string(diff->sides[0].nodes->events->kineto, node->name);
	return name.length < 6 || memcmp(name.bytes, "aten::", 6) != 0;
}

/* Computes the running sums of the totals of siblings. */
static void accumulate(struct ra_diff_tb *diff)
{
	double sums[2] = { 0, 0 };
	double sum_of_changes = 0;

	for (size_t i = 1; i < diff->count; i++) {
		struct ra_diff_tb_row *row = &diff->rows[i];

		if (i == diff->rows[row->parent].first_child) {
			sums[0] = 0;
			sums[1] = 0;
			sum_of_changes = 0;
		}
		row->is_drawn = is_drawn(diff, i);
		if (row->is_drawn) {
			sums[0] += row->parts[0].total;
			sums[1] += row->parts[1].total;
			sum_of_changes += row->parts[1].total - row->parts[0].total;
		}
		row->sums[0] = sums[0];
		row->sums[1] = sums[1];
		row->sum_of_changes = sum_of_changes;
	}
}

int ra_diff_tb_init(struct ra_diff_tb *diff, const struct ra_tb_nodes *baseline,
                    const struct ra_tb_nodes *experiment)
{
	const struct ra_tb_nodes *const both[2] = { baseline, experiment };
	struct ra_diff_tb_part parts[2] = { 0 };
	struct matches matches = { 0 };
	int rc = 0;

	*diff = (struct ra_diff_tb){ 0 };
	for (int i = 0; i < 2 && rc == 0; i++) {
		const uint32_t root = find_root(both[i]);

		diff->sides[i].nodes = both[i];
		if (root != NONE) {
			append_top(&diff->sides[i], root);
		} else {
			rc = -RLOG_E_ARGUMENT;
		}
		parts[i].count = diff->sides[i].count;
	}
	if (rc == 0) {
		add_row(diff, 0, parts[0], parts[1]);
	}
	for (size_t row = 0; row < diff->count; row++) {
		divide_row(diff, row, &matches);
	}
	accumulate(diff);
	ra_sum_texts_fini(&matches.places.texts);
	free(matches.places.next);
	free(matches.rows);
	return rc;
}

size_t ra_diff_tb_next(const struct ra_diff_tb *diff, size_t row)
{
	if (diff->rows[row].child_count > 0) {
		return diff->rows[row].first_child;
	}
	while (row != 0) {
		const struct ra_diff_tb_row *parent = &diff->rows[diff->rows[row].parent];

		if (row + 1 < parent->first_child + parent->child_count) {
			return row + 1;
		}
		row = diff->rows[row].parent;
	}
	return diff->count;
}

const struct ra_tb_node *ra_diff_tb_node(const struct ra_diff_tb *diff, size_t row, int side)
{
	const struct ra_diff_tb_part *part = &diff->rows[row].parts[side];

	return part->count == 1 ? get_node(&diff->sides[side], part, 0) : NULL;
}
