/* SPDX-License-Identifier: MIT */
/* msgpack output into the caller's buffer: maps, keys, texts and single numbers, packed by
 * msgpack-c. */
#ifndef RLOG_PACK_H
#define RLOG_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Output into the caller's buffer. A value that does not fit is left out and sets `full`, so
 * callers check only at the end. The buffer must have RLOG_PACK_SLACK bytes more than `capacity`,
 * because stores of whole words may write past it.
 */
struct rlog_pack {
	uint8_t *bytes; /* borrowed */
	size_t used;
	size_t capacity;
	bool full;
};

#define RLOG_PACK_SLACK 16

void rlog_pack_init(struct rlog_pack *pack, uint8_t *bytes, size_t capacity);

void rlog_pack_map(struct rlog_pack *pack, size_t keys);
void rlog_pack_array(struct rlog_pack *pack, size_t elements);
void rlog_pack_key(struct rlog_pack *pack, const char *key);
void rlog_pack_uint(struct rlog_pack *pack, uint64_t value);
void rlog_pack_int(struct rlog_pack *pack, int64_t value);
void rlog_pack_bool(struct rlog_pack *pack, bool value);

/* Packs the double with these bits, as a float if no bit is lost. */
void rlog_pack_real(struct rlog_pack *pack, uint64_t bits_of_double);

void rlog_pack_nil(struct rlog_pack *pack);
void rlog_pack_bin(struct rlog_pack *pack, const void *bytes, size_t count);

/*
 * Write an array, or bytes, whose count is not known yet: open, add, close. For bytes, the caller
 * writes at most `room` bytes at bytes + used. If there is no such room, the pack is full.
 *
 * Return of open: the argument `opened` for close.
 */
size_t rlog_pack_open_array(struct rlog_pack *pack);
void rlog_pack_close_array(struct rlog_pack *pack, size_t opened, uint16_t count);
size_t rlog_pack_open_bin(struct rlog_pack *pack, size_t room);
void rlog_pack_close_bin(struct rlog_pack *pack, size_t opened, uint32_t count);

/* Packs the bytes as `str` if they are UTF-8 (no surrogates, shortest form), else as `bin`. */
void rlog_pack_text(struct rlog_pack *pack, const char *bytes, size_t count);

#endif
