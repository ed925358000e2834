/* SPDX-License-Identifier: MIT */
/* Chooses the numbers of processes and threads in a drawing: their own, if Perfetto can show them
 * (layout.h). */
#ifndef RA_LAYOUT_NUMBERS_H
#define RA_LAYOUT_NUMBERS_H

#include "analyzer/model/model.h"

/* @pids: gets the pid of each process; has process_count entries. */
void ra_layout_numbers_choose_pids(const struct ra_model *model, uint32_t *pids);

/*
 * Chooses the numbers of threads. The system may reuse a thread's number after the thread has
 * ended. The second thread gets the same row only if the first one's events are over and both have
 * the same name.
 *
 * @tids: gets the tid of each track that is a thread; has track_count entries.
 * @next_row: number for the next row that can't have its own; increased for each such row.
 */
void ra_layout_numbers_choose_tids(const struct ra_model *model, uint32_t *tids,
                                   uint32_t *next_row);

#endif
