/* SPDX-License-Identifier: MIT */
/* Finds the ids that link a producer's calls to the work that they launched. */
#ifndef RA_LINKS_H
#define RA_LINKS_H

#include "analyzer/base/util-map.h"
#include "analyzer/producers/producers.h"

#define RA_LINKS_KEYS 4

struct ra_links {
	const struct ra_kineto *kineto; /* borrowed */
	/* the args that have ids, for the producers in the trace */
	enum ra_kineto_key keys[RA_LINKS_KEYS];
	unsigned key_count;
	bool is_shifted; /* some id is 0, which means "none" here; so all ids are increased by 1 */
	/* some id is no number of 32 bits; so ids are numbered in the order in which they come */
	bool is_numbered;
	struct ra_util_map numbers; /* owned: id → its number, counted from 0 */
};

/* @rows: the row of each thread. */
void ra_links_init(struct ra_links *links, const struct ra_kineto *kineto,
                   const struct ra_producers_row *rows);
void ra_links_fini(struct ra_links *links);

/* Finds the id of an event. Return: the id, never 0; RA_KINETO_NONE: the event has none. */
uint32_t ra_links_find(struct ra_links *links, uint32_t event);

#endif
