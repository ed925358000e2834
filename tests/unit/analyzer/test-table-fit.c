/* SPDX-License-Identifier: MIT */
/* Tests what a table for people leaves out if it is too wide, in which order, and what it tells
 * about that. */
#include <string.h>

#include "analyzer/table/layout/table-brief.h"
#include "analyzer/table/forms/table-text.h"
#include "analyzer/table/table.h"
#include "tests/tap.h"

enum {
	NAME,
	DOMAIN,
	CALLS,
	SELF,
	SELF_SHARE,
	CPU,
	CPU_SHARE,
	CPU_MEAN,
	STREAM,
	CPU_MAX,
	RATE,
	COLUMNS
};

static const struct ra_table_column columns[COLUMNS] = {
	[NAME] = { "name", "Name", RA_TABLE_TEXT, NULL },
	[DOMAIN] = { "domain", "Domain", RA_TABLE_TEXT, NULL },
	[CALLS] = { "calls", "# of Calls", RA_TABLE_COUNT, NULL },
	[SELF] = { "self_cpu_ns", "Self CPU", RA_TABLE_TIME, NULL },
	[SELF_SHARE] = { "self_cpu_share", "Self CPU %", RA_TABLE_SHARE, NULL },
	[CPU] = { "cpu_total_ns", "CPU total", RA_TABLE_TIME, NULL },
	[CPU_SHARE] = { "cpu_total_share", "CPU total %", RA_TABLE_SHARE, NULL },
	[CPU_MEAN] = { "cpu_time_avg_ns", "CPU time avg", RA_TABLE_TIME, NULL },
	[STREAM] = { "stream", "Stream", RA_TABLE_COUNT, NULL },
	[CPU_MAX] = { "max_ns", "Max", RA_TABLE_TIME, NULL },
	[RATE] = { "rate", "FLOP/byte", RA_TABLE_REAL, NULL },
};

static void add(struct ra_table *table, const char *name, int64_t calls, int64_t cpu_ns)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[NAME] = ra_table_make_text(ra_table_keep_text(table, name, strlen(name)));
	cells[DOMAIN] = ra_table_make_word("(default)");
	cells[CALLS] = ra_table_make_number(calls);
	cells[SELF] = ra_table_make_number(cpu_ns / 2);
	cells[SELF_SHARE] = ra_table_make_share(cpu_ns / 2, 1000000000);
	cells[CPU] = ra_table_make_number(cpu_ns);
	cells[CPU_SHARE] = ra_table_make_share(cpu_ns, 1000000000);
	cells[CPU_MEAN] = ra_table_make_number(cpu_ns / calls);
	cells[CPU_MAX] = ra_table_make_number(cpu_ns - 1);
	cells[RATE] = ra_table_make_real((double) cpu_ns / 1000001);
}

static const char *finish(struct ra_util_text *text)
{
	ra_util_text_put_char(text, '\0');
	return text->bytes;
}

static void is_shown(const struct ra_table *table, size_t width, const char *wanted,
                     const char *what)
{
	struct ra_util_text text = { 0 };

	ra_table_text_put(&text, table, width);
	tap_is_text(finish(&text), wanted, "%s", what);
	ra_util_text_free(&text);
}

static bool shows(const struct ra_table *table, size_t width, const char *part)
{
	struct ra_util_text text = { 0 };
	bool found;

	ra_table_text_put(&text, table, width);
	found = strstr(finish(&text), part) != NULL;
	ra_util_text_free(&text);
	return found;
}

