/* SPDX-License-Identifier: MIT */
/* Finds rows of --compat=hta by their events. */
#include "analyzer/compat/hta/hta.h"

struct ra_hta_row ra_hta_read(const struct ra_hta_rank *rank, uint32_t event)
{
	const uint32_t link = rank->link_of[event];

	if (link < RA_HTA_PLAIN) {
		return rank->linked[link];
	}
	return (struct ra_hta_row){
		.ts_us = ra_hta_ts(rank, event),
		.dur_us = ra_hta_dur(rank, event),
		.stream = -1,
		.corr = -1,
		.partner = -1,
		.event = event,
		.copies = link == RA_HTA_PLAIN,
	};
}

bool ra_hta_find_partner_ts(const struct ra_hta_rank *rank, const struct ra_hta_row *row,
                            double *ts_us)
{
	const int64_t partner = row->partner;
	uint32_t link;

	if (partner < 0 || (uint64_t) partner >= rank->kineto->count ||
	    ra_hta_copies(rank, (uint32_t) partner) == 0) {
		return false;
	}
	link = rank->link_of[partner];
	*ts_us = link == RA_HTA_PLAIN ? ra_hta_ts(rank, (uint32_t) partner)
	                              : rank->linked[link].ts_us;
	return true;
}
