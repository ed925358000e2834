/* SPDX-License-Identifier: MIT */
/* Fills struct ra_kineto: its columns, and the packed values that have no column. */
#include "analyzer/rows/kineto-store.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/rows/kineto-kinds.h"
#include "analyzer/rows/kineto-number.h"
#include "analyzer/base/util.h"

void ra_kineto_store_fini(struct ra_kineto_store *store)
{
	ra_kineto_strings_fini(&store->strings);
	free(store->items);
	ra_util_map_free(&store->layouts);
	ra_util_map_free(&store->threads);
	ra_util_map_free(&store->category_index);
	ra_util_map_free(&store->commons);
	memset(store, 0, sizeof(*store));
}

void ra_kineto_store_init(struct ra_kineto_store *store, struct ra_kineto *kineto,
                          ra_kineto_store_find_kind find_kind)
{
	static const char *const keys[] = { "",
#define KEY_TEXT(name, text) text,
		                            RA_KINETO_KEYS(KEY_TEXT)
#undef KEY_TEXT
	};

	memset(store, 0, sizeof(*store));
	store->kineto = kineto;
	store->find_kind = find_kind;
	store->newest_thread_key = UINT64_MAX;
	store->newest_common_key = UINT64_MAX;
	ra_kineto_strings_init(&store->strings, kineto);
	for (size_t i = 1; i < RA_KINETO_KEY_COUNT; i++) {
		(void) ra_kineto_strings_add(&store->strings, keys[i], strlen(keys[i]));
	}
	ra_util_grow(&kineto->categories, &store->category_capacity, 1,
	             sizeof(*kineto->categories));
	kineto->categories[0] = (struct ra_kineto_category){ 0 };
	kineto->category_count = 1;
}

/* Makes an item of a value. Return: false if the number must be kept as text. */
static bool fill_item(struct ra_kineto_item *item, const struct ra_kineto_number *number)
{
	const uint64_t zigzag =
		(uint64_t) number->digits << 1 ^ (number->digits < 0 ? UINT64_MAX : 0);

	if (!number->is_plain || number->digits >= INT64_MAX / 16 ||
	    number->digits <= INT64_MIN / 16) {
		return false;
	}
	item->tag = number->scale == 0 ? RA_KINETO_TAG_INT : RA_KINETO_TAG_DECIMAL;
	item->payload = number->scale == 0 ? zigzag : number->scale;
	item->digits = zigzag;
	return true;
}

bool ra_kineto_store_take_number(const struct ra_json_number *usual, struct ra_kineto_item *item)
{
	struct ra_kineto_number number;

	return ra_kineto_number_take(usual, &number) && fill_item(item, &number);
}

void ra_kineto_store_number(struct ra_kineto_store *store, const char *text, size_t length,
                            struct ra_kineto_item *item)
{
	struct ra_kineto_number number;

