/* SPDX-License-Identifier: MIT */
/* Fills struct ra_kineto: its columns, and the packed values that have no column. */
#ifndef RA_KINETO_STORE_H
#define RA_KINETO_STORE_H

#include "analyzer/json/json.h"
#include "analyzer/rows/kineto-strings.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

/*
 * An event's values that have no column are packed. First comes a number that stands for the list
 * of its keys (its layout, of which a trace has some dozens), then the values in that order. A
 * number takes as many bytes as it needs; a text takes those of its string id. So 90 bytes of JSON
 * become about 15.
 *
 * A value is a varint: payload << 3 | tag. The tag tells what the payload is.
 */
enum ra_kineto_tag {
	RA_KINETO_TAG_INT,    /* a zigzag integer */
	RA_KINETO_TAG_STRING, /* string id */
	RA_KINETO_TAG_JSON,   /* string id of JSON text */
	/* number of digits after the point; all digits follow as a varint, zigzag */
	RA_KINETO_TAG_DECIMAL,
	RA_KINETO_TAG_NUMBER, /* string id of the text of any other number */
	RA_KINETO_TAG_WORD,   /* 0 null, 1 false, 2 true */
	RA_KINETO_TAG_COLUMN, /* an integer that a column has, too: 0: corr, 1: external */
};

/* A list of keys: layout_keys[first … first + count - 1]. Each is string id << 1 | is_arg. */
struct ra_kineto_layout {
	uint32_t first;
	uint32_t count;
};

/* A value before it is packed. */
struct ra_kineto_item {
	uint32_t key; /* string id << 1 | is_arg */
	uint32_t tag; /* enum ra_kineto_tag */
	uint64_t payload;
	uint64_t digits; /* for DECIMAL: the digits, zigzag */
};

/* The columns of an event that is not stored yet. */
struct ra_kineto_row {
	int64_t ts_ns;
	int64_t dur_ns;
	uint32_t name;
	uint32_t pid; /* string ids of the JSON texts */
	uint32_t tid;
	uint32_t corr;
	uint32_t external;
	uint32_t category; /* string id of the category */
	uint8_t flags;
	uint8_t phase;
};

#define RA_KINETO_STORE_LAYOUTS 64

/* Finds the kind of an event of ph X by its category, as ra_producers_find_kind() does. */
typedef enum ra_kineto_kind (*ra_kineto_store_find_kind)(struct rlog_string category);

struct ra_kineto_store {
	struct ra_kineto *kineto; /* borrowed */
	ra_kineto_store_find_kind find_kind;
	struct ra_kineto_strings strings;
	size_t column_capacity;
	size_t expected_rows; /* number of rows that may come in all; 0: unknown */
	size_t thread_capacity;
	size_t category_capacity;
	size_t common_capacity;
	size_t fact_capacity;
	size_t layout_capacity;
	size_t layout_key_capacity;
	size_t layout_key_count;
	size_t packed_capacity;
	size_t base_capacity;
	uint32_t recent_layouts[RA_KINETO_STORE_LAYOUTS]; /* by hash of the keys */
	/* hash of keys → index of the layout; if another layout has that hash, hash + 1 … */
	struct ra_util_map layouts;
	struct ra_util_map threads;        /* pid << 32 | tid → index of the thread */
	struct ra_util_map category_index; /* string id → index of the category */
	struct ra_util_map commons;        /* (thread, category, phase) → index into commons */
	struct ra_kineto_item *items;      /* owned: values of the current event */
	size_t item_count;
	size_t item_capacity;
	uint32_t newest_category_name;
	uint16_t newest_category;
	uint64_t newest_thread_key;
	uint32_t newest_thread;
	uint64_t newest_common_key;
	uint32_t newest_common;
};

void ra_kineto_store_init(struct ra_kineto_store *store, struct ra_kineto *kineto,
                          ra_kineto_store_find_kind find_kind);
void ra_kineto_store_fini(struct ra_kineto_store *store);

/* Adds a value to the current event. */
static inline void ra_kineto_store_item(struct ra_kineto_store *store,
                                        const struct ra_kineto_item *item)
{
	RA_UTIL_APPEND(store->items, store->item_count, store->item_capacity, *item);
}

/* The same for an integer of few digits, as nearly all numbers are. Return: false if the number is
 * not one. */
static inline bool ra_kineto_store_take_integer(const struct ra_json_number *usual,
                                                struct ra_kineto_item *item)
{
	if (!usual->is_usual || usual->is_negative || usual->part_count > 0 ||
	    usual->whole_count > 17) {
		return false;
	}
	item->tag = RA_KINETO_TAG_INT;
	item->payload = usual->digits << 1;
	return true;
}

/* Makes an item of a number whose digits the tokenizer has read. Return: false if the number's text
 * is needed. */
bool ra_kineto_store_take_number(const struct ra_json_number *usual, struct ra_kineto_item *item);

/* Makes an item of a number from its text. */
void ra_kineto_store_number(struct ra_kineto_store *store, const char *text, size_t length,
                            struct ra_kineto_item *item);

/*
 * Sets the time of a row. Before the first row of a block is set, the block's ts_base must be 0.
 *
 * @far: gets the time if it is far from the base.
 */
void ra_kineto_store_ts(struct ra_kineto *kineto, struct ra_kineto_wide *far, uint32_t row,
                        int64_t ts_ns);

/* Stores the current event, and begins the next one. */
void ra_kineto_store_row(struct ra_kineto_store *store, const struct ra_kineto_row *row);

/* Frees memory that the rows do not need. Call it after the last row. */
void ra_kineto_store_trim(struct ra_kineto_store *store);

/* Adds a key of the top level and its value. */
void ra_kineto_store_fact(struct ra_kineto_store *store, uint32_t key, uint32_t json);

#endif
