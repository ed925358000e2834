/* SPDX-License-Identifier: MIT */
/* What the files of wrappers for NVTX's extensions share, and their functions. */
#ifndef RCAP_NVTX_CHAIN_EXT_WRAP_H
#define RCAP_NVTX_CHAIN_EXT_WRAP_H

#include "libranges/abi/nvtx-abi-ext.h"
#include "libranges/chain/nvtx-chain-wrap.h"

/* Modules have the ids 1 … 4, and NVTX gives them so many slots at most. */
#define RCAP_CHAIN_EXT_MODULES 5
#define RCAP_CHAIN_EXT_SLOTS   64

/* Ours, and the tool's, which it enters itself as integers: 0 and 1 are no functions. */
extern rcap_nvtx_fn rcap_nvtx_chain_ext_wrap_ours[RCAP_CHAIN_EXT_MODULES][RCAP_CHAIN_EXT_SLOTS]
	__attribute__((visibility("hidden")));
extern intptr_t rcap_nvtx_chain_ext_wrap_slots[RCAP_CHAIN_EXT_MODULES][RCAP_CHAIN_EXT_SLOTS]
	__attribute__((visibility("hidden")));

/* The tool's function; NULL if it has none. */
static inline rcap_nvtx_fn rcap_nvtx_chain_ext_wrap_theirs(int module, unsigned int slot)
{
	const intptr_t function =
		__atomic_load_n(&rcap_nvtx_chain_ext_wrap_slots[module][slot], __ATOMIC_ACQUIRE);

	/* NVTX hands functions over as integers. NOLINTNEXTLINE(performance-no-int-to-ptr) */
	return function == 0 || function == 1 ? NULL : (rcap_nvtx_fn) function;
}

#define RCAP_CHAIN_EXT_OURS(type, module, slot) \
	((type *) rcap_nvtx_chain_ext_wrap_ours[module][slot])
#define RCAP_CHAIN_EXT_THEIRS(type, module, slot) \
	((type *) rcap_nvtx_chain_ext_wrap_theirs((module), (slot)))

/* A function as an entry of a table of wrappers. */
#define RCAP_CHAIN_EXT_ENTRY(slot, function) [RCAP_NVTX_SLOT_##slot] = (rcap_nvtx_fn) (function)

/* Wrappers, which the tables name: of events, of what is registered, of time, of memory. */
void rcap_nvtx_chain_events_mark(const void *domain, const struct rcap_nvtx_payload_data *data,
                                 size_t count);
int rcap_nvtx_chain_events_push(const void *domain, const struct rcap_nvtx_payload_data *data,
                                size_t count);
int rcap_nvtx_chain_events_pop(const void *domain, const struct rcap_nvtx_payload_data *data,
                               size_t count);
uint64_t rcap_nvtx_chain_events_start(const void *domain, const struct rcap_nvtx_payload_data *data,
                                      size_t count);
void rcap_nvtx_chain_events_end(const void *domain, uint64_t id,
                                const struct rcap_nvtx_payload_data *data, size_t count);
void rcap_nvtx_chain_events_submit(const void *domain, const struct rcap_nvtx_payload_data *data,
                                   size_t count);
void rcap_nvtx_chain_events_submit_batch(const void *domain,
                                         const struct rcap_nvtx_event_batch *batch);
uint8_t rcap_nvtx_chain_events_is_enabled(const void *domain);

uint64_t rcap_nvtx_chain_register_schema(const void *domain,
                                         const struct rcap_nvtx_schema_attributes *attributes);
uint64_t rcap_nvtx_chain_register_enum(const void *domain,
                                       const struct rcap_nvtx_enum_attributes *attributes);
uint64_t rcap_nvtx_chain_register_scope(const void *domain,
                                        const struct rcap_nvtx_scope_attributes *attributes);
uint64_t rcap_nvtx_chain_register_counter(const void *domain,
                                          const struct rcap_nvtx_counter_attributes *attributes);

int64_t rcap_nvtx_chain_time_get(void);
uint64_t rcap_nvtx_chain_time_register(const void *domain,
                                       const struct rcap_nvtx_time_domain_attributes *attributes);
void rcap_nvtx_chain_time_source(const void *domain, uint64_t time_domain, uint64_t flags,
                                 int64_t (*source)(void));
void rcap_nvtx_chain_time_source_with_data(const void *domain, uint64_t time_domain, uint64_t flags,
                                           int64_t (*source)(void *data), void *data);
void rcap_nvtx_chain_time_sync(const void *domain, uint64_t time_domain_1, uint64_t time_domain_2,
                               int64_t time_1, int64_t time_2);
void rcap_nvtx_chain_time_sync_table(const void *domain, uint64_t from, uint64_t to,
                                     const struct rcap_nvtx_sync_point *points, size_t count);
void rcap_nvtx_chain_time_convert(const void *domain, uint64_t from, uint64_t to, double slope,
                                  int64_t from_time, int64_t to_time);

void rcap_nvtx_chain_counters_i64(const void *domain, uint64_t counter, int64_t value);
void rcap_nvtx_chain_counters_f64(const void *domain, uint64_t counter, double value);
void rcap_nvtx_chain_counters_sample(const void *domain, uint64_t counter, const void *values,
                                     size_t bytes);
void rcap_nvtx_chain_counters_none(const void *domain, uint64_t counter, uint8_t reason);
void rcap_nvtx_chain_counters_batch(const void *domain,
                                    const struct rcap_nvtx_counter_batch *batch);

/* All of memory's calls. */
extern const rcap_nvtx_fn rcap_nvtx_chain_mem_functions[RCAP_CHAIN_EXT_SLOTS]
	__attribute__((visibility("hidden")));

#endif
