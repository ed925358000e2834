/* SPDX-License-Identifier: MIT */
/* Where Perfetto draws the events of a trace in JSON: rows on which nothing overlaps, and which
 * arrows have two ends. */
#ifndef RA_KINETO_DRAW_H
#define RA_KINETO_DRAW_H

#include "analyzer/base/util-map.h"
#include "analyzer/rows/kineto.h"

/* An event that stays where it was in the trace. */
#define RA_KINETO_DRAW_AS_IT_WAS (UINT32_MAX >> 2)
/* Beside the row of an s, t or f: the other end is missing, or points back; it is among `moves`. */
#define RA_KINETO_DRAW_NO_ARROW (UINT32_C(1) << 31)
#define RA_KINETO_DRAW_MOVED    (UINT32_C(1) << 30)

/* What a thread has, by phase; others stay where they are. */
enum ra_kineto_draw_class {
	RA_KINETO_DRAW_SLICES, /* X, B, E */
	RA_KINETO_DRAW_ARROWS, /* s, t, f */
	RA_KINETO_DRAW_MARKS,  /* i, I, R */
	RA_KINETO_DRAW_CLASSES
};

struct ra_kineto_draw_row {
	uint32_t pid;
	uint32_t tid;
	uint32_t thread; /* the first of its group: index into kineto->threads */
	uint32_t lane;   /* 0: the thread's own; others have what overlaps there */
};

/* What is drawn on a thread. Those that have the same numbers, "5" and 5, are one, a group, if none
 * of the classes is in two of them. */
struct ra_kineto_draw_thread {
	uint32_t group; /* the first of its group; what follows is that one's */
	uint32_t of_class[RA_KINETO_DRAW_CLASSES]; /* threads, RA_KINETO_NONE: none */
	uint32_t named;  /* a thread of the group that has a name, or the first */
	uint32_t row;    /* lane 0, RA_KINETO_DRAW_AS_IT_WAS: nothing is drawn */
	uint32_t events; /* that are drawn */
	int64_t stream;  /* of its first work of a GPU, 0 if nothing tells */
	bool is_gpu;
	bool has_pairs; /* B and E, which only their own order nests */
	bool is_mixed;  /* its group is none */
};

/* Half of an arrow that is written before an event, not where it was. */
struct ra_kineto_draw_move {
	uint32_t before; /* count: at the end */
	uint32_t half;
};

/*
 * What begins at one time on a thread. Of these Perfetto takes X that last first, the longest
 * before the others, then all else in the file's order; and half of an arrow is at what it took
 * last on the row. So a half is written before what would come between it and its slice; and what
 * lasts and begins in the first ns of a slice with an arrow is put on a row beside that.
 */
struct ra_kineto_draw_tie {
	const uint32_t *slices; /* all borrowed; in Perfetto's order */
	const uint32_t *halves;
	const uint32_t *late; /* in the file's order: slices of 0 ns, and marks */
	size_t slice_count, half_count, late_count;
};

/*
 * The rules of layout.h hold: every pid and tid is a number that Perfetto takes for one row, and
 * slices of a row nest. Work of a GPU never lies in other work of its row.
 */
struct ra_kineto_draw {
	const struct ra_kineto *kineto; /* borrowed */
	bool is_view;                   /* of chosen steps: events without a kind are not there */
	struct ra_kineto_draw_thread *threads; /* owned; by thread */
	struct ra_kineto_draw_row *rows;       /* owned */
	size_t row_count, row_capacity;
	uint32_t *row_of; /* owned; by event: index of a row, and NO_ARROW, MOVED */
	uint32_t *owner;  /* owned; by event: of a half its slice, of a slice a half; NONE: none */
	struct ra_kineto_draw_move *moves; /* owned; in the order in which they are written */
	size_t move_count, move_capacity;
	struct ra_util_map taken; /* pid << 32 | tid → row */
	uint32_t next_row;        /* number of the next row that needs one */
	uint64_t left_out;        /* slices for which there is no row */
	bool has_lost_halves;     /* some halves of arrows are at no slice */
};

void ra_kineto_draw_init(struct ra_kineto_draw *draw, const struct ra_kineto *kineto, bool is_view);
void ra_kineto_draw_fini(struct ra_kineto_draw *draw);

/* True if the event is written. */
static inline bool ra_kineto_draw_has(const struct ra_kineto_draw *draw, size_t event)
{
	return !draw->is_view || draw->kineto->kind[event] != RA_KINETO_UNKNOWN;
}

/* NULL: pid and tid as they were. */
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

/* Return: RA_KINETO_DRAW_CLASSES: none. */
enum ra_kineto_draw_class ra_kineto_draw_find_class(const struct ra_kineto *kineto, size_t event);

/* The thread of the trace that a class of a row's events has, RA_KINETO_NONE: none, or that has the
 * row's numbers itself. */
uint32_t ra_kineto_draw_find_was(const struct ra_kineto_draw *draw,
                                 const struct ra_kineto_draw_row *row,
                                 enum ra_kineto_draw_class of);

/* The parts, in the order in which they run. */

/* Gives each thread its row. */
void ra_kineto_draw_rows_number(struct ra_kineto_draw *draw);
/* A row more of a thread. Return: its index. */
uint32_t ra_kineto_draw_rows_add_lane(struct ra_kineto_draw *draw, uint32_t thread, uint32_t lane);
/* Gives NO_ARROW to what has no other half; once more if a slice was missing. */
void ra_kineto_draw_arrows_match(struct ra_kineto_draw *draw);
/* Puts slices on the rows of their threads, and halves of arrows to the slice that they are at;
 * those that are at none get NO_ARROW. */
void ra_kineto_draw_lanes_place(struct ra_kineto_draw *draw);
/* Of a tie: finds the slices of halves; once rows are known, moves halves. */
void ra_kineto_draw_ties_own(struct ra_kineto_draw *draw, const struct ra_kineto_draw_tie *tie);
void ra_kineto_draw_ties_move(struct ra_kineto_draw *draw, const struct ra_kineto_draw_tie *tie);
/* Puts `moves` in order. */
void ra_kineto_draw_ties_sort(struct ra_kineto_draw *draw);
/* False of an X that lasts. */
bool ra_kineto_draw_ties_is_late(const struct ra_kineto *k, uint32_t event);
/* True of instants but those of a process or of all. */
bool ra_kineto_draw_rows_has_thread(const struct ra_kineto *k, uint32_t event);

#endif
