/* SPDX-License-Identifier: MIT */
/* Counts oddities of CUPTI's records, and reports them at the end. */
#ifndef RCAP_CUPTI_TALLY_H
#define RCAP_CUPTI_TALLY_H

#include <stdbool.h>
#include <stdint.h>

enum rcap_cupti_tally {
	RCAP_CUPTI_TALLY_KERNELS,     /* all kernels, for comparison */
	RCAP_CUPTI_TALLY_TIMELESS,    /* kernels without a time */
	RCAP_CUPTI_TALLY_NAMELESS,    /* texts that can't be read */
	RCAP_CUPTI_TALLY_UNFINISHED,  /* operations that had not ended, or not even begun */
	RCAP_CUPTI_TALLY_OTHER_CLOCK, /* records whose times can't be of the clock that we set */
	RCAP_CUPTI_TALLY_UNKNOWN,     /* records of a kind that we don't read */
	RCAP_CUPTI_TALLY_UNREADABLE,  /* buffers with something that is not a record */
	RCAP_CUPTI_TALLY_FOREIGN,     /* buffers that are not ours */
	RCAP_CUPTI_TALLY_SIZE,
};

/* Adds 1 to a count. Context: any thread. */
void rcap_cupti_tally_add(enum rcap_cupti_tally what);

/* Does the same for a record of this kind. The kind of the first one is reported. */
void rcap_cupti_tally_add_kind(enum rcap_cupti_tally what, uint32_t kind);

/* Writes the counts as status lines. @is_monotonic: CUPTI uses our clock. */
void rcap_cupti_tally_tell(bool is_monotonic);

#endif
