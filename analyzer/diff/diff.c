/* SPDX-License-Identifier: MIT */
/* Finds what differs between two sets of inputs. */
#include "analyzer/diff/diff.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/base/util.h"
#include "analyzer/diff/diff-evidence.h"
#include "analyzer/diff/diff-order.h"

void ra_diff_fini(struct ra_diff *diff)
{
	free(diff->rows);
	free(diff->figures);
	ra_sum_texts_fini(&diff->texts);
	ra_util_map_free(&diff->by_key);
	memset(diff, 0, sizeof(*diff));
}

static bool has_row_key(const struct ra_diff *diff, size_t index, const struct ra_sum_row *key,
                        const uint32_t ids[2])
{
	const struct ra_diff_row *row = &diff->rows[index];

	return row->table == key->table && row->kind == key->kind &&
	       ra_util_string_is_same(row->domain, diff->texts.rows[ids[0]]) &&
	       ra_util_string_is_same(row->name, diff->texts.rows[ids[1]]);
}

/* Finds the row of a key. @word: gets the key in by_key of the row, or of a new row. */
static uint32_t find_index(struct ra_diff *diff, const struct ra_sum_row *key,
                           const uint32_t ids[2], uint64_t *word)
{
	uint32_t index;

	*word = ((uint64_t) key->table << 61) ^ ((uint64_t) key->kind << 56) ^
	        ((uint64_t) ids[0] << 34) ^ ids[1];
	for (;; ++*word) {
		index = ra_util_map_find(&diff->by_key, *word);
		if (index == RA_UTIL_MAP_NONE || has_row_key(diff, index, key, ids)) {
			return index;
		}
	}
}

static struct ra_diff_row *find_row(struct ra_diff *diff, const struct ra_sum_row *key,
                                    const uint32_t ids[2])
{
	uint64_t word;
	const uint32_t index = find_index(diff, key, ids, &word);

	if (index != RA_UTIL_MAP_NONE) {
		return &diff->rows[index];
	}
	ra_util_map_put(&diff->by_key, word, (uint32_t) diff->count);
	RA_UTIL_APPEND(diff->rows, diff->count, diff->capacity,
	               (struct ra_diff_row){ .table = key->table,
	                                     .kind = key->kind,
	                                     .domain = diff->texts.rows[ids[0]],
	                                     .name = diff->texts.rows[ids[1]] });
	return &diff->rows[diff->count - 1];
}

size_t ra_diff_find_row(struct ra_diff *diff, const struct ra_sum_set *set,
                        const struct ra_sum_row *row)
{
	uint32_t ids[2];
	uint64_t word;
	uint32_t index;

	if (row->table >= RA_SUM_TIMES) {
		return diff->count;
	}
	ra_sum_texts_find(&diff->texts, set->texts.rows[row->domain], &ids[0]);
	ra_sum_texts_find(&diff->texts, set->texts.rows[row->name], &ids[1]);
	index = find_index(diff, row, ids, &word);
	return index == RA_UTIL_MAP_NONE ? diff->count : index;
}

/* True of PyTorch's steps, whose names contain their number. They get no rows, because there is a
 * table of steps. */
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

static void add_rows(struct ra_diff *diff, int side)
{
	const struct ra_sum_set *set = diff->sets[side];
	const int64_t units = (int64_t) diff->units[side];

	for (size_t i = 0; i < set->total_count; i++) {
		const struct ra_sum_row *from = &set->totals[i].row;
		struct ra_diff_row *row;
		uint32_t ids[2];

		if (from->table >= RA_SUM_TIMES) {
			continue; /* it is no time: see diff-energy.c */
		}
		if (from->table == RA_SUM_RANGES && is_step(set->texts.rows[from->name])) {
			continue;
		}
		ra_sum_texts_find(&diff->texts, set->texts.rows[from->domain], &ids[0]);
		ra_sum_texts_find(&diff->texts, set->texts.rows[from->name], &ids[1]);
		row = find_row(diff, from, ids);
		row->calls[side] = from->stat.count;
		row->total_ns[side] = from->total_ns / units;
		row->self_ns[side] = from->self_ns / units;
		row->gpu_ns[side] = from->gpu_total_ns / units;
		row->stats[side] = &from->stat;
	}
}

