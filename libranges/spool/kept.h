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

/* At most this many pieces exist at a time. */
#define RCAP_KEPT_PIECES 64u
/* This many snapshots are remembered. A caller who wants every one must look often enough. */
#define RCAP_KEPT_LOGS       16u
#define RCAP_KEPT_PATH_BYTES 1024
#define RCAP_KEPT_WHEN_BYTES 1024

/* One piece. Its sums cover everything before it. */
struct rcap_kept_piece {
	uint64_t mono_ns; /* its start: CLOCK_MONOTONIC, */
	uint64_t real_ns; /* CLOCK_REALTIME */
	uint64_t ticks;
	uint64_t events;   /* of the program, written since its streams began to count */
	uint64_t lost;     /* since the last log was closed */
	uint64_t nameless; /* events without a name, because there are too many names; counted in
	                      the same way */
	uint64_t bytes;    /* of the file; 0 for the last piece */
	uint64_t number;   /* number in the file name; with the flag RCAP_KEPT_ASIDE if the piece is
	                      in the other folder */
};

/* A flag in a piece's number. */
#define RCAP_KEPT_ASIDE (UINT64_C(1) << 63)

struct rcap_kept_log {
	uint32_t number; /* 0: none */
	uint32_t pad;
	char path[RCAP_KEPT_PATH_BYTES];
	char by[16]; /* by and why are texts for the log */
	char why[256];
};

/* One condition of RANGES_WHEN. Relaxed. */
struct rcap_kept_condition {
	_Atomic uint64_t seen; /* things it was checked on: steps, ranges, values */
	_Atomic uint64_t met;
	_Atomic uint64_t unnamed; /* ranges that may match but have no name */
};

/*
 * The state of the kept pieces. Only the drain uses it unless noted. Pieces first … next-1 exist.
 * Number i is at place i % RCAP_KEPT_PIECES. The log that the spool names is the last of them.
 */
struct rcap_kept {
	uint64_t window_ns;    /* how much time is kept; 0: no limit by time. Both 0: everything */
	uint64_t window_bytes; /* 0: no limit by size */
	_Atomic uint32_t first;
	_Atomic uint32_t next; /* release, after the entry */
	uint64_t number;       /* of the next piece */
	/* Number + 1 of a piece whose file exists but that is not yet among the pieces (making), or
	 * no longer (dropping); 0: none. If the program dies, the recovery removes that file. */
	_Atomic uint64_t making;
	_Atomic uint64_t dropping;
	uint64_t events_base; /* rcap_kept_piece.events of the very first piece */
	uint32_t snapshots;   /* begun */
	/* Number of snapshots written. Stored with release after the entry, because others read
	 * it. */
	_Atomic uint32_t snapshots_done;
	_Atomic uint32_t skipped; /* relaxed */
	/* The pieces have become the log that the spool now names. Release, after the name. */
	_Atomic uint32_t is_whole;
	uint64_t whole_inode;    /* of the file that becomes the log, before it gets its name */
	uint64_t whole_outside;  /* calls before the window, */
	uint64_t whole_lost;     /* of these events, those that were lost, */
	uint64_t whole_nameless; /* and those without a name */
	uint64_t whole_gone;     /* events in pieces whose files had vanished */
	uint64_t outside_before; /* calls outside the logs of earlier cycles */
	struct rcap_kept_piece pieces[RCAP_KEPT_PIECES];
	struct rcap_kept_log logs[RCAP_KEPT_LOGS]; /* snapshot n at place n % RCAP_KEPT_LOGS */
	/* For the command in progress. The sender sets the first path before it sends the command,
	 * the drain sets the second before it answers. */
	char wanted_path[RCAP_KEPT_PATH_BYTES]; /* absolute; "": by the pattern */
	char written_path[RCAP_KEPT_PATH_BYTES];
	/* Name pattern for the log that a recovery makes of pieces that it began elsewhere; "":
	 * the pattern that the program was given. */
	char aside[RCAP_CONFIG_PATH_BYTES];
	/* Settings. */
	uint64_t before_ns; /* how much a trigger's snapshot holds; 0: all that is kept */
	uint64_t cool_ns;   /* least time between two snapshots by triggers */
	uint64_t most;      /* most snapshots by triggers */
	struct rcap_kept_condition conditions[RCAP_TRIGGERS];
	char text[64];                   /* RANGES_KEEP */
	char when[RCAP_KEPT_WHEN_BYTES]; /* RANGES_WHEN */
};

/* True if the capture keeps only its last part, and that has not become a log yet. */
static inline bool rcap_kept_is_on(const struct rcap_kept *kept)
{
	/* Acquire pairs with the release that makes it whole. */
	return (kept->window_ns | kept->window_bytes) != 0 &&
	       atomic_load_explicit(&kept->is_whole, memory_order_acquire) == 0;
}

/* Returns piece i; valid while first ≤ i < next. */
static inline struct rcap_kept_piece *rcap_kept_piece(struct rcap_kept *kept, uint32_t i)
{
	return &kept->pieces[i % RCAP_KEPT_PIECES];
}

#endif