	if (!ra_kineto_number_parse(text, length, &number) || !fill_item(item, &number)) {
		item->tag = RA_KINETO_TAG_NUMBER;
		item->payload = ra_kineto_strings_add(&store->strings, text, length);
	}
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

static uint32_t add_layout(struct ra_kineto_store *store, uint64_t hash)
{
	struct ra_kineto *k = store->kineto;

	ra_util_grow(&k->layouts, &store->layout_capacity, k->layout_count + 1,
	             sizeof(*k->layouts));
	ra_util_grow(&k->layout_keys, &store->layout_key_capacity,
	             store->layout_key_count + store->item_count + 1, sizeof(*k->layout_keys));
	if (store->layout_key_count + store->item_count > UINT32_MAX) {
		ra_alloc_end();
	}
	k->layouts[k->layout_count++] = (struct ra_kineto_layout){
		(uint32_t) store->layout_key_count,
		(uint32_t) store->item_count,
	};
	for (size_t i = 0; i < store->item_count; i++) {
		k->layout_keys[store->layout_key_count++] = store->items[i].key;
	}
	ra_util_map_put(&store->layouts, hash, (uint32_t) k->layout_count - 1);
	return (uint32_t) k->layout_count - 1;
}

static uint32_t find_layout(struct ra_kineto_store *store)
{
	uint64_t hash = store->item_count;

	for (size_t i = 0; i < store->item_count; i++) {
		hash = (hash ^ store->items[i].key) * UINT64_C(0xBF58476D1CE4E5B9);
		hash ^= hash >> 31;
	}
	uint32_t *recent = &store->recent_layouts[hash % RA_KINETO_STORE_LAYOUTS];

	if (*recent < store->kineto->layout_count && is_layout(store, *recent)) {
		return *recent;
	}
	for (;; hash++) {
		const uint32_t layout = ra_util_map_find(&store->layouts, hash);

		if (layout == RA_UTIL_MAP_NONE) {
			return add_layout(store, hash);
		}
		if (is_layout(store, layout)) {
			*recent = layout;
			return layout;
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

/* Replaces an id by a reference to a column that has it, because ids are long numbers and most are
 * in a column. */
static struct ra_kineto_item shorten(const struct ra_kineto_item *item,
                                     const struct ra_kineto_row *row)
{
	const uint64_t id = item->payload >> 1;
	struct ra_kineto_item shorter = *item;

	if (item->tag == RA_KINETO_TAG_INT && (item->payload & 1) == 0 && id < RA_KINETO_NONE &&
	    (id == row->corr || id == row->external)) {
		shorter.tag = RA_KINETO_TAG_COLUMN;
		shorter.payload = id != row->corr;
	}
	return shorter;
}

/* Makes room for packed bytes. Assumes that the rows still to come will need as many bytes each as
 * those before. */
static void grow_packed(struct ra_kineto_store *store, uint64_t need)
{
	struct ra_kineto *k = store->kineto;
	const size_t rows = k->count + 1;

	if (need <= store->packed_capacity) {
		return;
	}
	if (store->expected_rows > rows && k->packed_bytes / rows < 1000) {
		need += k->packed_bytes / rows * (store->expected_rows - rows);
	}
	ra_util_grow(&k->packed, &store->packed_capacity, need, 1);
}

static void begin_block(struct ra_kineto_store *store, size_t block)
{
	struct ra_kineto *k = store->kineto;

	if (block >= store->base_capacity) {
		store->base_capacity = ra_util_next_capacity(store->base_capacity, block + 1);
		ra_util_resize(&k->packed_base, store->base_capacity, sizeof(*k->packed_base));
		ra_util_resize(&k->ts_base, store->base_capacity, sizeof(*k->ts_base));
	}
	k->packed_base[block] = k->packed_bytes;
	k->ts_base[block] = 0;
}

/* Notes where the packed keys and values of the current event begin. */
static void note_place(struct ra_kineto_store *store)
{
	struct ra_kineto *k = store->kineto;
	const size_t block = k->count >> RA_KINETO_BLOCK_BITS;
	uint64_t distance;

	if (k->count % ((size_t) 1 << RA_KINETO_BLOCK_BITS) == 0) {
		begin_block(store, block);
	}
	distance = k->packed_bytes - k->packed_base[block];
	k->packed_at[k->count] = distance < UINT16_MAX ? (uint16_t) distance : UINT16_MAX;
	if (distance >= UINT16_MAX) {
		ra_kineto_wide_put(&k->far_packed, (uint32_t) k->count, (int64_t) k->packed_bytes);
	}
}

static void pack_items(struct ra_kineto_store *store, const struct ra_kineto_row *row)
{
	struct ra_kineto *k = store->kineto;
	const uint32_t layout = find_layout(store);
	uint8_t *place;

	grow_packed(store, k->packed_bytes + 20 * (store->item_count + 1));
	note_place(store);
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

static uint32_t find_thread(struct ra_kineto_store *store, const struct ra_kineto_row *row)
{
	struct ra_kineto *k = store->kineto;
	const uint64_t key = (uint64_t) row->pid << 32 | row->tid;
	uint32_t thread;

	if (key == store->newest_thread_key) {
		return store->newest_thread;
	}
	thread = ra_util_map_find(&store->threads, key);
	if (thread == RA_UTIL_MAP_NONE) {
		thread = (uint32_t) k->thread_count;
		ra_util_grow(&k->threads, &store->thread_capacity, k->thread_count + 1,
		             sizeof(*k->threads));
		ra_util_map_put(&store->threads, key, thread);
		k->threads[k->thread_count++] = (struct ra_kineto_thread){
			.pid = row->pid,
			.tid = row->tid,
			.pid_number = read_integer(k, row->pid),
			.tid_number = read_integer(k, row->tid),
			.track = RA_KINETO_NONE,
			.device = -1,
			.stream = -1,
		};
	}
	store->newest_thread_key = key;
	store->newest_thread = thread;
	return thread;
}

/* The index of a category. There is room for 65535 categories, which no trace has; all further ones
 * share the last index. */
static uint16_t find_category(struct ra_kineto_store *store, uint32_t name)
{
	struct ra_kineto *k = store->kineto;
	uint32_t index;

	if (name == store->newest_category_name) {
		return store->newest_category;
	}
	index = name == 0 ? 0 : ra_util_map_find(&store->category_index, name);
	if (index == RA_UTIL_MAP_NONE && k->category_count > UINT16_MAX) {
		index = UINT16_MAX;
	}
	if (index == RA_UTIL_MAP_NONE) {
		ra_util_grow(&k->categories, &store->category_capacity, k->category_count + 1,
		             sizeof(*k->categories));
		index = (uint32_t) k->category_count;
		k->categories[k->category_count++] = (struct ra_kineto_category){
			.name = name,
			.kind = store->find_kind(k->strings[name]),
		};
		ra_util_map_put(&store->category_index, name, index);
	}
	store->newest_category_name = name;
	store->newest_category = (uint16_t) index;
	return store->newest_category;
}

static uint32_t find_common(struct ra_kineto_store *store, const struct ra_kineto_common *common)
{
	struct ra_kineto *k = store->kineto;
	const uint64_t key =
		(uint64_t) common->thread << 32 | (uint64_t) common->category << 8 | common->phase;
	uint32_t index;

	if (key == store->newest_common_key) {
		return store->newest_common;
	}
	index = ra_util_map_find(&store->commons, key);
	if (index == RA_UTIL_MAP_NONE) {
		ra_util_grow(&k->commons, &store->common_capacity, k->common_count + 1,
		             sizeof(*k->commons));
		index = (uint32_t) k->common_count;
		k->commons[k->common_count++] = *common;
		ra_util_map_put(&store->commons, key, index);
	}
	store->newest_common_key = key;
	store->newest_common = index;
	return index;
}

static void set_common(struct ra_kineto *k, size_t row, uint32_t common)
{
	k->common[row] = common < UINT16_MAX ? (uint16_t) common : UINT16_MAX;
	if (common >= UINT16_MAX) {
		ra_kineto_wide_put(&k->far_commons, (uint32_t) row, common);
	}
}

void ra_kineto_store_ts(struct ra_kineto *kineto, struct ra_kineto_wide *far, uint32_t row,
                        int64_t ts_ns)
{
	int64_t *base = &kineto->ts_base[row >> RA_KINETO_BLOCK_BITS];
	uint64_t distance;

	if (ts_ns == 0) {
		kineto->short_ts_ns[row] = 0;
		return;
	}
	*base = *base == 0 ? ts_ns : *base;
	distance = (uint64_t) ts_ns - (uint64_t) *base + RA_KINETO_TS_BASE;
	if (distance - 1 < UINT32_MAX - 1) {
		kineto->short_ts_ns[row] = (uint32_t) distance;
	} else {
		kineto->short_ts_ns[row] = UINT32_MAX;
		ra_kineto_wide_put(far, row, ts_ns);
	}
}

static void resize_columns(struct ra_kineto_store *store, size_t capacity)
{
	struct ra_kineto *k = store->kineto;
	const struct {
		void *array;
		size_t bytes;
	} columns[] = {
		{ &k->short_ts_ns, sizeof(*k->short_ts_ns) },
		{ &k->short_dur_ns, sizeof(*k->short_dur_ns) },
		{ &k->name, sizeof(*k->name) },
		{ &k->corr, sizeof(*k->corr) },
		{ &k->external, sizeof(*k->external) },
		{ &k->common, sizeof(*k->common) },
		{ &k->kind, sizeof(*k->kind) },
		{ &k->flags, sizeof(*k->flags) },
		{ &k->packed_at, sizeof(*k->packed_at) },
	};

	if (k->count >= RA_KINETO_NONE - 1) {
		ra_alloc_end();
	}
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		ra_util_resize(columns[i].array, capacity, columns[i].bytes);
	}
	store->column_capacity = capacity;
}

void ra_kineto_store_trim(struct ra_kineto_store *store)
{
	const size_t packed = (size_t) store->kineto->packed_bytes + 1;

	resize_columns(store, store->kineto->count + 1);
	if (packed < store->packed_capacity) {
		ra_util_resize(&store->kineto->packed, packed, 1);
		store->packed_capacity = packed;
	}
}

void ra_kineto_store_row(struct ra_kineto_store *store, const struct ra_kineto_row *row)
{
	struct ra_kineto *k = store->kineto;
	const size_t i = k->count;
	struct ra_kineto_common common = { .phase = row->phase };

	if (i >= store->column_capacity) {
		const size_t next = ra_util_next_capacity(store->column_capacity, i + 1);

		resize_columns(store, next > store->expected_rows ? next : store->expected_rows);
	}
	pack_items(store, row);
	common.thread = find_thread(store, row);
	common.category = find_category(store, row->category);
	ra_kineto_store_ts(k, &k->far_ts, (uint32_t) i, row->ts_ns);
	ra_kineto_set_dur(k, (uint32_t) i, row->dur_ns);
	k->name[i] = row->name;
	k->corr[i] = row->corr;
	k->external[i] = row->external;
	set_common(k, i, find_common(store, &common));
	k->kind[i] = (uint8_t) ra_kineto_kinds_of_phase(
		row->phase, k->categories[common.category].kind, k->strings[row->name]);
	k->flags[i] = row->flags;
	k->count++;
	k->threads[common.thread].events++;
	k->categories[common.category].events++;
	k->categories[common.category].complete += row->phase == 'X';
	k->kind_count[k->kind[i]]++;
	k->phase_count[row->phase]++;
	k->has_ts_point |= (row->flags & RA_KINETO_TS_POINT) != 0;
	k->has_dur_point |= (row->flags & RA_KINETO_DUR_POINT) != 0;
}

void ra_kineto_store_fact(struct ra_kineto_store *store, uint32_t key, uint32_t json)
{
	struct ra_kineto *k = store->kineto;

	RA_UTIL_APPEND(k->facts, k->fact_count, store->fact_capacity,
	               (struct ra_kineto_fact){ key, json });
}
