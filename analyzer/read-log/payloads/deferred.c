/* SPDX-License-Identifier: MIT */
/* Reads deferred events and batches of counters: calls whose payload contains times. */
#include "analyzer/read-log/payloads/deferred.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/payload/counters.h"
#include "analyzer/payload/payload.h"
#include "analyzer/model/schemas.h"
#include "analyzer/model/section-rows.h"
#include "analyzer/read-log/payloads/deferred-gpu.h"
#include "analyzer/read-log/payloads/time-ties.h"
#include "format/wire.h"

/* function numbers of nvtxEventSubmit, nvtxEventBatchSubmit, nvtxCounterBatchSubmit */
#define EVENT_SUBMIT  0x1210
#define EVENT_BATCH   0x1211
#define COUNTER_BATCH 0x1405

/* NVTX's timestamp types for clocks that we can convert. */
#define TOOL_PROVIDED    1
#define CPU_TSC          10
#define REALTIME         12
#define REALTIME_COARSE  13
#define MONOTONIC        14
#define MONOTONIC_COARSE 16
#define BOOTTIME         17

/* NVTX's timestamp type for a GPU's timer. */
#define GPU_GLOBALTIMER 80

/* Flag of a counter batch: its two times are the time of the last sample, and the interval between
 * samples. */
#define ENDTIME_INTERVAL_PAIR (UINT64_C(2) << 32)

/* Most bytes that a payload adds around its data: heads, two numbers, an address of 0, a length. */
#define WRAP_BYTES 32

bool ra_deferred_is_wanted(uint64_t function)
{
	return function == EVENT_SUBMIT || function == EVENT_BATCH || function == COUNTER_BATCH ||
	       ra_time_ties_is_wanted(function);
}

struct stamp {
	bool is_there;
	int64_t value;
	uint64_t time_domain;
};

struct expand {
	struct ra_builder *builder;
	struct ra_spans *spans;
	const struct ra_clock *clock;
	struct ra_payload *decoder; /* owned */
	struct ra_time_ties ties;
	struct ra_deferred_gpu *gpu;
	uint32_t call; /* index of the current call */
	size_t segment;
	int64_t boot_offset_ns; /* CLOCK_BOOTTIME minus CLOCK_MONOTONIC */
	struct stamp begin;     /* the times of the current event; a mark has only `begin` */
	struct stamp end;
};

/* The timestamp type of a time domain. The number of a time domain may be a timestamp type
 * itself. */
static uint64_t find_type(const struct expand *x, uint32_t domain, uint64_t time_domain)
{
	const struct ra_defs *defs = &x->builder->model->schemas->defs;
	const struct rlog_def *def = ra_defs_find(defs, RLOG_DEF_TIME_DOMAIN, domain, time_domain);
	struct rlog_cursor_int number;
	struct rlog_cursor cursor;
	struct rlog_string detail;
	uint32_t count = 0;

	if (def == NULL) {
		return time_domain;
	}
	detail = ra_defs_detail(defs, def);
	if (detail.bytes == NULL) {
		return 0;
	}
	cursor.pos = (const uint8_t *) detail.bytes;
	cursor.end = cursor.pos + detail.length;
	return rlog_cursor_read_array(&cursor, &count) || count < 2 || rlog_cursor_skip(&cursor) ||
	                       rlog_cursor_read_int(&cursor, &number)
	               ? 0
	               : number.bits;
}

/* Counts events that get no place on the timeline; only `analyzer dump` shows them. */
static void pass_over(struct expand *x, uint64_t events)
{
	x->builder->model->quality.unplaced_events += events;
}

/* Converts a time of a clock that we can convert. Return: false if it is of another clock. */
static bool convert_own(struct expand *x, uint32_t domain, const struct stamp *stamp,
                        int64_t *time_ns)
{
	const struct ra_model *m = x->builder->model;
	int64_t base_ns = m->zero_ns;

	if (!stamp->is_there) {
		return false;
	}
	switch (find_type(x, domain, stamp->time_domain)) {
	case TOOL_PROVIDED:
	case CPU_TSC:
		*time_ns = ra_clock_convert(x->clock, (uint64_t) stamp->value, &x->segment) -
		           m->zero_ns;
		return true;
	case REALTIME:
	case REALTIME_COARSE:
		base_ns = m->zero_real_ns;
		break;
	case BOOTTIME:
		base_ns += x->boot_offset_ns;
		break;
	case MONOTONIC:
	case MONOTONIC_COARSE:
		break;
	default:
		return false;
	}
	/* Times in this log are at most 2^60; larger ones make no sense. */
	return !__builtin_sub_overflow(stamp->value, base_ns, time_ns) &&
	       *time_ns < INT64_C(1) << 60 && *time_ns > -(INT64_C(1) << 60);
}

