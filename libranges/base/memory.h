/* SPDX-License-Identifier: MIT */
/* Asks whether an address from the program can be read at all, before it is. */
#ifndef RCAP_MEMORY_H
#define RCAP_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * True if `bytes` from `at` on can be read. Uninitialised structs hold addresses where nothing is;
 * reading there would end the program.
 *
 * A page once found readable is remembered and not asked for again, so an address whose memory the
 * program has unmapped since may still pass.
 *
 * Context: any thread, signal handlers; one system call per page not seen lately; errno is kept.
 */
bool rcap_memory_is_readable(const void *at, size_t bytes);

/* Pages may be bigger, never smaller; a page of 64 KiB is asked for in 16 pieces then. */
#define RCAP_MEMORY_PAGE 4096u
#define RCAP_MEMORY_SEEN 1024u

/* Numbers of pages that could be read, by their low bits; relaxed: each entry stands alone. */
extern _Atomic uintptr_t rcap_memory_seen[RCAP_MEMORY_SEEN] __attribute__((visibility("hidden")));

/* The same for one byte. */
static inline bool rcap_memory_is_byte(const char *at)
{
	const uintptr_t page = (uintptr_t) at / RCAP_MEMORY_PAGE;

	return (page != 0 && atomic_load_explicit(&rcap_memory_seen[page % RCAP_MEMORY_SEEN],
	                                          memory_order_relaxed) == page) ||
	       rcap_memory_is_readable(at, 1);
}

/* False for NULL and for members of a struct at NULL: no memory of a program is that low. */
static inline bool rcap_memory_can_be(const void *at)
{
	return (uintptr_t) at >= 4096;
}

/* What rcap_memory_measure() returns for a text that can't be read to its end. */
#define RCAP_MEMORY_BAD SIZE_MAX

/*
 * Length of a NUL-terminated text, `max` if it is that long or longer; reads nothing behind its
 * end. NULL is bad. Context: as above.
 */
size_t rcap_memory_measure(const char *text, size_t max);

#endif
