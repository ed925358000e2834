/* SPDX-License-Identifier: MIT */
/* Finds the chain of work and waits at the end of a stretch of time (doc/metrics.md, section
 * 22). */
#ifndef RA_CRITICAL_PATH_H
#define RA_CRITICAL_PATH_H

#include "analyzer/figures/thread-activity.h"

/* The kind of a part of the path, and the array that the part's index refers to. */
enum ra_critical_kind {
	RA_CRITICAL_RANGE,     /* slices: the thread's innermost range */
	RA_CRITICAL_CALL,      /* apis: a call of CUDA, or the end of the call after its wait */
	RA_CRITICAL_OPERATION, /* ops */
	RA_CRITICAL_LAUNCH,    /* ops: from the end of the operation's call to its start */
	RA_CRITICAL_STREAM,    /* ops: from the end of the previous operation in the stream to the
	                          start */
	RA_CRITICAL_EVENT,     /* ops: from the end of an operation in another stream to the
	                          start */
	RA_CRITICAL_NOTHING,   /* no thread was in a range or call; tracks: the thread that the path
	                          was on, RA_NONE: none */
	RA_CRITICAL_KINDS
};

struct ra_critical_part {
	int64_t start_ns;
	int64_t end_ns;
	uint32_t index;
	enum ra_critical_kind kind;
};

/* A stream's wait for an event: its queue, the begin of the call for the wait, and the operation
 * after which the event was recorded. */
struct ra_critical_event {
	uint32_t queue;
	uint32_t op;   /* RA_NONE: the event was recorded before any operation */
	bool is_known; /* otherwise `op` is not set */
	int64_t call_ns;
};

struct ra_critical_path {
	const struct ra_model *model;
	struct ra_thread_activity threads;
	/*
	 * Owned: operations of positive duration, sorted by end, equal ends by index. One list is
	 * sorted by queue first, one by device first, one by end alone. Operations of queue q start
	 * at queue_first[q]. Those of a device start where its first queue starts.
	 */
	uint32_t *by_queue;
	uint32_t *by_device;
	uint32_t *by_end;
	size_t *queue_first; /* owned */
	struct ra_critical_device {
		uint32_t first; /* queue */
		uint32_t end;
	} * devices;                      /* owned; for each queue, the range of queues on its
	                                     device */
	uint32_t *waits;                  /* owned; for each call, the work it waits for */
	struct ra_critical_event *events; /* owned; sorted by queue, then time */
	size_t event_count;
	struct ra_critical_part *parts; /* owned; parts of the last walk, latest first, without
	                                   gaps */
	size_t part_count;
	size_t part_capacity;
};

/* @is_step: as for ra_thread_activity_init(). */
void ra_critical_path_init(struct ra_critical_path *path, const struct ra_model *model,
                           const uint8_t *is_step);
void ra_critical_path_fini(struct ra_critical_path *path);

/* Walks from the end of a stretch back to its start. O(log n) a part. */
void ra_critical_path_walk(struct ra_critical_path *path, int64_t start_ns, int64_t end_ns);

#endif
