/* SPDX-License-Identifier: MIT */
/* Counters: their definitions, and the values that threads submitted. */
#ifndef RA_COUNTERS_H
#define RA_COUNTERS_H

#include "analyzer/model/build/builder.h"
#include "format/columns/schema.h"

/* A sample, as in an event of the log. */
struct ra_counters_event {
	int64_t time_ns;
	uint64_t id;
	uint64_t payload;
	uint32_t payload_type; /* enum rlog_payload_type */
	uint16_t domain;
	bool has_value;      /* false: `payload` is the reason for no value */
	const uint8_t *data; /* NULL: the value is the payload */
	size_t data_count;
};

/* The index of a counter. A new one gets an index. */
uint32_t ra_counters_find(struct ra_builder *builder, uint16_t domain, uint64_t id);

/* Adds the sample of an event. */
void ra_counters_take(struct ra_builder *builder, const struct ra_counters_event *event);

/* Appends a sample of a counter that ra_counters_find() has found. */
void ra_counters_add(struct ra_builder *builder, const struct ra_sample *sample);

/* Sorts the samples by counter and time. */
void ra_counters_sort(struct ra_builder *builder);

/* The facts about a counter's value in its semantics. */
struct ra_counters_unit {
	struct rlog_schema_text unit; /* bytes NULL: none */
	uint64_t time_domain;         /* 0: none */
};

/* Reads semantics: an array of arrays, as in details. pos NULL: there are none. */
void ra_counters_read_semantics(struct rlog_cursor semantics, struct ra_counters_unit *unit);

#endif
