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

/* True if names of ranges matter. Also true if they may matter because the capture has not started.
 * Relaxed: a thread that sees true starts the capture, or waits for its start. */
static inline bool rcap_watched_is_on(void)
{
	return atomic_load_explicit(&rcap_watched_flag, memory_order_relaxed);
}

/* First byte of the name; 0: there is no name. Written when the capture starts, while other threads
 * may read it. A thread that finds no match then has no stream yet, and waits for the start. */
extern _Atomic char rcap_watched_first __attribute__((visibility("hidden")));

/* Sets the name. @name: must stay valid for ever; NULL: there is none. Context:
 * rcap_process_start(). */
void rcap_watched_set(const struct rcap_schedule_name *name);

/*
 * True if the text is the name. Such texts are not put into the thread's cache. So each call takes
 * the slow path, and rcap_steer_opens() gets the text. Context: any.
 */
bool rcap_watched_is_name(const char *text, size_t length);

/* Does the same as rcap_watched_may_be(), but compares all bytes. */
bool rcap_watched_looks_like(const char *text);

/* False if the text begins differently from the name. In most cases the first byte decides. If this
 * is true, the text may still be another one. @text: NULL, or possibly unreadable. Context: any. */
static inline bool rcap_watched_may_be(const char *text)
{
	return text && (!rcap_memory_is_byte(text) ||
	                (*text == atomic_load_explicit(&rcap_watched_first, memory_order_relaxed) &&
	                 rcap_watched_looks_like(text)));
}

#endif
