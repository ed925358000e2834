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

/* Id of the start/end range for which the capture is on; 0: none. Relaxed. */
extern _Atomic uint64_t rcap_steer_started __attribute__((visibility("hidden")));

/* Reads the settings that switch the capture, and sets the first phase. Context:
 * rcap_process_start(). */
void rcap_steer_begin(const struct rcap_config *config);

/* Handles the begin of a step. Call it before the step is recorded. Context: any thread, not in a
 * call. */
void rcap_steer_step(void);

/* Handles a request of the program or of `ranges ctl` for this phase. Return: enum
 * rcap_control_result. Context: as rcap_steer_step(). */
int rcap_steer_by(enum rcap_phase phase, enum rcap_control_by by);

/*
 * Handles a range that opens. The slow path calls this before it records the range, if
 * rcap_watched_is_on().
 *
 * @text: readable; NULL: there is none. @domain: id of the domain.
 * Return: true if the capture is on for this range. The caller must then call rcap_steer_opened(),
 * or for a start/end range set rcap_steer_started. Context: as rcap_steer_step().
 */
bool rcap_steer_opens(const char *text, uint32_t domain);

/*
 * True if a range that opens is neither recorded nor the range that the capture waits for. Then the
 * call is counted, too. Slow paths check this first. If it is false, nothing is known.
 *
 * @text: as in rcap_steer_opens(). Context: as rcap_steer_step().
 */
static inline bool rcap_steer_skips(const char *text)
{
	return rcap_process_is_off() && !rcap_watched_may_be(text) && rcap_thread_skips();
}

/* Notes that the range was pushed. Its pop will then take the slow path. Context: within its
 * call. */
void rcap_steer_opened(struct rcap_thread *thread, uint32_t domain);

/* Handles a pop. Return: true if it closes the range for which the capture is on. Then the depth is
 * corrected, and the caller calls rcap_steer_closed() after it has recorded the pop. Context:
 * within its call. */
bool rcap_steer_closes(struct rcap_thread *thread, uint32_t domain);

/* Notes that the range has closed. Context: not in a call. */
void rcap_steer_closed(void);

/* True if cudaProfilerStart() and similar calls switch the capture. */
bool rcap_steer_has_profiler(void);

/* Handles a call of cudaProfilerStart(), or of cudaProfilerStop() if `starts` is false. Context:
 * any thread, not in a call. */
void rcap_steer_profile(bool starts);

#endif
