/* SPDX-License-Identifier: MIT */
/* Knows the name of the ranges that the capture acts on: they are a schedule's steps, or switch it
 * on. */
#ifndef RCAP_WATCHED_H
#define RCAP_WATCHED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "libranges/base/memory.h"
#include "libranges/settings/schedule.h"

/* See rcap_watched_is_on(). */
extern _Atomic bool rcap_watched_flag __attribute__((visibility("hidden")));

/* Names of ranges matter, or may, because the capture has not started. Relaxed: a thread that
 * sees "may" starts the capture, or waits for its start. */
static inline bool rcap_watched_is_on(void)
{
	return atomic_load_explicit(&rcap_watched_flag, memory_order_relaxed);
}

/* First byte of the name; 0: there is none. Written when the capture starts, while other threads
 * may read it: a thread that gets the answer "no" then has no stream yet, and waits for the
 * start. */
extern _Atomic char rcap_watched_first __attribute__((visibility("hidden")));

/* Sets the name. @name: must stay valid for ever; NULL: none. Context: rcap_process_start(). */
void rcap_watched_set(const struct rcap_schedule_name *name);

/*
 * True if this is the name. Such texts stay out of the thread's cache, so that each call takes the
 * slow path, where rcap_steer_opens() sees it. Context: any.
 */
bool rcap_watched_is_name(const char *text, size_t length);

/* As rcap_watched_may_be(), with all bytes compared. */
bool rcap_watched_looks_like(const char *text);

/* False if the text begins differently from the name; mostly the first byte tells. True proves
 * nothing. @text: NULL, or possibly unreadable. Context: as above. */
static inline bool rcap_watched_may_be(const char *text)
{
	return text && (!rcap_memory_is_byte(text) ||
	                (*text == atomic_load_explicit(&rcap_watched_first, memory_order_relaxed) &&
	                 rcap_watched_looks_like(text)));
}

#endif
