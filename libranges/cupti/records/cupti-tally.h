/* SPDX-License-Identifier: MIT */
/* Counts what was odd about CUPTI's records, and says so at the end. */
#ifndef RCAP_CUPTI_TALLY_H
#define RCAP_CUPTI_TALLY_H

#include <stdbool.h>
#include <stdint.h>

enum rcap_cupti_tally {
	RCAP_CUPTI_TALLY_KERNELS,     /* all */
	RCAP_CUPTI_TALLY_TIMELESS,    /* kernels of which CUPTI told no time */
	RCAP_CUPTI_TALLY_NAMELESS,    /* texts where nothing can be read */
	RCAP_CUPTI_TALLY_UNFINISHED,  /* operations that had not ended, or not even begun */
	RCAP_CUPTI_TALLY_OTHER_CLOCK, /* records with times that cannot be of the clock agreed on */
	RCAP_CUPTI_TALLY_UNKNOWN,     /* records of a kind that we do not read */
	RCAP_CUPTI_TALLY_UNREADABLE,  /* buffers with something that is no record */
	RCAP_CUPTI_TALLY_FOREIGN,     /* buffers that CUPTI did not have from us */
	RCAP_CUPTI_TALLY_SIZE,
};

/* Context: any thread. */
void rcap_cupti_tally_add(enum rcap_cupti_tally what);

/* As that, of a record that says to be of that kind. */
void rcap_cupti_tally_add_kind(enum rcap_cupti_tally what, uint32_t kind);

/* Says in lines about the GPU what has been counted. @is_monotonic: CUPTI has our clock. */
void rcap_cupti_tally_tell(bool is_monotonic);

#endif
