/* SPDX-License-Identifier: MIT */
/* What makes a capture that keeps its last part write a snapshot: the text of RANGES_WHEN. */
#ifndef RCAP_TRIGGER_H
#define RCAP_TRIGGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/settings/schedule.h"

#define RCAP_TRIGGERS 16u
/* Durations that a median needs at least: before, nothing is slow. */
#define RCAP_TRIGGER_MEDIAN_LEAST 8u
#define RCAP_TRIGGER_BYTES        1024 /* of the text, with its NUL */

enum rcap_trigger_kind {
	RCAP_TRIGGER_STEP,    /* a step takes longer */
	RCAP_TRIGGER_RANGE,   /* a range of that name does */
	RCAP_TRIGGER_COUNTER, /* a counter of that name has a higher, or lower, value */
	RCAP_TRIGGER_GAP, /* for longer no range of that name begins or ends, or no step begins */
};

struct rcap_trigger {
	enum rcap_trigger_kind kind;
	bool is_below;                  /* of a counter: lower */
	bool is_step;                   /* of a gap: steps */
	struct rcap_schedule_name name; /* of a step: PyTorch's */
	uint64_t limit_ns;              /* 0: a multiple of the median */
	uint64_t thousandths;           /* of the median */
	double value;                   /* of a counter */
	const char *text;               /* borrowed from what was read */
	size_t length;
};

/*
 * Reads "step > 3 * median", "step > 200ms", "range NAME[@DOMAIN] > 20ms" or "> 3 * median",
 * "counter NAME[@DOMAIN] > X" or "< X", "gap NAME[@DOMAIN] > 1s", "gap step > 1s"; several with a
 * semicolon between.
 *
 * @out: RCAP_TRIGGERS of them; NULL: they are only looked at. @why: gets one line when it is
 * refused. @size: of why. Return: how many, 0: refused. Context: any thread; no allocation.
 */
size_t rcap_trigger_parse(const char *text, struct rcap_trigger *out, char *why, size_t size);

#endif
