/* SPDX-License-Identifier: MIT */
/* Chooses the numbers of processes and threads in a drawing: their own, if Perfetto can show them
 * (layout.h). */
#ifndef RA_LAYOUT_NUMBERS_H
#define RA_LAYOUT_NUMBERS_H

#include "analyzer/model/model.h"

/* @pids: by process, process_count of them. */
void ra_layout_numbers_choose_pids(const struct ra_model *model, uint32_t *pids);

/*
 * The system may reuse a thread's number after the thread has ended. The second thread gets the
 * same row only if the first one's events are over and both have the same name.
 *
 * @tids: by track, track_count of them. Only those of threads are set.
 * @next_row: the number for the next row that can't have its own; moves on.
 */
void ra_layout_numbers_choose_tids(const struct ra_model *model, uint32_t *tids,
                                   uint32_t *next_row);

#endif
