/* SPDX-License-Identifier: MIT */
/* Replays the calls about NVTX's heaps and regions of memory in order of time. */
#include "analyzer/read-log/payloads/regions.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/search.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"
#include "format/columns/cursor.h"

/* function numbers of nvtxMem… calls */
#define HEAP_REGISTER      0x1100
#define HEAP_UNREGISTER    0x1101
#define HEAP_RESET         0x1102
#define REGIONS_REGISTER   0x1103
#define REGIONS_RESIZE     0x1104
#define REGIONS_UNREGISTER 0x1105

#define BY_HANDLE  2 /* a region is referred to by its handle; with other values, by its address */
#define CUDA_ARRAY 0x11 /* region types from this number on are arrays on a device */
#define ON_DEVICE  4    /* CUPTI's kind of memory for an array */

struct heap {
	uint32_t name;
	uint32_t last; /* its newest region; RA_NONE: none */
};

struct region {
	uint64_t address;
	uint64_t bytes;
	uint32_t heap;
	uint32_t before; /* the previous region of the same heap; RA_NONE: none */
	uint8_t kind;
	bool is_gone;
};

/* An allocation made by CUDA. */
struct piece {
	uint64_t address;
	uint64_t bytes;
	uint32_t memory; /* index into gpu->memories */
};

struct replay {
	struct ra_gpu *gpu;
	size_t memory_capacity;
	struct heap *heaps; /* owned; the first one has the regions without a heap */
	size_t heap_count;
	size_t heap_capacity;
	struct region *regions; /* owned */
	size_t region_count;
	size_t region_capacity;
	struct ra_util_map heap_of;    /* id → index of the heap */
	struct ra_util_map by_handle;  /* handle → index of an existing region */
	struct ra_util_map by_address; /* address → index of an existing region */
	struct piece *pieces;          /* owned; ordered by address */
	size_t piece_count;
	const struct ra_call *call; /* the current call */
};

bool ra_regions_is_wanted(uint64_t function)
{
	return function >= HEAP_REGISTER && function <= REGIONS_UNREGISTER;
}

static int compare_pieces(const void *left, const void *right)
{
	const struct piece *a = left;
	const struct piece *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, address), RA_ORDER_UP(a, b, memory));
}

static void find_pieces(struct replay *replay)
{
	const struct ra_gpu *gpu = replay->gpu;

	replay->pieces = ra_alloc_zeros(gpu->memory_count + 1, sizeof(*replay->pieces));
	for (size_t i = 0; i < gpu->memory_count; i++) {
		if (!gpu->memories[i].is_free) {
			replay->pieces[replay->piece_count++] =
				(struct piece){ gpu->memories[i].address, gpu->memories[i].bytes,
				                (uint32_t) i };
		}
	}
	RA_SORT(replay->pieces, replay->piece_count, compare_pieces);
}

/* Finds the newest CUDA allocation that contains a region, among those with the last begin at or
 * before the region; NULL: none. */
static struct ra_gpu_memory *find_piece(const struct replay *replay, uint64_t address)
{
	struct ra_search at = ra_search_in(0, replay->piece_count);

	while (ra_search_next(&at)) {
		ra_search_tell(&at, replay->pieces[at.middle].address <= address);
	}
	return at.low > 0 && address - replay->pieces[at.low - 1].address <
	                               replay->pieces[at.low - 1].bytes
	               ? &replay->gpu->memories[replay->pieces[at.low - 1].memory]
	               : NULL;
}

static void put_memory(struct replay *replay, uint32_t index, bool is_free)
{
	const struct region *region = &replay->regions[index];
	struct ra_gpu *gpu = replay->gpu;
	struct ra_gpu_memory *piece = find_piece(replay, region->address);
	struct ra_gpu_memory memory = {
		.time_ns = replay->call->time_ns,
		.bytes = region->bytes,
		.address = index,
		.device = RA_NONE,
		.api = RA_NONE,
		.memory = region->kind,
		.is_free = is_free,
		.is_region = true,
		.heap = replay->heaps[region->heap].name,
		.track = replay->call->track,
	};

	if (piece != NULL) {
		piece->has_regions = true;
		memory.device = piece->device;
		memory.memory = piece->memory;
	}
	RA_UTIL_APPEND(gpu->memories, gpu->memory_count, replay->memory_capacity, memory);
}

