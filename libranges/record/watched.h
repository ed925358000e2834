/* SPDX-License-Identifier: MIT */
/* The name of ranges that something hangs on: a schedule's steps, or when the capture is on. */
#ifndef RCAP_WATCHED_H
#define RCAP_WATCHED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "libranges/base/memory.h"
#include "libranges/settings/schedule.h"

/* See rcap_watched_is_on(). */
extern _Atomic bool rcap_watched_flag __attribute__((visibility("hidden")));

/* Something hangs on names of ranges, or may, because the capture has not started. Relaxed: who is
 * told that it may then starts the capture, or waits for that. */
static inline bool rcap_watched_is_on(void)
{
	return atomic_load_explicit(&rcap_watched_flag, memory_order_relaxed);
}

/* The byte that the name begins with; 0: there is none. Written when the capture starts, while
 * other threads may look: who is told no then has no stream yet, and waits for the start. */
extern _Atomic char rcap_watched_first __attribute__((visibility("hidden")));

/* @name: borrowed for ever; NULL: none. Context: rcap_process_start(). */
void rcap_watched_set(const struct rcap_schedule_name *name);

/*
 * True if the name is the one. Such texts are not kept in the thread's cache, so that each call
 * comes by the slow path, where rcap_steer_opens() sees it. Context: any.
 */
bool rcap_watched_is_name(const char *text, size_t length);

/* See rcap_watched_may_be(); looks at the whole of it. */
bool rcap_watched_looks_like(const char *text);

/* False if the text begins otherwise than the name does, which a byte tells mostly. True proves
 * nothing. @text: NULL, or may be at an address that can't be read. Context: as above. */
static inline bool rcap_watched_may_be(const char *text)
{
	return text && (!rcap_memory_is_byte(text) ||
	                (*text == atomic_load_explicit(&rcap_watched_first, memory_order_relaxed) &&
	                 rcap_watched_looks_like(text)));
}

#endif
