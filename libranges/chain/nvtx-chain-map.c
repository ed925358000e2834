/* SPDX-License-Identifier: MIT */
/*
 * A hash table without locks, because a signal handler may use it at any time. A key is in one of
 * WINDOW adjacent slots. Each search checks all of them until it finds the key, so a slot can be
 * emptied without leaving a mark.
 */
#include "libranges/chain/nvtx-chain-map.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

#define TABLE_BITS  18u
#define TABLE_SLOTS (1u << TABLE_BITS)
#define WINDOW      64u

/* Values of slot.ours that are not keys. */
#define EMPTY 0u
#define BUSY  UINT64_MAX

struct slot {
	_Atomic uint64_t ours; /* stored last (release) and read first (acquire) */
	_Atomic uint64_t theirs;
	_Atomic uint32_t kind;
	_Atomic uint32_t uses;
};

struct table {
	struct slot slots[TABLE_SLOTS + WINDOW];
};

/* tables[0] has handles, tables[1] has ranges. */
static struct table *tables;

static struct slot *window_of(struct rcap_chain_key key)
{
	/* Fibonacci hashing: the upper bits of the product depend on all bits of the key. */
	const uint64_t mixed =
		(key.ours ^ (uint64_t) key.kind << 48) * UINT64_C(0x9E3779B97F4A7C15);

	return &tables[key.kind == RCAP_CHAIN_RANGE].slots[mixed >> (64 - TABLE_BITS)];
}

bool rcap_nvtx_chain_map_open(void)
{
	void *memory = mmap(NULL, 2 * sizeof(*tables), PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED) {
		return false;
	}
	tables = memory;
	return true;
}

static struct slot *find(struct rcap_chain_key key)
{
	struct slot *slot = window_of(key);

	if (key.ours == EMPTY || key.ours == BUSY) {
		return NULL;
	}
	for (struct slot *end = slot + WINDOW; slot < end; slot++) {
		/* Acquire pairs with the release in fill(): the other members belong to this
		 * key. */
		if (atomic_load_explicit(&slot->ours, memory_order_acquire) == key.ours &&
		    atomic_load_explicit(&slot->kind, memory_order_relaxed) == key.kind) {
			return slot;
		}
	}
	return NULL;
}

/* Stores a mapping in the first empty slot of the window. Return: false if there is none. */
static bool fill(struct rcap_chain_key key, uint64_t theirs)
{
	struct slot *slot = window_of(key);

	for (struct slot *end = slot + WINDOW; slot < end; slot++) {
		uint64_t expected = EMPTY;

		if (atomic_load_explicit(&slot->ours, memory_order_relaxed) != EMPTY ||
		    !atomic_compare_exchange_strong_explicit(&slot->ours, &expected, BUSY,
		                                             memory_order_acquire,
		                                             memory_order_relaxed)) {
			continue;
		}
		atomic_store_explicit(&slot->kind, key.kind, memory_order_relaxed);
		atomic_store_explicit(&slot->theirs, theirs, memory_order_relaxed);
		atomic_store_explicit(&slot->uses, 1, memory_order_relaxed);
		/* Release pairs with the acquire in find(). */
		atomic_store_explicit(&slot->ours, key.ours, memory_order_release);
		return true;
	}
	return false;
}

bool rcap_nvtx_chain_map_put(struct rcap_chain_key key, uint64_t theirs)
{
	struct slot *slot = find(key);

	if (slot) {
		atomic_store_explicit(&slot->theirs, theirs, memory_order_relaxed);
		atomic_fetch_add_explicit(&slot->uses, 1, memory_order_relaxed);
		return true;
	}
	return key.ours != EMPTY && key.ours != BUSY && fill(key, theirs);
}

bool rcap_nvtx_chain_map_get(struct rcap_chain_key key, uint64_t *theirs)
{
	const struct slot *slot = find(key);

	if (!slot) {
		return false;
	}
	*theirs = atomic_load_explicit(&slot->theirs, memory_order_relaxed);
	return true;
}

bool rcap_nvtx_chain_map_take(struct rcap_chain_key key, uint64_t *theirs)
{
	struct slot *slot = find(key);
	uint64_t expected = key.ours;
	uint64_t value;

	if (!slot ||
	    !atomic_compare_exchange_strong_explicit(&slot->ours, &expected, BUSY,
	                                             memory_order_acquire, memory_order_relaxed)) {
		return false;
	}
	value = atomic_load_explicit(&slot->theirs, memory_order_relaxed);
	/* Release pairs with the acquire of the next fill(). */
	atomic_store_explicit(&slot->ours, EMPTY, memory_order_release);
	*theirs = value;
	return true;
}

bool rcap_nvtx_chain_map_release(struct rcap_chain_key key)
{
	struct slot *slot = find(key);

	return slot && atomic_fetch_sub_explicit(&slot->uses, 1, memory_order_relaxed) == 1;
}
