/* SPDX-License-Identifier: MIT */
/* Parses RANGES_WHEN: when a capture that keeps its last part writes a snapshot. */
#ifndef RCAP_TRIGGER_H
#define RCAP_TRIGGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/settings/schedule.h"

#define RCAP_TRIGGERS 16u
/* A median needs this many durations. With fewer, no duration is called slow. */
#define RCAP_TRIGGER_MEDIAN_LEAST 8u
#define RCAP_TRIGGER_BYTES        1024 /* bytes of the longest text, with its NUL */

enum rcap_trigger_kind {
	RCAP_TRIGGER_STEP,    /* a step takes longer than the limit */
	RCAP_TRIGGER_RANGE,   /* a range of this name takes longer than the limit */
	RCAP_TRIGGER_COUNTER, /* a counter of this name is above, or below, a value */
	/* No range of this name begins or ends, or no step begins, for longer than the limit. */
	RCAP_TRIGGER_GAP,
};

struct rcap_trigger {
	enum rcap_trigger_kind kind;
	bool is_below;                  /* counter: true if the value must be below the limit */
	bool is_step;                   /* gap: true if it is between steps */
	struct rcap_schedule_name name; /* step: the name of PyTorch's steps */
	uint64_t limit_ns;              /* 0: the limit is a multiple of the median */
	uint64_t thousandths;           /* the limit, in thousandths of the median */
	double value;                   /* counter: the limit */
	const char *text;               /* text of the condition, borrowed from the parsed text */
	size_t length;
};

/*
 * Parses conditions, separated by semicolons: "step > 3 * median", "step > 200ms", "range
 * NAME[@DOMAIN] > 20ms" or "> 3 * median", "counter NAME[@DOMAIN] > X" or "< X", "gap NAME[@DOMAIN]
 * > 1s", "gap step > 1s". "gap range NAME" is the same as "gap NAME", and makes clear that NAME is
 * not a step.
 *
 * @out: gets at most RCAP_TRIGGERS conditions; NULL: the text is only checked. @why: gets one line
 * if the text is refused. @size: of why.
 * Return: number of conditions; 0 if the text is refused. Context: any thread; no allocation.
 */
size_t rcap_trigger_parse(const char *text, struct rcap_trigger *out, char *why, size_t size);

#endif
