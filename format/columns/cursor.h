/* SPDX-License-Identifier: MIT */
/* Bounded msgpack input: takes one value at a time from untrusted bytes, never past their end. */
#ifndef RLOG_CURSOR_H
#define RLOG_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A parser of untrusted msgpack. It allocates nothing, checks each declared count against the bytes
 * that are left, and accepts RLOG_MAX_NESTING levels at most. (msgpack-c's unpacker allocates
 * whatever an array or map declares, and recurses.) Functions return 0, or -RLOG_E_MSGPACK for
 * another kind of value or damage. After an error the cursor is inside a value, so give up, or skip
 * the whole payload.
 */
struct rlog_cursor {
	const uint8_t *pos; /* borrowed */
	const uint8_t *end;
};

enum rlog_cursor_kind {
	RLOG_CURSOR_INT,
	RLOG_CURSOR_REAL,
	RLOG_CURSOR_TEXT, /* str or bin of msgpack */
	RLOG_CURSOR_ARRAY,
	RLOG_CURSOR_MAP,
	RLOG_CURSOR_BOOL,
	RLOG_CURSOR_OTHER, /* nil or ext of msgpack */
	RLOG_CURSOR_NONE,  /* no value: the end, or 0xC1 */
};

/* An integer of either sign. A negative one has its two's complement in `bits`. */
struct rlog_cursor_int {
	uint64_t bits;
	bool negative;
};

/* Returns the kind of the next value; does not move the cursor. */
enum rlog_cursor_kind rlog_cursor_peek(const struct rlog_cursor *cursor);

int rlog_cursor_read_int(struct rlog_cursor *cursor, struct rlog_cursor_int *value);
/* Reads a float or double. @bits: gets the bits of a double. */
int rlog_cursor_read_real(struct rlog_cursor *cursor, uint64_t *bits);
int rlog_cursor_read_bool(struct rlog_cursor *cursor, bool *value);
/* Reads a text, or bytes, of any length. *bytes points into the cursor's bytes. */
int rlog_cursor_read_text(struct rlog_cursor *cursor, const char **bytes, uint32_t *length);
int rlog_cursor_read_array(struct rlog_cursor *cursor, uint32_t *elements);
int rlog_cursor_read_map(struct rlog_cursor *cursor, uint32_t *keys);
/* Skips one value of any kind with its contents. The value must be a member of the payload's map,
 * because the limit on nesting counts from there. */
int rlog_cursor_skip(struct rlog_cursor *cursor);

#endif
