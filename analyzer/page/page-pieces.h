/* SPDX-License-Identifier: MIT */
/* The items of a timeline, in bounded memory: short neighbours are merged. */
#ifndef RA_PAGE_PIECES_H
#define RA_PAGE_PIECES_H

#include <stddef.h>
#include <stdint.h>

#define RA_PAGE_LANES 48 /* most lanes of a row; limits the depth of nested ranges */

struct ra_page_item {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t name; /* index of the name */
	uint32_t row;
	uint32_t lane;
};

/* An item to draw, or several merged ones. */
struct ra_page_piece {
	int64_t start_ns;
	int64_t end_ns;
	uint64_t count; /* number of items */
	uint32_t name;  /* name of the first item */
	uint32_t row;
	uint32_t lane;
};

/*
 * Merges items to pieces: neighbours of a lane, each shorter than T, with gaps shorter than T
 * between them, become one piece. T is about the smallest value that gives some ten thousand
 * pieces. So a page has a bounded size, and an item that is long enough to be seen in the whole
 * timeline is a piece by itself.
 */
struct ra_page_pieces {
	struct ra_page_piece *rows; /* owned; ordered by row, then start */
	size_t count;
	size_t capacity;
	uint64_t item_count;
	int64_t end_ns;
	int64_t least_ns;           /* T for the items so far; 0: nothing is merged */
	uint32_t row;               /* row of the newest item */
	size_t open[RA_PAGE_LANES]; /* by lane of that row: 1 + index of the piece to which the next
	                               item may be added; 0: none */
};

/* @end_ns: end of the capture. */
void ra_page_pieces_init(struct ra_page_pieces *pieces, int64_t end_ns);
void ra_page_pieces_fini(struct ra_page_pieces *pieces);

/* Adds an item. Items must come ordered by row, then start; items of a lane must not overlap. Time:
 * constant on average. */
void ra_page_pieces_add(struct ra_page_pieces *pieces, const struct ra_page_item *item);

/* Finds the final T and merges by it. Call it after the last item. */
void ra_page_pieces_finish(struct ra_page_pieces *pieces);

#endif
