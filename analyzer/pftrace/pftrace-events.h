/* SPDX-License-Identifier: MIT */
/* Holds the contents of a timeline until everything is known: slices, samples, arrows, rows. */
#ifndef RA_PFTRACE_EVENTS_H
#define RA_PFTRACE_EVENTS_H

#include <stdbool.h>

#include "analyzer/base/util-map.h"
#include "analyzer/pftrace/pftrace-args.h"
#include "analyzer/pftrace/pftrace-samples.h"

enum ra_pftrace_track_kind {
	RA_PFTRACE_PROCESS,
	RA_PFTRACE_THREAD,
	RA_PFTRACE_SPANS, /* the ranges of one name in one process; in the file, ranges that overlap
	                     get separate rows */
	RA_PFTRACE_COUNTER,
};

/* A row of the timeline. Its texts are numbers in `texts`; 0: none. */
struct ra_pftrace_track {
	enum ra_pftrace_track_kind kind;
	uint32_t pid;
	uint32_t tid;    /* for threads */
	uint32_t parent; /* index of the process; for an extra row: index of the row that it
	                    extends */
	uint32_t name;
	uint32_t label; /* for a process: the kind of process; for a counter: its unit */
	int64_t sort_index;
	bool has_sort_index;
};

#define RA_PFTRACE_NEVER (-1)

/* A slice, or an instant with a `dur_ns` of 0. */
struct ra_pftrace_event {
	int64_t start_ns;
	int64_t dur_ns; /* RA_PFTRACE_NEVER: the slice never ends */
	size_t args;    /* offset in `args` of the event's debug annotations in protobuf */
	uint32_t args_bytes;
	uint32_t track;
	uint32_t name;     /* number in `names` */
	uint32_t category; /* number in `categories`, 0: none */
	uint32_t number;   /* number in the order of drawing */
	bool is_instant;
	bool can_redraw; /* the event is from a trace, and `number` is its number in that trace */
};

/* Flag of an index into `redrawn`. An index without this flag is an index into `events`. */
#define RA_PFTRACE_REDRAWN (UINT32_C(1) << 31)

/* In `redrawn`: marks an event that is not drawn again. */
#define RA_PFTRACE_NO_ROW UINT32_MAX

/* An end of an arrow, in the form that the drawing gives it: at a time on a thread. */
struct ra_pftrace_point {
	int64_t time_ns;
	uint32_t track;
	uint32_t key;    /* number in `flows`: category, name, id */
	uint32_t events; /* number of events drawn before this end */
	char phase;      /* phase of Chrome's format: s, t or f */
};

/* An arrow's start or end, for events that are written while they are drawn. */
struct ra_pftrace_tie {
	int64_t time_ns;
	uint64_t id;
	uint32_t track;
	uint32_t ends; /* as in struct ra_pen_event */
	bool is_end;
};

/* An arrow's end bound to a slice. */
struct ra_pftrace_arrow {
	uint64_t id;
	uint32_t event; /* number of the slice's event */
	bool is_end;
};

/* An event that has begun and waits for its end. */
struct ra_pftrace_open {
	uint32_t event;
	uint32_t below; /* index + 1 of the event with the same key that was open before */
};

/* The passes over a drawing. Texts and rows come before the first event in the file. */
enum ra_pftrace_pass {
	RA_PFTRACE_LEARN,  /* collects texts and rows; holds events, or passes them on */
	RA_PFTRACE_STREAM, /* the same drawing once more, which only passes on events */
	RA_PFTRACE_REDRAW, /* draws single events of a trace */
};

