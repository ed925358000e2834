/* SPDX-License-Identifier: MIT */
/* Finds out whether an address from the program can be read, before we read it. */
#ifndef RCAP_MEMORY_H
#define RCAP_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * True if `bytes` from `at` on can be read. Uninitialised structs hold invalid addresses; reading
 * there would end the program.
 *
 * A readable page is remembered and not checked again, so an address whose memory the program has
 * unmapped since may still pass.
 *
 * Context: any thread, signal handlers; one system call for each page not seen lately; errno is
 * kept.
 */
bool rcap_memory_is_readable(const void *at, size_t bytes);

/* The size by which pages are checked. Real pages may be larger, never smaller: a page of 64 KiB is
 * checked in 16 pieces. */
#define RCAP_MEMORY_PAGE 4096u
#define RCAP_MEMORY_SEEN 1024u

/* Numbers of readable pages, by their low bits. Relaxed: no entry depends on another. */
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
 * Length of a NUL-terminated text, `max` if it is that long or longer; reads nothing after its end.
 * NULL is bad. Context: as above.
 */
size_t rcap_memory_measure(const char *text, size_t max);

#endif
