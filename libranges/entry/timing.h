/* SPDX-License-Identifier: MIT */
/* Work of the drain's thread for those who switch the capture: it serves commands from outside, and
 * switches by the clock. */
#ifndef RCAP_TIMING_H
#define RCAP_TIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "libranges/drain/drain.h"

/* Executes commands of `ranges ctl`, switches the capture when RANGES_DELAY and RANGES_DURATION say
 * so, and takes samples of GPUs. Return: true if everything recorded must be written now. Context:
 * the drain. */
bool rcap_timing_serve(void);

/* True if another process waits for the answer to a command. Context: any. */
bool rcap_timing_is_asked(void);

/* Executes a command to switch, in the middle of the drain's work. Context: the drain. */
void rcap_timing_switch(void);

/* Finishes a command: takes a snapshot if the command asks for it, and answers the sender. Call it
 * after everything that was due is written. @is_flush: everything at all was written. Context: the
 * drain. */
void rcap_timing_tell(struct rcap_drain *drain, bool is_flush);

/* Returns how long the drain may sleep, in ns, until rcap_timing_serve() has something to do.
 * Context: the drain. */
int64_t rcap_timing_left_ns(void);

/* Makes the drain write everything recorded so far, and waits for that. Return: false if the drain
 * did not do it in time. Context: any thread of the program. */
bool rcap_timing_flush(uint64_t wait_ms);

#endif
