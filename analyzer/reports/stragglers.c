/* SPDX-License-Identifier: MIT */
/* The report "stragglers": ranks that come last to collectives, and how long the others waited. */
#include "analyzer/base/alloc.h"
#include "analyzer/advice/advice.h"
#include "analyzer/reports/reports.h"

#include <stdlib.h>

#include "analyzer/figures/collectives.h"
#include "analyzer/figures/gpu/gpu-meanwhile.h"
#include "analyzer/base/util.h"
#include "analyzer/steps/steps.h"

enum column {
	RANK,
	HITS,
	COLLECTIVES,
	LATE,
	LATER,
	WORST,
	START,
	NAME,
	PLACE,
	PLACE_PART,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[HITS] = { "hits", "Came last", RA_TABLE_COUNT, NULL },
	[COLLECTIVES] = { "collectives", "Of", RA_TABLE_COUNT, NULL },
	[LATE] = { "late_ns", "Late by", RA_TABLE_TIME, NULL },
	[LATER] = { "later_ns", "Rec. later", RA_TABLE_TIME, NULL },
	[WORST] = { "worst_ns", "At most", RA_TABLE_TIME, NULL },
	[START] = { "start_ns", "At, its time", RA_TABLE_TIME, NULL },
	[NAME] = { "name", "Collective", RA_TABLE_TEXT, NULL },
	[PLACE] = { "place", "It was in", RA_TABLE_TEXT, NULL },
	[PLACE_PART] = { "place_part", "Of that", RA_TABLE_PART, NULL },
};

/* A collective that all ranks took part in. All leave it at once, so the rank that spent the
 * shortest time in it came last, whatever the machines' clocks say. */
struct meeting {
	int64_t shortest_ns;
	int64_t longest_ns;
	size_t last;       /* rank that came last; of equal ones the first */
	size_t call;       /* its call */
	size_t first;      /* the rank that waited longest, the first of equal ones */
	size_t first_call; /* its call */
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
		meeting->first = rank;
		meeting->first_call = index;
	}
	meeting->is_known = true;
}

struct hit {
	int64_t late_ns;
	int64_t later_ns;   /* the part due to its recording starting later than that of the first
	                     * to come */
	int64_t first_rank; /* number of the first rank to come */
	const struct ra_collective *call;
};

#define MOST_HITS 3 /* of a rank, shown separately */

struct straggler {
	uint64_t hits;
	int64_t late_ns;
	int64_t later_ns;
	int64_t first_ns;           /* time of its own clock when it first came last */
	int64_t meets_ns;           /* time of its own clock when it first met all others */
	struct hit most[MOST_HITS]; /* longest first; call NULL: none */
};

static int64_t get_end(const struct ra_collective *call)
{
	return ra_util_add_time(call->start_ns, call->dur_ns);
}

/*
 * The part of a wait that is only due to the last rank's recording starting later than the first
 * one's. Both leave the collective at once, so the difference of their own times is the difference
 * of their recordings' starts. Once all ranks have met, no rank is late because of that.
 */
static int64_t find_later(const struct straggler *straggler, const struct ra_collective *last,
                          const struct ra_collective *first, int64_t late_ns)
{
	const int64_t apart_ns = get_end(first) - get_end(last);

	if (last->start_ns > straggler->meets_ns || apart_ns <= 0) {
		return 0;
	}
	return apart_ns < late_ns ? apart_ns : late_ns;
}

static void find_last(struct straggler *stragglers, const struct ra_collectives *collectives,
                      const struct meeting *meeting)
{
	const struct ra_collectives_rank *last = &collectives->ranks[meeting->last];
	const struct ra_collectives_rank *first = &collectives->ranks[meeting->first];
	const int64_t late_ns = meeting->longest_ns - meeting->shortest_ns;
	struct straggler *straggler = &stragglers[meeting->last];
	struct hit hit = { .late_ns = late_ns };

	if (!meeting->is_known || late_ns == 0) {
		return;
	}
	hit.call = &last->calls[meeting->call];
	hit.first_rank = first->number;
	hit.later_ns = find_later(straggler, hit.call, &first->calls[meeting->first_call], late_ns);
	if (straggler->hits == 0 || hit.call->start_ns < straggler->first_ns) {
		straggler->first_ns = hit.call->start_ns;
	}
	straggler->hits++;
	straggler->late_ns = ra_util_add_time(straggler->late_ns, late_ns);
	straggler->later_ns = ra_util_add_time(straggler->later_ns, hit.later_ns);
	for (size_t i = 0; i < MOST_HITS; i++) {
		if (hit.late_ns > straggler->most[i].late_ns) {
			const struct hit next = straggler->most[i];

			straggler->most[i] = hit;
			hit = next;
		}
	}
}

