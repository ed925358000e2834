/* SPDX-License-Identifier: MIT */
/* The first bytes of a file's contents, unpacked if need be, to tell what they are. */
#ifndef RA_PEEK_H
#define RA_PEEK_H

#include <stddef.h>

/*
 * Gives the first bytes of a file from its head; of gzip data the unpacked ones.
 *
 * @text: room for `size` bytes.
 * Return: how many bytes were given, at most `size`.
 */
size_t ra_peek_read(const void *head, size_t count, void *text, size_t size);

#endif
