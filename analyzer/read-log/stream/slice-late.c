/* SPDX-License-Identifier: MIT */
/* Stores how those slices ended that were still open at the end of a part of their thread. */
#include "analyzer/read-log/stream/slice-late.h"

#include <stdlib.h>

#include "analyzer/base/util.h"

/* Sizes of a part, in slices. A slice that stays open costs 24 bytes; each slice of a part costs
 * some 80 bytes. */
#define MOST_PART  ((size_t) 32768)
#define LEAST_PART ((size_t) 4096)
#define ALL_PARTS  (2 * MOST_PART)

void ra_slice_late_set_part(struct ra_slice_late *late, size_t tracks)
{
	const size_t part = ALL_PARTS / (tracks > 0 ? tracks : 1);

	if (late->part == 0) {
		late->part = part > MOST_PART ? MOST_PART : part < LEAST_PART ? LEAST_PART : part;
	}
}

void ra_slice_late_fini(struct ra_slice_late *late)
{
	free(late->rows);
	free(late->firsts);
	*late = (struct ra_slice_late){ 0 };
}

void ra_slice_late_begin_track(struct ra_slice_late *late, size_t track)
{
	ra_util_grow(&late->firsts, &late->first_capacity, track + 1, sizeof(*late->firsts));
	late->firsts[track] = late->count;
}

size_t ra_slice_late_add(struct ra_slice_late *late)
{
	RA_UTIL_APPEND(late->rows, late->count, late->capacity, (struct ra_slice_late_row){ 0 });
	return late->count - 1;
}
