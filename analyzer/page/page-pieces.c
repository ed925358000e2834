/* SPDX-License-Identifier: MIT */
/*
 * The items of a timeline, in bounded memory: short neighbours are merged.
 *
 * When there are many pieces, those that the present T merges are merged for good. The result is
 * the same as if all items were kept to the end: more items never give fewer pieces, so T never
 * gets smaller; and what a T merges, a larger T merges, too.
 */
#include "analyzer/page/page-pieces.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"

#define MOST   24000               /* most pieces at the end … */
#define AT_ALL ((size_t) 4 * MOST) /* … and meanwhile */
#define FINEST 20                  /* T begins with 2^-20 of the whole time */
#define TRIES  5

void ra_page_pieces_init(struct ra_page_pieces *pieces, int64_t end_ns)
{
	memset(pieces, 0, sizeof(*pieces));
	pieces->end_ns = end_ns;
}

void ra_page_pieces_fini(struct ra_page_pieces *pieces)
{
	free(pieces->rows);
}

/* True if a piece may be merged with its neighbours. */
static bool is_short(const struct ra_page_piece *piece, int64_t least_ns)
{
	return piece->count > 1 || piece->end_ns - piece->start_ns < least_ns;
}

static void extend(struct ra_page_piece *piece, const struct ra_page_piece *next)
{
	piece->end_ns = next->end_ns > piece->end_ns ? next->end_ns : piece->end_ns;
	piece->count += next->count;
}

/* Counts the pieces that a T gives, which must be at least as large as the last T. @least_ns: T. */
static size_t count_pieces(const struct ra_page_pieces *pieces, int64_t least_ns)
{
	int64_t end_ns[RA_PAGE_LANES]; /* by lane: the end of the short piece that comes last … */
	bool is_open[RA_PAGE_LANES] = { false }; /* … if the lane's last piece is short */
	uint32_t row = 0;
	size_t count = 0;

	for (size_t i = 0; i < pieces->count; i++) {
		const struct ra_page_piece *piece = &pieces->rows[i];
		const bool is_small = is_short(piece, least_ns);

		if (piece->row != row) {
			memset(is_open, 0, sizeof(is_open));
			row = piece->row;
		}
		count += !is_small || !is_open[piece->lane] ||
		         piece->start_ns - end_ns[piece->lane] >= least_ns;
		is_open[piece->lane] = is_small;
		end_ns[piece->lane] = piece->end_ns;
	}
	return count;
}

static void add_piece(struct ra_page_pieces *pieces, const struct ra_page_piece *piece)
{
	const int64_t least_ns = pieces->least_ns;
	const bool is_small = is_short(piece, least_ns);
	size_t *open = &pieces->open[piece->lane];

	if (piece->row != pieces->row) {
		memset(pieces->open, 0, sizeof(pieces->open));
		pieces->row = piece->row;
	}
	if (is_small && *open > 0 && piece->start_ns - pieces->rows[*open - 1].end_ns < least_ns) {
		extend(&pieces->rows[*open - 1], piece);
		return;
	}
	pieces->rows[pieces->count++] = *piece;
	*open = is_small ? pieces->count : 0;
}

/* True if T is so large that there are few enough pieces. */
static bool is_enough(const struct ra_page_pieces *pieces, int64_t least_ns)
{
	return least_ns >= pieces->least_ns && count_pieces(pieces, least_ns) <= MOST;
}

/* Finds T. Doubles it until there are few enough pieces. Then tries some values between the last
 * two, and takes the smallest value that is large enough. */
static int64_t find_least(const struct ra_page_pieces *pieces)
{
	int64_t many_ns = 0;
	int64_t few_ns = (pieces->end_ns >> FINEST) + 1;

	if (pieces->item_count <= MOST) {
		return 0;
	}
	while (!is_enough(pieces, few_ns) && few_ns < INT64_MAX / 2) {
		many_ns = few_ns;
		few_ns *= 2;
	}
	for (int i = 0; i < TRIES; i++) {
		const int64_t middle_ns = many_ns + (few_ns - many_ns) / 2;

		if (is_enough(pieces, middle_ns)) {
			few_ns = middle_ns;
		} else {
			many_ns = middle_ns;
		}
	}
	return few_ns;
}

void ra_page_pieces_finish(struct ra_page_pieces *pieces)
{
	const size_t count = pieces->count;
	const int64_t least_ns = find_least(pieces);

	if (least_ns == pieces->least_ns) {
		return;
	}
	pieces->least_ns = least_ns;
	pieces->count = 0;
	pieces->row = 0;
	memset(pieces->open, 0, sizeof(pieces->open));
	for (size_t i = 0; i < count; i++) { /* a place is written only after its piece was read */
		const struct ra_page_piece piece = pieces->rows[i];

		add_piece(pieces, &piece);
	}
}

void ra_page_pieces_add(struct ra_page_pieces *pieces, const struct ra_page_item *item)
{
	pieces->item_count++;
	ra_util_grow(&pieces->rows, &pieces->capacity, pieces->count + 1, sizeof(*pieces->rows));
	add_piece(pieces, &(struct ra_page_piece){
				  .start_ns = item->start_ns,
				  .end_ns = ra_util_add_time(item->start_ns, item->dur_ns),
				  .count = 1,
				  .name = item->name,
				  .row = item->row,
				  .lane = item->lane,
			  });
	if (pieces->count == AT_ALL) {
		ra_page_pieces_finish(pieces);
	}
}