static struct ra_diff_times get_times(const struct ra_diff *diff, const struct ra_diff_row *row)
{
	return (struct ra_diff_times){
		.time_ns = { row->total_ns[0], row->total_ns[1] },
		.calls = { row->calls[0], row->calls[1] },
		.units = { diff->units[0], diff->units[1] },
		.stats = { row->stats[0], row->stats[1] },
		.is_repeated = row->table == RA_SUM_RANGES &&
		               (!diff->has_steps || (row->calls[0] <= diff->units[0] &&
		                                     row->calls[1] <= diff->units[1])),
	};
}

bool ra_diff_has_other_calls(const struct ra_diff *diff, const struct ra_diff_row *row,
                             double percent)
{
	const struct ra_diff_times times = get_times(diff, row);

	return ra_diff_noise_has_other_calls(&times, percent);
}

/* Returns how unevenly the rows' quantiles changed: the mean over rows, weighted by time. */
static double find_noise(const struct ra_diff *diff)
{
	double sum = 0;
	double weights = 0;

	for (size_t i = 0; i < diff->count; i++) {
		const struct ra_diff_times times = get_times(diff, &diff->rows[i]);
		struct ra_diff_move move;

		if (times.calls[0] >= RA_DIFF_FEW && times.calls[1] >= RA_DIFF_FEW) {
			const double weight = (double) times.time_ns[0];

			ra_diff_find_move(&move, &times);
			sum += weight * (move.most - move.least);
			weights += weight;
		}
	}
	return weights > 0 ? sum / weights : 0;
}

static void judge_row(const struct ra_diff *diff, struct ra_diff_row *row,
                      const struct ra_diff_limits *limits, const struct ra_diff_run_facts *run)
{
	const struct ra_diff_times times = get_times(diff, row);

	if (row->stats[0] == NULL) {
		row->verdict = RA_DIFF_NEW;
	} else if (row->stats[1] == NULL) {
		row->verdict = RA_DIFF_GONE;
	} else {
		row->verdict = ra_diff_judge(&times, limits, run);
	}
}

/* Judges a part of the steps. It is new or gone if every step of one side has it and no step of the
 * other does. If some steps of the side that has it lack it, it may be missing by chance. */
static enum ra_diff_verdict judge_part(const struct ra_diff_times *times,
                                       const struct ra_diff_limits *limits,
                                       const struct ra_diff_run_facts *run)
{
	const struct ra_sum_stat *const *stats = times->stats;

	if (stats[0]->min_ns > 0 && stats[1]->sum_ns == 0) {
		return RA_DIFF_GONE;
	}
	if (stats[1]->min_ns > 0 && stats[0]->sum_ns == 0) {
		return RA_DIFF_NEW;
	}
	return ra_diff_judge(times, limits, run);
}

/* Fills the parts. Their means are differences of rounded running sums. So each is within 1 ns of
 * the true mean, and together they add up to the mean of the total. */
static void fill_roles(struct ra_diff *diff, const struct ra_diff_limits *limits,
                       const struct ra_diff_run_facts *run)
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
		struct ra_diff_role *row = &diff->roles[role];
		const struct ra_diff_times times = {
			.time_ns = { row->mean_ns[0], row->mean_ns[1] },
			.units = { diff->units[0], diff->units[1] },
			.calls = { diff->units[0], diff->units[1] },
			.stats = { &diff->sets[0]->roles[role], &diff->sets[1]->roles[role] },
			.is_repeated = true,
		};

		row->verdict = judge_part(&times, limits, run);
	}
}

static bool has_steps(const struct ra_sum_set *set)
{
	bool has = set->source_count > 0;

	for (size_t i = 0; i < set->source_count; i++) {
		has = has && !set->sources[i].is_whole && set->sources[i].steps.count > 0;
	}
	return has;
}

