/* SPDX-License-Identifier: MIT */
/* Finds from a program's spool what it is doing: its open ranges, and sums of those that have
 * ended. */
#ifndef RCAP_RANGES_SIGHT_H
#define RCAP_RANGES_SIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/launcher/top/ranges-peek.h"
#include "libranges/launcher/top/ranges-sight-started.h"

/* Durations are counted in bins of an eighth of a power of two. So a p99 is at most 12 % too
 * long. */
#define RCAP_RANGES_SIGHT_BINS 512u

/* The table of sums has at most this many elements, so that it stays fast. */
#define RCAP_RANGES_SIGHT_PLACES 8192u

/* The sum of all ranges, or all kernels, with one name. */
struct rcap_ranges_sum {
	uint32_t name;
	uint32_t domain;
	bool is_kernel;
	uint64_t calls;   /* number of calls that ended since the first look */
	double total_ns;  /* time of these calls, from begin to end */
	double max_ns;    /* time of the longest call */
	double recent_ns; /* time within calls during the last interval; for ranges, open calls are
	                   * included */
	uint64_t recent;  /* number of calls that ended in the last interval */
	struct rcap_ranges_sum *folded; /* borrowed: the sum of several names that includes this
	                                 * sum; NULL if there is none */
	char *pattern;  /* owned; the common name of several names, with # for the numbers that
	                 * differ; NULL for a sum of one name */
	uint32_t names; /* number of names in a sum of several names */
	uint32_t bins[RCAP_RANGES_SIGHT_BINS];
};

/* A thread, or the stream of the GPU's records. */
struct rcap_ranges_thread {
	uint32_t index;
	uint32_t stream; /* 0: there is no stream */
	uint32_t tid;
	uint32_t name; /* string id */
	bool is_gpu;
	bool is_placed; /* `stack` has our position in the thread's queue */
	bool is_known;  /* `stack` also has the ranges that are open at that position */
	uint64_t base;  /* ordinal of the drain's last position */
	struct rcap_live_stack stack;
};

/* An event that was read. All events of a reading may have to be discarded. */
struct rcap_ranges_event {
	uint64_t ticks;
	uint64_t dur; /* duration of a kernel */
	uint64_t id;  /* id of a start/end range */
	uint32_t name;
	uint32_t domain;
	uint32_t op;
};

struct rcap_ranges_sight {
	struct rcap_ranges_peek peek;
	char program[64];
	struct rcap_ranges_thread *threads; /* owned; indexed by stream */
	uint32_t thread_count;
	struct rcap_ranges_started *started; /* owned */
	struct rcap_ranges_sum **sums;       /* owned, and each sum, too; a hash table */
	size_t sum_count;
	struct rcap_ranges_sum **folded; /* owned, and each sum, too: sums of several names */
	size_t folded_count;
	struct rcap_ranges_event *events; /* owned; the events of one reading */
	size_t event_count;
	void *block;        /* owned; memory for a block, at the start of a page */
	double ns_per_tick; /* rate of the program's clock */
	uint64_t began_ns;  /* CLOCK_MONOTONIC: time of the first look */
	uint64_t before_ns; /* start of the last interval */
	uint64_t now_ns;
	uint64_t now_ticks;
	bool is_all;         /* the last reading has read all streams to their end */
	uint64_t missed;     /* number of events that the drain took before we read them */
	uint64_t seen;       /* number of events read */
	uint32_t switches;   /* number of switches of the capture that the drain has handled */
	double kernel_from;  /* start of the interval, by the times of kernels' records */
	double kernel_ns;    /* time in the last interval during which any kernel ran */
	double kernel_until; /* time up to which kernel_ns is counted */
	uint64_t kernels;
	uint64_t steps; /* number of steps at the end of the last interval; steps_before: at its
	                 * start */
	uint64_t steps_before;
	uint64_t seen_before;
	uint64_t lost;
};

/* Opens a spool. Return: false as rcap_ranges_peek_open(), or if there is no memory. */
bool rcap_ranges_sight_open(struct rcap_ranges_sight *sight, const char *path);

/* Adds a call and its duration. */
void rcap_ranges_sight_add(struct rcap_ranges_sight *sight, uint32_t name, uint32_t domain,
                           bool is_kernel, double ns);

/* Returns the sum for a name; creates it if it does not exist. NULL: there are too many. */
struct rcap_ranges_sum *rcap_ranges_sight_sum(struct rcap_ranges_sight *sight, uint32_t name,
                                              uint32_t domain, bool is_kernel);

/* Reads new events. Call this some times a second, because events that the drain has taken are
 * missed. Return: false if the program has ended. */
bool rcap_ranges_sight_read(struct rcap_ranges_sight *sight);

/* Begins an interval: rates and shares refer to what comes from now on. Context: before the reads
 * of the interval. */
void rcap_ranges_sight_begin(struct rcap_ranges_sight *sight);

/* Ends the interval: adds the times of open ranges, and makes the sums of several names. */
void rcap_ranges_sight_end(struct rcap_ranges_sight *sight);

/* Makes a sum for all ranges of a domain whose names differ only by numbers. Frees the earlier sums
 * of this kind. */
void rcap_ranges_sight_fold(struct rcap_ranges_sight *sight);

/* Frees the sums of several names. */
void rcap_ranges_sight_unfold(struct rcap_ranges_sight *sight);

void rcap_ranges_sight_free_sums(struct rcap_ranges_sight *sight);

void rcap_ranges_sight_close(struct rcap_ranges_sight *sight);

/* Returns how long ago `ticks` was, in ns. */
double rcap_ranges_sight_age_ns(const struct rcap_ranges_sight *sight, uint64_t ticks);

/* Returns the time that GPU shares refer to, in ns. */
double rcap_ranges_sight_gpu_ns(const struct rcap_ranges_sight *sight);

/* Returns a duration that 99 of 100 calls do not exceed. If a few calls took most of the time, the
 * mean may be longer. */
double rcap_ranges_sight_p99(const struct rcap_ranges_sum *sum);

/* How a table is sorted: the largest value first, but names alphabetically. */
enum rcap_ranges_order {
	RCAP_RANGES_BY_SHARE,
	RCAP_RANGES_BY_CALLS,
	RCAP_RANGES_BY_MEAN,
	RCAP_RANGES_BY_P99,
	RCAP_RANGES_BY_MAX,
	RCAP_RANGES_BY_NAME,
	RCAP_RANGES_ORDERS,
};

struct rcap_ranges_choice {
	enum rcap_ranges_order order;
	const char *filter; /* shows only names that contain this text; "": all */
	bool kernels;       /* true: kernels; false: ranges */
	bool folds; /* adds up names that differ only by numbers, unless the filter matches only
	             * some of them */
};

/* Returns the name of a sum. For a sum of several names, returns what they have in common, such as
 * "layer #". */
const char *rcap_ranges_sight_name(const struct rcap_ranges_sight *sight,
                                   const struct rcap_ranges_sum *sum);

/* Gets the sums that have calls or time in the last interval, sorted. @out: room for `size`.
 * Return: number of sums. */
size_t rcap_ranges_sight_rank(const struct rcap_ranges_sight *sight,
                              const struct rcap_ranges_choice *choice,
                              const struct rcap_ranges_sum **out, size_t size);

/* Returns how many events the figures may lack at most: events that were not read, and ends of
 * start/end ranges without a start. */
static inline uint64_t rcap_ranges_sight_not_seen(const struct rcap_ranges_sight *sight)
{
	return sight->missed + sight->started->unmatched;
}

#endif
