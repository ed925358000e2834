/* SPDX-License-Identifier: MIT */
/* Writes one sentence: which ranks of a run are slow, or which ranks only started late. */
#include "analyzer/advice/advice-ranks.h"

#include <stdlib.h>

#include "analyzer/advice/advice.h"
#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"

#define MOST 4 /* ranks of a kind that are described one by one */

void ra_advice_ranks_init(struct ra_advice_ranks *ranks, const struct ra_files *files)
{
	ra_collectives_init(&ranks->collectives, files);
	ra_rank_delays_init(&ranks->delays, files, &ranks->collectives);
	ranks->places = ra_alloc_zeros(ranks->delays.count + 1, sizeof(*ranks->places));
	ra_rank_places_find(ranks->places, &ranks->delays, files);
	ra_rank_threads_find(ranks->places, &ranks->delays, files);
}

void ra_advice_ranks_fini(struct ra_advice_ranks *ranks)
{
	free(ranks->places);
	ra_rank_delays_fini(&ranks->delays);
	ra_collectives_fini(&ranks->collectives);
}

/* A rank to describe, and the time by which it is slower or later than others. */
struct told {
	size_t rank;
	int64_t time_ns;
};

static int compare_told(const void *a, const void *b)
{
	const struct told *left = a;
	const struct told *right = b;

	return RA_ORDER_THEN(RA_ORDER_DOWN(left, right, time_ns), RA_ORDER_UP(left, right, rank));
}

/* Lists the ranks that are slow; if there are none, those that are only late. Return: how many. */
static size_t list_told(struct told *told, const struct ra_rank_delays *delays, bool is_slow)
{
	size_t count = 0;

	for (size_t r = 0; r < delays->count; r++) {
		const struct ra_rank_delay *delay = &delays->ranks[r];

		if (is_slow && ra_rank_delay_is_slow(delay)) {
			told[count++] = (struct told){ r, ra_rank_delay_slower(delay) };
		} else if (!is_slow && ra_rank_delay_is_late(delay)) {
			told[count++] = (struct told){ r, delay->start_ns };
		}
	}
	RA_SORT(told, count, compare_told);
	return count;
}

static void put_percent(struct ra_util_text *text, int64_t part_ns, int64_t whole_ns)
{
	if (whole_ns > 0) {
		ra_util_text_format(text, " (+%.0f %%)",
		                    100 * (double) part_ns / (double) whole_ns);
	}
}

/* Writes ", most of it in ## backward ##, first at 11.150ms of its recording, 5.3ms instead of
 * 4.4ms (+20 %)". */
static void put_place(struct ra_util_text *text, const struct ra_rank_place *place)
{
	ra_util_text_format(text,
	                    place->is_kernel ? ", most of it in kernels " : ", most of it in ");
	ra_advice_put_prose(text, place->name);
	ra_util_text_format(text, " (first at ");
	ra_util_text_put_time(text, place->first_ns);
	ra_util_text_format(text, " of its recording), ");
	ra_util_text_put_time(text, place->time_ns);
	ra_util_text_format(text, " instead of ");
	ra_util_text_put_time(text, place->usual_ns);
	put_percent(text, place->time_ns - place->usual_ns, place->usual_ns);
	if (place->has_helper) {
		ra_util_text_format(text, ", on thread %lld alone, whose ranges in it take ",
		                    (long long) place->helper_tid);
		ra_util_text_put_time(text, place->helper_ns);
		ra_util_text_format(text, " instead of ");
		ra_util_text_put_time(text, place->helper_usual_ns);
		put_percent(text, place->helper_ns - place->helper_usual_ns,
		            place->helper_usual_ns);
		ra_util_text_format(text,
		                    ", while the range's own thread, %lld, is no slower outside "
		                    "of it",
		                    (long long) place->own_tid);
	}
}

/* Says that the CPU is slow, if the GPU is not. Says what to look at, if no single place is
 * slow. */
