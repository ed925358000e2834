/* SPDX-License-Identifier: MIT */
/* Finds the ranges and CUDA calls that a thread was in during a stretch of time. */
#ifndef RA_GPU_MEANWHILE_H
#define RA_GPU_MEANWHILE_H

#include "analyzer/base/order/intervals.h"
#include "analyzer/model/model.h"

struct ra_gpu_meanwhile {
	uint32_t range; /* name whose ranges were innermost for the longest time; RA_NONE: none */
	int64_t range_ns;
	uint32_t api; /* name of the function whose calls took longest; RA_NONE: none */
	int64_t api_ns;
};

/* The time to look at: [start, end) on a thread. */
struct ra_gpu_meanwhile_time {
	const struct ra_model *model;
	const uint8_t *is_step; /* for each slice: true: ignore this range; NULL: ignore no range */
	uint32_t track;
	int64_t start_ns;
	int64_t end_ns;
};

/* Finds the name whose ranges, and the function whose calls, took longest. A call inside another
 * belongs to the outer one. O(log n + events in that time). */
void ra_gpu_meanwhile_find(struct ra_gpu_meanwhile *out, const struct ra_model *model,
                           uint32_t track, int64_t start_ns, int64_t end_ns);
void ra_gpu_meanwhile_find_in(struct ra_gpu_meanwhile *out,
                              const struct ra_gpu_meanwhile_time *time);

/* @what: the slice of the innermost range, or the name of the outermost call; RA_NONE: none is
 * open. */
typedef void ra_gpu_meanwhile_see(void *context, uint32_t what, int64_t from_ns, int64_t to_ns);

/* Visits all of the time in order, divided by the innermost range or by the outermost call. */
void ra_gpu_meanwhile_walk(const struct ra_gpu_meanwhile_time *time, ra_gpu_meanwhile_see *see,
                           void *context);
void ra_gpu_meanwhile_walk_calls(const struct ra_gpu_meanwhile_time *time,
                                 ra_gpu_meanwhile_see *see, void *context);

enum ra_gpu_place_kind {
	RA_GPU_PLACE_NONE,   /* ranges took less than half of the time, and no function took half */
	RA_GPU_PLACE_RANGE,  /* this range, with those inside it, took half of the time */
	RA_GPU_PLACE_RANGES, /* ranges took half of the time, but no single range did */
	RA_GPU_PLACE_CALL,
};

struct ra_gpu_place {
	enum ra_gpu_place_kind kind;
	uint32_t name;   /* of the range or the call; for NONE and RANGES the name whose ranges took
	                    most; RA_NONE: none */
	int64_t time_ns; /* how long the place lasted within the parts */
};

/* The parts of a thread's time to look at. */
struct ra_gpu_place_query {
	const struct ra_model *model;
	const uint8_t *is_step; /* for each slice: true: the range can't be the place, because it
	                           encloses everything */
	uint32_t track;
	bool prefers_calls;               /* calls are preferred to ranges */
	const struct ra_intervals *parts; /* sorted, without overlap */
};

/* Finds the innermost range that was open for half of the time. If there is none, finds the name
 * whose ranges together were open for half of it, or else the function whose calls took half of it.
 * O(events in that time). */
void ra_gpu_meanwhile_find_place(struct ra_gpu_place *out, const struct ra_gpu_place_query *query);

#endif
