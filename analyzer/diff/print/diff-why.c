/* SPDX-License-Identifier: MIT */
/* Writes the causes of a step's change, and which kernels were swapped. */
#include "analyzer/diff/print/diff-why.h"

#include <stdlib.h>

#include "analyzer/base/text/util-string.h"
#include "analyzer/diff/causes/diff-causes.h"
#include "analyzer/diff/causes/diff-swaps.h"
#include "analyzer/names/op-kinds.h"
#include "analyzer/diff/print/diff-loader-words.h"
#include "analyzer/diff/print/diff-outliers.h"
#include "analyzer/diff/print/diff-words.h"
#include "analyzer/names/kernel-name.h"
#include "analyzer/table/forms/table-data.h"
#include "analyzer/table/forms/table-text.h"
#include "analyzer/table/table-wrap.h"
#include "analyzer/table/table.h"

#define MOST_SWAPS  5    /* most lines for swaps, for users */
#define LEAST_PART  0.01 /* part of all that changed; smaller causes are in the rest */
#define MOST_PART   0.9  /* part of all that changed; the causes beyond that are summed up */
#define BRIEF_WIDTH 94   /* columns of a brief table */
#define KERNEL_NAME 44   /* columns of a kernel's name in a line */

enum column {
	NAME,
	PART,
	IN,
	PLACES,
	BEFORE,
	AFTER,
	CHANGE,
	OF_MOVED,
	NEW_NAME, /* this column and the next two are for programs: users get a line instead */
	LONGEST,
	LONGEST_STEP,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[PART] = { "part", "Part", RA_TABLE_TEXT, NULL },
	[NAME] = { "name", "Cause", RA_TABLE_TEXT, NULL },
	[IN] = { "in", "In", RA_TABLE_TEXT, NULL },
	[PLACES] = { "places", "Places", RA_TABLE_COUNT, "1" },
	[BEFORE] = { "before_ns", "Before", RA_TABLE_TIME, NULL },
	[AFTER] = { "after_ns", "After", RA_TABLE_TIME, NULL },
	[CHANGE] = { "change_ns", "Change", RA_TABLE_TIME, NULL },
	[OF_MOVED] = { "moved_part", "Of less or more", RA_TABLE_PART, NULL },
	[NEW_NAME] = { "new_name", "New name", RA_TABLE_TEXT, NULL },
	[LONGEST] = { "call_ns", "One call", RA_TABLE_TIME, NULL },
	[LONGEST_STEP] = { "call_step", "Of step", RA_TABLE_TEXT, NULL },
};

/* Appends a path, such as "step > backward". */
static void put_path(struct ra_util_text *text, struct rlog_string path)
{
	for (size_t i = 0; i < path.length; i++) {
		if (path.bytes[i] == RA_SUM_BETWEEN) {
			ra_util_text_format(text, " > ");
		} else {
			ra_util_text_put_char(text, path.bytes[i]);
		}
	}
}

static struct ra_table_cell make_path(struct ra_table *table, struct rlog_string path)
{
	struct ra_util_text text = { 0 };

	put_path(&text, path);
	return ra_table_make_text(ra_table_take_text(table, &text));
}

/* Two sums over the causes: the time by which they made the step shorter (0 or below), and the time
 * by which they made it longer. */
struct moved {
	int64_t less_ns;
	int64_t more_ns;
};

static struct moved sum_moved(const struct ra_diff_causes *causes)
{
	struct moved moved = { 0, 0 };

	for (size_t i = 0; i < causes->count; i++) {
		const int64_t change_ns = ra_diff_cause_change(&causes->rows[i]);

		moved.less_ns += change_ns < 0 ? change_ns : 0;
		moved.more_ns += change_ns > 0 ? change_ns : 0;
	}
	return moved;
}

static void put_times(struct ra_table_cell *cells, const int64_t *time_ns,
                      const struct moved *moved)
{
	const int64_t change_ns = time_ns[1] - time_ns[0];

	cells[BEFORE] = ra_table_make_number(time_ns[0]);
	cells[AFTER] = ra_table_make_number(time_ns[1]);
	cells[CHANGE] = ra_table_make_number(change_ns);
	if (change_ns != 0) {
		cells[OF_MOVED] = ra_table_make_real(
			(double) change_ns /
			(double) (change_ns < 0 ? moved->less_ns : moved->more_ns));
	}
}

