/* SPDX-License-Identifier: MIT */
/* Records of the stand-in for libcuda.so.1 that do not describe a stream's work. */
#define _GNU_SOURCE /* NOLINT(readability-identifier-naming) */
#include <unistd.h>

#include "fake.h"
#include "libranges/abi/cupti-abi.h"

#define CBIDS   1024u
#define CB_SYNC 131u /* fake-cupti.c knows their names */

void fake_chatty(void)
{
	static const uint32_t calls[] = { 3, 4, 134, 136 };

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		fake_emit_call(calls[i], fake_now(), fake_correlation());
	}
}

uint32_t fake_sync(uint32_t stream)
{
	const uint64_t start = fake_now();
	const uint32_t correlation = fake_correlation();
	struct rcap_cupti_sync sync = { .kind = RCAP_CUPTI_SYNCHRONIZATION,
		                        .type = 3,
		                        .start = start,
		                        .end = start + 100,
		                        .correlation = correlation,
		                        .context = 1,
		                        .stream = stream,
		                        .event = RCAP_CUPTI_NO_ID };

	fake_emit(&sync, sizeof(sync), 0);
	fake_emit_call(CB_SYNC, start, correlation);
	return correlation;
}

void fake_overhead(void)
{
	struct rcap_cupti_overhead overhead = { .kind = RCAP_CUPTI_OVERHEAD,
		                                .overhead_kind = 2u << 16,
		                                .object_kind = RCAP_CUPTI_OBJECT_THREAD,
		                                .object = { (uint32_t) getpid(),
		                                            (uint32_t) gettid(), 0 },
		                                .start = fake_now() };

	overhead.end = overhead.start + 700;
	fake_emit(&overhead, sizeof(overhead), 0);
}

void fake_jit(void)
{
	struct rcap_cupti_jit jit = { .kind = RCAP_CUPTI_JIT,
		                      .entry = 1,
		                      .operation = 3,
		                      .start = fake_now(),
		                      .correlation = 1 };

	jit.end = jit.start + 5000;
	fake_emit(&jit, sizeof(jit), 0);
}

void fake_unified(uint32_t counter, uint64_t value)
{
	struct rcap_cupti_unified unified = { .kind = RCAP_CUPTI_UNIFIED_MEMORY,
		                              .counter = counter,
		                              .value = value,
		                              .start = fake_now(),
		                              .address = 0x7f0000002000,
		                              .dst = 1 };

	unified.end = counter == RCAP_CUPTI_COUNTER_CPU_FAULT ? 0 : unified.start + 250;
	fake_emit(&unified, sizeof(unified), 0);
}

void fake_external(uint32_t correlation, uint64_t id)
{
	const struct rcap_cupti_external external = { .kind = RCAP_CUPTI_EXTERNAL,
		                                      .external_kind = 3,
		                                      .id = id,
		                                      .correlation = correlation };

	fake_emit(&external, sizeof(external), 0);
}

/* ---- names of calls that a program sets ---- */

static const char *call_names[3][CBIDS];
static int has_call_names;

void fake_set_call_name(uint32_t domain, uint32_t cbid, const char *name)
{
	call_names[domain][cbid] = name;
	has_call_names = 1;
}

const char *fake_call_name(uint32_t domain, uint32_t cbid, int *is_ours)
{
	*is_ours = has_call_names;
	return domain < 3 && cbid < CBIDS ? call_names[domain][cbid] : NULL;
}