/* What a rank was doing while the others waited for it. */
struct place {
	struct rlog_string text; /* empty: it was in nothing */
	int64_t time_ns;         /* of the wait */
	bool is_half;            /* half of the wait or more; else the longest */
};

/* Finds what a thread was in for half of [start, end), else in longest; steps don't count. */
static void find_place(struct place *out, const struct ra_model *model, uint32_t track,
                       int64_t start_ns, int64_t end_ns)
{
	static const struct ra_steps_options all = { 0 };
	struct ra_intervals parts = { 0 };
	struct ra_gpu_place place;
	struct ra_steps steps;

	ra_steps_init(&steps, model, &all);
	ra_intervals_add(&parts, start_ns, end_ns);
	const struct ra_gpu_place_query query = {
		.model = model, .is_step = steps.is_step, .track = track, .parts = &parts
	};

	ra_gpu_meanwhile_find_place(&place, &query);
	if (place.name != RA_NONE) {
		out->text = ra_model_string(model, place.name);
		out->time_ns = place.time_ns;
		out->is_half = place.kind == RA_GPU_PLACE_RANGE || place.kind == RA_GPU_PLACE_CALL;
	}
	ra_intervals_fini(&parts);
	ra_steps_fini(&steps);
}

/* A wait that is only due to a later start of the recording says nothing about the program. */
static bool is_of_recording(const struct hit *hit)
{
	return hit->later_ns >= hit->late_ns - hit->later_ns;
}

/* Finds where the thread that launched the collective was while the others waited for it, by
 * this rank's clock: the wait ended when its kernel started. */
static struct place name_place(const struct ra_model *model, const struct hit *hit)
{
	const uint32_t api = model->gpu.ops[hit->call->op].api;
	const int64_t end_ns = hit->call->start_ns;
	struct place place = { .is_half = true };

	if (is_of_recording(hit)) {
		place.text = ra_util_string("(its recording begins later)");
		place.time_ns = hit->later_ns;
	} else if (api != RA_NONE && model->gpu.apis[api].track < model->track_count &&
	           end_ns > 0) {
		find_place(&place, model, model->gpu.apis[api].track, end_ns - hit->late_ns,
		           end_ns);
	}
	return place;
}

static struct ra_table_cell make_place(struct ra_table *table, const struct place *place)
{
	struct ra_util_text text = { 0 };

	if (place->is_half) {
		return ra_table_make_text(place->text);
	}
	ra_util_text_format(&text, "(longest) ");
	ra_util_text_put(&text, place->text.bytes, place->text.length);
	return ra_table_make_text(ra_table_take_text(table, &text));
}

static void put_straggler(int64_t rank, const struct ra_model *model,
                          const struct straggler *straggler, uint64_t meetings,
                          struct ra_table *table)
{
	const struct hit *worst = &straggler->most[0];
	struct ra_table_cell *cells = ra_table_add_row(table);

	cells[RANK] = ra_table_make_number(rank);
	cells[HITS] = ra_table_make_count(straggler->hits);
	cells[COLLECTIVES] = ra_table_make_count(meetings);
	cells[LATE] = ra_table_make_number(straggler->late_ns);
	cells[LATER] = ra_table_make_number(straggler->later_ns);
	if (worst->call != NULL) {
		const struct place place = name_place(model, worst);

		cells[WORST] = ra_table_make_number(worst->late_ns);
		cells[START] = ra_table_make_number(worst->call->start_ns);
		cells[NAME] = ra_table_make_text(worst->call->name);
		if (place.text.length > 0) {
			cells[PLACE] = make_place(table, &place);
			cells[PLACE_PART] = ra_table_make_real((double) place.time_ns /
			                                       (double) worst->late_ns);
		}
	}
}

/* "7.625ms at 3.379ms before nccl:all_to_all, 62 % of it in aten::mm". */
static void put_hit(struct ra_util_text *text, const struct ra_model *model, const struct hit *hit)
{
	const struct place place = name_place(model, hit);
	const double percent = 100 * (double) place.time_ns / (double) hit->late_ns;

	ra_util_text_put_time(text, hit->late_ns);
	ra_util_text_format(text, " at ");
	ra_util_text_put_time(text, hit->call->start_ns);
	ra_util_text_format(text, " before ");
	ra_advice_put_prose(text, hit->call->name);
	if (hit->later_ns > 0) {
		ra_util_text_format(text, ", ");
		ra_util_text_put_time(text, hit->later_ns);
		ra_util_text_format(text, " of it as its recording begins later than rank %lld's",
		                    (long long) hit->first_rank);
	}
	if (place.text.length > 0 && !is_of_recording(hit)) {
		ra_util_text_format(text,
		                    place.is_half ? ", %.0f %% of it in "
		                                  : ", no half of it in one place, "
		                                    "longest, %.0f %%, in ",
		                    percent);
		ra_advice_put_prose(text, place.text);
	}
}