/* @is_brief: kernels have short names. */
static void add_cause(struct ra_table *table, const struct ra_diff_cause *cause,
                      const struct moved *moved, bool is_brief)
{
	struct ra_table_cell *cells = ra_table_add_row(table);
	struct ra_util_text name = { 0 };

	if (!is_brief || !ra_diff_loader_words_put_short(&name, cause->name)) {
		ra_kernel_name_put(&name, cause->name,
		                   cause->is_kernel && is_brief ? RA_KERNEL_SHORT
		                                                : RA_KERNEL_MANGLED);
	}
	cells[NAME] = ra_table_make_text(ra_table_take_text(table, &name));
	if (cause->role == RA_ROLE_OTHER) {
		cells[NAME] = ra_table_make_word("(in no range and no call)");
	} else if (cause->role == RA_ROLE_TOTAL) {
		cells[NAME] = ra_table_make_word("(first step fills queue)");
	}
	if (cause->role != RA_ROLE_TOTAL) {
		cells[PART] = ra_table_make_word(ra_diff_words_role(cause->role));
	}
	if (cause->path.length > 0) {
		cells[IN] = make_path(table, cause->path);
	}
	cells[PLACES] = ra_table_make_count(cause->places);
	put_times(cells, cause->time_ns, moved);
}

/* For users, names both loaders of a cause: "_SingleProcess -> _MultiProcessingDataLoader". */
static void name_pair(struct ra_table *table, const struct ra_diff_cause *cause)
{
	const struct rlog_string class = ra_op_kinds_loader_class(cause->name);
	struct ra_util_text name = { 0 };

	if (cause->new_name.length > 0) {
		ra_util_text_put(&name, class.bytes, class.length);
		ra_util_text_format(&name, " -> ");
		ra_diff_loader_words_put_short(&name, cause->new_name);
		table->cells[(table->row_count - 1) * table->column_count + NAME] =
			ra_table_make_text(ra_table_take_text(table, &name));
	}
}

/* Counts the causes to show to users: the largest ones, which make up most of all changes. Each
 * must exceed the limit in time, and be at least a certain part of all changes. @most: most
 * rows. */
static size_t count_told(const struct ra_diff_causes *causes, const struct ra_diff *diff,
                         size_t most)
{
	const struct moved moved = sum_moved(causes);
	const double all_ns = (double) (moved.more_ns - moved.less_ns);
	double told_ns = 0;
	size_t count = 0;

	while (count < causes->count && count < most && told_ns < MOST_PART * all_ns) {
		const int64_t change_ns = llabs(ra_diff_cause_change(&causes->rows[count]));

		if (change_ns <= diff->limits.time_ns || (double) change_ns < LEAST_PART * all_ns) {
			break;
		}
		told_ns += (double) change_ns;
		count++;
	}
	return count;
}

/* The causes that are not listed and changed in one direction. */
struct rest {
	size_t count;
	int64_t time_ns[2];
	int64_t moved_ns[RA_ROLES]; /* the absolute changes of these, by role */
};

static struct rest sum_rest(const struct ra_diff_causes *causes, size_t told, bool is_more)
{
	struct rest rest = { 0 };

	for (size_t i = told; i < causes->count; i++) {
		const struct ra_diff_cause *cause = &causes->rows[i];
		const int64_t change_ns = ra_diff_cause_change(cause);

		if (is_more ? change_ns > 0 : change_ns < 0) {
			rest.time_ns[0] += cause->time_ns[0];
			rest.time_ns[1] += cause->time_ns[1];
			rest.moved_ns[cause->role] += llabs(change_ns);
			rest.count++;
		}
	}
	return rest;
}