static void put_cpu(struct ra_util_text *text, const struct ra_rank_delay *delay,
                    const struct ra_rank_place *place)
{
	if (place->is_kernel || !ra_rank_delay_is_of_cpu(delay)) {
		return;
	}
	ra_util_text_format(text, "; its GPU work between collectives takes ");
	ra_util_text_put_time(text, delay->gpu_own_ns);
	ra_util_text_format(text, " where the middle rank's takes ");
	ra_util_text_put_time(text, delay->gpu_usual_ns);
	ra_util_text_format(text, place->is_even && place->has_helper
	                                  ? ": the CPU is slower in all that this thread does, so "
	                                    "look at its core (clock, pinning, neighbours)"
	                          : place->is_even
	                                  ? ": the CPU is slower in all of it, as no range inside "
	                                    "makes up half, so look at the host (clock, pinning, "
	                                    "neighbours)"
	                                  : ": it loses that on the CPU");
}

/* Writes " (summed over 7 ranks)", unless it was one rank. */
static void put_others(struct ra_util_text *text, size_t others)
{
	if (others > 1) {
		ra_util_text_format(text, " (summed over %zu ranks)", others);
	}
}

/* Writes "rank 5 is slower: its own work takes 904us (+12 %) longer than the middle rank's, most of
 * it in ## backward ## ...; the others waited 6.2ms for that (summed over 7 ranks)". */
static void put_slow(struct ra_util_text *text, const struct ra_advice_ranks *ranks, size_t rank)
{
	const struct ra_rank_delay *delay = &ranks->delays.ranks[rank];
	const struct ra_rank_place *place = &ranks->places[rank];

	ra_util_text_format(text, "%s %lld is slower: its own work between collectives takes ",
	                    text->length > 0 ? ". Rank" : "rank",
	                    (long long) ranks->collectives.ranks[rank].number);
	ra_util_text_put_time(text, ra_rank_delay_slower(delay));
	put_percent(text, ra_rank_delay_slower(delay), delay->usual_ns);
	ra_util_text_format(text, " longer than the middle rank's");
	if (place->name.length > 0) {
		put_place(text, place);
	}
	put_cpu(text, delay, place);
	ra_util_text_format(text, "; the others waited ");
	ra_util_text_put_time(text, delay->waits_ns[RA_RANK_DELAY_OWN]);
	ra_util_text_format(text, " for that");
	put_others(text, delay->others);
	if (delay->late_ns > 0) {
		ra_util_text_format(text, "; where it came last, the first to come waited ");
		ra_util_text_put_time(text, delay->late_ns);
		ra_util_text_format(text, " in all; curing just this rank gains up to ");
		ra_util_text_put_time(text, delay->alone_ns);
	} else {
		ra_util_text_format(text,
		                    "; curing just this rank gains nothing, as others come last");
	}
}

/* True if several slow ranks are late for the same collectives, so that time is gained only if all
 * of them are cured. */
static bool is_more_together(const struct ra_rank_delays *delays)
{
	int64_t alone_ns = 0;

	for (size_t r = 0; r < delays->count; r++) {
		if (ra_rank_delay_is_slow(&delays->ranks[r])) {
			alone_ns = ra_util_add_time(alone_ns, delays->ranks[r].alone_ns);
		}
	}
	return delays->together_ns > alone_ns;
}

/* Writes "ranks 5 and 4 together", "all 6 slow ranks together". */
static void put_slow_ranks(struct ra_util_text *text, const struct ra_advice_ranks *ranks,
                           const struct told *told, size_t count)
{
	ra_util_text_format(text, count > MOST ? "all %zu slow ranks together" : "ranks ", count);
	for (size_t i = 0; i < count && count <= MOST; i++) {
		ra_util_text_format(text, "%lld%s",
		                    (long long) ranks->collectives.ranks[told[i].rank].number,
		                    i + 1 == count   ? " together"
		                    : i + 2 == count ? " and "
		                                     : ", ");
	}
}

