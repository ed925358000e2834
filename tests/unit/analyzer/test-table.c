/* SPDX-License-Identifier: MIT */
/* Tests tables: their order, cuts, and which columns and how much of a name people see. */
#include <string.h>

#include "analyzer/table/layout/table-layout.h"
#include "analyzer/table/forms/table-text.h"
#include "analyzer/table/table.h"
#include "format/error.h"
#include "tests/tap.h"

enum {
	NAME,
	STREAM,
	CALLS,
	TOTAL,
	SHARE,
	MIN,
	COLUMNS
};

static const struct ra_table_column columns[COLUMNS] = {
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[STREAM] = { "stream", "Stream", RA_TABLE_COUNT, "7" },
	[CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[TOTAL] = { "total_ns", "Total", RA_TABLE_TIME, NULL },
	[SHARE] = { "total_share", "Total %", RA_TABLE_SHARE, NULL },
	[MIN] = { "min_ns", "Min", RA_TABLE_TIME, NULL },
};

static void add(struct ra_table *table, const char *name, int64_t stream, int64_t calls,
                int64_t total_ns)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[NAME] = ra_table_make_text(ra_table_keep_text(table, name, strlen(name)));
	cells[STREAM] = ra_table_make_number(stream);
	cells[CALLS] = ra_table_make_number(calls);
	if (total_ns >= 0) {
		cells[TOTAL] = ra_table_make_number(total_ns);
		cells[SHARE] = ra_table_make_share(total_ns, 4000);
		cells[MIN] = ra_table_make_number(total_ns / 2);
	}
}

/* The first bytes of all names, row by row. */
static const char *initials(const struct ra_table *table)
{
	static char text[32];

	memset(text, 0, sizeof(text));
	for (size_t i = 0; i < table->row_count && i < sizeof(text) - 1; i++) {
		text[i] = table->cells[i * COLUMNS + NAME].u.text.bytes[0];
	}
	return text;
}

/* True if the form of a table for people has, or lacks, a text. */
static bool shows(const struct ra_table *table, size_t width, const char *part)
{
	struct ra_util_text text = { 0 };
	bool found = false;

	ra_table_text_put(&text, table, width);
	ra_util_text_put_char(&text, '\0');
	found = strstr(text.bytes, part) != NULL;
	ra_util_text_free(&text);
	return found;
}

static size_t longest_line(const struct ra_table *table, size_t width)
{
	struct ra_util_text text = { 0 };
	size_t longest = 0;
	size_t length = 0;

	ra_table_text_put(&text, table, width);
	for (size_t i = 0; i < text.length; i++) {
		length = text.bytes[i] == '\n' ? 0 : length + 1;
		longest = length > longest ? length : longest;
	}
	ra_util_text_free(&text);
	return longest;
}

static void test_rows(void)
{
	struct ra_table table;

	ra_table_init(&table, columns, COLUMNS);
	add(&table, "a", 7, 3, 1000);
	add(&table, "b", 7, 1, -1);
	add(&table, "c", 7, 3, 3000);
	add(&table, "d", 7, 2, 1000);
	ra_table_sort(&table, TOTAL, true);
	tap_is_text(initials(&table), "cadb",
	            "largest first, equal ones as they were, those without a value last");
	ra_table_sort(&table, TOTAL, false);
	tap_is_text(initials(&table), "adcb", "those without a value are last there, too");
	ra_table_cut(&table, 2);
	tap_ok(table.row_count == 2 && table.cut_count == 2, "a cut says how many it took");
	tap_is_uint(ra_table_find_column(columns, COLUMNS, "total"), TOTAL,
	            "a column is found without the ending of its key");
	tap_is_uint(ra_table_find_column(columns, COLUMNS, "nothing"), COLUMNS, "none is not");
	ra_table_fini(&table);
}

static void test_columns(void)
{
	struct ra_table table;

	ra_table_init(&table, columns, COLUMNS);
	add(&table, "one", 7, 3, 1000);
	tap_ok(!shows(&table, 0, "Stream"), "a column of what is usual is not shown");
	add(&table, "two", 8, 3, 3000);
	tap_ok(shows(&table, 0, "Stream"), "... but where one row differs it is");
	tap_ok(shows(&table, 0, "75.00"), "shares are per cent for people");
	ra_table_hide(&table, CALLS);
	tap_ok(!shows(&table, 0, "# of Calls"), "a hidden column is in no form");
	ra_table_fini(&table);
}

static void test_widths(void)
{
	const char *long_name = "void at::native::vectorized_elementwise_kernel<4, one, of, many>";
	const char *like_it = "void at::native::vectorized_elementwise_kernel<4, two, of, many>";
	struct ra_table table;

	ra_table_init(&table, columns, COLUMNS);
	add(&table, long_name, 7, 1, 1000);
	add(&table, like_it, 7, 1, 3000);
	tap_ok(shows(&table, 0, long_name), "without a width names are whole");
	tap_ok(!shows(&table, 80, long_name), "in 80 columns they are not");
	tap_ok(longest_line(&table, 80) <= 80, "... and the table fits");
	tap_ok(shows(&table, 80, "Min"), "names give way before figures do");
	tap_ok(shows(&table, 40, "\nleft out for the width: Total %, Min\n"),
	       "where that is not enough, Min and shares are left out, and a line says so");
	tap_ok(longest_line(&table, 40) <= 40, "... and that fits, too");
	ra_table_fini(&table);
}

int main(void)
{
	test_rows();
	test_columns();
	test_widths();
	return tap_done();
}
