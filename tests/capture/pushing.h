/* SPDX-License-Identifier: MIT */
/* Shared by the program that pushes and the program that judges its log. */
#ifndef PUSHING_H
#define PUSHING_H

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define PUSHING_THREADS 64u
/* After this many ranges comes a name that was never used before; the others take turns. */
#define PUSHING_FRESH 997u
#define PUSHING_NAMES 61u

/* A file that both map. Its contents survive the death of the pusher. */
struct pushing {
	_Atomic uint32_t started; /* threads that have made their first call */
	_Atomic int32_t pid;
	struct {
		/* Calls that have returned. Relaxed: read after the writer's death. */
		_Alignas(64) _Atomic uint64_t calls;
	} thread[PUSHING_THREADS];
};

/* The name of a thread's range number `index`. */
static inline void pushing_name(char *out, size_t size, unsigned thread, uint64_t index)
{
	if (index % PUSHING_FRESH == PUSHING_FRESH - 1) {
		snprintf(out, size, "t%u once %llu", thread, (unsigned long long) index);
	} else {
		snprintf(out, size, "t%u %llu", thread,
		         (unsigned long long) (index % PUSHING_NAMES));
	}
}

#endif
