/* SPDX-License-Identifier: MIT */
/* Describes in the spool whether the capture of a process is on. */
#ifndef RCAP_CONTROL_H
#define RCAP_CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "libranges/settings/schedule.h"
#include "libranges/spool/kept.h"

/* The drain may have at most this many switches to handle. Further switches are refused. */
#define RCAP_CONTROL_SWITCHES 4096u

/* What switched the capture. */
enum rcap_control_by {
	RCAP_CONTROL_BY_START, /* no switch: the state at the start */
	RCAP_CONTROL_BY_SCHEDULE,
	RCAP_CONTROL_BY_RANGE,
	RCAP_CONTROL_BY_API,
	RCAP_CONTROL_BY_CTL,
	RCAP_CONTROL_BY_TIME,
};

/* Commands of `ranges ctl`. */
enum rcap_control_command {
	RCAP_CONTROL_NONE,
	RCAP_CONTROL_START,
	RCAP_CONTROL_STOP,
	RCAP_CONTROL_FLUSH,
	RCAP_CONTROL_OWN_SNAPSHOT, /* the program itself asks for a snapshot */
	/* Snapshot to kept.wanted_path. kept.written_path gets the path, or the reason why there is
	 * none. */
	RCAP_CONTROL_SNAPSHOT,
};

/* A switch: from `ticks` on the capture is in `phase`. */
struct rcap_switch {
	uint64_t ticks;
	uint64_t mono_ns;
	uint64_t step;  /* number of the step that begins with this switch; UINT64_MAX: none does */
	uint32_t cycle; /* the current cycle, or else the last one; the first is 1 */
	uint32_t phase; /* enum rcap_phase */
	uint32_t by;    /* enum rcap_control_by */
	uint32_t pad;
};

/* So many logs of closed cycles are remembered. A caller who wants every log must look often
 * enough. */
#define RCAP_CONTROL_LOGS 16u

/* The log of a closed cycle. */
struct rcap_closed_log {
	uint32_t cycle; /* 0: the entry is empty */
	uint32_t pad;
	uint64_t events;
	char path[1024]; /* "" if the path is too long */
};

/*
 * The state of the capture. It is in the spool, so that it survives the process, and `ranges ctl`
 * can reach it. To send a command, change `command` from NONE and wake `wake`. The drain executes
 * the command, and replaces it by its answer. Only rcap_switch_to() changes the phase.
 */
struct rcap_control {
	/* The drain sleeps on this word, by a futex that other processes share. */
	_Atomic uint32_t wake;
	_Atomic uint32_t command; /* see rcap_control_ask(); acquire, release */
	/* 1 while a thread is switching the capture. The time of its switch may be earlier than the
	 * moment at which other threads see the switch. */
	_Atomic uint32_t is_switching;
	_Atomic uint32_t phase; /* the current enum rcap_phase */
	uint32_t first_phase;   /* the phase before the first switch */
	uint32_t is_planned;    /* a schedule, a range or the time switches; `ranges ctl` may not */
	/* 1 if each cycle has a log, with the cycle's number in its name. */
	uint32_t has_cycles;
	/* Number of switches so far. Stored with release after the entry. */
	_Atomic uint32_t switches;
	/* Number of switches that the drain has handled. Stored with release: the drain does not
	 * read their entries any more. */
	_Atomic uint32_t passed;
	_Atomic uint32_t refused; /* number of switches that found no room. Relaxed */
	uint32_t pad2;
	/* The last cycle whose log is closed, so that no more rows are added. Release, after
	 * `closed`. */
	_Atomic uint32_t cycles_done;
	_Atomic uint32_t gpu_done; /* number of switches that the GPU's capture has handled.
	                            * Release */
	_Atomic uint32_t has_gpu;
	uint32_t pad;
	_Atomic uint64_t steps; /* number of steps begun. Relaxed */
	uint64_t first_on_step; /* number of steps before the schedule switches on; 0: there is no
	                         * schedule */
	/* Number of the program's events that were left out: calls of threads without a stream,
	 * calls of threads that have ended, and events that the drain has dropped. Relaxed. */
	_Atomic uint64_t outside;
	uint64_t outside_told;  /* part of all these events that earlier logs have reported; used by
	                         * the drain */
	uint64_t events_before; /* number of events in earlier logs; so are the next three
	                         * members */
	uint64_t lost_before;
	uint64_t nameless_before; /* included in events_before */
	uint64_t bytes_before;
	struct rcap_switch ring[RCAP_CONTROL_SWITCHES];
	/* The entry of closed cycle n has the index n % RCAP_CONTROL_LOGS. Only the drain writes
	 * it. */
	struct rcap_closed_log closed[RCAP_CONTROL_LOGS];
	char plan[RCAP_SCHEDULE_BYTES]; /* text for the log: what decides on switches */
	struct rcap_kept kept;
};

enum rcap_control_result {
	RCAP_CONTROL_DONE,
	RCAP_CONTROL_IS_SO,   /* the capture was on, or off, already */
	RCAP_CONTROL_PLANNED, /* a schedule, a range or the time decides */
	RCAP_CONTROL_FULL,    /* the drain is too far behind */
	RCAP_CONTROL_NOTHING, /* nothing is kept for a snapshot */
	RCAP_CONTROL_FAILED,  /* kept.written_path has the reason */
	RCAP_CONTROL_TAKEN,   /* not a result: a caller has taken the slot and will send a command
	                       * soon */
};

/* Returns the log's word for what has switched the capture. A constant string. */
const char *rcap_control_by_name(uint32_t by);

/* True, unless the capture is on from start to end. If true, its logs say which part of the capture
 * they have. */
bool rcap_control_is_used(const struct rcap_control *control);

/* Copies the last switch that the drain has handled to `out`. If there was none, fills in the
 * start. */
void rcap_control_now(const struct rcap_control *control, struct rcap_switch *out);

/* Packs a command, or an executed command and its result, into a word. @number: identifies the
 * sender, 0 … 2^16-1. */
static inline uint32_t rcap_control_ask(uint32_t command, uint32_t number)
{
	return command | (number & 0xFFFF) << 16;
}

static inline uint32_t rcap_control_answer(uint32_t asked, uint32_t result)
{
	return asked | 0x100 | result << 9;
}

/* Returns the command that must be executed; RCAP_CONTROL_NONE if there is none, or it was
 * executed. */
static inline uint32_t rcap_control_asked(uint32_t word)
{
	return (word & 0x100) != 0 ? RCAP_CONTROL_NONE : word & 0xFF;
}

static inline uint32_t rcap_control_result(uint32_t word)
{
	return word >> 9 & 0x7F;
}

/*
 * Returns the time, in ticks, up to which the drain may take events: the next switch that it has
 * not handled, or `limit` if that is earlier. @is_live: waits for a switch in progress. Context:
 * the drain.
 */
uint64_t rcap_control_until(const struct rcap_control *control, uint64_t limit, bool is_live);

/* Returns the entry of switch number i, which is valid until the drain has handled the switch. */
static inline const struct rcap_switch *rcap_control_at(const struct rcap_control *control,
                                                        uint32_t i)
{
	return &control->ring[i % RCAP_CONTROL_SWITCHES];
}

#endif