static void add_heap(struct replay *replay, uint32_t name)
{
	RA_UTIL_APPEND(replay->heaps, replay->heap_count, replay->heap_capacity,
	               (struct heap){ name, RA_NONE });
}

static uint32_t find_heap(const struct replay *replay, uint64_t id)
{
	const uint32_t heap = ra_util_map_find(&replay->heap_of, id);

	return heap == RA_UTIL_MAP_NONE ? 0 : heap;
}

/* The region may have been freed already, together with its heap. */
static void free_region(struct replay *replay, uint32_t index)
{
	struct region *region = &replay->regions[index];

	if (region->is_gone) {
		return;
	}
	region->is_gone = true;
	put_memory(replay, index, true);
}

static void free_heap(struct replay *replay, uint32_t heap)
{
	uint32_t region = replay->heaps[heap].last;

	replay->heaps[heap].last = RA_NONE;
	for (; region != RA_NONE; region = replay->regions[region].before) {
		free_region(replay, region);
	}
}

static void add_region(struct replay *replay, const struct region *like, uint64_t handle)
{
	const uint32_t index = (uint32_t) replay->region_count;

	ra_util_grow(&replay->regions, &replay->region_capacity, replay->region_count + 1,
	             sizeof(*replay->regions));
	ra_util_map_put(&replay->by_address, like->address, index);
	ra_util_map_put(&replay->by_handle, handle, index);
	replay->regions[index] = *like;
	replay->regions[index].before = replay->heaps[like->heap].last;
	replay->heaps[like->heap].last = index;
	replay->region_count++;
	put_memory(replay, index, false);
}

/* Resizes a region: this is a free and a new allocation. */
static void resize_region(struct replay *replay, uint64_t address, uint64_t bytes)
{
	const uint32_t index = ra_util_map_find(&replay->by_address, address);

	if (index == RA_UTIL_MAP_NONE || replay->regions[index].is_gone) {
		return;
	}
	put_memory(replay, index, true);
	replay->regions[index].bytes = bytes;
	put_memory(replay, index, false);
}

/* Reads `count` numbers. Return: false if there are fewer. */
static bool read_numbers(struct rlog_cursor *cursor, uint64_t *numbers, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct rlog_cursor_int number;

		if (rlog_cursor_read_int(cursor, &number) != 0) {
			return false;
		}
		numbers[i] = number.bits;
	}
	return true;
}

/* Reads [[address, size, handle]…] of new regions, or [[address, size]…] of existing ones. */
static void take_places(struct replay *replay, struct rlog_cursor *cursor, struct region *like,
                        uint32_t width)
{
	uint32_t count = 0;

	if (rlog_cursor_read_array(cursor, &count) != 0) {
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint64_t place[3] = { 0 };
		uint32_t elements = 0;

		if (rlog_cursor_read_array(cursor, &elements) != 0 || elements != width ||
		    !read_numbers(cursor, place, width)) {
			break;
		}
		like->address = place[0];
		like->bytes = place[1];
		if (width == 3) {
			add_region(replay, like, place[2]);
		} else {
			resize_region(replay, place[0], place[1]);
		}
	}
}

static void take_references(struct replay *replay, struct rlog_cursor *cursor, uint64_t type)
{
	const struct ra_util_map *map =
		type == BY_HANDLE ? &replay->by_handle : &replay->by_address;
	uint32_t count = 0;

	if (rlog_cursor_read_array(cursor, &count) != 0) {
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		uint64_t reference;
		uint32_t index;

		if (!read_numbers(cursor, &reference, 1)) {
			break;
		}
		index = ra_util_map_find(map, reference);
		if (index != RA_UTIL_MAP_NONE) {
			free_region(replay, index);
		}
	}
}

