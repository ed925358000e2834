/* SPDX-License-Identifier: MIT */
/* Follows memory over time by pool: the bytes allocated and freed, and the range in which that
 * happened. */
#include "analyzer/figures/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/memory-held.h"
#include "analyzer/model/model-rows.h"

/* Values of c10::DeviceType that mean the host. */
#define TORCH_CPU    0
#define TORCH_MKLDNN 2
#define TORCH_IDEEP  5

/* Sums of a file's numbers stay within a quarter of int64, so that their differences fit too. */
#define LIMIT (INT64_MAX / 4)

/* Where the last search on a track ended. */
struct place {
	bool is_set;
	int64_t time_ns;
	size_t end;     /* slices before this index began by then … */
	size_t kept;    /* … and the same without trailing slices that cross others */
	uint32_t slice; /* the innermost open slice */
};

struct collecting {
	const struct ra_model *model;
	struct ra_memory *memory;
	struct ra_util_map pools;   /* identity of a pool → its index */
	struct ra_util_map tracks;  /* tid → track */
	struct ra_util_map pieces;  /* address → record that allocated it */
	struct ra_util_map regions; /* number of a region → record that allocated it */
	struct place *places;       /* for each track */
};

static int64_t clip(int64_t bytes)
{
	return bytes > LIMIT ? LIMIT : bytes < -LIMIT ? -LIMIT : bytes;
}

/* ---- pools ---- */

static uint32_t find_pool(struct collecting *collecting, const struct ra_memory_pool *like)
{
	struct ra_memory *memory = collecting->memory;
	const uint64_t key = like->is_region
	                             ? UINT64_C(1) << 63 | (uint64_t) like->heap_id << 24 |
	                                       (uint64_t) (like->device & 0xFFFF) << 8 | like->kind
	                             : (uint64_t) like->device << 16 | (uint64_t) like->kind << 8 |
	                                       (like->is_torch    ? 1
	                                        : like->is_pooled ? 2
	                                        : like->is_mapped ? 4
	                                                          : 0);

	uint32_t index = ra_util_map_find(&collecting->pools, key);

	if (index != RA_UTIL_MAP_NONE) {
		return index;
	}
	index = (uint32_t) memory->pool_count;
	ra_util_map_put(&collecting->pools, key, index);
	RA_UTIL_APPEND(memory->pools, memory->pool_count, memory->pool_capacity, *like);
	if (like->heap_id != 0) {
		memory->pools[index].heap = ra_model_string(collecting->model, like->heap_id);
	}
	return index;
}

static struct ra_memory_record *add_record(struct ra_memory *memory)
{
	ra_util_grow(&memory->records, &memory->capacity, memory->count + 1,
	             sizeof(*memory->records));
	return &memory->records[memory->count++];
}

/* ---- PyTorch's ---- */

/* Finds the innermost range of a track that is open at a time, including its end, as torch does.
 * Skips ranges that the search before passed over, so a sweep over time looks at each range
 * once. */
static uint32_t find_slice(const struct ra_model *m, uint32_t track, int64_t time_ns,
                           struct place *newest)
{
	const struct ra_slices *s = &m->slices;
	const size_t first = m->tracks[track].first_slice;
	const bool is_later = newest->is_set && newest->time_ns <= time_ns;
	const size_t end = ra_model_find_slice_end(m, &m->tracks[track], time_ns);
	const size_t known = is_later ? newest->end : first;
	size_t kept = end;
	uint32_t slice;

	/* A range that crosses others is not in the tree. */
	while (kept > known && (s->flags[kept - 1] & RA_SLICE_CROSSING) != 0) {
		kept--;
	}
	kept = is_later && kept == known ? newest->kept : kept;
	slice = kept > first ? (uint32_t) (kept - 1) : RA_NONE;
	slice = is_later && kept == newest->kept ? newest->slice : slice;
	while (slice != RA_NONE && s->start_ns[slice] + s->dur_ns[slice] < time_ns) {
		slice = s->parent[slice];
	}
	*newest = (struct place){ true, time_ns, end, kept, slice };
	return slice;
}

