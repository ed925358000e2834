/* SPDX-License-Identifier: MIT */
/* Follows memory over time by pool: what was allocated and freed, and which range did it. */
#ifndef RA_MEMORY_H
#define RA_MEMORY_H

#include "analyzer/base/util.h"
#include "analyzer/model/model.h"

/* One allocation or free. */
struct ra_memory_record {
	int64_t time_ns;
	int64_t bytes;     /* negative for a free */
	int64_t allocated; /* allocated in its pool after this record */
	int64_t reserved;  /* reserved likewise; -1: not known */
	uint32_t pool;     /* index */
	uint32_t next;     /* next record of the pool, RA_NONE after the last */
	uint32_t slice;    /* innermost range of the thread that did it, or RA_NONE */
	uint32_t gone;     /* of an allocation: the record that ended it, or RA_NONE … */
	bool has_address;  /* … if it says where it is */
	bool is_free;
	bool was_unmatched; /* a free of an unknown address, or an allocation at a used one */
	bool has_regions; /* CUDA's; the program divides it itself and reports the regions in it by
	                     NVTX */
};

/* Memory of one kind on one device, of one allocator. */
struct ra_memory_pool {
	uint32_t device; /* RA_NONE: the host, as PyTorch reports it */
	uint8_t kind;    /* as CUPTI counts; of PyTorch's: the type of device, as it counts */
	bool is_pooled;  /* CUDA's memory pools (cudaMallocAsync) */
	bool is_mapped;  /* the program itself by cuMemMap */
	bool is_torch;   /* what PyTorch's allocator hands out, not what CUDA does */
	bool is_region;  /* the program described it by NVTX … */
	uint32_t heap_id;
	struct rlog_string heap; /* … and the name of its heap, perhaps none */
	bool has_totals;         /* the trace says what is allocated in all */
	bool has_addresses;
	size_t count;   /* number of records */
	uint32_t first; /* record */
	uint32_t last;
	int64_t before; /* allocated before the first record, as far as known */
	uint32_t peak;  /* the first record at the peak; RA_NONE: the peak was before all records */
	int64_t peak_bytes;
	int64_t peak_reserved; /* -1: not known */
};

struct ra_memory {
	struct ra_memory_record *records; /* owned; by time */
	size_t count;
	size_t capacity;
	struct ra_memory_pool *pools; /* owned; each has a record */
	size_t pool_count;
	size_t pool_capacity;
};

/*
 * Collects the pools from a log's CUDA allocations and NVTX regions, or from a trace's [memory]
 * events.
 * Memory: 56 bytes a record. O(n log n).
 */
void ra_memory_init(struct ra_memory *memory, const struct ra_model *model);
void ra_memory_fini(struct ra_memory *memory);

/* True if there are any. */
bool ra_memory_has(const struct ra_model *model);

/* True if it is memory of a device, not of the host. */
bool ra_memory_is_gpu(const struct ra_memory_pool *pool);

/* A counter is drawn with at most this many points. */
#define RA_MEMORY_DRAWN 20000u

#define RA_MEMORY_NAME_BYTES 48

/* "GPU0", "CPU", "GPU0 Pinned". Return: its length. */
size_t ra_memory_name(const struct ra_memory_pool *pool, char name[RA_MEMORY_NAME_BYTES]);

/* "Device", "PyTorch CUDA". Return: its length. */
size_t ra_memory_kind(const struct ra_memory_pool *pool, char name[RA_MEMORY_NAME_BYTES]);

/*
 * Visits the records of a pool in order of time.
 *
 * @points: 0: visits all; otherwise at most this many, or two. The time from first to last is cut
 * into stretches of (last - first) / (points / 2) + 1 ns. Of each stretch two records are visited:
 * the first record at its peak, so that no peak is lost, and the last one, which has the memory
 * that was left in a pause.
 */
typedef void ra_memory_put(void *context, const struct ra_memory_record *record);
void ra_memory_walk(const struct ra_memory *memory, uint32_t pool, uint64_t points,
                    ra_memory_put *put, void *context);

#endif
