/* SPDX-License-Identifier: MIT */
/* The registry of domains, registered strings and categories. */
#include "libranges/record/names/handles.h"

#include <string.h>
#include <sys/mman.h>

#include "libranges/spool/arena.h"
#include "libranges/settings/filter.h"
#include "libranges/record/names/names.h"
#include "libranges/process/oddity.h"
#include "libranges/process/process.h"

#define MAX_HANDLES    131072u
#define MAX_DOMAINS    65535u
#define MAX_CATEGORIES 16384u
#define TABLE_SLOTS    (MAX_HANDLES * 2)
#define MAX_TEXT_BYTES (32u << 20)
/* The log has the names of at most this many domains that are left out. More names would only take
 * room from others. */
#define MAX_OFF_TOLD 1024u

struct category {
	uint32_t domain;
	uint32_t id;
	const char *text;
	uint32_t length;
};

/* The registry: one private mapping, which is made at the first use and copied by fork. Only
 * touched pages take memory. */
struct registry {
	struct rcap_handle handles[MAX_HANDLES];
	uint32_t table[TABLE_SLOTS]; /* index of the handle + 1; 0: empty; used under the lock */
	struct category categories[MAX_CATEGORIES];
	char text[MAX_TEXT_BYTES];
};

static struct registry *registry;
const struct rcap_handle *rcap_handles_base __attribute__((visibility("hidden")));
_Atomic uint32_t rcap_handles_count __attribute__((visibility("hidden")));
_Atomic uint32_t rcap_handles_default __attribute__((visibility("hidden")));
static uint32_t domain_count;
static _Atomic uint32_t off_count; /* number of domains that are left out, without the default one;
                                    * relaxed */
static uint32_t category_count;
static size_t text_bytes;

static const char *keep_text(const char *bytes, size_t length)
{
	char *copy = registry->text + text_bytes;

	if (length > MAX_TEXT_BYTES - text_bytes) {
		return NULL;
	}
	memcpy(copy, bytes, length);
	text_bytes += length;
	return copy;
}

static bool define(uint32_t kind, uint64_t id, uint64_t parent, uint32_t string_id)
{
	const struct rlog_def def = {
		.kind = kind, .id = id, .parent = parent, .string = string_id
	};

	return rcap_arena_add_def(&rcap_process.spool, &def) == 0;
}

/* Finds a handle. The lock is held. Return: the handle; NULL, with the free slot of the table. */
static const struct rcap_handle *find(const struct rcap_handle *wanted, uint32_t *slot)
{
	uint32_t at = (rcap_names_hash(wanted->text, wanted->length) ^ wanted->kind * 0x51ED27u ^
	               wanted->domain * 0x2545F491u) %
	              TABLE_SLOTS;

	for (;; at = (at + 1) % TABLE_SLOTS) {
		const struct rcap_handle *handle;

		if (registry->table[at] == 0) {
			*slot = at;
			return NULL;
		}
		handle = &registry->handles[registry->table[at] - 1];
		if (handle->kind == wanted->kind && handle->length == wanted->length &&
		    handle->full_length == wanted->full_length &&
		    (handle->kind == RCAP_HANDLE_DOMAIN || handle->domain == wanted->domain) &&
		    memcmp(handle->text, wanted->text, wanted->length) == 0) {
			return handle;
		}
	}
}

/* Writes the definition of a domain to the log. The lock is held. */
static void define_domain(const struct rcap_handle *handle, uint32_t string_id)
{
	const uint32_t off = handle->domain - RCAP_DOMAIN_OFF;

	if (handle->domain < RCAP_DOMAIN_OFF) {
		define(RLOG_DEF_DOMAIN, handle->domain, 0, string_id);
	} else if (off <= MAX_OFF_TOLD) {
		define(RLOG_DEF_DOMAIN_OFF, off, 0, string_id);
	}
}

/* Gives a new domain its id. The lock is held. */
static void number_domain(struct rcap_handle *handle)
{
	if (handle->domain >= RCAP_DOMAIN_OFF) {
		handle->domain = RCAP_DOMAIN_OFF + 1 +
		                 atomic_fetch_add_explicit(&off_count, 1, memory_order_relaxed);
	} else {
		handle->domain = ++domain_count;
	}
	define_domain(handle, atomic_load_explicit(&handle->string_id, memory_order_relaxed));
}

