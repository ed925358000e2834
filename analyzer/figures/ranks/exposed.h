/* SPDX-License-Identifier: MIT */
/* Finds why communication is exposed: what the device's next work waits for meanwhile. */
#ifndef RA_EXPOSED_H
#define RA_EXPOSED_H

#include "analyzer/base/order/intervals.h"
#include "analyzer/figures/collectives.h"
#include "analyzer/figures/rank-gpu.h"

/* Parts of the time in which collectives run and nothing hides them. A moment belongs to a part by
 * what the next work on the device was waiting for. */
struct ra_exposed {
	int64_t late_ns;   /* the CPU has not launched it yet, or less than RA_GPU_GAPS_SHORT_NS
	                      before it begins, so there is nothing to overlap with … */
	int64_t held_ns;   /* … because a call waits for the end of a collective */
	int64_t queued_ns; /* it is launched, and waits: for the collective, or for something
	                      else */
	int64_t none_ns;   /* there is none, or its launch is not known */
};

/* Explains these parts to people: a line below tables. */
extern const char ra_exposed_note[];

/* The device to look at, and the kinds of its work, enum ra_rank_kind or'ed, that could run beside
 * collectives. */
struct ra_exposed_query {
	const struct ra_model *model;
	uint32_t device; /* CUPTI's id */
	unsigned kinds;
};

/* Adds the times in which collectives run on the device and none of these kinds, and unites. The
 * set must be empty before. O(n log n). */
void ra_exposed_find(struct ra_intervals *exposed, const struct ra_exposed_query *query);

/* Divides a united set of times in which none of these kinds runs. O(n log n). */
void ra_exposed_split(struct ra_exposed *out, const struct ra_exposed_query *query,
                      const struct ra_intervals *exposed);

/* A part of a collective's exposed time after which a kernel comes. */
struct ra_exposed_part {
	size_t call;        /* index of the collective */
	uint32_t next;      /* that kernel's operation */
	int64_t exposed_ns; /* how long the part is … */
	int64_t wait_ns; /* … and how long of it the kernel was launched and waited; -1: its launch
	                    is not known */
};

/* The exposed time of collectives. */
struct ra_exposed_calls {
	struct ra_exposed *causes;     /* owned; of each collective */
	struct ra_exposed_part *parts; /* owned; by call */
	size_t part_count;
};

/*
 * Divides the time in which collectives run and no kernel computes on their device. While several
 * run, the time is that of the one that began first, so that all add up to the device's.
 *
 * @calls: `count`, in any order. O(n log n) for each device. Free with ra_exposed_calls_fini().
 */
void ra_exposed_calls_init(struct ra_exposed_calls *exposed, const struct ra_model *model,
                           const struct ra_collective *calls, size_t count);

void ra_exposed_calls_fini(struct ra_exposed_calls *exposed);

#endif
