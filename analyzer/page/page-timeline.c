/* SPDX-License-Identifier: MIT */
/*
 * The data of the timeline:
 *
 * {"end_ns":…, "merged_below_ns":T, "items":how many there are, "rows_left_out":…,
 *  "steps":[[name, start, end], …], "names":[…],
 *  "rows":[{"name":…, "kind":"thread"|"calls"|"crossing"|"spans"|"stream", "lanes":…,
 *           "left_out":…, "data":[lane, start, duration, name, …]}, …],
 *  "counters":… (page-counters.c)}
 *
 * An item's start is relative to the start of the item before it in its row; the first is relative
 * to 0. `name` is an index into `names`; -N: N neighbours were merged to this item (page-pieces.h).
 */
#include "analyzer/page/page-html.h"
#include "analyzer/page/page-parts.h"
#include "analyzer/page/page-rows.h"
#include "analyzer/steps/steps.h"

#define STEPS      1000
#define NAME_WIDTH 300

static void put_steps(struct ra_util_text *json, const struct ra_page *page,
                      const struct ra_model *model)
{
	const struct ra_steps_options options = { .range = page->options->step_range,
		                                  .only = page->options->steps };
	struct ra_steps steps;

	ra_steps_init(&steps, model, &options);
	ra_util_text_format(json, "\"steps\":[");
	for (size_t i = 0; !steps.is_whole && i < steps.times.step_count && i < STEPS; i++) {
		ra_util_text_format(json, i == 0 ? "[\"" : ",[\"");
		ra_util_text_put_name(json, steps.times.steps[i].name, RA_TEXT_JSON);
		ra_util_text_format(json, "\",%lld,%lld]", (long long) steps.hosts[i].start_ns,
		                    (long long) steps.hosts[i].end_ns);
	}
	ra_util_text_format(json, "],\n");
	ra_steps_fini(&steps);
}

/* Writes the names, shortened. The tables have the whole names. */
static void put_names(struct ra_util_text *json, const struct ra_page_rows *rows)
{
	struct ra_util_text safe = { 0 };

	ra_util_text_format(json, "\"names\":[");
	for (size_t i = 0; i < rows->name_count; i++) {
		struct rlog_string name;

		ra_util_text_clear(&safe);
		ra_page_html_shorten(&safe, rows->names[i], NAME_WIDTH);
		name = (struct rlog_string){ safe.bytes, (uint32_t) safe.length, 0 };
		ra_util_text_format(json, i == 0 ? "\"" : ",\n\"");
		ra_util_text_put_name(json, name, RA_TEXT_JSON);
		ra_util_text_put_char(json, '"');
	}
	ra_util_text_free(&safe);
	ra_util_text_format(json, "],\n");
}

static void put_rows(struct ra_util_text *json, const struct ra_page_rows *rows)
{
	const struct ra_page_piece *pieces = rows->pieces.rows;
	const size_t count = rows->pieces.count;
	size_t p = 0;

	ra_util_text_format(json, "\"rows\":[");
	for (size_t r = 0; r < rows->row_count; r++) {
		const struct ra_page_row *row = &rows->rows[r];
		int64_t before_ns = 0;
		bool is_first = true;

		ra_util_text_format(json, r == 0 ? "{\"name\":\"" : ",\n{\"name\":\"");
		ra_util_text_put(json, rows->texts.bytes + row->name, row->name_length);
		ra_util_text_format(json, "\",\"kind\":\"%s\",\"lanes\":%u,\"left_out\":%llu,",
		                    row->kind, row->lanes, (unsigned long long) row->left_out);
		ra_util_text_format(json, "\"data\":[");
		for (; p < count && pieces[p].row == r; p++) {
			ra_util_text_format(json, "%s%u,%lld,%lld,", is_first ? "" : ",",
			                    pieces[p].lane,
			                    (long long) (pieces[p].start_ns - before_ns),
			                    (long long) (pieces[p].end_ns - pieces[p].start_ns));
			ra_util_text_put_int(json, pieces[p].count > 1 ? -(int64_t) pieces[p].count
			                                               : (int64_t) pieces[p].name);
			before_ns = pieces[p].start_ns;
			is_first = false;
		}
		ra_util_text_format(json, "]}");
	}
	ra_util_text_format(json, "]}");
}

void ra_page_timeline_put(struct ra_page *page, struct ra_util_text *json)
{
	const struct ra_model *model =
		page->options->select != NULL ? &page->options->select->things : page->input.model;
	const struct ra_page_rows *rows;

	if (page->rows == NULL) { /* the page has no table of ranges, so the rows were not made */
		ra_page_rows_make(page, NULL, NULL);
	}
	rows = page->rows;
	ra_util_text_format(json, "{\"end_ns\":%lld,\"merged_below_ns\":%lld,\"items\":%llu,",
	                    (long long) model->end_ns, (long long) rows->pieces.least_ns,
	                    (unsigned long long) rows->pieces.item_count);
	ra_util_text_format(json, "\"rows_left_out\":%zu,\n", rows->rows_left_out);
	ra_page_counters_put(model, json);
	put_steps(json, page, model);
	put_names(json, rows);
	put_rows(json, rows);
	ra_page_rows_free(page);
}
