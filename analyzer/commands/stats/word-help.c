/* SPDX-License-Identifier: MIT */
/* What a word in a table means: a column's key, or the rule of a finding. */
#include "analyzer/commands/stats/word-help.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "analyzer/advice/advice.h"
#include "analyzer/commands/shared/nearest.h"
#include "analyzer/commands/stats/report-docs.h"
#include "analyzer/commands/stats/report-help.h"
#include "analyzer/commands/stats/report-list.h"
#include "analyzer/summary-file/sum-report.h"

#define MOST_USES 256 /* reports, those of summaries as well */

/* A report that has the column. */
struct use {
	const char *report;
	const struct ra_table_column *column;
	const char *text; /* its definition; NULL: there is none */
};

/* The column of that title, in any case; column_count if there is none. */
static size_t find_title(const struct ra_table_column *columns, size_t column_count,
                         const char *title)
{
	size_t at = 0;

	while (at < column_count && strcasecmp(columns[at].title, title) != 0) {
		at++;
	}
	return at;
}

/* As ra_table_find_column. */
typedef size_t (*find_column)(const struct ra_table_column *columns, size_t column_count,
                              const char *word);

/* What is looked for, and how. */
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
			return count; /* what single files and summaries have */
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

/* Those whose definition is the same, which are then done with. */
static void print_uses(struct use *uses, size_t count, size_t first)
{
	const struct use one = uses[first];
	const char *between = " ";

	printf("\n  %s \"%s\" %s, in", one.column->key, one.column->title,
	       ra_report_help_unit(one.column));
	for (size_t i = first; i < count; i++) {
		if (uses[i].report != NULL && uses[i].text == one.text &&
		    strcmp(uses[i].column->key, one.column->key) == 0 &&
		    strcmp(uses[i].column->title, one.column->title) == 0) {
			printf("%s%s", between, uses[i].report);
			between = ", ";
			uses[i].report = NULL;
		}
	}
	putchar('\n');
	if (one.text != NULL) {
		ra_report_help_print_wrapped(one.text);
	}
}

bool ra_word_help_print(const char *word)
{
	const char *rule = ra_report_docs_find_finding(word);
	struct use uses[MOST_USES];
	size_t count = find_uses(uses, &(struct wanted){ word, ra_table_find_column });

	if (count == 0) {
		count = find_uses(uses, &(struct wanted){ word, find_title });
	}

	if (rule != NULL) {
		printf("%s: a finding of the report advice, if\n", word);
		ra_report_help_print_wrapped(rule);
	}
	if (count > 0) {
		printf("%s%s: a column.\n", rule != NULL ? "\n" : "", word);
	}
	for (size_t i = 0; i < count; i++) {
		if (uses[i].report != NULL) {
			print_uses(uses, count, i);
		}
	}
	if (rule != NULL || count > 0) {
		printf("\ndoc/metrics.md has it all.\n");
	}
	return rule != NULL || count > 0;
}

const char *ra_word_help_guess(const char *word)
{
	struct ra_cmd_nearest nearest;

	ra_cmd_nearest_init(&nearest, word, strlen(word));
	for (size_t i = 0; i < RA_ADVICE_RULES; i++) {
		if (ra_advice_rules[i].id != NULL) {
			ra_cmd_nearest_offer(&nearest, ra_advice_rules[i].id);
		}
	}
	for (const struct ra_report *const *all = ra_report_list_borrow(); *all != NULL; all++) {
		for (size_t c = 0; c < (*all)->column_count; c++) {
			ra_cmd_nearest_offer(&nearest, (*all)->columns[c].key);
			ra_cmd_nearest_offer(&nearest, (*all)->columns[c].title);
		}
	}
	return nearest.best;
}
