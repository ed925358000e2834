/* SPDX-License-Identifier: MIT */
/* Stores names in a table with open addressing. It is read without a lock and written under the
 * lock. */
#include "libranges/record/names/names.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "libranges/spool/arena.h"
#include "libranges/process/process.h"

/* The name that replaces all names that did not fit. It is interned first, so its id is 1. */
#define PLACEHOLDER "(name table full)"

/* The table begins with at most this many slots. It doubles when half of the slots are taken. */
#define FIRST_SLOTS (UINT64_C(1) << 18)

struct table {
	struct table *smaller; /* the previous table, which threads may still be reading */
	uint64_t slot_count;   /* a power of 2 */
	/* The hash is in the high half, the id in the low half. 0: empty. Written under the lock,
	 * with release, after the text is in texts[]. Read with acquire. */
	_Atomic uint64_t slots[];
};

static struct {
	/* Stored with release after its slots. If a text is not found while the table is being
	 * replaced, it is looked up again under the lock. */
	struct table *_Atomic table;
	const char **texts; /* indexed by id: copies in the arena; each has its record before it */
	size_t texts_bytes; /* bytes mapped for `texts` */
	size_t text_bytes;  /* bytes of all texts so far */
	uint32_t count;
} names;

uint32_t rcap_names_hash(const char *bytes, size_t length)
{
	const uint64_t factor = 0x9E3779B97F4A7C15u; /* 2^64 / golden ratio */
	uint64_t hash = length * factor;
	uint64_t word;

	for (; length >= 8; bytes += 8, length -= 8) {
		memcpy(&word, bytes, 8);
		hash = (hash ^ word) * factor;
		hash ^= hash >> 29;
	}
	word = 0;
	memcpy(&word, bytes, length);
	hash = (hash ^ word) * factor;
	hash ^= hash >> 32;
	return (uint32_t) (hash | 1); /* never 0 */
}

