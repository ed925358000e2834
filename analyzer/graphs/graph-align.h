/* SPDX-License-Identifier: MIT */
/* Aligns two sequences of names, each of which may lack a few of the other's. */
#ifndef RA_GRAPH_ALIGN_H
#define RA_GRAPH_ALIGN_H

#include <stddef.h>
#include <stdint.h>

#define RA_GRAPH_ALIGN_NONE UINT32_MAX

/* Partners may be at most this many places apart. */
#define RA_GRAPH_ALIGN_REACH 64

struct ra_graph_align {
	const uint32_t *left; /* borrowed, as all pointers here */
	size_t left_count;
	const uint32_t *right;
	size_t right_count;
	/* For each place on the right: places with equal numbers are interchangeable. NULL: no
	 * places are. */
	const uint32_t *likes;
};

/*
 * Finds the longest common subsequence. A place on the left gets a partner only if every longest
 * alignment gives it the same partner, or interchangeable ones. An ambiguous place gets none.
 *
 * @partners: gets for each place on the left its place on the right, or NONE.
 * Return: the number of pairs in the longest alignment; also 0 if the counts differ by more than
 * REACH. Time and memory: O(left_count * REACH).
 */
size_t ra_graph_align_find(const struct ra_graph_align *align, uint32_t *partners);

#endif
