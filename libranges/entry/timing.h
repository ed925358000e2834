/* SPDX-License-Identifier: MIT */
/* What the drain's thread does for who steers the capture: commands from outside, and the clock. */
#ifndef RCAP_TIMING_H
#define RCAP_TIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/drain/drain.h"

/* Does what `ranges ctl` asks for, and what RANGES_DELAY and RANGES_DURATION have due; samples
 * GPUs. Return: true if all that was recorded is to be written now. Context: the drain. */
bool rcap_timing_serve(void);

/* True if somebody waits for a command to be done. Context: any. */
bool rcap_timing_is_asked(void);

/* Switches, if that is asked for: in the midst of the drain's work. Context: the drain. */
void rcap_timing_switch(void);

/* All has been written that was to be, if `is_flush`: a snapshot that is asked for is made, and who
 * waits is told. Context: the drain. */
void rcap_timing_tell(struct rcap_drain *drain, bool is_flush);

/* How long there is nothing to do for rcap_timing_serve(), at most. Context: the drain. */
int64_t rcap_timing_left_ns(void);

/* Has the drain write all that was recorded before, and waits for that. Return: false if it was not
 * done in time. Context: any thread of the program. */
bool rcap_timing_flush(uint64_t wait_ms);

#endif
