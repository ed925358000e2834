/* SPDX-License-Identifier: MIT */
/* The report "threads": what each thread recorded, and how much of its time ranges cover. */
#include "analyzer/report.h"

#include "format/error.h"

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

/* Time in which at least one push/pop range of the thread was open. */
static int64_t sum_covered(const struct ra_model *model, const struct ra_track *track)
{
	const struct ra_slices *s = &model->slices;
	int64_t covered_ns = INT64_MIN;
	int64_t sum_ns = 0;

	for (size_t i = track->first_slice; i < track->first_slice + track->slice_count; i++) {
		const int64_t end_ns = s->start_ns[i] + s->dur_ns[i];

		if (s->parent[i] != RA_NONE || end_ns <= covered_ns) {
			continue;
		}
		sum_ns += end_ns - (s->start_ns[i] > covered_ns ? s->start_ns[i] : covered_ns);
		covered_ns = end_ns;
	}
	return sum_ns;
}

static int fill_threads(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_model *m = input->model;

	for (size_t i = 0; i < m->track_count; i++) {
		const struct ra_track *track = &m->tracks[i];
		struct ra_table_cell *cells;

		if (track->kind != RA_TRACK_THREAD) {
			continue;
		}
		cells = ra_table_add_row(table);
		if (cells == NULL) {
			return -RLOG_E_NO_MEMORY;
		}
		if (track->name != 0) {
			cells[THREAD] = ra_table_make_text(ra_model_string(m, track->name));
		}
		cells[TID] = ra_table_make_number(track->tid);
		cells[STREAM] = ra_table_make_number(track->stream);
		cells[EVENTS] = ra_table_make_count(track->events);
		cells[RANGES] = ra_table_make_count(track->slice_count);
		cells[MARKS] = ra_table_make_count(track->mark_count);
		cells[LOST] = ra_table_make_count(track->lost);
		if (track->events > 0) {
			cells[FIRST] = ra_table_make_number(track->first_ns);
			cells[LAST] = ra_table_make_number(track->last_ns);
			cells[COVERED] = ra_table_make_number(sum_covered(m, track));
		}
	}
	return 0;
}

const struct ra_report ra_report_threads = {
	.name = "threads",
	.title = "Threads",
	.summary = "what each thread recorded",
	.columns = columns,
	.column_count = COLUMNS,
	.sort = NULL,
	.fill = fill_threads,
};
