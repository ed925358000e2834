/* SPDX-License-Identifier: MIT */
/* Holds one device's idle time, while the report "advice" divides it among causes. */
#ifndef RA_ADVICE_IDLE_H
#define RA_ADVICE_IDLE_H

#include "analyzer/advice/advice.h"
#include "analyzer/figures/gpu/gpu-meanwhile.h"
#include "analyzer/figures/python-stacks.h"
#include "analyzer/names/name-tests.h"

/* Kinds of memory and copies, by CUPTI's numbers. */
enum {
	RA_MEMORY_PAGEABLE = 1,
	RA_MEMORY_PINNED = 2,
	RA_MEMORY_MANAGED = 5,
	RA_COPY_ON_DEVICE = 8,
};

enum ra_advice_cause {
	RA_CAUSE_LOADING,
	RA_CAUSE_PROFILER,
	RA_CAUSE_FIRST_USE,
	RA_CAUSE_ALLOCATION,
	RA_CAUSE_SYNC,
	RA_CAUSE_SYNC_COPY,
	RA_CAUSE_PAGEABLE,
	RA_CAUSE_HOST,
	RA_CAUSE_LAUNCH,
	RA_CAUSE_SHORT,
	RA_CAUSE_WAIT,
	RA_CAUSE_BEFORE, /* work ran first that had been launched before the recording */
	RA_CAUSE_NO_CALL,
	RA_CAUSES
};

/* A longer time from a call's end to the start of its work on an idle device is not its launch. */
#define RA_ADVICE_LONG_WAY_NS 100000

/*
 * A thread's last wait for the GPU. Without the wait, the host would have launched everything after
 * it earlier by the length of the wait. So the wait costs at most its length. It also costs at most
 * the time for which the host is then late, until the host is ahead again.
 */
struct ra_advice_wait {
	size_t next; /* index of the thread's next call to look at */
	size_t end;
	uint32_t of;      /* the track whose wait makes this thread late … */
	int64_t of_ns;    /* … if its wait began then */
	int64_t start_ns; /* start of the wait that is charged */
	int64_t end_ns;   /* end of the last wait */
	int64_t rest_ns;  /* the time that the wait can still explain */
	enum ra_advice_cause cause;
	struct rlog_string place;
	int64_t cost_ns; /* the time charged in gaps so far. In the gap with the most of it: the
	                    time … */
	int64_t most_ns;
	int64_t most_start_ns; /* … and its start */
	int64_t last_ns;       /* the time charged in the last gap … */
	int64_t last_start_ns;
};

/* A call that waits for something. */
struct ra_advice_waiting {
	uint32_t process;
	uint32_t track;
	int64_t start_ns;
};

/* The causes of one device's idle time. */
struct ra_advice_idle {
	struct ra_advice *advice;
	const struct ra_advice_host *hosts; /* borrowed; one for each process */
	const struct ra_python_stacks *stacks;
	int64_t device;
	struct ra_advice_evidence causes[RA_CAUSES];
	struct ra_advice_evidence python;     /* for RA_CAUSE_HOST: the Python functions that the
	                                         host was in */
	struct ra_advice_evidence since_sync; /* where the program was after waits … */
	struct ra_advice_evidence since_copy; /* … and after copies that make the host wait */
	struct ra_advice_wait *waits;         /* owned; one for each track */
	struct ra_advice_waiting *waiting;    /* owned; ordered by process, then time */
	size_t waiting_count;
	size_t waiting_capacity;
	struct ra_name_tests are_waiting; /* owned: tests of call names */
	int64_t long_ns;                  /* the time of RA_CAUSE_HOST in gaps of 1 ms or more */
	int64_t before_copies_ns;         /* the time of RA_CAUSE_PAGEABLE within the calls */
	int64_t caused_ns[RA_CAUSES];
	int64_t graphs_ns[RA_CAUSES]; /* the part of caused_ns before nodes of graphs, for the
	                                 causes WAIT and NO_CALL */
	uint64_t short_ops;           /* operations shorter than the call that launched them */
	uint64_t small_ops;           /* kernels with fewer blocks than the device has
	                                 multiprocessors */
	uint64_t linked_ops;
	bool has_ended; /* an operation has ended, so the next one is not the first */
};

/* A gap, the operation after it, and the call that launched that operation. */
struct ra_advice_gap {
	int64_t start_ns;
	int64_t end_ns;
	const struct ra_gpu_op *next;
	const struct ra_gpu_op *last; /* the operation before the gap; NULL: there is none */
	const struct ra_gpu_api *call;
	const struct ra_advice_host *host; /* of the calling process */
	int64_t late_ns;          /* the host is late until this time; equal to start_ns: it is not
	                             late */
	struct ra_intervals late; /* the times when it is late and that no cause explains so far */
	int64_t host_ns;          /* the time in `late` that waits do not explain either */
	bool is_start;            /* the gap is before the first operation of a program without
	                             steps */
	int64_t way_ns;           /* set by the functions: time in a pageable copy's call before the
	                             copy starts … */
	int64_t pageable_ns;      /* … and the part of that time that is charged to the copy */
};

/* Charges a time to a cause, if the time is positive. */
void ra_advice_gap_charge(struct ra_advice_idle *idle, enum ra_advice_cause cause, int64_t start_ns,
                          int64_t dur_ns, struct rlog_string name, uint32_t track);

/* Text for the place of a thread that is in no range or call. It is recognised by its address. */
extern const char ra_advice_nowhere[];

/* Finds the range or call that a thread was in for half of the query's time. If there is none,
 * returns words that say so. */
struct rlog_string ra_advice_gap_find_place(const struct ra_advice_idle *idle,
                                            struct ra_gpu_place_query *query);

/* True of copies from or to memory that the driver has to copy to a buffer first. */
bool ra_advice_gap_is_pageable(const struct ra_gpu_op *op);

/* Divides a gap among the causes that delayed the operation after it. */
void ra_advice_gap_note(struct ra_advice_idle *idle, struct ra_advice_gap *gap);

void ra_advice_waits_init(struct ra_advice_idle *idle);
/* Charges waits that are not charged yet, and frees the memory. */
void ra_advice_waits_finish(struct ra_advice_idle *idle);
/*
 * Looks at the waits before the call of an operation. Pass the operations in the device's order. A
 * wait counts only if it reduced the host's lead: if at its end the device had less left to do than
 * the wait lasted.
 *
 * @until_ns: end of all earlier operations.
 */
void ra_advice_waits_see(struct ra_advice_idle *idle, const struct ra_gpu_op *op, int64_t until_ns);
/* If the call of the copy after a gap waited for the copy, notes it as a wait. The gap may be
 * empty. */
void ra_advice_waits_see_copy(struct ra_advice_idle *idle, const struct ra_advice_gap *gap);
/*
 * Charges the cost of the last wait in a gap. In the first gap after the wait, the cost is also
 * subtracted from *rest_ns; in later gaps it is not, because there the host is late for other
 * reasons, too.
 *
 * @parts: when the host was late.
 * @rest_ns: the time that no cause explains so far.
 */
void ra_advice_waits_charge(struct ra_advice_idle *idle, const struct ra_advice_gap *gap,
                            const struct ra_intervals *parts, int64_t *rest_ns);
/* Also charges the launch after the lateness to the wait, because the host's lead would have hidden
 * it. */
void ra_advice_waits_charge_launch(struct ra_advice_idle *idle, const struct ra_advice_gap *gap,
                                   int64_t launch_ns);

#endif
