/* SPDX-License-Identifier: MIT */
/* Explains a word in a table: a column's key, the rule of a finding, a word of diff. */
#include "analyzer/commands/stats/word-help.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "analyzer/advice/advice.h"
#include "format/options/nearest.h"
#include "analyzer/commands/stats/report-docs.h"
#include "analyzer/commands/stats/report-help.h"
#include "analyzer/commands/stats/report-list.h"
#include "analyzer/summary-file/report/sum-report.h"

#define COLUMNS   80  /* width in columns, as in all help */
#define MOST_USES 256 /* more than there are reports, including those on summaries */

/* A column of a report. */
struct use {
	const char *report;
	const struct ra_table_column *column;
	const char *text; /* its definition; NULL: there is none */
};

/* Finds the column with this title, in upper or lower case. Return: column_count if there is
 * none. */
static size_t find_title(const struct ra_table_column *columns, size_t column_count,
                         const char *title)
{
	size_t at = 0;

	while (at < column_count && strcasecmp(columns[at].title, title) != 0) {
		at++;
	}
	return at;
}

/* Finds a column, as ra_table_find_column() does. */
typedef size_t (*find_column)(const struct ra_table_column *columns, size_t column_count,
                              const char *word);

/* The word to search for, and how to search. */
struct wanted {
	const char *word;
	find_column find;
};

static size_t add_use(struct use *uses, size_t count, const char *report,
                      const struct ra_table_column *columns, size_t column_count,
                      const struct wanted *wanted)
{
	const size_t at = wanted->find(columns, column_count, wanted->word);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(uses[i].report, report) == 0) {
			return count; /* a report on files and one on summaries may have the same
			                 name */
		}
	}
	if (at == column_count || count == MOST_USES) {
		return count;
	}
	uses[count] =
		(struct use){ report, &columns[at], ra_report_docs_find(report, columns[at].key) };
	return count + 1;
}
static size_t find_uses(struct use *uses, const struct wanted *wanted)
{
	size_t count = 0;

	for (const struct ra_report *const *all = ra_report_list_borrow(); *all != NULL; all++) {
		if (ra_report_is_for(*all, RA_COMPAT_NONE)) {
			count = add_use(uses, count, (*all)->name, (*all)->columns,
			                (*all)->column_count, wanted);
		}
	}
	for (size_t i = 0; ra_sum_report_all[i] != NULL; i++) {
		const struct ra_sum_report *report = ra_sum_report_all[i];

		count = add_use(uses, count, report->name, report->columns, report->column_count,
		                wanted);
	}
	return count;
}

static bool is_same(const struct use *use, const struct use *one)
{
	return use->text == one->text && strcmp(use->column->key, one->column->key) == 0 &&
	       strcmp(use->column->title, one->column->title) == 0;
}

/* Prints the reports that have the same column with the same definition as `one`, and removes them
 * from the list. */
static void print_reports(struct use *uses, size_t count, const struct use *one, size_t column)
{
	const char *between = "";

	for (size_t i = 0; i < count; i++) {
		if (uses[i].report == NULL || !is_same(&uses[i], one)) {
			continue;
		}
		column += strlen(between) + strlen(uses[i].report);
		if (column >= COLUMNS && *between != '\0') {
			printf(",\n  %s", uses[i].report);
			column = 2 + strlen(uses[i].report);
		} else {
			printf("%s%s", between, uses[i].report);
		}
		between = ", ";
		uses[i].report = NULL;
	}
	putchar('\n');
}

/* Prints the start of a text: one line, cut at the end of a word. */
static void print_start(const char *text)
{
	size_t room = COLUMNS - 6;

	if (strlen(text) > room) {
		room -= 4;
		while (room > 0 && text[room] != ' ') {
			room--;
		}
		printf("      %.*s ...\n", (int) room, text);
	} else {
		printf("      %s\n", text);
	}
}

/* Prints a column, and the reports that have it with the same definition. @is_whole: print the full
 * definition. */
static void print_uses(struct use *uses, size_t count, size_t first, bool is_whole)
{
	const struct use one = uses[first];
	const int column = is_whole ? printf("\n  %s \"%s\" %s, in ", one.column->key,
	                                     one.column->title, ra_report_help_unit(one.column)) -
	                                      1
	                            : printf("\n  ") - 1;

	print_reports(uses, count, &one, (size_t) column);
	if (one.text != NULL && is_whole) {
		ra_report_help_print_wrapped(one.text);
	} else if (one.text != NULL) {
		print_start(one.text);
	}
}

static void print_column(struct use *uses, size_t count, const char *word)
{
	size_t alike = 0;

	while (alike < count && is_same(&uses[alike], &uses[0])) {
		alike++;
	}
	if (alike == count) {
		printf("%s: a column.\n", word);
	} else {
		printf("%s: a column of %zu reports; `analyzer help REPORT.%s`\n"
		       "explains one.\n",
		       word, count, uses[0].column->key);
	}
	for (size_t i = 0; i < count; i++) {
		if (uses[i].report != NULL) {
			print_uses(uses, count, i, alike == count);
		}
	}
}

