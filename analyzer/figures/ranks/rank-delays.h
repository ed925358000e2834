/* SPDX-License-Identifier: MIT */
/* Finds why ranks come late to collectives: they were late from the start, or became slower
 * since. */
#ifndef RA_RANK_DELAYS_H
#define RA_RANK_DELAYS_H

#include "analyzer/figures/ranks/rank-stretches.h"

/* The causes of a rank's lateness. */
enum ra_rank_delay_cause {
	RA_RANK_DELAY_START, /* the rank was late when it first met the others */
	RA_RANK_DELAY_OWN,   /* the rank took longer than the middle rank from one collective to the
	                        next */
	RA_RANK_DELAY_OTHER, /* the cause is unknown: the rank's launches and kernels took no
	                        longer */
	RA_RANK_DELAY_CAUSES,
};

struct ra_rank_delay {
	uint64_t calls;     /* collectives in which the rank met others; 0: nothing is known */
	uint64_t stretches; /* number of stretches that were compared */
	int64_t start_ns;   /* how much later than the middle rank it entered the first collective;
	                       if it has several groups, the largest of these times */
	int64_t own_ns;     /* the rank's own time in the stretches that were compared … */
	int64_t usual_ns;   /* … and the middle rank's in the same stretches */
	int64_t gpu_ns;     /* sum of the times by which stretches took longer because of the rank's
	                       GPU */
	int64_t gpu_own_ns; /* time of GPU work without collectives in the stretches that were
	                       compared … */
	int64_t gpu_usual_ns; /* … and the middle rank's in the same stretches */
	int64_t most_ns;      /* the largest time that the rank was late because of its own time */
	int64_t before_ns;    /* waits of the other ranks for this rank in the first collective of a
	                         group. They include the difference between the starts of the
	                         recordings */
	int64_t waits_ns[RA_RANK_DELAY_CAUSES]; /* waits of the other ranks for this rank in all
	                                           later collectives */
	int64_t late_ns; /* the same, but of each collective only the longest wait: that of the rank
	                    that came first */
	int64_t alone_ns; /* upper limit of the time that the run would gain if only this rank were
	                     as fast as the middle one: each collective would then wait for the
	                     second last rank */
	size_t others;    /* the largest number of ranks that waited for this rank in a
	                     collective */
};

struct ra_rank_delays {
	struct ra_rank_delay *ranks; /* owned; in the order of the files, like the next */
	struct ra_rank_stretches *stretches;
	size_t count;
	int64_t together_ns; /* upper limit of the time that the run would gain if all slow ranks
	                        were as fast as the middle one */
};

/* Compares the ranks of a run. `delays` borrows the collectives, which must outlive it. O(n log
 * n). */
void ra_rank_delays_init(struct ra_rank_delays *delays, const struct ra_files *files,
                         const struct ra_collectives *collectives);
void ra_rank_delays_fini(struct ra_rank_delays *delays);

/* Returns how much the rank's own time exceeds the middle rank's; below 0: the rank was faster. */
static inline int64_t ra_rank_delay_slower(const struct ra_rank_delay *delay)
{
	return delay->own_ns - delay->usual_ns;
}

/* True if the rank was late because of its own time, by more than a small part of that time. */
bool ra_rank_delay_is_slow(const struct ra_rank_delay *delay);

/* True if GPU work does not explain why the rank is slow: in the stretches where the rank was
 * slower, its GPU work is about as long as the middle rank's, or the difference is only a small
 * part of the rank's excess. False if no GPU work is known in these stretches. */
bool ra_rank_delay_is_of_cpu(const struct ra_rank_delay *delay);

/* True if the rank was late from the start, others waited for it because of that, and it is not
 * slow. */
bool ra_rank_delay_is_late(const struct ra_rank_delay *delay);

#endif