/* Maps threads to tracks. Threads with equal numbers share a track: old traces write 5 and "5". */
static void map_tracks(struct collecting *collecting)
{
	const struct ra_kineto *k = collecting->model->kineto;

	for (size_t t = 0; t < k->thread_count; t++) {
		if (k->threads[t].track != RA_KINETO_NONE &&
		    k->threads[t].tid_number != INT64_MIN) {
			ra_util_map_put(&collecting->tracks, (uint64_t) k->threads[t].tid_number,
			                k->threads[t].track);
		}
	}
}

static uint32_t find_torch_slice(const struct collecting *collecting, uint32_t event,
                                 int64_t time_ns)
{
	const struct ra_kineto *k = collecting->model->kineto;
	const struct ra_kineto_thread *thread = &k->threads[ra_kineto_get_thread(k, event)];
	uint32_t track = thread->track;

	if (track == RA_KINETO_NONE && thread->tid_number != INT64_MIN) {
		track = ra_util_map_find(&collecting->tracks, (uint64_t) thread->tid_number);
	}
	return track == RA_KINETO_NONE
	               ? RA_NONE
	               : find_slice(collecting->model, track, time_ns, &collecting->places[track]);
}

static struct ra_memory_pool read_pool(const struct ra_kineto *k, uint32_t event)
{
	struct ra_memory_pool pool = { .device = RA_NONE, .is_torch = true, .peak_reserved = -1 };
	int64_t type = TORCH_CPU;
	int64_t device = 0;

	(void) ra_kineto_get_int(k, event, RA_KINETO_ARG_DEVICE_TYPE, &type);
	(void) ra_kineto_get_int(k, event, RA_KINETO_ARG_DEVICE_ID, &device);
	if (type != TORCH_CPU && type != TORCH_MKLDNN && type != TORCH_IDEEP) {
		pool.kind = type > 0 && type < UINT8_MAX ? (uint8_t) type : UINT8_MAX;
		pool.device = device >= 0 && device < RA_NONE ? (uint32_t) device : 0;
	}
	return pool;
}

static void add_event(struct collecting *collecting, uint32_t event)
{
	const struct ra_kineto *k = collecting->model->kineto;
	const struct ra_memory_pool like = read_pool(k, event);
	struct ra_memory_record record = {
		.time_ns = ra_kineto_ts(k, event) - k->zero_ns,
		.allocated = -1,
		.reserved = -1,
		.gone = RA_NONE,
	};
	int64_t address;

	record.pool = find_pool(collecting, &like);
	(void) ra_kineto_get_int(k, event, RA_KINETO_ARG_BYTES_MEMORY, &record.bytes);
	(void) ra_kineto_get_int(k, event, RA_KINETO_ARG_TOTAL_ALLOCATED, &record.allocated);
	(void) ra_kineto_get_int(k, event, RA_KINETO_ARG_TOTAL_RESERVED, &record.reserved);
	record.bytes = clip(record.bytes);
	record.is_free = record.bytes < 0;
	record.allocated = clip(record.allocated);
	record.reserved = record.allocated < 0 ? -1 : clip(record.reserved);
	record.slice = find_torch_slice(collecting, event, record.time_ns);
	record.has_address = ra_kineto_get_int(k, event, RA_KINETO_ARG_ADDR, &address);
	collecting->memory->pools[record.pool].has_totals |= record.allocated >= 0;
	/* Keeps the address until allocations and frees are paired; a file has them in any
	 * order. */
	record.gone = event;
	*add_record(collecting->memory) = record;
}

static void collect_torch(struct collecting *collecting)
{
	const struct ra_kineto *k = collecting->model->kineto;

	map_tracks(collecting);
	for (uint32_t i = 0; i < k->count; i++) {
		if (k->kind[i] == RA_KINETO_MEMORY && (k->flags[i] & RA_KINETO_HAS_TS) != 0) {
			add_event(collecting, i);
		}
	}
}

