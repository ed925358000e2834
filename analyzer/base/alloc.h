/* SPDX-License-Identifier: MIT */
/*
 * Memory of the analyzer. When none is left, the process prints a line on stderr, removes
 * unfinished output files and exits with status 3. So no incomplete output looks complete, and no
 * caller has to pass on an error that it can't handle.
 * Each reader limits how much memory a file may ask for (doc/format.md, --max-memory). A file that
 * takes more is refused as any other bad input, by ra_alloc_try().
 *
 * Each function returns memory that the caller frees, never NULL. Context: any thread; in those of
 * a pool (side/pool.h) within ra_alloc_try().
 */
#ifndef RA_ALLOC_H
#define RA_ALLOC_H

#include <stddef.h>

/* The exit status when memory is out: the same as of an input that can't be read
 * (doc/analyzer.1). */
#define RA_ALLOC_EXIT 3

/* Allocates as malloc() and calloc() do, but 0 bytes are allowed, too. */
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

/* Prints that there is no memory, and ends the process: for a library's allocation that failed. */
void ra_alloc_end(void) __attribute__((noreturn, cold));

/*
 * Calls run(context), and returns at once when memory runs out within. What run() held then leaks,
 * memory included. Used to read one of several inputs: after a failure the next one is still read.
 * Calls may be nested.
 *
 * Return: what run returned; -RLOG_E_NO_MEMORY.
 */
int ra_alloc_try(int (*run)(void *context), void *context);

/* Sets a function that is called when memory runs out within ra_alloc_try(). The thread that ran
 * out calls it, before ra_alloc_try() returns. */
void ra_alloc_set_retreat(void (*call)(void));

/* Sets a function that is called before the process ends; it must not allocate. */
void ra_alloc_set_cleanup(void (*cleanup)(void));

/* Sets what the line on stderr ends with. Borrowed; NULL: nothing. */
void ra_alloc_set_hint(const char *hint);

#endif
