/* SPDX-License-Identifier: MIT */
/* The registry of programs' definitions: looked up by id without a lock, kept for fork children. */
#include "libranges/record/names/defs.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "format/wire.h"
#include "libranges/spool/arena.h"
#include "libranges/record/names/names.h"
#include "libranges/abi/nvtx-abi-payload.h"
#include "libranges/process/process.h"

#define MAX_DEFS         65536u
#define TABLE_SLOTS      (MAX_DEFS * 2)
#define MAX_MEMORY_BYTES ((size_t) 32 << 20)

/* The registry: one private mapping, which is made at the first definition and copied by fork. Only
 * touched pages take memory. All members but `ids` are used under the lock. */
struct registry {
	struct rcap_def defs[MAX_DEFS];
	/* By hash of the id: index of the definition + 1; 0: empty. Stored with release after the
	 * definition is complete. A later definition with the same id replaces the earlier one. */
	_Atomic uint32_t ids[TABLE_SLOTS];
	uint32_t contents[TABLE_SLOTS]; /* by hash of the content: index + 1; 0: empty */
	_Alignas(8) char memory[MAX_MEMORY_BYTES];
};

static struct registry *_Atomic registry; /* stored with release after it is mapped */
static uint32_t def_count;
static size_t memory_bytes;
static _Atomic uint64_t last_id = RCAP_NVTX_ID_DYNAMIC_START - 1;

static uint32_t mix(uint64_t a, uint64_t b)
{
	const uint64_t hash = (a ^ (b << 32 | b >> 32)) * UINT64_C(0x9E3779B97F4A7C15);

	return (uint32_t) (hash >> 32);
}

/* Kinds that share their ids are the same kind here. */
static uint32_t space_of(uint32_t kind)
{
	return kind == RLOG_DEF_PAYLOAD_ENUM ? RLOG_DEF_PAYLOAD_SCHEMA : kind;
}

static uint32_t hash_id(uint32_t kind, uint32_t domain, uint64_t id)
{
	return mix(id, (uint64_t) domain << 8 | space_of(kind)) % TABLE_SLOTS;
}

static bool has_id(const struct rcap_def *def, uint32_t kind, uint32_t domain, uint64_t id)
{
	return def->id == id && def->domain == domain && space_of(def->kind) == space_of(kind);
}

const struct rcap_def *rcap_defs_find(uint32_t kind, uint32_t domain, uint64_t id)
{
	/* Both acquires pair with the releases in insert(), so what is found is complete. */
	struct registry *const all = atomic_load_explicit(&registry, memory_order_acquire);
	uint32_t at = hash_id(kind, domain, id);

	for (; all; at = (at + 1) % TABLE_SLOTS) {
		const uint32_t entry = atomic_load_explicit(&all->ids[at], memory_order_acquire);

		if (entry == 0) {
			break;
		}
		if (has_id(&all->defs[entry - 1], kind, domain, id)) {
			return &all->defs[entry - 1];
		}
	}
	return NULL;
}

/* Maps the registry at the first call. The lock is held. Return: NULL if there is no memory. */
static struct registry *map_registry(void)
{
	struct registry *all = atomic_load_explicit(&registry, memory_order_relaxed);
	const int saved = errno;
	void *memory;

	if (all) {
		return all;
	}
	memory = mmap(NULL, sizeof(*all), PROT_READ | PROT_WRITE,
	              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	errno = saved;
	if (memory == MAP_FAILED) {
		return NULL;
	}
	all = memory;
	atomic_store_explicit(&registry, all, memory_order_release);
	return all;
}

void *rcap_defs_take_memory(size_t bytes)
{
	struct registry *const all = map_registry();
	char *taken;

	bytes = (bytes + 7) & ~(size_t) 7;
	if (!all || bytes > MAX_MEMORY_BYTES - memory_bytes) {
		return NULL;
	}
	taken = all->memory + memory_bytes;
	memory_bytes += bytes;
	return taken;
}

static bool is_same_bytes(const void *left, uint32_t left_bytes, const void *right,
                          uint32_t right_bytes)
{
	if (!left || !right) {
		return left == right;
	}
	return left_bytes == right_bytes && memcmp(left, right, left_bytes) == 0;
}

static bool says_same(const struct rcap_def *left, const struct rcap_def *right)
{
	return left->kind == right->kind && left->domain == right->domain &&
	       is_same_bytes(left->name, left->name_bytes, right->name, right->name_bytes) &&
	       is_same_bytes(left->detail, left->detail_bytes, right->detail, right->detail_bytes);
}

/* Finds a definition that has an id of ours and the same content. The lock is held. Return: the
 * definition; NULL, with the free slot. */
static const struct rcap_def *find_same(const struct registry *all, const struct rcap_def *wanted,
                                        uint32_t *slot)
{
	const uint32_t name = wanted->name ? rcap_names_hash(wanted->name, wanted->name_bytes) : 0;
	const uint32_t detail = rcap_names_hash(wanted->detail, wanted->detail_bytes);
	uint32_t at = mix((uint64_t) name << 32 | detail, wanted->domain) % TABLE_SLOTS;

	for (; all->contents[at] != 0; at = (at + 1) % TABLE_SLOTS) {
		const struct rcap_def *const def = &all->defs[all->contents[at] - 1];

		if (says_same(def, wanted)) {
			return def;
		}
	}
	*slot = at;
	return NULL;
}

/* Writes a definition to the log. The lock is held. */
static void define(const struct rcap_def *def, uint32_t name, uint32_t detail)
{
	const struct rlog_def row = { .kind = def->kind,
		                      .id = def->id,
		                      .parent = def->domain,
		                      .string = name,
		                      .value = detail };

	rcap_arena_add_def(&rcap_process.spool, &row);
}

/* Makes a definition visible to rcap_defs_find(). The lock is held. */
static void publish(struct registry *all, uint32_t index)
{
	const struct rcap_def *const def = &all->defs[index];
	uint32_t at = hash_id(def->kind, def->domain, def->id);
	uint32_t entry;

	for (;; at = (at + 1) % TABLE_SLOTS) {
		entry = atomic_load_explicit(&all->ids[at], memory_order_relaxed);
		if (entry == 0 || has_id(&all->defs[entry - 1], def->kind, def->domain, def->id)) {
			break;
		}
	}
	atomic_store_explicit(&all->ids[at], index + 1, memory_order_release);
}

/* Makes a definition. The lock is held. Return: NULL if there is no room. */
static struct rcap_def *insert(struct registry *all, const struct rcap_def *wanted)
{
	struct rcap_def *const def = &all->defs[def_count];
	char *copy;

