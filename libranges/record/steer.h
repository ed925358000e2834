/* SPDX-License-Identifier: MIT */
/* Who switches the capture from within the program: its steps, its ranges, its own calls. */
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

/* Reads what decides, and puts the capture into its first phase. Context: rcap_process_start(). */
void rcap_steer_begin(const struct rcap_config *config);

/* A step begins: to be called before it is recorded. Context: any thread, not in a call. */
void rcap_steer_step(void);

/* The program or `ranges ctl` wants it in this phase. Return: enum rcap_control_result. Context: as
 * above. */
int rcap_steer_by(enum rcap_phase phase, enum rcap_control_by by);

/*
 * A range opens. To be called before it is recorded, by the slow path, if rcap_watched_is_on().
 *
 * @text: that can be read; NULL: none. @domain: its id.
 * Return: true if the capture is on for this range: then rcap_steer_opened(), or for a start/end
 * range rcap_steer_started. Context: as above.
 */
bool rcap_steer_opens(const char *text, uint32_t domain);

/*
 * True, and the call is counted, if a range that opens is neither to be recorded nor what the
 * capture waits for. What slow paths ask before anything else; false decides nothing.
 *
 * @text: as above. Context: as above.
 */
static inline bool rcap_steer_skips(const char *text)
{
	return rcap_process_is_off() && !rcap_watched_may_be(text) && rcap_thread_skips();
}

/* The range has been pushed: its pop will come by the slow path. Context: within its call. */
void rcap_steer_opened(struct rcap_thread *thread, uint32_t domain);

/* A pop: true if it is of that range; then the depth is right again, and when it is recorded
 * rcap_steer_closed() is to be called. Context: within its call. */
bool rcap_steer_closes(struct rcap_thread *thread, uint32_t domain);

/* Context: not in a call. */
void rcap_steer_closed(void);

/* True if cudaProfilerStart() and its like begin what the capture is on for. */
bool rcap_steer_has_profiler(void);

/* They were called. @starts: false: cudaProfilerStop(). Context: any thread, not in a call. */
void rcap_steer_profile(bool starts);

#endif
