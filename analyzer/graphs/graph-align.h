/* SPDX-License-Identifier: MIT */
/* Two sequences of names, one of which may lack a few of the other's: who is who. */
#ifndef RA_GRAPH_ALIGN_H
#define RA_GRAPH_ALIGN_H

#include <stddef.h>
#include <stdint.h>

#define RA_GRAPH_ALIGN_NONE UINT32_MAX

/* By so many places at most may partners be apart. */
#define RA_GRAPH_ALIGN_REACH 64

struct ra_graph_align {
	const uint32_t *left; /* borrowed, as all here */
	size_t left_count;
	const uint32_t *right;
	size_t right_count;
	/* By place on the right: equal numbers are as good as one. NULL: all differ. */
	const uint32_t *likes;
};

/*
 * The longest common subsequence. A place on the left gets a partner only if each way to that
 * length gives it one, and the same one, or ones that are alike: what could be this or that stays
 * without.
 *
 * @partners: gets the place on the right by place on the left, or NONE.
 * Return: how many pairs the longest has; 0 also if the counts are too far apart.
 * Time and memory: O(left_count * REACH).
 */
size_t ra_graph_align_find(const struct ra_graph_align *align, uint32_t *partners);

#endif