static bool is_off(const struct rcap_handle *handle)
{
	return handle->domain >= RCAP_DOMAIN_OFF;
}

/* True if there is room for a handle. Strings of domains that are left out may take only half of
 * the registry, because most of them will never be recorded. */
static bool has_room(const struct rcap_handle *wanted, uint32_t index)
{
	if (is_off(wanted) && wanted->kind == RCAP_HANDLE_STRING) {
		return index < MAX_HANDLES / 2 && text_bytes < MAX_TEXT_BYTES / 2;
	}
	return index < MAX_HANDLES - 1;
}

/* Makes a handle. The lock is held. */
static const struct rcap_handle *insert(const struct rcap_handle *wanted, uint32_t slot)
{
	const uint32_t index = atomic_load_explicit(&rcap_handles_count, memory_order_relaxed);
	struct rcap_handle *handle = &registry->handles[index];
	const char *text;

	if (!has_room(wanted, index) || (wanted->kind == RCAP_HANDLE_DOMAIN && !is_off(wanted) &&
	                                 domain_count >= MAX_DOMAINS)) {
		return NULL;
	}
	text = keep_text(wanted->text, wanted->length);
	if (!text) {
		return NULL;
	}
	*handle = *wanted;
	handle->text = text;
	if (handle->kind == RCAP_HANDLE_DOMAIN) {
		number_domain(handle);
	}
	if (handle->kind == RCAP_HANDLE_STRING && !is_off(handle)) {
		define(RLOG_DEF_REGISTERED_STRING, (uintptr_t) handle, handle->domain,
		       atomic_load_explicit(&handle->string_id, memory_order_relaxed));
	}
	registry->table[slot] = index + 1;
	atomic_store_explicit(&rcap_handles_count, index + 1, memory_order_release);
	return handle;
}

static bool map_registry(void)
{
	void *memory;

	if (registry) {
		return true;
	}
	memory = mmap(NULL, sizeof(*registry), PROT_READ | PROT_WRITE,
	              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED) {
		return false;
	}
	registry = memory;
	rcap_handles_base = registry->handles;
	return true;
}

void rcap_handles_decide_default(const char *list)
{
	const size_t length = strlen(RCAP_FILTER_DEFAULT);
	char why[1];
	const bool is_on = !list || strlen(list) >= RCAP_FILTER_BYTES ||
	                   !rcap_filter_is_valid(list, why, sizeof(why)) ||
	                   rcap_filter_is_on(list, RCAP_FILTER_DEFAULT, length);

	atomic_store_explicit(&rcap_handles_default, is_on ? 0 : RCAP_DOMAIN_OFF,
	                      memory_order_relaxed);
}

/* Sets the members of a new handle that depend on the filter and on this capture. Context: not
 * under the lock. */
static void fill_wanted(struct rcap_handle *wanted)
{
	bool lost = false;

	if (wanted->kind == RCAP_HANDLE_DOMAIN) {
		wanted->domain =
			rcap_filter_is_on(rcap_process.config.domains, wanted->text, wanted->length)
				? 0
				: RCAP_DOMAIN_OFF;
	}
	if (is_off(wanted) &&
	    (wanted->kind == RCAP_HANDLE_STRING ||
	     atomic_load_explicit(&off_count, memory_order_relaxed) >= MAX_OFF_TOLD)) {
		return; /* the generation is not set: rcap_handles_string() stores the text when it
		         * is first used */
	}
	atomic_init(&wanted->string_id, rcap_names_intern(wanted->text, wanted->length,
	                                                  wanted->full_length, NULL, &lost));
	atomic_init(&wanted->generation, rcap_process.generation);
}

uint32_t rcap_handles_default_domain(const void *pointer)
{
	if (pointer) {
		rcap_oddity_count(RLOG_ODDITY_WILD_HANDLE);
	}
	return atomic_load_explicit(&rcap_handles_default, memory_order_relaxed);
}