/* Appends "mostly Kernel": the part with half or more of the changes. */
static void name_part(struct ra_table *table, const struct rest *rest, struct ra_table_cell *cell)
{
	const int64_t all_ns = llabs(rest->time_ns[1] - rest->time_ns[0]);

	for (size_t role = 0; role < RA_ROLE_TOTAL; role++) {
		if (rest->moved_ns[role] > all_ns / 2) {
			struct ra_util_text text = { 0 };

			ra_util_text_format(&text, "%s%s",
			                    rest->moved_ns[role] < all_ns ? "mostly " : "",
			                    ra_diff_words_role(role));
			*cell = ra_table_make_text(ra_table_take_text(table, &text));
		}
	}
}

static void add_rest(struct ra_table *table, const struct ra_diff_causes *causes, size_t told,
                     bool is_more, const struct moved *moved)
{
	const struct rest rest = sum_rest(causes, told, is_more);
	struct ra_util_text text = { 0 };
	struct ra_table_cell *cells;

	if (rest.count > 0) {
		cells = ra_table_add_row(table);
		ra_util_text_format(&text, "(%zu other%s, %s)", rest.count,
		                    rest.count == 1 ? "" : "s", is_more ? "more" : "less");
		cells[NAME] = ra_table_make_text(ra_table_take_text(table, &text));
		name_part(table, &rest, &cells[PART]);
		put_times(cells, rest.time_ns, moved);
	}
}

/* How to write the names of kernels in a line. */
struct naming {
	enum ra_util_text_target target;
	bool is_full; /* several kernels have the same short name */
};

static struct rlog_string as_string(const struct ra_util_text *text)
{
	return (struct rlog_string){ text->bytes, (uint32_t) text->length, 0 };
}

static void put_kernel(struct ra_util_text *text, struct rlog_string name,
                       const struct naming *naming)
{
	struct ra_util_text own = { 0 };
	struct ra_util_text safe = { 0 };
	struct ra_util_text fitted = { 0 };

	ra_kernel_name_put(&own, name, naming->is_full ? RA_KERNEL_FULL : RA_KERNEL_SHORT);
	ra_util_text_put_name(&safe, as_string(&own), RA_TEXT_TERMINAL);
	if (!naming->is_full && ra_util_text_width(safe.bytes, safe.length) > KERNEL_NAME) {
		ra_util_text_put_fitted(&fitted, safe.bytes, safe.length, KERNEL_NAME);
	} else {
		ra_util_text_put(&fitted, safe.bytes, safe.length);
	}
	ra_util_text_put_name(text, as_string(&fitted), naming->target);
	ra_util_text_free(&own);
	ra_util_text_free(&safe);
	ra_util_text_free(&fitted);
}

/* Appends kernels as "a + b": those of a swap that lost calls, or those that got them. */
static void put_kernels(struct ra_util_text *text, const struct ra_diff_swap *swap, size_t side,
                        const struct naming *naming)
{
	const struct rlog_string *names = swap->names + (side == 0 ? 0 : swap->count[0]);

	for (size_t i = 0; i < swap->count[side]; i++) {
		ra_util_text_format(text, i == 0 ? "" : " + ");
		put_kernel(text, names[i], naming);
	}
}

static bool is_same_brief(const struct ra_diff_swap *swap)
{
	const struct naming naming = { RA_TEXT_TERMINAL, false };
	struct ra_util_text texts[2] = { { 0 }, { 0 } };
	bool is_same;

	put_kernels(&texts[0], swap, 0, &naming);
	put_kernels(&texts[1], swap, 1, &naming);
	is_same = ra_util_string_is_same(as_string(&texts[0]), as_string(&texts[1]));
	ra_util_text_free(&texts[0]);
	ra_util_text_free(&texts[1]);
	return is_same;
}

/* Appends "kernels swapped under X: a (2.0ms) -> b (1.0ms), net -1.0ms, 20 calls, in Y > Z". */
static void put_swap(struct ra_util_text *text, const struct ra_diff_swap *swap,
                     enum ra_util_text_target target)
{
	const struct naming naming = { target, is_same_brief(swap) };
	const int64_t net_ns = swap->time_ns[1] - swap->time_ns[0];
	struct ra_util_text path = { 0 };
	struct rlog_string around;
	const struct rlog_string last = ra_diff_causes_last(swap->path, &around);

