/* SPDX-License-Identifier: MIT */
/* The report "threads": what each thread recorded, and how much of its time is inside ranges. */
#include "analyzer/reports/reports.h"

enum column {
	THREAD,
	TID,
	STREAM,
	EVENTS,
	RANGES,
	MARKS,
	LOST,
	FIRST,
	LAST,
	COVERED,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[THREAD] = { "thread", "Thread", RA_TABLE_TEXT, "" },
	[TID] = { "tid", "TID", RA_TABLE_COUNT, NULL },
	[STREAM] = { "stream", "Stream", RA_TABLE_COUNT, NULL },
	[EVENTS] = { "events", "Events", RA_TABLE_COUNT, NULL },
	[RANGES] = { "ranges", "Ranges", RA_TABLE_COUNT, NULL },
	[MARKS] = { "marks", "Marks", RA_TABLE_COUNT, "0" },
	[LOST] = { "lost", "Lost", RA_TABLE_COUNT, "0" },
	[FIRST] = { "first_ns", "First event", RA_TABLE_TIME, NULL },
	[LAST] = { "last_ns", "Last event", RA_TABLE_TIME, NULL },
	[COVERED] = { "covered_ns", "In ranges", RA_TABLE_TIME, NULL },
};

/* The push/pop ranges of a thread, except waits. */
struct ranges {
	uint64_t count;
	int64_t covered_ns; /* time in which at least one of them was open */
};

static struct ranges sum_ranges(const struct ra_model *model, const struct ra_track *track)
{
	const struct ra_slices *s = &model->slices;
	struct ranges sum = { 0 };
	int64_t until_ns = INT64_MIN;

	if (model->totals != NULL) {
		const struct ra_totals_track *totals =
			&model->totals->tracks[track - model->tracks];

		return (struct ranges){ totals->ranges, totals->covered_ns };
	}
	for (size_t i = track->first_slice; i < track->first_slice + track->slice_count; i++) {
		const int64_t end_ns = s->start_ns[i] + s->dur_ns[i];

		if ((s->flags[i] & RA_SLICE_WAIT) != 0) {
			continue;
		}
		sum.count++;
		if (end_ns > until_ns) {
			sum.covered_ns +=
				end_ns - (s->start_ns[i] > until_ns ? s->start_ns[i] : until_ns);
			until_ns = end_ns;
		}
	}
	return sum;
}

static void fill_threads(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_model *m = input->model;

	for (size_t i = 0; i < m->track_count; i++) {
		const struct ra_track *track = &m->tracks[i];
		struct ra_table_cell *cells;
		struct ranges ranges;

		if (track->kind != RA_TRACK_THREAD ||
		    (m->is_view && track->slice_count + track->mark_count == 0)) {
			continue;
		}
		cells = ra_table_add_row(table);
		if (track->name != 0) {
			cells[THREAD] = ra_table_make_text(ra_model_string(m, track->name));
		}
		cells[TID] = ra_table_make_number(track->tid);
		cells[STREAM] = ra_table_make_number(track->stream);
		cells[EVENTS] = ra_table_make_count(track->events);
		ranges = sum_ranges(m, track);
		cells[RANGES] = ra_table_make_count(ranges.count);
		cells[MARKS] = ra_table_make_count(track->mark_count);
		cells[LOST] = ra_table_make_count(track->lost);
		if (track->events > 0) {
			cells[FIRST] = ra_table_make_number(track->first_ns);
			cells[LAST] = ra_table_make_number(track->last_ns);
			cells[COVERED] = ra_table_make_number(ranges.covered_ns);
		}
	}
}

const struct ra_report ra_report_threads = {
	.name = "threads",
	.needs = RA_REPORT_NEEDS_FACTS,
	.title = "Threads",
	.summary = "what each thread recorded",
	.columns = columns,
	.column_count = COLUMNS,
	.sort = NULL,
	.fill = fill_threads,
};