/* Converts a time of another clock, such as a GPU's, if the program reported a tie between that
 * clock and a clock that we can convert.
 * Return: false if it reported none. */
static bool convert(struct expand *x, uint32_t domain, const struct stamp *stamp, int64_t *time_ns)
{
	size_t at = 0;
	bool is_known = convert_own(x, domain, stamp, time_ns);

	while (!is_known && stamp->is_there) {
		const size_t tie = ra_time_ties_next(&x->ties, domain, stamp->time_domain, &at);

		if (tie == x->ties.count) {
			break;
		}
		is_known = convert_own(
			x, domain,
			&(struct stamp){ true, ra_time_ties_convert(&x->ties, tie, stamp->value),
		                         x->ties.ties[tie].to },
			time_ns);
	}
	return is_known;
}

static void visit_value(void *context, const struct ra_payload_value *value)
{
	struct expand *x = context;
	struct ra_counters_unit semantics;
	struct stamp stamp = { .is_there = true, .value = (int64_t) value->bits };
	uint64_t purpose;

	if (value->entry == NULL || (value->entry->flags & RLOG_ENTRY_TIMESTAMP) == 0 ||
	    (value->kind != RA_PAYLOAD_SIGNED && value->kind != RA_PAYLOAD_UNSIGNED)) {
		return;
	}
	ra_counters_read_semantics(value->entry->semantics, &semantics);
	stamp.time_domain = semantics.time_domain;
	purpose = (value->entry->flags & RLOG_ENTRY_PURPOSE) >> RLOG_ENTRY_PURPOSE_SHIFT;
	if (purpose == RLOG_PURPOSE_RANGE_END || (purpose == 0 && x->begin.is_there)) {
		x->end = stamp;
	} else {
		x->begin = stamp;
	}
}

static void visit_open(void *context, const struct ra_payload_group *group)
{
	(void) context;
	(void) group;
}

static void visit_close(void *context)
{
	(void) context;
}

static struct ra_payload_visitor begin_event(struct expand *x)
{
	const struct ra_payload_visitor visitor = { visit_value, visit_open, visit_close, NULL, x };

	x->begin.is_there = false;
	x->end.is_there = false;
	return visitor;
}

static uint8_t *put_number(uint8_t *place, uint8_t head, uint64_t value, unsigned int bytes)
{
	*place++ = head;
	for (unsigned int i = bytes; i > 0; i--) {
		*place++ = (uint8_t) (value >> (8 * (i - 1)));
	}
	return place;
}

/* Stores the bytes of a type in the form that the log has for payloads; for an event, in an array
 * with one payload. */
static void keep_bytes(const struct expand *x, enum ra_builder_list list, uint64_t type,
                       const uint8_t *bytes, size_t count)
{
	uint8_t head[WRAP_BYTES];
	uint8_t *place = head;
	struct ra_builder_data data = { .bytes = head, .owner = RA_NONE };

	if (list == RA_BUILDER_SLICE_DATA) {
		*place++ = 0x91; /* array of one element */
	} else {
		data.owner = ra_builder_count_data(x->builder, list);
	}
	*place++ = 0x94;
	place = put_number(place, 0xCF, type, 8);
	place = put_number(place, 0xCF, count, 8);
	*place++ = 0; /* no address */
	place = put_number(place, 0xC6, count, 4);
	data.count = (size_t) (place - head);
	ra_builder_add_data(x->builder, list, &data);
	ra_builder_continue_data(x->builder, bytes, count);
}

static bool is_gpu_time(const struct expand *x, uint32_t domain, const struct stamp *stamp)
{
	return stamp->is_there && find_type(x, domain, stamp->time_domain) == GPU_GLOBALTIMER;
}

