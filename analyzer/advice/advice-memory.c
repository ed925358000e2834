/* SPDX-License-Identifier: MIT */
/* Rules about memory: a device had nearly all of its memory allocated, or more of it with every
 * step. */
#include "analyzer/advice/advice.h"

#include <stdlib.h>

#include "analyzer/rows/kineto.h"
#include "analyzer/base/util.h"

#define FULL 0.9 /* part of the device's memory */
/* growth as a part of the device's memory, from the first step to the last */
#define GROWTH      0.01
#define LEAST_STEPS 3

/* The memory allocated on a device. */
struct pool {
	uint32_t device;
	uint64_t live_bytes;
	uint64_t peak_bytes;
	int64_t peak_ns;
	/* The memory that is allocated at the end of each step. Known only from JSON traces. */
	size_t step; /* the step that the last record was in */
	uint64_t step_bytes;
	uint64_t first_bytes;
	uint64_t last_bytes;
	uint64_t step_count; /* number of steps that ended */
	bool grows;
};

struct pools {
	struct pool *rows; /* owned; a few */
	size_t count;
	size_t capacity;
	struct ra_util_map allocated; /* address → row of model->gpu.memories */
};

static struct pool *find_pool(struct pools *pools, uint32_t device)
{
	for (size_t i = 0; i < pools->count; i++) {
		if (pools->rows[i].device == device) {
			return &pools->rows[i];
		}
	}
	ra_util_grow(&pools->rows, &pools->capacity, pools->count + 1, sizeof(*pools->rows));
	pools->rows[pools->count] = (struct pool){ .device = device };
	return &pools->rows[pools->count++];
}

static bool is_inside(const struct ra_advice *advice, int64_t time_ns)
{
	return time_ns >= advice->start_ns && time_ns <= advice->end_ns;
}

static void note_peak(struct pool *pool, const struct ra_advice *advice, uint64_t bytes,
                      int64_t time_ns)
{
	if (bytes > pool->peak_bytes && is_inside(advice, time_ns)) {
		pool->peak_bytes = bytes;
		pool->peak_ns = time_ns;
	}
}

static void end_step(struct pool *pool)
{
	if (pool->step_count == 0) {
		pool->first_bytes = pool->step_bytes;
		pool->grows = true;
	} else {
		pool->grows = pool->grows && pool->step_bytes > pool->last_bytes;
	}
	pool->last_bytes = pool->step_bytes;
	pool->step_count++;
}

/* Ends the steps that ended before the record. Another thread's record may be older than the record
 * before it; then it is added to the step that has been reached. */
static void note_step(struct pool *pool, const struct ra_advice *advice, uint64_t bytes,
                      int64_t time_ns)
{
	const struct ra_steps *steps = &advice->steps->steps;

	while (!steps->is_whole && pool->step < steps->times.step_count &&
	       time_ns >= steps->hosts[pool->step].end_ns) {
		if (pool->step_bytes > 0) {
			end_step(pool);
		}
		pool->step++;
	}
	pool->step_bytes = bytes;
}

/* Notes memory handed out by PyTorch's allocator, from the allocator's records. */
static void read_records(struct pools *pools, const struct ra_advice *advice)
{
	const struct ra_kineto *k = advice->model->kineto;

	for (uint32_t i = 0; i < k->count; i++) {
		int64_t type = 0;
		int64_t device = -1;
		int64_t bytes = 0;
		struct pool *pool;

		if (k->kind[i] != RA_KINETO_MEMORY) {
			continue;
		}
		(void) ra_kineto_get_int(k, i, RA_KINETO_ARG_DEVICE_TYPE, &type);
		(void) ra_kineto_get_int(k, i, RA_KINETO_ARG_DEVICE_ID, &device);
		(void) ra_kineto_get_int(k, i, RA_KINETO_ARG_TOTAL_ALLOCATED, &bytes);
		if (type == 0 || device < 0 || device > UINT32_MAX || bytes <= 0) {
			continue;
		}
		pool = find_pool(pools, (uint32_t) device);
		note_peak(pool, advice, (uint64_t) bytes, ra_kineto_ts(k, i) - k->zero_ns);
		note_step(pool, advice, (uint64_t) bytes, ra_kineto_ts(k, i) - k->zero_ns);
	}
}

/* True of memory that is surely on the device, by its CUpti_ActivityMemoryKind: device memory,
 * arrays, and static device memory. Managed memory may be elsewhere. */
