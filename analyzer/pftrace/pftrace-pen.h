/* SPDX-License-Identifier: MIT */
/* The pen that writes Perfetto's protobuf. */
#ifndef RA_PFTRACE_PEN_H
#define RA_PFTRACE_PEN_H

#include "analyzer/pftrace/pftrace-event.h"
#include "analyzer/timeline/pens/pen.h"

/* The kinds of texts of an event. Each kind has numbers of its own. */
enum ra_pftrace_kind {
	RA_PFTRACE_CATEGORIES,
	RA_PFTRACE_NAMES,
	RA_PFTRACE_KEYS,
	RA_PFTRACE_VALUES,
	RA_PFTRACE_KINDS
};

/* A constant text of this program, and its number in the file. */
struct ra_pftrace_word {
	const char *words;
	uint32_t number;
};

#define RA_PFTRACE_WORDS 128u
#define RA_PFTRACE_KEPT  256u

struct ra_pftrace_kept {
	uint64_t number; /* 0: the slot is free */
	bool is_dry;     /* in the slot, arguments were drawn when only their texts were wanted */
	struct ra_protobuf_bytes bytes;
};

struct ra_pftrace_pen {
	struct ra_pen pen;
	struct ra_pftrace *trace; /* borrowed */
	const struct ra_pen_names *names;
	uint32_t *numbers[RA_PFTRACE_KINDS][RA_PEN_TABLES]; /* owned; by id: number in the file; 0:
	                                                       not looked up yet */
	struct ra_pftrace_word words[RA_PFTRACE_KINDS][RA_PFTRACE_WORDS];
	struct ra_pftrace_word category; /* category of the last slice without arguments */
	struct ra_pftrace_kept kept[RA_PFTRACE_KEPT];
	/* the slot for the arguments that are being drawn, if they will be kept … */
	struct ra_pftrace_kept *keeping;
	size_t keeping_from; /* … and where they begin in the bytes of all arguments */
	struct ra_protobuf_bytes scratch; /* owned */
	struct ra_pftrace_fields event;   /* the event's fields so far */
};

/* @trace: borrowed; gets what is drawn. */
void ra_pftrace_pen_init(struct ra_pftrace_pen *pen, struct ra_pftrace *trace);
void ra_pftrace_pen_fini(struct ra_pftrace_pen *pen);

#endif
