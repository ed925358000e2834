/* SPDX-License-Identifier: MIT */
/* Decides where Perfetto draws the events of a trace in JSON: on rows where nothing overlaps. Also
 * finds which arrows have both ends. */
#ifndef RA_KINETO_DRAW_H
#define RA_KINETO_DRAW_H

#include "analyzer/base/util-map.h"
#include "analyzer/rows/kineto.h"

/* Means that the event stays on the row that it has in the trace. */
#define RA_KINETO_DRAW_AS_IT_WAS (UINT32_MAX >> 2)
/* Flags in the row of an arrow's end (s, t or f). NO_ARROW: its other end is missing, or the arrow
 * would point back. MOVED: the end is in `moves`. */
#define RA_KINETO_DRAW_NO_ARROW (UINT32_C(1) << 31)
#define RA_KINETO_DRAW_MOVED    (UINT32_C(1) << 30)

/* Classes of a thread's events, by phase. Other phases are not moved to another row. */
enum ra_kineto_draw_class {
	RA_KINETO_DRAW_SLICES, /* X, B, E */
	RA_KINETO_DRAW_ARROWS, /* s, t, f */
	RA_KINETO_DRAW_MARKS,  /* i, I, R */
	RA_KINETO_DRAW_CLASSES
};

struct ra_kineto_draw_row {
	uint32_t pid;
	uint32_t tid;
	uint32_t thread; /* index into kineto->threads of the first thread of the row's group */
	/* 0: the thread's own row; other rows have the slices that overlap on that row */
	uint32_t lane;
};

/* What is drawn on a thread. Threads whose numbers are equal, such as "5" and 5, form a group. A
 * group shares its rows, unless a class of events occurs in two of its threads. */
struct ra_kineto_draw_thread {
	uint32_t group; /* first thread of its group; only that thread has the fields below */
	/* by class: the thread that has its events; RA_KINETO_NONE: none */
	uint32_t of_class[RA_KINETO_DRAW_CLASSES];
	uint32_t named;  /* a thread of the group that has a name; if none has, the first thread */
	uint32_t row;    /* row of lane 0; RA_KINETO_DRAW_AS_IT_WAS: nothing is drawn */
	uint32_t events; /* number of events drawn */
	int64_t stream;  /* stream of its first GPU work; 0: unknown */
	bool is_gpu;
	bool has_pairs; /* has B and E events, which nest only by their order */
	bool is_mixed;  /* a class occurs in two threads, so the threads do not share rows */
};

/* An arrow's end that is written before an event, and not at its place in the trace. */
struct ra_kineto_draw_move {
	uint32_t before; /* number of that event; the number of all events: at the end */
	uint32_t half;
};

/*
 * The events of a thread that begin at one time. Perfetto reads slices with a duration (X) first,
 * the longest first. Then it reads all other events in the file's order. It binds an arrow's end to
 * the slice that it read last on the row. So an end is written before anything that would come
 * between the end and its slice. And a slice with a duration is put on another row if it begins in
 * the first ns of a slice with an arrow.
 */
struct ra_kineto_draw_tie {
	const uint32_t *slices; /* borrowed, like `late`; in Perfetto's order */
	const uint32_t *halves;
	const uint32_t *late; /* in the file's order: slices of 0 ns, and marks */
	size_t slice_count, half_count, late_count;
};

/*
 * The places of all events. They follow the rules in layout.h: every pid and tid is a number that
 * means one row to Perfetto, and slices of a row nest. GPU work is never inside other GPU work on
 * its row.
 */