/* ---- CUDA's ---- */

static void collect_cuda(struct collecting *collecting)
{
	const struct ra_gpu *gpu = &collecting->model->gpu;
	struct ra_memory_held held = { 0 };

	for (size_t i = 0; i < gpu->memory_count; i++) {
		const struct ra_gpu_memory *from = &gpu->memories[i];
		const struct ra_memory_pool like = {
			.device = from->device,
			.kind = from->memory,
			.is_region = from->is_region,
			.is_pooled = from->pool != 0,
			.is_mapped = from->is_mapped != 0,
			.heap_id = from->heap,
			.peak_reserved = -1,
		};
		const int64_t bytes = from->bytes < LIMIT ? (int64_t) from->bytes : LIMIT;
		struct ra_memory_record *record = add_record(collecting->memory);

		*record = (struct ra_memory_record){
			.time_ns = from->time_ns,
			.bytes = from->is_free ? -bytes : bytes,
			.allocated = -1,
			.reserved = -1,
			.slice = from->is_region
			                 ? find_slice(collecting->model, from->track, from->time_ns,
			                              &collecting->places[from->track])
			         : from->api == RA_NONE ? RA_NONE
			                                : gpu->apis[from->api].slice,
			.gone = (uint32_t) i,
			.has_address = true,
			.is_free = from->is_free != 0,
			.has_regions = from->has_regions,
		};
		record->pool = find_pool(collecting, &like);
		if (from->pool != 0) {
			record->reserved = ra_memory_held_sum(&held, gpu, from);
		}
	}
	ra_memory_held_fini(&held);
}

/* ---- both ---- */

/* Records of equal times keep the order of the input, which `gone` still has. */
static int compare_records(const void *left, const void *right)
{
	const struct ra_memory_record *a = left;
	const struct ra_memory_record *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, time_ns), RA_ORDER_UP(a, b, gone));
}

static uint64_t read_address(const struct ra_model *model, uint32_t place, bool is_torch)
{
	int64_t address = 0;

	if (!is_torch) {
		return model->gpu.memories[place].address;
	}
	(void) ra_kineto_get_int(model->kineto, place, RA_KINETO_ARG_ADDR, &address);
	return (uint64_t) address;
}

/* Pairs an allocation with the record that ended it, and sums up where the input has no totals. */
static void pair(struct collecting *collecting, uint32_t index, int64_t *live)
{
	struct ra_memory *memory = collecting->memory;
	struct ra_memory_record *record = &memory->records[index];
	struct ra_memory_pool *pool = &memory->pools[record->pool];
	const uint32_t place = record->gone;
	const bool frees = record->is_free;
	struct ra_util_map *pieces = pool->is_region ? &collecting->regions : &collecting->pieces;
	uint64_t address;
	uint32_t piece;

	record->gone = RA_NONE;
	if (!record->has_address) {
		live[record->pool] = clip(live[record->pool] + record->bytes);
		return;
	}
	pool->has_addresses = true;
	address = read_address(collecting->model, place, pool->is_torch);
	piece = ra_util_map_find(pieces, address);
	record->was_unmatched = (piece == RA_UTIL_MAP_NONE) == frees;
	if (piece != RA_UTIL_MAP_NONE) {
		const struct ra_memory_record *old = &memory->records[piece];

		memory->records[piece].gone = index;
		live[old->pool] = clip(live[old->pool] - old->bytes);
	} else if (frees && pool->is_torch) {
		live[record->pool] = clip(live[record->pool] + record->bytes);
	}
	if (frees) {
		ra_util_map_remove(pieces, address);
		return;
	}
	live[record->pool] = clip(live[record->pool] + record->bytes);
	ra_util_map_put(pieces, address, index);
}

/* Finds the total allocated: the trace's, or else the sum of the records. A sum below 0 shows
 * memory that was allocated before the first record; raise_sums() adds this memory. */
