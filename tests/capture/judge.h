/* SPDX-License-Identifier: MIT */
/* Compares the log of a pusher with the pusher's own count of calls. */
#ifndef JUDGE_H
#define JUDGE_H

#include <stdbool.h>

#include "tests/capture/pushing.h"

struct judgement {
	uint64_t events;    /* in the log */
	uint64_t calls;     /* that had returned */
	uint64_t missing;   /* returned, not in the log */
	uint64_t excess;    /* more than one call per thread beyond those that returned */
	uint64_t wrong;     /* not the event expected at that place: order, name, double */
	uint64_t backwards; /* times */
	uint64_t lost;      /* by the log's own count */
	uint64_t damages;
	bool is_closed;
	double bytes_per_pair;
	char why[256]; /* the first thing that was wrong */
};

/* Return: false if the log can't be read (why says so). */
bool judge_log(const char *path, const struct pushing *shared, unsigned threads,
               struct judgement *out);

/* True if nothing is wrong. Calls that were unfinished at the kill may be there or not. */
bool judge_is_good(const struct judgement *judgement);

#endif
