/* SPDX-License-Identifier: MIT */
/* Small helpers of the analyzer: growing arrays, texts, saturating sums. */
#ifndef RA_UTIL_H
#define RA_UTIL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "format/error.h"
#include "format/tables.h"

/*
 * Makes room for `need` elements in an array and keeps its contents. It grows by at least half its
 * size.
 *
 * @array: address of the pointer, which is NULL for an empty array.
 */
void ra_util_grow(void *array, size_t *capacity, size_t need, size_t element_bytes);

/*
 * Appends a value to an array of its type: RA_UTIL_APPEND(list->rows, list->count, list->capacity,
 * row).
 */
#define RA_UTIL_APPEND(array, count, capacity, ...)                                    \
	((array) != NULL && (count) < (capacity)                                       \
	         ? (void) 0                                                            \
	         : ra_util_grow(&(array), &(capacity), (count) + 1, sizeof(*(array))), \
	 (void) ((array)[(count)++] = __VA_ARGS__))

/* Sets the size of one of several arrays that share a capacity. After all arrays have been resized,
 * the caller sets the capacity. */
void ra_util_resize(void *array, size_t count, size_t element_bytes);

/* Returns the capacity that ra_util_grow would grow to. */
size_t ra_util_next_capacity(size_t capacity, size_t need);

/*
 * Copies bytes and appends a NUL. The bytes may lack one, as names in logs do; ra_alloc_copy()
 * would read past their end. The caller frees the copy.
 */
char *ra_util_copy(const char *bytes, size_t length);

/* A whole text as a string, borrowed. */
static inline struct rlog_string ra_util_string(const char *text)
{
	const uint32_t length = (uint32_t) strlen(text);

	return (struct rlog_string){ text, length, length };
}

static inline uint64_t ra_util_add(uint64_t a, uint64_t b)
{
	const uint64_t sum = a + b;

	return sum < a ? UINT64_MAX : sum;
}

/* Adds with wrap-around: for sums that wrap in another tool too, or that hostile files make
 * arbitrarily large. */
static inline int64_t ra_util_add_wrapped(int64_t a, int64_t b)
{
	return (int64_t) ((uint64_t) a + (uint64_t) b);
}

/* Adds times, at most INT64_MAX: a hostile file can make them arbitrarily large. b is not
 * negative. */
static inline int64_t ra_util_add_time(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

#endif
