/* SPDX-License-Identifier: MIT */
/*
 * Whether the capture of a process is on: what stands of it in the spool, and the one place that
 * switches it.
 */
#ifndef RCAP_CONTROL_H
#define RCAP_CONTROL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "libranges/settings/schedule.h"
#include "libranges/spool/kept.h"

/* Switches that the drain may be behind; more are refused. */
#define RCAP_CONTROL_SWITCHES 4096u

/* Who wants a switch. */
enum rcap_control_by {
	RCAP_CONTROL_BY_START, /* it was so from the start */
	RCAP_CONTROL_BY_SCHEDULE,
	RCAP_CONTROL_BY_RANGE,
	RCAP_CONTROL_BY_API,
	RCAP_CONTROL_BY_CTL,
	RCAP_CONTROL_BY_TIME,
};

/* What `ranges ctl` may ask for. */
enum rcap_control_command {
	RCAP_CONTROL_NONE,
	RCAP_CONTROL_START,
	RCAP_CONTROL_STOP,
	RCAP_CONTROL_FLUSH,
	RCAP_CONTROL_OWN_SNAPSHOT, /* of the program itself */
	RCAP_CONTROL_SNAPSHOT, /* to kept.wanted_path; where it went, or why not: kept.written_path
	                        */
};

/* From `ticks` on the capture is in this phase. */
struct rcap_switch {
	uint64_t ticks;
	uint64_t mono_ns;
	uint64_t step;  /* that begins then; UINT64_MAX: none does */
	uint32_t cycle; /* the one that is on, or was on last; from 1 */
	uint32_t phase; /* enum rcap_phase */
	uint32_t by;    /* enum rcap_control_by */
	uint32_t pad;
};

/* Logs of cycles that are remembered; who wants to know of each looks often enough. */
#define RCAP_CONTROL_LOGS 16u

/* The log of a cycle that is over. */
struct rcap_closed_log {
	uint32_t cycle; /* 0: none */
	uint32_t pad;
	uint64_t events;
	char path[1024]; /* "" if it is longer */
};

/*
 * In the spool, so that it outlives the process, and `ranges ctl` can ask. A command is asked for
 * by who changes `command` from NONE and wakes `wake`; the drain takes it, does it, and counts it
 * in `served`. Nobody but rcap_switch_to() changes the phase.
 */
struct rcap_control {
	/* The drain sleeps on this word (futex, shared with other processes). */
	_Atomic uint32_t wake;
	_Atomic uint32_t command; /* rcap_control_ask(); acquire, release */
	/* Somebody is at switching: its time may be earlier than when others see it. */
	_Atomic uint32_t is_switching;
	_Atomic uint32_t phase; /* enum rcap_phase, of now */
	uint32_t first_phase;   /* before the first switch */
	uint32_t is_planned;    /* a schedule decides, or a range, or the time: not ctl */
	/* A log for each cycle, each with its number in the name. */
	uint32_t has_cycles;
	/* Switches so far. Release, after the entry. */
	_Atomic uint32_t switches;
	/* How many of them the drain has gone by. Release: it reads their entries no more. */
	_Atomic uint32_t passed;
	_Atomic uint32_t refused; /* switches for which there was no room. Relaxed */
	/* The cycle that the present log is of, and that streams count their rows for. The drain's
	 */
	uint32_t pad2;
	/* The last cycle whose log is closed; it has rows no more. Release, after `closed` */
	_Atomic uint32_t cycles_done;
	_Atomic uint32_t gpu_done; /* switches that the GPU's part has gone by. Release */
	_Atomic uint32_t has_gpu;
	uint32_t pad;
	_Atomic uint64_t steps; /* begun. Relaxed */
	uint64_t first_on_step; /* steps that the schedule needs until it is on; 0: no schedule */
	/* Events of the program's that were not to be recorded: of threads without a stream; of
	 * those that are gone; and those that the drain has dropped. Relaxed */
	_Atomic uint64_t outside;
	uint64_t outside_told;  /* of all, what former logs have told. The drain's */
	uint64_t events_before; /* in former logs */
	uint64_t lost_before;
	uint64_t nameless_before; /* of events_before */
	uint64_t bytes_before;
	struct rcap_switch ring[RCAP_CONTROL_SWITCHES];
	/* Of cycle n, that is closed, in place n % RCAP_CONTROL_LOGS; the drain's. */
	struct rcap_closed_log closed[RCAP_CONTROL_LOGS];
	char plan[RCAP_SCHEDULE_BYTES]; /* what decides, for the log */
	struct rcap_kept kept;
};

enum rcap_control_result {
	RCAP_CONTROL_DONE,
	RCAP_CONTROL_IS_SO,   /* it was on, or off, already */
	RCAP_CONTROL_PLANNED, /* something else decides */
	RCAP_CONTROL_FULL,    /* the drain is too far behind */
	RCAP_CONTROL_NOTHING, /* nothing is kept for a snapshot */
	RCAP_CONTROL_FAILED,  /* kept.written_path has the reason */
	RCAP_CONTROL_TAKEN,   /* none: who has the place is about to ask */
};

/* How a log says who switched. Lives for ever. */
const char *rcap_control_by_name(uint32_t by);

/* True where the capture is not just on from start to end: its logs say of what they are. */
bool rcap_control_is_used(const struct rcap_control *control);

/* The switch that the drain has gone by last, into `out`; the start, if it was none. */
void rcap_control_now(const struct rcap_control *control, struct rcap_switch *out);

/* The word of a command; of one that was done, with its result. @number: who asks, 0 … 2^16-1. */
static inline uint32_t rcap_control_ask(uint32_t command, uint32_t number)
{
	return command | (number & 0xFFFF) << 16;
}

static inline uint32_t rcap_control_answer(uint32_t asked, uint32_t result)
{
	return asked | 0x100 | result << 9;
}

/* The command that is to be done; RCAP_CONTROL_NONE: there is none, or it was done. */
static inline uint32_t rcap_control_asked(uint32_t word)
{
	return (word & 0x100) != 0 ? RCAP_CONTROL_NONE : word & 0xFF;
}

static inline uint32_t rcap_control_result(uint32_t word)
{
	return word >> 9 & 0x7F;
}

/*
 * Where, in ticks, what the drain may take now ends: at the next switch, if there has been one that
 * it has not gone by.
 *
 * @limit: if that is earlier. @is_live: a switch that is under way is waited for. Context: the
 * drain.
 */
uint64_t rcap_control_until(const struct rcap_control *control, uint64_t limit, bool is_live);

/* Number i of the switches; valid while the drain has not gone by it. */
static inline const struct rcap_switch *rcap_control_at(const struct rcap_control *control,
                                                        uint32_t i)
{
	return &control->ring[i % RCAP_CONTROL_SWITCHES];
}

#endif
