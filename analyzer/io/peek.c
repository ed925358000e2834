/* SPDX-License-Identifier: MIT */
/* Reads the first bytes of a file's contents, unpacked if the file is compressed, to tell its
 * kind. */
#include "analyzer/io/peek.h"

#include <string.h>

#include "analyzer/unpack/unpack.h"

size_t ra_peek_read(const void *head, size_t count, void *text, size_t size)
{
	const unsigned char *bytes = head;

	if (count >= 3 && bytes[0] == 0x1F && bytes[1] == 0x8B && bytes[2] == 8) {
		return ra_unpack_peek_gzip(head, count, text, size);
	}
	count = count < size ? count : size;
	memcpy(text, head, count);
	return count;
}