/* Finds the column for a word REPORT.COLUMN. Return: the number of columns found, 0 or 1. */
static size_t find_one(struct use *uses, const char *word)
{
	static const find_column finders[] = { ra_table_find_column, find_title };
	const char *dot = strchr(word, '.');
	const size_t length = dot == NULL ? 0 : (size_t) (dot - word);
	size_t found = 0;

	for (size_t f = 0; f < 2 && dot != NULL && found == 0; f++) {
		const size_t count = find_uses(uses, &(struct wanted){ dot + 1, finders[f] });

		for (size_t i = 0; i < count && found == 0; i++) {
			if (strlen(uses[i].report) == length &&
			    memcmp(uses[i].report, word, length) == 0) {
				uses[0] = uses[i];
				found = 1;
			}
		}
	}
	return found;
}

/* Prints ",a,b," as "a, b". */
static void print_keys(const char *keys)
{
	const char *between = "";

	printf("\n  ");
	for (const char *at = keys + 1; *at != '\0'; at += strcspn(at, ",") + 1) {
		printf("%s%.*s", between, (int) strcspn(at, ","), at);
		between = ", ";
	}
	putchar('\n');
}

/* Prints one of the words that a column can contain, or all of them. Return: how many. */
static size_t print_group(const char *group, const char *word)
{
	const char *keys;
	const char *text;
	size_t count = 0;

	for (size_t at = 0; (text = ra_report_docs_list_diff(group, at, &keys)) != NULL; at++) {
		const char *found = word == NULL ? keys : strstr(keys, word);

		if (word == NULL || (found != NULL && found > keys && found[-1] == ',' &&
		                     found[strlen(word)] == ',')) {
			if (word != NULL) {
				printf("%s: a word of diff in the column %s\n", word, group);
			} else {
				print_keys(keys);
			}
			ra_report_help_print_wrapped(text);
			count++;
		}
	}
	return count;
}

/* Explains a word of "diff". Return: false if diff does not print it. */
static bool print_diff(const char *word)
{
	static const struct {
		const char *title;
		const char *key;
	} titles[] = {
		{ "usual call, 95 %", "estimate_part" },
		{ "usual step, 95 %", "estimate_part" },
		{ "total change", "change_ns" },
		{ "total %", "change_part" },
		{ "by", "method" },
		{ "verdicts", "verdict" },
		{ "methods", "method" },
	};
	static const char *const groups[] = { "verdict", "method", "doubt" };
	bool is_verdict;
	const char *text;
	bool has = false;

	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++) {
		word = strcasecmp(word, titles[i].title) == 0 ? titles[i].key : word;
	}
	text = ra_report_docs_find_diff(word);
	is_verdict = text != NULL && strcmp(word, "verdict") == 0;
	if (text != NULL) {
		printf("%s: a column of diff\n", word);
		ra_report_help_print_wrapped(text);
	}
	for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
		if (is_verdict && i > 0) {
			printf("\nThe column %s:\n", i == 1 ? "by, in JSON method" : groups[i]);
		}
		has = print_group(groups[i],
		                  is_verdict || strcmp(word, groups[i]) == 0 ? NULL : word) > 0 ||
		      has;
	}
	return has || text != NULL;
}

bool ra_word_help_print(const char *word)
{
	const char *rule = ra_report_docs_find_finding(word);
	struct use uses[MOST_USES];
	size_t count = find_one(uses, word);
	bool has_diff;

	if (count == 0) {
		count = find_uses(uses, &(struct wanted){ word, ra_table_find_column });
	}
	if (count == 0) {
		count = find_uses(uses, &(struct wanted){ word, find_title });
	}
	if (rule != NULL) {
		printf("%s: a finding of the report advice. Its condition:\n", word);
		ra_report_help_print_wrapped(rule);
	}
	if (count > 0) {
		fputs(rule != NULL ? "\n" : "", stdout);
		print_column(uses, count, word);
	}
	has_diff = print_diff(word);
	if (rule != NULL || count > 0 || has_diff) {
		printf("\n"
		       "doc/metrics.md defines all figures.\n");
	}
	return rule != NULL || count > 0 || has_diff;
}

const char *ra_word_help_guess(const char *word)
{
	struct rlog_nearest nearest;

	rlog_nearest_init(&nearest, word, strlen(word));
	for (size_t i = 0; i < RA_ADVICE_RULES; i++) {
		if (ra_advice_rules[i].id != NULL) {
			rlog_nearest_offer(&nearest, ra_advice_rules[i].id);
		}
	}
	for (const struct ra_report *const *all = ra_report_list_borrow(); *all != NULL; all++) {
		for (size_t c = 0; c < (*all)->column_count; c++) {
			rlog_nearest_offer(&nearest, (*all)->columns[c].key);
			rlog_nearest_offer(&nearest, (*all)->columns[c].title);
		}
	}
	return nearest.best;
}
