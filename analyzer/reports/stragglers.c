/* SPDX-License-Identifier: MIT */
/* The report "stragglers": ranks that come last to collectives, and how long the others waited. */
#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/advice/advice.h"
#include "analyzer/advice/advice-ranks.h"
#include "analyzer/reports/reports.h"

#include <stdlib.h>

#include "analyzer/figures/collectives.h"
#include "analyzer/figures/gpu/gpu-meanwhile.h"
#include "analyzer/base/util.h"
#include "analyzer/steps/steps.h"

enum column {
	RANK,
	START_LATE,
	SLOWER,
	SLOWER_SHARE,
	SLOWER_IN,
	OTHERS,
	OTHERS_OWN,
	OTHERS_START,
	OTHERS_BEFORE,
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
	[START_LATE] = { "start_late_ns", "Start late", RA_TABLE_TIME, NULL },
	[SLOWER] = { "slower_ns", "Slower by", RA_TABLE_TIME, NULL },
	[SLOWER_SHARE] = { "slower_share", "Slower %", RA_TABLE_PART, NULL },
	[SLOWER_IN] = { "slower_in", "Slower in", RA_TABLE_TEXT, NULL },
	[OTHERS] = { "others_wait_ns", "Others wait", RA_TABLE_TIME, NULL },
	[OTHERS_OWN] = { "others_wait_slower_ns", "As slower", RA_TABLE_TIME, NULL },
	[OTHERS_START] = { "others_wait_start_ns", "As late", RA_TABLE_TIME, NULL },
	[OTHERS_BEFORE] = { "others_first_ns", "At first", RA_TABLE_TIME, NULL },
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

/* A collective in which all ranks took part. All ranks leave it together. So the rank that spent
 * the shortest time in it came last, whatever the clocks of the machines show. */
struct meeting {
	int64_t shortest_ns;
	int64_t longest_ns;
	size_t last;       /* index of the rank that came last; of equal ranks the first */
	size_t call;       /* index of that rank's call */
	size_t first;      /* index of the rank that waited longest; of equal ranks the first */
	size_t first_call; /* index of that rank's call */
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
	int64_t later_ns;   /* the part of late_ns by which its recording started later than that of
	                       the rank that came first */
	int64_t first_rank; /* number of the rank that came first */
	const struct ra_collective *call;
};

#define MOST_HITS 3 /* number of a rank's longest cases that are shown separately */

struct straggler {
	uint64_t hits;
	int64_t late_ns;
	int64_t later_ns;
	int64_t first_ns;           /* when the rank first came last, by its own clock */
	int64_t meets_ns;           /* when the rank first had met all others, by its own clock */
	struct hit most[MOST_HITS]; /* longest first; without `call`: no case */
};

static int64_t get_end(const struct ra_collective *call)
{
	return ra_util_add_time(call->start_ns, call->dur_ns);
}

/*
 * Finds the part of a wait that only exists because the recording of the last rank started later
 * than that of the first rank. Both ranks leave the collective together, so the difference of their
 * own times is the difference of their recordings' starts. After all ranks have met, no rank is
 * late for that reason.
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

/* What a rank did while the others waited for it. */
struct place {
	struct rlog_string text; /* name of the range or call; empty: the rank was in none */
	int64_t time_ns;         /* time of the wait spent in it */
	bool is_half; /* that is half of the wait or more; false: it is the longest part */
};

/* Finds the range or call in which a thread was for at least half of the time from start to end; if
 * there is none, the longest. Steps are ignored. */
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

/* True if a wait only exists because a recording started later. It tells nothing about the
 * program. */
static bool is_of_recording(const struct hit *hit)
{
	return hit->later_ns >= hit->late_ns - hit->later_ns;
}

/* Finds what the thread that launched the collective did while the others waited for it. Uses this
 * rank's clock: the wait ended when the rank's kernel started. */
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

/* Writes by how much the rank was late from the start, how much slower it was since then, and how
 * long the others waited. */
static void put_delay(struct ra_table_cell *cells, const struct ra_rank_delay *delay,
                      const struct ra_rank_place *place)
{
	const bool is_slow = ra_rank_delay_is_slow(delay);
	int64_t others_ns = 0;

	if (delay->calls == 0) {
		return;
	}
	for (size_t c = 0; c < RA_RANK_DELAY_CAUSES; c++) {
		others_ns = ra_util_add_time(others_ns, delay->waits_ns[c]);
	}
	cells[START_LATE] = ra_table_make_number(delay->start_ns);
	if (delay->stretches > 0) {
		cells[SLOWER] = ra_table_make_number(ra_rank_delay_slower(delay));
	}
	if (delay->usual_ns > 0) {
		cells[SLOWER_SHARE] = ra_table_make_real((double) ra_rank_delay_slower(delay) /
		                                         (double) delay->usual_ns);
	}
	if (place->name.length > 0) {
		cells[SLOWER_IN] = ra_table_make_text(place->name);
	}
	cells[OTHERS] = ra_table_make_number(others_ns);
	cells[OTHERS_OWN] = ra_table_make_number(is_slow ? delay->waits_ns[RA_RANK_DELAY_OWN] : 0);
	cells[OTHERS_START] = ra_table_make_number(delay->waits_ns[RA_RANK_DELAY_START]);
	cells[OTHERS_BEFORE] = ra_table_make_number(delay->before_ns);
}

static void put_straggler(struct ra_table_cell *cells, const struct ra_model *model,
                          const struct straggler *straggler, uint64_t meetings,
                          struct ra_table *table)
{
	const struct hit *worst = &straggler->most[0];

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

/* Writes "7.625ms at 3.379ms before nccl:all_to_all, 62 % of it in aten::mm". */
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

/* The rank for which the others waited most, without waits because of a late start. If there is
 * none, the rank that was late most. */
static size_t find_worst(const struct ra_rank_delays *delays, const struct straggler *stragglers)
{
	size_t worst = 0;
	int64_t most_ns = 0;

	for (size_t r = 0; r < delays->count; r++) {
		const int64_t *waits_ns = delays->ranks[r].waits_ns;
		const int64_t here_ns = ra_util_add_time(waits_ns[RA_RANK_DELAY_OWN],
		                                         waits_ns[RA_RANK_DELAY_OTHER]);

		worst = here_ns > most_ns ? r : worst;
		most_ns = here_ns > most_ns ? here_ns : most_ns;
	}
	for (size_t r = 1; r < delays->count && most_ns == 0; r++) {
		worst = stragglers[r].late_ns > stragglers[worst].late_ns ? r : worst;
	}
	return worst;
}

static bool is_any_slow(const struct ra_rank_delays *delays)
{
	for (size_t r = 0; r < delays->count; r++) {
		if (ra_rank_delay_is_slow(&delays->ranks[r])) {
			return true;
		}
	}
	return false;
}

/* Adds a figure about the rank for which the others waited most, with its worst cases. */
static void tell_worst(struct ra_report_input *input, const struct ra_advice_ranks *ranks,
                       const struct straggler *stragglers)
{
	struct ra_util_text text = { 0 };
	const size_t worst = find_worst(&ranks->delays, stragglers);
	int64_t rest_ns;
	size_t told = 0;

	rest_ns = stragglers[worst].late_ns;
	if (stragglers[worst].hits < 2) {
		return; /* the row of the rank tells it already */
	}
	ra_util_text_format(&text, "rank %lld, %llu times from ",
	                    (long long) ranks->collectives.ranks[worst].number,
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
	ra_advice_ranks_put_gain(&text, ranks, worst);
	if (is_any_slow(&ranks->delays)) {
		ra_util_text_format(&text, "; that is where it was, not why it is slow");
	}
	ra_util_text_put_char(&text, '\0');
	ra_report_keep(input, text.bytes, free);
	ra_report_add_figure(input, "held_up_most", "Held up most by", RA_TABLE_TEXT,
	                     ra_table_make_text(ra_util_string(text.bytes)));
}

/* Finds when each rank first had met all others in collectives. */
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

/* Return: the number of collectives in which all ranks took part. */
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
	for (size_t i = 0; i < collectives->match_count; i++) {
		known += meetings[i].is_known;
		find_last(stragglers, collectives, &meetings[i]);
	}
	return known;
}

/* A note below the tables may have at most 511 bytes. */
static const char stragglers_note[] =
	"Slower by: its own time from collective to collective minus the middle rank's. Others "
	"wait, after the first collective: where it came last, in part as it is slower, or late "
	"from the start; At first: in it, where recordings that begin apart count. Late by: only "
	"the longest wait of each; Rec. later: what of it is from before the recording. It was in: "
	"during that wait, which need not be why it is late; (longest): nothing took half. Times "
	"are since its own recording began";

/* Adds the finding: which ranks are slow, and which are only late from the start. */
static void tell_ranks(struct ra_report_input *input, const struct ra_advice_ranks *ranks)
{
	struct ra_util_text text = { 0 };

	if (!input->has_finding) {
		ra_advice_ranks_put(&text, ranks);
	}
	if (text.length > 0) {
		ra_util_text_put_char(&text, '\0');
		ra_report_keep(input, text.bytes, free);
		ra_report_add_figure(input, "slow_ranks", "Slow ranks", RA_TABLE_TEXT,
		                     ra_table_make_text(ra_util_string(text.bytes)));
	}
}

/* A rank, and the figures by which its row is ordered. */
struct ordered {
	size_t rank;
	int64_t late_ns;
};

static int compare_ordered(const void *a, const void *b)
{
	const struct ordered *left = a;
	const struct ordered *right = b;

	return RA_ORDER_THEN(RA_ORDER_DOWN(left, right, late_ns), RA_ORDER_UP(left, right, rank));
}

/* Adds the rows, the latest rank first. If rows are later sorted by the waits for slow ranks, ranks
 * for which nobody waited keep this order. */
static void put_rows(struct ra_report_input *input, const struct ra_advice_ranks *ranks,
                     const struct straggler *stragglers, uint64_t meetings, struct ra_table *table)
{
	const size_t count = meetings > 0 ? ranks->delays.count : 0;
	struct ordered *order = ra_alloc_zeros(count + 1, sizeof(*order));

	for (size_t r = 0; r < count; r++) {
		order[r] = (struct ordered){ r, stragglers[r].late_ns };
	}
	RA_SORT(order, count, compare_ordered);
	for (size_t i = 0; i < count; i++) {
		const size_t r = order[i].rank;
		struct ra_table_cell *cells = ra_table_add_row(table);

		cells[RANK] = ra_table_make_number(ranks->collectives.ranks[r].number);
		put_delay(cells, &ranks->delays.ranks[r], &ranks->places[r]);
		put_straggler(cells, ra_report_file_model(input, r), &stragglers[r], meetings,
		              table);
	}
	free(order);
}

static void fill_stragglers(struct ra_report_input *input, struct ra_table *table)
{
	const struct ra_files files = ra_report_files(input);
	struct ra_advice_ranks ranks = { 0 };
	struct straggler *stragglers;
	struct meeting *meetings;
	uint64_t known;

	ra_advice_ranks_init(&ranks, &files);
	stragglers = ra_alloc_zeros(ranks.delays.count + 1, sizeof(*stragglers));
	meetings = ra_alloc_zeros(ranks.collectives.match_count + 1, sizeof(*meetings));
	known = find_stragglers(stragglers, &ranks.collectives, meetings);
	put_rows(input, &ranks, stragglers, known, table);
	table->weight = 1 + OTHERS_OWN; /* so slow ranks come first with --brief, too */
	tell_ranks(input, &ranks);
	tell_worst(input, &ranks, stragglers);
	if (table->row_count > 0) {
		ra_report_add_note(input, stragglers_note);
	}
	free(stragglers);
	free(meetings);
	ra_advice_ranks_fini(&ranks);
}

const struct ra_report ra_report_stragglers = {
	.name = "stragglers",
	.reads_several = true,
	.title = "Stragglers",
	.summary =
		"which ranks are slow, which are only late from the start, and who waits for them",
	.none = "no collective that several ranks took part in: this compares the ranks of a run, "
		"given as several files, analyzer stats RANK0 RANK1 ... -r stragglers",
	.note = stragglers_note,
	.columns = columns,
	.column_count = COLUMNS,
	.sort = "others_wait_slower",
	.fill = fill_stragglers,
};