static void sum_records(struct collecting *collecting)
{
	struct ra_memory *memory = collecting->memory;
	int64_t *live = ra_alloc_zeros(memory->pool_count + 1, sizeof(*live));

	for (uint32_t i = 0; i < memory->count; i++) {
		struct ra_memory_record *record = &memory->records[i];
		struct ra_memory_pool *pool = &memory->pools[record->pool];
		const int64_t told = record->allocated;

		pair(collecting, i, live);
		if (told >= 0) {
			live[record->pool] = told;
		}
		record->allocated = live[record->pool];
		if (pool->count++ == 0) {
			pool->first = i;
			pool->before = told >= 0 ? told - record->bytes : 0;
		}
		if (pool->count > 1) {
			memory->records[pool->last].next = i;
		}
		pool->last = i;
		record->next = RA_NONE;
		if (!pool->has_totals && -record->allocated > pool->before) {
			pool->before = -record->allocated;
		}
	}
	free(live);
}

static void find_peaks(struct ra_memory *memory)
{
	for (size_t i = 0; i < memory->pool_count; i++) {
		struct ra_memory_pool *pool = &memory->pools[i];

		pool->before = pool->before < 0 ? 0 : pool->before;
		pool->peak = RA_NONE;
		pool->peak_bytes = pool->before;
	}
	for (uint32_t i = 0; i < memory->count; i++) {
		struct ra_memory_record *record = &memory->records[i];
		struct ra_memory_pool *pool = &memory->pools[record->pool];

		if (!pool->has_totals) {
			record->allocated += pool->before;
		}
		if (record->allocated > pool->peak_bytes) {
			pool->peak_bytes = record->allocated;
			pool->peak = i;
		}
		pool->peak_reserved = record->reserved > pool->peak_reserved ? record->reserved
		                                                             : pool->peak_reserved;
	}
}

void ra_memory_init(struct ra_memory *memory, const struct ra_model *model)
{
	struct collecting collecting = { .model = model, .memory = memory };

	*memory = (struct ra_memory){ 0 };
	collecting.places = ra_alloc_zeros(model->track_count + 1, sizeof(struct place));
	collect_cuda(&collecting);
	if (ra_model_has(model, RA_HAS_ROWS)) {
		collect_torch(&collecting);
	}
	if (memory->count > 0) {
		RA_SORT(memory->records, memory->count, compare_records);
		sum_records(&collecting);
	}
	find_peaks(memory);
	ra_util_map_free(&collecting.pools);
	ra_util_map_free(&collecting.tracks);
	ra_util_map_free(&collecting.pieces);
	ra_util_map_free(&collecting.regions);
	free(collecting.places);
}

void ra_memory_fini(struct ra_memory *memory)
{
	free(memory->records);
	free(memory->pools);
	*memory = (struct ra_memory){ 0 };
}

bool ra_memory_has(const struct ra_model *model)
{
	return model->gpu.memory_count > 0 || ra_model_rows_count(model, RA_KINETO_MEMORY) > 0;
}

bool ra_memory_is_gpu(const struct ra_memory_pool *pool)
{
	static const uint8_t pinned = 2; /* CUPTI's kinds up to this one mean memory of the host */

	return pool->is_torch ? pool->device != RA_NONE : pool->kind > pinned;
}

/* ---- names ---- */

/* In the order of c10::DeviceType. */
static const char *name_torch(uint8_t type)
{
	switch (type) {
	case TORCH_CPU:
		return "CPU";
	case 1:
		return "CUDA";
	case 6:
		return "HIP";
	case 12:
		return "XPU";
	case 13:
		return "MPS";
	case 19:
		return "MTIA";
	default:
		return "other";
	}
}

static const char *name_way(const struct ra_memory_pool *pool)
{
	return pool->is_pooled ? " pools" : pool->is_mapped ? " mapped" : "";
}

