/* SPDX-License-Identifier: MIT */
/* Wrappers of events with payloads, and of samples of counters, for a chained tool.
 * nvtx-chain-core.c describes the order of calls and the results. */
#include "libranges/chain/nvtx-chain-ext-wrap.h"
#include "libranges/chain/nvtx-chain-translate.h"
#include "libranges/base/peek.h"

static uint64_t their_id(enum rcap_chain_kind kind, uint64_t id)
{
	return rcap_nvtx_chain_payload_id(kind, id);
}

void rcap_nvtx_chain_payload_mark(const void *domain, const struct rcap_nvtx_payload_data *data,
                                  size_t count)
{
	struct rcap_chain_payloads copy;

	RCAP_CHAIN_EXT_BOTH(PAYLOAD, MARK, (domain, data, count),
	                    (rcap_nvtx_chain_translate_domain(domain),
	                     rcap_nvtx_chain_payload_translate(domain, data, count, &copy), count));
}

void rcap_nvtx_chain_payload_submit(const void *domain, const struct rcap_nvtx_payload_data *data,
                                    size_t count)
{
	struct rcap_chain_payloads copy;

	RCAP_CHAIN_EXT_BOTH(PAYLOAD, EVENT_SUBMIT, (domain, data, count),
	                    (rcap_nvtx_chain_translate_domain(domain),
	                     rcap_nvtx_chain_payload_translate(domain, data, count, &copy), count));
}

int rcap_nvtx_chain_payload_push(const void *domain, const struct rcap_nvtx_payload_data *data,
                                 size_t count)
{
	rcap_nvtx_RANGE_PUSH_fn *ours = RCAP_CHAIN_EXT_OURS(PAYLOAD, RANGE_PUSH);
	rcap_nvtx_RANGE_PUSH_fn *theirs = RCAP_CHAIN_EXT_THEIRS(PAYLOAD, RANGE_PUSH);
	struct rcap_chain_payloads copy;
	RCAP_CHAIN_KEEP_ERRNO;

	if (theirs) {
		theirs(rcap_nvtx_chain_translate_domain(domain),
		       rcap_nvtx_chain_payload_translate(domain, data, count, &copy), count);
	}
	return ours ? ours(domain, data, count) : RCAP_NVTX_NO_TRACKING;
}

int rcap_nvtx_chain_payload_pop(const void *domain, const struct rcap_nvtx_payload_data *data,
                                size_t count)
{
	rcap_nvtx_RANGE_POP_fn *ours = RCAP_CHAIN_EXT_OURS(PAYLOAD, RANGE_POP);
	rcap_nvtx_RANGE_POP_fn *theirs = RCAP_CHAIN_EXT_THEIRS(PAYLOAD, RANGE_POP);
	struct rcap_chain_payloads copy;
	RCAP_CHAIN_KEEP_ERRNO;
	const int depth = ours ? ours(domain, data, count) : RCAP_NVTX_NO_TRACKING;

	if (theirs) {
		theirs(rcap_nvtx_chain_translate_domain(domain),
		       rcap_nvtx_chain_payload_translate(domain, data, count, &copy), count);
	}
	return depth;
}

uint64_t rcap_nvtx_chain_payload_start(const void *domain,
                                       const struct rcap_nvtx_payload_data *data, size_t count)
{
	rcap_nvtx_RANGE_START_fn *ours = RCAP_CHAIN_EXT_OURS(PAYLOAD, RANGE_START);
	rcap_nvtx_RANGE_START_fn *theirs = RCAP_CHAIN_EXT_THEIRS(PAYLOAD, RANGE_START);
	struct rcap_chain_payloads copy;
	uint64_t id;
	RCAP_CHAIN_KEEP_ERRNO;

	if (!theirs) {
		return ours ? ours(domain, data, count) : 0;
	}
	id = theirs(rcap_nvtx_chain_translate_domain(domain),
	            rcap_nvtx_chain_payload_translate(domain, data, count, &copy), count);
	return rcap_nvtx_chain_translate_started(ours ? ours(domain, data, count) : 0, id);
}

void rcap_nvtx_chain_payload_end(const void *domain, uint64_t id,
                                 const struct rcap_nvtx_payload_data *data, size_t count)
{
	struct rcap_chain_payloads copy;
	uint64_t range = 0;
	const bool is_known = rcap_nvtx_chain_translate_ended(&id, &range);

	RCAP_CHAIN_EXT_BOTH_IF(is_known, PAYLOAD, RANGE_END, (domain, id, data, count),
	                       (rcap_nvtx_chain_translate_domain(domain), range,
	                        rcap_nvtx_chain_payload_translate(domain, data, count, &copy),
	                        count));
}

