/* SPDX-License-Identifier: MIT */
/*
 * nvtx-count-table: counts keys by thread and writes them at exit.
 *
 * Context: any thread, once count_open has returned true. Running out of memory aborts: a count
 * that is silently short is worse than none.
 */
#ifndef NVTX_COUNT_TABLE_H
#define NVTX_COUNT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

/* Says where the counts go at exit; once per process. Return: false for a NULL or empty path. */
bool count_open(const char *path);

/* Counts an event of the calling thread. A NULL name counts as the empty one. The texts are
 * copied. */
void count_event(const char *kind, const char *domain_name, const char *name);

/* Counts a line for the .info file. */
__attribute__((format(printf, 1, 2))) void count_info(const char *format, ...);

/* Memory of the caller's, never NULL; count_copy takes NULL for the empty string. */
void *count_alloc(size_t size);
char *count_copy(const char *text);

#endif
