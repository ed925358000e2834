/* SPDX-License-Identifier: MIT */
/* HTA's stragglers: ranks that come late to the collective whose duration varies most. */
#ifndef RA_HTA_STRAGGLERS_H
#define RA_HTA_STRAGGLERS_H

#include "analyzer/compat/hta/hta.h"

struct ra_hta_straggler {
	int64_t rank;
	uint64_t hits;  /* number of steps in which it was among the last */
	double start;   /* start of the collective in its last step, in mean step lengths */
	uint32_t event; /* that collective: its event of … */
	size_t of;      /* … this index into hta->ranks */
};

struct ra_hta_stragglers {
	struct ra_hta_straggler *rows; /* owned; most hits first */
	size_t count;
};

/* Finds the stragglers. @most: this many ranks count per step, and are in the result. */
void ra_hta_stragglers_find(struct ra_hta_stragglers *out, struct ra_hta *hta, uint64_t most);

#endif
