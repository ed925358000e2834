/* SPDX-License-Identifier: MIT */
/* Compares two ranks as HTA's TraceDiff does: how often each name occurs, and for how long. */
#include "analyzer/diff/compat/diff-hta.h"

#include "analyzer/base/text/util-string.h"
#include "analyzer/summary-file/sum-texts.h"

enum {
	NAME,
	CONTROL_COUNTS,
	TEST_COUNTS,
	CONTROL_DURATION,
	TEST_DURATION,
	DIFF_COUNTS,
	DIFF_DURATION,
	CATEGORY,
	CHANGE,
};

const struct ra_table_column ra_diff_hta_columns[RA_DIFF_HTA_COLUMNS] = {
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[CONTROL_COUNTS] = { "control_counts", "Control calls", RA_TABLE_COUNT, NULL },
	[TEST_COUNTS] = { "test_counts", "Test calls", RA_TABLE_COUNT, NULL },
	[CONTROL_DURATION] = { "control_total_duration_us", "Control", RA_TABLE_REAL, NULL },
	[TEST_DURATION] = { "test_total_duration_us", "Test", RA_TABLE_REAL, NULL },
	[DIFF_COUNTS] = { "diff_counts", "More calls", RA_TABLE_COUNT, NULL },
	[DIFF_DURATION] = { "diff_duration_us", "Difference", RA_TABLE_REAL, NULL },
	[CATEGORY] = { "counts_change_categories", "", RA_TABLE_TEXT, NULL },
	[CHANGE] = { "ops_diff", "Change", RA_TABLE_TEXT, NULL },
};

static const char *name_change(uint64_t control, uint64_t test)
{
	if (control == 0) {
		return "added";
	}
	if (test == 0) {
		return "deleted";
	}
	return test > control ? "increased" : test < control ? "decreased" : "unchanged";
}

static void add_row(struct ra_table *table, const struct ra_hta_op *control,
                    const struct ra_hta_op *test)
{
	static const struct ra_hta_op none = { 0 };
	const struct ra_hta_op *before = control == NULL ? &none : control;
	const struct ra_hta_op *after = test == NULL ? &none : test;
	const int64_t more = (int64_t) after->count - (int64_t) before->count;
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[NAME] = ra_table_make_text(control == NULL ? after->name : before->name);
	cells[CONTROL_COUNTS] = ra_table_make_count(before->count);
	cells[TEST_COUNTS] = ra_table_make_count(after->count);
	cells[CONTROL_DURATION] = ra_table_make_real(before->total_us);
	cells[TEST_DURATION] = ra_table_make_real(after->total_us);
	cells[DIFF_COUNTS] = ra_table_make_number(more);
	cells[DIFF_DURATION] = ra_table_make_real(after->total_us - before->total_us);
	cells[CATEGORY] = ra_table_make_word(more > 0 ? "+" : more < 0 ? "-" : "=");
	cells[CHANGE] = ra_table_make_word(name_change(before->count, after->count));
}

void ra_diff_hta_fill(struct ra_table *table, const struct ra_hta_ops *control,
                      const struct ra_hta_ops *test)
{
	size_t c = 0;
	size_t t = 0;

	while (c < control->count || t < test->count) {
		const int order = c == control->count ? 1
		                  : t == test->count  ? -1
		                                     : ra_util_string_compare(control->rows[c].name,
		                                                              test->rows[t].name);

		add_row(table, order <= 0 ? &control->rows[c] : NULL,
		        order >= 0 ? &test->rows[t] : NULL);
		c += order <= 0;
		t += order >= 0;
	}
}
