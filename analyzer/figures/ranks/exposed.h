/* SPDX-License-Identifier: MIT */
/* Finds why communication is exposed: what the device's next work waits for at that time. */
#ifndef RA_EXPOSED_H
#define RA_EXPOSED_H

#include "analyzer/base/order/intervals.h"
#include "analyzer/figures/collectives.h"
#include "analyzer/figures/rank-gpu.h"

/* Parts of the time in which collectives run and nothing hides them. A moment belongs to the part
 * that says what the device's next work was waiting for. */
struct ra_exposed {
	int64_t late_ns;   /* the CPU has not launched the next work yet, or only in the last
	                      RA_GPU_GAPS_SHORT_NS before the work begins, so there is nothing to
	                      overlap with … */
	int64_t held_ns;   /* … and this is because a call waits for the end of a collective */
	int64_t queued_ns; /* the next work is launched, and waits for the collective or something
	                      else */
	int64_t none_ns;   /* there is no next work, or its launch is not known */
};

/* A line below tables that explains these parts to users. */
extern const char ra_exposed_note[];

/* The device to look at, and the kinds of its work that could run beside collectives: enum
 * ra_rank_kind, or'ed. */
struct ra_exposed_query {
	const struct ra_model *model;
	uint32_t device; /* CUPTI's id */
	unsigned kinds;
};

/* Adds the times in which collectives run on the device and none of these kinds, and unites them.
 * `exposed` must be empty before. O(n log n). */
void ra_exposed_find(struct ra_intervals *exposed, const struct ra_exposed_query *query);

/* Splits a united set of times in which none of these kinds runs. O(n log n). */
void ra_exposed_split(struct ra_exposed *out, const struct ra_exposed_query *query,
                      const struct ra_intervals *exposed);

/* A part of a collective's exposed time after which a kernel comes. */
struct ra_exposed_part {
	size_t call;        /* index of the collective */
	uint32_t next;      /* the operation of that kernel */
	int64_t exposed_ns; /* length of the part … */
	int64_t wait_ns; /* … and the time in it when the kernel was launched and waited; -1: its
	                    launch is not known */
};

/* The exposed time of collectives. */
struct ra_exposed_calls {
	struct ra_exposed *causes;     /* owned; for each collective */
	struct ra_exposed_part *parts; /* owned; sorted by call */
	size_t part_count;
};

/*
 * Divides the time in which collectives run and no kernel computes on their device. While several
 * run, the time belongs to the collective that began first, so the sum over all collectives is the
 * device's time.
 *
 * @calls: `count`, in any order. O(n log n) for each device. Free with ra_exposed_calls_fini().
 */
void ra_exposed_calls_init(struct ra_exposed_calls *exposed, const struct ra_model *model,
                           const struct ra_collective *calls, size_t count);

void ra_exposed_calls_fini(struct ra_exposed_calls *exposed);

#endif