/* Returns true if either tool wants payloads, because a program that gets false does not make the
 * calls. */
uint8_t rcap_nvtx_chain_payload_is_enabled(const void *domain)
{
	rcap_nvtx_DOMAIN_IS_ENABLED_fn *ours = RCAP_CHAIN_EXT_OURS(PAYLOAD, DOMAIN_IS_ENABLED);
	rcap_nvtx_DOMAIN_IS_ENABLED_fn *theirs = RCAP_CHAIN_EXT_THEIRS(PAYLOAD, DOMAIN_IS_ENABLED);
	RCAP_CHAIN_KEEP_ERRNO;
	const uint8_t answer = ours ? ours(domain) : 1;
	const uint8_t other = theirs ? theirs(rcap_nvtx_chain_translate_domain(domain)) : 1;

	return answer | other;
}

void rcap_nvtx_chain_payload_submit_batch(const void *domain,
                                          const struct rcap_nvtx_event_batch *batch)
{
	rcap_nvtx_EVENT_BATCH_SUBMIT_fn *ours = RCAP_CHAIN_EXT_OURS(PAYLOAD, EVENT_BATCH_SUBMIT);
	rcap_nvtx_EVENT_BATCH_SUBMIT_fn *theirs =
		RCAP_CHAIN_EXT_THEIRS(PAYLOAD, EVENT_BATCH_SUBMIT);
	struct rcap_nvtx_event_batch copy;
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, batch);
	}
	if (theirs && rcap_peek_bytes(&copy, batch, sizeof(copy)) == sizeof(copy)) {
		copy.event_schema_id = their_id(RCAP_CHAIN_SCHEMA, copy.event_schema_id);
		copy.scope = their_id(RCAP_CHAIN_SCOPE, copy.scope);
		theirs(rcap_nvtx_chain_translate_domain(domain), &copy);
	}
}

void rcap_nvtx_chain_counters_sample_i64(const void *domain, uint64_t counter, int64_t value)
{
	RCAP_CHAIN_EXT_BOTH(COUNTERS, COUNTER_SAMPLE_INT64, (domain, counter, value),
	                    (rcap_nvtx_chain_translate_domain(domain),
	                     their_id(RCAP_CHAIN_COUNTER, counter), value));
}

void rcap_nvtx_chain_counters_sample_f64(const void *domain, uint64_t counter, double value)
{
	RCAP_CHAIN_EXT_BOTH(COUNTERS, COUNTER_SAMPLE_FLOAT64, (domain, counter, value),
	                    (rcap_nvtx_chain_translate_domain(domain),
	                     their_id(RCAP_CHAIN_COUNTER, counter), value));
}

void rcap_nvtx_chain_counters_sample(const void *domain, uint64_t counter, const void *values,
                                     size_t bytes)
{
	RCAP_CHAIN_EXT_BOTH(COUNTERS, COUNTER_SAMPLE, (domain, counter, values, bytes),
	                    (rcap_nvtx_chain_translate_domain(domain),
	                     their_id(RCAP_CHAIN_COUNTER, counter), values, bytes));
}

void rcap_nvtx_chain_counters_sample_none(const void *domain, uint64_t counter, uint8_t reason)
{
	RCAP_CHAIN_EXT_BOTH(COUNTERS, COUNTER_SAMPLE_NO_VALUE, (domain, counter, reason),
	                    (rcap_nvtx_chain_translate_domain(domain),
	                     their_id(RCAP_CHAIN_COUNTER, counter), reason));
}

void rcap_nvtx_chain_counters_submit_batch(const void *domain,
                                           const struct rcap_nvtx_counter_batch *batch)
{
	rcap_nvtx_COUNTER_BATCH_SUBMIT_fn *ours =
		RCAP_CHAIN_EXT_OURS(COUNTERS, COUNTER_BATCH_SUBMIT);
	rcap_nvtx_COUNTER_BATCH_SUBMIT_fn *theirs =
		RCAP_CHAIN_EXT_THEIRS(COUNTERS, COUNTER_BATCH_SUBMIT);
	struct rcap_nvtx_counter_batch copy;
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, batch);
	}
	if (theirs && rcap_peek_bytes(&copy, batch, sizeof(copy)) == sizeof(copy)) {
		copy.counter_id = their_id(RCAP_CHAIN_COUNTER, copy.counter_id);
		theirs(rcap_nvtx_chain_translate_domain(domain), &copy);
	}
}
