/* SPDX-License-Identifier: MIT */
/* Wrappers of time domains for a chained tool. */
#include "libranges/chain/nvtx-chain-ext-wrap.h"
#include "libranges/chain/nvtx-chain-translate.h"
#include "libranges/base/peek.h"

static uint64_t their_time(uint64_t id)
{
	return rcap_nvtx_chain_payload_id(RCAP_CHAIN_TIME_DOMAIN, id);
}

/* Returns our time, not the tool's. The program can put only one time into its events, and the tool
 * does not know our clock. */
int64_t rcap_nvtx_chain_time_get(void)
{
	rcap_nvtx_TIMESTAMP_GET_fn *ours = RCAP_CHAIN_EXT_OURS(PAYLOAD, TIMESTAMP_GET);
	rcap_nvtx_TIMESTAMP_GET_fn *theirs = RCAP_CHAIN_EXT_THEIRS(PAYLOAD, TIMESTAMP_GET);
	int64_t time = 0;
	RCAP_CHAIN_KEEP_ERRNO;

	if (theirs) {
		time = theirs();
	}
	return ours ? ours() : time;
}

uint64_t rcap_nvtx_chain_time_register_domain(
	const void *domain, const struct rcap_nvtx_time_domain_attributes *attributes)
{
	rcap_nvtx_TIME_DOMAIN_REGISTER_fn *ours =
		RCAP_CHAIN_EXT_OURS(PAYLOAD, TIME_DOMAIN_REGISTER);
	rcap_nvtx_TIME_DOMAIN_REGISTER_fn *theirs =
		RCAP_CHAIN_EXT_THEIRS(PAYLOAD, TIME_DOMAIN_REGISTER);
	struct rcap_nvtx_time_domain_attributes copy;
	RCAP_CHAIN_KEEP_ERRNO;
	const uint64_t id = ours ? ours(domain, attributes) : 0;

	if (!theirs || rcap_peek_bytes(&copy, attributes, sizeof(copy)) != sizeof(copy)) {
		return id;
	}
	copy.scope_id = rcap_nvtx_chain_payload_id(RCAP_CHAIN_SCOPE, copy.scope_id);
	return rcap_nvtx_chain_payload_made(
		RCAP_CHAIN_TIME_DOMAIN, id,
		theirs(rcap_nvtx_chain_translate_domain(domain), &copy));
}

void rcap_nvtx_chain_time_set_source(const void *domain, uint64_t time_domain, uint64_t flags,
                                     int64_t (*source)(void))
{
	RCAP_CHAIN_EXT_BOTH(
		PAYLOAD, TIMER_SOURCE, (domain, time_domain, flags, source),
		(rcap_nvtx_chain_translate_domain(domain), their_time(time_domain), flags, source));
}

void rcap_nvtx_chain_time_set_source_with_data(const void *domain, uint64_t time_domain,
                                               uint64_t flags, int64_t (*source)(void *data),
                                               void *data)
{
	RCAP_CHAIN_EXT_BOTH(PAYLOAD, TIMER_SOURCE_WITH_DATA,
	                    (domain, time_domain, flags, source, data),
	                    (rcap_nvtx_chain_translate_domain(domain), their_time(time_domain),
	                     flags, source, data));
}

void rcap_nvtx_chain_time_sync_point(const void *domain, uint64_t time_domain_1,
                                     uint64_t time_domain_2, int64_t time_1, int64_t time_2)
{
	RCAP_CHAIN_EXT_BOTH(PAYLOAD, TIME_SYNC_POINT,
	                    (domain, time_domain_1, time_domain_2, time_1, time_2),
	                    (rcap_nvtx_chain_translate_domain(domain), their_time(time_domain_1),
	                     their_time(time_domain_2), time_1, time_2));
}

void rcap_nvtx_chain_time_sync_table(const void *domain, uint64_t from, uint64_t to,
                                     const struct rcap_nvtx_sync_point *points, size_t count)
{
	RCAP_CHAIN_EXT_BOTH(PAYLOAD, TIME_SYNC_POINT_TABLE, (domain, from, to, points, count),
	                    (rcap_nvtx_chain_translate_domain(domain), their_time(from),
	                     their_time(to), points, count));
}

void rcap_nvtx_chain_time_convert(const void *domain, uint64_t from, uint64_t to, double slope,
                                  int64_t from_time, int64_t to_time)
{
	RCAP_CHAIN_EXT_BOTH(PAYLOAD, TIMESTAMP_CONVERSION_FACTOR,
	                    (domain, from, to, slope, from_time, to_time),
	                    (rcap_nvtx_chain_translate_domain(domain), their_time(from),
	                     their_time(to), slope, from_time, to_time));
}