/* Handles one call. Malformed data are skipped; `analyzer dump` shows them. */
static void take_call(struct replay *replay, struct rlog_cursor cursor)
{
	struct region like = { 0 };
	uint64_t argument[2] = { 0 };
	uint32_t count = 0;

	if (rlog_cursor_read_array(&cursor, &count) != 0 || !read_numbers(&cursor, argument, 1)) {
		return;
	}
	switch (replay->call->function) {
	case HEAP_REGISTER:
		add_heap(replay, replay->call->name);
		ra_util_map_put(&replay->heap_of, argument[0], (uint32_t) (replay->heap_count - 1));
		return;
	case HEAP_UNREGISTER:
	case HEAP_RESET:
		free_heap(replay, find_heap(replay, argument[0]));
		return;
	case REGIONS_REGISTER:
		like.kind = argument[0] >= CUDA_ARRAY ? ON_DEVICE : 0;
		if (!read_numbers(&cursor, argument + 1, 1)) {
			return;
		}
		like.heap = find_heap(replay, argument[1]);
		take_places(replay, &cursor, &like, 3);
		return;
	case REGIONS_RESIZE:
		take_places(replay, &cursor, &like, 2);
		return;
	default:
		take_references(replay, &cursor, argument[0]);
		return;
	}
}

/* Marks frees of memory that contains regions. They are recognised by their address. */
static void mark_frees(struct ra_gpu *gpu)
{
	struct ra_util_map marked = { 0 };

	for (size_t i = 0; i < gpu->memory_count; i++) {
		struct ra_gpu_memory *memory = &gpu->memories[i];

		if (memory->is_region) {
			continue;
		}
		if (memory->has_regions) {
			ra_util_map_put(&marked, memory->address, 1);
		} else if (ra_util_map_find(&marked, memory->address) != RA_UTIL_MAP_NONE) {
			memory->has_regions = memory->is_free;
			ra_util_map_remove(&marked, memory->address);
		}
	}
	ra_util_map_free(&marked);
}

/* A call and its payload, for sorting. */
struct placed {
	int64_t time_ns;
	const struct ra_data *data;
};

static int compare_placed(const void *left, const void *right)
{
	const struct placed *a = left;
	const struct placed *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, time_ns), RA_ORDER_UP(a, b, data->owner));
}

static void take_calls(struct replay *replay, const struct ra_model *model)
{
	struct placed *placed = ra_alloc_zeros(model->call_data.count + 1, sizeof(*placed));
	size_t count = 0;

	add_heap(replay, 0);
	for (size_t i = 0; i < model->call_data.count; i++) {
		const struct ra_data *data = &model->call_data.rows[i];

		if (ra_regions_is_wanted(model->calls[data->owner].function)) {
			placed[count++] =
				(struct placed){ model->calls[data->owner].time_ns, data };
		}
	}
	RA_SORT(placed, count, compare_placed);
	for (size_t i = 0; i < count; i++) {
		const uint8_t *bytes = model->data_bytes + placed[i].data->from;

		replay->call = &model->calls[placed[i].data->owner];
		take_call(replay, (struct rlog_cursor){ bytes, bytes + placed[i].data->length });
	}
	free(placed);
}

void ra_regions_add(struct ra_builder *builder)
{
	struct ra_model *model = builder->model;
	struct replay replay = { .gpu = &model->gpu, .memory_capacity = model->gpu.memory_count };

	if (model->call_data.count == 0) {
		return;
	}
	find_pieces(&replay);
	take_calls(&replay, model);
	if (model->gpu.memory_count > 0) {
		ra_gpu_sort_memories(&model->gpu);
		mark_frees(&model->gpu);
	}
	free(replay.heaps);
	free(replay.regions);
	free(replay.pieces);
	ra_util_map_free(&replay.heap_of);
	ra_util_map_free(&replay.by_handle);
	ra_util_map_free(&replay.by_address);
}
