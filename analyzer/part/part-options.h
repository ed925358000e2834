/* SPDX-License-Identifier: MIT */
/* Which part of a log is wanted, and what was written. */
#ifndef RA_PART_OPTIONS_H
#define RA_PART_OPTIONS_H

#include <stdint.h>

struct ra_part_options {
	int64_t from_ns; /* since the log's time 0, as in reports; INT64_MIN: from the beginning */
	int64_t to_ns;   /* the first ns outside; INT64_MAX: to the end */
	const char *thread; /* only threads whose name and number contain this; NULL: all */
};

struct ra_part_result {
	uint64_t events;        /* number of the program's events in the part */
	uint64_t begun;         /* ranges that were open when the part begins */
	uint64_t gpu_before;    /* GPU operations of earlier calls that ran during the part … */
	uint64_t gpu_before_ns; /* … and their time during the part, added up */
	uint64_t chunks;        /* number of chunks of events that were decoded or copied … */
	uint64_t all_chunks;    /* … of all chunks of events */
	uint64_t threads;       /* number of wanted threads */
	int64_t end_ns;         /* end of the whole log */
};

#endif
