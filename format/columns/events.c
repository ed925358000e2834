/* SPDX-License-Identifier: MIT */
/* Packs and reads the columns of events. */
#include "format/columns/events.h"

#include <string.h>

#include "format/columns/attr.h"
#include "format/columns/column.h"
#include "format/columns/cursor.h"
#include "format/columns/data.h"
#include "format/wire.h"

/* Numbers in `open` for each range. */
#define OPEN_NUMBERS 3u

/* Columns that are plain arrays in a batch, with a value for each row. */
enum {
	PLAIN_OP,
	PLAIN_NAME,
	PLAIN_DOMAIN,
	PLAIN_ID,
	PLAINS
};

static void list_plain(const struct rlog_batch *batch, size_t from, struct rlog_column out[PLAINS])
{
	out[PLAIN_OP] = (struct rlog_column){ "op", batch->op + from, sizeof(*batch->op) };
	out[PLAIN_NAME] = (struct rlog_column){ "name", batch->name + from, sizeof(*batch->name) };
	out[PLAIN_DOMAIN] =
		(struct rlog_column){ "domain", batch->domain + from, sizeof(*batch->domain) };
	out[PLAIN_ID] = (struct rlog_column){ "id", batch->id + from, sizeof(*batch->id) };
}

/* Packs `open`. A range has its name, its domain, and the ticks from its begin to `t`. */
static void pack_open(struct rlog_pack *pack, const struct rlog_batch *batch)
{
	rlog_pack_key(pack, "open");
	rlog_pack_array(pack, batch->open_count * OPEN_NUMBERS);
	for (size_t i = 0; i < batch->open_count; i++) {
		rlog_pack_uint(pack, batch->open[i].name);
		rlog_pack_uint(pack, batch->open[i].domain);
		rlog_pack_uint(pack, batch->ticks[0] - batch->open[i].ticks);
	}
}

static bool is_unsorted(const uint64_t *ticks, size_t rows)
{
	for (size_t i = 1; i < rows; i++) {
		if (ticks[i] < ticks[i - 1]) {
			return true;
		}
	}
	return false;
}

/* @may_be_unsorted: false if it is known that times do not go backwards. */
static void find_times(const uint64_t *ticks, size_t rows, bool may_be_unsorted,
                       struct rlog_events_times *times)
{
	const bool unsorted = may_be_unsorted && is_unsorted(ticks, rows);

	times->first_ticks = ticks[0];
	times->last_ticks = ticks[rows - 1];
	times->unsorted = unsorted;
	for (size_t i = 0; i < rows && unsorted; i++) {
		if (ticks[i] < times->first_ticks) {
			times->first_ticks = ticks[i];
		}
		if (ticks[i] > times->last_ticks) {
			times->last_ticks = ticks[i];
		}
	}
}

int rlog_events_pack(struct rlog_pack *pack, const struct rlog_batch *batch, size_t from,
                     size_t rows, const struct rlog_outer *outer, struct rlog_events_times *times)
{
	const struct rlog_attr_run run = { .batch = batch, .from = from, .rows = rows };
	struct rlog_column plain[PLAINS];
	enum rlog_column_form plain_form[PLAINS];
	enum rlog_attr_form attr_form[RLOG_ATTRS];
	const bool has_data = rlog_data_is_present(&run);
	const bool has_open = batch->has_open && from == 0;
	size_t keys = 2; /* `t` and `dt` */
	uint64_t bits = 0;

	list_plain(batch, from, plain);
	for (size_t i = 0; i < PLAINS; i++) {
		plain_form[i] = rlog_column_choose(&plain[i], rows);
		keys += plain_form[i] != RLOG_COLUMN_ABSENT;
	}
	for (size_t i = 0; i < RLOG_ATTRS; i++) {
		attr_form[i] = rlog_attr_choose(&run, (enum rlog_attr) i);
		keys += attr_form[i] != RLOG_ATTR_ABSENT;
	}
	rlog_pack_map(pack, keys + has_data + has_open + (outer != NULL));
	if (outer) { /* comes first, so that readers need to inflate only the payload's begin */
		rlog_outer_pack(pack, outer, batch->ticks[from]);
	}
	rlog_pack_key(pack, "t");
	rlog_pack_uint(pack, batch->ticks[from]);
	/* The column is always dense, because equal distances do not happen in practice. So a
	 * payload always has more bytes than rows. */
	bits = rlog_column_pack_deltas(pack, "dt", batch->ticks + from, rows);
	if (times) {
		find_times(batch->ticks + from, rows, pack->full || bits >> 63 != 0, times);
	}
	for (size_t i = 0; i < PLAINS; i++) {
		rlog_column_pack(pack, &plain[i], rows, plain_form[i]);
	}
	for (size_t i = 0; i < RLOG_ATTRS; i++) {
		rlog_attr_pack(pack, &run, (enum rlog_attr) i, attr_form[i]);
	}
	if (has_data) {
		rlog_data_pack(pack, &run);
	}
	if (has_open) {
		pack_open(pack, batch);
	}
	return pack->full ? -RLOG_E_FULL : 0;
}