	ra_util_text_format(text, "kernels swapped under ");
	ra_util_text_put_name(text, last, target);
	ra_util_text_format(text, ": ");
	for (size_t side = 0; side < 2; side++) {
		put_kernels(text, swap, side, &naming);
		ra_util_text_format(text, " (");
		ra_util_text_put_time(text, swap->time_ns[side]);
		ra_util_text_format(text, side == 0 ? ") -> " : "), net ");
	}
	ra_util_text_format(text, net_ns < 0 ? "-" : "+");
	ra_util_text_put_time(text, llabs(net_ns));
	ra_util_text_format(text, ", %.3g call%s", swap->calls, swap->calls == 1 ? "" : "s");
	if (around.length > 0) {
		ra_util_text_format(text, ", in ");
		put_path(&path, around);
		ra_util_text_put_name(text, as_string(&path), target);
	}
	ra_util_text_put_char(text, '\n');
	ra_util_text_free(&path);
}

/* Names the largest of the swaps that are left out, and says how to see all. */
static void put_left(struct ra_util_text *text, const struct ra_diff_swap *largest, size_t count,
                     size_t most, enum ra_util_text_target target)
{
	const int64_t net_ns = largest->time_ns[1] - largest->time_ns[0];
	struct rlog_string around;

	ra_util_text_format(text, "%zu %sswap%s of kernels, %s", count, most > 0 ? "more " : "",
	                    count == 1 ? "" : "s", count == 1 ? "" : "largest ");
	ra_util_text_format(text, "under ");
	ra_util_text_put_name(text, ra_diff_causes_last(largest->path, &around), target);
	ra_util_text_format(text, net_ns < 0 ? " (net -" : " (net +");
	ra_util_text_put_time(text, llabs(net_ns));
	ra_util_text_format(text, "): %s-f json\n", most < MOST_SWAPS ? "--brief=8000 or " : "");
}

/* Writes the swaps. Those whose kernels' times changed by less than the limit are not listed. */
static void put_swaps(struct ra_util_text *text, const struct ra_diff *diff,
                      const struct ra_diff_swaps *swaps, const struct ra_diff_print *options)
{
	const size_t limit = options->limit;
	const size_t some = limit > 2 ? limit - 2 : 0; /* if there is little room, causes come
	                                                  first */
	const size_t most = limit > 0 && some < MOST_SWAPS ? some : MOST_SWAPS;
	const enum ra_util_text_target target =
		options->form == RA_DIFF_PRINT_MARKDOWN ? RA_TEXT_MARKDOWN : RA_TEXT_TERMINAL;
	const struct ra_diff_swap *largest = NULL; /* the largest of those that are left out */
	size_t told = 0;

	for (size_t i = 0; i < swaps->count; i++) {
		const int64_t *time_ns = swaps->rows[i].time_ns;

		if (llabs(time_ns[0]) <= diff->limits.time_ns &&
		    llabs(time_ns[1]) <= diff->limits.time_ns) {
			continue;
		}
		if (told++ < most) {
			put_swap(text, &swaps->rows[i], target);
		} else {
			largest = largest == NULL ? &swaps->rows[i] : largest;
		}
	}
	if (told > most) {
		put_left(text, largest, told - most, most, target);
	}
}

/* Writes "What the change of a step is made of: -2.0ms, by 3.0ms less and 1.0ms more". */
static void put_heading(struct ra_util_text *text, const struct ra_diff *diff,
                        const struct ra_diff_causes *causes, const struct moved *moved)
{
	const int64_t change_ns = causes->whole_ns[1] - causes->whole_ns[0];

	ra_util_text_format(text, "What the change of %s is made of: %s",
	                    diff->has_steps ? "a step" : "an input", change_ns < 0 ? "-" : "+");
	ra_util_text_put_time(text, llabs(change_ns));
	ra_util_text_format(text, ", by ");
	ra_util_text_put_time(text, -moved->less_ns);
	ra_util_text_format(text, " less and ");
	ra_util_text_put_time(text, moved->more_ns);
	ra_util_text_format(text, " more\n\n");
}

/* Hides the columns of details, because users get lines about these instead. */
static void hide_details(struct ra_table *table)
{
	ra_table_hide(table, NEW_NAME);
	ra_table_hide(table, LONGEST);
	ra_table_hide(table, LONGEST_STEP);
}

