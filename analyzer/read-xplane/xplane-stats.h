/* SPDX-License-Identifier: MIT */
/* XStat: what planes and events of XLA's profiles say of themselves, as args of rows. */
#ifndef RA_XPLANE_STATS_H
#define RA_XPLANE_STATS_H

#include "analyzer/base/util-map.h"
#include "analyzer/protobuf/protobuf.h"
#include "analyzer/rows/kineto-fill.h"

/* What the names of a plane's stats are. */
struct ra_xplane_stats {
	struct ra_util_map names; /* owned: id of an XStatMetadata → string id */
};

/* A stat, its name and value told. */
struct ra_xplane_stat {
	uint32_t name;            /* string id; 0: the plane has no such name */
	enum ra_kineto_type type; /* INT, NUMBER, STRING; ABSENT: bytes, or nothing */
	int64_t integer;
	double real;
	struct rlog_string text;
};

/* Notes an entry of XPlane.stat_metadata. */
void ra_xplane_stats_note(struct ra_xplane_stats *stats, struct ra_kineto_store *store,
                          struct ra_protobuf entry);

void ra_xplane_stats_fini(struct ra_xplane_stats *stats);

void ra_xplane_stats_read(const struct ra_xplane_stats *stats, const struct ra_kineto *kineto,
                          struct ra_protobuf message, struct ra_xplane_stat *stat);

/* Adds all stats of a message, which has them in fields of that number, to the event at hand. */
void ra_xplane_stats_fill(const struct ra_xplane_stats *stats, struct ra_kineto_fill *fill,
                          struct ra_protobuf message, uint32_t number);

#endif