/* State of reading one payload. */
struct reading {
	struct rlog_batch *batch;
	size_t rows;
	uint64_t base;           /* `t` */
	struct rlog_cursor late; /* set to a `dt` that came before `t`; pos is NULL if there was
	                          * none */
	uint64_t seen;           /* a bit for each enum key that was read */
	bool unsorted;
};

/* The known keys. Those of attributes follow, in the order of enum rlog_attr. */
enum key {
	KEY_DATA,
	KEY_T,
	KEY_DT,
	KEY_OP,
	KEY_NAME,
	KEY_DOMAIN,
	KEY_ID,
	KEY_OPEN,
	KEY_ATTRS,
	KEYS = KEY_ATTRS + RLOG_ATTRS
};

_Static_assert(KEYS <= 64, "`seen` has a bit for each key");

static const char *key_name(size_t key)
{
	static const char *const names[KEY_ATTRS] = { "data", "t",      "dt", "op",
		                                      "name", "domain", "id", "open" };

	return key < KEY_ATTRS ? names[key] : rlog_attr_name((enum rlog_attr)(key - KEY_ATTRS));
}

static size_t find_key(const char *bytes, size_t length)
{
	for (size_t key = 0; key < KEYS; key++) {
		const char *const name = key_name(key);

		if (strlen(name) == length && memcmp(name, bytes, length) == 0) {
			return key;
		}
	}
	return KEYS;
}

static int read_base(struct rlog_cursor *cursor, struct reading *reading)
{
	return rlog_column_read_u64(cursor, 1, &reading->base);
}

static int read_deltas(struct rlog_cursor *cursor, struct reading *reading)
{
	return rlog_column_read_deltas(cursor, reading->rows, reading->base, reading->batch->ticks,
	                               &reading->unsorted);
}

/* Reads `open`. The ranges' ticks are distances from the base until the base is known. */
static int read_open(struct rlog_cursor *cursor, struct reading *reading)
{
	struct rlog_batch *const batch = reading->batch;
	uint32_t numbers = 0;
	int code = 0;

	if (rlog_cursor_peek(cursor) != RLOG_CURSOR_ARRAY) {
		return -RLOG_E_SCHEMA;
	}
	code = rlog_cursor_read_array(cursor, &numbers);
	if (code) {
		return code;
	}
	if (numbers > RLOG_BATCH_OPEN * OPEN_NUMBERS) {
		/* If there are more ranges than there is room for, the list is unknown. */
		for (uint32_t i = 0; i < numbers && !code; i++) {
			code = rlog_cursor_skip(cursor);
		}
		return code;
	}
	if (numbers % OPEN_NUMBERS != 0) {
		return -RLOG_E_SCHEMA;
	}
	batch->has_open = true;
	batch->open_count = numbers / OPEN_NUMBERS;
	for (size_t i = 0; i < batch->open_count && !code; i++) {
		struct rlog_open_range *const range = &batch->open[i];

		code = rlog_column_read_u32(cursor, 1, &range->name);
		code = code ? code : rlog_column_read_u32(cursor, 1, &range->domain);
		code = code ? code : rlog_column_read_u64(cursor, 1, &range->ticks);
	}
	return code;
}

static int read_value(struct rlog_cursor *cursor, struct reading *reading, size_t key)
{
	struct rlog_batch *const batch = reading->batch;

	switch (key) {
	case KEY_DATA:
		return rlog_data_read(cursor, batch, reading->rows);
	case KEY_T:
		return rlog_cursor_peek(cursor) == RLOG_CURSOR_INT ? read_base(cursor, reading)
		                                                   : -RLOG_E_SCHEMA;
	case KEY_DT:
		if (reading->seen & UINT64_C(1) << KEY_T) {
			return read_deltas(cursor, reading);
		}
		reading->late = *cursor;
		return rlog_cursor_skip(cursor);
	case KEY_OP:
		return rlog_column_read_u8(cursor, reading->rows, batch->op);
	case KEY_NAME:
		return rlog_column_read_u32(cursor, reading->rows, batch->name);
	case KEY_DOMAIN:
		batch->zero_domains = 0;
		return rlog_column_read_u32(cursor, reading->rows, batch->domain);
	case KEY_ID:
		batch->zero_ids = 0;
		return rlog_column_read_u64(cursor, reading->rows, batch->id);
	case KEY_OPEN:
		return read_open(cursor, reading);
	case KEYS:
		return rlog_cursor_skip(cursor);
	default:
		return rlog_attr_read(cursor, &batch->attr[key - KEY_ATTRS], reading->rows,
		                      key - KEY_ATTRS == RLOG_ATTR_PAYLOAD);
	}
}

