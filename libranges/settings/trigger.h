/* SPDX-License-Identifier: MIT */
/* Parses RANGES_WHEN: when a capture that keeps its last part writes a snapshot. */
#ifndef RCAP_TRIGGER_H
#define RCAP_TRIGGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/settings/schedule.h"

#define RCAP_TRIGGERS 16u
/* A median needs this many durations. Before that, no duration counts as slow. */
#define RCAP_TRIGGER_MEDIAN_LEAST 8u
#define RCAP_TRIGGER_BYTES        1024 /* of the text, with its NUL */

enum rcap_trigger_kind {
	RCAP_TRIGGER_STEP,    /* a step takes longer than the limit */
	RCAP_TRIGGER_RANGE,   /* a range of this name takes longer */
	RCAP_TRIGGER_COUNTER, /* a counter of this name goes above, or below, a value */
	/* for longer than the limit no range of this name begins or ends, or no step begins */
	RCAP_TRIGGER_GAP,
};

struct rcap_trigger {
	enum rcap_trigger_kind kind;
	bool is_below;                  /* for a counter: the value must be below the limit */
	bool is_step;                   /* for a gap: of steps */
	struct rcap_schedule_name name; /* for step: PyTorch's */
	uint64_t limit_ns;              /* 0: a multiple of the median */
	uint64_t thousandths;           /* the limit in thousandths of the median */
	double value;                   /* for counter */
	const char *text;               /* borrowed from the parsed text */
	size_t length;
};

/*
 * Parses "step > 3 * median", "step > 200ms", "range NAME[@DOMAIN] > 20ms" or "> 3 * median",
 * "counter NAME[@DOMAIN] > X" or "< X", "gap NAME[@DOMAIN] > 1s" ("gap range NAME" is the same, and
 * also says that NAME is no step), "gap step > 1s"; several with semicolons between.
 *
 * @out: RCAP_TRIGGERS of them; NULL: only checks the text. @why: gets one line when it is refused.
 * @size: of why. Return: how many, 0: refused. Context: any thread; no allocation.
 */
size_t rcap_trigger_parse(const char *text, struct rcap_trigger *out, char *why, size_t size);

#endif
