/* SPDX-License-Identifier: MIT */
/* The only file that calls msgpack-c; column.c packs long runs of integers instead. */
#include "format/columns/pack.h"

#include <string.h>

#include <msgpack/pack.h>

/* msgpack-c calls this with the bytes to write. */
static int append(void *data, const char *bytes, size_t count)
{
	struct rlog_pack *const pack = data;

	if (count > pack->capacity - pack->used) {
		pack->full = true;
		return -1;
	}
	/* An empty text may have a NULL pointer. */
	if (count) {
		memcpy(pack->bytes + pack->used, bytes, count);
	}
	pack->used += count;
	return 0;
}

static msgpack_packer packer_of(struct rlog_pack *pack)
{
	msgpack_packer packer;

	msgpack_packer_init(&packer, pack, append);
	return packer;
}

void rlog_pack_init(struct rlog_pack *pack, uint8_t *bytes, size_t capacity)
{
	pack->bytes = bytes;
	pack->used = 0;
	pack->capacity = capacity;
	pack->full = false;
}

void rlog_pack_map(struct rlog_pack *pack, size_t keys)
{
	msgpack_packer packer = packer_of(pack);

	(void) msgpack_pack_map(&packer, keys);
}

void rlog_pack_array(struct rlog_pack *pack, size_t elements)
{
	msgpack_packer packer = packer_of(pack);

	(void) msgpack_pack_array(&packer, elements);
}

void rlog_pack_key(struct rlog_pack *pack, const char *key)
{
	const size_t length = strlen(key);
	msgpack_packer packer = packer_of(pack);

	(void) msgpack_pack_str(&packer, length);
	(void) msgpack_pack_str_body(&packer, key, length);
}

void rlog_pack_uint(struct rlog_pack *pack, uint64_t value)
{
	msgpack_packer packer = packer_of(pack);

	(void) msgpack_pack_uint64(&packer, value);
}

void rlog_pack_int(struct rlog_pack *pack, int64_t value)
{
	msgpack_packer packer = packer_of(pack);

	(void) msgpack_pack_int64(&packer, value);
}

void rlog_pack_bool(struct rlog_pack *pack, bool value)
{
	msgpack_packer packer = packer_of(pack);

	(void) (value ? msgpack_pack_true(&packer) : msgpack_pack_false(&packer));
}

void rlog_pack_real(struct rlog_pack *pack, uint64_t bits_of_double)
{
	msgpack_packer packer = packer_of(pack);
	double value = 0;
	double again = 0;
	uint64_t bits_again = 0;

	memcpy(&value, &bits_of_double, sizeof(value));
	again = (double) (float) value;
	memcpy(&bits_again, &again, sizeof(bits_again));
	/* Compares bits, not values, because a NaN differs from itself, and because the conversion
	 * changes a signalling NaN. */
	if (bits_again == bits_of_double) {
		(void) msgpack_pack_float(&packer, (float) value);
	} else {
		(void) msgpack_pack_double(&packer, value);
	}
}

void rlog_pack_nil(struct rlog_pack *pack)
{
	msgpack_packer packer = packer_of(pack);

	(void) msgpack_pack_nil(&packer);
}

void rlog_pack_bin(struct rlog_pack *pack, const void *bytes, size_t count)
{
	msgpack_packer packer = packer_of(pack);

	(void) msgpack_pack_bin(&packer, count);
	(void) msgpack_pack_bin_body(&packer, bytes, count);
}

/* Writes a one-byte head, and leaves `bytes` bytes for a big-endian count that is not known yet. */
static size_t open_head(struct rlog_pack *pack, uint8_t kind, size_t bytes, size_t room)
{
	const size_t opened = pack->used;

	if (pack->full || bytes + 1 + room > pack->capacity - pack->used) {
		pack->full = true;
		return opened;
	}
	pack->bytes[pack->used] = kind;
	pack->used += bytes + 1;
	return opened;
}

static void close_head(const struct rlog_pack *pack, size_t opened, size_t bytes, uint32_t number)
{
	for (size_t i = 0; i < bytes && !pack->full; i++) {
		pack->bytes[opened + bytes - i] = (uint8_t) (number >> (8 * i));
	}
}

size_t rlog_pack_open_array(struct rlog_pack *pack)
{
	return open_head(pack, 0xDC, 2, 0);
}

void rlog_pack_close_array(struct rlog_pack *pack, size_t opened, uint16_t count)
{
	close_head(pack, opened, 2, count);
}

size_t rlog_pack_open_bin(struct rlog_pack *pack, size_t room)
{
	return open_head(pack, 0xC6, 4, room);
}

void rlog_pack_close_bin(struct rlog_pack *pack, size_t opened, uint32_t count)
{
	close_head(pack, opened, 4, count);
	pack->used += pack->full ? 0 : count;
}

/* Returns the length of the UTF-8 sequence at `s`; 0 if it is invalid (Unicode 15, table 3-7). */
static size_t utf8_step(const unsigned char *s, size_t left)
{
	const unsigned char lead = s[0];
	unsigned char low = 0x80; /* limits of the second byte */
	unsigned char high = 0xBF;
	size_t length = 0;

	if (lead < 0x80) {
		return 1;
	}
	if (lead >= 0xC2 && lead <= 0xDF) {
		length = 2;
	} else if (lead >= 0xE0 && lead <= 0xEF) {
		length = 3;
		low = lead == 0xE0 ? 0xA0 : 0x80;
		high = lead == 0xED ? 0x9F : 0xBF;
	} else if (lead >= 0xF0 && lead <= 0xF4) {
		length = 4;
		low = lead == 0xF0 ? 0x90 : 0x80;
		high = lead == 0xF4 ? 0x8F : 0xBF;
	} else {
		return 0;
	}
	if (length > left || s[1] < low || s[1] > high) {
		return 0;
	}
	for (size_t i = 2; i < length; i++) {
		if ((s[i] & 0xC0) != 0x80) {
			return 0;
		}
	}
	return length;
}

static bool is_utf8(const char *bytes, size_t count)
{
	const unsigned char *const s = (const unsigned char *) bytes;
	size_t at = 0;

	while (at < count) {
		const size_t step = utf8_step(s + at, count - at);

		if (step == 0) {
			return false;
		}
		at += step;
	}
	return true;
}

void rlog_pack_text(struct rlog_pack *pack, const char *bytes, size_t count)
{
	msgpack_packer packer = packer_of(pack);

	if (is_utf8(bytes, count)) {
		(void) msgpack_pack_str(&packer, count);
		(void) msgpack_pack_str_body(&packer, bytes, count);
	} else {
		rlog_pack_bin(pack, bytes, count);
	}
}
