/* SPDX-License-Identifier: MIT */
/* One device's idle time while the report "advice" parts it by causes. */
#ifndef RA_ADVICE_IDLE_H
#define RA_ADVICE_IDLE_H

#include "analyzer/advice/advice.h"
#include "analyzer/figures/python-stacks.h"

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

/* The causes of one device's idle time. */
struct ra_advice_idle {
	struct ra_advice *advice;
	const struct ra_advice_host *host;
	const struct ra_python_stacks *stacks;
	int64_t device;
	struct ra_advice_evidence causes[RA_CAUSES];
	struct ra_advice_evidence python; /* of RA_CAUSE_HOST: the functions that launched */
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
	int64_t late_ns; /* end of what the host is to blame for; start_ns: nothing */
};

/* Adds to a cause what it cost; nothing if that is no time. */
int ra_advice_gap_charge(struct ra_advice_idle *idle, enum ra_advice_cause cause, int64_t start_ns,
                         int64_t dur_ns, struct rlog_string name, uint32_t track);

/* True of copies from or to memory that the driver has to copy again. */
bool ra_advice_gap_is_pageable(const struct ra_gpu_op *op);

/* Parts a gap by what kept the operation behind it away. */
int ra_advice_gap_note(struct ra_advice_idle *idle, struct ra_advice_gap *gap);

#endif
