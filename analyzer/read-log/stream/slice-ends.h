/* SPDX-License-Identifier: MIT */
/* For a walk whose first pass shows slices already: how slices will end that are open. */
#ifndef RA_SLICE_ENDS_H
#define RA_SLICE_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ra_slice_window;

struct ra_slice_end {
	int64_t end_ns;
	uint8_t flags; /* enum ra_slice_flag, to be added */
};

/* Where that is known from. */
struct ra_slice_ends {
	/*
	 * Finds how open slices end that nest. It may be wrong: a slice that ends otherwise is
	 * noticed when it does.
	 *
	 * @open: how many are open.
	 * @known: of these, so many of the outermost are known already.
	 * @ends: by their order, outermost first; those from `known` on are set.
	 * Return: false if it can't be known.
	 */
	bool (*find)(void *context, size_t open, size_t known, struct ra_slice_end *ends);
	void *context; /* borrowed */
};

/* Before a part is shown: adds rows to `late` for the slices that stay open. Checks that those
 * which closed did so as their rows say. Else the window is lost. @open: how many are open. */
void ra_slice_ends_foresee(struct ra_slice_window *window, size_t open);

#endif
