/* SPDX-License-Identifier: MIT */
/* What a timeline says, kept until all of it is known: slices, samples, arrows, rows. */
#ifndef RA_PFTRACE_EVENTS_H
#define RA_PFTRACE_EVENTS_H

#include <stdbool.h>

#include "analyzer/base/util-map.h"
#include "analyzer/pftrace/pftrace-args.h"

enum ra_pftrace_track_kind {
	RA_PFTRACE_PROCESS,
	RA_PFTRACE_THREAD,
	RA_PFTRACE_SPANS, /* of one name in one process: in the file a row for each that overlaps */
	RA_PFTRACE_COUNTER,
};

/* A row. Texts are numbers in `texts`, 0 none. */
struct ra_pftrace_track {
	enum ra_pftrace_track_kind kind;
	uint32_t pid;
	uint32_t tid;    /* of threads */
	uint32_t parent; /* index of the process; of a row for what overlaps the row beside it */
	uint32_t name;
	uint32_t label; /* of a process what it is; of a counter its unit */
	int64_t sort_index;
	bool has_sort_index;
	bool is_disordered; /* not in the order of time after all */
	int64_t last_ns;    /* when the last of its streamed events begins */
	uint32_t streamed;  /* its events that are not kept, yet to be written */
};

#define RA_PFTRACE_NEVER (-1)

/* A slice, or an instant: `dur_ns` is 0 then. */
struct ra_pftrace_event {
	int64_t start_ns;
	int64_t dur_ns; /* RA_PFTRACE_NEVER: it has no end */
	size_t args;    /* offset in `args`: debug annotations as protobuf */
	uint32_t args_bytes;
	uint32_t track;
	uint32_t name;     /* number in `names` */
	uint32_t category; /* number in `categories`, 0 none */
	uint32_t number;   /* in the order of the drawing */
	bool is_instant;
};

struct ra_pftrace_sample {
	int64_t time_ns;
	double value;
	uint32_t track;
};

/* A slice that an end of an arrow may be at. */
struct ra_pftrace_place {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t number;
	bool is_known;
};

/* An end of an arrow, as it is drawn: at a time on a thread. */
struct ra_pftrace_point {
	int64_t time_ns;
	uint32_t track;
	uint32_t key;               /* number in `flows`: category, name, id */
	uint32_t events;            /* that were drawn before it */
	char phase;                 /* s, t or f */
	struct ra_pftrace_place at; /* the last of those that have begun by then */
};

/* An arrow's end at a slice. */
struct ra_pftrace_arrow {
	uint64_t id;
	uint32_t event; /* its number */
	bool is_end;
};

/* Something begun that waits for its end. */
struct ra_pftrace_open {
	uint32_t event;
	uint32_t below; /* index + 1 of the one that was open before under the same key */
};

/*
 * What of a timeline is needed before its first event can be written: its texts, rows, and arrows.
 * Events on rows that are drawn in the order of time are not kept, but drawn once more.
 */
enum ra_pftrace_pass {
	RA_PFTRACE_LEARN, /* gathers texts, rows and ends of arrows, and keeps what has no order */
	RA_PFTRACE_BIND,  /* finds which slices the ends of arrows are at, if there are any */
	RA_PFTRACE_STREAM,
};

/* Zero-initialise. */
struct ra_pftrace {
	enum ra_pftrace_pass pass;
	bool is_ordered; /* rows of threads are drawn in the order of time, each time the same */
	uint32_t drawn;  /* events in this pass */
	bool has_streamed;
	/* Gets each event that is not kept, in the last two passes. */
	void (*take)(void *context, const struct ra_pftrace_event *event);
	void *context;                   /* borrowed */
	struct ra_pftrace_track *tracks; /* all owned */
	struct ra_pftrace_event *events;
	struct ra_pftrace_sample *samples;
	struct ra_pftrace_point *points;
	struct ra_pftrace_arrow *arrows;
	struct ra_pftrace_open *opens;
	uint32_t *tops; /* index + 1 in `opens`, by number in `spans` */
	size_t track_count, track_capacity;
	size_t event_count, event_capacity;
	size_t sample_count, sample_capacity;
	size_t point_count, point_capacity;
	size_t arrow_count, arrow_capacity;
	size_t open_count, open_capacity;
	size_t top_capacity;
	struct ra_pftrace_args args; /* of events, one behind the other */
	struct ra_pftrace_texts categories, names, keys,
		values; /* of events, by number in the file */
	struct ra_pftrace_texts texts, flows, spans;
	struct ra_util_map processes, threads, groups, counters; /* indexes of tracks */
	uint64_t last_key;    /* of the thread that was asked for last … */
	uint32_t last_thread; /* … index + 1 */
	int64_t base_ns;      /* CLOCK_REALTIME of time 0; 0 not known */
};

void ra_pftrace_fini(struct ra_pftrace *trace);

/* Rows, made when first named. Return: the index. */
uint32_t ra_pftrace_process(struct ra_pftrace *trace, uint32_t pid);
uint32_t ra_pftrace_thread(struct ra_pftrace *trace, uint32_t pid, uint32_t tid);
/* @name: number in `names`. */
uint32_t ra_pftrace_group(struct ra_pftrace *trace, uint32_t pid, uint32_t name);
/* @name, @unit: numbers in `texts`. */
uint32_t ra_pftrace_counter(struct ra_pftrace *trace, uint32_t pid, uint32_t name, uint32_t unit);

/* Adds a row like another, for what overlaps there. Return: its index. */
uint32_t ra_pftrace_add_lane(struct ra_pftrace *trace, uint32_t track);

/* Keeps an event, whatever the pass. Return: its index. */
uint32_t ra_pftrace_keep(struct ra_pftrace *trace, const struct ra_pftrace_event *event);

/* Gives the event its number. */
void ra_pftrace_add_event(struct ra_pftrace *trace, const struct ra_pftrace_event *event);
void ra_pftrace_add_sample(struct ra_pftrace *trace, const struct ra_pftrace_sample *sample);
void ra_pftrace_add_point(struct ra_pftrace *trace, const struct ra_pftrace_point *point);
/* @event: its number. */
void ra_pftrace_add_arrow(struct ra_pftrace *trace, uint32_t event, uint64_t id, bool is_end);

/* An event that was begun and one that ends. @key: number in `spans`. */
void ra_pftrace_begin(struct ra_pftrace *trace, uint32_t key, const struct ra_pftrace_event *event);
void ra_pftrace_end(struct ra_pftrace *trace, uint32_t key, int64_t time_ns);

#endif