static void put_table(struct ra_util_text *text, const struct ra_diff *diff,
                      const struct ra_diff_print *options, const struct ra_diff_causes *causes,
                      size_t told)
{
	const bool is_markdown = options->form == RA_DIFF_PRINT_MARKDOWN;
	const struct moved moved = sum_moved(causes);
	const size_t start = text->length;
	struct ra_table table;

	ra_table_init(&table, columns, COLUMNS);
	for (size_t i = 0; i < told; i++) {
		add_cause(&table, &causes->rows[i], &moved, !is_markdown && options->width > 0);
		name_pair(&table, &causes->rows[i]);
	}
	add_rest(&table, causes, told, false, &moved);
	add_rest(&table, causes, told, true, &moved);
	hide_details(&table);
	if (options->is_brief) {
		ra_table_hide(&table, PLACES);
		ra_table_hide(&table, OF_MOVED); /* the heading has both sums */
	}
	ra_util_text_format(text, "\n%s", is_markdown ? "## " : "");
	put_heading(text, diff, causes, &moved);
	ra_table_wrap_from(text, start, is_markdown ? 0 : options->width);
	if (is_markdown) {
		ra_table_text_put_markdown(text, &table);
	} else {
		ra_table_text_put(text, &table,
		                  options->is_brief && options->width > BRIEF_WIDTH
		                          ? BRIEF_WIDTH
		                          : options->width);
	}
	ra_table_fini(&table);
}

/* Writes a line of doubt unless the total surely changed, because causes have no verdicts. */
static void put_doubt(struct ra_util_text *text, const struct ra_diff *diff,
                      enum ra_util_text_target target, const struct ra_diff_print *options)
{
	const enum ra_diff_verdict verdict = diff->roles[RA_ROLE_TOTAL].verdict;

	if (verdict != RA_DIFF_SLOWER && verdict != RA_DIFF_FASTER) {
		ra_util_text_format(text, "the total is %s: causes may be noise\n",
		                    verdict == RA_DIFF_SAME
		                            ? "within the limits"
		                            : ra_diff_words_of_verdict(diff, verdict));
	}
	if (verdict == RA_DIFF_UNSURE ||
	    diff->roles[RA_ROLE_TOTAL].evidence.method == RA_DIFF_BY_STEPS ||
	    (!options->is_brief && ra_diff_outliers_move_mean(diff))) {
		ra_diff_outliers_put_steps(text, diff, target, options->limit == 1);
	}
}

bool ra_diff_why_put(struct ra_util_text *text, const struct ra_diff *diff,
                     const struct ra_diff_print *options)
{
	struct ra_diff_costs costs;
	struct ra_diff_causes causes;
	const bool is_markdown = options->form == RA_DIFF_PRINT_MARKDOWN;
	const enum ra_util_text_target target = is_markdown ? RA_TEXT_MARKDOWN : RA_TEXT_TERMINAL;
	const size_t width = is_markdown ? 0 : options->width;
	struct ra_diff_swaps swaps;
	size_t told;
	size_t start;

	if (options->without_why) {
		return false;
	}
	ra_diff_costs_init(&costs, diff);
	ra_diff_causes_init(&causes, diff, &costs);
	ra_diff_swaps_init(&swaps, diff, &costs);
	if (width > 0) {
		ra_diff_causes_fold(&causes);
	}
	told = count_told(&causes, diff, options->causes);
	if (told > 0) {
		put_table(text, diff, options, &causes, told);
		start = text->length;
		put_doubt(text, diff, target, options);
		ra_diff_outliers_put_calls(text, diff, &causes, told, target);
		ra_table_wrap_from(text, start, width);
	}
	start = text->length;
	ra_util_text_put_char(text, '\n');
	ra_diff_loader_words_put(text, diff, target, options->limit == 1);
	put_swaps(text, diff, &swaps, options);
	if (text->length == start + 1) {
		text->length = start; /* there are no such lines */
	}
	ra_table_wrap_from(text, start, width);
	ra_diff_swaps_fini(&swaps);
	ra_diff_causes_fini(&causes);
	ra_diff_costs_fini(&costs);
	return told > 0;
}

