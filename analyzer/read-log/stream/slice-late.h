/* SPDX-License-Identifier: MIT */
/* Remembers slices that were still open at the end of their part of the thread, and how they
 * ended. */
#ifndef RA_SLICE_LATE_H
#define RA_SLICE_LATE_H

#include <stddef.h>
#include <stdint.h>

struct ra_slice_late_row {
	int64_t dur_ns;
	uint8_t flags;  /* enum ra_slice_flag */
	uint8_t now;    /* the slice's flags so far, while … */
	uint32_t slice; /* … this slice is shown */
};

/* The late slices of all tracks, in the order in which they were left open. An all-zero struct is
 * an empty list. */
struct ra_slice_late {
	struct ra_slice_late_row *rows; /* owned */
	size_t count;
	size_t capacity;
	size_t *firsts; /* owned; by track: its first row */
	size_t first_capacity;
	size_t part; /* number of new slices to collect before a part of a thread is shown; 0: not
	                set yet */
};

/* Sets `part` the first time. It depends on the number of threads, because all threads may be
 * walked at the same time (walk.h). */
void ra_slice_late_set_part(struct ra_slice_late *late, size_t tracks);

void ra_slice_late_fini(struct ra_slice_late *late);

/* Begins a track. Slices that are added from here on belong to this track. Call it for the tracks
 * in order. */
void ra_slice_late_begin_track(struct ra_slice_late *late, size_t track);

/* Return: the number of the new row. */
size_t ra_slice_late_add(struct ra_slice_late *late);

#endif
