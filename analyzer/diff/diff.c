/* SPDX-License-Identifier: MIT */
/* What differs between two sets of inputs. */
#include "analyzer/diff/diff.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"

/* So many of the pairs of durations must agree before a difference is none of noise. */
#define AGREEING 0.8

void ra_diff_fini(struct ra_diff *diff)
{
	free(diff->rows);
	ra_sum_texts_fini(&diff->texts);
	ra_util_map_free(&diff->by_key);
	memset(diff, 0, sizeof(*diff));
}

double ra_diff_exceeds(const struct ra_sum_stat *before, const struct ra_sum_stat *after)
{
	double pairs = 0;
	double below = 0;
	size_t at = 0;

	for (size_t i = 0; i < after->bucket_count; i++) {
		const struct ra_sum_stat_bucket *bucket = &after->buckets[i];
		double equal = 0;

		while (at < before->bucket_count && before->buckets[at].bucket < bucket->bucket) {
			below += (double) before->buckets[at++].count;
		}
		if (at < before->bucket_count && before->buckets[at].bucket == bucket->bucket) {
			equal = (double) before->buckets[at].count;
		}
		pairs += (double) bucket->count * (below + equal / 2);
	}
	return before->count == 0 || after->count == 0
	               ? 0.5
	               : pairs / ((double) before->count * (double) after->count);
}

static bool is_beyond(int64_t before_ns, int64_t after_ns, const struct ra_diff_limits *limits)
{
	const int64_t change_ns =
		after_ns > before_ns ? after_ns - before_ns : before_ns - after_ns;

	return change_ns > limits->time_ns &&
	       (double) change_ns * 100 > limits->percent * (double) before_ns;
}

/*
 * Times beyond the limits are judged by the durations they are made of: nothing is slower unless
 * most of the later durations are longer than most of the earlier ones. Where there are more or
 * fewer calls, that is the difference, whatever their durations.
 */
static enum ra_diff_verdict judge(const int64_t time_ns[2],
                                  const struct ra_sum_stat *const stats[2], bool has_same_calls,
                                  const struct ra_diff_limits *limits)
{
	const bool is_slower = time_ns[1] > time_ns[0];
	double exceeds;

	if (!is_beyond(time_ns[0], time_ns[1], limits)) {
		return RA_DIFF_SAME;
	}
	if (!has_same_calls) {
		return is_slower ? RA_DIFF_SLOWER : RA_DIFF_FASTER;
	}
	if (stats[0]->count < RA_DIFF_FEW || stats[1]->count < RA_DIFF_FEW) {
		return RA_DIFF_UNSURE;
	}
	exceeds = ra_diff_exceeds(stats[0], stats[1]);
	if (is_slower) {
		return exceeds >= AGREEING ? RA_DIFF_SLOWER : RA_DIFF_SAME;
	}
	return exceeds <= 1 - AGREEING ? RA_DIFF_FASTER : RA_DIFF_SAME;
}

static bool has_row_key(const struct ra_diff *diff, size_t index, const struct ra_sum_row *key,
                        const uint32_t ids[2])
{
	const struct ra_diff_row *row = &diff->rows[index];

	return row->table == key->table && row->kind == key->kind &&
	       ra_sum_texts_compare(row->domain, diff->texts.rows[ids[0]]) == 0 &&
	       ra_sum_texts_compare(row->name, diff->texts.rows[ids[1]]) == 0;
}

static int find_row(struct ra_diff *diff, const struct ra_sum_row *key, const uint32_t ids[2],
                    struct ra_diff_row **row)
{
	uint64_t word = ((uint64_t) key->table << 61) ^ ((uint64_t) key->kind << 56) ^
	                ((uint64_t) ids[0] << 34) ^ ids[1];
	uint32_t index;