	if (def_count == MAX_DEFS) {
		return NULL;
	}
	copy = rcap_defs_take_memory((size_t) wanted->name_bytes + wanted->detail_bytes);
	if (!copy) {
		return NULL;
	}
	*def = *wanted;
	if (wanted->name) {
		def->name = memcpy(copy, wanted->name, wanted->name_bytes);
	}
	if (wanted->detail) {
		def->detail =
			memcpy(copy + wanted->name_bytes, wanted->detail, wanted->detail_bytes);
	}
	publish(all, def_count++);
	return def;
}

static bool is_callers(uint64_t id)
{
	return id >= RCAP_NVTX_ID_STATIC_START && id < RCAP_NVTX_ID_DYNAMIC_START;
}

/* Under the lock. */
static const struct rcap_def *find_or_insert(struct rcap_def *wanted, bool is_shared)
{
	struct registry *const all = map_registry();
	const bool is_fresh = !is_callers(wanted->id);
	const struct rcap_def *def = NULL;
	uint32_t slot = TABLE_SLOTS;

	if (!all) {
		return NULL;
	}
	if (!is_fresh) {
		def = rcap_defs_find(wanted->kind, wanted->domain, wanted->id);
		def = def && says_same(def, wanted) ? def : NULL;
	} else if (is_shared && wanted->detail) {
		def = find_same(all, wanted, &slot);
	}
	if (def) {
		return def;
	}
	if (is_fresh) {
		wanted->id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
	}
	def = insert(all, wanted);
	if (def && slot < TABLE_SLOTS) {
		all->contents[slot] = (uint32_t) (def - all->defs) + 1;
	}
	return def;
}

/* Gets the string ids of name and detail in this capture. Context: not under the lock. */
static void intern(const struct rcap_def *def, uint32_t *name, uint32_t *detail)
{
	bool lost = false;

	*name = def->name ? rcap_names_intern(def->name, def->name_bytes, 0, NULL, &lost) : 0;
	*detail = def->detail ? rcap_names_intern_detail(def->detail, def->detail_bytes) : 0;
}

const struct rcap_def *rcap_defs_add(const struct rcap_def *wanted, bool is_shared, uint64_t *id)
{
	struct rcap_def copy = *wanted;
	const struct rcap_def *def;
	uint32_t count;
	uint32_t name = 0;
	uint32_t detail = 0;

	intern(wanted, &name, &detail);
	rcap_process_lock();
	count = def_count;
	def = find_or_insert(&copy, is_shared);
	if (def_count > count) {
		define(def, name, detail);
	}
	rcap_process_unlock();
	if (!def && !is_callers(copy.id) && copy.id < RCAP_NVTX_ID_DYNAMIC_START) {
		copy.id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
	}
	*id = def ? def->id : copy.id;
	return def;
}

void rcap_defs_replay(void)
{
	const struct registry *const all = atomic_load_explicit(&registry, memory_order_relaxed);

	for (uint32_t i = 0; i < def_count; i++) {
		const struct rcap_def *const def = &all->defs[i];
		uint32_t name = 0;
		uint32_t detail = 0;

		if (def != rcap_defs_find(def->kind, def->domain, def->id)) {
			continue; /* a later definition has replaced it */
		}
		intern(def, &name, &detail);
		define(def, name, detail);
	}
}
