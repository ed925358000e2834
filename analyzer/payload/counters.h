/* SPDX-License-Identifier: MIT */
/* Reads definitions of counters, and stores the values that threads submitted. */
#ifndef RA_COUNTERS_H
#define RA_COUNTERS_H

#include "analyzer/model/build/builder.h"
#include "format/columns/schema.h"

/* A sample, as an event of the log has it. */
struct ra_counters_event {
	int64_t time_ns;
	uint64_t id;
	uint64_t payload;
	uint32_t payload_type; /* enum rlog_payload_type */
	uint16_t domain;
	bool has_value;      /* false: `payload` is the reason why there is no value */
	const uint8_t *data; /* the value; NULL: it is in `payload` */
	size_t data_count;
};

/* The index of a counter. A new counter gets a new index. */
uint32_t ra_counters_find(struct ra_builder *builder, uint16_t domain, uint64_t id);

/* Adds the sample that an event of the log has. */
void ra_counters_take(struct ra_builder *builder, const struct ra_counters_event *event);

/* Appends a sample of a counter that ra_counters_find() has found. */
void ra_counters_add(struct ra_builder *builder, const struct ra_sample *sample);

/* Sorts the samples by counter and time. */
void ra_counters_sort(struct ra_builder *builder);

/* What the semantics of a counter tell about its values. */
struct ra_counters_unit {
	struct rlog_schema_text unit; /* bytes NULL: none */
	uint64_t time_domain;         /* 0: none */
};

/* Reads semantics, which in details are an array of arrays. If semantics.pos is NULL, there are
 * none. */
void ra_counters_read_semantics(struct rlog_cursor semantics, struct ra_counters_unit *unit);

#endif
