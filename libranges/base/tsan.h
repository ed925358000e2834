/* SPDX-License-Identifier: MIT */
/*
 * A program that is built with ThreadSanitizer sees our calls of memcpy() and the like, but not the
 * atomics that put them in order, and takes them for races of its own. Its run-time library can be
 * told to leave out what a thread writes; in other programs the functions are not there.
 */
#ifndef RCAP_TSAN_H
#define RCAP_TSAN_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define RCAP_TSAN_SEES_ALL
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define RCAP_TSAN_SEES_ALL
#endif

#ifdef RCAP_TSAN_SEES_ALL

/* NOLINTBEGIN(readability-identifier-naming): the library's names */
extern void __tsan_acquire(void *at);
extern void __tsan_release(void *at);
/* NOLINTEND(readability-identifier-naming) */

/* Memory that goes from thread to thread by way of another process, which TSan does not see: who
 * hands it over, and who gets it. */
static inline void rcap_tsan_hand_over(void *at)
{
	__tsan_release(at);
}

static inline void rcap_tsan_take_over(void *at)
{
	__tsan_acquire(at);
}

/* True if it is in the process. Then handlers of signals are called by it, like any function, from
 * within functions of the C library that others call. */
static inline bool rcap_tsan_is_there(void)
{
	return true;
}

static inline void rcap_tsan_hide_writes(void)
{
}

static inline void rcap_tsan_show_writes(void)
{
}

#else

static inline void rcap_tsan_hand_over(void *at)
{
	(void) at;
}

static inline void rcap_tsan_take_over(void *at)
{
	(void) at;
}

/* NOLINTBEGIN(readability-identifier-naming): the library's names */
extern void AnnotateIgnoreWritesBegin(const char *file, int line) __attribute__((weak));
extern void AnnotateIgnoreWritesEnd(const char *file, int line) __attribute__((weak));
/* NOLINTEND(readability-identifier-naming) */

static inline bool rcap_tsan_is_there(void)
{
	return AnnotateIgnoreWritesBegin != NULL;
}

static inline void rcap_tsan_hide_writes(void)
{
	if (AnnotateIgnoreWritesBegin && AnnotateIgnoreWritesEnd) {
		AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
	}
}

static inline void rcap_tsan_show_writes(void)
{
	if (AnnotateIgnoreWritesBegin && AnnotateIgnoreWritesEnd) {
		AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
	}
}

#endif

#endif
