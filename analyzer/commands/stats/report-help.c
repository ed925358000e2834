/* SPDX-License-Identifier: MIT */
/* Prints help on reports: their list, and their columns, from their tables and doc/metrics.md. */
#include "analyzer/commands/stats/report-help.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/advice/advice.h"
#include "format/options/nearest.h"
#include "analyzer/commands/shared/screen.h"
#include "analyzer/commands/stats/questions.h"
#include "analyzer/commands/stats/report-alias.h"
#include "analyzer/commands/stats/report-docs.h"
#include "analyzer/commands/stats/report-list.h"
#include "analyzer/summary-file/report/sum-report.h"

#define COLUMNS   79
#define INDENT    6
#define LIST_TEXT 25 /* column where sentences of the list begin */

/* A report, of single files or of summaries. */
struct entry {
	const char *name;
	const char *summary;
	const char *title;
	const struct ra_table_column *columns;
	size_t column_count;
	unsigned groups;
	bool reads_several;
	const struct ra_sum_report *over_ranks; /* the report over several files; NULL: there is
	                                           none */
};

static struct entry make_entry(const struct ra_report *report)
{
	const struct ra_sum_report *over_ranks =
		ra_report_is_for(report, RA_COMPAT_NONE)
			? ra_sum_report_find(report->name, strlen(report->name))
			: NULL;

	return (struct entry){ report->name,
		               report->summary,
		               report->title,
		               report->columns,
		               report->column_count,
		               report->groups,
		               report->reads_several || over_ranks != NULL,
		               over_ranks };
}

/* Makes the entry of a report that only summaries have. */
static struct entry make_sum_entry(const struct ra_sum_report *report)
{
	return (struct entry){ .name = report->name,
		               .summary = report->summary,
		               .title = report->title,
		               .columns = report->columns,
		               .column_count = report->column_count,
		               .reads_several = true };
}

/* Prints a sentence; on a terminal, folded within its column. */
static void print_line(const struct entry *entry)
{
	const size_t width = ra_cmd_screen_width();
	const char *text = entry->summary;
	size_t left = strlen(text);

	printf("%-20s  %c  ", entry->name, entry->reads_several ? '*' : ' ');
	while (width > LIST_TEXT + 20 && left > width - LIST_TEXT) {
		size_t count = width - LIST_TEXT;

		while (count > 0 && text[count] != ' ') {
			count--;
		}
		if (count == 0) {
			break;
		}
		printf("%.*s\n%*s", (int) count, text, LIST_TEXT, "");
		text += count + 1;
		left -= count + 1;
	}
	puts(text);
}

/* Finds a report by name, of files or of summaries. Return: false if there is none. */
static bool find_entry(struct entry *entry, const char *name, size_t length)
{
	const struct ra_report *report = ra_report_list_find(name, length, RA_COMPAT_NONE);
	const struct ra_sum_report *sums = ra_sum_report_find(name, length);

	if (report != NULL) {
		*entry = make_entry(report);
	} else if (sums != NULL) {
		*entry = make_sum_entry(sums);
	}
	return report != NULL || sums != NULL;
}

/* @names: separated by blanks. */
static void print_names(const char *names)
{
	while (*names != '\0') {
		const size_t length = strcspn(names, " ");
		struct entry entry;

		if (find_entry(&entry, names, length)) {
			print_line(&entry);
		}
		names += length;
		names += strspn(names, " ");
	}
}

/* Prints the reports whose more_of is this one. */
static void print_more(const char *name, size_t length)
{
	for (const struct ra_report *const *all = ra_report_list_borrow(); *all != NULL; all++) {
		if ((*all)->more_of != NULL && strlen((*all)->more_of) == length &&
		    memcmp((*all)->more_of, name, length) == 0) {
			const struct entry entry = make_entry(*all);

			print_line(&entry);
		}
	}
}

/* Prints names of reports on one line. @names: separated by blanks. @between: the text before the
 * next name; becomes ", " after the first one. */
static void print_in_line(const char *names, const char **between)
{
	while (*names != '\0') {
		const size_t length = strcspn(names, " ");
		struct entry entry;

		if (find_entry(&entry, names, length)) {
			printf("%s%s%s", *between, entry.name, entry.reads_several ? "*" : "");
			*between = ", ";
		}
		names += length;
		names += strspn(names, " ");
	}
}

