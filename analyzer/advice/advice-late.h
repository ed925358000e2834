/* SPDX-License-Identifier: MIT */
/* Finds where the program was while it was late, and how long in each place. */
#ifndef RA_ADVICE_LATE_H
#define RA_ADVICE_LATE_H

#include "analyzer/advice/advice.h"

/* A gap in which the host was late. */
struct ra_advice_late {
	const struct ra_intervals *parts; /* when it was late; they do not overlap */
	uint32_t track;                   /* the thread that was late */
	uint32_t other; /* the thread to look at while `track` was in no range and no call; RA_NONE:
	                   none */
	struct rlog_string nowhere; /* the name to use while both threads were in none */
};

/*
 * Adds a gap to the evidence: the name of each place where the program was, and the time for which
 * it was there.
 *
 * @event: the gap's event. A copy is added for each name, with the name's share of its duration.
 */
void ra_advice_late_note(const struct ra_advice *advice, struct ra_advice_evidence *evidence,
                         const struct ra_advice_late *late, const struct ra_advice_event *event);

#endif
