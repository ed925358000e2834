/* SPDX-License-Identifier: MIT */
/* Converts wide names: NVTX's wchar_t texts (UTF-32 on Linux) to UTF-8. */
#ifndef RCAP_WIDE_H
#define RCAP_WIDE_H

#include <stddef.h>
#include <wchar.h>

/* A wide name is cut to this many bytes, because it is converted on the program's stack. */
#define RCAP_WIDE_BYTES 1024

/*
 * Converts up to `size` bytes; anything but a Unicode scalar value becomes U+FFFD.
 *
 * @full_length: length in UTF-8 bytes of the whole text (of its first 65536 characters).
 * Return: bytes written, never a part of a character; RCAP_MEMORY_BAD if the text can't be read.
 * Context: any; no allocation.
 */
size_t rcap_wide_to_utf8(const wchar_t *text, char *out, size_t size, size_t *full_length);

#endif
