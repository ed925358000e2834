/* SPDX-License-Identifier: MIT */
/*
 * Values that change over time, as NVTX 3's counters extension takes them. Replaces NVTX's
 * nvToolsExtCounters.h and nvToolsExtSemanticsCounters.h.
 *
 *	nvtxCounterAttr_t attributes = { 0 };
 *
 *	attributes.structSize = sizeof(attributes);
 *	attributes.schemaId = NVTX_PAYLOAD_ENTRY_TYPE_INT64;
 *	attributes.name = "queue length";
 *	attributes.scopeId = NVTX_SCOPE_CURRENT_SW_PROCESS;
 *	counter = nvtxCounterRegister(domain, &attributes);
 *	…
 *	nvtxCounterSampleInt64(domain, counter, length);
 *
 * Counters that are sampled together form a group, which has a schema (ranges/nvtx-payload.h)
 * instead of a number's type. Without a tool a call costs a load and a branch, and ids are 0.
 */
#ifndef RANGES_NVTX_COUNTERS_H
#define RANGES_NVTX_COUNTERS_H

#include <ranges/nvtx-payload.h>

/* Names are NVTX's.
 * NOLINTBEGIN(readability-identifier-naming,bugprone-macro-parentheses) */

#ifdef __cplusplus
extern "C" {
#endif

#define NVTX_EXT_COUNTERS_COMPATID 0x0102
#define NVTX_EXT_COUNTERS_MODULEID 4

/* ---- What a number means ---- */

#define NVTX_SEMANTIC_ID_COUNTERS_V1  5
#define NVTX_COUNTER_SEMANTIC_VERSION 2

#define NVTX_COUNTER_FLAGS_NONE 0
/* An integer counter means 0 to 1, or -1 to 1, over the range of its type. */
#define NVTX_COUNTER_FLAG_NORMALIZE (1 << 1)
/* `min` and `max` of the counter are set; graphs use them for their axis. */
#define NVTX_COUNTER_FLAG_LIMIT_MIN (1 << 2)
#define NVTX_COUNTER_FLAG_LIMIT_MAX (1 << 3)
#define NVTX_COUNTER_FLAG_LIMITS    (NVTX_COUNTER_FLAG_LIMIT_MIN | NVTX_COUNTER_FLAG_LIMIT_MAX)
/* At most one of these three. ABSOLUTE: the number is the value. DELTA: it is the change since the
 * last sample. DELTA_SINCE_START: it is the change since the start. */
#define NVTX_COUNTER_FLAG_VALUETYPE_ABSOLUTE          (1 << 4)
#define NVTX_COUNTER_FLAG_VALUETYPE_DELTA             (2 << 4)
#define NVTX_COUNTER_FLAG_VALUETYPE_DELTA_SINCE_START (3 << 4)
/* At most one of these four. The value is valid at that moment; since the last sample; until the
 * next sample; or it changes linearly between samples. */
#define NVTX_COUNTER_FLAG_INTERPOLATION_POINT      (1 << 8)
#define NVTX_COUNTER_FLAG_INTERPOLATION_SINCE_LAST (2 << 8)
#define NVTX_COUNTER_FLAG_INTERPOLATION_UNTIL_NEXT (3 << 8)
#define NVTX_COUNTER_FLAG_INTERPOLATION_LINEAR     (4 << 8)

/* Which member of nvtxCounterLimit_t is set. */
#define NVTX_COUNTER_LIMIT_UNDEFINED 0
#define NVTX_COUNTER_LIMIT_I64       1
#define NVTX_COUNTER_LIMIT_U64       2
#define NVTX_COUNTER_LIMIT_F64       3

typedef union {
	int64_t i64;
	uint64_t u64;
	double f64;
} nvtxCounterLimit_t;

typedef struct nvtxSemanticsCounter_v1 {
	struct nvtxSemanticsHeader_v1 header;
	uint64_t flags;   /* NVTX_COUNTER_FLAG_… */
	const char *unit; /* the value times numerator / denominator is in this unit; 0 means 1 */
	uint64_t unitScaleNumerator;
	uint64_t unitScaleDenominator;
	int64_t limitType; /* NVTX_COUNTER_LIMIT_… */
	nvtxCounterLimit_t min;
	nvtxCounterLimit_t max;
} nvtxSemanticsCounter_t;

/* ---- Counters ---- */

#define NVTX_COUNTER_ID_NONE          0
#define NVTX_COUNTER_ID_STATIC_START  (1 << 24)
#define NVTX_COUNTER_ID_DYNAMIC_START (RANGES_NVTX_VALUE(uint64_t, 1) << 32)

/* Why a sample has no value. */
#define NVTX_COUNTER_SAMPLE_ZERO        0
#define NVTX_COUNTER_SAMPLE_UNCHANGED   1
#define NVTX_COUNTER_SAMPLE_UNAVAILABLE 2

/* With one of these flags a batch has two numbers instead of a time for each sample: the time when
 * the interval of the first sample begins, or ends, and the length of the interval. In NVIDIA's
 * headers these flags overflow to 0. */
#define NVTX_COUNTER_BATCH_FLAG_BEGINTIME_INTERVAL_PAIR (RANGES_NVTX_VALUE(uint64_t, 1) << 32)
#define NVTX_COUNTER_BATCH_FLAG_ENDTIME_INTERVAL_PAIR   (RANGES_NVTX_VALUE(uint64_t, 2) << 32)

typedef struct nvtxCounterAttr_v1 {
	size_t structSize;
	uint64_t schemaId; /* NVTX_PAYLOAD_ENTRY_TYPE_… of a number, or the id of a schema */
	const char *name;
	const char *description;
	uint64_t scopeId; /* NVTX_SCOPE_…, or the id of a registered scope */
	/* nvtxSemanticsCounter_t, nvtxSemanticsTime_t. In a group, semantics of an entry take
	 * precedence. */
	const nvtxSemanticsHeader_t *semantics;
	uint64_t counterId; /* an id chosen by the program, or NVTX_COUNTER_ID_NONE */
} nvtxCounterAttr_t;

/* Samples, one after the other. Each has the size of the counter's type or schema. */
typedef struct nvtxCounterBatch_v1 {
	uint64_t counterId;
	const void *counters;
	size_t countersSize; /* bytes of all samples */
	uint64_t flags;      /* NVTX_BATCH_FLAG_…, NVTX_COUNTER_BATCH_FLAG_… */
	const int64_t *timestamps;
	size_t timestampsSize; /* bytes of all times */
} nvtxCounterBatch_t;

#define NVTX3EXT_CBID_nvtxCounterRegister      0
#define NVTX3EXT_CBID_nvtxCounterSampleInt64   1
#define NVTX3EXT_CBID_nvtxCounterSampleFloat64 2
#define NVTX3EXT_CBID_nvtxCounterSample        3
#define NVTX3EXT_CBID_nvtxCounterSampleNoValue 4
#define NVTX3EXT_CBID_nvtxCounterBatchSubmit   5

#ifndef NVTX_DISABLE

RANGES_NVTX_SHARED struct ranges_nvtx_ext ranges_nvtx_counters_1;

int ranges_nvtx_counters_start_1(void);

RANGES_NVTX_COLD int ranges_nvtx_counters_start_1(void)
{
	struct ranges_nvtx_ext_about about = {
		&ranges_nvtx_counters_1,
		NVTX_EXT_COUNTERS_MODULEID,
		NVTX_EXT_COUNTERS_COMPATID,
		0,
		RANGES_NVTX_NULL,
		0,
		0,
	};

	return ranges_nvtx_pass_2(&ranges_nvtx_counters_1.gate, ranges_nvtx_ext_run_1, &about);
}

static inline intptr_t ranges_nvtx_counters_borrow_slot(int slot)
{
	return ranges_nvtx_ext_borrow_slot(&ranges_nvtx_counters_1, ranges_nvtx_counters_start_1,
	                                   slot);
}

#else

static inline intptr_t ranges_nvtx_counters_borrow_slot(int slot)
{
	(void) slot;
	return 0;
}

#endif

/* Registers a counter. Return: its id: attr->counterId, or else an id that the tool has chosen. */
RANGES_NVTX_EXT_GET(uint64_t, 0, counters, nvtxCounterRegister,
                    (nvtxDomainHandle_t hDomain, const nvtxCounterAttr_t *attr), (hDomain, attr))
/* Record the present value of a counter. */
RANGES_NVTX_EXT_DO(counters, nvtxCounterSampleInt64,
                   (nvtxDomainHandle_t hDomain, uint64_t counterId, int64_t value),
                   (hDomain, counterId, value))
RANGES_NVTX_EXT_DO(counters, nvtxCounterSampleFloat64,
                   (nvtxDomainHandle_t hDomain, uint64_t counterId, double value),
                   (hDomain, counterId, value))
/* Records the present value of a counter of any type, or of a group. @size: bytes. */
RANGES_NVTX_EXT_DO(counters, nvtxCounterSample,
                   (nvtxDomainHandle_t hDomain, uint64_t counterId, const void *value, size_t size),
                   (hDomain, counterId, value, size))
/* Records that a counter has no value now. @reason: NVTX_COUNTER_SAMPLE_…. */
RANGES_NVTX_EXT_DO(counters, nvtxCounterSampleNoValue,
                   (nvtxDomainHandle_t hDomain, uint64_t counterId, uint8_t reason),
                   (hDomain, counterId, reason))
/* Records values from before, with their times. */
RANGES_NVTX_EXT_DO(counters, nvtxCounterBatchSubmit,
                   (nvtxDomainHandle_t hDomain, const nvtxCounterBatch_t *counterData),
                   (hDomain, counterData))

#ifdef __cplusplus
}
#endif

/* NOLINTEND(readability-identifier-naming,bugprone-macro-parentheses) */

#endif
