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
	/* The kernel's page about it, which lets the program read the CPU's register itself.
	 * NULL: read through the file. */
	void *page;
	uint64_t id; /* the kernel's id, to recognize the file */
	int fd;
	bool is_clock; /* neither page nor file: the thread's clock */
};

/* All counters of one thread. */
struct rcap_counters {
	uint32_t count;   /* 0: none is wanted, or none works */
	bool is_borrowed; /* copied from another struct of the thread */
	struct rcap_count_source sources[RCAP_COUNTS_MAX];
};

/*
 * Finds out by trying what can be counted here. Leaves out counters that the kernel refuses, and
 * says so in `note`.
 *
 * @text: of RANGES_COUNT.
 * @names: gets those that are counted, each ended by a NUL, an empty one at the end.
 * @note: gets a line about what was refused, "" if nothing was.
 * Context: one thread, at the start of a capture.
 */
void rcap_count_prepare(const char *text, char *names, size_t size, char *note, size_t note_size);

/* Begins to count for the calling thread; skips what fails. Context: that thread; some system
 * calls; errno may change. */
void rcap_count_open(struct rcap_counters *counters);

/* Stops counting. Context: any thread; errno may change. */
void rcap_count_close(struct rcap_counters *counters);

/*
 * Reads a counter. Return: its value + 1; 0: it can't be read.
 *
 * Context: the thread itself, also in a signal handler; no lock, no allocation; a system call only
 * if there is no page; errno is kept.
 */
uint64_t rcap_count_read(const struct rcap_count_source *source);

#endif