/* Zero-initialise. */
struct ra_pftrace {
	enum ra_pftrace_pass pass;
	uint32_t drawn; /* events drawn so far in this pass; for a trace: number of its events up
	                   to here */
	bool writes;    /* the first pass writes events already */
	/* Gets each event of a thread's row, and frees its arguments. NULL: they are held, as are
	 * the events of other rows. */
	void (*take)(void *context, const struct ra_pftrace_event *event);
	/* Gets arrows in place of `points`; set if `take` is. */
	void (*take_arrow)(void *context, const struct ra_pftrace_tie *tie);
	void *context; /* borrowed */
	/* For a trace: finds an event's times. The function after this one draws the event again,
	 * which sets `again`. */
	void (*look)(void *drawing, struct ra_pftrace_event *event);
	void (*redraw)(void *drawing, uint32_t number);
	void *drawing; /* borrowed */
	struct ra_pftrace_event again;
	struct ra_pftrace_track *tracks; /* owned, as all pointers below */
	struct ra_pftrace_event *events;
	/* By number in the trace: the rows of those events which are not held but drawn again when
	 * they are written. */
	uint32_t *redrawn;
	struct ra_pftrace_point *points;
	struct ra_pftrace_arrow *arrows;
	struct ra_pftrace_open *opens;
	uint32_t *tops; /* by number in `spans`: index + 1 in `opens` */
	size_t track_count, track_capacity;
	size_t event_count, event_capacity;
	size_t redrawn_count, redrawn_capacity;
	size_t point_count, point_capacity;
	size_t arrow_count, arrow_capacity;
	size_t open_count, open_capacity;
	size_t top_capacity;
	struct ra_pftrace_samples samples;
	struct ra_pftrace_args args; /* arguments of events, one after the other */
	struct ra_protobuf_texts categories, names, keys,
		values; /* texts of events, by number in the file */
	struct ra_protobuf_texts texts, flows, spans;
	struct ra_util_map processes, threads, groups, counters; /* → index of the row */
	uint64_t last_key;    /* key of the thread that was asked for last … */
	uint32_t last_thread; /* … and its index + 1 */
	int64_t base_ns;      /* time 0 by CLOCK_REALTIME; 0: unknown */
};

void ra_pftrace_fini(struct ra_pftrace *trace);

/* These find a row, or make it. Return: its index. */
uint32_t ra_pftrace_process(struct ra_pftrace *trace, uint32_t pid);
uint32_t ra_pftrace_thread(struct ra_pftrace *trace, uint32_t pid, uint32_t tid);
/* @name: number in `names`. */
uint32_t ra_pftrace_group(struct ra_pftrace *trace, uint32_t pid, uint32_t name);
/* @name, @unit: numbers in `texts`. */
uint32_t ra_pftrace_counter(struct ra_pftrace *trace, uint32_t pid, uint32_t name, uint32_t unit);

/* Adds an extra row for events that overlap others on a row. Return: its index. */
uint32_t ra_pftrace_add_lane(struct ra_pftrace *trace, uint32_t track);

/* Holds an event, in any pass. Return: its index. */
uint32_t ra_pftrace_keep(struct ra_pftrace *trace, const struct ra_pftrace_event *event);

/*
 * These find an event of the first pass. @index: into `events`, or with the flag RA_PFTRACE_REDRAWN
 * into `redrawn`.
 *
 * look() finds only the event's times, number and row. The result of get() is borrowed until the
 * next call.
 */
struct ra_pftrace_event ra_pftrace_look(const struct ra_pftrace *trace, uint32_t index);
const struct ra_pftrace_event *ra_pftrace_get(struct ra_pftrace *trace, uint32_t index);

/* Adds an event, and sets its number. */
void ra_pftrace_add_event(struct ra_pftrace *trace, struct ra_pftrace_event *event);
void ra_pftrace_add_point(struct ra_pftrace *trace, const struct ra_pftrace_point *point);
/* Adds an arrow's end. @event: number of the slice's event. */
void ra_pftrace_add_arrow(struct ra_pftrace *trace, uint32_t event, uint64_t id, bool is_end);

/* These begin an event whose end comes later, and end it. @key: number in `spans`. */
void ra_pftrace_begin(struct ra_pftrace *trace, uint32_t key, struct ra_pftrace_event *event);
void ra_pftrace_end(struct ra_pftrace *trace, uint32_t key, int64_t time_ns);

#endif
