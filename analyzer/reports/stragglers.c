/* SPDX-License-Identifier: MIT */
/* The report "stragglers": ranks that come last to collectives, and how long others waited. */
#include "analyzer/reports/reports.h"

#include <stdlib.h>

#include "analyzer/figures/collectives.h"
#include "analyzer/base/util.h"
#include "format/error.h"

enum column {
	RANK,
	HITS,
	COLLECTIVES,
	LATE,
	WORST,
	START,
	NAME,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[HITS] = { "hits", "Came last", RA_TABLE_COUNT, NULL },
	[COLLECTIVES] = { "collectives", "Of", RA_TABLE_COUNT, NULL },
	[LATE] = { "late_ns", "Others waited", RA_TABLE_TIME, NULL },
	[WORST] = { "worst_ns", "Longest", RA_TABLE_TIME, NULL },
	[START] = { "start_ns", "At", RA_TABLE_TIME, NULL },
	[NAME] = { "name", "Collective", RA_TABLE_TEXT, NULL },
};

/* A collective that all ranks took part in. All end it at once, so who was there shortest came
 * last, whatever the clocks of the machines say. */
struct meeting {
	int64_t shortest_ns;
	int64_t longest_ns;
	size_t last; /* rank, the first of equal ones */
	size_t call; /* its call */
	bool is_known;
};

static void attend(struct meeting *meeting, const struct ra_collective *call, size_t rank,
                   size_t index)
{
	if (!meeting->is_known || call->dur_ns < meeting->shortest_ns) {
		meeting->shortest_ns = call->dur_ns;
		meeting->last = rank;
		meeting->call = index;
	}
	if (!meeting->is_known || call->dur_ns > meeting->longest_ns) {
		meeting->longest_ns = call->dur_ns;
	}
	meeting->is_known = true;
}

struct straggler {
	uint64_t hits;
	int64_t late_ns;
	int64_t worst_ns;
	const struct ra_collective *worst;
};

static void find_last(struct straggler *stragglers, const struct ra_collectives *collectives,
                      const struct meeting *meeting)
{
	const int64_t late_ns = meeting->longest_ns - meeting->shortest_ns;
	struct straggler *straggler = &stragglers[meeting->last];

	if (!meeting->is_known || late_ns == 0) {
		return;
	}
	straggler->hits++;
	straggler->late_ns = ra_util_add_time(straggler->late_ns, late_ns);
	if (late_ns > straggler->worst_ns) {
		straggler->worst_ns = late_ns;
		straggler->worst = &collectives->ranks[meeting->last].calls[meeting->call];
	}
}

static int put_straggler(int64_t rank, const struct straggler *straggler, uint64_t meetings,
                         struct ra_table *table)
{
	struct ra_table_cell *cells = ra_table_add_row(table);

	if (cells == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	cells[RANK] = ra_table_make_number(rank);
	cells[HITS] = ra_table_make_count(straggler->hits);
	cells[COLLECTIVES] = ra_table_make_count(meetings);
	cells[LATE] = ra_table_make_number(straggler->late_ns);
	if (straggler->worst != NULL) {
		cells[WORST] = ra_table_make_number(straggler->worst_ns);
		cells[START] = ra_table_make_number(straggler->worst->start_ns);
		cells[NAME] = ra_table_make_text(straggler->worst->name);
	}
	return 0;
}

/* Return: how many collectives all ranks took part in. */
static uint64_t find_stragglers(struct straggler *stragglers,
                                const struct ra_collectives *collectives, struct meeting *meetings)
{
	uint64_t known = 0;

	for (size_t r = 0; r < collectives->count; r++) {
		const struct ra_collectives_rank *rank = &collectives->ranks[r];

		for (size_t i = 0; i < rank->count; i++) {
			if (rank->calls[i].match != RA_NONE) {
				attend(&meetings[rank->calls[i].match], &rank->calls[i], r, i);
			}
		}
	}
	for (size_t i = 0; i < collectives->ranks[0].count; i++) {
		known += meetings[i].is_known;
		find_last(stragglers, collectives, &meetings[i]);
	}
	return known;
}

static int fill_stragglers(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_collectives collectives;
	const struct ra_files files = ra_report_files(input);
	int rc = ra_collectives_init(&collectives, &files);
	struct straggler *stragglers = calloc(collectives.count + 1, sizeof(*stragglers));
	struct meeting *meetings = NULL;

	if (rc == 0 && collectives.count > 0) {
		meetings = calloc(collectives.ranks[0].count + 1, sizeof(*meetings));
	}
	if (rc == 0 && (stragglers == NULL || meetings == NULL)) {
		rc = -RLOG_E_NO_MEMORY;
	}
	if (rc == 0) {
		const uint64_t known = find_stragglers(stragglers, &collectives, meetings);

		for (size_t r = 0; r < collectives.count && known > 0 && rc == 0; r++) {
			rc = put_straggler(collectives.ranks[r].number, &stragglers[r], known,
			                   table);
		}
	}
	free(stragglers);
	free(meetings);
	ra_collectives_fini(&collectives);
	return rc;
}

const struct ra_report ra_report_stragglers = {
	.name = "stragglers",
	.reads_several = true,
	.title = "Stragglers",
	.summary = "how often each rank comes last to a collective, and how long others waited",
	.none = "no collective that several ranks took part in",
	.columns = columns,
	.column_count = COLUMNS,
	.sort = "late",
	.fill = fill_stragglers,
};
