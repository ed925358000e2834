/* SPDX-License-Identifier: MIT */
/* Aligns two sequences of names, each of which may lack a few of the other's. */
#include "analyzer/graphs/graph-align.h"

#include <stdbool.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"

#define WIDTH                                                                                    \
	(2 * RA_GRAPH_ALIGN_REACH + 1) /* number of places on the right that a place on the left \
	                                  may pair with */

/* For each pair of places (i on the left, j on the right) a band stores a number. It stores it only
 * for places near the diagonal, at [i * WIDTH + j - i + REACH]. */
struct bands {
	const struct ra_graph_align *align;
	uint32_t *before; /* owned: the most pairs that the places before i and before j can form */
	uint32_t *behind; /* owned: the most pairs that the places from i on and from j on can
	                     form */
};

/* True if the bands store a number for the places. For all others the number is 0. */
static bool is_in(const struct bands *bands, size_t i, size_t j)
{
	return i <= bands->align->left_count && j <= bands->align->right_count &&
	       j + RA_GRAPH_ALIGN_REACH >= i && j <= i + RA_GRAPH_ALIGN_REACH;
}

static uint32_t get(const struct bands *bands, const uint32_t *band, size_t i, size_t j)
{
	return is_in(bands, i, j) ? band[i * WIDTH + j + RA_GRAPH_ALIGN_REACH - i] : 0;
}

static bool is_pair(const struct bands *bands, size_t i, size_t j)
{
	return bands->align->left[i] == bands->align->right[j];
}

/* Finds the places on the right for which the bands store numbers, for a place on the left. Sets
 * *first to the first of them and returns the last. */
static size_t find_last(const struct bands *bands, size_t i, size_t *first)
{
	const size_t last = i + RA_GRAPH_ALIGN_REACH;

	*first = i > RA_GRAPH_ALIGN_REACH ? i - RA_GRAPH_ALIGN_REACH : 0;
	return last < bands->align->right_count ? last : bands->align->right_count;
}

static uint32_t greater(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static void fill_before(struct bands *bands)
{
	for (size_t i = 0; i <= bands->align->left_count; i++) {
		size_t j;
		const size_t last = find_last(bands, i, &j);

		for (; j <= last; j++) {
			uint32_t best = i > 0 ? get(bands, bands->before, i - 1, j) : 0;

			best = greater(best, j > 0 ? get(bands, bands->before, i, j - 1) : 0);
			if (i > 0 && j > 0 && is_pair(bands, i - 1, j - 1)) {
				best = greater(best, get(bands, bands->before, i - 1, j - 1) + 1);
			}
			bands->before[i * WIDTH + j + RA_GRAPH_ALIGN_REACH - i] = best;
		}
	}
}

static void fill_behind(struct bands *bands)
{
	for (size_t i = bands->align->left_count + 1; i-- > 0;) {
		size_t first;
		size_t j = find_last(bands, i, &first) + 1;

		while (j-- > first) {
			uint32_t best = get(bands, bands->behind, i + 1, j);

			best = greater(best, get(bands, bands->behind, i, j + 1));
			if (i < bands->align->left_count && j < bands->align->right_count &&
			    is_pair(bands, i, j)) {
				best = greater(best, get(bands, bands->behind, i + 1, j + 1) + 1);
			}
			bands->behind[i * WIDTH + j + RA_GRAPH_ALIGN_REACH - i] = best;
		}
	}
}

static bool is_alike(const struct ra_graph_align *align, size_t a, size_t b)
{
	return align->likes != NULL && align->likes[a] == align->likes[b];
}

/* Finds the only partner that a place has in all longest alignments. */
static uint32_t find_partner(const struct bands *bands, size_t i, uint32_t longest)
{
	uint32_t partner = RA_GRAPH_ALIGN_NONE;
	size_t j;
	const size_t last = find_last(bands, i, &j);

	for (; j <= last; j++) {
		const uint32_t before = get(bands, bands->before, i, j);

		if (is_in(bands, i + 1, j) &&
		    before + get(bands, bands->behind, i + 1, j) == longest) {
			return RA_GRAPH_ALIGN_NONE; /* some longest alignment gives this place no
			                               partner */
		}
		if (j >= bands->align->right_count || !is_pair(bands, i, j) ||
		    before + 1 + get(bands, bands->behind, i + 1, j + 1) != longest) {
			continue;
		}
		if (partner == RA_GRAPH_ALIGN_NONE) {
			partner = (uint32_t) j;
		} else if (!is_alike(bands->align, partner, j)) {
			return RA_GRAPH_ALIGN_NONE;
		}
	}
	return partner;
}

size_t ra_graph_align_find(const struct ra_graph_align *align, uint32_t *partners)
{
	struct bands bands = { .align = align };
	uint32_t longest;

	if (!is_in(&bands, align->left_count, align->right_count)) {
		return 0;
	}
	bands.before = ra_alloc_zeros((align->left_count + 1) * WIDTH, sizeof(*bands.before));
	bands.behind = ra_alloc_zeros((align->left_count + 1) * WIDTH, sizeof(*bands.behind));
	fill_before(&bands);
	fill_behind(&bands);
	longest = bands.behind[RA_GRAPH_ALIGN_REACH]; /* all places are from the places 0 and 0
	                                                 on */
	for (size_t i = 0; i < align->left_count; i++) {
		partners[i] = find_partner(&bands, i, longest);
	}
	free(bands.before);
	free(bands.behind);
	return longest;
}