	for (;; word++) {
		index = ra_util_map_find(&diff->by_key, word);
		if (index == RA_UTIL_MAP_NONE) {
			break;
		}
		*row = &diff->rows[index];
		if (has_row_key(diff, index, key, ids)) {
			return 0;
		}
	}
	if (ra_util_grow(&diff->rows, &diff->capacity, diff->count + 1, sizeof(*diff->rows)) != 0) {
		return -RLOG_E_NO_MEMORY;
	}
	*row = &diff->rows[diff->count];
	**row = (struct ra_diff_row){ .table = key->table,
		                      .kind = key->kind,
		                      .domain = diff->texts.rows[ids[0]],
		                      .name = diff->texts.rows[ids[1]] };
	return ra_util_map_put(&diff->by_key, word, (uint32_t) diff->count++);
}

/* PyTorch's steps are named by their number: there is a table of steps. */
static bool is_step(struct rlog_string name)
{
	static const char word[] = "ProfilerStep#";
	const size_t length = sizeof(word) - 1;
	bool is = name.length > length && memcmp(name.bytes, word, length) == 0;

	for (size_t i = length; i < name.length && is; i++) {
		is = name.bytes[i] >= '0' && name.bytes[i] <= '9';
	}
	return is;
}

static int add_rows(struct ra_diff *diff, int side)
{
	const struct ra_sum_set *set = diff->sets[side];
	const int64_t units = (int64_t) diff->units[side];
	int rc = 0;

	for (size_t i = 0; i < set->total_count && rc == 0; i++) {
		const struct ra_sum_row *from = &set->totals[i].row;
		struct ra_diff_row *row;
		uint32_t ids[2];

		if (from->table == RA_SUM_RANGES && is_step(set->texts.rows[from->name])) {
			continue;
		}
		rc = ra_sum_texts_find(&diff->texts, set->texts.rows[from->domain], &ids[0]);
		if (rc == 0) {
			rc = ra_sum_texts_find(&diff->texts, set->texts.rows[from->name], &ids[1]);
		}
		if (rc == 0) {
			rc = find_row(diff, from, ids, &row);
		}
		if (rc == 0) {
			row->calls[side] = from->stat.count;
			row->total_ns[side] = from->total_ns / units;
			row->self_ns[side] = from->self_ns / units;
			row->gpu_ns[side] = from->gpu_total_ns / units;
			row->stats[side] = &from->stat;
		}
	}
	return rc;
}

static void judge_row(const struct ra_diff *diff, struct ra_diff_row *row,
                      const struct ra_diff_limits *limits)
{
	/* calls per unit are compared as fractions: a / b = c / d */
	const bool has_same_calls = (ra_sum_u128) row->calls[0] * diff->units[1] ==
	                            (ra_sum_u128) row->calls[1] * diff->units[0];

	if (row->stats[0] == NULL) {
		row->verdict = RA_DIFF_NEW;
	} else if (row->stats[1] == NULL) {
		row->verdict = RA_DIFF_GONE;
	} else {
		row->verdict = judge(row->total_ns, row->stats, has_same_calls, limits);
	}
}

/*
 * Means are differences of rounded running sums: so each is within 1 ns of the true one, and they
 * add up to the mean of the total.
 */
static void fill_roles(struct ra_diff *diff, const struct ra_diff_limits *limits)
{
	for (int side = 0; side < 2; side++) {
		const struct ra_sum_stat *stats = diff->sets[side]->roles;
		const uint64_t steps = diff->units[side];
		uint64_t sum_ns = 0;
		uint64_t before_ns = 0;

		for (size_t role = 0; role < RA_ROLE_TOTAL; role++) {
			sum_ns = ra_util_add(sum_ns, stats[role].sum_ns);
			diff->roles[role].mean_ns[side] = (int64_t) (sum_ns / steps - before_ns);
			before_ns = sum_ns / steps;
		}
		diff->roles[RA_ROLE_TOTAL].mean_ns[side] = (int64_t) before_ns;
	}
	for (size_t role = 0; role < RA_ROLES; role++) {
		const struct ra_sum_stat *const stats[2] = { &diff->sets[0]->roles[role],
			                                     &diff->sets[1]->roles[role] };

		diff->roles[role].verdict = judge(diff->roles[role].mean_ns, stats, true, limits);
	}
}

static int64_t find_change(const struct ra_diff_row *row)
{
	const int64_t change_ns = row->total_ns[1] - row->total_ns[0];

	return change_ns < 0 ? -change_ns : change_ns;
}

