/* SPDX-License-Identifier: MIT */
/* The part of a spool that describes a capture that keeps only its last part: pieces of the log,
 * each a file of its own; the oldest is dropped. */
#ifndef RCAP_KEPT_H
#define RCAP_KEPT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "libranges/settings/config.h"
#include "libranges/settings/trigger.h"

/* There are at most this many pieces at a time. */
#define RCAP_KEPT_PIECES 64u
/* So many snapshots are remembered. A caller who wants every one must look often enough. */
#define RCAP_KEPT_LOGS       16u
#define RCAP_KEPT_PATH_BYTES 1024
#define RCAP_KEPT_WHEN_BYTES 1024

/* A piece. Its counts are those of everything before it. */
struct rcap_kept_piece {
	uint64_t mono_ns; /* CLOCK_MONOTONIC of its start */
	uint64_t real_ns; /* CLOCK_REALTIME of its start */
	uint64_t ticks;
	uint64_t events;   /* program's events that were written since its streams were last
	                    * numbered from 0 */
	uint64_t lost;     /* events lost since the last log was closed */
	uint64_t nameless; /* events without a name, because there are too many names; counted since
	                    * the same time */
	uint64_t bytes;    /* bytes of the file; 0 for the last piece */
	uint64_t number;   /* number in the file's name, with the flag RCAP_KEPT_ASIDE if the piece
	                    * is in the other folder */
};

/* Flag in a piece's number: the piece is in the other folder. */
#define RCAP_KEPT_ASIDE (UINT64_C(1) << 63)

struct rcap_kept_log {
	uint32_t number; /* number of the snapshot; 0: the entry is empty */
	uint32_t pad;
	char path[RCAP_KEPT_PATH_BYTES];
	char by[16]; /* by and why are texts for the log */
	char why[256];
};

/* Counts of one condition of RANGES_WHEN. Relaxed. */
struct rcap_kept_condition {
	_Atomic uint64_t seen; /* number of steps, ranges or values that were checked */
	_Atomic uint64_t met;
	_Atomic uint64_t unnamed; /* number of ranges without a name that may match */
};

/*
 * The state of the kept pieces. Only the drain uses it, if not stated otherwise. There are the
 * pieces first … next-1. The entry of piece i has the index i % RCAP_KEPT_PIECES. The last piece is
 * the log that the spool names.
 */
struct rcap_kept {
	uint64_t window_ns;    /* how much time is kept; 0: no limit. If window_bytes is 0, too,
	                        * everything is kept */
	uint64_t window_bytes; /* how many bytes are kept; 0: no limit */
	_Atomic uint32_t first;
	_Atomic uint32_t next; /* stored with release after the entry */
	uint64_t number;       /* number in the name of the next piece */
	/* Number + 1 of a piece whose file exists, but that is not one of the pieces: not yet
	 * (making), or not any more (dropping). 0: there is none. If the program dies, the recovery
	 * removes that file. */
	_Atomic uint64_t making;
	_Atomic uint64_t dropping;
	uint64_t events_base; /* rcap_kept_piece.events of the first piece of all */
	uint32_t snapshots;   /* number of snapshots begun */
	/* Number of snapshots written. Stored with release after the entry, because other threads
	 * read it. */
	_Atomic uint32_t snapshots_done;
	_Atomic uint32_t skipped; /* number of snapshots that were not written. Relaxed */
	/* 1 if the pieces have become the log that the spool now names. Stored with release after
	 * the name. */
	_Atomic uint32_t is_whole;
	uint64_t whole_inode;    /* inode of the file that becomes the log; stored before the file
	                          * gets its name */
	uint64_t whole_outside;  /* calls before the window */
	uint64_t whole_lost;     /* events included in whole_outside that were lost */
	uint64_t whole_nameless; /* events included in whole_outside that have no name */
	uint64_t whole_gone;     /* events in pieces whose files were missing */
	uint64_t outside_before; /* calls that were in no log of the earlier cycles */
	struct rcap_kept_piece pieces[RCAP_KEPT_PIECES];
	struct rcap_kept_log logs[RCAP_KEPT_LOGS]; /* snapshot n has the index n % RCAP_KEPT_LOGS */
	/* Paths of the command in progress. The sender stores wanted_path before it sends the
	 * command. The drain stores written_path before it answers. */
	char wanted_path[RCAP_KEPT_PATH_BYTES]; /* absolute; "": a name by the pattern */
	char written_path[RCAP_KEPT_PATH_BYTES];
	/* Name pattern of the log that a recovery makes, if that recovery has begun pieces
	 * elsewhere. "": the pattern that the program was given. */
	char aside[RCAP_CONFIG_PATH_BYTES];
	/* Settings. */
	uint64_t before_ns; /* how much time a trigger's snapshot has before the trigger; 0: all
	                     * that is kept */
	uint64_t cool_ns;   /* least time between two snapshots that triggers cause */
	uint64_t most;      /* most snapshots that triggers cause */
	struct rcap_kept_condition conditions[RCAP_TRIGGERS];
	char text[64];                   /* text of RANGES_KEEP */
	char when[RCAP_KEPT_WHEN_BYTES]; /* text of RANGES_WHEN */
};

/* True if the capture keeps only its last part, and the pieces have not become a log yet. */
static inline bool rcap_kept_is_on(const struct rcap_kept *kept)
{
	/* Acquire pairs with the release that stores is_whole. */
	return (kept->window_ns | kept->window_bytes) != 0 &&
	       atomic_load_explicit(&kept->is_whole, memory_order_acquire) == 0;
}

/* Returns the entry of piece i, which is valid while first ≤ i < next. */
static inline struct rcap_kept_piece *rcap_kept_piece(struct rcap_kept *kept, uint32_t i)
{
	return &kept->pieces[i % RCAP_KEPT_PIECES];
}

#endif
