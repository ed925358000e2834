/* SPDX-License-Identifier: MIT */
/* Makes the spool smaller while memory is short, and larger again afterwards. */
#include "libranges/spool/shrink.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "libranges/spool/room.h"

#define NS_PER_MS    UINT64_C(1000000)
#define LOOK_STEP_NS (200 * NS_PER_MS)
/* A spool with this size, 4 MiB, is neither checked nor made smaller. */
#define SMALL_BLOCKS 256u
/* At most this many blocks are taken back at a time, so that a turn ends soon. */
#define MAX_REGAINED 256u

/* Returns the number of blocks that have memory. */
static uint32_t count_held(const struct rcap_spool_header *header)
{
	const uint32_t ready = atomic_load_explicit(&header->ready, memory_order_acquire);
	const uint32_t gone = atomic_load_explicit(&header->gone, memory_order_relaxed);

	return ready > gone ? ready - gone : 0;
}

static bool is_too_many(const struct rcap_spool_header *header)
{
	return count_held(header) > atomic_load_explicit(&header->max_now, memory_order_relaxed);
}

static bool is_gone(const struct rcap_shrink *shrink, uint32_t block)
{
	return (shrink->gone[block / 8] >> (block % 8) & 1) != 0;
}

/* Gives the memory of a block back to the system. The block must be in no queue and no list.
 * Return: false if the system refuses. */
static bool give_to_system(struct rcap_shrink *shrink, struct rcap_spool *spool, uint32_t block)
{
	if (!shrink->gone) {
		shrink->gone = calloc(spool->header->all_blocks / 8 + 1, 1);
	}
	if (!shrink->gone ||
	    madvise(rcap_spool_block(spool, block), RCAP_BLOCK_BYTES, MADV_REMOVE) != 0) {
		return false;
	}
	shrink->gone[block / 8] |= (uint8_t) (1u << (block % 8));
	atomic_fetch_add_explicit(&spool->header->gone, 1, memory_order_relaxed);
	return true;
}

void rcap_shrink_free_block(struct rcap_shrink *shrink, struct rcap_spool *spool, uint32_t block)
{
	if (spool->path[0] == '\0' || !is_too_many(spool->header) ||
	    !give_to_system(shrink, spool, block)) {
		rcap_spool_free_block(spool, block);
	}
}

/* Gives the memory of unused blocks back to the system. */
static void give_idle(struct rcap_shrink *shrink, struct rcap_spool *spool)
{
	while (is_too_many(spool->header)) {
		const uint32_t block = rcap_spool_pop_free(spool);

		if (block == RCAP_NO_BLOCK) {
			return;
		}
		if (!give_to_system(shrink, spool, block)) {
			rcap_spool_free_block(spool, block);
			return;
		}
	}
}

/* Takes blocks back if there is enough memory again. */
static void regain(struct rcap_shrink *shrink, struct rcap_spool *spool)
{
	struct rcap_spool_header *header = spool->header;
	const uint32_t max_now = atomic_load_explicit(&header->max_now, memory_order_relaxed);
	uint32_t regained = 0;

	for (uint32_t i = 0; i < header->all_blocks && regained < MAX_REGAINED &&
	                     atomic_load_explicit(&header->gone, memory_order_relaxed) > 0 &&
	                     count_held(header) < max_now;
	     i++) {
		if (!is_gone(shrink, i)) {
			continue;
		}
		if (rcap_spool_claim(spool, spool->drain_fd, i, i + 1) <= 0) {
			return;
		}
		shrink->gone[i / 8] &= (uint8_t) ~(1u << (i % 8));
		atomic_fetch_sub_explicit(&header->gone, 1, memory_order_relaxed);
		rcap_spool_free_block(spool, i);
		regained++;
	}
}

void rcap_shrink_watch(struct rcap_shrink *shrink, struct rcap_spool *spool, int64_t pid,
                       uint64_t now_ns)
{
	struct rcap_spool_header *header = spool->header;
	const uint64_t held = count_held(header);
	struct rcap_room room;
	uint64_t blocks;

	if (now_ns < shrink->next_look_ns || spool->path[0] == '\0' ||
	    (held <= SMALL_BLOCKS && !shrink->gone)) {
		return;
	}
	shrink->next_look_ns = now_ns + LOOK_STEP_NS;
	rcap_room_look("", pid, &room);
	if (room.bound == RCAP_ROOM_ADDRESSES) {
		return; /* the spool has reserved all its address space at the start */
	}
	blocks = (room.bytes / RCAP_BLOCK_BYTES + held) / RCAP_ROOM_SHARE;
	if (blocks < SMALL_BLOCKS) {
		blocks = SMALL_BLOCKS;
	}
	atomic_store_explicit(&header->max_now,
	                      blocks < header->max_blocks ? (uint32_t) blocks : header->max_blocks,
	                      memory_order_relaxed);
	give_idle(shrink, spool);
	if (shrink->gone) {
		regain(shrink, spool);
	}
}

void rcap_shrink_fini(struct rcap_shrink *shrink)
{
	free(shrink->gone);
	shrink->gone = NULL;
}