struct ra_kineto_draw {
	const struct ra_kineto *kineto; /* borrowed */
	bool is_view; /* a view of chosen steps, in which events without a kind are not drawn */
	struct ra_kineto_draw_thread *threads; /* owned; by thread */
	struct ra_kineto_draw_row *rows;       /* owned */
	size_t row_count, row_capacity;
	uint32_t *row_of; /* owned; by event: index of its row, with flags NO_ARROW, MOVED */
	/* owned; by event: for an arrow's end its slice, for a slice an arrow's end; NONE: none.
	 * Used only while events are placed */
	uint32_t *owner;
	struct ra_kineto_draw_move *moves; /* owned; in the order in which they are written */
	size_t move_count, move_capacity;
	struct ra_util_map taken; /* pid << 32 | tid → row */
	uint32_t next_row;        /* number for the next row that needs a new one */
	uint64_t left_out;        /* number of slices for which there was no row */
	bool has_lost_halves;     /* some ends of arrows are at no slice */
};

void ra_kineto_draw_init(struct ra_kineto_draw *draw, const struct ra_kineto *kineto, bool is_view);
void ra_kineto_draw_fini(struct ra_kineto_draw *draw);

/* True if the event is drawn. */
static inline bool ra_kineto_draw_has(const struct ra_kineto_draw *draw, size_t event)
{
	return !draw->is_view || draw->kineto->kind[event] != RA_KINETO_UNKNOWN;
}

/* The row of an event. NULL: the event keeps its pid and tid. */
static inline const struct ra_kineto_draw_row *ra_kineto_draw_find(
	const struct ra_kineto_draw *draw, size_t event)
{
	const uint32_t row = draw->row_of[event] & RA_KINETO_DRAW_AS_IT_WAS;

	return row == RA_KINETO_DRAW_AS_IT_WAS ? NULL : &draw->rows[row];
}

static inline bool ra_kineto_draw_lacks_end(const struct ra_kineto_draw *draw, size_t event)
{
	return (draw->row_of[event] & RA_KINETO_DRAW_NO_ARROW) != 0;
}

static inline bool ra_kineto_draw_is_moved(const struct ra_kineto_draw *draw, size_t event)
{
	return (draw->row_of[event] & RA_KINETO_DRAW_MOVED) != 0;
}

/* The class of an event. Return: RA_KINETO_DRAW_CLASSES: it has none. */
enum ra_kineto_draw_class ra_kineto_draw_find_class(const struct ra_kineto *kineto, size_t event);

/* Returns the thread in the trace from which the row's events of one class came. RA_KINETO_NONE:
 * there is none, or that thread has the row's numbers. */
uint32_t ra_kineto_draw_find_was(const struct ra_kineto_draw *draw,
                                 const struct ra_kineto_draw_row *row,
                                 enum ra_kineto_draw_class of);

/* The parts of the work, in order. */

/* Gives each thread its row. */
void ra_kineto_draw_rows_number(struct ra_kineto_draw *draw);
/* Adds a row to a thread. Return: its index. */
uint32_t ra_kineto_draw_rows_add_lane(struct ra_kineto_draw *draw, uint32_t thread, uint32_t lane);
/* Sets NO_ARROW for ends whose other end is missing. Called again if some ends had no slice. */
void ra_kineto_draw_arrows_match(struct ra_kineto_draw *draw);
/* Puts slices on rows of their threads, and binds ends of arrows to slices. Ends at no slice get
 * NO_ARROW. */
void ra_kineto_draw_lanes_place(struct ra_kineto_draw *draw);
/* Handles events that begin together: finds the slices of arrow ends. When rows are known, moves
 * the ends. */
void ra_kineto_draw_ties_own(struct ra_kineto_draw *draw, const struct ra_kineto_draw_tie *tie);
void ra_kineto_draw_ties_move(struct ra_kineto_draw *draw, const struct ra_kineto_draw_tie *tie);
/* Sorts `moves`. */
void ra_kineto_draw_ties_sort(struct ra_kineto_draw *draw);
/* True for every event except an X with a duration. */
bool ra_kineto_draw_ties_is_late(const struct ra_kineto *k, uint32_t event);
/* True for every event except instants of a process or of all processes. */
bool ra_kineto_draw_rows_has_thread(const struct ra_kineto *k, uint32_t event);

#endif
