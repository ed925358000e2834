/* SPDX-License-Identifier: MIT */
/* Converts wide names: NVTX's wchar_t texts (UTF-32 on Linux) to UTF-8. */
#ifndef RCAP_WIDE_H
#define RCAP_WIDE_H

#include <stddef.h>
#include <wchar.h>

/* A wide name is cut to this many bytes, because the program's stack has the converted name. */
#define RCAP_WIDE_BYTES 1024

/*
 * Converts a wide text to at most `size` bytes. Anything but a Unicode scalar value becomes U+FFFD.
 *
 * @full_length: gets the UTF-8 length of the whole text (of its first 65536 characters).
 * Return: bytes written, which never end within a character; RCAP_MEMORY_BAD if the text can't be
 * read.
 * Context: any; no allocation.
 */
size_t rcap_wide_to_utf8(const wchar_t *text, char *out, size_t size, size_t *full_length);

#endif
