/* SPDX-License-Identifier: MIT */
/* Finds the innermost range or the CUDA call that each thread was in at each moment. */
#ifndef RA_THREAD_ACTIVITY_H
#define RA_THREAD_ACTIVITY_H

#include "analyzer/model/model.h"

/* A stretch of a thread's time, not empty. */
struct ra_thread_piece {
	int64_t start_ns;
	int64_t end_ns;
	uint32_t index; /* of the slice or the API call */
	bool is_call;
};

/* A stretch in which a thread was always in a range or call. */
struct ra_thread_busy {
	int64_t start_ns;
	int64_t end_ns;
	uint32_t track;
};

struct ra_thread_activity {
	struct ra_thread_piece *pieces; /* owned; sorted by track, then time; they do not overlap */
	size_t count;
	size_t capacity;
	size_t *first; /* owned; index of the first piece of each track, and the end */
	uint32_t home; /* the walk's main thread; RA_NONE: no thread was in a range or call */
	/* The other threads of home's process: at each moment, the thread whose stretch began
	 * first. */
	struct ra_thread_busy *others; /* owned; sorted by time; they do not overlap */
	size_t other_count;
};

/*
 * A call inside another belongs to the outer one. Ranges that cross others are left out.
 *
 * @is_step: for each slice; steps are left out, too. Home is the thread with most steps. Without
 * steps it is the thread that was in ranges and calls longest. O(n log n).
 */
void ra_thread_activity_init(struct ra_thread_activity *activity, const struct ra_model *model,
                             const uint8_t *is_step);
void ra_thread_activity_fini(struct ra_thread_activity *activity);

/* Finds the last piece of a thread that began before a time; NULL if there is none. O(log n). */
const struct ra_thread_piece *ra_thread_activity_find(const struct ra_thread_activity *activity,
                                                      uint32_t track, int64_t before_ns);

/* Finds the last piece of the other threads that began before a time; NULL if there is none. */
const struct ra_thread_busy *ra_thread_activity_other(const struct ra_thread_activity *activity,
                                                      int64_t before_ns);

#endif
