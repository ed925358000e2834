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
 * Starts are counted from the start of the item before it in its row, the first from 0. `name` is
 * an index; less than 0: so many neighbours that are each shorter than T, with gaps shorter than T
 * between them, are one item. T is about the smallest that gives ITEMS items at most, so a page has
 * a bounded size, and what is long enough to be seen in the whole is there by itself.
 */
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/page/page-html.h"
#include "analyzer/page/page-parts.h"
#include "analyzer/page/page-rows.h"
#include "analyzer/steps/steps.h"

#define ITEMS      24000
#define STEPS      1000
#define FINEST     20 /* T begins with 2^-20 of the whole time */
#define TRIES      5
#define NAME_WIDTH 300

/* An item to draw, or several merged ones. */
struct piece {
	int64_t start_ns;
	int64_t end_ns;
	uint64_t count;
	uint32_t name;
	uint32_t row;
	uint32_t lane;
};

static void extend(struct piece *piece, int64_t end_ns)
{
	piece->end_ns = end_ns > piece->end_ns ? end_ns : piece->end_ns;
	piece->count++;
}

/*
 * Merges short neighbours.
 *
 * @pieces: NULL: only count them. Return: their number.
 */
static size_t reduce(const struct ra_page_rows *rows, int64_t least_ns, struct piece *pieces)
{
	struct piece last[RA_PAGE_LANES]; /* by lane: the short items at its end */
	size_t place[RA_PAGE_LANES] = { 0 };
	uint32_t row = RA_NONE;
	size_t count = 0;

	for (size_t i = 0; i < rows->item_count; i++) {
		const struct ra_page_item *item = &rows->items[i];
		const int64_t end_ns = ra_util_add_time(item->start_ns, item->dur_ns);
		struct piece *at = &last[item->lane];

		if (item->row != row) {
			memset(last, 0, sizeof(last));
			row = item->row;
		}
		if (item->dur_ns < least_ns && at->count > 0 &&
		    item->start_ns - at->end_ns < least_ns) {
			extend(at, end_ns);
			if (pieces != NULL) {
				pieces[place[item->lane]] = *at;
			}
			continue;
		}
		*at = (struct piece){ item->start_ns, end_ns, 1, item->name, row, item->lane };
		place[item->lane] = count;
		if (pieces != NULL) {
			pieces[count] = *at;
		}
		count++;
		at->count = item->dur_ns < least_ns ? 1 : 0; /* a long item is not merged */
	}
	return count;
}

/* Finds T. Doubles it until there are few enough items. Then tries some values between the last
 * two, and takes the smallest that is enough. */
static int64_t find_least(const struct ra_page_rows *rows, int64_t end_ns)
{
	int64_t many_ns = 0;
	int64_t few_ns = (end_ns >> FINEST) + 1;

	if (rows->item_count <= ITEMS) {
		return 0;
	}
	while (reduce(rows, few_ns, NULL) > ITEMS && few_ns < INT64_MAX / 2) {
		many_ns = few_ns;
		few_ns *= 2;
	}
	for (int i = 0; i < TRIES; i++) {
		const int64_t middle_ns = many_ns + (few_ns - many_ns) / 2;

		if (reduce(rows, middle_ns, NULL) > ITEMS) {
			many_ns = middle_ns;
		} else {
			few_ns = middle_ns;
		}
	}
	return few_ns;
}

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

static void put_rows(struct ra_util_text *json, const struct ra_page_rows *rows,
                     const struct piece *pieces, size_t count)
{
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
	struct piece *pieces;
	struct ra_page_rows rows;
	int64_t least_ns;
	size_t count;

	ra_page_rows_init(&rows, page, model);
	least_ns = find_least(&rows, model->end_ns);
	count = reduce(&rows, least_ns, NULL);
	pieces = ra_alloc_zeros(count + 1, sizeof(*pieces));
	(void) reduce(&rows, least_ns, pieces);
	ra_util_text_format(json, "{\"end_ns\":%lld,\"merged_below_ns\":%lld,\"items\":%zu,",
	                    (long long) model->end_ns, (long long) least_ns, rows.item_count);
	ra_util_text_format(json, "\"rows_left_out\":%zu,\n", rows.rows_left_out);
	ra_page_counters_put(model, json);
	put_steps(json, page, model);
	put_names(json, &rows);
	put_rows(json, &rows, pieces, count);
	free(pieces);
	ra_page_rows_fini(&rows);
}