const struct rcap_handle *rcap_handles_make(enum rcap_handle_kind kind, uint32_t domain,
                                            const char *bytes, size_t length, size_t full_length)
{
	const size_t max = rcap_process.config.string_max_bytes;
	struct rcap_handle wanted = { .kind = (uint32_t) kind, .domain = domain, .text = bytes };
	const struct rcap_handle *handle;
	uint32_t slot = 0;

	wanted.length = (uint32_t) (length < max ? length : max);
	wanted.full_length = (uint32_t) (full_length > length ? full_length : length);
	fill_wanted(&wanted);
	rcap_process_lock();
	handle = find(&wanted, &slot);
	if (!handle) {
		handle = insert(&wanted, slot);
	}
	rcap_process_unlock();
	if (!handle) {
		rcap_oddity_count(RLOG_ODDITY_NO_HANDLE);
	}
	return handle;
}

uint32_t rcap_handles_string(const struct rcap_handle *handle, bool *lost)
{
	struct rcap_handle *writable;
	uint32_t id;

	if (rcap_handles_is_current(handle)) {
		return rcap_handles_current_id(handle);
	}
	writable = &registry->handles[handle - registry->handles];
	id = rcap_names_intern(handle->text, handle->length, handle->full_length, NULL, lost);
	atomic_store_explicit(&writable->string_id, id, memory_order_relaxed);
	atomic_store_explicit(&writable->generation, rcap_process.generation, memory_order_release);
	return id;
}

bool rcap_handles_is_domain(uint32_t domain, const char *name)
{
	const uint32_t count = atomic_load_explicit(&rcap_handles_count, memory_order_acquire);

	if (domain == 0) {
		return strcmp(name, RCAP_FILTER_DEFAULT) == 0;
	}
	for (uint32_t i = 0; i < count; i++) {
		const struct rcap_handle *handle = &registry->handles[i];

		if (handle->kind == RCAP_HANDLE_DOMAIN && handle->domain == domain) {
			return strlen(name) == handle->length &&
			       memcmp(name, handle->text, handle->length) == 0;
		}
	}
	return false;
}

void rcap_handles_name_category(uint32_t domain, uint32_t category, uint32_t string_id,
                                const char *bytes, size_t length)
{
	uint32_t i = 0;
	const char *text;

	rcap_process_lock();
	define(RLOG_DEF_CATEGORY, category, domain, string_id);
	text = keep_text(bytes, length);
	while (i < category_count && (registry->categories[i].domain != domain ||
	                              registry->categories[i].id != category)) {
		i++;
	}
	/* A name that does not fit here is in this log in any case. Only a later fork child lacks
	 * it. */
	if (text && i < MAX_CATEGORIES) {
		registry->categories[i] = (struct category){
			.domain = domain, .id = category, .text = text, .length = (uint32_t) length
		};
		category_count += i == category_count;
	}
	rcap_process_unlock();
}

bool rcap_handles_replay(void)
{
	const uint32_t count = atomic_load_explicit(&rcap_handles_count, memory_order_relaxed);
	bool lost = false;

	if (!map_registry()) {
		return false;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct rcap_handle *handle = &registry->handles[i];

		if (handle->kind == RCAP_HANDLE_DOMAIN &&
		    handle->domain <= RCAP_DOMAIN_OFF + MAX_OFF_TOLD) {
			define_domain(handle, rcap_handles_string(handle, &lost));
		} else if (handle->kind == RCAP_HANDLE_STRING && !is_off(handle)) {
			define(RLOG_DEF_REGISTERED_STRING, (uintptr_t) handle, handle->domain,
			       rcap_handles_string(handle, &lost));
		}
	}
	if (rcap_handles_is_off(NULL)) {
		define(RLOG_DEF_DOMAIN_OFF, 0, 0,
		       rcap_names_intern(RCAP_FILTER_DEFAULT, strlen(RCAP_FILTER_DEFAULT), 0, NULL,
		                         &lost));
	}
	for (uint32_t i = 0; i < category_count; i++) {
		const struct category *category = &registry->categories[i];

		define(RLOG_DEF_CATEGORY, category->id, category->domain,
		       rcap_names_intern(category->text, category->length, 0, NULL, &lost));
	}
	return true;
}
