/* SPDX-License-Identifier: MIT */
/* Classifies events by name, as HTA does. */
#ifndef RA_HTA_NAMES_H
#define RA_HTA_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "format/tables.h"

/* Kinds of kernels, as bits, which HTA's sweeps add. */
enum ra_hta_kind {
	RA_HTA_OTHER = 0,
	RA_HTA_COMPUTATION = 1,
	RA_HTA_COMMUNICATION = 2,
	RA_HTA_MEMORY = 4,
};

/* The facts about a name, as bits. Each name is classified only once. */
enum ra_hta_class {
	RA_HTA_CLASS_KIND = 7,         /* enum ra_hta_kind */
	RA_HTA_CLASS_STEP = 1 << 3,    /* ProfilerStep#5 */
	RA_HTA_CLASS_WAIT = 1 << 4,    /* HTA's filter treats the event as GPU work */
	RA_HTA_CLASS_LAUNCH = 1 << 5,  /* counts as a launch in queue lengths */
	RA_HTA_CLASS_KERNEL = 1 << 6,  /* a call that launches a kernel, in the table of launches */
	RA_HTA_CLASS_COPY = 1 << 7,    /* a call that makes a copy or memset, in the table of
	                                  launches */
	RA_HTA_CLASS_COLLECT = 1 << 8, /* a collective for which stragglers come late */
	RA_HTA_CLASS_KNOWN = 1 << 15,  /* always set, so that 0 means "not classified" */
};

uint16_t ra_hta_names_classify(struct rlog_string name);

/* Returns the kind of a kernel, by its name. */
enum ra_hta_kind ra_hta_names_find_kind(struct rlog_string name);

/* Returns HTA's word for kinds: "COMPUTATION"; for several bits "COMPUTATION overlapping
 * MEMORY". */
const char *ra_hta_names_kind(unsigned kinds);

/* True if the name is one of `names`, which ends with NULL. */
bool ra_hta_names_is_any(struct rlog_string name, const char *const *names);

/* True if it is a step of the profiler: ProfilerStep#5. @number: may be NULL. */
bool ra_hta_names_is_step(struct rlog_string name, int64_t *number);

#endif
