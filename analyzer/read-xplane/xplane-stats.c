/* SPDX-License-Identifier: MIT */
/* Makes args of rows from XStats, the key-value pairs of planes and events in XLA's profiles. */
#include "analyzer/read-xplane/xplane-stats.h"

#include <string.h>

/* Field numbers, from tsl/profiler/protobuf/xplane.proto. */
enum {
	ENTRY_KEY = 1, /* the same in every map */
	ENTRY_VALUE = 2,
	STAT_NAME = 1, /* id of an XStatMetadata */
	STAT_DOUBLE = 2,
	STAT_UINT64 = 3,
	STAT_INT64 = 4,
	STAT_STR = 5,
	STAT_BYTES = 6,
	STAT_REF = 7, /* id of an XStatMetadata whose name is the value */
	METADATA_NAME = 2,
};

void ra_xplane_stats_note(struct ra_xplane_stats *stats, struct ra_kineto_store *store,
                          struct ra_protobuf entry)
{
	struct ra_protobuf metadata = ra_protobuf_open(entry.at, 0, entry.offset);
	struct ra_protobuf_field field;
	struct rlog_string name = { "", 0, 0 };
	uint64_t id = 0;

	while (ra_protobuf_next(&entry, &field)) {
		if (field.number == ENTRY_KEY) {
			id = field.integer;
		} else if (field.number == ENTRY_VALUE) {
			metadata = ra_protobuf_enter(&field);
		}
	}
	while (ra_protobuf_next(&metadata, &field)) {
		if (field.number == METADATA_NAME) {
			name = ra_protobuf_text(&field);
		}
	}
	ra_util_map_put(&stats->names, id,
	                ra_kineto_strings_add(&store->strings, name.bytes, name.length));
}

void ra_xplane_stats_fini(struct ra_xplane_stats *stats)
{
	ra_util_map_free(&stats->names);
}

static uint32_t find_name(const struct ra_xplane_stats *stats, uint64_t id)
{
	const uint32_t name = ra_util_map_find(&stats->names, id);

	return name == RA_UTIL_MAP_NONE ? 0 : name;
}

/* Stores a number. A number above 2^63 - 1 is stored as a real, by its digits. */
static void take_unsigned(struct ra_xplane_stat *stat, uint64_t value)
{
	if (value <= INT64_MAX) {
		stat->type = RA_KINETO_INT;
		stat->integer = (int64_t) value;
	} else {
		stat->type = RA_KINETO_NUMBER;
		stat->real = (double) value;
	}
}

void ra_xplane_stats_read(const struct ra_xplane_stats *stats, const struct ra_kineto *kineto,
                          struct ra_protobuf message, struct ra_xplane_stat *stat)
{
	struct ra_protobuf_field field;

	*stat = (struct ra_xplane_stat){ .text = { "", 0, 0 } };
	while (ra_protobuf_next(&message, &field)) {
		switch (field.number) {
		case STAT_NAME:
			stat->name = find_name(stats, field.integer);
			break;
		case STAT_DOUBLE:
			stat->type = RA_KINETO_NUMBER;
			stat->real = field.real;
			break;
		case STAT_UINT64:
			take_unsigned(stat, field.integer);
			break;
		case STAT_INT64:
			stat->type = RA_KINETO_INT;
			memcpy(&stat->integer, &field.integer, sizeof(stat->integer));
			break;
		case STAT_STR:
			stat->type = RA_KINETO_STRING;
			stat->text = ra_protobuf_text(&field);
			break;
		case STAT_REF:
			stat->type = RA_KINETO_STRING;
			stat->text = ra_kineto_string(kineto, find_name(stats, field.integer));
			break;
		case STAT_BYTES: /* whole programs, encoded as protobuf */
		default:
			break;
		}
	}
}

void ra_xplane_stats_fill(const struct ra_xplane_stats *stats, struct ra_kineto_fill *fill,
                          struct ra_protobuf message, uint32_t number)
{
	struct ra_protobuf_field field;

	while (ra_protobuf_next(&message, &field)) {
		struct ra_xplane_stat stat;

		if (field.number != number || field.wire != RA_PROTOBUF_BYTES) {
			continue;
		}
		ra_xplane_stats_read(stats, fill->store->kineto, ra_protobuf_enter(&field), &stat);
		if (stat.name == 0) {
			continue;
		}
		if (stat.type == RA_KINETO_INT) {
			ra_kineto_fill_int(fill, stat.name, stat.integer);
		} else if (stat.type == RA_KINETO_NUMBER) {
			ra_kineto_fill_real(fill, stat.name, stat.real);
		} else if (stat.type == RA_KINETO_STRING) {
			ra_kineto_fill_text(fill, stat.name, stat.text);
		}
	}
}