static void print_brief(void)
{
	const char *between = "more details of these: ";

	for (const struct ra_question *row = ra_questions; row->question != NULL; row++) {
		const char *before = "\n  ";

		printf("%s  %s", row->question, row->example);
		print_in_line(row->reports, &before);
		puts("");
	}
	for (const struct ra_report *const *all = ra_report_list_borrow(); *all != NULL; all++) {
		if ((*all)->more_of != NULL) {
			print_in_line((*all)->name, &between);
		}
	}
	puts("\n"
	     "*: reads several files, the ranks of a run. `analyzer help REPORT` explains one");
}

/* Prints the reports under the questions that they answer. Reports that are more_of another report
 * follow that one. */
static void print_questions(void)
{
	for (const struct ra_question *row = ra_questions; row->question != NULL; row++) {
		printf("%s%s\n  %s\n", row == ra_questions ? "" : "\n", row->question,
		       row->example);
		print_names(row->reports);
	}
	printf("\n"
	       "More details of these; --help REPORT says of which one\n");
	for (const struct ra_question *row = ra_questions; row->question != NULL; row++) {
		for (const char *name = row->reports; *name != '\0'; name += strspn(name, " ")) {
			const size_t length = strcspn(name, " ");

			print_more(name, length);
			name += length;
		}
	}
}

void ra_report_help_print_list(enum ra_compat compat, bool is_brief)
{
	if (compat == RA_COMPAT_NONE && is_brief) {
		print_brief();
		return;
	}
	if (compat == RA_COMPAT_NONE) {
		print_questions();
	}
	for (const struct ra_report *const *all = ra_report_list_borrow(); *all != NULL; all++) {
		if (compat != RA_COMPAT_NONE && ra_report_is_for(*all, compat)) {
			const struct entry entry = make_entry(*all);

			print_line(&entry);
		}
	}
	printf("\n"
	       "*: reads several files, the ranks of a run. `analyzer stats --help REPORT`\n"
	       "explains the columns.\n");
}

void ra_report_help_print_wrapped(const char *text)
{
	size_t column = 0;

	while (*text != '\0') {
		const size_t length = strcspn(text, " ");

		if (column == 0 || column + 1 + length > COLUMNS) {
			printf("%s%*s", column == 0 ? "" : "\n", INDENT, "");
			column = INDENT;
		} else {
			putchar(' ');
			column++;
		}
		printf("%.*s", (int) length, text);
		column += length;
		text += length;
		text += strspn(text, " ");
	}
	putchar('\n');
}

const char *ra_report_help_unit(const struct ra_table_column *column)
{
	const size_t length = strlen(column->key);

	switch (column->kind) {
	case RA_TABLE_TEXT:
		return "text";
	case RA_TABLE_TIME:
		return "ns";
	case RA_TABLE_SHARE:
	case RA_TABLE_PART:
		return "part of 1";
	case RA_TABLE_RATIO:
		return "ratio";
	case RA_TABLE_VALUE:
		return "TYPE:VALUE";
	case RA_TABLE_SIZE:
		return "bytes";
	case RA_TABLE_FLOPS:
		return "FLOP";
	case RA_TABLE_FLOP_RATE:
		return "FLOP/s";
	case RA_TABLE_BYTE_RATE:
		return "bytes/s";
	case RA_TABLE_FLAG:
		return "0 or 1";
	case RA_TABLE_CHIP:
		return "CPU or CUDA";
	case RA_TABLE_COUNT:
	case RA_TABLE_REAL:
		break;
	}
	if (length > 3 && strcmp(column->key + length - 3, "_us") == 0) {
		return "us";
	}
	return length >= 5 && strcmp(column->key + length - 5, "bytes") == 0 ? "bytes" : "number";
}

/* Prints the keys that the report supports for --group-by. */
static void print_groups(unsigned groups)
{
	const char *before = "--group-by can group rows by ";

	for (size_t i = 0; ra_query_groupings[i] != NULL; i++) {
		if ((groups & ra_query_grouping(i)) != 0) {
			printf("%s%s", before, ra_query_groupings[i]);
			before = ", ";
		}
	}
	puts(groups == 0 ? "" : ".");
}

