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

/* Durations are counted in eighths of powers of two, so a p99 is at most 12 % too long. */
#define RCAP_RANGES_SIGHT_BINS 512u

/* Most entries of the table of sums: the limit keeps it fast. */
#define RCAP_RANGES_SIGHT_PLACES 8192u

/* Ranges, or kernels, of one name. */
struct rcap_ranges_sum {
	uint32_t name;
	uint32_t domain;
	bool is_kernel;
	uint64_t calls;   /* calls that ended since the first look */
	double total_ns;  /* time of these calls, from begin to end */
	double max_ns;    /* the longest */
	double recent_ns; /* time in it during the last interval; for ranges also while open */
	uint64_t recent;  /* calls that ended in the interval */
	struct rcap_ranges_sum *folded; /* borrowed: the sum that it is in, too; NULL: none */
	char *pattern;  /* owned; the common name, with # for the numbers that differ; NULL: it has
	                   one name */
	uint32_t names; /* number of these names */
	uint32_t bins[RCAP_RANGES_SIGHT_BINS];
};

/* A thread, or the stream of the GPU's records. */
struct rcap_ranges_thread {
	uint32_t index;
	uint32_t stream; /* 0: none */
	uint32_t tid;
	uint32_t name; /* string id */
	bool is_gpu;
	bool is_placed; /* `stack` has our position in the thread's queue */
	bool is_known;  /* `stack` also has the ranges that are open there */
	uint64_t base;  /* events before the drain's last position */
	struct rcap_live_stack stack;
};

/* Events that were read; they may have to be discarded. */
struct rcap_ranges_event {
	uint64_t ticks;
	uint64_t dur; /* of kernels */
	uint64_t id;  /* of start/end ranges */
	uint32_t name;
	uint32_t domain;
	uint32_t op;
};

struct rcap_ranges_sight {
	struct rcap_ranges_peek peek;
	char program[64];
	struct rcap_ranges_thread *threads; /* owned; by stream index */
	uint32_t thread_count;
	struct rcap_ranges_started *started; /* owned */
	struct rcap_ranges_sum **sums;       /* owned, each; a table by hash */
	size_t sum_count;
	struct rcap_ranges_sum **folded; /* owned, each: sums of several names */
	size_t folded_count;
	struct rcap_ranges_event *events; /* owned; of one reading */
	size_t event_count;
	void *block;        /* owned; at the start of a page */
	double ns_per_tick; /* of the program's clock */
	uint64_t began_ns;  /* CLOCK_MONOTONIC: time of the first look */
	uint64_t before_ns; /* start of the last interval */
	uint64_t now_ns;
	uint64_t now_ticks;
	bool is_all;         /* the last reading has read all streams to the end */
	uint64_t missed;     /* events that the drain took before they were read */
	uint64_t seen;       /* events read */
	uint32_t switches;   /* switches of the capture that the drain has passed */
	double kernel_from;  /* start of the interval, by the kernels' records */
	double kernel_ns;    /* time in the last interval when any kernel ran */
	double kernel_until; /* kernel_ns counts up to here */
	uint64_t kernels;
	uint64_t steps; /* at the start of the last interval, and at its end */
	uint64_t steps_before;
	uint64_t seen_before;
	uint64_t lost;
};

/* Return: false as rcap_ranges_peek_open(), or without memory. */
bool rcap_ranges_sight_open(struct rcap_ranges_sight *sight, const char *path);

/* Adds a call and its duration. */
void rcap_ranges_sight_add(struct rcap_ranges_sight *sight, uint32_t name, uint32_t domain,
                           bool is_kernel, double ns);

/* Finds the sum for a name, or makes it. NULL: there are too many. */
struct rcap_ranges_sum *rcap_ranges_sight_sum(struct rcap_ranges_sight *sight, uint32_t name,
                                              uint32_t domain, bool is_kernel);

/* Reads new events. Call it some times a second: events that the drain has taken are missed.
 * Return: false if the program has ended. */
bool rcap_ranges_sight_read(struct rcap_ranges_sight *sight);

/* Begins an interval: rates and shares refer to what comes from now on. Context: before its
 * reads. */
void rcap_ranges_sight_begin(struct rcap_ranges_sight *sight);

/* Ends the interval: adds open ranges, and folds sums. */
void rcap_ranges_sight_end(struct rcap_ranges_sight *sight);

/* Makes a sum for ranges of a domain whose names differ only by numbers; frees the earlier such
 * sums. */
void rcap_ranges_sight_fold(struct rcap_ranges_sight *sight);

/* Frees these sums. */
void rcap_ranges_sight_unfold(struct rcap_ranges_sight *sight);

void rcap_ranges_sight_free_sums(struct rcap_ranges_sight *sight);

void rcap_ranges_sight_close(struct rcap_ranges_sight *sight);

/* Returns how long ago `ticks` was, in ns. */
double rcap_ranges_sight_age_ns(const struct rcap_ranges_sight *sight, uint64_t ticks);

/* Returns the time that GPU shares refer to, in ns. */
double rcap_ranges_sight_gpu_ns(const struct rcap_ranges_sight *sight);

/* Returns the duration that 99 of 100 calls do not exceed. The mean may be above it, if a few calls
 * took most of the time. */
double rcap_ranges_sight_p99(const struct rcap_ranges_sum *sum);

/* Sort orders of a table: largest first, names alphabetically. */
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
	const char *filter; /* only names that contain this text; "": all */
	bool kernels;       /* else ranges */
	bool folds; /* adds up names that differ only by numbers, unless the filter matches only
	               some of them */
};

/* Returns the name of a sum, or what its names have in common: "layer #". */
const char *rcap_ranges_sight_name(const struct rcap_ranges_sight *sight,
                                   const struct rcap_ranges_sum *sum);

/* Gets the sums with calls or time in the last interval, sorted. @out: room for `size`. Return:
 * their number. */
size_t rcap_ranges_sight_rank(const struct rcap_ranges_sight *sight,
                              const struct rcap_ranges_choice *choice,
                              const struct rcap_ranges_sum **out, size_t size);

/* Returns how many events the figures may lack at most: unread ones, and ends of start/end ranges
 * without a start. */
static inline uint64_t rcap_ranges_sight_not_seen(const struct rcap_ranges_sight *sight)
{
	return sight->missed + sight->started->unmatched;
}

#endif
