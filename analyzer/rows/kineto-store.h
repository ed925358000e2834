/* SPDX-License-Identifier: MIT */
/* Fills struct ra_kineto: columns, and what has no column, packed. */
#ifndef RA_KINETO_STORE_H
#define RA_KINETO_STORE_H

#include "analyzer/json/json.h"
#include "analyzer/rows/kineto-strings.h"
#include "analyzer/rows/kineto.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"

/*
 * What an event has beside its columns is packed: one number for the list of its keys (its layout,
 * of which a trace has some dozens), then its values in that order. A number takes as many bytes
 * as it needs, a text that of its string id. 90 bytes of JSON become about 15.
 *
 * A value: varint of payload << 3 | tag, the tag telling what the payload is.
 */
enum ra_kineto_tag {
	RA_KINETO_TAG_INT,     /* zigzag */
	RA_KINETO_TAG_STRING,  /* string id */
	RA_KINETO_TAG_JSON,    /* string id of JSON text */
	RA_KINETO_TAG_DECIMAL, /* digits behind the point; a varint follows: zigzag of all digits */
	RA_KINETO_TAG_NUMBER,  /* string id of any other number's text */
	RA_KINETO_TAG_WORD,    /* 0 null, 1 false, 2 true */
	RA_KINETO_TAG_COLUMN,  /* an integer that a column has: 0 corr, 1 external */
};

/* A list of keys: layout_keys[first … first + count - 1], each string id << 1 | is_arg. */
struct ra_kineto_layout {
	uint32_t first;
	uint32_t count;
};

/* A value before it is packed. */
struct ra_kineto_item {
	uint32_t key; /* string id << 1 | is_arg */
	uint32_t tag; /* enum ra_kineto_tag */
	uint64_t payload;
	uint64_t digits; /* DECIMAL: zigzag */
};

/* An event's columns before they are stored. */
struct ra_kineto_row {
	int64_t ts_ns;
	int64_t dur_ns;
	uint32_t name;
	uint32_t pid; /* string ids of JSON text */
	uint32_t tid;
	uint32_t corr;
	uint32_t external;
	uint32_t category; /* string id */
	uint8_t flags;
	uint8_t phase;
};

#define RA_KINETO_STORE_LAYOUTS 64

/* What an event of ph X is by its category: ra_producers_find_kind(). */
typedef enum ra_kineto_kind (*ra_kineto_store_find_kind)(struct rlog_string category);

struct ra_kineto_store {
	struct ra_kineto *kineto; /* borrowed */
	ra_kineto_store_find_kind find_kind;
	struct ra_kineto_strings strings;
	size_t column_capacity;
	size_t expected_rows; /* so many may come in all; 0: not known */
	size_t thread_capacity;
	size_t category_capacity;
	size_t common_capacity;
	size_t fact_capacity;
	size_t layout_capacity;
	size_t layout_key_capacity;
	size_t layout_key_count;
	size_t packed_capacity;
	size_t base_capacity;
	uint32_t recent_layouts[RA_KINETO_STORE_LAYOUTS]; /* by hash */
	struct ra_util_map layouts; /* hash of keys → layout; on a clash the hash + 1 … */
	struct ra_util_map threads; /* pid << 32 | tid → index */
	struct ra_util_map category_index; /* string id → index */
	struct ra_util_map commons;        /* thread, category and phase → index */
	struct ra_kineto_item *items;      /* owned: of the event at hand */
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

/* Adds a value to the event at hand. */
static inline void ra_kineto_store_item(struct ra_kineto_store *store,
                                        const struct ra_kineto_item *item)
{
	RA_UTIL_APPEND(store->items, store->item_count, store->item_capacity, *item);
}

/* The same of an integer of few digits, as nearly all numbers are. Return: false if it is none. */
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

/* The item of a number whose digits the tokenizer has read. Return: false if it takes the text. */
bool ra_kineto_store_take_number(const struct ra_json_number *usual, struct ra_kineto_item *item);

/* A number's text as an item's tag and payload. */
void ra_kineto_store_number(struct ra_kineto_store *store, const char *text, size_t length,
                            struct ra_kineto_item *item);

/*
 * Sets the time of a row whose block has a base: 0 in the first row of a block, before.
 *
 * @far: gets a time that is not near the base.
 */
void ra_kineto_store_ts(struct ra_kineto *kineto, struct ra_kineto_wide *far, uint32_t row,
                        int64_t ts_ns);

/* Stores the event at hand and begins the next. */
void ra_kineto_store_row(struct ra_kineto_store *store, const struct ra_kineto_row *row);

/* Gives back what the rows do not need: after the last. */
void ra_kineto_store_trim(struct ra_kineto_store *store);

/* A key of the top level. */
void ra_kineto_store_fact(struct ra_kineto_store *store, uint32_t key, uint32_t json);

#endif
