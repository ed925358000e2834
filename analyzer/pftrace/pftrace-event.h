/* SPDX-License-Identifier: MIT */
/* Collects the fields of one event, then adds the event. */
#ifndef RA_PFTRACE_EVENT_H
#define RA_PFTRACE_EVENT_H

#include "analyzer/pftrace/pftrace-events.h"

enum ra_pftrace_field {
	RA_PFTRACE_NO_FIELD,
	RA_PFTRACE_PHASE,
	RA_PFTRACE_PID,
	RA_PFTRACE_TID,
	RA_PFTRACE_TS,
	RA_PFTRACE_DUR,
	RA_PFTRACE_ID,
	RA_PFTRACE_SCOPE,
	RA_PFTRACE_ARGS,
};

/* A phase that Chrome's format lacks: a start/end range that has both ends. */
#define RA_PFTRACE_SPAN '*'

/* The most series in one counter event. Our counters have at most two. */
#define RA_PFTRACE_SERIES 16u

struct ra_pftrace_fields {
	char phase;
	char scope;        /* scope of an instant: t, p or g; 0: not given */
	bool has_word;     /* pid or tid is not a number */
	bool can_redraw;   /* the event is from a trace, and its times there are final, so that it
	                      can be drawn again */
	uint32_t category; /* number of the category in the trace's texts of that kind */
	uint32_t name;
	uint32_t id;    /* number of the id in `texts`, 0: none … */
	bool is_id_own; /* … or the id itself: a short number, which needs no text */
	uint32_t pid;
	uint32_t tid;
	int64_t start_ns;
	int64_t dur_ns;
	size_t args; /* where the event's annotations begin in the trace's `args` */
	/* number in `texts` of the last text among the arguments; in metadata, it is a name */
	uint32_t said;
	uint32_t series_count;
	uint32_t series[RA_PFTRACE_SERIES]; /* numbers in `keys` … */
	double values[RA_PFTRACE_SERIES];   /* … and their values */
};

enum ra_pftrace_field ra_pftrace_event_find_field(const char *key, size_t length);

void ra_pftrace_event_take_number(struct ra_pftrace *trace, struct ra_pftrace_fields *fields,
                                  enum ra_pftrace_field field, const char *text, size_t length);
void ra_pftrace_event_take_text(struct ra_pftrace *trace, struct ra_pftrace_fields *fields,
                                enum ra_pftrace_field field, const char *text, size_t length);
/* These handle a number or a text among the arguments. @key: number in `keys`. */
void ra_pftrace_event_take_value(struct ra_pftrace_fields *fields, uint32_t key, const char *text,
                                 size_t length);
void ra_pftrace_event_take_real(struct ra_pftrace_fields *fields, uint32_t key, double value);

/* Adds the complete event. */
void ra_pftrace_event_add(struct ra_pftrace *trace, const struct ra_pftrace_fields *fields);

#endif
