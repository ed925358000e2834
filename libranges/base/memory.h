/* SPDX-License-Identifier: MIT */
/* Finds out whether an address from the program can be read, before we read it. */
#ifndef RCAP_MEMORY_H
#define RCAP_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * True if `bytes` from `at` on can be read. Programs pass uninitialised structs with invalid
 * addresses, and a load from there would end the program.
 *
 * Readable pages are remembered and not checked again. So if the program has unmapped a page since,
 * its addresses may still count as readable.
 *
 * Context: any thread, signal handlers; one system call for each page that was not checked lately;
 * errno is kept.
 */
bool rcap_memory_is_readable(const void *at, size_t bytes);

/* Pages are checked in units of this size. Real pages may be larger, never smaller: a page of 64
 * KiB is checked in 16 units. */
#define RCAP_MEMORY_PAGE 4096u
#define RCAP_MEMORY_SEEN 1024u

/* Numbers of readable pages, indexed by their low bits. Relaxed: no element depends on another. */
extern _Atomic uintptr_t rcap_memory_seen[RCAP_MEMORY_SEEN] __attribute__((visibility("hidden")));

/* True if one byte at this address can be read. */
static inline bool rcap_memory_is_byte(const char *at)
{
	const uintptr_t page = (uintptr_t) at / RCAP_MEMORY_PAGE;

	return (page != 0 && atomic_load_explicit(&rcap_memory_seen[page % RCAP_MEMORY_SEEN],
	                                          memory_order_relaxed) == page) ||
	       rcap_memory_is_readable(at, 1);
}

/* False for NULL and for members of a struct at NULL: no program has memory that low. */
static inline bool rcap_memory_can_be(const void *at)
{
	return (uintptr_t) at >= 4096;
}

/* rcap_memory_measure() returns it for a text that can't be read to its end. */
#define RCAP_MEMORY_BAD SIZE_MAX

/*
 * Returns the length of a NUL-terminated text, or `max` if it is that long or longer. Reads nothing
 * after its end. Return: also RCAP_MEMORY_BAD, for example for NULL. Context: as
 * rcap_memory_is_readable().
 */
size_t rcap_memory_measure(const char *text, size_t max);

#endif
