/* SPDX-License-Identifier: MIT */
/* Predicts how open slices will end, for a walk that shows slices during its first pass. */
#ifndef RA_SLICE_ENDS_H
#define RA_SLICE_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ra_slice_window;

struct ra_slice_end {
	int64_t end_ns;
	uint8_t flags; /* flags of enum ra_slice_flag to add to the slice */
};

/* The source of predicted ends. */
struct ra_slice_ends {
	/*
	 * Finds how open, nested slices will end. The answer may be wrong; the window notices that
	 * when a slice ends differently.
	 *
	 * @open: number of open slices.
	 * @known: the ends of this many outermost slices are known already.
	 * @ends: in the order of the slices, outermost first; gets the ends from `known` on.
	 * Return: false if the ends can't be known.
	 */
	bool (*find)(void *context, size_t open, size_t known, struct ra_slice_end *ends);
	void *context; /* borrowed */
};

/* Prepares to show a part: adds rows to `late` for the slices that stay open. Checks that slices
 * that have closed ended as their rows predicted; if not, the window is lost. @open: number of open
 * slices. */
void ra_slice_ends_foresee(struct ra_slice_window *window, size_t open);

#endif
