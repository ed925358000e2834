/* SPDX-License-Identifier: MIT */
/* Finds what each thread was in at each moment: the innermost range, or a call of CUDA. */
#ifndef RA_THREAD_ACTIVITY_H
#define RA_THREAD_ACTIVITY_H

#include "analyzer/model/model.h"

/* A stretch of a thread's time, not empty. */
struct ra_thread_piece {
	int64_t start_ns;
	int64_t end_ns;
	uint32_t index; /* of the slice or the call */
	bool is_call;
};

/* A stretch in which a thread was in something throughout. */
struct ra_thread_busy {
	int64_t start_ns;
	int64_t end_ns;
	uint32_t track;
};

struct ra_thread_activity {
	struct ra_thread_piece *pieces; /* owned; by track, then time; they do not overlap */
	size_t count;
	size_t capacity;
	size_t *first; /* owned; first piece of each track, and the end */
	uint32_t home; /* the main thread of the walk; RA_NONE: no thread was in anything */
	/* The other threads of home's process: at each moment, the one whose stretch began
	 * first. */
	struct ra_thread_busy *others; /* owned; by time; they do not overlap */
	size_t other_count;
};

/*
 * A call inside another counts as the outer one; ranges that cross others are left out.
 *
 * @is_step: by slice; steps are left out, too. Home is the thread with most steps, else the one
 * that was in something longest. O(n log n).
 */
void ra_thread_activity_init(struct ra_thread_activity *activity, const struct ra_model *model,
                             const uint8_t *is_step);
void ra_thread_activity_fini(struct ra_thread_activity *activity);

/* The last piece of a thread that began before a time, NULL if there is none. O(log n). */
const struct ra_thread_piece *ra_thread_activity_find(const struct ra_thread_activity *activity,
                                                      uint32_t track, int64_t before_ns);

/* Finds the last piece of the other threads that began before a time. */
const struct ra_thread_busy *ra_thread_activity_other(const struct ra_thread_activity *activity,
                                                      int64_t before_ns);

#endif