static bool is_on_device(const struct ra_gpu_memory *memory)
{
	return memory->memory == 3 || memory->memory == 4 || memory->memory == 6;
}

static void release(struct pools *pools, const struct ra_gpu *gpu, uint64_t address)
{
	const uint32_t place = ra_util_map_find(&pools->allocated, address);
	struct pool *pool;

	if (place >= gpu->memory_count) {
		return;
	}
	pool = find_pool(pools, gpu->memories[place].device);
	/* Sums are limited, so a sum may be smaller than its parts. */
	pool->live_bytes -= gpu->memories[place].bytes < pool->live_bytes
	                            ? gpu->memories[place].bytes
	                            : pool->live_bytes;
	ra_util_map_remove(&pools->allocated, address);
}

/* Notes memory allocated by CUDA, from the records of our logs. */
static void read_calls(struct pools *pools, const struct ra_advice *advice)
{
	const struct ra_gpu *gpu = &advice->model->gpu;

	for (size_t i = 0; i < gpu->memory_count; i++) {
		const struct ra_gpu_memory *memory = &gpu->memories[i];
		struct pool *pool;

		if (memory->is_region) {
			continue; /* it is part of an allocation of CUDA, or not CUDA's memory */
		}
		release(pools, gpu, memory->address);
		if (memory->is_free || !is_on_device(memory)) {
			continue;
		}
		pool = find_pool(pools, memory->device);
		ra_util_map_put(&pools->allocated, memory->address, (uint32_t) i);
		pool->live_bytes = ra_util_add(pool->live_bytes, memory->bytes);
		note_peak(pool, advice, pool->live_bytes, memory->time_ns);
	}
}

static void tell_peak(struct ra_advice *advice, const struct pool *pool, uint64_t whole_bytes)
{
	const struct ra_advice_evidence evidence = {
		.count = 1,
		.longest = { pool->peak_ns, 0, { "", 0, 0 }, RA_NONE, pool->device },
	};
	struct ra_util_text words = { 0 };

	if ((double) pool->peak_bytes > FULL * (double) whole_bytes) {
		ra_util_text_put_bytes(&words, (int64_t) (pool->peak_bytes & INT64_MAX));
		ra_util_text_format(&words, " of ");
		ra_util_text_put_bytes(&words, (int64_t) (whole_bytes & INT64_MAX));
		ra_advice_add(advice, RA_ADVICE_MEMORY_FULL, 0, &evidence, &words);
	}
	ra_util_text_free(&words);
}

/* Reports the memory at the end of each step, if it grows with every step. */
static void tell_growth(struct ra_advice *advice, const struct pool *pool, uint64_t whole_bytes)
{
	const struct ra_advice_evidence evidence = {
		.count = pool->step_count,
		.longest = { pool->peak_ns, 0, { "", 0, 0 }, RA_NONE, pool->device },
	};
	struct ra_util_text words = { 0 };

	if (pool->step_count >= LEAST_STEPS && pool->grows &&
	    (double) (pool->last_bytes - pool->first_bytes) > GROWTH * (double) whole_bytes) {
		ra_util_text_format(&words, "from ");
		ra_util_text_put_bytes(&words, (int64_t) (pool->first_bytes & INT64_MAX));
		ra_util_text_format(&words, " to ");
		ra_util_text_put_bytes(&words, (int64_t) (pool->last_bytes & INT64_MAX));
		ra_util_text_format(&words, " in %llu steps",
		                    (unsigned long long) pool->step_count);
		ra_advice_add(advice, RA_ADVICE_MEMORY_GROWS, 0, &evidence, &words);
	}
	ra_util_text_free(&words);
}

void ra_advice_memory_apply(struct ra_advice *advice)
{
	const struct ra_gpu *gpu = &advice->model->gpu;
	struct pools pools = { 0 };

	if (ra_model_has(advice->model, RA_HAS_ROWS)) {
		read_records(&pools, advice);
	}
	if (pools.count == 0) {
		read_calls(&pools, advice);
	}
	for (size_t i = 0; i < pools.count; i++) {
		const struct ra_gpu_device *device = ra_gpu_find_device(gpu, pools.rows[i].device);

		if (device != NULL && device->memory_bytes > 0) {
			tell_peak(advice, &pools.rows[i], device->memory_bytes);
			tell_growth(advice, &pools.rows[i], device->memory_bytes);
		}
	}
	free(pools.rows);
	ra_util_map_free(&pools.allocated);
}