/* Reads one key and its value. */
static int read_pair(struct rlog_cursor *cursor, struct reading *reading, struct rlog_error *err)
{
	const char *name = NULL;
	uint32_t length = 0;
	size_t key = KEYS;
	int code = rlog_cursor_read_text(cursor, &name, &length);

	if (code) {
		return rlog_error_set(err, -code, RLOG_NO_OFFSET, "a key that is not text");
	}
	key = find_key(name, length);
	if (key < KEYS && reading->seen & UINT64_C(1) << key) {
		return rlog_error_set(err, RLOG_E_SCHEMA, RLOG_NO_OFFSET, "column %s twice",
		                      key_name(key));
	}
	code = read_value(cursor, reading, key);
	if (code == -RLOG_E_NO_MEMORY) {
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET,
		                      "no memory for a column");
	}
	if (code) {
		return rlog_error_set(err, -code, RLOG_NO_OFFSET,
		                      code == -RLOG_E_SCHEMA
		                              ? "column %s: wrong kind, length or range"
		                              : "column %s: damaged msgpack",
		                      key < KEYS ? key_name(key) : "(unknown)");
	}
	reading->seen |= key < KEYS ? UINT64_C(1) << key : 0;
	return 0;
}

/* Fills the columns that a payload lacks with 0. */
static void fill_absent(const struct reading *reading)
{
	struct rlog_batch *const batch = reading->batch;
	const size_t rows = reading->rows;

	/* A batch without rows may have no memory, and memset must not get NULL. */
	if (rows == 0) {
		return;
	}
	if (!(reading->seen & UINT64_C(1) << KEY_DT)) {
		for (size_t i = 0; i < rows; i++) {
			batch->ticks[i] = reading->base;
		}
	}
	if (!(reading->seen & UINT64_C(1) << KEY_OP)) {
		memset(batch->op, 0, rows * sizeof(*batch->op));
	}
	if (!(reading->seen & UINT64_C(1) << KEY_NAME)) {
		memset(batch->name, 0, rows * sizeof(*batch->name));
	}
	if (!(reading->seen & UINT64_C(1) << KEY_DOMAIN) && rows > batch->zero_domains) {
		memset(batch->domain, 0, rows * sizeof(*batch->domain));
		batch->zero_domains = rows;
	}
	if (!(reading->seen & UINT64_C(1) << KEY_ID) && rows > batch->zero_ids) {
		memset(batch->id, 0, rows * sizeof(*batch->id));
		batch->zero_ids = rows;
	}
}

int rlog_events_read(struct rlog_batch *batch, const void *payload, size_t bytes, size_t rows,
                     struct rlog_error *err)
{
	struct rlog_cursor cursor = { .pos = payload, .end = (const uint8_t *) payload + bytes };
	struct reading reading = { .batch = batch, .rows = rows };
	uint32_t keys = 0;
	int code = rlog_batch_reserve(batch, rows);

	if (code) {
		return rlog_error_set(err, -code, RLOG_NO_OFFSET, "no memory for %zu events", rows);
	}
	code = rlog_cursor_read_map(&cursor, &keys);
	if (code) {
		return rlog_error_set(err, -code, RLOG_NO_OFFSET, "the payload is not a map");
	}
	for (uint32_t i = 0; i < keys; i++) {
		code = read_pair(&cursor, &reading, err);
		if (code) {
			return code;
		}
	}
	if (cursor.pos != cursor.end) {
		return rlog_error_set(err, RLOG_E_MSGPACK, RLOG_NO_OFFSET,
		                      "bytes after the payload's map");
	}
	if (!(reading.seen & UINT64_C(1) << KEY_T)) {
		return rlog_error_set(err, RLOG_E_SCHEMA, RLOG_NO_OFFSET, "t is missing");
	}
	if (reading.late.pos && read_deltas(&reading.late, &reading)) {
		return rlog_error_set(err, RLOG_E_SCHEMA, RLOG_NO_OFFSET,
		                      "column dt: wrong kind, length or range");
	}
	if (reading.unsorted && !(batch->flags & RLOG_FLAG_UNSORTED)) {
		return rlog_error_set(err, RLOG_E_SCHEMA, RLOG_NO_OFFSET,
		                      "times go backwards in a chunk not flagged unsorted");
	}
	fill_absent(&reading);
	for (size_t i = 0; i < batch->open_count; i++) {
		batch->open[i].ticks = reading.base - batch->open[i].ticks;
	}
	batch->count = rows;
	return 0;
}
