/* SPDX-License-Identifier: MIT */
/* Handles RANGES_COUNT: what is counted of threads besides time. */
#ifndef RCAP_COUNTS_H
#define RCAP_COUNTS_H

#include <stddef.h>
#include <stdint.h>

/* A capture has at most this many counts: columns count1 … of the log. */
#define RCAP_COUNTS_MAX 3
/* Longest setting, with its NUL. */
#define RCAP_COUNTS_BYTES 64

/* Type of a count read from the thread's own CPU clock: it needs no file and no permission. */
#define RCAP_COUNTS_CLOCK UINT32_MAX

/* A kind of count, as perf_event_open() takes it. */
struct rcap_counts_kind {
	const char *name;
	uint32_t type; /* or RCAP_COUNTS_CLOCK */
	uint64_t config;
};

/*
 * Parses a list with commas, "instructions,cycles"; "" is none.
 *
 * @kinds: RCAP_COUNTS_MAX, in the order of the list; static, never freed.
 * @why: gets one line when the text is refused.
 * Return: how many; -1: refused.
 */
int rcap_counts_parse(const char *text, const struct rcap_counts_kind **kinds, char *why,
                      size_t size);

#endif
