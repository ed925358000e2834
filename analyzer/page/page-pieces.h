/* SPDX-License-Identifier: MIT */
/* The items of a timeline, in bounded memory: short neighbours are merged. */
#ifndef RA_PAGE_PIECES_H
#define RA_PAGE_PIECES_H

#include <stddef.h>
#include <stdint.h>

#define RA_PAGE_LANES 48 /* most lanes of a row, which limits the depth of nested ranges */

struct ra_page_item {
	int64_t start_ns;
	int64_t dur_ns;
	uint32_t name; /* index */
	uint32_t row;
	uint32_t lane;
};

/* An item to draw, or several merged ones. */
struct ra_page_piece {
	int64_t start_ns;
	int64_t end_ns;
	uint64_t count; /* of items */
	uint32_t name;  /* of the first */
	uint32_t row;
	uint32_t lane;
};

/*
 * Neighbours of a lane that are each shorter than T, with gaps shorter than T between them, are one
 * piece. T is about the smallest that gives some ten thousand pieces, so a page has a bounded size,
 * and what is long enough to be seen in the whole is there by itself.
 */
struct ra_page_pieces {
	struct ra_page_piece *rows; /* owned; ordered by row, then start */
	size_t count;
	size_t capacity;
	uint64_t item_count;
	int64_t end_ns;
	int64_t least_ns;           /* T, as far as it is known; 0: nothing is merged */
	uint32_t row;               /* of the newest item */
	size_t open[RA_PAGE_LANES]; /* by lane of that row: 1 + the piece that the next item may
	                               become a part of; 0: none */
};

/* @end_ns: end of the capture. */
void ra_page_pieces_init(struct ra_page_pieces *pieces, int64_t end_ns);
void ra_page_pieces_fini(struct ra_page_pieces *pieces);

/* Adds an item. Items come ordered by row, then start; those of a lane do not overlap. Time:
 * constant on average. */
void ra_page_pieces_add(struct ra_page_pieces *pieces, const struct ra_page_item *item);

/* Finds T and merges what it merges, after the last item. */
void ra_page_pieces_finish(struct ra_page_pieces *pieces);

#endif