/* Stores an event whose time is unknown. Kernels may give it a place later. */
static void keep_for_gpu(struct expand *x, uint16_t domain, uint32_t data)
{
	const uint32_t id = x->builder->model->domains[domain].id;
	const struct ra_deferred_gpu_event event = {
		.begin = x->begin.value,
		.end = is_gpu_time(x, id, &x->end) && x->end.value >= x->begin.value
		               ? x->end.value
		               : x->begin.value,
		.call = x->call,
		.data = data,
		.domain = domain
	};

	if (!is_gpu_time(x, id, &x->begin) || !ra_deferred_gpu_is_sound(&event)) {
		pass_over(x, 1);
		return;
	}
	ra_deferred_gpu_add(x->gpu, &event);
}

/* Adds a range for the event with the current times. Its data are those added last. */
static void add_range(struct expand *x, uint16_t domain, uint32_t data)
{
	const uint32_t id = x->builder->model->domains[domain].id;
	struct ra_spans_begin begin = { .track = RA_NONE, .domain = domain, .data = data };
	int64_t end_ns = 0;

	if (!convert(x, id, &x->begin, &begin.time_ns)) {
		keep_for_gpu(x, domain, data);
		return;
	}
	if (!convert(x, id, &x->end, &end_ns) || end_ns < begin.time_ns) {
		end_ns = begin.time_ns;
	}
	ra_spans_add(x->spans, &begin, end_ns);
}

static void expand_event(struct expand *x, const struct ra_call *call, struct ra_data data)
{
	const struct ra_payload_visitor visitor = begin_event(x);
	struct ra_model *m = x->builder->model;
	const uint32_t index = ra_builder_count_data(x->builder, RA_BUILDER_SLICE_DATA);
	struct ra_builder_data kept = { .count = data.length, .owner = RA_NONE };

	ra_payload_decode(x->decoder, m->domains[call->domain].id, m->data_bytes + data.from,
	                  data.length, &visitor);
	if (!x->begin.is_there) {
		pass_over(x, 1);
		return;
	}
	kept.bytes = ra_alloc_bytes(data.length + 1u); /* the block may move later */
	memcpy((void *) kept.bytes, m->data_bytes + data.from, data.length);
	ra_builder_add_data(x->builder, RA_BUILDER_SLICE_DATA, &kept);
	free((void *) kept.bytes);
	add_range(x, call->domain, index);
}

/* The size of an element of a type; 0: elements have different sizes. */
static uint64_t size_of(const struct expand *x, uint32_t domain, uint64_t type)
{
	const struct ra_schemas *schemas = x->builder->model->schemas;
	const struct ra_schemas_type *defined = ra_schemas_find(schemas, domain, type);
	struct rlog_schema_shape shape;

	if (type < RLOG_TYPE_FIRST_SCHEMA) {
		return rlog_schema_shape_of(type, &schemas->table, &shape) == 0 ? shape.size : 0;
	}
	return defined == NULL || defined->is_enum || defined->state != RA_SCHEMA_READY ||
	                       defined->u.schema.size == RLOG_SCHEMA_VARIES
	               ? 0
	               : defined->u.schema.size;
}

/* A batch of events or of counter samples. */
struct batch {
	uint64_t type;
	uint64_t flags;
	uint64_t submitted; /* number of bytes submitted; `bytes` has those that could be read */
	const char *bytes;
	uint32_t count;
	uint32_t element;
	uint16_t domain;
	uint32_t counter; /* for a batch of counters: index of the counter in the model */
	uint32_t times;   /* number of times, which are read at `cursor` */
	struct rlog_cursor cursor;
	uint64_t time_domain;
};

/* Adds the events of a batch [schema id, size, bytes, …]. */
static void expand_events(struct expand *x, struct batch *batch)
{
	const uint32_t domain = x->builder->model->domains[batch->domain].id;

	for (uint32_t at = 0; at + batch->element <= batch->count; at += batch->element) {
		const struct ra_payload_visitor visitor = begin_event(x);
		const uint8_t *bytes = (const uint8_t *) batch->bytes + at;
		const uint32_t index = ra_builder_count_data(x->builder, RA_BUILDER_SLICE_DATA);

		ra_payload_decode_bytes(x->decoder, domain, batch->type, bytes, batch->element,
		                        &visitor);
		if (!x->begin.is_there) {
			pass_over(x, 1);
			continue;
		}
		keep_bytes(x, RA_BUILDER_SLICE_DATA, batch->type, bytes, batch->element);
		add_range(x, batch->domain, index);
	}
}

