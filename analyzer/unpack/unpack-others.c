/* SPDX-License-Identifier: MIT */
/* Names compressions that are recognised by their first bytes, but not read. */
#include "analyzer/unpack/unpack-kinds.h"

#include <string.h>

static void *create(const char **why)
{
	*why = "it reads zstd, xz, bzip2, gzip and zip";
	return NULL;
}

static bool probe_lz4(const uint8_t *head, size_t count)
{
	return count >= 4 && memcmp(head, "\x04\x22\x4D\x18", 4) == 0;
}

static bool probe_7z(const uint8_t *head, size_t count)
{
	return count >= 6 && memcmp(head, "7z\xBC\xAF\x27\x1C", 6) == 0;
}

const struct ra_unpack_kind ra_unpack_lz4 = {
	.name = "lz4",
	.command = "lz4 -dc",
	.suffix = ".lz4",
	.probe = probe_lz4,
	.create = create,
};

const struct ra_unpack_kind ra_unpack_7z = {
	.name = "7z",
	.command = "7z x -so",
	.suffix = ".7z",
	.probe = probe_7z,
	.create = create,
};
