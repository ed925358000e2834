/* SPDX-License-Identifier: MIT */
/* What stands in a spool about a capture that keeps its last part only: pieces of the log, each a
 * file of its own, of which the oldest is dropped. */
#ifndef RCAP_KEPT_H
#define RCAP_KEPT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "libranges/settings/config.h"
#include "libranges/settings/trigger.h"

/* Pieces that there may be at a time. */
#define RCAP_KEPT_PIECES 64u
/* Snapshots that are remembered; who wants to know of each looks often enough. */
#define RCAP_KEPT_LOGS       16u
#define RCAP_KEPT_PATH_BYTES 1024
#define RCAP_KEPT_WHEN_BYTES 1024

/* One piece. Sums are of what came before it. */
struct rcap_kept_piece {
	uint64_t mono_ns; /* when it was begun: CLOCK_MONOTONIC, */
	uint64_t real_ns; /* CLOCK_REALTIME */
	uint64_t ticks;
	uint64_t events;   /* of the program's, written since its streams began to count */
	uint64_t lost;     /* since the last log was closed */
	uint64_t nameless; /* likewise: events that have no name, as there are too many */
	uint64_t bytes;    /* of the file; the last one's: 0 */
	uint64_t number;   /* in the name; with RCAP_KEPT_ASIDE: it lies aside */
};

/* In a piece's number. */
#define RCAP_KEPT_ASIDE (UINT64_C(1) << 63)

struct rcap_kept_log {
	uint32_t number; /* 0: none */
	uint32_t pad;
	char path[RCAP_KEPT_PATH_BYTES];
	char by[16]; /* as the log says it, both */
	char why[256];
};

/* One condition of RANGES_WHEN. Relaxed. */
struct rcap_kept_condition {
	_Atomic uint64_t seen; /* what it is about: steps, ranges, values */
	_Atomic uint64_t met;
	_Atomic uint64_t unnamed; /* ranges that may be meant, and have no name */
};

/*
 * The drain's alone, but what is said otherwise. Pieces first … next-1 are there, number i in place
 * i % RCAP_KEPT_PIECES; the log that the spool names is the last of them.
 */
struct rcap_kept {
	uint64_t window_ns;    /* so much is kept; 0: not by time. Both 0: everything */
	uint64_t window_bytes; /* 0: not by size */
	_Atomic uint32_t first;
	_Atomic uint32_t next; /* release, after the entry */
	uint64_t number;       /* of the piece that is begun next */
	/* Number + 1 of the piece whose file is there and not yet among them, or not any more; 0:
	 * none. Who goes on after a death removes it. */
	_Atomic uint64_t making;
	_Atomic uint64_t dropping;
	uint64_t events_base; /* rcap_kept_piece.events of the first piece that there was */
	uint32_t snapshots;   /* begun */
	/* Written. Release, after the entry: others read it. */
	_Atomic uint32_t snapshots_done;
	_Atomic uint32_t skipped; /* relaxed */
	/* The pieces have become the log, which the spool names now. Release, after the name. */
	_Atomic uint32_t is_whole;
	uint64_t whole_inode;    /* of the file that is to become it, before it gets its name */
	uint64_t whole_outside;  /* calls before the window, */
	uint64_t whole_lost;     /* of them lost */
	uint64_t whole_nameless; /* of them without their name */
	uint64_t whole_gone;     /* events in pieces that were not there any more */
	uint64_t outside_before; /* likewise, of the logs of earlier cycles */
	struct rcap_kept_piece pieces[RCAP_KEPT_PIECES];
	struct rcap_kept_log logs[RCAP_KEPT_LOGS]; /* of snapshot n in place n % RCAP_KEPT_LOGS */
	/* Of the command that is at work: by who asks before it does, and by the drain before it
	 * answers. */
	char wanted_path[RCAP_KEPT_PATH_BYTES]; /* absolute; "": by the pattern */
	char written_path[RCAP_KEPT_PATH_BYTES];
	/* Pattern of the log that a recovery is to make of the pieces, which it begins beside that;
	 * "": the pattern that the program was given. */
	char aside[RCAP_CONFIG_PATH_BYTES];
	/* Settings. */
	uint64_t before_ns; /* of a trigger's snapshot; 0: all that is kept */
	uint64_t cool_ns;   /* from one trigger's snapshot to the next */
	uint64_t most;      /* of them */
	struct rcap_kept_condition conditions[RCAP_TRIGGERS];
	char text[64];                   /* RANGES_KEEP */
	char when[RCAP_KEPT_WHEN_BYTES]; /* RANGES_WHEN */
};

/* True if the capture keeps its last part only, and that is not a log yet. */
static inline bool rcap_kept_is_on(const struct rcap_kept *kept)
{
	/* Acquire pairs with the release of who makes it whole. */
	return (kept->window_ns | kept->window_bytes) != 0 &&
	       atomic_load_explicit(&kept->is_whole, memory_order_acquire) == 0;
}

/* Piece i; valid while first ≤ i < next. */
static inline struct rcap_kept_piece *rcap_kept_piece(struct rcap_kept *kept, uint32_t i)
{
	return &kept->pieces[i % RCAP_KEPT_PIECES];
}

#endif
