/* SPDX-License-Identifier: MIT */
/* Writes the sections of a page with sums over several ranks, as `stats` does for several files. */
#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/page/page-html.h"
#include "analyzer/page/page-of.h"
#include "analyzer/page/page-parts.h"
#include "analyzer/reports/reports.h"
#include "analyzer/summary-file/report/sum-report.h"
#include "analyzer/summary-file/report/sum-waits.h"

static const struct section {
	const char *id;
	const char *title;
	const char *views;
	const struct ra_sum_report *reports[4];
} sections[] = {
	{ "overview",
	  "Overview",
	  "<div class=view id=\"view-cards\"></div><div class=view id=\"view-steps\"></div>\n",
	  { &ra_sum_report_overview, &ra_sum_report_ranks } },
	{ "ranges", "Ranges", "", { &ra_sum_report_ranges } },
	{ "kernels",
	  "Kernels and calls",
	  "",
	  { &ra_sum_report_kernels, &ra_sum_report_memcpy, &ra_sum_report_api } },
};

static void put_report(struct ra_page_file *file, const struct ra_sum_report *report,
                       const struct ra_sum_set *set)
{
	const struct ra_query query = { .limit = RA_PAGE_ROWS };
	struct ra_page_table_words words = { .report = report->name, .title = report->title };
	struct ra_util_text finding = { 0 };
	struct ra_table table;

	ra_table_init(&table, report->columns, report->column_count);
	report->fill(set, &table);
	ra_query_apply(&query, report->sort, &table);
	if (report->put_finding != NULL) {
		report->put_finding(&finding, set);
		if (finding.length > 0) {
			ra_util_text_put_char(&finding, '\0');
			words.note = finding.bytes;
		}
	}
	if (table.row_count > 0) {
		ra_page_file_add_table(file, &words, &table);
	}
	ra_util_text_free(&finding);
	ra_table_fini(&table);
}

static void put_section(struct ra_page_file *file, const struct section *section,
                        const struct ra_sum_set *set)
{
	const size_t count = sizeof(section->reports) / sizeof(section->reports[0]);

	ra_page_file_begin_section(file, section->id, section->title, section->views);
	for (size_t i = 0; i < count && section->reports[i] != NULL; i++) {
		put_report(file, section->reports[i], set);
	}
	ra_util_text_format(&file->body, "</section>\n");
}

static void add_model(struct ra_sum_set *set, const struct ra_page *page, size_t index)
{
	const struct ra_sum_build_options options = { .names = page->options->names,
		                                      .step_range = page->options->step_range,
		                                      .words = "" };
	const char *path = page->options->paths[index];
	const char *slash = strrchr(path, '/');
	struct ra_sum_part part = { 0 };

	part.origin.source = ra_sum_texts_copy(ra_util_string(slash != NULL ? slash + 1 : path));
	part.origin.run = ra_sum_texts_copy(ra_util_string(""));
	(void) ra_sum_build(&part, page->input.models[index], &options); /* sums over all steps */
	ra_sum_set_add(set, &part);
	ra_sum_fini(&part);
}

static void put_sections(struct ra_page_file *file, const struct ra_sum_set *set)
{
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		put_section(file, &sections[i], set);
	}
}

/* Finds the rank with the longest mean step; of equal ranks the first. */
static size_t find_longest(const struct ra_sum_set *set)
{
	double longest_ns = 0;
	size_t longest = 0;

	for (size_t i = 0; i < set->source_count; i++) {
		const struct ra_sum_steps *steps = &set->sources[i].steps;
		const double mean_ns = steps->count == 0 ? 0
		                                         : (double) steps->role_ns[RA_ROLE_TOTAL] /
		                                                   (double) steps->count;

		longest = mean_ns > longest_ns ? i : longest;
		longest_ns = mean_ns > longest_ns ? mean_ns : longest_ns;
	}
	return longest;
}

