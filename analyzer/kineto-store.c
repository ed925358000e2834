/* SPDX-License-Identifier: MIT */
/* Fills struct ra_kineto: interned strings, columns, and what has no column, packed. */
#include "analyzer/kineto-store.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/kineto-kinds.h"
#include "analyzer/kineto-number.h"
#include "analyzer/util.h"
#include "format/error.h"

#define FIRST_SLOTS 4096
#define ARENA_BYTES ((size_t) 1 << 18)

/* A block of strings' bytes; the newest has the others behind it. */
struct block {
	struct block *next;
	char bytes[];
};

void ra_kineto_store_fini(struct ra_kineto_store *store)
{
	free(store->string_slots);
	free(store->items);
	ra_util_map_free(&store->layouts);
	ra_util_map_free(&store->threads);
	ra_util_map_free(&store->category_index);
	memset(store, 0, sizeof(*store));
}

static uint64_t read_8(const char *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

static uint32_t read_4(const char *bytes)
{
	uint32_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

/* A text below eight bytes as a number, another one for each text of the length. Not by memcpy() of
 * @length bytes into a word: the processor can't read at once what was written byte by byte. */
static inline uint64_t read_short(const char *bytes, size_t length)
{
	if (length >= 4) {
		return (uint64_t) read_4(bytes + length - 4) << 32 | read_4(bytes);
	}
	return length == 0
	               ? 0
	               : (uint64_t) (uint8_t) bytes[length - 1] << 16 |
	                         (uint64_t) (uint8_t) bytes[length / 2] << 8 | (uint8_t) bytes[0];
}

/* Eight bytes at a time: names of kernels are hundreds of bytes long. */
static uint64_t hash_bytes(const char *bytes, size_t length)
{
	uint64_t h = length * UINT64_C(0x9E3779B97F4A7C15);

	while (length >= 8) {
		h = (h ^ read_8(bytes)) * UINT64_C(0xBF58476D1CE4E5B9);
		h ^= h >> 32;
		bytes += 8;
		length -= 8;
	}
	h = (h ^ read_short(bytes, length)) * UINT64_C(0x94D049BB133111EB);
	return h ^ h >> 29;
}

/* Most texts are short: a call of memcmp() would take longer than the comparison. */
static inline bool has_text(const struct ra_kineto *k, uint32_t id, const char *bytes,
                            size_t length)
{
	const struct rlog_string text = k->strings[id];

	if (text.length != length) {
		return false;
	}
	if (length < 4) {
		return read_short(text.bytes, length) == read_short(bytes, length);
	}
	if (length < 8) {
		return read_4(text.bytes) == read_4(bytes) &&
		       read_4(text.bytes + length - 4) == read_4(bytes + length - 4);
	}
	for (size_t i = 0; i + 8 < length; i += 8) {
		if (read_8(text.bytes + i) != read_8(bytes + i)) {
			return false;
		}
	}
	return read_8(text.bytes + length - 8) == read_8(bytes + length - 8);
}

static int grow_slots(struct ra_kineto_store *store)
{
	const size_t count =
		store->string_slot_count == 0 ? FIRST_SLOTS : store->string_slot_count * 2;
	uint32_t *slots = malloc(count * 2 * sizeof(*slots));

	if (slots == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	memset(slots, 0xFF, count * 2 * sizeof(*slots));
	for (size_t i = 0; i < store->string_slot_count; i++) {
		const uint32_t *old = &store->string_slots[2 * i];
		size_t slot = old[0] & (count - 1);

		if (old[1] == RA_KINETO_NONE) {
			continue;
		}
		while (slots[2 * slot + 1] != RA_KINETO_NONE) {
			slot = (slot + 1) & (count - 1);
		}
		slots[2 * slot] = old[0];
		slots[2 * slot + 1] = old[1];
	}
	free(store->string_slots);
	store->string_slots = slots;
	store->string_slot_count = count;
	return 0;
}

/* Copies a text into the arena. */
static const char *keep_bytes(struct ra_kineto_store *store, const char *bytes, size_t length)
{
	char *place;

	if (length > store->arena_left) {
		const size_t size = length > ARENA_BYTES / 4 ? length : ARENA_BYTES;
		struct block *block = malloc(sizeof(*block) + size);

		if (block == NULL) {
			return NULL;
		}
		block->next = store->kineto->arena;
		store->kineto->arena = block;
		if (size == length) {
			return memcpy(block->bytes, bytes, length);
		}
		store->arena_next = block->bytes;
		store->arena_left = size;
	}
	place = store->arena_next;
	memcpy(place, bytes, length);
	store->arena_next += length;
	store->arena_left -= length;
	return place;
}

static uint32_t add_string(struct ra_kineto_store *store, const char *bytes, size_t length)
{
	struct ra_kineto *k = store->kineto;
	const char *kept;

	if (length > UINT32_MAX / 2 || k->string_count >= RA_KINETO_NONE - 1 ||
	    ra_util_grow(&k->strings, &store->string_capacity, k->string_count + 1,
	                 sizeof(*k->strings)) != 0) {
		return RA_KINETO_NONE;
	}
	kept = length == 0 ? "" : keep_bytes(store, bytes, length);
	if (kept == NULL) {
		return RA_KINETO_NONE;
	}
	k->strings[k->string_count] =
		(struct rlog_string){ kept, (uint32_t) length, (uint32_t) length };
	return (uint32_t) k->string_count++;
}

uint32_t ra_kineto_store_string(struct ra_kineto_store *store, const char *bytes, size_t length)
{
	struct ra_kineto *k = store->kineto;
	const uint32_t hash = (uint32_t) hash_bytes(bytes, length);
	uint32_t *recent = &store->recent[hash % RA_KINETO_STORE_RECENT];
	size_t slot;

	if (length == 0) {
		return 0;
	}
	if (has_text(k, *recent, bytes, length)) {
		return *recent;
	}
	if (k->string_count >= store->string_slot_count / 8 * 5 && grow_slots(store) != 0) {
		return RA_KINETO_NONE;
	}
	for (slot = hash & (store->string_slot_count - 1);;
	     slot = (slot + 1) & (store->string_slot_count - 1)) {
		const uint32_t *known = &store->string_slots[2 * slot];

		if (known[1] == RA_KINETO_NONE) {
			break;
		}
		if (known[0] == hash && has_text(k, known[1], bytes, length)) {
			*recent = known[1];
			return known[1];
		}
	}
	const uint32_t id = add_string(store, bytes, length);

	if (id != RA_KINETO_NONE) {
		store->string_slots[2 * slot] = hash;
		store->string_slots[2 * slot + 1] = id;
		*recent = id;
	}
	return id;
}

uint32_t ra_kineto_store_likely(struct ra_kineto_store *store, uint32_t *likely, const char *bytes,
                                size_t length)
{
	if (!has_text(store->kineto, *likely, bytes, length)) {
		const uint32_t id = ra_kineto_store_string(store, bytes, length);

		*likely = id == RA_KINETO_NONE ? 0 : id;
		return id;
	}
	return *likely;
}

uint32_t ra_kineto_store_key(struct ra_kineto_store *store, uint32_t before, const char *bytes,
                             size_t length)
{
	return ra_kineto_store_likely(store, &store->followers[before % RA_KINETO_STORE_FOLLOWERS],
	                              bytes, length);
}

int ra_kineto_store_init(struct ra_kineto_store *store, struct ra_kineto *kineto)
{
	static const char *const keys[] = { "",
#define KEY_TEXT(name, text) text,
		                            RA_KINETO_KEYS(KEY_TEXT)
#undef KEY_TEXT
	};

	memset(store, 0, sizeof(*store));
	store->kineto = kineto;
	store->newest_thread_key = UINT64_MAX;
	if (grow_slots(store) != 0) {
		return -RLOG_E_NO_MEMORY;
	}
	/* The empty string first, which is not looked up. */
	if (add_string(store, "", 0) != 0) {
		return -RLOG_E_NO_MEMORY;
	}
	for (size_t i = 1; i < RA_KINETO_KEY_COUNT; i++) {
		if (ra_kineto_store_string(store, keys[i], strlen(keys[i])) != i) {
			return -RLOG_E_NO_MEMORY;
		}
	}
	if (ra_util_grow(&kineto->categories, &store->category_capacity, 1,
	                 sizeof(*kineto->categories)) != 0) {
		return -RLOG_E_NO_MEMORY;
	}
	kineto->categories[0] = (struct ra_kineto_category){ 0 };
	kineto->category_count = 1;
	return 0;
}

int ra_kineto_store_item(struct ra_kineto_store *store, const struct ra_kineto_item *item)
{
	const int rc = ra_util_grow(&store->items, &store->item_capacity, store->item_count + 1,
	                            sizeof(*item));

	if (rc == 0) {
		store->items[store->item_count++] = *item;
	}
	return rc;
}

int ra_kineto_store_number(struct ra_kineto_store *store, const char *text, size_t length,
                           struct ra_kineto_item *item)
{
	struct ra_kineto_number number;

	if (ra_kineto_number_parse(text, length, &number) && number.is_plain &&
	    number.digits < INT64_MAX / 16 && number.digits > INT64_MIN / 16) {
		const uint64_t zigzag =
			(uint64_t) number.digits << 1 ^ (number.digits < 0 ? UINT64_MAX : 0);

		item->tag = number.scale == 0 ? RA_KINETO_TAG_INT : RA_KINETO_TAG_DECIMAL;
		item->payload = number.scale == 0 ? zigzag : number.scale;
		item->digits = zigzag;
		return 0;
	}
	item->tag = RA_KINETO_TAG_NUMBER;
	item->payload = ra_kineto_store_string(store, text, length);
	return item->payload == RA_KINETO_NONE ? -RLOG_E_NO_MEMORY : 0;
}

static bool is_layout(const struct ra_kineto_store *store, uint32_t layout)
{
	const struct ra_kineto *k = store->kineto;
	const uint32_t *keys = k->layout_keys + k->layouts[layout].first;

	if (k->layouts[layout].count != store->item_count) {
		return false;
	}
	for (size_t i = 0; i < store->item_count; i++) {
		if (keys[i] != store->items[i].key) {
			return false;
		}
	}
	return true;
}

static int add_layout(struct ra_kineto_store *store, uint64_t hash, uint32_t *layout)
{
	struct ra_kineto *k = store->kineto;
	int rc = ra_util_grow(&k->layouts, &store->layout_capacity, k->layout_count + 1,
	                      sizeof(*k->layouts));

	if (rc == 0) {
		rc = ra_util_grow(&k->layout_keys, &store->layout_key_capacity,
		                  store->layout_key_count + store->item_count + 1,
		                  sizeof(*k->layout_keys));
	}
	if (rc == 0 && store->layout_key_count + store->item_count > UINT32_MAX) {
		rc = -RLOG_E_NO_MEMORY;
	}
	if (rc != 0) {
		return rc;
	}
	*layout = (uint32_t) k->layout_count;
	k->layouts[k->layout_count++] = (struct ra_kineto_layout){
		(uint32_t) store->layout_key_count,
		(uint32_t) store->item_count,
	};
	for (size_t i = 0; i < store->item_count; i++) {
		k->layout_keys[store->layout_key_count++] = store->items[i].key;
	}
	return ra_util_map_put(&store->layouts, hash, *layout);
}

static int find_layout(struct ra_kineto_store *store, uint32_t *layout)
{
	uint64_t hash = store->item_count;

	for (size_t i = 0; i < store->item_count; i++) {
		hash = (hash ^ store->items[i].key) * UINT64_C(0xBF58476D1CE4E5B9);
		hash ^= hash >> 31;
	}
	for (;; hash++) {
		*layout = ra_util_map_find(&store->layouts, hash);
		if (*layout == RA_UTIL_MAP_NONE) {
			return add_layout(store, hash, layout);
		}
		if (is_layout(store, *layout)) {
			return 0;
		}
	}
}

static uint8_t *put_varint(uint8_t *place, uint64_t value)
{
	while (value >= 0x80) {
		*place++ = (uint8_t) (value | 0x80);
		value >>= 7;
	}
	*place++ = (uint8_t) value;
	return place;
}

/* Ids are long numbers, and most are in a column as well. */
static struct ra_kineto_item shorten(const struct ra_kineto_item *item,
                                     const struct ra_kineto_row *row)
{
	const uint64_t id = item->payload >> 1;
	struct ra_kineto_item shorter = *item;

	if (item->tag == RA_KINETO_TAG_INT && (item->payload & 1) == 0 &&
	    (id == row->corr || id == row->external)) {
		shorter.tag = RA_KINETO_TAG_COLUMN;
		shorter.payload = id != row->corr;
	}
	return shorter;
}

static int pack_items(struct ra_kineto_store *store, const struct ra_kineto_row *row,
                      uint32_t *packed_at)
{
	struct ra_kineto *k = store->kineto;
	uint32_t layout;
	uint8_t *place;
	int rc = find_layout(store, &layout);

	if (rc == 0) {
		rc = ra_util_grow(&k->packed, &store->packed_capacity,
		                  k->packed_bytes + 20 * (store->item_count + 1), 1);
	}
	if (rc == 0 && (k->count & 0xFFFF) == 0) {
		rc = ra_util_grow(&k->packed_base, &store->base_capacity, (k->count >> 16) + 1,
		                  sizeof(*k->packed_base));
	}
	if (rc != 0) {
		return rc;
	}
	if ((k->count & 0xFFFF) == 0) {
		k->packed_base[k->count >> 16] = k->packed_bytes;
	}
	if (k->packed_bytes - k->packed_base[k->count >> 16] > UINT32_MAX) {
		return -RLOG_E_NO_MEMORY;
	}
	*packed_at = (uint32_t) (k->packed_bytes - k->packed_base[k->count >> 16]);
	place = put_varint(k->packed + k->packed_bytes, layout);
	for (size_t i = 0; i < store->item_count; i++) {
		const struct ra_kineto_item item = shorten(&store->items[i], row);

		place = put_varint(place, item.payload << 3 | item.tag);
		if (item.tag == RA_KINETO_TAG_DECIMAL) {
			place = put_varint(place, item.digits);
		}
	}
	k->packed_bytes = (uint64_t) (place - k->packed);
	store->item_count = 0;
	return 0;
}

static int64_t read_integer(const struct ra_kineto *k, uint32_t id)
{
	struct rlog_string text = k->strings[id];
	struct ra_kineto_number number;

	if (text.length >= 2 && text.bytes[0] == '"') {
		text.bytes++;
		text.length -= 2;
	}
	return ra_kineto_number_parse(text.bytes, text.length, &number) && number.is_plain &&
	                       number.scale == 0
	               ? number.digits
	               : INT64_MIN;
}

static int find_thread(struct ra_kineto_store *store, const struct ra_kineto_row *row,
                       uint32_t *thread)
{
	struct ra_kineto *k = store->kineto;
	const uint64_t key = (uint64_t) row->pid << 32 | row->tid;
	int rc;

	if (key == store->newest_thread_key) {
		*thread = store->newest_thread;
		return 0;
	}
	*thread = ra_util_map_find(&store->threads, key);
	if (*thread == RA_UTIL_MAP_NONE) {
		rc = ra_util_grow(&k->threads, &store->thread_capacity, k->thread_count + 1,
		                  sizeof(*k->threads));
		if (rc == 0) {
			rc = ra_util_map_put(&store->threads, key, (uint32_t) k->thread_count);
		}
		if (rc != 0) {
			return rc;
		}
		*thread = (uint32_t) k->thread_count;
		k->threads[k->thread_count++] = (struct ra_kineto_thread){
			.pid = row->pid,
			.tid = row->tid,
			.pid_number = read_integer(k, row->pid),
			.tid_number = read_integer(k, row->tid),
			.track = RA_KINETO_NONE,
		};
	}
	store->newest_thread_key = key;
	store->newest_thread = *thread;
	return 0;
}

/* Beyond 65535 categories, which no trace has, all share the last. */
static int find_category(struct ra_kineto_store *store, uint32_t name, uint16_t *category)
{
	struct ra_kineto *k = store->kineto;
	uint32_t index = name == 0 ? 0 : ra_util_map_find(&store->category_index, name);
	int rc = 0;

	if (index == RA_UTIL_MAP_NONE && k->category_count > UINT16_MAX) {
		index = UINT16_MAX;
	}
	if (index == RA_UTIL_MAP_NONE) {
		rc = ra_util_grow(&k->categories, &store->category_capacity, k->category_count + 1,
		                  sizeof(*k->categories));
		if (rc == 0) {
			index = (uint32_t) k->category_count;
			k->categories[k->category_count++] = (struct ra_kineto_category){
				.name = name,
				.kind = ra_kineto_kinds_of_category(k->strings[name]),
			};
			rc = ra_util_map_put(&store->category_index, name, index);
		}
	}
	*category = (uint16_t) index;
	return rc;
}

static int resize_columns(struct ra_kineto_store *store, size_t capacity)
{
	struct ra_kineto *k = store->kineto;
	const struct {
		void *array;
		size_t bytes;
	} columns[] = {
		{ &k->ts_ns, sizeof(*k->ts_ns) },         { &k->dur_ns, sizeof(*k->dur_ns) },
		{ &k->name, sizeof(*k->name) },           { &k->thread, sizeof(*k->thread) },
		{ &k->corr, sizeof(*k->corr) },           { &k->external, sizeof(*k->external) },
		{ &k->category, sizeof(*k->category) },   { &k->kind, sizeof(*k->kind) },
		{ &k->flags, sizeof(*k->flags) },         { &k->phase, sizeof(*k->phase) },
		{ &k->packed_at, sizeof(*k->packed_at) },
	};

	if (k->count >= RA_KINETO_NONE - 1) {
		return -RLOG_E_NO_MEMORY;
	}
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		if (ra_util_resize(columns[i].array, capacity, columns[i].bytes) != 0) {
			return -RLOG_E_NO_MEMORY;
		}
	}
	store->column_capacity = capacity;
	return 0;
}

int ra_kineto_store_trim(struct ra_kineto_store *store)
{
	const size_t packed = (size_t) store->kineto->packed_bytes + 1;
	int rc = resize_columns(store, store->kineto->count + 1);

	if (rc == 0 && packed < store->packed_capacity) {
		rc = ra_util_resize(&store->kineto->packed, packed, 1);
		store->packed_capacity = packed;
	}
	return rc;
}

int ra_kineto_store_row(struct ra_kineto_store *store, const struct ra_kineto_row *row)
{
	struct ra_kineto *k = store->kineto;
	const size_t i = k->count;
	uint32_t packed_at;
	uint32_t thread;
	uint16_t category;
	int rc = 0;

	if (i >= store->column_capacity) {
		rc = resize_columns(store, ra_util_next_capacity(store->column_capacity, i + 1));
	}

	if (rc == 0) {
		rc = pack_items(store, row, &packed_at);
	}
	if (rc == 0) {
		rc = find_thread(store, row, &thread);
	}
	if (rc == 0) {
		rc = find_category(store, row->category, &category);
	}
	if (rc != 0) {
		return rc;
	}
	k->ts_ns[i] = row->ts_ns;
	k->dur_ns[i] = row->dur_ns;
	k->name[i] = row->name;
	k->thread[i] = thread;
	k->corr[i] = row->corr;
	k->external[i] = row->external;
	k->category[i] = category;
	k->kind[i] = (uint8_t) ra_kineto_kinds_of_phase(row->phase, k->categories[category].kind,
	                                                k->strings[row->name]);
	k->flags[i] = row->flags;
	k->phase[i] = row->phase;
	k->packed_at[i] = packed_at;
	k->count++;
	k->threads[thread].events++;
	k->categories[category].events++;
	k->categories[category].complete += row->phase == 'X';
	k->kind_count[k->kind[i]]++;
	k->phase_count[row->phase]++;
	k->has_ts_point |= (row->flags & RA_KINETO_TS_POINT) != 0;
	k->has_dur_point |= (row->flags & RA_KINETO_DUR_POINT) != 0;
	return 0;
}

int ra_kineto_store_fact(struct ra_kineto_store *store, uint32_t key, uint32_t json)
{
	struct ra_kineto *k = store->kineto;
	const int rc = ra_util_grow(&k->facts, &store->fact_capacity, k->fact_count + 1,
	                            sizeof(*k->facts));

	if (rc == 0) {
		k->facts[k->fact_count++] = (struct ra_kineto_fact){ key, json };
	}
	return rc;
}
