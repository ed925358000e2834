/* SPDX-License-Identifier: MIT */
/* Finds the causes of a step's change. They exclude each other, so that they add up to the
 * change. */
#include "analyzer/diff/causes/diff-causes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/names/op-kinds.h"
#include "format/options/numbers.h"

static int compare_costs(const void *left, const void *right)
{
	const struct ra_diff_cost *a = left;
	const struct ra_diff_cost *b = right;
	int order = RA_ORDER_UP(a, b, role);

	order = RA_ORDER_THEN(order, ra_util_string_compare(a->path, b->path));
	return RA_ORDER_THEN(order, ra_util_string_compare(a->item, b->item));
}

static void keep_longest(struct ra_diff_longest *to, const struct ra_diff_longest *from)
{
	if (from->in_ns > to->in_ns) {
		*to = *from;
	}
}

static void add_cost(struct ra_diff_cost *to, const struct ra_diff_cost *from)
{
	for (size_t side = 0; side < 2; side++) {
		to->time_ns[side] = ra_util_add_time(to->time_ns[side], from->time_ns[side]);
		to->fill_ns[side] = ra_util_add_time(to->fill_ns[side], from->fill_ns[side]);
		to->total_ns[side] = ra_util_add_time(to->total_ns[side], from->total_ns[side]);
		to->calls[side] = ra_util_add(to->calls[side], from->calls[side]);
		keep_longest(&to->longest[side], &from->longest[side]);
	}
}

/* True if a side's first step is the longest because it fills the GPU's queue. */
static bool has_fill(const struct ra_diff *diff)
{
	bool has = false;

	for (size_t side = 0; side < 2 && diff->has_steps; side++) {
		const struct ra_batch_series *series = &diff->sides[side]->series;

		for (size_t i = 0; i < series->count; i++) {
			has = has || series->rows[i].is_fill_longest;
		}
	}
	return has;
}

/* Returns the time by which the first steps of a side are longer because they fill the GPU's
 * queue. */
static int64_t sum_fill(const struct ra_diff_side *side)
{
	int64_t sum_ns = 0;

	for (size_t i = 0; i < side->series.count; i++) {
		sum_ns = ra_util_add_time(sum_ns, side->series.rows[i].fill_ns);
	}
	return sum_ns;
}

static void collect(struct ra_diff_costs *costs, const struct ra_diff *diff, size_t side)
{
	const struct ra_sum_set *set = diff->sets[side];

	for (size_t i = 0; i < set->total_count; i++) {
		const struct ra_sum_row *row = &set->totals[i].row;
		struct ra_diff_cost cost = { .role = row->kind };

		if (row->table != RA_SUM_CAUSES || row->kind >= RA_ROLE_OTHER) {
			continue;
		}
		cost.item = set->texts.rows[row->domain];
		cost.path = set->texts.rows[row->name];
		cost.time_ns[side] = row->self_ns;
		cost.fill_ns[side] = row->gpu_self_ns;
		cost.total_ns[side] = row->total_ns;
		cost.calls[side] = row->stat.count;
		cost.longest[side] =
			(struct ra_diff_longest){ row->gpu_total_ns, (int64_t) row->bytes,
			                          (int64_t) row->errors };
		if (cost.item.length == 0) {
			cost.longest[side].dur_ns = (int64_t) row->bytes;
		}
		RA_UTIL_APPEND(costs->rows, costs->count, costs->capacity, cost);
	}
}

/* True if no input of either side is a summary, because summaries have no costs. */
static bool has_all(const struct ra_diff *diff)
{
	bool has = diff->by == RA_COUNT_NONE;

	for (size_t side = 0; side < 2; side++) {
		has = has && diff->sides[side]->series.count >= diff->sets[side]->source_count;
	}
	return has;
}

void ra_diff_costs_init(struct ra_diff_costs *costs, const struct ra_diff *diff)
{
	size_t kept = 0;

	*costs = (struct ra_diff_costs){ .has = has_all(diff) };
	if (!costs->has) {
		return;
	}
	collect(costs, diff, 0);
	collect(costs, diff, 1);
	RA_SORT(costs->rows, costs->count, compare_costs);
	for (size_t i = 0; i < costs->count; i++) {
		if (kept > 0 && compare_costs(&costs->rows[kept - 1], &costs->rows[i]) == 0) {
			add_cost(&costs->rows[kept - 1], &costs->rows[i]);
		} else {
			costs->rows[kept++] = costs->rows[i];
		}
	}
	costs->count = kept;
}

