/* SPDX-License-Identifier: MIT */
/*
 * Memory of the analyzer. When none is left, the process prints a line on stderr, removes
 * unfinished output files and exits with status 3. So an incomplete output is never taken for a
 * complete one, and no caller has to pass on an error that it can't handle. Each reader limits how
 * much memory a file may ask for (doc/format.md, --max-memory). A file that takes more is refused
 * as any other bad input, by ra_alloc_try().
 *
 * Each function returns memory that the caller frees, never NULL. Context: any thread; threads of a
 * pool (side/pool.h) call them within ra_alloc_try().
 */
#ifndef RA_ALLOC_H
#define RA_ALLOC_H

#include <stddef.h>

/* The exit status when memory runs out: the same as for an input that can't be read
 * (doc/analyzer.1). */
#define RA_ALLOC_EXIT 3

/* Allocate as malloc() and calloc() do. 0 bytes are allowed, too. */
void *ra_alloc_bytes(size_t bytes) __attribute__((malloc, alloc_size(1), returns_nonnull));
void *ra_alloc_zeros(size_t count, size_t bytes)
	__attribute__((malloc, alloc_size(1, 2), returns_nonnull));

/* Resizes as reallocarray() does. */
void *ra_alloc_resize(void *memory, size_t count, size_t bytes)
	__attribute__((alloc_size(2, 3), returns_nonnull));

/* Copies as strdup() does. */
char *ra_alloc_copy(const char *text) __attribute__((malloc, returns_nonnull, nonnull));

/* Prints to a new string as asprintf() does. */
char *ra_alloc_format(const char *format, ...)
	__attribute__((malloc, returns_nonnull, format(printf, 1, 2)));

/* Prints that there is no memory, and ends the process. For callers of a library whose own
 * allocation failed. */
void ra_alloc_end(void) __attribute__((noreturn, cold));

/*
 * Calls run(context), and returns at once when memory runs out in it. Then everything that run()
 * held leaks, memory included. Used to read one of several inputs, so that the next one is still
 * read after a failure. Calls may be nested.
 *
 * Return: the result of run(); -RLOG_E_NO_MEMORY if memory ran out.
 */
int ra_alloc_try(int (*run)(void *context), void *context);

/* Sets a function that is called when memory runs out within ra_alloc_try(). The thread that ran
 * out calls it, before ra_alloc_try() returns. */
void ra_alloc_set_retreat(void (*call)(void));

/* Sets a function that is called before the process ends; it must not allocate. */
void ra_alloc_set_cleanup(void (*cleanup)(void));

/* Sets a text that is appended to the line on stderr. Borrowed; NULL: nothing is appended. */
void ra_alloc_set_hint(const char *hint);

#endif
