/* SPDX-License-Identifier: MIT */
/* Finds why ranks come late to collectives: late from the start, or slower since. */
#ifndef RA_RANK_DELAYS_H
#define RA_RANK_DELAYS_H

#include "analyzer/figures/ranks/rank-stretches.h"

/* Parts of a time by where a rank's lateness comes from. */
enum ra_rank_delay_cause {
	RA_RANK_DELAY_START, /* it was late when it first met the others */
	RA_RANK_DELAY_OWN, /* it took longer than the middle rank from one collective to the next */
	RA_RANK_DELAY_OTHER, /* neither tells: its launches and kernels took no longer */
	RA_RANK_DELAY_CAUSES,
};

struct ra_rank_delay {
	uint64_t calls;     /* collectives that it met others in; 0: nothing is known */
	uint64_t stretches; /* stretches that were compared */
	int64_t start_ns;   /* how much later than the middle rank it entered the first; of several
	                       groups, the most */
	int64_t own_ns;     /* its own time in the stretches that were compared … */
	int64_t usual_ns;   /* … and that of the middle rank in the same ones */
	int64_t gpu_ns;     /* sum of the times by which it took longer in stretches because of its
	                       GPU */
	int64_t gpu_own_ns; /* GPU work, no collectives, in the stretches that were compared … */
	int64_t gpu_usual_ns; /* … and that of the middle rank in the same ones */
	int64_t most_ns;      /* the most that it was late because of its own time */
	int64_t before_ns;    /* waits of the others for it in the first collective of a group: they
	                         include the difference between the starts of the recordings */
	int64_t waits_ns[RA_RANK_DELAY_CAUSES]; /* waits of the others for it in all later
	                                           collectives */
	int64_t late_ns; /* the same, but only the longest wait in each collective: that of the rank
	                    that came first */
	int64_t alone_ns; /* upper limit of the time that the run would gain if only this rank were
	                     no slower than the middle one: each collective would then wait for the
	                     second last rank */
	size_t others;    /* the most ranks that waited for it in a collective */
};

struct ra_rank_delays {
	struct ra_rank_delay *ranks; /* owned; as the files, as the next */
	struct ra_rank_stretches *stretches;
	size_t count;
	int64_t together_ns; /* upper limit of the time that the run would gain if no slow rank were
	                        slower than the middle one */
};

/* Compares the ranks of a run. The collectives must outlive it. O(n log n). */
void ra_rank_delays_init(struct ra_rank_delays *delays, const struct ra_files *files,
                         const struct ra_collectives *collectives);
void ra_rank_delays_fini(struct ra_rank_delays *delays);

/* By how much a rank's own time exceeds the middle rank's; below 0: it was faster. */
static inline int64_t ra_rank_delay_slower(const struct ra_rank_delay *delay)
{
	return delay->own_ns - delay->usual_ns;
}

/* True if the rank's own time made it late, by more than a small part of that time. */
bool ra_rank_delay_is_slow(const struct ra_rank_delay *delay);

/* True if in the stretches where the rank was slower its GPU work is about as long as the middle
 * rank's, or exceeds it by only a small part of the rank's excess. False if no GPU work is known in
 * these stretches. */
bool ra_rank_delay_is_of_cpu(const struct ra_rank_delay *delay);

/* True if it was late from the start, others waited for it because of that, and it is not slow. */
bool ra_rank_delay_is_late(const struct ra_rank_delay *delay);

#endif
