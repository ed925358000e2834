/* SPDX-License-Identifier: MIT */
/* When a capture is on: the texts of RANGES_SCHEDULE and RANGES_CAPTURE_RANGE, and what they
 * decide. */
#ifndef RCAP_SCHEDULE_H
#define RCAP_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest text, with its NUL; longest name in it. */
#define RCAP_SCHEDULE_BYTES 512
#define RCAP_SCHEDULE_NAME  128

/* A step, as a schedule has it, or all that is before the first. */
enum rcap_phase {
	RCAP_PHASE_ON,
	RCAP_PHASE_WARMUP, /* everything is on, what is recorded is dropped and counted */
	RCAP_PHASE_OFF,
};

/*
 * A range by its name. Texts that end in "#N" stand for all with a number there, as PyTorch's
 * ProfilerStep#N; those that end in "*" for all that begin so.
 */
struct rcap_schedule_name {
	char text[RCAP_SCHEDULE_NAME]; /* "": none */
	char domain[RCAP_SCHEDULE_NAME];
	size_t length; /* of the text; of what stands before the number, or the star */
	bool is_numbered;
	bool is_begin;
	bool has_domain; /* else any */
};

/* With torch.profiler's words. Steps are counted as they begin, from 0. */
struct rcap_schedule {
	uint64_t skip;                /* steps at the start, once */
	uint64_t wait;                /* of each cycle: off */
	uint64_t warmup;              /* then these are dropped */
	uint64_t active;              /* then these are recorded; ≥ 1 */
	uint64_t repeat;              /* cycles; 0: until the program ends */
	struct rcap_schedule_name on; /* each begin of this range is a step */
};

/* Ranges that are recorded with what is in them, and nothing else is. */
struct rcap_schedule_range {
	struct rcap_schedule_name name;
	uint64_t count; /* of them, the first so many; 0: each */
};

/*
 * Reads "skip=0,wait=80,warmup=3,active=1,repeat=2,on=NAME@DOMAIN", in any order; what is missing
 * is 0, but active must be given, and no word twice.
 *
 * @why: gets one line when it is refused. @size: of why. Context: any thread; no allocation.
 */
bool rcap_schedule_parse(const char *text, struct rcap_schedule *out, char *why, size_t size);

/* Reads "NAME[@DOMAIN][:first|:each|:N]"; the colons of "::" belong to the name, what is behind
 * another last one must be one of these. As above. */
bool rcap_schedule_parse_range(const char *text, struct rcap_schedule_range *out, char *why,
                               size_t size);

/* Reads NAME[@DOMAIN]; the last @ divides them, unless the text begins with it. As above. */
bool rcap_schedule_read_name(const char *text, size_t length, struct rcap_schedule_name *out,
                             char *why, size_t size);

/* True if a capture with these settings has more than one log: RANGES_SCHEDULE,
 * RANGES_CAPTURE_RANGE, and whether others decide. Texts that are not valid count as none. */
bool rcap_schedule_has_cycles(const char *schedule, const char *range, bool is_standby);

/* What the schedule says of step number `step`. Context: any. */
enum rcap_phase rcap_schedule_phase(const struct rcap_schedule *schedule, uint64_t step);

/* True if a cycle begins with that step where another has just ended: neither waits nor warms up.
 */
bool rcap_schedule_is_turn(const struct rcap_schedule *schedule, uint64_t step);

/* Steps until the schedule is on for the first time, that one included; of the last one there is,
 * or UINT64_MAX. */
uint64_t rcap_schedule_first(const struct rcap_schedule *schedule);
uint64_t rcap_schedule_last(const struct rcap_schedule *schedule);

/* True if it is nsys' word for what is between cudaProfilerStart() and cudaProfilerStop(). */
bool rcap_schedule_is_profiler(const struct rcap_schedule_name *name);

/* True if a text is the name. @length: of the text. Context: any. */
bool rcap_schedule_is_name(const struct rcap_schedule_name *name, const char *text, size_t length);

#endif