void ra_diff_costs_fini(struct ra_diff_costs *costs)
{
	free(costs->rows);
	memset(costs, 0, sizeof(*costs));
}

void ra_diff_causes_fini(struct ra_diff_causes *causes)
{
	free(causes->rows);
	free(causes->names);
	memset(causes, 0, sizeof(*causes));
}

struct rlog_string ra_diff_causes_last(struct rlog_string path, struct rlog_string *around)
{
	size_t start = path.length;

	while (start > 0 && path.bytes[start - 1] != RA_SUM_BETWEEN) {
		start--;
	}
	*around = (struct rlog_string){ path.bytes, start > 0 ? (uint32_t) start - 1 : 0, 0 };
	return (struct rlog_string){ path.bytes + start, path.length - (uint32_t) start, 0 };
}

/* The costs of one cause at one path, per unit. */
struct part {
	struct ra_diff_cause cause;
	int sign;
};

struct parts {
	struct part *rows; /* owned */
	size_t count;
	size_t capacity;
};

/* True if a cost gets its name from a range. GPU work is named after the range that launched it,
 * not after its kernels. A call has its own name. */
static bool is_of_range(const struct ra_diff_cost *cost)
{
	return cost->item.length == 0 ||
	       (cost->role <= RA_ROLE_COMMUNICATION && cost->path.length > 0);
}

/* Sums the costs of one cause and one path. Return: how many costs. */
static size_t sum_path(const struct ra_diff_costs *costs, size_t first, struct ra_diff_cost *sum)
{
	size_t i = first + 1;

	*sum = costs->rows[first];
	while (is_of_range(sum) && i < costs->count && costs->rows[i].role == sum->role &&
	       ra_util_string_is_same(costs->rows[i].path, sum->path)) {
		add_cost(sum, &costs->rows[i++]);
	}
	return i - first;
}

static void collect_parts(struct parts *parts, const struct ra_diff *diff,
                          const struct ra_diff_costs *costs)
{
	const bool without_fill = has_fill(diff);
	struct ra_diff_cost sum;

	for (size_t i = 0; i < costs->count;) {
		struct part part = { .cause = { .places = 1 } };

		i += sum_path(costs, i, &sum);
		part.cause.role = sum.role;
		part.cause.path = sum.path;
		part.cause.name = sum.item;
		part.cause.is_kernel =
			sum.role == RA_ROLE_KERNEL || sum.role == RA_ROLE_COMMUNICATION;
		if (is_of_range(&sum)) {
			part.cause.is_kernel = false;
			part.cause.name = ra_diff_causes_last(sum.path, &part.cause.path);
		}
		for (int side = 0; side < 2; side++) {
			part.cause.longest[side] = sum.longest[side];
			part.cause.time_ns[side] =
				(sum.time_ns[side] - (without_fill ? sum.fill_ns[side] : 0)) /
				(int64_t) diff->units[side];
		}
		if (sum.role == RA_ROLE_CPU_EXEC && sum.time_ns[0] == 0 && sum.time_ns[1] == 0) {
			continue; /* it ran in a DataLoader's range, and that range is the cause */
		}
		part.sign = RA_ORDER(part.cause.time_ns[1], part.cause.time_ns[0]);
		RA_UTIL_APPEND(parts->rows, parts->count, parts->capacity, part);
	}
}

static int compare_parts(const void *left, const void *right)
{
	const struct part *a = left;
	const struct part *b = right;
	int order = RA_ORDER(a->cause.role, b->cause.role);

	order = RA_ORDER_THEN(order, ra_util_string_compare(a->cause.name, b->cause.name));
	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, sign));
	return RA_ORDER_THEN(order, ra_util_string_compare(a->cause.path, b->cause.path));
}

/* Shortens a path to the names with which another path begins, too. */
static struct rlog_string find_common(struct rlog_string a, struct rlog_string b)
{
	size_t same = 0;
	size_t whole = 0;

	for (; same < a.length && same < b.length && a.bytes[same] == b.bytes[same]; same++) {
		whole = a.bytes[same] == RA_SUM_BETWEEN ? same : whole;
	}
	if ((same == a.length || a.bytes[same] == RA_SUM_BETWEEN) &&
	    (same == b.length || b.bytes[same] == RA_SUM_BETWEEN)) {
		whole = same;
	}
	return (struct rlog_string){ a.bytes, (uint32_t) whole, 0 };
}

static bool is_same_cause(const struct part *a, const struct part *b)
{
	return a->cause.role == b->cause.role && a->sign == b->sign &&
	       ra_util_string_is_same(a->cause.name, b->cause.name);
}

