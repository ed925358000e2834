/* SPDX-License-Identifier: MIT */
/* Names rows whose time changed while their part of a step did not, or changed in the other
 * direction. */
#include "analyzer/diff/print/diff-beside.h"

#include <stdlib.h>

#include "analyzer/base/util.h"
#include "analyzer/diff/print/diff-bound.h"
#include "analyzer/diff/print/diff-words.h"

#define UNSURE_ROWS 3
#define UNSURE_NAME 40 /* columns */

/* The rows of a part that have one verdict. */
struct group {
	size_t count;
	int64_t change_ns;
};

/* Returns the change of a row as it adds to its part, in which each moment counts only once. */
static int64_t find_change(const struct ra_diff_row *row)
{
	return row->table == RA_SUM_RANGES ? row->self_ns[1] - row->self_ns[0]
	                                   : row->total_ns[1] - row->total_ns[0];
}

static bool is_in(const struct ra_diff_row *row, size_t role)
{
	switch (role) {
	case RA_ROLE_KERNEL:
		return row->table == RA_SUM_KERNELS && row->kind != RA_SUM_COLLECTIVE;
	case RA_ROLE_COMMUNICATION:
		return row->table == RA_SUM_KERNELS && row->kind == RA_SUM_COLLECTIVE;
	case RA_ROLE_RUNTIME:
		return row->table == RA_SUM_APIS;
	case RA_ROLE_TOTAL:
		return row->table == RA_SUM_RANGES;
	default:
		return false;
	}
}

static void collect(struct group *groups, const struct ra_diff *diff, size_t role)
{
	for (size_t i = 0; i < diff->count; i++) {
		const struct ra_diff_row *row = &diff->rows[i];

		if (is_in(row, role)) {
			groups[row->verdict].count++;
			groups[row->verdict].change_ns += find_change(row);
		}
	}
}

/* True if rows contradict the verdict on their part. An unsure verdict contradicts nothing. */
static bool is_opposed(enum ra_diff_verdict verdict, const struct group *groups)
{
	const bool has_slower = groups[RA_DIFF_SLOWER].count > 0;
	const bool has_faster = groups[RA_DIFF_FASTER].count > 0;

	return verdict == RA_DIFF_EQUAL || verdict == RA_DIFF_SAME ? has_slower || has_faster
	       : verdict == RA_DIFF_SLOWER                         ? has_faster
	       : verdict == RA_DIFF_FASTER                         ? has_slower
	                                                           : false;
}

/* Writes ", 22 on both sides (20.893ms to 34.288ms)" for the rows that both sides have, because
 * others may have come or gone. */
static void put_kept(struct ra_util_text *text, const struct ra_diff *diff, size_t role)
{
	int64_t total_ns[2] = { 0, 0 };
	size_t count = 0;
	size_t all = 0;

	for (size_t i = 0; i < diff->count; i++) {
		const struct ra_diff_row *row = &diff->rows[i];

		all += is_in(row, role);
		if (is_in(row, role) && row->stats[0] != NULL && row->stats[1] != NULL) {
			total_ns[0] = ra_util_add_time(total_ns[0], row->total_ns[0]);
			total_ns[1] = ra_util_add_time(total_ns[1], row->total_ns[1]);
			count++;
		}
	}
	if (count > 0 && count < all) {
		ra_util_text_format(text, ", %zu on both sides (", count);
		ra_util_text_put_time(text, total_ns[0]);
		ra_util_text_format(text, " to ");
		ra_util_text_put_time(text, total_ns[1]);
		ra_util_text_put_char(text, ')');
	}
}

static void put_part(struct ra_util_text *text, const struct ra_diff *diff, size_t role,
                     const struct group *groups)
{
	static const enum ra_diff_verdict told[] = { RA_DIFF_SLOWER, RA_DIFF_FASTER, RA_DIFF_NEW,
		                                     RA_DIFF_GONE };
	const enum ra_diff_verdict verdict = diff->roles[role].verdict;
	const char *between = "";

	ra_util_text_format(text, "%s is %s as a whole; of %s ", ra_diff_words_role(role),
	                    verdict == RA_DIFF_SAME ? "within the limits"
	                                            : ra_diff_words_of_verdict(diff, verdict),
	                    role == RA_ROLE_TOTAL ? "ranges, by themselves," : "its rows");
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		const struct group *group = &groups[told[i]];

		if (group->count > 0) {
			ra_util_text_format(text, "%s%zu %s (", between, group->count,
			                    ra_diff_words_of_verdict(diff, told[i]));
			ra_util_text_format(text, group->change_ns < 0 ? "-" : "+");
			ra_util_text_put_time(text, llabs(group->change_ns));
			ra_util_text_put_char(text, ')');
			between = ", ";
		}
	}
	if (role != RA_ROLE_TOTAL) {
		put_kept(text, diff, role);
	}
	ra_util_text_put_char(text, '\n');
}

/* Finds the unsure row that got longer by most and was not found before. Leaves out calls of CUDA
 * if the output has a line on their waits. Return: NULL if there is none. */
static const struct ra_diff_row *find_longest_unsure(const struct ra_diff *diff,
                                                     const struct ra_diff_row *const *before,
                                                     size_t count)
{
	const struct ra_diff_row *found = NULL;
	const bool without_calls = ra_diff_bound_has_hosts(diff);

	for (size_t i = 0; i < diff->count; i++) {
		const struct ra_diff_row *row = &diff->rows[i];
		bool is_told = row->verdict != RA_DIFF_UNSURE || find_change(row) <= 0 ||
		               (without_calls && row->table == RA_SUM_APIS);

		for (size_t j = 0; j < count; j++) {
			is_told |= before[j] == row;
		}
		if (!is_told && (found == NULL || find_change(row) > find_change(found))) {
			found = row;
		}
	}
	return found;
}

void ra_diff_beside_put_unsure(struct ra_util_text *text, const struct ra_diff *diff)
{
	const struct ra_diff_row *told[UNSURE_ROWS];
	struct ra_util_text name = { 0 };
	size_t count = 0;

	while (count < UNSURE_ROWS) {
		const struct ra_diff_row *row = find_longest_unsure(diff, told, count);

		if (row == NULL) {
			break;
		}
		told[count] = row;
		ra_util_text_clear(&name);
		ra_util_text_put_name(&name, row->name, RA_TEXT_TERMINAL);
		ra_util_text_format(text, count == 0 ? "unsure, but longer by most: " : ", ");
		if (ra_util_text_width(name.bytes, name.length) > UNSURE_NAME) {
			ra_util_text_put_fitted(text, name.bytes, name.length, UNSURE_NAME);
		} else {
			ra_util_text_put(text, name.bytes, name.length);
		}
		ra_util_text_format(text, " +");
		ra_util_text_put_time(text, find_change(row));
		count++;
	}
	if (count > 0) {
		ra_util_text_put_char(text, '\n');
	}
	ra_util_text_free(&name);
}

void ra_diff_beside_put(struct ra_util_text *text, const struct ra_diff *diff)
{
	for (size_t role = 0; role < RA_ROLES; role++) {
		struct group groups[RA_DIFF_GONE + 1] = { 0 };

		collect(groups, diff, role);
		/* This is no contradiction: calls may take longer while less of them is exposed. */
		if (ra_diff_bound_word(diff, role) == NULL &&
		    is_opposed(diff->roles[role].verdict, groups)) {
			put_part(text, diff, role, groups);
		}
	}
}
