/* SPDX-License-Identifier: MIT */
/* Writes the sections of the page: chooses the reports, and writes them as tables and as data. */
#include <string.h>

#include "analyzer/page/page-html.h"
#include "analyzer/page/page-links.h"
#include "analyzer/page/page-parts.h"
#include "analyzer/footer/footer.h"
#include "analyzer/model/walk.h"
#include "analyzer/reports/reports.h"

#define SECTION_REPORTS 12

struct section {
	const char *id;
	const char *title;
	const char *views; /* ids of elements that the script draws in, separated by blanks */
	const struct ra_report *reports[SECTION_REPORTS];
};

static const struct section sections[] = {
	{ "overview",
	  "Overview",
	  "cards steps",
	  { &ra_report_step_average, &ra_report_overview, &ra_report_gpu, &ra_report_devices } },
	{ "findings", "Findings", "findings", { &ra_report_advice } },
	{ "timeline", "Timeline", "timeline", { NULL } },
	{ "flame", "Flame graph", "flame", { NULL } },
	{ "ranges", "Ranges", "", { &ra_report_ranges } },
	{ "operators", "Operators", "", { &ra_report_operators, &ra_report_modules } },
	{ "kernels",
	  "Kernels",
	  "",
	  { &ra_report_categories, &ra_report_kernels, &ra_report_op_kernels } },
	{ "idle",
	  "Waiting",
	  "",
	  { &ra_report_temporal, &ra_report_idle, &ra_report_idle_streams, &ra_report_gaps,
	    &ra_report_gpu_sync, &ra_report_sync } },
	{ "memory",
	  "Memory",
	  "memory-curve",
	  { &ra_report_memory_curve, &ra_report_memory, &ra_report_memory_holders,
	    &ra_report_op_memory } },
	{ "distributed",
	  "Distributed",
	  "",
	  { &ra_report_comm, &ra_report_comm_bandwidth, &ra_report_overlap, &ra_report_types,
	    &ra_report_stragglers, &ra_report_step_overlap } },
	{ "more",
	  "More tables",
	  "",
	  { &ra_report_api, &ra_report_memcpy, &ra_report_launch, &ra_report_projection_devices,
	    &ra_report_graphs, &ra_report_overhead, &ra_report_threads, &ra_report_domains,
	    &ra_report_payload, &ra_report_counters } },
	{ "losses", "Losses and doubts", "", { &ra_report_footer } },
};

/* True if a report is shown as a drawing, not as a table. */
static bool is_drawn(const struct ra_report *report)
{
	return report == &ra_report_memory_curve;
}

static void put_views(struct ra_util_text *html, const char *views)
{
	while (*views != '\0') {
		const size_t length = strcspn(views, " ");

		ra_util_text_format(html, "<div class=view id=\"view-%.*s\"></div>\n", (int) length,
		                    views);
		views += length + strspn(views + length, " ");
	}
}

/* Appends the data of a report. Appends its table, too, unless the report is drawn. */
static void put_report(struct ra_page *page, const struct ra_report *report,
                       const struct ra_table *table)
{
	const struct ra_page_table_words words = { .report = report->name,
		                                   .title = report->title,
		                                   .note = report->note };

	if (is_drawn(report)) {
		ra_page_file_add_data(&page->file, report->name, table);
		return;
	}
	ra_page_file_add_table(&page->file, &words, table);
	ra_page_shapes_put(page, report, table);
}

/* True if a report on communication would be all zeros, because a single file has no
 * communication. */
static bool is_pointless(const struct ra_page *page, const struct ra_report *report,
                         const struct ra_table *table)
{
	return report == &ra_report_comm && table->row_count == 0 && page->input.model_count <= 1;
}

/* With several files, only reports over several files are meaningful. */
static bool is_possible(const struct ra_page *page, const struct ra_report *report)
{
	return report->reads_several || page->input.model_count <= 1;
}

static void put_reports(struct ra_page *page, const struct section *section, bool *is_empty)
{
	const struct ra_query query = { .group_by = page->input.group_by, .limit = RA_PAGE_ROWS };
	const struct ra_query curve = { .group_by = page->input.group_by };
	bool is_over = false;

	for (size_t i = 0; i < SECTION_REPORTS && section->reports[i] != NULL && !is_over; i++) {
		const struct ra_report *report = section->reports[i];
		struct ra_table table;

		if (!is_possible(page, report)) {
			continue;
		}
		ra_report_make(report, &page->input, is_drawn(report) ? &curve : &query, &table);
		if (table.row_count > 0) {
			put_report(page, report, &table);
			*is_empty = false;
		}
		is_over = is_pointless(page, report, &table);
		ra_table_fini(&table);
	}
}

const struct ra_model *ra_page_sections_foot(const struct ra_page *page, size_t file)
{
	return file == 0 ? page->whole : ra_report_file_model(&page->input, file);
}

/* Writes single figures below the tables, and what data are missing, as every report of `analyzer
 * stats` does. */
static void put_footers(struct ra_page *page)
{
	const size_t count = ra_report_file_count(&page->input);
	struct ra_util_text text = { 0 };

	ra_util_text_format(&page->file.body, "<h3>Footer</h3>\n<pre id=footer>");
	ra_report_put_figures(&text, &page->input);
	ra_labels_put_note(&text, page->input.labels);
	for (size_t i = 0; i < count; i++) {
		if (count > 1) {
			ra_util_text_format(&text, "rank %lld:\n",
			                    (long long) ra_report_file_rank(&page->input, i));
		}
		ra_footer_put_text(&text, ra_page_sections_foot(page, i), "");
	}
	ra_page_html_put(&page->file.body, text.bytes, text.length);
	ra_util_text_format(&page->file.body, "</pre>\n");
	ra_util_text_free(&text);
}

/* True if the page has drawings. With several files it has none, because the files' times have no
 * common axis. */
static bool has_drawings(const struct ra_page *page)
{
	return page->input.model_count <= 1 &&
	       ra_walk_count_slices(page->input.model) + page->input.model->gpu.op_count > 0;
}

static void put_section(struct ra_page *page, const struct section *section)
{
	const size_t start = page->file.body.length;
	const bool is_last = section == &sections[sizeof(sections) / sizeof(sections[0]) - 1];
	bool is_empty = section->reports[0] != NULL || !has_drawings(page);

	ra_page_file_put_heading(&page->file, section->id, section->title);
	put_views(&page->file.body, section->views);
	put_reports(page, section, &is_empty);
	if (is_last) {
		put_footers(page);
	}
	ra_util_text_format(&page->file.body, "</section>\n");
	if (is_empty && !is_last) {
		page->file.body.length = start;
	} else {
		ra_util_text_format(&page->file.nav, "<a href=\"#%s\">%s</a>\n", section->id,
		                    section->title);
	}
}

void ra_page_sections_put(struct ra_page *page)
{
	if (page->input.model_count > 1) {
		ra_page_ranks_put(page);
	}
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		put_section(page, &sections[i]);
	}
	ra_page_links_check(&page->file.body);
}
