/* SPDX-License-Identifier: MIT */
/* Describes in the spool whether the capture of a process is on. */
#ifndef RCAP_CONTROL_H
#define RCAP_CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "libranges/settings/schedule.h"
#include "libranges/spool/kept.h"

/* The drain may lag behind by this many switches. Further switches are refused. */
#define RCAP_CONTROL_SWITCHES 4096u

/* What switched the capture. */
enum rcap_control_by {
	RCAP_CONTROL_BY_START, /* the state at the start */
	RCAP_CONTROL_BY_SCHEDULE,
	RCAP_CONTROL_BY_RANGE,
	RCAP_CONTROL_BY_API,
	RCAP_CONTROL_BY_CTL,
	RCAP_CONTROL_BY_TIME,
};

/* What `ranges ctl` can ask for. */
enum rcap_control_command {
	RCAP_CONTROL_NONE,
	RCAP_CONTROL_START,
	RCAP_CONTROL_STOP,
	RCAP_CONTROL_FLUSH,
	RCAP_CONTROL_OWN_SNAPSHOT, /* asked by the program itself */
	/* to kept.wanted_path; kept.written_path gets the path, or the reason */
	RCAP_CONTROL_SNAPSHOT,
};

/* From `ticks` on the capture is in this phase. */
struct rcap_switch {
	uint64_t ticks;
	uint64_t mono_ns;
	uint64_t step;  /* begins with this switch; UINT64_MAX: none does */
	uint32_t cycle; /* the current cycle, or the last one; from 1 */
	uint32_t phase; /* enum rcap_phase */
	uint32_t by;    /* enum rcap_control_by */
	uint32_t pad;
};

/* This many logs of closed cycles are remembered. A caller who wants every log must look often
 * enough. */
#define RCAP_CONTROL_LOGS 16u

/* The log of a closed cycle. */
struct rcap_closed_log {
	uint32_t cycle; /* 0: none */
	uint32_t pad;
	uint64_t events;
	char path[1024]; /* "" if it is too long */
};

/*
 * The state of the capture. It is in the spool, so that it outlives the process and `ranges ctl`
 * can reach it. To send a command, change `command` from NONE and wake `wake`. The drain executes
 * the command and replaces it by its answer. Only rcap_switch_to() changes the phase.
 */
struct rcap_control {
	/* The drain sleeps on this word (futex, shared with other processes). */
	_Atomic uint32_t wake;
	_Atomic uint32_t command; /* rcap_control_ask(); acquire, release */
	/* A thread is switching: the time of its switch may be earlier than the moment others
	 * see it. */
	_Atomic uint32_t is_switching;
	_Atomic uint32_t phase; /* current, enum rcap_phase */
	uint32_t first_phase;   /* before the first switch */
	uint32_t is_planned;    /* by a schedule, a range or the time; ctl may not switch then */
	/* There is a log for each cycle, with the cycle's number in its name. */
	uint32_t has_cycles;
	/* Number of switches so far. Stored with release after the entry. */
	_Atomic uint32_t switches;
	/* Number of switches that the drain has handled. Stored with release: the drain no longer
	 * reads their entries. */
	_Atomic uint32_t passed;
	_Atomic uint32_t refused; /* switches that found no room. Relaxed */
	uint32_t pad2;
	/* The last cycle whose log is closed: it gets no more rows. Release, after `closed` */
	_Atomic uint32_t cycles_done;
	_Atomic uint32_t gpu_done; /* switches that the GPU's part has passed. Release */
	_Atomic uint32_t has_gpu;
	uint32_t pad;
	_Atomic uint64_t steps; /* begun. Relaxed */
	uint64_t first_on_step; /* steps until the schedule switches on; 0: no schedule */
	/* Events of the program that were left out: calls of threads without a stream, calls of
	 * threads that have ended, and events that the drain has dropped. Relaxed. */
	_Atomic uint64_t outside;
	uint64_t outside_told;  /* what earlier logs have reported of it all. The drain's */
	uint64_t events_before; /* in former logs */
	uint64_t lost_before;
	uint64_t nameless_before; /* part of events_before */
	uint64_t bytes_before;
	struct rcap_switch ring[RCAP_CONTROL_SWITCHES];
	/* Closed cycle n is at place n % RCAP_CONTROL_LOGS. Only the drain writes it. */
	struct rcap_closed_log closed[RCAP_CONTROL_LOGS];
	char plan[RCAP_SCHEDULE_BYTES]; /* what decides on switches, for the log */
	struct rcap_kept kept;
};

enum rcap_control_result {
	RCAP_CONTROL_DONE,
	RCAP_CONTROL_IS_SO,   /* it was on, or off, before */
	RCAP_CONTROL_PLANNED, /* a schedule, a range or the time decides */
	RCAP_CONTROL_FULL,    /* the drain is too far behind */
	RCAP_CONTROL_NOTHING, /* nothing is kept for a snapshot */
	RCAP_CONTROL_FAILED,  /* kept.written_path has the reason */
	RCAP_CONTROL_TAKEN,   /* no result: an asker holds the slot and is about to ask */
};

/* Returns the word of the log for what switched. A constant string. */
const char *rcap_control_by_name(uint32_t by);

/* True unless the capture is simply on from start to end: then its logs say which part they
 * hold. */
bool rcap_control_is_used(const struct rcap_control *control);

/* Copies the last switch that the drain has passed to `out`; the start if there was none. */
void rcap_control_now(const struct rcap_control *control, struct rcap_switch *out);

/* Packs a command into a word, or an executed one with its result. @number: identifies the sender,
 * 0 … 2^16-1. */
static inline uint32_t rcap_control_ask(uint32_t command, uint32_t number)
{
	return command | (number & 0xFFFF) << 16;
}

static inline uint32_t rcap_control_answer(uint32_t asked, uint32_t result)
{
	return asked | 0x100 | result << 9;
}

/* Returns the command to execute; RCAP_CONTROL_NONE: there is none, or it was executed. */
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
 * not handled, or `limit` if that is earlier. @is_live: wait for a switch in progress. Context: the
 * drain.
 */
uint64_t rcap_control_until(const struct rcap_control *control, uint64_t limit, bool is_live);

/* Returns switch number i. It is valid until the drain has handled it. */
static inline const struct rcap_switch *rcap_control_at(const struct rcap_control *control,
                                                        uint32_t i)
{
	return &control->ring[i % RCAP_CONTROL_SWITCHES];
}

#endif
