/* SPDX-License-Identifier: MIT */
/*
 * Hides our writes from ThreadSanitizer. In a program built with it, TSan sees our calls of
 * memcpy() and the like, but not the atomics that order them, and reports races of the program.
 * TSan's run-time library has functions that make it ignore a thread's writes; other programs lack
 * them.
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

/* Tell TSan that memory passes from one thread to another through another process, which TSan does
 * not see. The giving thread calls hand_over, the receiving thread take_over. */
static inline void rcap_tsan_hand_over(void *at)
{
	__tsan_release(at);
}

static inline void rcap_tsan_take_over(void *at)
{
	__tsan_acquire(at);
}

/* True if TSan is in the process. It calls signal handlers like plain functions, from within
 * functions of the C library that other code has called. */
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
