/* SPDX-License-Identifier: MIT */
/* Converts UTF-32 to UTF-8. */
#include "libranges/record/names/wide.h"

#include <stdint.h>
#include <string.h>

#include "libranges/base/memory.h"
#include "libranges/record/names/names.h"

#define PAGE_BYTES 4096u

_Static_assert(sizeof(wchar_t) == sizeof(uint32_t), "wide characters are UTF-32");

static size_t encode(uint32_t c, unsigned char out[4])
{
	if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) {
		c = 0xFFFD;
	}
	if (c < 0x80) {
		out[0] = (unsigned char) c;
		return 1;
	}
	if (c < 0x800) {
		out[0] = (unsigned char) (0xC0 | c >> 6);
		out[1] = (unsigned char) (0x80 | (c & 0x3F));
		return 2;
	}
	if (c < 0x10000) {
		out[0] = (unsigned char) (0xE0 | c >> 12);
		out[1] = (unsigned char) (0x80 | (c >> 6 & 0x3F));
		out[2] = (unsigned char) (0x80 | (c & 0x3F));
		return 3;
	}
	out[0] = (unsigned char) (0xF0 | c >> 18);
	out[1] = (unsigned char) (0x80 | (c >> 12 & 0x3F));
	out[2] = (unsigned char) (0x80 | (c >> 6 & 0x3F));
	out[3] = (unsigned char) (0x80 | (c & 0x3F));
	return 4;
}

size_t rcap_wide_to_utf8(const wchar_t *text, char *out, size_t size, size_t *full_length)
{
	const char *at = (const char *) text;
	size_t used = 0;
	size_t total = 0;
	uint32_t c;

	/* The pointer is advanced only after a read, because nothing may be added to a null
	 * pointer. */
	for (size_t i = 0; i < RCAP_NAMES_LOOK_BYTES; i++, at += sizeof(c)) {
		unsigned char bytes[4];
		size_t count;

		/* Checked once per page, and for a character that crosses into the next page. */
		if ((i == 0 || ((uintptr_t) at + sizeof(c) - 1) % PAGE_BYTES < sizeof(c)) &&
		    !rcap_memory_is_readable(at, sizeof(c))) {
			return RCAP_MEMORY_BAD;
		}
		memcpy(&c, at, sizeof(c)); /* the address may be unaligned */
		if (c == 0) {
			break;
		}
		count = encode(c, bytes);

		/* After a character that does not fit, no other one is written. */
		if (used == total && used + count <= size) {
			for (size_t k = 0; k < count; k++) {
				out[used + k] = (char) bytes[k];
			}
			used += count;
		}
		total += count;
	}
	*full_length = total;
	return used;
}
