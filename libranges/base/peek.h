/* SPDX-License-Identifier: MIT */
/* Reads memory at addresses from the program that may be invalid. */
#ifndef RCAP_PEEK_H
#define RCAP_PEEK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Copies bytes of our own process through the kernel, which returns an error where a plain load
 * would crash.
 *
 * Return: bytes copied; fewer than `count` where the memory ends.
 * Context: any thread, signal handlers; one system call for each 64 KiB; errno is kept.
 */
size_t rcap_peek_bytes(void *to, const void *from, size_t count);

/*
 * Copies a text, or any zero-terminated array of words.
 *
 * @max: most bytes to copy.
 * @unit: bytes of a word.
 * @length: gets the number of bytes, the zero included; fewer where the memory ends.
 * Return: true if the zero was found.
 * Context: as above; a system call per page.
 */
bool rcap_peek_text(void *to, size_t max, const void *from, size_t unit, size_t *length);

/*
 * Stores bytes at an address that the program gave for a result.
 *
 * Return: true if they are stored. Context: as above.
 */
bool rcap_peek_write(void *to, const void *from, size_t count);

#endif
