/* SPDX-License-Identifier: MIT */
/* Where the program was while it was late, by time. */
#ifndef RA_ADVICE_LATE_H
#define RA_ADVICE_LATE_H

#include "analyzer/advice/advice.h"

/* A gap that the host is to blame for. */
struct ra_advice_late {
	const struct ra_intervals *parts; /* when it was late: united */
	uint32_t track;                   /* of the thread that was */
	uint32_t other;             /* asked where that one was in nothing; RA_NONE: no other */
	struct rlog_string nowhere; /* what is said where both were */
};

/*
 * Adds a gap to the evidence: each name of where the program was, with the time that it was there.
 *
 * @event: the gap's, with the name of its place; names share its duration as they do the parts.
 */
void ra_advice_late_note(const struct ra_advice *advice, struct ra_advice_evidence *evidence,
                         const struct ra_advice_late *late, const struct ra_advice_event *event);

#endif