static void add_sample(struct expand *x, const struct batch *batch, const uint8_t *bytes,
                       int64_t time_ns)
{
	struct ra_sample sample = { .time_ns = time_ns, .counter = batch->counter };

	sample.kind = RA_SAMPLE_DATA;
	sample.bits = ra_builder_count_data(x->builder, RA_BUILDER_SAMPLE_DATA);
	keep_bytes(x, RA_BUILDER_SAMPLE_DATA, batch->type, bytes, batch->element);
	ra_counters_add(x->builder, &sample);
}

/* Finds the time of a sample. A batch has a time for each sample; or it has two times, the first
 * sample's and the interval. */
static bool find_time(struct batch *batch, uint32_t samples, uint32_t i, struct stamp *stamp)
{
	struct rlog_cursor pair = batch->cursor;
	struct rlog_cursor_int first;
	struct rlog_cursor_int step;
	uint64_t steps = i;

	stamp->is_there = true;
	stamp->time_domain = batch->time_domain;
	if (batch->times == samples) {
		if (rlog_cursor_read_int(&batch->cursor, &first)) {
			return false;
		}
		stamp->value = (int64_t) first.bits;
		return true;
	}
	if (batch->times != 2 || rlog_cursor_read_int(&pair, &first) ||
	    rlog_cursor_read_int(&pair, &step)) {
		return false;
	}
	if ((batch->flags & ENDTIME_INTERVAL_PAIR) != 0) {
		/* modulo 2^64, because samples are counted back from the last */
		steps = (uint64_t) i - (samples - 1);
	}
	stamp->value = (int64_t) (first.bits + steps * step.bits);
	return true;
}

static void expand_samples(struct expand *x, struct batch *batch)
{
	const uint32_t domain = x->builder->model->domains[batch->domain].id;
	const uint32_t samples = batch->count / batch->element;

	for (uint32_t i = 0; i < samples; i++) {
		const uint8_t *bytes = (const uint8_t *) batch->bytes + (size_t) i * batch->element;
		int64_t time_ns = 0;

		if (batch->times == 0) {
			const struct ra_payload_visitor visitor = begin_event(x);

			ra_payload_decode_bytes(x->decoder, domain, batch->type, bytes,
			                        batch->element, &visitor);
			if (x->begin.time_domain == 0) {
				x->begin.time_domain = batch->time_domain;
			}
		} else if (!find_time(batch, samples, i, &x->begin)) {
			pass_over(x, samples - i);
			return;
		}
		if (convert(x, domain, &x->begin, &time_ns)) {
			add_sample(x, batch, bytes, time_ns);
		} else {
			pass_over(x, 1);
		}
	}
}

/* Finds the time domain of a counter in the time semantics of its definition: [schema id,
 * description, scope id, semantics]. */
static uint64_t find_time_domain(const struct expand *x, const struct ra_counter *counter)
{
	const struct ra_model *m = x->builder->model;
	const struct ra_defs *defs = &m->schemas->defs;
	const struct rlog_def *def =
		ra_defs_find(defs, RLOG_DEF_COUNTER, m->domains[counter->domain].id, counter->id);
	struct ra_counters_unit semantics = { 0 };
	struct rlog_string detail;
	struct rlog_cursor cursor;
	uint32_t count = 0;

	if (def == NULL) {
		return 0;
	}
	detail = ra_defs_detail(defs, def);
	if (detail.bytes == NULL) {
		return 0;
	}
	cursor.pos = (const uint8_t *) detail.bytes;
	cursor.end = cursor.pos + detail.length;
	if (rlog_cursor_read_array(&cursor, &count) || count < 4) {
		return 0;
	}
	for (int i = 0; i < 3; i++) {
		if (rlog_cursor_skip(&cursor)) {
			return 0;
		}
	}
	ra_counters_read_semantics(cursor, &semantics);
	return semantics.time_domain;
}

