/* SPDX-License-Identifier: MIT */
/* What a thread has done so far, by the CPU's counters or the kernel's: RANGES_COUNT. */
#ifndef RCAP_COUNT_H
#define RCAP_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/settings/counts.h"

/* One counter of one thread. */
struct rcap_count_source {
	/* The kernel's page about it, by which the program reads the CPU's register itself. NULL:
	 * it is read through the file. */
	void *page;
	uint64_t id; /* the kernel's, by which we tell the file from another with its number */
	int fd;
	bool is_clock; /* neither: it is the thread's clock */
};

/* All counters of one thread. */
struct rcap_counters {
	uint32_t count;   /* 0: none is wanted, or there are none */
	bool is_borrowed; /* they are those of another struct of the thread */
	struct rcap_count_source sources[RCAP_COUNTS_MAX];
};

/*
 * Finds out what can be counted here, by trying. What is refused is left out, with one line.
 *
 * @text: of RANGES_COUNT.
 * @names: gets those that are counted, each ended by a NUL, an empty one at the end.
 * @note: gets a line of what was refused, "" if nothing was.
 * Context: one thread, at the start of a capture.
 */
void rcap_count_prepare(const char *text, char *names, size_t size, char *note, size_t note_size);

/* Begins to count for the calling thread; what can't be, is not. Context: that thread; some system
 * calls; errno may change. */
void rcap_count_open(struct rcap_counters *counters);

/* Ends it. Context: any thread; errno may change. */
void rcap_count_close(struct rcap_counters *counters);

/*
 * What a counter stands at, plus 1; 0: it can't be read.
 *
 * Context: the thread itself, also in a signal handler; no lock, no allocation; a system call only
 * where there is no page; errno is kept.
 */
uint64_t rcap_count_read(const struct rcap_count_source *source);

#endif
