/* SPDX-License-Identifier: MIT */
/* Follows memory over time by pool: the bytes allocated and freed, and the range in which that
 * happened. */
#ifndef RA_MEMORY_H
#define RA_MEMORY_H

#include "analyzer/base/util.h"
#include "analyzer/model/model.h"

/* One allocation or free. */
struct ra_memory_record {
	int64_t time_ns;
	int64_t bytes;     /* negative for a free */
	int64_t allocated; /* bytes allocated in its pool after this record */
	int64_t reserved;  /* bytes reserved in its pool after this record; -1: not known */
	uint32_t pool;     /* of its pool */
	uint32_t next;     /* next record of the pool, RA_NONE after the last */
	uint32_t slice;    /* innermost range of the thread that allocated or freed, or RA_NONE */
	uint32_t gone;     /* of an allocation: the record that freed it, or RA_NONE … */
	bool has_address;  /* … also RA_NONE without an address */
	bool is_free;
	bool was_unmatched; /* a free of an unknown address, or an allocation at an address in
	                       use */
	bool has_regions;   /* CUDA's allocation; the program divides it itself and reports the
	                       regions in it by NVTX */
};

/* Memory of one kind on one device, from one allocator. */
struct ra_memory_pool {
	uint32_t device; /* RA_NONE: the host, in PyTorch's records */
	uint8_t kind;    /* CUPTI's number of the kind; for PyTorch, number of the type of device */
	bool is_pooled;  /* CUDA's memory pools (cudaMallocAsync) */
	bool is_mapped;  /* mapped by the program itself with cuMemMap */
	bool is_torch;   /* memory that PyTorch's allocator hands out, not memory from CUDA */
	bool is_region;  /* the program described the memory by NVTX … */
	uint32_t heap_id;
	struct rlog_string heap; /* … and named its heap so; may be empty */
	bool has_totals;         /* the trace has the total of allocated bytes */
	bool has_addresses;
	size_t count;   /* number of the pool's records */
	uint32_t first; /* index of a record */
	uint32_t last;
	int64_t before; /* bytes allocated before the first record, as far as known */
	uint32_t peak;  /* the first record at the peak; RA_NONE: the peak was before all records */
	int64_t peak_bytes;
	int64_t peak_reserved; /* -1: not known */
};

struct ra_memory {
	struct ra_memory_record *records; /* owned; sorted by time */
	size_t count;
	size_t capacity;
	struct ra_memory_pool *pools; /* owned; each has at least one record */
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

/* True if there are any pools. */
bool ra_memory_has(const struct ra_model *model);

/* True if the pool is memory of a device, not of the host. */
bool ra_memory_is_gpu(const struct ra_memory_pool *pool);

/* A counter track of a pool has at most this many points. */
#define RA_MEMORY_DRAWN 20000u

#define RA_MEMORY_NAME_BYTES 48

/* Writes "GPU0", "CPU", "GPU0 Pinned". Return: length of the text. */
size_t ra_memory_name(const struct ra_memory_pool *pool, char name[RA_MEMORY_NAME_BYTES]);

/* Writes "Device", "PyTorch CUDA". Return: length of the text. */
size_t ra_memory_kind(const struct ra_memory_pool *pool, char name[RA_MEMORY_NAME_BYTES]);

/*
 * Visits the records of a pool in order of time.
 *
 * @points: 0: visits all; otherwise at most this many, or two. The time from first to last is cut
 * into stretches of (last - first) / (points / 2) + 1 ns. In each stretch two records are visited:
 * the first record at its peak, so that no peak is lost, and the last record, whose memory stays in
 * use during a pause.
 */
typedef void ra_memory_put(void *context, const struct ra_memory_record *record);
void ra_memory_walk(const struct ra_memory *memory, uint32_t pool, uint64_t points,
                    ra_memory_put *put, void *context);

#endif
