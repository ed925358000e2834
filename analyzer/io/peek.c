/* SPDX-License-Identifier: MIT */
/* The first bytes of what a file holds, unpacked if need be: to tell what it is. */
#include "analyzer/io/peek.h"

#include <string.h>
#include <zlib.h>

static size_t unpack(const void *head, size_t count, void *text, size_t size)
{
	z_stream stream = { 0 };
	size_t given;

	if (inflateInit2(&stream, 15 + 16) != Z_OK) { /* 16 more than the window: gzip */
		return 0;
	}
	stream.next_in = (z_const Bytef *) head;
	stream.avail_in = (uInt) count;
	stream.next_out = text;
	stream.avail_out = (uInt) size;
	(void) inflate(&stream, Z_SYNC_FLUSH); /* damage ends it: what came before counts */
	given = size - stream.avail_out;
	inflateEnd(&stream);
	return given;
}

size_t ra_peek_read(const void *head, size_t count, void *text, size_t size)
{
	const unsigned char *bytes = head;

	if (count >= 3 && bytes[0] == 0x1F && bytes[1] == 0x8B && bytes[2] == 8) {
		return unpack(head, count, text, size);
	}
	count = count < size ? count : size;
	memcpy(text, head, count);
	return count;
}