static void test_order(void)
{
	struct ra_table table;

	ra_table_init(&table, columns, COLUMNS);
	add(&table, "a name of a range that is longer than most of them are", 3, 123456789);
	add(&table, "b", 1, 98765432);
	tap_ok(shows(&table, 167, " than most of them are  (default)           3  ") &&
	               shows(&table, 164, "most of them are  (default)           3  ") &&
	               !shows(&table, 164, "longer than most"),
	       "names are shortened first");
	tap_ok(shows(&table, 140, "  time avg  ") && shows(&table, 140, " most of them are  "),
	       "then titles take two lines");
	tap_ok(shows(&table, 128, "98.7653\nwithout a value in any row: Stream\n"),
	       "then what is the same in all rows becomes a line");
	is_shown(&table, 92,
	         "                            # of     Self   Self      CPU      CPU       CPU     "
	         "      FLOP/\n"
	         "Name                       Calls      CPU  CPU %    total  total %  time avg     "
	         " Max   byte\n"
	         "-------------------------  -----  -------  -----  -------  -------  --------  "
	         "-------  -----\n"
	         "a name of a...of them are      3  61.73ms  6.17%  123.5ms   12.35%   41.15ms  "
	         "123.5ms  123.5\n"
	         "b                              1  49.38ms  4.94%  98.77ms    9.88%   98.77ms  "
	         "98.77ms  98.77\n"
	         "the same in all rows: Domain (default)\n"
	         "without a value in any row: Stream\n",
	         "then names are no longer than 24, and figures have four digits");
	is_shown(&table, 78,
	         "                              # of    Self  Self     CPU     CPU         FLOP/\n"
	         "Name                         Calls     CPU CPU %   total total %     Max  byte\n"
	         "---------------------------- ----- ------- ----- ------- ------- ------- -----\n"
	         "a name of a r... of them are     3 61.73ms 6.17% 123.5ms  12.35% 123.5ms 123.5\n"
	         "b                                1 49.38ms 4.94% 98.77ms   9.88% 98.77ms 98.77\n"
	         "the same in all rows: Domain (default)\n"
	         "without a value in any row: Stream\n"
	         "from the columns shown: CPU time avg = CPU total / # of Calls\n",
	         "then means go that others tell");
	is_shown(&table, 70,
	         "                              # of    Self  Self     CPU         FLOP/\n"
	         "Name                         Calls     CPU CPU %   total     Max  byte\n"
	         "---------------------------- ----- ------- ----- ------- ------- -----\n"
	         "a name of a r... of them are     3 61.73ms 6.17% 123.5ms 123.5ms 123.5\n"
	         "b                                1 49.38ms 4.94% 98.77ms 98.77ms 98.77\n"
	         "the same in all rows: Domain (default)\n"
	         "without a value in any row: Stream\n"
	         "from the columns shown: CPU total % = CPU total / 1.000s, CPU time avg\n"
	         "  = CPU total / # of Calls\n",
	         "... and shares, if the table is complete then");
	is_shown(&table, 58,
	         "                          # of    Self  Self     CPU FLOP/\n"
	         "Name                     Calls     CPU CPU %   total  byte\n"
	         "------------------------ ----- ------- ----- ------- -----\n"
	         "a name of a...f them are     3 61.73ms 6.17% 123.5ms 123.5\n"
	         "b                            1 49.38ms 4.94% 98.77ms 98.77\n"
	         "the same in all rows: Domain (default)\n"
	         "without a value in any row: Stream\n"
	         "from the columns shown: CPU time avg = CPU total / # of\n"
	         "  Calls\n"
	         "left out for the width: CPU total %, Max (--width 0 shows\n"
	         "  all)\n",
	         "then columns are left out, shares after other figures");
	tap_ok(shows(&table, 40, "# of") && !shows(&table, 40, " CPU  "), "numbers of calls last");
	ra_table_fini(&table);
}

static void is_brief(const struct ra_table_column *column, struct ra_table_cell cell,
                     const char *wanted)
{
	struct ra_util_text text = { 0 };

	ra_table_brief_put_cell(&text, column, &cell);
	tap_is_text(finish(&text), wanted, "%s", wanted);
	ra_util_text_free(&text);
}

static void test_brief(void)
{
	static const struct ra_table_column time = { "a_ns", "A", RA_TABLE_TIME, NULL };
	static const struct ra_table_column bytes = { "a_bytes", "A", RA_TABLE_COUNT, NULL };
	static const struct ra_table_column real = { "a", "A", RA_TABLE_REAL, NULL };
	static const struct ra_table_column count = { "calls", "A", RA_TABLE_COUNT, NULL };

	is_brief(&time, ra_table_make_number(-999), "-999ns");
	is_brief(&time, ra_table_make_number(1500), "1.500us");
	is_brief(&time, ra_table_make_number(-123456), "-123.5us");
	is_brief(&time, ra_table_make_number(999949), "999.9us");
	is_brief(&time, ra_table_make_number(999950), "1.000ms");
	is_brief(&time, ra_table_make_number(98765432), "98.77ms");
	is_brief(&time, ra_table_make_number(INT64_MAX), "9223372036.9s");
	is_brief(&time, ra_table_make_number(INT64_MIN), "-9223372036.9s");
	is_brief(&bytes, ra_table_make_number(9999), "9999B");
	is_brief(&bytes, ra_table_make_number(19267584), "19.26MB");
	is_brief(&bytes, ra_table_make_number(INT64_MAX), "9223.3PB");
	is_brief(&real, ra_table_make_real(123456), "123456");
	is_brief(&real, ra_table_make_real(-46762.2), "-46762");
	is_brief(&real, ra_table_make_real(0.07407407), "0.07407");
	is_brief(&count, ra_table_make_number(1234567), "1234567");
	is_brief(&time, (struct ra_table_cell){ .has_value = false }, "-");
}

/* A sentence is broken at blanks, which are not shown, and continues below itself. */
static void test_sentence(void)
{
	static const struct ra_table_column both[2] = {
		{ "name", "Name", RA_TABLE_TEXT, NULL },
		{ "remedy", "Remedy", RA_TABLE_TEXT, NULL },
	};
	struct ra_table table;
	struct ra_table_cell *cells;

	ra_table_init(&table, both, 2);
	cells = ra_table_add_row(&table);
	cells[0] = ra_table_make_word("idle");
	cells[1] = ra_table_make_word("Launch work from a thread that waits for nothing else");
	is_shown(&table, 30,
	         "Name  Remedy\n"
	         "----  ------------------------\n"
	         "idle  Launch work from a\n"
	         "      thread that waits for\n"
	         "      nothing else\n",
	         "a sentence too wide for its column goes on below itself");
	ra_table_fini(&table);
}

int main(void)
{
	test_order();
	test_sentence();
	test_brief();
	return tap_done();
}