static void *map(size_t bytes)
{
	void *const memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

static size_t table_bytes(uint64_t slot_count)
{
	return sizeof(struct table) + (size_t) slot_count * sizeof(_Atomic uint64_t);
}

static struct table *make_table(uint64_t slot_count)
{
	struct table *const table = map(table_bytes(slot_count));

	if (table) {
		table->slot_count = slot_count;
	}
	return table;
}

static void unmap_all(void)
{
	struct table *table = atomic_load_explicit(&names.table, memory_order_relaxed);

	while (table) {
		struct table *const smaller = table->smaller;

		munmap(table, table_bytes(table->slot_count));
		table = smaller;
	}
	if (names.texts) {
		munmap((void *) names.texts, names.texts_bytes);
	}
	memset(&names, 0, sizeof(names));
}

bool rcap_names_reset(void)
{
	const uint64_t max = rcap_process.config.names_max;
	uint64_t slots = 1024;
	struct table *table;
	bool lost = false;

	unmap_all();
	while (slots < 2 * (max + 2) && slots < FIRST_SLOTS) {
		slots *= 2;
	}
	names.texts_bytes = (size_t) (max + 2) * sizeof(char *);
	names.texts = map(names.texts_bytes);
	table = make_table(slots);
	atomic_store_explicit(&names.table, table, memory_order_release);
	if (!names.texts || !table) {
		unmap_all();
		return false;
	}
	return rcap_names_intern(PLACEHOLDER, sizeof(PLACEHOLDER) - 1, 0, NULL, &lost) == 1;
}

static const struct rcap_record *record_of(const char *text)
{
	return (const struct rcap_record *) (const void *) text - 1;
}

static bool is_same(const char *text, const struct rlog_string *string)
{
	const struct rcap_record *record = record_of(text);

	return record->bytes == string->length && record->full_length == string->full_length &&
	       memcmp(text, string->bytes, string->length) == 0;
}

/* Looks up a text. Return: its id; 0, with the slot at which the search ended. */
static uint32_t find(const struct rlog_string *string, uint32_t hash, _Atomic uint64_t **slot)
{
	/* Acquire pairs with the release of the thread that enlarged the table. */
	struct table *const table = atomic_load_explicit(&names.table, memory_order_acquire);
	const uint32_t mask = (uint32_t) table->slot_count - 1;

	for (uint32_t at = hash & mask;; at = (at + 1) & mask) {
		const uint64_t entry =
			atomic_load_explicit(&table->slots[at], memory_order_acquire);
		const uint32_t id = (uint32_t) entry;

		if (entry == 0) {
			*slot = &table->slots[at];
			return 0;
		}
		if ((uint32_t) (entry >> 32) == hash && is_same(names.texts[id], string)) {
			return id;
		}
	}
}

/* Doubles the table if half of it is taken. The lock is held. Return: true if there is a free
 * slot. */
static bool make_room(void)
{
	struct table *const table = atomic_load_explicit(&names.table, memory_order_relaxed);
	struct table *larger;
	uint32_t mask;

	if (names.count < table->slot_count / 2) {
		return true;
	}
	larger = make_table(2 * table->slot_count);
	if (!larger) {
		return names.count < table->slot_count - table->slot_count / 8;
	}
	mask = (uint32_t) larger->slot_count - 1;
	for (uint64_t i = 0; i < table->slot_count; i++) {
		const uint64_t entry = atomic_load_explicit(&table->slots[i], memory_order_relaxed);
		uint32_t at = (uint32_t) (entry >> 32) & mask;

		if (entry == 0) {
			continue;
		}
		while (atomic_load_explicit(&larger->slots[at], memory_order_relaxed) != 0) {
			at = (at + 1) & mask;
		}
		atomic_store_explicit(&larger->slots[at], entry, memory_order_relaxed);
	}
	larger->smaller = table;
	atomic_store_explicit(&names.table, larger, memory_order_release);
	return true;
}

/* Stores a text. The lock is held. @share: part of the limits that may be used; 1: all, 2: half.
 * Return: id; 0 if there is no room. */
static uint32_t insert(const struct rlog_string *string, uint32_t hash, unsigned share)
{
	const char *text = NULL;
	_Atomic uint64_t *slot = NULL;
	uint32_t id = find(string, hash, &slot); /* another thread may have stored it meanwhile */

	if (id != 0) {
		return id;
	}
	if (names.count > rcap_process.config.names_max / share ||
	    names.text_bytes + string->length > rcap_process.config.names_bytes / share ||
	    !make_room() || rcap_arena_add_string(&rcap_process.spool, string, &text) != 0) {
		return 0;
	}
	find(string, hash, &slot); /* the table may have been replaced */
	id = ++names.count;
	names.text_bytes += string->length;
	names.texts[id] = text;
	atomic_store_explicit(slot, (uint64_t) hash << 32 | id, memory_order_release);
	return id;
}

/* Finds or stores a text. Return: id; 0 if the text is new and there is no room. */
static uint32_t find_or_insert(const struct rlog_string *string, unsigned share)
{
	const uint32_t hash = rcap_names_hash(string->bytes, string->length);
	_Atomic uint64_t *slot = NULL;
	uint32_t id = find(string, hash, &slot);

	if (id == 0) {
		rcap_process_lock();
		id = insert(string, hash, share);
		rcap_process_unlock();
	}
	return id;
}

uint32_t rcap_names_intern_detail(const void *bytes, size_t length)
{
	const struct rlog_string string = { .bytes = bytes,
		                            .length = (uint32_t) length,
		                            .full_length = (uint32_t) length };

	/* Details may take half of the table, so that many definitions do not take the names of
	 * ranges away. */
	return length > RLOG_MAX_STRING_BYTES ? 0 : find_or_insert(&string, 2);
}

uint32_t rcap_names_intern(const char *bytes, size_t length, size_t full_length, const char **copy,
                           bool *lost)
{
	const size_t max = rcap_process.config.string_max_bytes;
	struct rlog_string string = { .bytes = bytes, .length = (uint32_t) length };
	uint32_t id;

	if (full_length < length) {
		full_length = length;
	}
	if (length > max) {
		string.length = (uint32_t) max;
	}
	string.full_length = full_length > UINT32_MAX ? UINT32_MAX : (uint32_t) full_length;
	id = find_or_insert(&string, 1);
	if (id == 0) {
		*lost = true;
		id = names.count > 0 ? 1 : 0;
		string.length = 0; /* there is no copy that can be compared */
		string.full_length = 1;
	}
	if (copy) {
		/* A text with a NUL inside can't be compared by strcmp. Only registered strings can
		 * have a NUL inside, and their callers ask for no copy. */
		*copy = string.length == string.full_length ? names.texts[id] : NULL;
	}
	return id;
}