void ra_diff_init(struct ra_diff *diff, const struct ra_diff_side *before,
                  const struct ra_diff_side *after, const struct ra_diff_options *options)
{
	const struct ra_diff_limits *limits = &options->limits;
	struct ra_diff_run_facts run;

	memset(diff, 0, sizeof(*diff));
	diff->sides[0] = before;
	diff->sides[1] = after;
	diff->sets[0] = &before->set;
	diff->sets[1] = &after->set;
	diff->by = options->by;
	diff->limits = options->limits;
	diff->has_steps = has_steps(&before->set) && has_steps(&after->set);
	for (int side = 0; side < 2; side++) {
		const struct ra_sum_set *set = diff->sets[side];

		diff->units[side] = diff->has_steps         ? set->roles[RA_ROLE_TOTAL].count
		                    : set->source_count > 0 ? set->source_count
		                                            : 1;
		diff->incomplete[side] = ra_sum_set_count_incomplete(set);
		add_rows(diff, side);
	}
	run = (struct ra_diff_run_facts){ diff->count + RA_ROLES, find_noise(diff) };
	for (size_t i = 0; i < diff->count; i++) {
		judge_row(diff, &diff->rows[i], limits, &run);
	}
	run.rows = RA_ROLES; /* the parts are judged separately, so that more rows don't make their
	                        verdicts harder */
	if (diff->by == RA_COUNT_NONE) {
		fill_roles(diff, limits, &run);
	}
	if (before->run_count + after->run_count > 2) {
		ra_diff_evidence_of_runs(diff, options);
	} else {
		ra_diff_evidence_of_calls(diff, options);
	}
	ra_diff_order_rows(diff->rows, diff->count);
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
		struct ra_diff_role *row = &diff->roles[role];

		if (row->verdict != other->roles[role].verdict && row->verdict != RA_DIFF_NEW &&
		    row->verdict != RA_DIFF_GONE) {
			row->verdict = RA_DIFF_SAME;
		}
	}
	for (size_t i = 0; i < RA_DIFF_MACHINES; i++) {
		if (diff->drifts[i].verdict != other->drifts[i].verdict) {
			diff->drifts[i].verdict = RA_DIFF_UNSURE;
		}
	}
	ra_diff_order_rows(diff->rows, diff->count);
}

/* Finds the row of another comparison that has the same key. */
static const struct ra_diff_row *find_same(const struct ra_diff *diff,
                                           const struct ra_diff_row *row)
{
	for (size_t i = 0; i < diff->count; i++) {
		if (ra_diff_order_compare_keys(&diff->rows[i], row) == 0) {
			return &diff->rows[i];
		}
	}
	return NULL;
}

static bool is_unsure_range(const struct ra_diff_row *row)
{
	return row->table == RA_SUM_RANGES && row->verdict == RA_DIFF_UNSURE;
}

bool ra_diff_has_unsure_range(const struct ra_diff *diff)
{
	size_t i = 0;

	while (i < diff->count && !is_unsure_range(&diff->rows[i])) {
		i++;
	}
	return i < diff->count;
}

void ra_diff_take_counts(struct ra_diff *diff, const struct ra_diff *counts,
                         const struct ra_diff_limits *limits)
{
	for (size_t i = 0; i < diff->count; i++) {
		struct ra_diff_row *row = &diff->rows[i];
		const struct ra_diff_row *like =
			is_unsure_range(row) ? find_same(counts, row) : NULL;
		struct ra_diff_evidence evidence;
		enum ra_diff_verdict verdict;

		if (like == NULL || !like->evidence.has) {
			continue;
		}
		evidence = like->evidence;
		verdict = ra_diff_verdict_judge(&evidence, row->total_ns[0], limits);
		if (ra_diff_verdict_is_call(verdict)) {
			row->verdict = verdict;
			row->evidence = evidence;
			row->evidence.method = RA_DIFF_BY_COUNTS;
			row->figures = NULL; /* the figures are times */
		}
	}
	ra_diff_order_rows(diff->rows, diff->count);
}

bool ra_diff_is_partial(const struct ra_diff *diff)
{
	return diff->incomplete[0] + diff->incomplete[1] > 0;
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

bool ra_diff_has_sure(const struct ra_diff *diff)
{
	size_t i = 0;

	while (i < diff->count && !ra_diff_order_is_sure(&diff->rows[i])) {
		i++;
	}
	return i < diff->count;
}

bool ra_diff_is_slower(const struct ra_diff *diff)
{
	bool is_slower = ra_diff_count_slower(diff) > 0;

	for (size_t i = 0; i < RA_DIFF_MACHINES; i++) {
		is_slower = is_slower || diff->drifts[i].verdict == RA_DIFF_SLOWER;
	}
	return is_slower;
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