/* Reads the fields before the bytes. Return: false if the data are no batch. */
static bool read_batch(bool has_counter, uint64_t *first, struct batch *batch)
{
	struct rlog_cursor *cursor = &batch->cursor;
	struct rlog_cursor check = *cursor;
	struct rlog_cursor_int number;
	uint32_t count = 0;

	if (rlog_cursor_skip(&check) || rlog_cursor_read_array(cursor, &count) || count < 5 ||
	    rlog_cursor_read_int(cursor, &number)) {
		return false;
	}
	*first = number.bits;
	if (has_counter) {
		if (rlog_cursor_read_int(cursor, &number)) {
			return false;
		}
		batch->flags = number.bits;
	}
	if (rlog_cursor_read_int(cursor, &number)) {
		return false;
	}
	batch->submitted = number.bits;
	return rlog_cursor_read_text(cursor, &batch->bytes, &batch->count) == 0;
}

/* Adds the events or samples of a batch. The caller owns the bytes of the data, because those must
 * not move meanwhile. */
static void expand_batch(struct expand *x, const struct ra_call *call, const uint8_t *bytes,
                         size_t count)
{
	const struct ra_model *m = x->builder->model;
	struct batch batch = { .domain = call->domain, .cursor = { bytes, bytes + count } };
	const bool has_counter = call->function == COUNTER_BATCH;
	uint64_t first = 0;
	uint64_t element;

	if (!read_batch(has_counter, &first, &batch)) {
		pass_over(x, 1); /* the number of its events is unknown, so it counts as one */
		return;
	}
	if (batch.submitted == 0 && batch.count == 0) {
		return;
	}
	batch.type = first;
	if (has_counter) {
		batch.counter = ra_counters_find(x->builder, call->domain, first);
		batch.type = m->counters[batch.counter].schema;
		batch.time_domain = find_time_domain(x, &m->counters[batch.counter]);
		if (batch.time_domain == 0) {
			/* the default, the time domain of nvtxTimestampGet() */
			batch.time_domain = TOOL_PROVIDED;
		}
		if (rlog_cursor_peek(&batch.cursor) == RLOG_CURSOR_ARRAY) {
			(void) rlog_cursor_read_array(&batch.cursor, &batch.times);
		}
	}
	element = size_of(x, m->domains[call->domain].id, batch.type);
	if (element == 0 || element > batch.count) {
		pass_over(x, 1);
		return;
	}
	batch.element = (uint32_t) element;
	if (has_counter) {
		expand_samples(x, &batch);
	} else {
		expand_events(x, &batch);
	}
}

static void expand_call(struct expand *x, struct ra_data data)
{
	const struct ra_model *m = x->builder->model;
	const struct ra_call call = m->calls[data.owner];
	const uint8_t *rows;
	size_t count;
	uint8_t *bytes;

	if (ra_section_rows_find(m, &data, &rows, &count) != RA_SECTION_ROWS_NONE) {
		return; /* link-sections.c handles these */
	}
	if (call.function == EVENT_SUBMIT) {
		expand_event(x, &call, data);
		return;
	}
	bytes = ra_alloc_bytes(data.length + 1u);
	memcpy(bytes, m->data_bytes + data.from, data.length);
	expand_batch(x, &call, bytes, data.length);
	free(bytes);
}

void ra_deferred_expand(struct ra_builder *builder, struct ra_spans *spans,
                        const struct ra_clock *clock, struct ra_deferred_gpu *gpu)
{
	const struct ra_model *m = builder->model;
	struct expand x = { .builder = builder, .spans = spans, .clock = clock, .gpu = gpu };
	const struct rlog_clock_point *points;
	size_t count = 0;

	if (m->call_data.count == 0) {
		return;
	}
	points = rlog_reader_borrow_clock(m->reader, &count);
	if (count > 0) {
		x.boot_offset_ns = (int64_t) (points[0].boot_ns - points[0].mono_ns);
	}
	x.decoder = ra_payload_create(m->schemas);
	ra_time_ties_init(&x.ties, m);
	for (size_t i = 0; i < m->call_data.count; i++) {
		const uint64_t function = m->calls[m->call_data.rows[i].owner].function;

		x.call = m->call_data.rows[i].owner;
		if (ra_deferred_is_wanted(function) && !ra_time_ties_is_wanted(function)) {
			expand_call(&x, m->call_data.rows[i]);
		}
	}
	ra_time_ties_fini(&x.ties);
	ra_payload_destroy(x.decoder);
}
