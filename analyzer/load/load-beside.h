/* SPDX-License-Identifier: MIT */
/* Loads files side by side, for a caller that takes their models in order. */
#ifndef RA_LOAD_BESIDE_H
#define RA_LOAD_BESIDE_H

#include "analyzer/load/load.h"

struct ra_load_beside;

/*
 * Begins to load files: logs and traces in JSON that are regular files. Does so only if together
 * they are so large that threads save time (pool.h).
 *
 * @paths, @options: borrowed until destroy.
 * Return: NULL if no file is being loaded.
 */
struct ra_load_beside *ra_load_beside_create(char *const *paths, size_t count,
                                             const struct ra_load_options *options);

/* Frees models that were not taken. NULL is allowed. */
void ra_load_beside_destroy(struct ra_load_beside *beside);

/*
 * Loads the i-th file as ra_load_file() does. Call it once for each file.
 *
 * @options: the progress function in it is called while the caller waits for this file, even if
 * another thread loads it.
 */
int ra_load_beside_take(struct ra_load_beside *beside, size_t i, struct ra_model **out,
                        const struct ra_load_options *options, struct rlog_error *err);

#endif
