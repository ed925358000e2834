/* SPDX-License-Identifier: MIT */
/* Finds where the program was while it was late. Each instant of a gap is counted for a range that
 * was open at that time, or else for the call. So several names share the time of a gap. */
#include "analyzer/advice/advice-late.h"

#include <stdlib.h>

#include "analyzer/base/util.h"
#include "analyzer/figures/gpu/gpu-meanwhile.h"
#include "analyzer/report/op-names.h"

/* Only this many ranges, counted from the innermost outwards, can be named. */
#define MOST_AROUND 64

/* The ranges and calls that the late thread was in during one gap. */
struct lateness {
	const struct ra_advice *advice;
	const struct ra_intervals *all;
	int64_t whole_ns;                  /* total length of `all` */
	struct ra_gpu_meanwhile_time time; /* the time being looked at */
	uint32_t other; /* track to use if the thread was in no range or call; RA_NONE: none */
	struct rlog_string nowhere;    /* the name used if that track was in none, too */
	struct ra_advice_event *parts; /* owned; each name and its time */
	size_t count;
	size_t capacity;
	int64_t all_ns;
};

static void add(struct lateness *late, struct rlog_string name, int64_t dur_ns)
{
	size_t i = 0;

	while (i < late->count && late->parts[i].name.bytes != name.bytes) {
		i++;
	}
	if (i == late->count) {
		RA_UTIL_APPEND(late->parts, late->count, late->capacity,
		               (struct ra_advice_event){ .name = name });
	}
	late->parts[i].dur_ns = ra_util_add_time(late->parts[i].dur_ns, dur_ns);
	late->all_ns = ra_util_add_time(late->all_ns, dur_ns);
}

static void look_into(struct lateness *late, uint32_t track, int64_t from_ns, int64_t to_ns);

/* A ra_gpu_meanwhile_see for times in which no range is open. */
static void see_call(void *context, uint32_t name, int64_t from_ns, int64_t to_ns)
{
	struct lateness *late = context;
	const uint32_t other = late->other;

	if (name != RA_NONE) {
		add(late, ra_model_string(late->advice->model, name), to_ns - from_ns);
	} else if (other != RA_NONE) {
		late->other = RA_NONE; /* look at the other track only once */
		look_into(late, other, from_ns, to_ns);
		late->other = other;
	} else {
		add(late, late->nowhere, to_ns - from_ns);
	}
}

static int64_t find_open(const struct lateness *late, uint32_t slice)
{
	const struct ra_slices *slices = &late->advice->model->slices;

	return ra_intervals_cover(late->all, slices->start_ns[slice],
	                          ra_util_add_time(slices->start_ns[slice], slices->dur_ns[slice]));
}

/*
 * Finds the range to name. It begins with the outermost range that was open for half of the time.
 * Then it goes inwards as long as the inner range took half of the outer range's time. If no range
 * was open for half of the time, it takes the innermost. So the many small ranges inside a long
 * range are not named one by one. But if an operator does most of the work of the range around it,
 * the operator is named, even if that range took only a small part of the time.
 */
static uint32_t find_told(const struct lateness *late, uint32_t slice)
{
	const struct ra_slices *slices = &late->advice->model->slices;
	uint32_t around[MOST_AROUND];
	uint32_t told = RA_NONE;
	int64_t of_ns = late->whole_ns;
	size_t count = 0;

	for (uint32_t i = slice; i != RA_NONE && late->time.is_step[i] == 0 && count < MOST_AROUND;
	     i = slices->parent[i]) {
		around[count++] = i;
	}
	while (count-- > 0) {
		const int64_t open_ns = find_open(late, around[count]);

		if (open_ns >= of_ns - open_ns) {
			told = around[count];
			of_ns = open_ns;
		} else if (told != RA_NONE) {
			break;
		}
	}
	return told == RA_NONE ? slice : told;
}

static void see_range(void *context, uint32_t slice, int64_t from_ns, int64_t to_ns)
{
	struct lateness *late = context;
	struct ra_gpu_meanwhile_time time = late->time;

	if (slice != RA_NONE) {
		add(late, ra_op_names_range(late->advice->input, find_told(late, slice)),
		    to_ns - from_ns);
		return;
	}
	time.start_ns = from_ns;
	time.end_ns = to_ns;
	ra_gpu_meanwhile_walk_calls(&time, see_call, late);
}

static void look_into(struct lateness *late, uint32_t track, int64_t from_ns, int64_t to_ns)
{
	const struct ra_gpu_meanwhile_time before = late->time;

	late->time.track = track;
	late->time.start_ns = from_ns;
	late->time.end_ns = to_ns;
	ra_gpu_meanwhile_walk(&late->time, see_range, late);
	late->time = before;
}

void ra_advice_late_note(const struct ra_advice *advice, struct ra_advice_evidence *evidence,
                         const struct ra_advice_late *late, const struct ra_advice_event *event)
{
	struct lateness sums = {
		.advice = advice,
		.all = late->parts,
		.whole_ns = ra_intervals_length(late->parts),
		.time = { .model = advice->model, .is_step = advice->steps->steps.is_step },
		.other = late->other != late->track ? late->other : RA_NONE,
		.nowhere = late->nowhere,
	};

	for (size_t i = 0; i < late->parts->count; i++) {
		look_into(&sums, late->track, late->parts->rows[i].start_ns,
		          late->parts->rows[i].end_ns);
	}
	/* Names share only the time that is not charged to waits, in proportion to their times. */
	for (size_t i = 0; i < sums.count && event->dur_ns < sums.all_ns; i++) {
		sums.parts[i].dur_ns = ra_advice_ns((double) sums.parts[i].dur_ns *
		                                    (double) event->dur_ns / (double) sums.all_ns);
	}
	ra_advice_note_parts(evidence, event, sums.parts, sums.count);
	free(sums.parts);
}