/* Writes "heap pool" or "GPU0 heap pool"; a name that is too long is cut between characters. */
static int name_heap(const struct ra_memory_pool *pool, bool with_device,
                     char name[RA_MEMORY_NAME_BYTES])
{
	static const size_t most = RA_MEMORY_NAME_BYTES - sizeof("GPU4294967295 heap ");
	const struct rlog_string *heap = &pool->heap;
	size_t length = heap->length < most ? heap->length : most;
	char device[16] = "";

	while (length > 0 && length < heap->length && (heap->bytes[length] & 0xC0) == 0x80) {
		length--;
	}
	if (with_device && pool->device != RA_NONE) {
		snprintf(device, sizeof(device), "GPU%" PRIu32 " ", pool->device);
	}
	return length == 0 ? snprintf(name, RA_MEMORY_NAME_BYTES, "%sregions of no heap", device)
	                   : snprintf(name, RA_MEMORY_NAME_BYTES, "%sheap %.*s", device,
	                              (int) length, heap->bytes);
}

size_t ra_memory_name(const struct ra_memory_pool *pool, char name[RA_MEMORY_NAME_BYTES])
{
	static const uint8_t device = 3; /* CUPTI's kind for memory of the GPU itself */
	int length;

	if (pool->is_region) {
		length = name_heap(pool, true, name);
	} else if (pool->device == RA_NONE) {
		length = snprintf(name, RA_MEMORY_NAME_BYTES, "CPU");
	} else if (pool->is_torch || pool->kind == device) {
		length = snprintf(name, RA_MEMORY_NAME_BYTES, "GPU%" PRIu32 "%s", pool->device,
		                  name_way(pool));
	} else {
		length = snprintf(name, RA_MEMORY_NAME_BYTES, "GPU%" PRIu32 " %s%s", pool->device,
		                  ra_gpu_memory_name(pool->kind), name_way(pool));
	}
	return (size_t) length;
}

size_t ra_memory_kind(const struct ra_memory_pool *pool, char name[RA_MEMORY_NAME_BYTES])
{
	return (size_t) (pool->is_region ? name_heap(pool, false, name)
	                 : pool->is_torch
	                         ? snprintf(name, RA_MEMORY_NAME_BYTES, "PyTorch %s",
	                                    name_torch(pool->kind))
	                         : snprintf(name, RA_MEMORY_NAME_BYTES, "%s%s",
	                                    ra_gpu_memory_name(pool->kind), name_way(pool)));
}

/* ---- the curve ---- */

/* Passes on the two points of a stretch: its peak, then the memory that was in use at its end. */
static void put_stretch(ra_memory_put *put, void *context, const struct ra_memory_record *best,
                        const struct ra_memory_record *last)
{
	if (best != NULL && best != last) {
		put(context, best);
	}
	if (last != NULL) {
		put(context, last);
	}
}

void ra_memory_walk(const struct ra_memory *memory, uint32_t pool, uint64_t points,
                    ra_memory_put *put, void *context)
{
	const struct ra_memory_pool *facts = &memory->pools[pool];
	const struct ra_memory_record *best = NULL;
	const struct ra_memory_record *last = NULL;
	const uint64_t stretches = points < 2 ? points : points / 2;
	const uint64_t from_ns = (uint64_t) memory->records[facts->first].time_ns;
	const uint64_t to_ns = (uint64_t) memory->records[facts->last].time_ns;
	const uint64_t width_ns = points == 0 ? 0 : (to_ns - from_ns) / stretches + 1;
	uint64_t stretch = 0;

	for (uint32_t i = facts->first; i != RA_NONE; i = memory->records[i].next) {
		const struct ra_memory_record *record = &memory->records[i];
		uint64_t now;

		if (points == 0 || facts->count <= points) {
			put(context, record);
			continue;
		}
		now = ((uint64_t) record->time_ns - from_ns) / width_ns;
		if (best != NULL && now != stretch) {
			put_stretch(put, context, best, last);
			best = NULL;
		}
		stretch = now;
		last = record;
		best = best == NULL || record->allocated > best->allocated ? record : best;
	}
	put_stretch(put, context, best, last);
}
