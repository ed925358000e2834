/* SPDX-License-Identifier: MIT */
/* Collects the single calls of a table's row: durations over time, and the slowest calls. */
#include "analyzer/page/page-calls.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

/* only so many rows of a table have their calls in the page, whose size must be bounded */
#define ROWS  60
#define PARTS 60
#define SLOW  10

const size_t ra_page_calls_parts = PARTS;

struct part {
	uint64_t count;
	int64_t sum_ns;
	int64_t max_ns;
};

struct call {
	int64_t start_ns;
	int64_t dur_ns;
};

struct ra_page_calls_row {
	struct call slow[SLOW]; /* the slowest first; of equally slow calls the earliest */
	size_t slow_count;
	struct part parts[PARTS];
};

void ra_page_calls_init(struct ra_page_calls *calls, size_t rows, int64_t end_ns)
{
	*calls = (struct ra_page_calls){ .count = rows < ROWS ? rows : ROWS, .end_ns = end_ns };
	calls->rows = ra_alloc_zeros(calls->count + 1, sizeof(*calls->rows));
}

void ra_page_calls_fini(struct ra_page_calls *calls)
{
	free(calls->rows);
}

static size_t find_part(const struct ra_page_calls *calls, int64_t start_ns)
{
	const double share =
		calls->end_ns > 0 ? (double) start_ns / (double) calls->end_ns * PARTS : 0;

	if (!(share > 0)) {
		return 0;
	}
	return share < PARTS ? (size_t) share : PARTS - 1;
}

/* Stores a call if it is among the slowest. */
static void keep_slow(struct ra_page_calls_row *row, int64_t start_ns, int64_t dur_ns)
{
	size_t at = row->slow_count;

	if (at == SLOW) {
		if (dur_ns <= row->slow[SLOW - 1].dur_ns) {
			return;
		}
		at--;
	} else {
		row->slow_count++;
	}
	for (; at > 0 && row->slow[at - 1].dur_ns < dur_ns; at--) {
		row->slow[at] = row->slow[at - 1];
	}
	row->slow[at] = (struct call){ start_ns, dur_ns };
}

void ra_page_calls_add(struct ra_page_calls *calls, size_t row, int64_t start_ns, int64_t dur_ns)
{
	struct part *part;

	if (row >= calls->count) {
		return;
	}
	part = &calls->rows[row].parts[find_part(calls, start_ns)];
	part->count++;
	part->sum_ns = ra_util_add_time(part->sum_ns, dur_ns);
	part->max_ns = dur_ns > part->max_ns ? dur_ns : part->max_ns;
	keep_slow(&calls->rows[row], start_ns, dur_ns);
}

bool ra_page_calls_put(const struct ra_page_calls *calls, size_t row, const char *before,
                       struct ra_util_text *json)
{
	const struct ra_page_calls_row *from;
	const char *between = "";

	if (row >= calls->count || calls->rows[row].slow_count == 0) {
		return false;
	}
	from = &calls->rows[row];
	ra_util_text_format(json, "%s[%zu,[", before, row);
	for (size_t i = 0; i < from->slow_count; i++) {
		ra_util_text_format(json, "%s%lld,%lld", i == 0 ? "" : ",",
		                    (long long) from->slow[i].start_ns,
		                    (long long) from->slow[i].dur_ns);
	}
	ra_util_text_format(json, "],[");
	for (size_t i = 0; i < PARTS; i++) {
		const struct part *part = &from->parts[i];

		if (part->count > 0) {
			ra_util_text_format(json, "%s%zu,%llu,%lld,%lld", between, i,
			                    (unsigned long long) part->count,
			                    (long long) part->sum_ns, (long long) part->max_ns);
			between = ",";
		}
	}
	ra_util_text_format(json, "]]");
	return true;
}
