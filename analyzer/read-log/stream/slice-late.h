/* SPDX-License-Identifier: MIT */
/* Stores how those slices ended that were still open at the end of a part of their thread. */
#ifndef RA_SLICE_LATE_H
#define RA_SLICE_LATE_H

#include <stddef.h>
#include <stdint.h>

struct ra_slice_late_row {
	int64_t dur_ns;
	uint8_t flags;  /* enum ra_slice_flag */
	uint8_t now;    /* the slice's flags as known so far, while … */
	uint32_t slice; /* … this slice is shown */
};

/* The late slices of all tracks, in the order in which they were left open. An all-zero struct is
 * an empty list. */
struct ra_slice_late {
	struct ra_slice_late_row *rows; /* owned; ordered by track */
	size_t count;
	size_t capacity;
	size_t *firsts; /* owned; by track: its first row */
	size_t first_capacity;
	size_t part; /* number of new slices to collect before a part is shown; 0: not set yet */
};

/* Sets `part`, once. It depends on the number of tracks, because all threads may be walked at the
 * same time (walk.h). */
void ra_slice_late_set_part(struct ra_slice_late *late, size_t tracks);

void ra_slice_late_fini(struct ra_slice_late *late);

/* Begins a track: slices that are added from here on belong to it. Call it for the tracks in
 * order. */
void ra_slice_late_begin_track(struct ra_slice_late *late, size_t track);

/* Adds a row. Return: its number. */
size_t ra_slice_late_add(struct ra_slice_late *late);

#endif
