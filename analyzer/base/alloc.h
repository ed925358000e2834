/* SPDX-License-Identifier: MIT */
/*
 * Memory of the analyzer. Where there is none left the process ends, with a line on stderr and exit
 * status 3, and files that are not whole are removed: nothing that was written lacks a part in
 * silence, and nobody has to pass on an error that nobody can do anything about.
 * How much a file may ask for is bounded by its readers (doc/format.md, --max-memory); one that
 * takes more is refused as any other bad input is, by ra_alloc_try().
 *
 * Each return value is the caller's, for free(); it is never NULL. Context: any thread; in those of
 * a pool (pool.h) within ra_alloc_try().
 */
#ifndef RA_ALLOC_H
#define RA_ALLOC_H

#include <stddef.h>

/* The exit status then, as of an input that can't be read (doc/analyzer.1). */
#define RA_ALLOC_EXIT 3

/* As malloc() and calloc(), also of no bytes. */
void *ra_alloc_bytes(size_t bytes) __attribute__((malloc, alloc_size(1), returns_nonnull));
void *ra_alloc_zeros(size_t count, size_t bytes)
	__attribute__((malloc, alloc_size(1, 2), returns_nonnull));

/* As reallocarray(). */
void *ra_alloc_resize(void *memory, size_t count, size_t bytes)
	__attribute__((alloc_size(2, 3), returns_nonnull));

/* As strdup(). */
char *ra_alloc_copy(const char *text) __attribute__((malloc, returns_nonnull, nonnull));

/* As asprintf(). */
char *ra_alloc_format(const char *format, ...)
	__attribute__((malloc, returns_nonnull, format(printf, 1, 2)));

/* Says that there is no memory, and ends: for those that get none from a library. */
void ra_alloc_end(void) __attribute__((noreturn, cold));

/*
 * Calls run(context); where memory ends within, comes back at once. What run held is lost, its
 * memory, too: for inputs, behind each of which there may be another one. One may be inside
 * another.
 *
 * Return: what run returned; -RLOG_E_NO_MEMORY.
 */
int ra_alloc_try(int (*run)(void *context), void *context);

/* Is called before memory's end goes back to ra_alloc_try(), by the thread in which it ended. */
void ra_alloc_set_retreat(void (*call)(void));

/* Is called before the end; it may ask for no memory. */
void ra_alloc_set_cleanup(void (*cleanup)(void));

/* What the line on stderr ends with, borrowed; NULL: nothing. */
void ra_alloc_set_hint(const char *hint);

#endif