/* Fills the columns of details: the single call that makes up half of a cause or more, and the new
 * name of a loader. */
static void fill_details(struct ra_table *table, const struct ra_diff *diff,
                         const struct ra_diff_cause *cause)
{
	struct ra_table_cell *cells = &table->cells[(table->row_count - 1) * table->column_count];
	const size_t side = ra_diff_causes_find_call(cause, diff);

	if (cause->new_name.length > 0) {
		cells[NEW_NAME] = ra_table_make_text(cause->new_name);
	}
	if (side < 2) {
		const struct ra_diff_longest *longest = &cause->longest[side];

		cells[LONGEST] = ra_table_make_number(longest->dur_ns);
		cells[LONGEST_STEP] =
			ra_table_make_text(ra_diff_outliers_find_step(diff, side, longest));
	}
}

static void put_causes_json(struct ra_util_text *text, const struct ra_diff *diff,
                            const struct ra_diff_causes *causes)
{
	const struct moved moved = sum_moved(causes);
	struct ra_table table;

	ra_table_init(&table, columns, COLUMNS);
	for (size_t i = 0; i < causes->count; i++) {
		if (ra_diff_cause_change(&causes->rows[i]) != 0) {
			add_cause(&table, &causes->rows[i], &moved, false);
			fill_details(&table, diff, &causes->rows[i]);
		}
	}
	ra_util_text_format(text, "\"causes\":");
	ra_table_data_put_json(text, &table);
	ra_util_text_format(text, ",\n");
	ra_table_fini(&table);
}

static void put_names_json(struct ra_util_text *text, const char *key,
                           const struct rlog_string *names, size_t count)
{
	ra_util_text_format(text, "\"%s\":[", key);
	for (size_t i = 0; i < count; i++) {
		ra_util_text_format(text, i == 0 ? "\"" : ",\"");
		ra_util_text_put_name(text, names[i], RA_TEXT_JSON);
		ra_util_text_put_char(text, '"');
	}
	ra_util_text_format(text, "],");
}

static void put_swaps_json(struct ra_util_text *text, const struct ra_diff_swaps *swaps)
{
	ra_util_text_format(text, "\"swaps\":[");
	for (size_t i = 0; i < swaps->count; i++) {
		const struct ra_diff_swap *swap = &swaps->rows[i];
		struct ra_util_text path = { 0 };
		struct rlog_string around;
		const struct rlog_string last = ra_diff_causes_last(swap->path, &around);

		put_path(&path, around);
		ra_util_text_format(text, "%s{\"under\":\"", i == 0 ? "\n" : ",\n");
		ra_util_text_put_name(text, last, RA_TEXT_JSON);
		ra_util_text_format(text, "\",\"in\":\"");
		ra_util_text_put_name(text, as_string(&path), RA_TEXT_JSON);
		ra_util_text_format(text, "\",");
		put_names_json(text, "from", swap->names, swap->count[0]);
		put_names_json(text, "to", swap->names + swap->count[0], swap->count[1]);
		ra_util_text_format(text,
		                    "\"from_ns\":%lld,\"to_ns\":%lld,\"net_ns\":%lld,"
		                    "\"calls\":%.6g}",
		                    (long long) swap->time_ns[0], (long long) swap->time_ns[1],
		                    (long long) (swap->time_ns[1] - swap->time_ns[0]), swap->calls);
		ra_util_text_free(&path);
	}
	ra_util_text_format(text, "],\n");
}

void ra_diff_why_put_json(struct ra_util_text *text, const struct ra_diff *diff)
{
	struct ra_diff_costs costs;
	struct ra_diff_causes causes;
	struct ra_diff_swaps swaps;

	ra_diff_costs_init(&costs, diff);
	ra_diff_causes_init(&causes, diff, &costs);
	ra_diff_swaps_init(&swaps, diff, &costs);
	put_causes_json(text, diff, &causes);
	put_swaps_json(text, &swaps);
	ra_diff_loader_words_put_json(text, diff);
	ra_diff_swaps_fini(&swaps);
	ra_diff_causes_fini(&causes);
	ra_diff_costs_fini(&costs);
}