void ra_advice_ranks_put_gain(struct ra_util_text *text, const struct ra_advice_ranks *ranks,
                              size_t rank)
{
	if (!ra_rank_delay_is_slow(&ranks->delays.ranks[rank])) {
		return;
	}
	ra_util_text_format(text, "; curing just this rank gains up to ");
	ra_util_text_put_time(text, ranks->delays.ranks[rank].alone_ns);
	if (is_more_together(&ranks->delays)) {
		struct told *told = ra_alloc_zeros(ranks->delays.count + 1, sizeof(*told));

		ra_util_text_format(text, ", ");
		put_slow_ranks(text, ranks, told, list_told(told, &ranks->delays, true));
		ra_util_text_format(text, " up to ");
		ra_util_text_put_time(text, ranks->delays.together_ns);
		free(told);
	}
}

/* Writes ". Curing ranks 5 and 4 together gains up to 901us, as they are late for the same
 * collectives", if curing these ranks together gains more than curing them one by one. */
static void put_together(struct ra_util_text *text, const struct ra_advice_ranks *ranks,
                         const struct told *told, size_t count)
{
	if (count > 1 && is_more_together(&ranks->delays)) {
		ra_util_text_format(text, ". Curing ");
		put_slow_ranks(text, ranks, told, count);
		ra_util_text_format(text, " gains up to ");
		ra_util_text_put_time(text, ranks->delays.together_ns);
		ra_util_text_format(text, ", as they are late for the same collectives");
	}
}

static void put_late(struct ra_util_text *text, const struct ra_advice_ranks *ranks, size_t rank)
{
	const struct ra_rank_delay *delay = &ranks->delays.ranks[rank];

	ra_util_text_format(text,
	                    "%s %lld is late from the start: it entered the first "
	                    "collective ",
	                    text->length > 0 ? ". Rank" : "rank",
	                    (long long) ranks->collectives.ranks[rank].number);
	ra_util_text_put_time(text, delay->start_ns);
	ra_util_text_format(text, " after the middle rank, and is no slower: the others waited ");
	ra_util_text_put_time(text, delay->before_ns);
	ra_util_text_format(text, " for it there");
	put_others(text, delay->others);
	ra_util_text_format(text, ", as the recordings need not begin together, and ");
	ra_util_text_put_time(text, delay->waits_ns[RA_RANK_DELAY_START]);
	ra_util_text_format(text, " until it had caught up");
}

static void put_all(struct ra_util_text *text, const struct ra_advice_ranks *ranks,
                    const struct told *told, size_t count, bool is_slow)
{
	for (size_t i = 0; i < count && i < MOST; i++) {
		if (is_slow) {
			put_slow(text, ranks, told[i].rank);
		} else {
			put_late(text, ranks, told[i].rank);
		}
	}
	if (count > MOST) {
		ra_util_text_format(text, "; so %s %zu more", count == MOST + 1 ? "is" : "are",
		                    count - MOST);
	}
}

void ra_advice_ranks_put(struct ra_util_text *text, const struct ra_advice_ranks *ranks)
{
	struct told *told = ra_alloc_zeros(ranks->delays.count + 1, sizeof(*told));
	struct ra_util_text words = { 0 };
	bool is_any = false;
	size_t slow;

	for (size_t r = 0; r < ranks->delays.count; r++) {
		is_any = is_any || ranks->delays.ranks[r].stretches > 0;
	}
	slow = list_told(told, &ranks->delays, true);
	if (is_any && slow == 0) {
		ra_util_text_format(&words, "no rank's own work between collectives takes 2 %% "
		                            "longer than the middle rank's and holds up others");
	}
	put_all(&words, ranks, told, slow, true);
	put_together(&words, ranks, told, slow);
	put_all(&words, ranks, told, list_told(told, &ranks->delays, false), false);
	if (is_any) {
		ra_util_text_put(text, words.bytes, words.length);
	}
	ra_util_text_free(&words);
	free(told);
}
