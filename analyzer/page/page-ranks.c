/* SPDX-License-Identifier: MIT */
/* The sections of a page of several ranks that are sums over them, as `stats` makes them of several
 * files. */
#include <string.h>

#include "analyzer/page/page-html.h"
#include "analyzer/page/page-parts.h"
#include "analyzer/page/page-table.h"
#include "analyzer/summary-file/sum-report.h"

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

static int put_report(struct ra_page *page, const struct ra_sum_report *report,
                      const struct ra_sum_set *set)
{
	const struct ra_query query = { .limit = RA_PAGE_ROWS };
	struct ra_table table;
	int rc;

	ra_table_init(&table, report->columns, report->column_count);
	rc = report->fill(set, &table);
	if (rc == 0) {
		rc = ra_query_apply(&query, report->sort, &table);
	}
	if (rc == 0 && table.row_count > 0) {
		ra_page_sections_data(page, report->name, &table);
		ra_util_text_format(&page->body, "<div class=report id=\"r-%s\">\n", report->name);
		ra_page_table_put(&page->body, report->name, report->title, &table);
		ra_util_text_format(&page->body, "</div>\n");
	}
	ra_table_fini(&table);
	return rc;
}

static int put_section(struct ra_page *page, const struct section *section,
                       const struct ra_sum_set *set)
{
	const size_t count = sizeof(section->reports) / sizeof(section->reports[0]);
	int rc = 0;

	ra_util_text_format(&page->nav, "<a href=\"#%s\">%s</a>\n", section->id, section->title);
	ra_util_text_format(&page->body, "<section id=\"%s\"><h2>%s</h2>\n%s", section->id,
	                    section->title, section->views);
	for (size_t i = 0; i < count && section->reports[i] != NULL && rc == 0; i++) {
		rc = put_report(page, section->reports[i], set);
	}
	ra_util_text_format(&page->body, "</section>\n");
	return rc;
}

static int add_model(struct ra_sum_set *set, const struct ra_page *page, size_t index)
{
	const struct ra_sum_build_options options = { .names = page->options->names,
		                                      .step_range = page->options->step_range,
		                                      .words = "" };
	const char *path = page->options->paths[index];
	const char *slash = strrchr(path, '/');
	struct ra_sum_part part = { 0 };
	int rc = ra_sum_texts_copy(&part.origin.source,
	                           ra_sum_texts_make(slash != NULL ? slash + 1 : path));

	if (rc == 0) {
		rc = ra_sum_texts_copy(&part.origin.run, ra_sum_texts_make(""));
	}
	if (rc == 0) {
		rc = ra_sum_build(&part, page->input.models[index], &options);
	}
	if (rc == 0) {
		rc = ra_sum_set_add(set, &part);
	}
	ra_sum_fini(&part);
	return rc;
}

static int put_sections(struct ra_page *page, const struct ra_sum_set *set)
{
	int rc = 0;

	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]) && rc == 0; i++) {
		rc = put_section(page, &sections[i], set);
	}
	return rc;
}

int ra_page_ranks_put_set(struct ra_page *page)
{
	struct ra_util_text text = { 0 };
	const int rc = put_sections(page, page->set);

	ra_util_text_format(&page->nav, "<a href=\"#losses\">Losses and doubts</a>\n");
	ra_util_text_format(&page->body, "<section id=\"losses\"><h2>Losses and doubts</h2>\n"
	                                 "<pre id=footer>");
	ra_sum_set_put_footer(&text, page->set, "");
	page->body.failed |= text.failed;
	ra_page_html_put(&page->body, text.bytes, text.length);
	ra_util_text_format(&page->body, "</pre>\n</section>\n");
	ra_util_text_free(&text);
	return rc;
}

int ra_page_ranks_put(struct ra_page *page)
{
	struct ra_sum_set set = { 0 };
	int rc = 0;

	for (size_t i = 0; i < page->input.model_count && rc == 0; i++) {
		rc = add_model(&set, page, i);
	}
	rc = rc != 0 ? rc : put_sections(page, &set);
	ra_sum_set_fini(&set);
	return rc;
}
