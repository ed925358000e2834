/* SPDX-License-Identifier: MIT */
/* The report "stragglers": ranks that come last to collectives, and how long others waited. */
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
	WORST,
	START,
	NAME,
	PLACE,
	COLUMNS,
};

static const struct ra_table_column columns[COLUMNS] = {
	[RANK] = { "rank", "Rank", RA_TABLE_COUNT, NULL },
	[HITS] = { "hits", "Came last", RA_TABLE_COUNT, NULL },
	[COLLECTIVES] = { "collectives", "Of", RA_TABLE_COUNT, NULL },
	[LATE] = { "late_ns", "Late by", RA_TABLE_TIME, NULL },
	[WORST] = { "worst_ns", "At most", RA_TABLE_TIME, NULL },
	[START] = { "start_ns", "At, its time", RA_TABLE_TIME, NULL },
	[NAME] = { "name", "Collective", RA_TABLE_TEXT, NULL },
	[PLACE] = { "place", "It was in", RA_TABLE_TEXT, NULL },
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

struct hit {
	int64_t late_ns;
	const struct ra_collective *call;
};

#define MOST_HITS 3 /* of a rank that are told one by one */

struct straggler {
	uint64_t hits;
	int64_t late_ns;
	int64_t first_ns;           /* its own time when it first came last */
	struct hit most[MOST_HITS]; /* the latest first; without a call: none */
};

static void find_last(struct straggler *stragglers, const struct ra_collectives *collectives,
                      const struct meeting *meeting)
{
	const int64_t late_ns = meeting->longest_ns - meeting->shortest_ns;
	struct straggler *straggler = &stragglers[meeting->last];
	struct hit hit = { late_ns, &collectives->ranks[meeting->last].calls[meeting->call] };

	if (!meeting->is_known || late_ns == 0) {
		return;
	}
	if (straggler->hits == 0 || hit.call->start_ns < straggler->first_ns) {
		straggler->first_ns = hit.call->start_ns;
	}
	straggler->hits++;
	straggler->late_ns = ra_util_add_time(straggler->late_ns, late_ns);
	for (size_t i = 0; i < MOST_HITS; i++) {
		if (hit.late_ns > straggler->most[i].late_ns) {
			const struct hit next = straggler->most[i];

			straggler->most[i] = hit;
			hit = next;
		}
	}
}

/* The name of what a thread was in for half of [start, end), steps left out, else of what was
 * longest the innermost range then. RA_NONE: it was in nothing. */
static uint32_t find_place(const struct ra_model *model, uint32_t track, int64_t start_ns,
                           int64_t end_ns)
{
	static const struct ra_steps_options all = { 0 };
	struct ra_intervals parts = { 0 };
	struct ra_gpu_place place = { RA_GPU_PLACE_NONE, 0 };
	struct ra_gpu_meanwhile meanwhile;
	struct ra_steps steps;
	uint32_t name;

	ra_steps_init(&steps, model, &all);
	ra_intervals_add(&parts, start_ns, end_ns);
	const struct ra_gpu_place_query query = {
		.model = model, .is_step = steps.is_step, .track = track, .parts = &parts
	};

	ra_gpu_meanwhile_find_place(&place, &query);
	name = place.name;
	if (place.kind != RA_GPU_PLACE_RANGE && place.kind != RA_GPU_PLACE_CALL) {
		ra_gpu_meanwhile_find(&meanwhile, model, track, start_ns, end_ns);
		name = meanwhile.range;
	}
	ra_intervals_fini(&parts);
	ra_steps_fini(&steps);
	return name;
}

/* Where the thread that launched the collective was while the others waited for it, by the clock of
 * this rank: the wait ended when its kernel began. What was before the recording nobody knows, and
 * that is said where it is most of the wait. Return: empty: it was nowhere. */
static struct rlog_string name_place(const struct ra_model *model, const struct hit *hit)
{
	const uint32_t api = model->gpu.ops[hit->call->op].api;
	const int64_t end_ns = hit->call->start_ns;
	const int64_t start_ns = end_ns - hit->late_ns;
	uint32_t name;

	if (api == RA_NONE || model->gpu.apis[api].track >= model->track_count || end_ns <= 0) {
		return ra_util_string("");
	}
	if (end_ns < hit->late_ns / 2) {
		return ra_util_string("(not recorded: this rank's recording begins later)");
	}
	name = find_place(model, model->gpu.apis[api].track, start_ns > 0 ? start_ns : 0, end_ns);
	return name == RA_NONE ? ra_util_string("") : ra_model_string(model, name);
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
	if (worst->call != NULL) {
		const struct rlog_string place = name_place(model, worst);

		cells[WORST] = ra_table_make_number(worst->late_ns);
		cells[START] = ra_table_make_number(worst->call->start_ns);
		cells[NAME] = ra_table_make_text(worst->call->name);
		if (place.length > 0) {
			cells[PLACE] = ra_table_make_text(place);
		}
	}
}

/* "7.625ms at 3.379ms before nccl:all_to_all, in aten::mm". */
static void put_hit(struct ra_util_text *text, const struct ra_model *model, const struct hit *hit)
{
	const struct rlog_string place = name_place(model, hit);

	ra_util_text_put_time(text, hit->late_ns);
	ra_util_text_format(text, " at ");
	ra_util_text_put_time(text, hit->call->start_ns);
	ra_util_text_format(text, " before ");
	ra_advice_put_prose(text, hit->call->name);
	if (place.length > 0) {
		ra_util_text_format(text, place.bytes[0] == '(' ? " " : " in ");
		ra_advice_put_prose(text, place);
	}
}

/* The one that the others waited for most, one by one: a figure of the report. */
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
		return; /* its row tells it */
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

static const char stragglers_note[] =
	"Late by: of each collective the longest wait for this rank; \"Others wait\" of ranks adds "
	"up the waits of all others. Times are since the begin of the rank's own recording";

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
