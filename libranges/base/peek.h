/* SPDX-License-Identifier: MIT */
/* Reading memory that the program told us of and that may not be there. */
#ifndef RCAP_PEEK_H
#define RCAP_PEEK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Copies bytes of our own process through the kernel, which answers with an error where a plain
 * load would kill the program.
 *
 * Return: bytes copied; fewer than `count` where the memory ends.
 * Context: any thread, signal handlers; one system call for each 64 KiB; errno is kept.
 */
size_t rcap_peek_bytes(void *to, const void *from, size_t count);

/*
 * Copies a text, or any array of words that ends with a zero.
 *
 * @max: most bytes to copy.
 * @unit: bytes of a word.
 * @length: gets how many bytes there are, the zero included; fewer where the memory ends.
 * Return: true if the zero was found.
 * Context: as above; a system call per page.
 */
bool rcap_peek_text(void *to, size_t max, const void *from, size_t unit, size_t *length);

/*
 * Stores bytes at an address that the program gave for an answer.
 *
 * Return: true if they are there. Context: as above.
 */
bool rcap_peek_write(void *to, const void *from, size_t count);

#endif