static void print_column(const struct entry *entry, const struct ra_table_column *column,
                         bool has_docs)
{
	const char *text = has_docs ? ra_report_docs_find(entry->name, column->key) : NULL;

	printf("\n  %s \"%s\" %s\n", column->key, column->title, ra_report_help_unit(column));
	if (text != NULL) {
		ra_report_help_print_wrapped(text);
	}
}

/* Prints the columns that the report has only for several files. */
static void print_over_ranks(const struct entry *entry, bool has_docs)
{
	const struct ra_sum_report *report = entry->over_ranks;
	bool is_first = true;

	for (size_t i = 0; report != NULL && i < report->column_count; i++) {
		bool is_known = false;

		for (size_t c = 0; c < entry->column_count && !is_known; c++) {
			is_known = strcmp(entry->columns[c].key, report->columns[i].key) == 0;
		}
		if (!is_known && (report->never >> i & 1) == 0) {
			printf(is_first ? "\n"
			                  "Only for summaries and several files:\n"
			                : "");
			is_first = false;
			print_column(entry, &report->columns[i], has_docs);
		}
	}
}

/* Prints the reports that are more_of this report, or the report that this one is more_of. */
static void print_parts(const char *name)
{
	const char *between = "More details: ";

	for (const struct ra_report *const *all = ra_report_list_borrow(); *all != NULL; all++) {
		const char *more_of = (*all)->more_of;

		if (more_of != NULL && strcmp(more_of, name) == 0) {
			printf("%s%s", between, (*all)->name);
			between = " ";
		} else if (more_of != NULL && strcmp((*all)->name, name) == 0) {
			printf("More details of %s.\n", more_of);
		}
	}
	fputs(between[0] == ' ' ? ".\n" : "", stdout);
}

static void print_entry(const struct entry *entry, bool has_docs)
{
	printf("%s: %s.\n\n%s\n", entry->name, entry->summary,
	       entry->reads_several ? "Reads one file, or those of several ranks."
	                            : "Reads one file.");
	print_parts(entry->name);
	print_groups(entry->groups);
	printf("Columns: the key for CSV, JSON and --sort; the title in tables; the unit in CSV "
	       "and JSON\n");
	for (size_t i = 0; i < entry->column_count; i++) {
		print_column(entry, &entry->columns[i], has_docs);
	}
	print_over_ranks(entry, has_docs);
	printf("\n"
	       "doc/metrics.md defines all figures.\n");
}

bool ra_report_help_print(const char *name)
{
	const char *ours = ra_report_alias_find(name, strlen(name));
	const char *word = ours != NULL ? ours : name;

	for (int mode = 0; ra_compat_words[mode] != NULL; mode++) {
		const struct ra_report *report =
			ra_report_list_find(word, strlen(word), (enum ra_compat) mode);

		if (report != NULL) {
			const struct entry entry = make_entry(report);

			if (mode != RA_COMPAT_NONE) {
				printf("With --compat=%s:\n", ra_compat_words[mode]);
			}
			print_entry(&entry, mode == RA_COMPAT_NONE);
			return true;
		}
	}
	for (size_t i = 0; ra_sum_report_all[i] != NULL; i++) {
		if (strcmp(ra_sum_report_all[i]->name, word) == 0) {
			const struct entry entry = make_sum_entry(ra_sum_report_all[i]);

			print_entry(&entry, true);
			return true;
		}
	}
	return false;
}

const char *ra_report_help_guess(const char *name, size_t length, enum ra_compat compat)
{
	struct rlog_nearest nearest;

	rlog_nearest_init(&nearest, name, length);
	for (const struct ra_report *const *all = ra_report_list_borrow(); *all != NULL; all++) {
		if (ra_report_is_for(*all, compat)) {
			rlog_nearest_offer(&nearest, (*all)->name);
		}
	}
	for (const struct ra_report_alias *alias = ra_report_alias_borrow();
	     alias->theirs != NULL && compat == RA_COMPAT_NONE; alias++) {
		rlog_nearest_offer(&nearest, alias->theirs);
	}
	return nearest.best;
}

bool ra_report_help_is_finding(const char *name, size_t length)
{
	for (size_t i = 0; i < RA_ADVICE_RULES; i++) {
		const char *id = ra_advice_rules[i].id;

		if (id != NULL && strlen(id) == length && memcmp(id, name, length) == 0) {
			return true;
		}
	}
	return false;
}
