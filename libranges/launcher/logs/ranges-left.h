/* SPDX-License-Identifier: MIT */
/* Finds the spools that programs of this user have left, or still use. */
#ifndef RCAP_RANGES_LEFT_H
#define RCAP_RANGES_LEFT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Prints the spools of this user on stdout, a line each: alive, dead, busy or unknown, pid,
 * program, path. Changes nothing.
 *
 * @spool_dir: RANGES_SPOOL_DIR; "": the places used without it.
 * Return: their number.
 */
size_t rcap_ranges_left_print(const char *spool_dir);

/* Called with the path of each spool. */
typedef void rcap_ranges_left_visit_fn(void *context, const char *path);

/*
 * Visits the spools of dead programs without a launcher: not locked by a program or a recovery, and
 * not of another pid namespace whose state is unknown.
 *
 * @older_s: only if neither spool nor log was written to for so many seconds; 0: all.
 * Return: their number.
 */
size_t rcap_ranges_left_visit(const char *spool_dir, uint64_t older_s,
                              rcap_ranges_left_visit_fn *visit, void *context);

/* Visits all spools of this user, whoever uses them. */
void rcap_ranges_left_visit_any(const char *spool_dir, rcap_ranges_left_visit_fn *visit,
                                void *context);

/* Visits all readable spools, also those of other users: for callers that change nothing. */
void rcap_ranges_left_visit_readable(const char *spool_dir, rcap_ranges_left_visit_fn *visit,
                                     void *context);

/*
 * Counts launchers of this user whose programs have no spool yet: they have made no call of NVTX or
 * CUDA.
 * Return: their number.
 */
size_t rcap_ranges_left_count_waiting(const char *spool_dir);

/* Removes a spool; for rcap_ranges_left_visit(). @context: unused. */
void rcap_ranges_left_delete(void *context, const char *path);

#endif
