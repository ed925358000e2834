/* SPDX-License-Identifier: MIT */
/* Switches the capture from within the program: by its steps, its ranges, its own calls. */
#ifndef RCAP_STEER_H
#define RCAP_STEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/settings/config.h"
#include "libranges/record/thread.h"
#include "libranges/record/watched.h"
#include "libranges/spool/control.h"

/* The start/end range that the capture is on for; 0: none. Relaxed. */
extern _Atomic uint64_t rcap_steer_started __attribute__((visibility("hidden")));

/* Reads the settings that decide, and sets the first phase. Context: rcap_process_start(). */
void rcap_steer_begin(const struct rcap_config *config);

/* A step begins: call it before the step is recorded. Context: any thread, not in a call. */
void rcap_steer_step(void);

/* Handles a request of the program or of `ranges ctl` for this phase. Return: enum
 * rcap_control_result. Context: as above. */
int rcap_steer_by(enum rcap_phase phase, enum rcap_control_by by);

/*
 * A range opens. The slow path calls this before it records the range, if rcap_watched_is_on().
 *
 * @text: readable; NULL: none. @domain: its id.
 * Return: true if the capture is on for this range: then call rcap_steer_opened(), or for a
 * start/end range set rcap_steer_started. Context: as above.
 */
bool rcap_steer_opens(const char *text, uint32_t domain);

/*
 * True, and counts the call, if a range that opens is neither recorded nor the one the capture
 * waits for. Slow paths check it first; false decides nothing.
 *
 * @text: as above. Context: as above.
 */
static inline bool rcap_steer_skips(const char *text)
{
	return rcap_process_is_off() && !rcap_watched_may_be(text) && rcap_thread_skips();
}

/* Notes that the range was pushed: its pop will take the slow path. Context: within its call. */
void rcap_steer_opened(struct rcap_thread *thread, uint32_t domain);

/* A pop: true if it closes that range. Then the depth is corrected, and the caller calls
 * rcap_steer_closed() after it has recorded the pop. Context: within its call. */
bool rcap_steer_closes(struct rcap_thread *thread, uint32_t domain);

/* Notes that the range has closed. Context: not in a call. */
void rcap_steer_closed(void);

/* True if cudaProfilerStart() and its like switch the capture on. */
bool rcap_steer_has_profiler(void);

/* Handles a call of cudaProfilerStart() or cudaProfilerStop(). @starts: false: cudaProfilerStop().
 * Context: any thread, not in a call. */
void rcap_steer_profile(bool starts);

#endif
