/* SPDX-License-Identifier: MIT */
/* Wrappers of time domains for a chained tool. */
#include "libranges/chain/nvtx-chain-ext-wrap.h"
#include "libranges/chain/nvtx-chain-translate.h"
#include "libranges/base/peek.h"

#define OURS(type, slot)   RCAP_CHAIN_EXT_OURS(type, RCAP_NVTX_EXT_PAYLOAD, RCAP_NVTX_SLOT_##slot)
#define THEIRS(type, slot) RCAP_CHAIN_EXT_THEIRS(type, RCAP_NVTX_EXT_PAYLOAD, RCAP_NVTX_SLOT_##slot)

typedef int64_t get_fn(void);
typedef uint64_t register_fn(const void *domain,
                             const struct rcap_nvtx_time_domain_attributes *attributes);
typedef void source_fn(const void *domain, uint64_t time_domain, uint64_t flags,
                       int64_t (*source)(void));
typedef void source_data_fn(const void *domain, uint64_t time_domain, uint64_t flags,
                            int64_t (*source)(void *data), void *data);
typedef void sync_fn(const void *domain, uint64_t time_domain_1, uint64_t time_domain_2,
                     int64_t time_1, int64_t time_2);
typedef void table_fn(const void *domain, uint64_t from, uint64_t to,
                      const struct rcap_nvtx_sync_point *points, size_t count);
typedef void convert_fn(const void *domain, uint64_t from, uint64_t to, double slope,
                        int64_t from_time, int64_t to_time);

static const void *their_domain(const void *domain)
{
	return rcap_nvtx_chain_translate_handle(RCAP_CHAIN_DOMAIN, domain);
}

static uint64_t their_time(uint64_t id)
{
	return rcap_nvtx_chain_payload_id(RCAP_CHAIN_TIME_DOMAIN, id);
}

/* The program puts one time only into its events: ours, which the tool does not know. */
int64_t rcap_nvtx_chain_time_get(void)
{
	get_fn *ours = OURS(get_fn, TIMESTAMP_GET);
	get_fn *theirs = THEIRS(get_fn, TIMESTAMP_GET);
	int64_t time = 0;
	RCAP_CHAIN_KEEP_ERRNO;

	if (theirs) {
		time = theirs();
	}
	return ours ? ours() : time;
}

uint64_t rcap_nvtx_chain_time_register(const void *domain,
                                       const struct rcap_nvtx_time_domain_attributes *attributes)
{
	register_fn *ours = OURS(register_fn, TIME_DOMAIN_REGISTER);
	register_fn *theirs = THEIRS(register_fn, TIME_DOMAIN_REGISTER);
	struct rcap_nvtx_time_domain_attributes copy;
	RCAP_CHAIN_KEEP_ERRNO;
	const uint64_t id = ours ? ours(domain, attributes) : 0;

	if (!theirs || rcap_peek_bytes(&copy, attributes, sizeof(copy)) != sizeof(copy)) {
		return id;
	}
	copy.scope_id = rcap_nvtx_chain_payload_id(RCAP_CHAIN_SCOPE, copy.scope_id);
	return rcap_nvtx_chain_payload_made(RCAP_CHAIN_TIME_DOMAIN, id,
	                                    theirs(their_domain(domain), &copy));
}

void rcap_nvtx_chain_time_source(const void *domain, uint64_t time_domain, uint64_t flags,
                                 int64_t (*source)(void))
{
	source_fn *ours = OURS(source_fn, TIMER_SOURCE);
	source_fn *theirs = THEIRS(source_fn, TIMER_SOURCE);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, time_domain, flags, source);
	}
	if (theirs) {
		theirs(their_domain(domain), their_time(time_domain), flags, source);
	}
}

void rcap_nvtx_chain_time_source_with_data(const void *domain, uint64_t time_domain, uint64_t flags,
                                           int64_t (*source)(void *data), void *data)
{
	source_data_fn *ours = OURS(source_data_fn, TIMER_SOURCE_WITH_DATA);
	source_data_fn *theirs = THEIRS(source_data_fn, TIMER_SOURCE_WITH_DATA);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, time_domain, flags, source, data);
	}
	if (theirs) {
		theirs(their_domain(domain), their_time(time_domain), flags, source, data);
	}
}

void rcap_nvtx_chain_time_sync(const void *domain, uint64_t time_domain_1, uint64_t time_domain_2,
                               int64_t time_1, int64_t time_2)
{
	sync_fn *ours = OURS(sync_fn, TIME_SYNC_POINT);
	sync_fn *theirs = THEIRS(sync_fn, TIME_SYNC_POINT);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, time_domain_1, time_domain_2, time_1, time_2);
	}
	if (theirs) {
		theirs(their_domain(domain), their_time(time_domain_1), their_time(time_domain_2),
		       time_1, time_2);
	}
}

void rcap_nvtx_chain_time_sync_table(const void *domain, uint64_t from, uint64_t to,
                                     const struct rcap_nvtx_sync_point *points, size_t count)
{
	table_fn *ours = OURS(table_fn, TIME_SYNC_POINT_TABLE);
	table_fn *theirs = THEIRS(table_fn, TIME_SYNC_POINT_TABLE);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, from, to, points, count);
	}
	if (theirs) {
		theirs(their_domain(domain), their_time(from), their_time(to), points, count);
	}
}

void rcap_nvtx_chain_time_convert(const void *domain, uint64_t from, uint64_t to, double slope,
                                  int64_t from_time, int64_t to_time)
{
	convert_fn *ours = OURS(convert_fn, TIMESTAMP_CONVERSION_FACTOR);
	convert_fn *theirs = THEIRS(convert_fn, TIMESTAMP_CONVERSION_FACTOR);
	RCAP_CHAIN_KEEP_ERRNO;

	if (ours) {
		ours(domain, from, to, slope, from_time, to_time);
	}
	if (theirs) {
		theirs(their_domain(domain), their_time(from), their_time(to), slope, from_time,
		       to_time);
	}
}
