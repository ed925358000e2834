/* SPDX-License-Identifier: MIT */
/* Memory of the stand-in for libcuda.so.1: pools, and what the program maps itself. */
#define _GNU_SOURCE /* NOLINT(readability-identifier-naming) */
#include <stdatomic.h>
#include <unistd.h>

#include "fake.h"
#include "libranges/abi/cupti-abi.h"

#define DEVICES    4u
#define CB_ALLOC   420u /* fake-cupti.c knows their names */
#define CB_FREE    421u
#define CB_TRIM    422u
#define CB_CREATE  549u
#define CB_RELEASE 551u
#define CB_MAP     552u
#define CB_UNMAP   554u
#define POOL       UINT64_C(0x5000000)
#define CHUNK      (UINT64_C(32) << 20)

static struct {
	_Atomic int is_made;
	_Atomic uint64_t bytes;
	_Atomic uint64_t used;
} pools[DEVICES];

static void tell_pool(uint32_t device, uint32_t operation, uint32_t correlation)
{
	const struct rcap_cupti_memory_pool pool = { .kind = RCAP_CUPTI_MEMORY_POOL,
		                                     .operation = operation,
		                                     .type = RCAP_CUPTI_POOL_LOCAL,
		                                     .correlation = correlation,
		                                     .process = (uint32_t) getpid(),
		                                     .device = device,
		                                     .pool = POOL + device,
		                                     .bytes = pools[device].bytes,
		                                     .time = fake_now(),
		                                     .used = pools[device].used };

	fake_emit(&pool, sizeof(pool), 0);
}

static void tell_memory(uint32_t device, uint64_t address, uint64_t bytes, uint32_t operation,
                        uint32_t correlation)
{
	const struct rcap_cupti_memory memory = { .kind = RCAP_CUPTI_MEMORY2,
		                                  .operation = operation,
		                                  .memory_kind = 3,
		                                  .correlation = correlation,
		                                  .address = address,
		                                  .bytes = bytes,
		                                  .time = fake_now(),
		                                  .process = (uint32_t) getpid(),
		                                  .device = device,
		                                  .context = device + 1,
		                                  .stream = 11,
		                                  .is_async = 1,
		                                  .pool_type = RCAP_CUPTI_POOL_LOCAL,
		                                  .pool = POOL + device,
		                                  .pool_bytes = pools[device].bytes,
		                                  .pool_used = pools[device].used };

	fake_emit(&memory, sizeof(memory), 0);
}

uint32_t fake_allocate_async(uint32_t device, uint64_t address, uint64_t bytes)
{
	const uint64_t start = fake_now();
	const uint32_t correlation = fake_correlation();

	if (!atomic_exchange(&pools[device].is_made, 1)) {
		tell_pool(device, 1, correlation);
	}
	pools[device].used += bytes;
	while (pools[device].bytes < pools[device].used) {
		pools[device].bytes += CHUNK;
	}
	tell_memory(device, address, bytes, 1, correlation);
	fake_emit_call(CB_ALLOC, start, correlation);
	return correlation;
}

uint32_t fake_free_async(uint32_t device, uint64_t address, uint64_t bytes)
{
	const uint64_t start = fake_now();
	const uint32_t correlation = fake_correlation();

	pools[device].used -= bytes;
	tell_memory(device, address, bytes, 2, correlation);
	fake_emit_call(CB_FREE, start, correlation);
	return correlation;
}

uint32_t fake_trim_pool(uint32_t device)
{
	const uint64_t start = fake_now();
	const uint32_t correlation = fake_correlation();

	pools[device].bytes = (pools[device].used + CHUNK - 1) / CHUNK * CHUNK;
	tell_pool(device, 3, correlation);
	fake_emit_call(CB_TRIM, start, correlation);
	return correlation;
}

uint32_t fake_map(uint32_t device, uint64_t address, uint64_t bytes, int unmap, int result)
{
	const struct rcap_cupti_map_arguments arguments = { address, bytes };
	const uint32_t cbid = unmap ? CB_UNMAP : CB_MAP;
	const uint64_t start = fake_now();
	struct rcap_cupti_call_data data = { .site = RCAP_CUPTI_SITE_ENTER,
		                             .arguments = &arguments,
		                             .context_id = device + 1,
		                             .correlation = fake_correlation() };

	if (!unmap) {
		fake_emit_driver(CB_CREATE, start, fake_correlation());
	}
	fake_called(RCAP_CUPTI_DOMAIN_DRIVER, cbid, &data);
	data.site = 1;
	data.result = &result;
	fake_called(RCAP_CUPTI_DOMAIN_DRIVER, cbid, &data);
	fake_emit_driver(cbid, start, data.correlation);
	if (unmap) {
		fake_emit_driver(CB_RELEASE, fake_now(), fake_correlation());
	}
	return data.correlation;
}
