/* SPDX-License-Identifier: MIT */
/* Wrappers of events with payloads, and of counters' samples, for a chained tool. Order of calls
 * and return values as in nvtx-chain-core.c. */
#include "libranges/chain/nvtx-chain-ext-wrap.h"
#include "libranges/chain/nvtx-chain-translate.h"
#include "libranges/base/peek.h"

#define PAYLOAD  RCAP_NVTX_EXT_PAYLOAD
#define COUNTERS RCAP_NVTX_EXT_COUNTERS

#define OURS(type, module, slot)   RCAP_CHAIN_EXT_OURS(type, module, RCAP_NVTX_SLOT_##slot)
#define THEIRS(type, module, slot) RCAP_CHAIN_EXT_THEIRS(type, module, RCAP_NVTX_SLOT_##slot)

typedef void mark_fn(const void *domain, const struct rcap_nvtx_payload_data *data, size_t count);
typedef int push_fn(const void *domain, const struct rcap_nvtx_payload_data *data, size_t count);
typedef uint64_t start_fn(const void *domain, const struct rcap_nvtx_payload_data *data,
                          size_t count);
typedef void end_fn(const void *domain, uint64_t id, const struct rcap_nvtx_payload_data *data,
                    size_t count);
typedef uint8_t is_enabled_fn(const void *domain);
typedef void batch_fn(const void *domain, const void *batch);
typedef void sample_i64_fn(const void *domain, uint64_t counter, int64_t value);
typedef void sample_f64_fn(const void *domain, uint64_t counter, double value);
typedef void sample_fn(const void *domain, uint64_t counter, const void *values, size_t bytes);
typedef void sample_none_fn(const void *domain, uint64_t counter, uint8_t reason);

static const void *their_domain(const void *domain)
{
	return rcap_nvtx_chain_translate_handle(RCAP_CHAIN_DOMAIN, domain);
}

static uint64_t their_id(enum rcap_chain_kind kind, uint64_t id)
{
	return rcap_nvtx_chain_payload_id(kind, id);
}

static void mark(mark_fn *ours, mark_fn *theirs, const void *domain,
                 const struct rcap_nvtx_payload_data *data, size_t count)
{
	struct rcap_chain_payloads copy;
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, data, count);
	}
	if (theirs) {
		theirs(their_domain(domain),
		       rcap_nvtx_chain_payload_translate(domain, data, count, &copy), count);
	}
}

void rcap_nvtx_chain_events_mark(const void *domain, const struct rcap_nvtx_payload_data *data,
                                 size_t count)
{
	mark(OURS(mark_fn, PAYLOAD, MARK), THEIRS(mark_fn, PAYLOAD, MARK), domain, data, count);
}

void rcap_nvtx_chain_events_submit(const void *domain, const struct rcap_nvtx_payload_data *data,
                                   size_t count)
{
	mark(OURS(mark_fn, PAYLOAD, EVENT_SUBMIT), THEIRS(mark_fn, PAYLOAD, EVENT_SUBMIT), domain,
	     data, count);
}

int rcap_nvtx_chain_events_push(const void *domain, const struct rcap_nvtx_payload_data *data,
                                size_t count)
{
	push_fn *ours = OURS(push_fn, PAYLOAD, RANGE_PUSH);
	push_fn *theirs = THEIRS(push_fn, PAYLOAD, RANGE_PUSH);
	struct rcap_chain_payloads copy;
	RCAP_CHAIN_KEEP_ERRNO;

	if (theirs) {
		theirs(their_domain(domain),
		       rcap_nvtx_chain_payload_translate(domain, data, count, &copy), count);
	}
	return ours ? ours(domain, data, count) : RCAP_NVTX_NO_TRACKING;
}

int rcap_nvtx_chain_events_pop(const void *domain, const struct rcap_nvtx_payload_data *data,
                               size_t count)
{
	push_fn *ours = OURS(push_fn, PAYLOAD, RANGE_POP);
	push_fn *theirs = THEIRS(push_fn, PAYLOAD, RANGE_POP);
	struct rcap_chain_payloads copy;
	RCAP_CHAIN_KEEP_ERRNO;
	const int depth = ours ? ours(domain, data, count) : RCAP_NVTX_NO_TRACKING;

	if (theirs) {
		theirs(their_domain(domain),
		       rcap_nvtx_chain_payload_translate(domain, data, count, &copy), count);
	}
	return depth;
}

uint64_t rcap_nvtx_chain_events_start(const void *domain, const struct rcap_nvtx_payload_data *data,
                                      size_t count)
{
	start_fn *ours = OURS(start_fn, PAYLOAD, RANGE_START);
	start_fn *theirs = THEIRS(start_fn, PAYLOAD, RANGE_START);
	struct rcap_chain_payloads copy;
	uint64_t id;
	RCAP_CHAIN_KEEP_ERRNO;

	if (!theirs) {
		return ours ? ours(domain, data, count) : 0;
	}
	id = theirs(their_domain(domain),
	            rcap_nvtx_chain_payload_translate(domain, data, count, &copy), count);
	return rcap_nvtx_chain_translate_started(ours ? ours(domain, data, count) : 0, id);
}

