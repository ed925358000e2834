/* SPDX-License-Identifier: MIT */
/* Decides when a capture is on: the syntax of RANGES_SCHEDULE and RANGES_CAPTURE_RANGE, and their
 * effect. */
#ifndef RCAP_SCHEDULE_H
#define RCAP_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the longest text, and of the longest name in a text, with their NULs. */
#define RCAP_SCHEDULE_BYTES 512
#define RCAP_SCHEDULE_NAME  128

/* The phase of the capture during a step, or before the first step. */
enum rcap_phase {
	RCAP_PHASE_ON,
	RCAP_PHASE_WARMUP, /* the GPU's capture and ours run, but events are dropped and counted */
	RCAP_PHASE_OFF,
};

/*
 * The name of a range. A text that ends with "#N" matches all names with a number in that place,
 * like PyTorch's ProfilerStep#N. A text that ends with "*" matches all names that begin like the
 * text.
 */
struct rcap_schedule_name {
	char text[RCAP_SCHEDULE_NAME]; /* "": there is no name */
	char domain[RCAP_SCHEDULE_NAME];
	size_t length; /* length of the text, or of its part before the number or the star */
	bool is_numbered;
	bool is_begin;
	bool has_domain; /* false: any domain matches */
};

/* A schedule, in torch.profiler's words. Steps are numbered from 0 when they begin. */
struct rcap_schedule {
	uint64_t skip;                /* number of steps at the start during which the capture is
	                               * off */
	uint64_t wait;                /* number of steps at the start of each cycle during which it
	                               * is off */
	uint64_t warmup;              /* number of steps after these, whose events are dropped */
	uint64_t active;              /* number of steps after these, which are recorded; at least
	                               * 1 */
	uint64_t repeat;              /* number of cycles; 0: until the program ends */
	struct rcap_schedule_name on; /* each begin of this range begins a step */
};

/* Which ranges are recorded. Only these are, with everything inside them. */
struct rcap_schedule_range {
	struct rcap_schedule_name name;
	uint64_t count; /* records only so many of them, the first ones; 0: all */
};

/*
 * Parses "skip=0,wait=80,warmup=3,active=1,repeat=2,on=NAME@DOMAIN". The words may be in any order.
 * `active` must be given, missing words are 0, and no word may be given twice.
 *
 * @why: gets one line if the text is refused. @size: of why. Context: any thread; no allocation.
 */
bool rcap_schedule_parse(const char *text, struct rcap_schedule *out, char *why, size_t size);

/* Parses "NAME[@DOMAIN][:first|:each|:N]". "::" belongs to the name. After any other last colon one
 * of these words must follow. @why, context: as rcap_schedule_parse(). */
bool rcap_schedule_parse_range(const char *text, struct rcap_schedule_range *out, char *why,
                               size_t size);

/* Parses NAME[@DOMAIN]. The last @ separates them, unless the text begins with it. @why, context:
 * as rcap_schedule_parse(). */
bool rcap_schedule_read_name(const char *text, size_t length, struct rcap_schedule_name *out,
                             char *why, size_t size);

/* True if a capture with these settings makes more than one log. @is_standby: something else
 * switches the capture. Texts that are not valid are ignored. */
bool rcap_schedule_has_cycles(const char *schedule, const char *range, bool is_standby);

/* Returns the phase that the schedule sets for a step. Context: any. */
enum rcap_phase rcap_schedule_phase(const struct rcap_schedule *schedule, uint64_t step);

/* True if this step begins a cycle directly after another cycle, without wait and warmup
 * between. */
bool rcap_schedule_is_turn(const struct rcap_schedule *schedule, uint64_t step);

/* rcap_schedule_first() returns the number of steps until the schedule is on for the first time,
 * including that step. rcap_schedule_last() does this for the last time; UINT64_MAX if there is no
 * last time. */
uint64_t rcap_schedule_first(const struct rcap_schedule *schedule);
uint64_t rcap_schedule_last(const struct rcap_schedule *schedule);

/* True if the name is nsys' word for the time between cudaProfilerStart() and
 * cudaProfilerStop(). */
bool rcap_schedule_is_profiler(const struct rcap_schedule_name *name);

/* True if a text matches the name. @length: length of the text. Context: any. */
bool rcap_schedule_is_name(const struct rcap_schedule_name *name, const char *text, size_t length);

#endif
