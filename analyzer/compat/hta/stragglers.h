/* SPDX-License-Identifier: MIT */
/* Finds HTA's stragglers: ranks that come late to the collective whose duration varies most. */
#ifndef RA_HTA_STRAGGLERS_H
#define RA_HTA_STRAGGLERS_H

#include "analyzer/compat/hta/hta.h"

struct ra_hta_straggler {
	int64_t rank;
	uint64_t hits;  /* number of steps in which it was among the last */
	double start;   /* start of the collective in the last step with a hit, in mean lengths of a
	                   step */
	uint32_t event; /* that collective: its event … */
	size_t of;      /* … and the index of its rank in hta->ranks */
};

struct ra_hta_stragglers {
	struct ra_hta_straggler *rows; /* owned; most hits first */
	size_t count;
};

/* Finds the stragglers. @most: this many ranks get a hit per step, and this many are in the
 * result. */
void ra_hta_stragglers_find(struct ra_hta_stragglers *out, struct ra_hta *hta, uint64_t most);

#endif
