/* SPDX-License-Identifier: MIT */
/* One device's idle time while the report "advice" parts it by causes. */
#ifndef RA_ADVICE_IDLE_H
#define RA_ADVICE_IDLE_H

#include "analyzer/advice/advice.h"
#include "analyzer/figures/gpu/gpu-meanwhile.h"
#include "analyzer/figures/python-stacks.h"
#include "analyzer/names/name-tests.h"

/* Kinds of memory and copies, as CUPTI counts. */
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
	RA_CAUSE_SYNC,
	RA_CAUSE_SYNC_COPY,
	RA_CAUSE_PAGEABLE,
	RA_CAUSE_HOST,
	RA_CAUSE_LAUNCH,
	RA_CAUSE_SHORT,
	RA_CAUSE_WAIT,
	RA_CAUSE_BEFORE, /* what was launched before the recording ran first */
	RA_CAUSE_NO_CALL,
	RA_CAUSES
};

#define RA_ADVICE_LONG_WAY_NS 100000 /* between a call and its work, where nothing else runs */

/*
 * A thread's last wait for the GPU. Without it the host would have launched all behind it as much
 * earlier as it lasted: so it costs that at most, and no more than the host is late from then on,
 * until it is ahead again.
 */
struct ra_advice_wait {
	size_t next; /* call of the thread that was not looked at yet */
	size_t end;
	uint32_t of;      /* the track whose wait this thread is late because of … */
	int64_t of_ns;    /* … if that began then */
	int64_t start_ns; /* of the wait that counts */
	int64_t end_ns;   /* of the last one */
	int64_t rest_ns;  /* that it may still cost */
	enum ra_advice_cause cause;
	struct rlog_string place;
	int64_t cost_ns; /* in gaps so far; most of it in one of them … */
	int64_t most_ns;
	int64_t most_start_ns; /* … which began then */
	int64_t last_ns;       /* cost in the last one … */
	int64_t last_start_ns;
};

/* A call that waits, whatever for. */
struct ra_advice_waiting {
	uint32_t process;
	uint32_t track;
	int64_t start_ns;
};

/* The causes of one device's idle time. */
struct ra_advice_idle {
	struct ra_advice *advice;
	const struct ra_advice_host *hosts; /* by process */
	const struct ra_python_stacks *stacks;
	int64_t device;
	struct ra_advice_evidence causes[RA_CAUSES];
	struct ra_advice_evidence python;     /* of RA_CAUSE_HOST: where it was */
	struct ra_advice_evidence since_sync; /* where the program was behind waits … */
	struct ra_advice_evidence since_copy; /* … and behind copies that are waits */
	struct ra_advice_wait *waits;         /* owned; by track */
	struct ra_advice_waiting *waiting;    /* owned; by process, then time */
	size_t waiting_count;
	size_t waiting_capacity;
	struct ra_name_tests are_waiting; /* owned: the calls of a name */
	int64_t before_copies_ns;         /* of RA_CAUSE_PAGEABLE, in the calls */
	int64_t caused_ns[RA_CAUSES];
	uint64_t short_ops; /* shorter than the call that launched them */
	uint64_t linked_ops;
	bool has_ended; /* some operation has: the next one is not the first */
};

/* A gap, the operation behind it and the call that launched that. */
struct ra_advice_gap {
	int64_t start_ns;
	int64_t end_ns;
	const struct ra_gpu_op *next;
	const struct ra_gpu_op *last; /* NULL: none before */
	const struct ra_gpu_api *call;
	const struct ra_advice_host *host; /* of the process that called */
	int64_t late_ns;          /* end of what the host is to blame for; start_ns: nothing */
	struct ra_intervals late; /* until then, without what a cause explains */
	int64_t host_ns;          /* of that, what no wait explains either */
	bool is_start;            /* before all operations of a program without steps */
	int64_t way_ns;           /* set: what passes in its call before a pageable copy … */
	int64_t pageable_ns;      /* … and what of that the copy is to blame for */
};

/* Adds to a cause what it cost; nothing if that is no time. */
void ra_advice_gap_charge(struct ra_advice_idle *idle, enum ra_advice_cause cause, int64_t start_ns,
                          int64_t dur_ns, struct rlog_string name, uint32_t track);

/* The place of a thread that was nowhere: it is told by this address. */
extern const char ra_advice_nowhere[];

/* Where a thread was in some time: a range or a call that took half of it, else words for none. */
struct rlog_string ra_advice_gap_find_place(const struct ra_advice_idle *idle,
                                            struct ra_gpu_place_query *query);

/* True of copies from or to memory that the driver has to copy again. */
bool ra_advice_gap_is_pageable(const struct ra_gpu_op *op);

/* Parts a gap by what kept the operation behind it away. */
void ra_advice_gap_note(struct ra_advice_idle *idle, struct ra_advice_gap *gap);

void ra_advice_waits_init(struct ra_advice_idle *idle);
/* Charges what is not charged yet, and frees. */
void ra_advice_waits_finish(struct ra_advice_idle *idle);
/*
 * Looks at the waits before the call of an operation, which come in the device's order. Those count
 * that took lead: at whose end the device had less to do than they lasted.
 *
 * @until_ns: end of all operations before.
 */
void ra_advice_waits_see(struct ra_advice_idle *idle, const struct ra_gpu_op *op, int64_t until_ns);
/* The same of the call of a copy behind a gap, which may be empty: if it waited for the copy. */
void ra_advice_waits_see_copy(struct ra_advice_idle *idle, const struct ra_advice_gap *gap);
/*
 * Charges what the last wait costs in a gap, and takes it from the rest in the first one behind it:
 * in the others the host is late for its own reasons, too.
 *
 * @parts: when the host was late.
 */
void ra_advice_waits_charge(struct ra_advice_idle *idle, const struct ra_advice_gap *gap,
                            const struct ra_intervals *parts, int64_t *rest_ns);
/* The same of the launch behind that, which the lead would have hidden, too. */
void ra_advice_waits_charge_launch(struct ra_advice_idle *idle, const struct ra_advice_gap *gap,
                                   int64_t launch_ns);

#endif
