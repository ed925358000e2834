/* SPDX-License-Identifier: MIT */
/* Slices that were open when their part of the thread was over: what became of them later. */
#ifndef RA_SLICE_LATE_H
#define RA_SLICE_LATE_H

#include <stddef.h>
#include <stdint.h>

struct ra_slice_late_row {
	int64_t dur_ns;
	uint8_t flags;  /* enum ra_slice_flag */
	uint8_t now;    /* flags up to then, while … */
	uint32_t slice; /* … this one is shown */
};

/* Those of all tracks, in the order in which they stayed; zero is an empty one. */
struct ra_slice_late {
	struct ra_slice_late_row *rows; /* owned */
	size_t count;
	size_t capacity;
	size_t *firsts; /* owned; by track */
	size_t first_capacity;
	size_t part; /* new slices that are worth a part of a thread; 0: not set yet */
};

/* Sets it, once, by how many threads there are: all may be read side by side (walk.h). */
void ra_slice_late_set_part(struct ra_slice_late *late, size_t tracks);

void ra_slice_late_fini(struct ra_slice_late *late);

/* Those that are added from here on are of this track; tracks come in their order. */
void ra_slice_late_begin_track(struct ra_slice_late *late, size_t track);

/* Return: the number of the new one. */
size_t ra_slice_late_add(struct ra_slice_late *late);

#endif
