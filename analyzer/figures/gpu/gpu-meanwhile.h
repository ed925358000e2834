/* SPDX-License-Identifier: MIT */
/* Finds what a thread did during a stretch of time: its ranges and CUDA calls. */
#ifndef RA_GPU_MEANWHILE_H
#define RA_GPU_MEANWHILE_H

#include "analyzer/base/order/intervals.h"
#include "analyzer/model/model.h"

struct ra_gpu_meanwhile {
	uint32_t range; /* name of the range that was innermost longest; RA_NONE: none */
	int64_t range_ns;
	uint32_t api; /* name of the function that the thread was in longest; RA_NONE: none */
	int64_t api_ns;
};

/* The time to look at: [start, end) of a thread. */
struct ra_gpu_meanwhile_time {
	const struct ra_model *model;
	const uint8_t *is_step;   /* by slice: true: not a range here; NULL: all are ranges */
	const int64_t *call_ends; /* of ra_gpu_meanwhile_list_ends(); NULL: it takes longer */
	uint32_t track;
	int64_t start_ns;
	int64_t end_ns;
};

/* Lists by call the time at which this call and all earlier ones of its thread are over. It pays if
 * calls are looked up many times. Return: malloc'd. */
int64_t *ra_gpu_meanwhile_list_ends(const struct ra_gpu *gpu);

/* Finds what the thread was in longest. Times of one name are summed, of ranges or calls; a call
 * inside another counts as the outer one. O(log n + what happened then). */
void ra_gpu_meanwhile_find(struct ra_gpu_meanwhile *out, const struct ra_model *model,
                           uint32_t track, int64_t start_ns, int64_t end_ns);
void ra_gpu_meanwhile_find_in(struct ra_gpu_meanwhile *out,
                              const struct ra_gpu_meanwhile_time *time);

/* @what: the slice of the innermost range, or the name of a call; RA_NONE: none is open. */
typedef void ra_gpu_meanwhile_see(void *context, uint32_t what, int64_t from_ns, int64_t to_ns);

/* Visits all of the time in order, by the innermost range or by the outermost call. */
void ra_gpu_meanwhile_walk(const struct ra_gpu_meanwhile_time *time, ra_gpu_meanwhile_see *see,
                           void *context);
void ra_gpu_meanwhile_walk_calls(const struct ra_gpu_meanwhile_time *time,
                                 ra_gpu_meanwhile_see *see, void *context);

enum ra_gpu_place_kind {
	RA_GPU_PLACE_NONE,   /* in ranges for less than half of the time, in no call for half */
	RA_GPU_PLACE_RANGE,  /* in this range, or in those inside it */
	RA_GPU_PLACE_RANGES, /* in ranges for half of the time, but not in one of them */
	RA_GPU_PLACE_CALL,
};

struct ra_gpu_place {
	enum ra_gpu_place_kind kind;
	uint32_t name;   /* of the range or the call; for NONE and RANGES the name whose ranges took
	                    most; RA_NONE: none */
	int64_t time_ns; /* how long it lasted within the instants */
};

/* The instants of a thread to look at. */
struct ra_gpu_place_query {
	const struct ra_model *model;
	const uint8_t *is_step;   /* by slice: true: no place, because it encloses all */
	const int64_t *call_ends; /* of ra_gpu_meanwhile_list_ends(); NULL: it takes longer */
	uint32_t track;
	bool prefers_calls;               /* calls are preferred to ranges */
	const struct ra_intervals *parts; /* united */
};

/* Finds the innermost range that was open for half of the time. Otherwise it finds the name whose
 * ranges together were open for half of it, or else the function whose calls took half of it.
 * O(events in that time). */
void ra_gpu_meanwhile_find_place(struct ra_gpu_place *out, const struct ra_gpu_place_query *query);

#endif