/* Adds a figure on the rank that the others waited for most, with its worst cases. */
static void tell_worst(struct ra_report_input *input, const struct ra_collectives *collectives,
                       const struct straggler *stragglers)
{
	struct ra_util_text text = { 0 };
	size_t worst = 0;
	int64_t rest_ns;
	size_t told = 0;

	for (size_t r = 1; r < collectives->count; r++) {
		worst = stragglers[r].late_ns > stragglers[worst].late_ns ? r : worst;
	}
	rest_ns = stragglers[worst].late_ns;
	if (stragglers[worst].hits < 2) {
		return; /* already in its row */
	}
	ra_util_text_format(&text, "rank %lld, %llu times from ",
	                    (long long) collectives->ranks[worst].number,
	                    (unsigned long long) stragglers[worst].hits);
	ra_util_text_put_time(&text, stragglers[worst].first_ns);
	ra_util_text_format(&text, " of its recording on, ");
	ra_util_text_put_time(&text, rest_ns);
	ra_util_text_format(&text, " in all:");
	for (; told < MOST_HITS && stragglers[worst].most[told].call != NULL; told++) {
		ra_util_text_format(&text, told == 0 ? " " : "; ");
		put_hit(&text, ra_report_file_model(input, worst), &stragglers[worst].most[told]);
		rest_ns -= stragglers[worst].most[told].late_ns;
	}
	if (told < stragglers[worst].hits) {
		ra_util_text_format(&text, "; %llu more ",
		                    (unsigned long long) (stragglers[worst].hits - told));
		ra_util_text_put_time(&text, rest_ns);
	}
	ra_util_text_put_char(&text, '\0');
	ra_report_keep(input, text.bytes, free);
	ra_report_add_figure(input, "held_up_most", "Held up most by", RA_TABLE_TEXT,
	                     ra_table_make_text(ra_util_string(text.bytes)));
}

/* Finds when each rank first met all others in a collective. */
static void find_first_meetings(struct straggler *stragglers,
                                const struct ra_collectives *collectives)
{
	for (size_t r = 0; r < collectives->count; r++) {
		const struct ra_collectives_rank *rank = &collectives->ranks[r];

		stragglers[r].meets_ns = INT64_MAX;
		for (size_t i = 0; i < rank->count; i++) {
			if (rank->calls[i].match != RA_NONE &&
			    rank->calls[i].start_ns < stragglers[r].meets_ns) {
				stragglers[r].meets_ns = rank->calls[i].start_ns;
			}
		}
	}
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
	find_first_meetings(stragglers, collectives);
	for (size_t i = 0; i < collectives->ranks[0].count; i++) {
		known += meetings[i].is_known;
		find_last(stragglers, collectives, &meetings[i]);
	}
	return known;
}

static const char stragglers_note[] =
	"It was in: where the rank was during that wait, which need not be why it is late: "
	"compare that range over ranks (ranges --by rank). Late by: of each collective the longest "
	"wait for this rank; \"Others wait\" of ranks adds "
	"up the waits of all others. Rec. later: what of it is due to before the recording, as "
	"this rank's "
	"begins later than that of the first to come. Of that: the part of \"At most\" "
	"that "
	"it was in it; (longest): nothing took half. Times are since the begin of the rank's own "
	"recording";

static void fill_stragglers(struct ra_report_input *input, struct ra_table *table)
{
	struct ra_collectives collectives;
	const struct ra_files files = ra_report_files(input);
	struct straggler *stragglers;
	struct meeting *meetings;
	uint64_t known;

	ra_collectives_init(&collectives, &files);
	stragglers = ra_alloc_zeros(collectives.count + 1, sizeof(*stragglers));
	meetings = ra_alloc_zeros(collectives.ranks[0].count + 1, sizeof(*meetings));
	known = find_stragglers(stragglers, &collectives, meetings);
	for (size_t r = 0; r < collectives.count && known > 0; r++) {
		put_straggler(collectives.ranks[r].number, ra_report_file_model(input, r),
		              &stragglers[r], known, table);
	}
	tell_worst(input, &collectives, stragglers);
	if (table->row_count > 0) {
		ra_report_add_note(input, stragglers_note);
	}
	free(stragglers);
	free(meetings);
	ra_collectives_fini(&collectives);
}

const struct ra_report ra_report_stragglers = {
	.name = "stragglers",
	.reads_several = true,
	.title = "Stragglers",
	.summary =
		"how often each rank comes last to a collective, and how much later than the first",
	.none = "no collective that several ranks took part in: this compares the ranks of a run, "
		"given as several files, analyzer stats RANK0 RANK1 ... -r stragglers",
	.note = stragglers_note,
	.columns = columns,
	.column_count = COLUMNS,
	.sort = "late",
	.fill = fill_stragglers,
};
