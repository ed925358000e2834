/* SPDX-License-Identifier: MIT */
/* Reads what a thread has done so far from counters of the CPU or the kernel (RANGES_COUNT). */
#ifndef RCAP_COUNT_H
#define RCAP_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "libranges/settings/counts.h"

/* One counter of one thread. */
struct rcap_count_source {
	/* The kernel's page about the counter. By it the program can read the CPU's register
	 * itself. NULL: the counter is read by the file. */
	void *page;
	uint64_t id; /* the kernel's id, to recognize the file */
	int fd;
	bool is_clock; /* true: there is neither page nor file; the counter is the thread's clock */
};

/* All counters of one thread. */
struct rcap_counters {
	uint32_t count;   /* 0: no counters are wanted, or none works */
	bool is_borrowed; /* the counters are those of another struct of the thread */
	struct rcap_count_source sources[RCAP_COUNTS_MAX];
};

/*
 * Finds out by trying which counters work here. Leaves out counters that the kernel refuses, and
 * reports that in `note`.
 *
 * @text: of RANGES_COUNT.
 * @names: gets the names of the counters that work, each ended by a NUL, with an empty one at the
 * end.
 * @note: gets a line about what was refused; "" if nothing was.
 * Context: one thread, at the start of a capture.
 */
void rcap_count_prepare(const char *text, char *names, size_t size, char *note, size_t note_size);

/* Opens counters for the calling thread. Skips those that fail. Context: that thread; some system
 * calls; errno may change. */
void rcap_count_open(struct rcap_counters *counters);

/* Closes the counters. Context: any thread; errno may change. */
void rcap_count_close(struct rcap_counters *counters);

/*
 * Reads a counter. Return: its value + 1; 0 if it can't be read.
 *
 * Context: the thread itself, also in a signal handler; no lock, no allocation; a system call only
 * if there is no page; errno is kept.
 */
uint64_t rcap_count_read(const struct rcap_count_source *source);

#endif
