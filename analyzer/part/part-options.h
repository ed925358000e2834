/* SPDX-License-Identifier: MIT */
/* The request for a part of a log, and the result. */
#ifndef RA_PART_OPTIONS_H
#define RA_PART_OPTIONS_H

#include <stdint.h>

struct ra_part_options {
	int64_t from_ns; /* since the log's time 0, as reports have it; INT64_MIN: from the begin on
	                  */
	int64_t to_ns;   /* the first that is outside; INT64_MAX: to the end */
	const char *thread; /* only threads whose name and number contain this; NULL: all */
};

struct ra_part_result {
	uint64_t events;        /* of the program, in the part */
	uint64_t begun;         /* ranges that were open when it begins */
	uint64_t gpu_before;    /* GPU operations of earlier calls that ran in its stretch … */
	uint64_t gpu_before_ns; /* … and for how long, added up */
	uint64_t chunks;        /* of events that were decoded or copied … */
	uint64_t all_chunks;    /* … of so many */
	uint64_t threads;       /* that were wanted */
	int64_t end_ns;         /* of the whole log */
};

#endif