void rcap_nvtx_chain_events_end(const void *domain, uint64_t id,
                                const struct rcap_nvtx_payload_data *data, size_t count)
{
	end_fn *ours = OURS(end_fn, PAYLOAD, RANGE_END);
	end_fn *theirs = THEIRS(end_fn, PAYLOAD, RANGE_END);
	struct rcap_chain_payloads copy;
	uint64_t range = 0;
	const bool is_known = rcap_nvtx_chain_translate_ended(&id, &range);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, id, data, count);
	}
	if (theirs && is_known) {
		theirs(their_domain(domain), range,
		       rcap_nvtx_chain_payload_translate(domain, data, count, &copy), count);
	}
}

/* A program that asks and hears no makes no calls: yes, if one of us wants them. */
uint8_t rcap_nvtx_chain_events_is_enabled(const void *domain)
{
	is_enabled_fn *ours = OURS(is_enabled_fn, PAYLOAD, DOMAIN_IS_ENABLED);
	is_enabled_fn *theirs = THEIRS(is_enabled_fn, PAYLOAD, DOMAIN_IS_ENABLED);
	RCAP_CHAIN_KEEP_ERRNO;
	const uint8_t answer = ours ? ours(domain) : 1;
	const uint8_t other = theirs ? theirs(their_domain(domain)) : 1;

	return answer | other;
}

void rcap_nvtx_chain_events_submit_batch(const void *domain,
                                         const struct rcap_nvtx_event_batch *batch)
{
	batch_fn *ours = OURS(batch_fn, PAYLOAD, EVENT_BATCH_SUBMIT);
	batch_fn *theirs = THEIRS(batch_fn, PAYLOAD, EVENT_BATCH_SUBMIT);
	struct rcap_nvtx_event_batch copy;
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, batch);
	}
	if (theirs && rcap_peek_bytes(&copy, batch, sizeof(copy)) == sizeof(copy)) {
		copy.event_schema_id = their_id(RCAP_CHAIN_SCHEMA, copy.event_schema_id);
		copy.scope = their_id(RCAP_CHAIN_SCOPE, copy.scope);
		theirs(their_domain(domain), &copy);
	}
}

void rcap_nvtx_chain_counters_i64(const void *domain, uint64_t counter, int64_t value)
{
	sample_i64_fn *ours = OURS(sample_i64_fn, COUNTERS, COUNTER_SAMPLE_INT64);
	sample_i64_fn *theirs = THEIRS(sample_i64_fn, COUNTERS, COUNTER_SAMPLE_INT64);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, counter, value);
	}
	if (theirs) {
		theirs(their_domain(domain), their_id(RCAP_CHAIN_COUNTER, counter), value);
	}
}

void rcap_nvtx_chain_counters_f64(const void *domain, uint64_t counter, double value)
{
	sample_f64_fn *ours = OURS(sample_f64_fn, COUNTERS, COUNTER_SAMPLE_FLOAT64);
	sample_f64_fn *theirs = THEIRS(sample_f64_fn, COUNTERS, COUNTER_SAMPLE_FLOAT64);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, counter, value);
	}
	if (theirs) {
		theirs(their_domain(domain), their_id(RCAP_CHAIN_COUNTER, counter), value);
	}
}

void rcap_nvtx_chain_counters_sample(const void *domain, uint64_t counter, const void *values,
                                     size_t bytes)
{
	sample_fn *ours = OURS(sample_fn, COUNTERS, COUNTER_SAMPLE);
	sample_fn *theirs = THEIRS(sample_fn, COUNTERS, COUNTER_SAMPLE);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, counter, values, bytes);
	}
	if (theirs) {
		theirs(their_domain(domain), their_id(RCAP_CHAIN_COUNTER, counter), values, bytes);
	}
}

void rcap_nvtx_chain_counters_none(const void *domain, uint64_t counter, uint8_t reason)
{
	sample_none_fn *ours = OURS(sample_none_fn, COUNTERS, COUNTER_SAMPLE_NO_VALUE);
	sample_none_fn *theirs = THEIRS(sample_none_fn, COUNTERS, COUNTER_SAMPLE_NO_VALUE);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, counter, reason);
	}
	if (theirs) {
		theirs(their_domain(domain), their_id(RCAP_CHAIN_COUNTER, counter), reason);
	}
}

void rcap_nvtx_chain_counters_batch(const void *domain, const struct rcap_nvtx_counter_batch *batch)
{
	batch_fn *ours = OURS(batch_fn, COUNTERS, COUNTER_BATCH_SUBMIT);
	batch_fn *theirs = THEIRS(batch_fn, COUNTERS, COUNTER_BATCH_SUBMIT);
	struct rcap_nvtx_counter_batch copy;
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, batch);
	}
	if (theirs && rcap_peek_bytes(&copy, batch, sizeof(copy)) == sizeof(copy)) {
		copy.counter_id = their_id(RCAP_CHAIN_COUNTER, copy.counter_id);
		theirs(their_domain(domain), &copy);
	}
}
