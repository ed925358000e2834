/* SPDX-License-Identifier: MIT */
/* Fills struct ra_kineto: columns, and what has no column, packed. */
#include "analyzer/rows/kineto-store.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/rows/kineto-kinds.h"
#include "analyzer/rows/kineto-number.h"
#include "analyzer/base/util.h"
#include "format/error.h"

void ra_kineto_store_fini(struct ra_kineto_store *store)
{
	ra_kineto_strings_fini(&store->strings);
	free(store->items);
	ra_util_map_free(&store->layouts);
	ra_util_map_free(&store->threads);
	ra_util_map_free(&store->category_index);
	memset(store, 0, sizeof(*store));
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
	if (ra_kineto_strings_init(&store->strings, kineto) != 0) {
		return -RLOG_E_NO_MEMORY;
	}
	for (size_t i = 1; i < RA_KINETO_KEY_COUNT; i++) {
		if (ra_kineto_strings_add(&store->strings, keys[i], strlen(keys[i])) != i) {
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
	if (store->item_count == store->item_capacity &&
	    ra_util_grow(&store->items, &store->item_capacity, store->item_count + 1,
	                 sizeof(*item)) != 0) {
		return -RLOG_E_NO_MEMORY;
	}
	store->items[store->item_count++] = *item;
	return 0;
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
	item->payload = ra_kineto_strings_add(&store->strings, text, length);
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
	uint32_t *recent = &store->recent_layouts[hash % RA_KINETO_STORE_LAYOUTS];

	*layout = *recent;
	if (*layout < store->kineto->layout_count && is_layout(store, *layout)) {
		return 0;
	}
	for (;; hash++) {
		*layout = ra_util_map_find(&store->layouts, hash);
		if (*layout == RA_UTIL_MAP_NONE) {
			return add_layout(store, hash, layout);
		}
		if (is_layout(store, *layout)) {
			*recent = *layout;
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
	uint32_t index;
	int rc = 0;

	if (name == store->newest_category_name) {
		*category = store->newest_category;
		return 0;
	}
	index = name == 0 ? 0 : ra_util_map_find(&store->category_index, name);
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
	store->newest_category_name = rc == 0 ? name : 0;
	store->newest_category = rc == 0 ? *category : 0;
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
	return RA_UTIL_APPEND(k->facts, k->fact_count, store->fact_capacity,
	                      (struct ra_kineto_fact){ key, json });
}