static void join(struct ra_diff_cause *to, const struct ra_diff_cause *from)
{
	to->path = find_common(to->path, from->path);
	to->places += from->places;
	to->time_ns[0] = ra_util_add_time(to->time_ns[0], from->time_ns[0]);
	to->time_ns[1] = ra_util_add_time(to->time_ns[1], from->time_ns[1]);
	keep_longest(&to->longest[0], &from->longest[0]);
	keep_longest(&to->longest[1], &from->longest[1]);
}

static void join_parts(struct ra_diff_causes *causes, const struct parts *parts)
{
	for (size_t i = 0; i < parts->count; i++) {
		const struct ra_diff_cause *from = &parts->rows[i].cause;

		if (i == 0 || !is_same_cause(&parts->rows[i - 1], &parts->rows[i])) {
			RA_UTIL_APPEND(causes->rows, causes->count, causes->capacity, *from);
			continue;
		}
		join(&causes->rows[causes->count - 1], from);
	}
}

/* Finds a DataLoader's range that only one side has. Return: parts->count if there is none. */
static size_t find_loader(const struct parts *parts, size_t side)
{
	size_t i = 0;

	while (i < parts->count &&
	       !(parts->rows[i].cause.role == RA_ROLE_DATALOADER &&
	         parts->rows[i].cause.time_ns[side] > 0 &&
	         parts->rows[i].cause.time_ns[1 - side] == 0 &&
	         ra_op_kinds_loader_class(parts->rows[i].cause.name).length > 0)) {
		i++;
	}
	return i;
}

/* Joins a DataLoader's range and the range of another class that it replaces into one cause. */
static void pair_loaders(struct parts *parts)
{
	const size_t gone = find_loader(parts, 0);
	const size_t came = find_loader(parts, 1);
	struct part *to;
	const struct part *from;

	if (gone == parts->count || came == parts->count) {
		return;
	}
	to = &parts->rows[gone];
	from = &parts->rows[came];
	to->cause.new_name = from->cause.name;
	to->cause.path = find_common(to->cause.path, from->cause.path);
	to->cause.time_ns[1] = from->cause.time_ns[1];
	to->cause.longest[1] = from->cause.longest[1];
	to->sign = RA_ORDER(to->cause.time_ns[1], to->cause.time_ns[0]);
	parts->rows[came] = parts->rows[--parts->count];
}

size_t ra_diff_causes_find_call(const struct ra_diff_cause *cause, const struct ra_diff *diff)
{
	const int64_t change_ns = ra_diff_cause_change(cause);
	const size_t side = change_ns > 0 ? 1 : 0;
	const int64_t beyond_ns = cause->longest[side].in_ns - cause->time_ns[1 - side];
	const bool is_known = diff->has_steps && diff->units[side] > 1 &&
	                      diff->sets[side]->source_count == 1 && change_ns != 0;

	return is_known && 2 * (beyond_ns / (int64_t) diff->units[side]) >= llabs(change_ns) ? side
	                                                                                     : 2;
}

static int compare_causes(const void *left, const void *right)
{
	const struct ra_diff_cause *a = left;
	const struct ra_diff_cause *b = right;
	int order = RA_ORDER(llabs(ra_diff_cause_change(b)), llabs(ra_diff_cause_change(a)));

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, role));
	order = RA_ORDER_THEN(order, ra_util_string_compare(a->name, b->name));
	return RA_ORDER_THEN(order, RA_ORDER(ra_diff_cause_change(a), ra_diff_cause_change(b)));
}

/* Adds two causes: the time in which nothing ran, and the time in which first steps fill the queue.
 * @fill_ns: the part of the time while first steps fill the queue in which something ran. */
static void add_others(struct ra_diff_causes *causes, const struct ra_diff *diff,
                       const int64_t fill_ns[2])
{
	struct ra_diff_cause nothing = { .role = RA_ROLE_OTHER, .places = 1 };
	struct ra_diff_cause fill = { .role = RA_ROLE_TOTAL, .places = 1 };
	const bool is_filling = has_fill(diff);

	for (size_t side = 0; side < 2; side++) {
		const int64_t sum_ns = is_filling ? sum_fill(diff->sides[side]) : 0;
		const int64_t units = (int64_t) diff->units[side];

		fill.time_ns[side] = sum_ns / units;
		nothing.time_ns[side] = diff->roles[RA_ROLE_OTHER].mean_ns[side] -
		                        (is_filling ? sum_ns - fill_ns[side] : 0) / units;
	}
	RA_UTIL_APPEND(causes->rows, causes->count, causes->capacity, nothing);
	if (is_filling) {
		RA_UTIL_APPEND(causes->rows, causes->count, causes->capacity, fill);
	}
}

