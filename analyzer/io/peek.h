/* SPDX-License-Identifier: MIT */
/* The first bytes of what a file holds, unpacked if need be: to tell what it is. */
#ifndef RA_PEEK_H
#define RA_PEEK_H

#include <stddef.h>

/*
 * Gives the first bytes of a file whose head is there; of gzip data what they unpack to.
 *
 * @text: room for `size` bytes.
 * Return: how many there are, at most `size`.
 */
size_t ra_peek_read(const void *head, size_t count, void *text, size_t size);

#endif
