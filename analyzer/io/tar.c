/* SPDX-License-Identifier: MIT */
/* Writes tar archives (POSIX ustar). */
#include "analyzer/io/tar.h"

#include <stdio.h>

#define BLOCK_BYTES 512u

/* Sizes with more than 11 octal digits are written in binary, as by GNU tar and all other
 * programs. */
#define OCTAL_MAX 077777777777u

/* Offsets of a header's fields. */
enum field {
	NAME = 0,
	MODE = 100,
	UID = 108,
	GID = 116,
	SIZE = 124,
	TIME = 136,
	SUM = 148,
	TYPE = 156,
	MAGIC = 257,
};

static void store_size(char *place, uint64_t size)
{
	if (size <= OCTAL_MAX) {
		snprintf(place, 12, "%011llo", (unsigned long long) size);
		return;
	}
	place[0] = (char) 0x80;
	for (size_t i = 0; i < 8; i++) {
		place[11 - i] = (char) (size >> (8 * i));
	}
}

void ra_tar_begin(struct ra_outbuf *out, const char *name, uint64_t size)
{
	static const char magic[8] = { 'u', 's', 't', 'a', 'r', '\0', '0', '0' };
	char header[BLOCK_BYTES] = { 0 };
	unsigned sum = 0;

	snprintf(header + NAME, 100, "%s", name);
	memcpy(header + MODE, "0000644", 8);
	memcpy(header + UID, "0000000", 8);
	memcpy(header + GID, "0000000", 8);
	store_size(header + SIZE, size);
	memcpy(header + TIME, "00000000000", 12);
	memset(header + SUM, ' ', 8); /* the checksum is computed as if its own field were blanks */
	header[TYPE] = '0';
	memcpy(header + MAGIC, magic, sizeof(magic));
	for (size_t i = 0; i < sizeof(header); i++) {
		sum += (unsigned char) header[i];
	}
	snprintf(header + SUM, 8, "%06o", sum);
	ra_outbuf_put(out, header, sizeof(header));
}

void ra_tar_end(struct ra_outbuf *out, uint64_t size)
{
	static const char zeros[BLOCK_BYTES];

	if (size % BLOCK_BYTES != 0) {
		ra_outbuf_put(out, zeros, BLOCK_BYTES - (size_t) (size % BLOCK_BYTES));
	}
}

void ra_tar_finish(struct ra_outbuf *out)
{
	static const char zeros[2 * BLOCK_BYTES];

	ra_outbuf_put(out, zeros, sizeof(zeros));
}