static int compare_rows(const void *a, const void *b)
{
	const struct ra_diff_row *left = a;
	const struct ra_diff_row *right = b;
	const int64_t changes[2] = { find_change(left), find_change(right) };
	int order = (changes[0] < changes[1]) - (changes[0] > changes[1]);

	if (order == 0) {
		order = (left->table > right->table) - (left->table < right->table);
	}
	if (order == 0) {
		order = ra_sum_texts_compare(left->name, right->name);
	}
	if (order == 0) {
		order = ra_sum_texts_compare(left->domain, right->domain);
	}
	return order != 0 ? order : (left->kind > right->kind) - (left->kind < right->kind);
}

static bool has_steps(const struct ra_sum_set *set)
{
	bool has = set->source_count > 0;

	for (size_t i = 0; i < set->source_count; i++) {
		has = has && !set->sources[i].is_whole && set->sources[i].steps.count > 0;
	}
	return has;
}

int ra_diff_init(struct ra_diff *diff, const struct ra_sum_set *before,
                 const struct ra_sum_set *after, const struct ra_diff_limits *limits)
{
	int rc = 0;

	memset(diff, 0, sizeof(*diff));
	diff->sets[0] = before;
	diff->sets[1] = after;
	diff->has_steps = has_steps(before) && has_steps(after);
	for (int side = 0; side < 2 && rc == 0; side++) {
		const struct ra_sum_set *set = diff->sets[side];

		diff->units[side] = diff->has_steps         ? set->roles[RA_ROLE_TOTAL].count
		                    : set->source_count > 0 ? set->source_count
		                                            : 1;
		rc = add_rows(diff, side);
	}
	if (rc != 0) {
		return rc;
	}
	for (size_t i = 0; i < diff->count; i++) {
		judge_row(diff, &diff->rows[i], limits);
	}
	fill_roles(diff, limits);
	if (diff->count > 0) {
		qsort(diff->rows, diff->count, sizeof(*diff->rows), compare_rows);
	}
	return 0;
}

static const struct ra_diff_row *find_like(const struct ra_diff *diff,
                                           const struct ra_diff_row *row)
{
	for (size_t i = 0; i < diff->count; i++) {
		if (diff->rows[i].stats[1] == row->stats[1]) {
			return &diff->rows[i];
		}
	}
	return NULL;
}

void ra_diff_relent(struct ra_diff *diff, const struct ra_diff *other)
{
	for (size_t i = 0; i < diff->count; i++) {
		struct ra_diff_row *row = &diff->rows[i];

		if (row->verdict == RA_DIFF_SLOWER || row->verdict == RA_DIFF_FASTER) {
			const struct ra_diff_row *like = find_like(other, row);

			row->verdict = like != NULL && like->verdict == row->verdict ? row->verdict
			                                                             : RA_DIFF_SAME;
		}
	}
	for (size_t role = 0; role < RA_ROLES; role++) {
		if (diff->roles[role].verdict != other->roles[role].verdict) {
			diff->roles[role].verdict = RA_DIFF_SAME;
		}
	}
}

size_t ra_diff_count_slower(const struct ra_diff *diff)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->count; i++) {
		count += diff->rows[i].verdict == RA_DIFF_SLOWER;
	}
	for (size_t role = 0; role < RA_ROLES; role++) {
		count += diff->roles[role].verdict == RA_DIFF_SLOWER;
	}
	return count;
}

size_t ra_diff_count_changed(const struct ra_diff *diff)
{
	size_t count = 0;

	for (size_t i = 0; i < diff->count; i++) {
		const struct ra_diff_row *row = &diff->rows[i];

		count += row->stats[0] == NULL || row->stats[1] == NULL ||
		         row->total_ns[0] != row->total_ns[1] ||
		         row->self_ns[0] != row->self_ns[1] || row->gpu_ns[0] != row->gpu_ns[1] ||
		         (ra_sum_u128) row->calls[0] * diff->units[1] !=
		                 (ra_sum_u128) row->calls[1] * diff->units[0];
	}
	return count;
}