static void put_advice(struct ra_page_file *file, const struct ra_sum_source *source,
                       const char *why, const struct ra_table *table)
{
	const struct ra_page_table_words words = { .report = ra_report_advice.name,
		                                   .title = ra_report_advice.title };
	struct ra_util_text name = { 0 };

	ra_page_file_begin_section(file, "findings", "Findings", "");
	ra_sum_set_put_source(&name, source);
	ra_util_text_format(&file->body, "<p class=note id=findings-of>Of ");
	ra_page_html_put(&file->body, name.bytes, name.length);
	ra_util_text_format(
		&file->body,
		", %s. <code>analyzer stats -r advice FILE</code> tells of others.</p>\n"
		"<div class=view id=\"view-findings\"></div>\n",
		why);
	ra_page_file_add_table(file, &words, table);
	ra_util_text_format(&file->body, "</section>\n");
	ra_util_text_free(&name);
}

/* Writes findings about one rank: the rank that the others wait for, or else the slowest. */
static void put_findings(struct ra_page *page, const struct ra_sum_set *set)
{
	const struct ra_labels_options kernel_options = { .is_kernels = true };
	const struct ra_query query = { .limit = RA_PAGE_ROWS };
	struct ra_labels labels = { 0 };
	struct ra_labels kernels = { 0 };
	struct ra_report_input input = { .settings = page->input.settings,
		                         .group_by = page->input.group_by,
		                         .labels = &labels,
		                         .kernels = &kernels };
	struct ra_table table;
	const size_t last = ra_sum_waits_last(set);
	const bool is_last = last != SIZE_MAX;
	const size_t rank = is_last ? last : find_longest(set);

	input.model = page->input.models[rank];
	ra_labels_init(&labels, input.model, &page->options->names);
	ra_labels_init(&kernels, input.model, &kernel_options);
	ra_report_make(&ra_report_advice, &input, &query, &table);
	if (table.row_count > 0) {
		put_advice(&page->file, &set->sources[rank],
		           is_last ? "which the others wait for" : "whose steps are the longest",
		           &table);
	}
	ra_table_fini(&table);
	ra_report_fini_input(&input);
	ra_labels_fini(&labels);
	ra_labels_fini(&kernels);
}

void ra_page_ranks_put(struct ra_page *page)
{
	struct ra_sum_set set = { 0 };

	for (size_t i = 0; i < page->input.model_count; i++) {
		add_model(&set, page, i);
	}
	put_sections(&page->file, &set);
	put_findings(page, &set);
	ra_sum_set_fini(&set);
}

static void put_footer(struct ra_page_file *file, const struct ra_sum_set *set)
{
	struct ra_util_text text = { 0 };
	uint64_t events = 0;
	uint64_t lost = 0;

	for (size_t i = 0; i < set->source_count; i++) {
		events = ra_util_add(events, set->sources[i].events);
		lost = ra_util_add(lost, set->sources[i].lost);
	}
	ra_util_text_format(
		&file->footer, "\"footer\":{\"inputs\":%zu,\"events\":%llu,\"lost\":%llu}",
		set->source_count, (unsigned long long) events, (unsigned long long) lost);
	ra_page_file_begin_section(file, "losses", "Losses and doubts", "<pre id=footer>");
	ra_sum_set_put_footer(&text, set, "");
	ra_page_html_put(&file->body, text.bytes, text.length);
	ra_util_text_format(&file->body, "</pre>\n</section>\n");
	ra_util_text_free(&text);
}

void ra_page_of_sums_write(const struct ra_sum_set *set, const char *title, struct ra_outbuf *out)
{
	struct ra_page_file file = { .title = title };

	put_sections(&file, set);
	ra_util_text_format(&file.facts, "<li>%zu input%s</li>\n", set->source_count,
	                    ra_util_text_plural(set->source_count));
	put_footer(&file, set);
	ra_page_file_write(&file, out);
	ra_page_file_fini(&file);
}
