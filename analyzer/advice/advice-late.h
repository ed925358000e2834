/* SPDX-License-Identifier: MIT */
/* Where the program was while it was late, by time. */
#ifndef RA_ADVICE_LATE_H
#define RA_ADVICE_LATE_H

#include "analyzer/advice/advice.h"

/* A gap in which the host was late. */
struct ra_advice_late {
	const struct ra_intervals *parts; /* when it was late: a union */
	uint32_t track;                   /* the thread that was late */
	uint32_t other;                   /* looked at while that thread was in nothing; RA_NONE: no
	                                   * other */
	struct rlog_string nowhere;       /* the name used if both were in nothing */
};

/*
 * Adds a gap to the evidence: the name of each place where the program was, and the time it was
 * there.
 *
 * @event: that of the gap, named by its place; its duration is shared among names in proportion.
 */
void ra_advice_late_note(const struct ra_advice *advice, struct ra_advice_evidence *evidence,
                         const struct ra_advice_late *late, const struct ra_advice_event *event);

#endif
