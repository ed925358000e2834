/* SPDX-License-Identifier: MIT */
/* Decides when a capture is on: the syntax of RANGES_SCHEDULE and RANGES_CAPTURE_RANGE, and their
 * effect. */
#ifndef RCAP_SCHEDULE_H
#define RCAP_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longest text, with its NUL; longest name in it. */
#define RCAP_SCHEDULE_BYTES 512
#define RCAP_SCHEDULE_NAME  128

/* The phase of a step, or of the time before the first. */
enum rcap_phase {
	RCAP_PHASE_ON,
	RCAP_PHASE_WARMUP, /* everything runs, but events are dropped and counted */
	RCAP_PHASE_OFF,
};

/*
 * A range by its name. A text that ends in "#N" stands for all names with a number there, as
 * PyTorch's ProfilerStep#N; one that ends in "*" for all that begin so.
 */
struct rcap_schedule_name {
	char text[RCAP_SCHEDULE_NAME]; /* "": none */
	char domain[RCAP_SCHEDULE_NAME];
	size_t length; /* of the text, or of the part before the number or the star */
	bool is_numbered;
	bool is_begin;
	bool has_domain; /* else any domain matches */
};

/* Uses torch.profiler's words. Steps are counted from 0 as they begin. */
struct rcap_schedule {
	uint64_t skip;                /* steps at the start, once */
	uint64_t wait;                /* steps of each cycle that are off */
	uint64_t warmup;              /* the next steps, which are dropped */
	uint64_t active;              /* the next steps, which are recorded; ≥ 1 */
	uint64_t repeat;              /* number of cycles; 0: until the program ends */
	struct rcap_schedule_name on; /* each begin of this range is a step */
};

/* Chooses ranges. Only these are recorded, with everything in them. */
struct rcap_schedule_range {
	struct rcap_schedule_name name;
	uint64_t count; /* record the first this many; 0: all of them */
};

/*
 * Parses "skip=0,wait=80,warmup=3,active=1,repeat=2,on=NAME@DOMAIN", in any order. active must be
 * given, missing words are 0, and no word may come twice.
 *
 * @why: gets one line when it is refused. @size: of why. Context: any thread; no allocation.
 */
bool rcap_schedule_parse(const char *text, struct rcap_schedule *out, char *why, size_t size);

/* Parses "NAME[@DOMAIN][:first|:each|:N]". "::" belongs to the name; after any other last colon
 * one of these words must follow. As above. */
bool rcap_schedule_parse_range(const char *text, struct rcap_schedule_range *out, char *why,
                               size_t size);

/* Parses NAME[@DOMAIN]; the last @ separates them, unless the text begins with it. As above. */
bool rcap_schedule_read_name(const char *text, size_t length, struct rcap_schedule_name *out,
                             char *why, size_t size);

/* True if a capture with these settings has more than one log. @is_standby: something else
 * switches it. Texts that are not valid count as none. */
bool rcap_schedule_has_cycles(const char *schedule, const char *range, bool is_standby);

/* Returns the phase that the schedule sets for a step. Context: any. */
enum rcap_phase rcap_schedule_phase(const struct rcap_schedule *schedule, uint64_t step);

/* True if a cycle begins with this step directly after another: without wait and warmup between. */
bool rcap_schedule_is_turn(const struct rcap_schedule *schedule, uint64_t step);

/* The first function returns the number of steps until the schedule is on for the first time, that
 * step included. The second one does so for the last time; UINT64_MAX: there is no last time. */
uint64_t rcap_schedule_first(const struct rcap_schedule *schedule);
uint64_t rcap_schedule_last(const struct rcap_schedule *schedule);

/* True if it is nsys' word for the time between cudaProfilerStart() and cudaProfilerStop(). */
bool rcap_schedule_is_profiler(const struct rcap_schedule_name *name);

/* True if a text matches the name. @length: of the text. Context: any. */
bool rcap_schedule_is_name(const struct rcap_schedule_name *name, const char *text, size_t length);

#endif