void ra_diff_causes_init(struct ra_diff_causes *causes, const struct ra_diff *diff,
                         const struct ra_diff_costs *costs)
{
	struct parts parts = { 0 };
	int64_t fill_ns[2] = { 0, 0 };

	memset(causes, 0, sizeof(*causes));
	if (!costs->has) {
		return;
	}
	memcpy(causes->whole_ns, diff->roles[RA_ROLE_TOTAL].mean_ns, sizeof(causes->whole_ns));
	collect_parts(&parts, diff, costs);
	pair_loaders(&parts);
	RA_SORT(parts.rows, parts.count, compare_parts);
	join_parts(causes, &parts);
	free(parts.rows);
	for (size_t i = 0; i < costs->count; i++) {
		fill_ns[0] = ra_util_add_time(fill_ns[0], costs->rows[i].fill_ns[0]);
		fill_ns[1] = ra_util_add_time(fill_ns[1], costs->rows[i].fill_ns[1]);
	}
	add_others(causes, diff, fill_ns);
	RA_SORT(causes->rows, causes->count, compare_causes);
}

/* Room for " × ", a number and the NUL after a name. */
#define FOLD_ROOM 24

/* A cause whose name contains numbers. */
struct foldable {
	struct ra_diff_cause *cause;
	char *pattern; /* the name with # for each number, and FOLD_ROOM after it */
	size_t length;
	int way; /* -1 if the time got shorter, 1 if longer */
};

static int compare_foldable(const void *left, const void *right)
{
	const struct foldable *a = left;
	const struct foldable *b = right;
	const struct rlog_string first = { a->pattern, (uint32_t) a->length, 0 };
	const struct rlog_string second = { b->pattern, (uint32_t) b->length, 0 };
	int order = RA_ORDER(a->cause->role, b->cause->role);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, way));
	return RA_ORDER_THEN(order, ra_util_string_compare(first, second));
}

/* Collects the causes that may be joined. Not those of kernels, because numbers in their names are
 * parameters. Return: how many. */
static size_t collect_foldable(const struct ra_diff_causes *causes, struct foldable *rows,
                               char *room)
{
	size_t count = 0;

	for (size_t i = 0; i < causes->count; i++) {
		struct ra_diff_cause *cause = &causes->rows[i];
		size_t length;

		if (cause->role < RA_ROLE_OTHER && cause->role != RA_ROLE_RUNTIME &&
		    !cause->is_kernel && cause->new_name.length == 0 &&
		    rlog_numbers_replace(cause->name.bytes, cause->name.length, room, &length)) {
			rows[count++] =
				(struct foldable){ cause, room, length,
				                   RA_ORDER(cause->time_ns[1], cause->time_ns[0]) };
			room += length + FOLD_ROOM;
		}
	}
	return count;
}

/* Joins the causes of one pattern into the first, and empties the others. */
static void fold(const struct foldable *rows, size_t count)
{
	struct ra_diff_cause *to = rows[0].cause;
	const int more = snprintf(rows[0].pattern + rows[0].length, FOLD_ROOM, " × %zu", count);

	for (size_t i = 1; i < count; i++) {
		join(to, rows[i].cause);
		rows[i].cause->places = 0;
	}
	to->name = (struct rlog_string){ rows[0].pattern,
		                         (uint32_t) (rows[0].length + (size_t) more), 0 };
}

void ra_diff_causes_fold(struct ra_diff_causes *causes)
{
	struct foldable *rows = ra_alloc_zeros(causes->count + 1, sizeof(*rows));
	size_t length = 1;
	size_t count;
	size_t kept = 0;

	for (size_t i = 0; i < causes->count; i++) {
		length += causes->rows[i].name.length + FOLD_ROOM;
	}
	causes->names = ra_alloc_bytes(length);
	count = collect_foldable(causes, rows, causes->names);
	RA_SORT(rows, count, compare_foldable);
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first + 1;
		     end < count && compare_foldable(&rows[first], &rows[end]) == 0; end++) {
		}
		if (end - first > 1) {
			fold(&rows[first], end - first);
		}
	}
	free(rows);
	for (size_t i = 0; i < causes->count; i++) {
		if (causes->rows[i].places > 0) {
			causes->rows[kept++] = causes->rows[i];
		}
	}
	causes->count = kept;
	RA_SORT(causes->rows, causes->count, compare_causes);
}
