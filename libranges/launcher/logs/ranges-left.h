/* SPDX-License-Identifier: MIT */
/* Finds the spools that programs of this user have left, or still use. */
#ifndef RCAP_RANGES_LEFT_H
#define RCAP_RANGES_LEFT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Prints a line for each spool of this user on stdout: alive, dead, busy or unknown; pid; program;
 * path. Changes nothing.
 *
 * @spool_dir: RANGES_SPOOL_DIR; "": the places used without it.
 * Return: number of spools.
 */
size_t rcap_ranges_left_print(const char *spool_dir);

/* Called with the path of each spool. */
typedef void rcap_ranges_left_visit_fn(void *context, const char *path);

/*
 * Visits the spools of dead programs without a launcher. Leaves out spools that are locked by a
 * program or a recovery, and spools of another pid namespace, whose state is unknown.
 *
 * @older_s: only if neither the spool nor the log was written to for so many seconds; 0: all.
 * Return: number of spools.
 */
size_t rcap_ranges_left_visit(const char *spool_dir, uint64_t older_s,
                              rcap_ranges_left_visit_fn *visit, void *context);

/* Visits all spools of this user, even if a program or a recovery uses them. */
void rcap_ranges_left_visit_any(const char *spool_dir, rcap_ranges_left_visit_fn *visit,
                                void *context);

/* Visits all readable spools, also those of other users. Only for callers that change nothing. */
void rcap_ranges_left_visit_readable(const char *spool_dir, rcap_ranges_left_visit_fn *visit,
                                     void *context);

/*
 * Counts the launchers of this user whose programs have no spool yet, because they have not called
 * NVTX or CUDA.
 * Return: number of launchers.
 */
size_t rcap_ranges_left_count_waiting(const char *spool_dir);

/* Removes a spool. Pass this to rcap_ranges_left_visit(). @context: unused. */
void rcap_ranges_left_delete(void *context, const char *path);

#endif
