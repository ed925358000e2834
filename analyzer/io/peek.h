/* SPDX-License-Identifier: MIT */
/* Reads the first bytes of a file's contents, unpacked if the file is compressed, to tell its
 * kind. */
#ifndef RA_PEEK_H
#define RA_PEEK_H

#include <stddef.h>

/*
 * Gives the first bytes of a file's contents from the head of the file. gzip data are unpacked.
 *
 * @text: room for `size` bytes.
 * Return: how many bytes were given, at most `size`.
 */
size_t ra_peek_read(const void *head, size_t count, void *text, size_t size);

#endif
