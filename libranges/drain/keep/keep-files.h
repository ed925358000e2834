/* SPDX-License-Identifier: MIT */
/* Handles the files of kept pieces: finds their names, and which of them are gone. */
#ifndef RCAP_KEEP_FILES_H
#define RCAP_KEEP_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/spool/spool.h"

/* Used as numbers of pieces in the temporary name of the log that is made of the pieces. NEW: that
 * log is where a recovery puts its log. NEW_THERE: it is where the program's pieces are. */
#define RCAP_KEEP_NEW       UINT64_MAX
#define RCAP_KEEP_NEW_THERE (UINT64_MAX & ~RCAP_KEPT_ASIDE)

/* Makes the name of a piece. */
void rcap_keep_name(const struct rcap_spool_header *header, uint64_t number, char *out,
                    size_t size);

/* True if a file is one of the pieces, whatever its name is. */
bool rcap_keep_is_piece(const struct rcap_spool *spool, const char *path);

/* Counts the program's events that were written since its streams were last numbered from 0. */
uint64_t rcap_keep_count_events(const struct rcap_spool *spool);

struct rcap_keep_gone {
	uint32_t first;   /* the first piece that still exists; the last piece if none exists */
	uint64_t leading; /* number of events in the pieces before `first` */
	uint64_t events;  /* number of events in all missing pieces, including `leading` */
};

/* Checks the files of pieces first … next-1 (first < next). Another program may have moved, deleted
 * or replaced them. Context: the drain, or recovery. */
void rcap_keep_find_gone(const struct rcap_spool *spool, uint32_t first, uint32_t next,
                         struct rcap_keep_gone *out);

#endif
