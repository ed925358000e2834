/* SPDX-License-Identifier: MIT */
/* Makes args of rows from XStats, the key-value pairs of planes and events in XLA's profiles. */
#ifndef RA_XPLANE_STATS_H
#define RA_XPLANE_STATS_H

#include "analyzer/base/util-map.h"
#include "analyzer/protobuf/protobuf.h"
#include "analyzer/rows/kineto-fill.h"

/* The names of a plane's stats. */
struct ra_xplane_stats {
	struct ra_util_map names; /* owned: id of an XStatMetadata → string id */
};

/* A stat with its name and value. */
struct ra_xplane_stat {
	uint32_t name; /* string id of the name; 0: the plane lacks the name */
	/* INT, NUMBER or STRING; ABSENT: the value is of bytes, or missing */
	enum ra_kineto_type type;
	int64_t integer;
	double real;
	struct rlog_string text;
};

/* Adds an entry of XPlane.stat_metadata. */
void ra_xplane_stats_note(struct ra_xplane_stats *stats, struct ra_kineto_store *store,
                          struct ra_protobuf entry);

void ra_xplane_stats_fini(struct ra_xplane_stats *stats);

void ra_xplane_stats_read(const struct ra_xplane_stats *stats, const struct ra_kineto *kineto,
                          struct ra_protobuf message, struct ra_xplane_stat *stat);

/* Adds all stats of a message to the current event. @field: number of the field in which they
 * are. */
void ra_xplane_stats_fill(const struct ra_xplane_stats *stats, struct ra_kineto_fill *fill,
                          struct ra_protobuf message, uint32_t number);

#endif
