/* SPDX-License-Identifier: MIT */
/* Reads definitions of counters, and stores the values that threads submitted. */
#include "analyzer/payload/counters.h"

#include "analyzer/base/order/order.h"
#include "analyzer/model/schemas.h"
#include "analyzer/base/util.h"
#include "format/error.h"
#include "format/wire.h"

/* NVTX's numbers for the kinds of semantics. */
#define SEMANTICS_TIME     2
#define SEMANTICS_COUNTERS 5

/* NVTX's numbers for the reasons to submit no value. */
#define IS_ZERO      0
#define IS_UNCHANGED 1

/* Reads one of the arrays [id, version, value…]. */
static int read_one(struct rlog_cursor *cursor, struct ra_counters_unit *unit)
{
	struct rlog_cursor_int id;
	struct rlog_cursor_int number;
	struct rlog_cursor inside = *cursor;
	uint32_t count = 0;

	if (rlog_cursor_skip(cursor) || rlog_cursor_read_array(&inside, &count) || count < 3 ||
	    rlog_cursor_read_int(&inside, &id) || rlog_cursor_skip(&inside)) {
		return -RLOG_E_SCHEMA;
	}
	if (id.bits == SEMANTICS_TIME && !rlog_cursor_read_int(&inside, &number)) {
		unit->time_domain = number.bits;
	} else if (id.bits == SEMANTICS_COUNTERS && !rlog_cursor_skip(&inside) &&
	           rlog_cursor_peek(&inside) == RLOG_CURSOR_TEXT) {
		(void) rlog_cursor_read_text(&inside, &unit->unit.bytes, &unit->unit.length);
	}
	return 0;
}

void ra_counters_read_semantics(struct rlog_cursor semantics, struct ra_counters_unit *unit)
{
	uint32_t count = 0;

	*unit = (struct ra_counters_unit){ 0 };
	if (semantics.pos == NULL || rlog_cursor_read_array(&semantics, &count)) {
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (read_one(&semantics, unit)) {
			return;
		}
	}
}

/* Reads the detail [schema id, description, scope id, semantics]. */
static void read_detail(struct ra_builder *builder, const struct rlog_def *def,
                        struct ra_counter *counter)
{
	const struct rlog_string detail = ra_defs_detail(&builder->model->schemas->defs, def);
	struct rlog_cursor cursor = { 0 };
	struct rlog_cursor check;
	struct ra_counters_unit unit;
	struct rlog_cursor_int schema;
	uint32_t count = 0;

	if (detail.bytes == NULL) {
		return;
	}
	cursor.pos = (const uint8_t *) detail.bytes;
	cursor.end = cursor.pos + detail.length;
	check = cursor;
	if (rlog_cursor_skip(&check) || rlog_cursor_read_array(&cursor, &count) || count < 4 ||
	    rlog_cursor_read_int(&cursor, &schema)) {
		return;
	}
	counter->schema = schema.bits;
	if (ra_counter_is_gpu(counter) && rlog_cursor_peek(&cursor) == RLOG_CURSOR_TEXT) {
		const char *text = NULL;
		uint32_t bytes = 0;

		if (rlog_cursor_read_text(&cursor, &text, &bytes)) {
			return;
		}
		ra_builder_add_name(builder, text, bytes, &counter->uuid);
	} else if (rlog_cursor_skip(&cursor)) {
		return;
	}
	if (rlog_cursor_skip(&cursor)) { /* skips the scope */
		return;
	}
	ra_counters_read_semantics(cursor, &unit);
	if (unit.unit.bytes == NULL || unit.unit.length == 0) {
		return;
	}
	ra_builder_add_name(builder, unit.unit.bytes, unit.unit.length, &counter->unit);
}

uint32_t ra_counters_find(struct ra_builder *builder, uint16_t domain, uint64_t id)
{
	struct ra_model *m = builder->model;
	/* Ids are below 2^48, except in a forged log, where two ids may then share an entry. */
	const uint64_t key = (uint64_t) domain << 48 ^ id;
	const struct rlog_def *def;
	struct ra_counter *counter;
	uint32_t index = ra_util_map_find(&builder->counters, key);

	if (index != RA_UTIL_MAP_NONE) {
		return index;
	}
	ra_util_grow(&m->counters, &builder->counter_capacity, m->counter_count + 1,
	             sizeof(*m->counters));
	index = (uint32_t) m->counter_count;
	counter = &m->counters[index];
	*counter = (struct ra_counter){ .id = id, .domain = domain };
	def = ra_defs_find(&m->schemas->defs, RLOG_DEF_COUNTER, m->domains[domain].id, id);
	if (def != NULL) {
		ra_builder_map_name(builder, def->string, &counter->name);
		read_detail(builder, def, counter);
	}
	ra_util_map_put(&builder->counters, key, index);
	m->counter_count++;
	return index;
}

void ra_counters_add(struct ra_builder *builder, const struct ra_sample *sample)
{
	struct ra_model *m = builder->model;

	RA_UTIL_APPEND(m->samples, m->sample_count, builder->sample_capacity, *sample);
}

void ra_counters_take(struct ra_builder *builder, const struct ra_counters_event *event)
{
	struct ra_sample sample = {
		.time_ns = event->time_ns,
		.bits = event->payload,
		.counter = ra_counters_find(builder, event->domain, event->id),
	};

	if (event->data != NULL) {
		const struct ra_builder_data data = {
			.bytes = event->data,
			.count = event->data_count,
			.owner = ra_builder_count_data(builder, RA_BUILDER_SAMPLE_DATA),
		};

		sample.kind = RA_SAMPLE_DATA;
		sample.bits = data.owner;
		ra_builder_add_data(builder, RA_BUILDER_SAMPLE_DATA, &data);
	} else if (event->has_value) {
		sample.kind = event->payload_type == RLOG_PAYLOAD_DOUBLE ||
		                              event->payload_type == RLOG_PAYLOAD_FLOAT
		                      ? RA_SAMPLE_REAL
		                      : RA_SAMPLE_INTEGER;
	} else if (event->payload == IS_ZERO) {
		sample.kind = RA_SAMPLE_INTEGER;
	} else {
		sample.kind = event->payload == IS_UNCHANGED ? RA_SAMPLE_UNCHANGED
		                                             : RA_SAMPLE_UNAVAILABLE;
		sample.bits = 0;
	}
	ra_counters_add(builder, &sample);
}

static int compare_samples(const void *left, const void *right)
{
	const struct ra_sample *a = left;
	const struct ra_sample *b = right;
	int order = RA_ORDER_UP(a, b, counter);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, time_ns));
	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, kind));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, bits));
}

void ra_counters_sort(struct ra_builder *builder)
{
	struct ra_model *m = builder->model;

	for (size_t i = 1; i < m->sample_count; i++) {
		if (compare_samples(&m->samples[i - 1], &m->samples[i]) > 0) {
			RA_SORT(m->samples, m->sample_count, compare_samples);
			return;
		}
	}
}
