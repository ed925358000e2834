/* SPDX-License-Identifier: MIT */
/* Reads memory at addresses from the program that may be invalid. */
#ifndef RCAP_PEEK_H
#define RCAP_PEEK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Copies bytes of our own process through the kernel. If an address is invalid, the kernel returns
 * an error, while a plain load would crash.
 *
 * Return: number of bytes copied; fewer than `count` if the memory ends before.
 * Context: any thread, signal handlers; one system call for each 64 KiB; errno is kept.
 */
size_t rcap_peek_bytes(void *to, const void *from, size_t count);

/*
 * Copies a text, or any array of words that a zero ends.
 *
 * @max: most bytes to copy.
 * @unit: bytes of a word.
 * @length: gets the number of bytes copied, with the zero; fewer if the memory ends before.
 * Return: true if the zero was found.
 * Context: any thread, signal handlers; one system call for each page; errno is kept.
 */
bool rcap_peek_text(void *to, size_t max, const void *from, size_t unit, size_t *length);

/*
 * Stores bytes at an address that the program gave for a result.
 *
 * Return: true if they are stored. Context: as rcap_peek_bytes().
 */
bool rcap_peek_write(void *to, const void *from, size_t count);

#endif
