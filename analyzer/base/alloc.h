/* SPDX-License-Identifier: MIT */
/*
 * Memory of the analyzer. Where there is none left the process ends, with a line on stderr and exit
 * status 3, and files that are not whole are removed: nothing that was written lacks a part in
 * silence, and nobody has to pass on an error that nobody can do anything about.
 * How much a file may ask for is bounded before, by its readers (doc/format.md, --max-memory).
 *
 * Context: any thread. Each return value is the caller's, for free(); it is never NULL.
 */
#ifndef RA_ALLOC_H
#define RA_ALLOC_H

#include <stddef.h>

/* As malloc() and calloc(), also of no bytes. */
void *ra_malloc(size_t bytes) __attribute__((malloc, alloc_size(1), returns_nonnull));
void *ra_calloc(size_t count, size_t bytes)
	__attribute__((malloc, alloc_size(1, 2), returns_nonnull));

/* As reallocarray(). */
void *ra_realloc(void *memory, size_t count, size_t bytes)
	__attribute__((alloc_size(2, 3), returns_nonnull));

/* As strdup(). */
char *ra_strdup(const char *text) __attribute__((malloc, returns_nonnull, nonnull));

/* As asprintf(). */
char *ra_format(const char *format, ...)
	__attribute__((malloc, returns_nonnull, format(printf, 1, 2)));

/* Says that there is no memory, and ends: for those that get none from a library. */
void ra_alloc_end(void) __attribute__((noreturn, cold));

/* Is called before the end, from the thread that gets no memory; it may ask for none. */
void ra_alloc_set_cleanup(void (*cleanup)(void));

#endif
