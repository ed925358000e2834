/* SPDX-License-Identifier: MIT */
/* Handles RANGES_COUNT: what is counted of threads besides time. */
#ifndef RCAP_COUNTS_H
#define RCAP_COUNTS_H

#include <stddef.h>
#include <stdint.h>

/* A capture has at most this many counts. In the log they are the columns count1 … */
#define RCAP_COUNTS_MAX 3
/* Bytes of the longest setting, with its NUL. */
#define RCAP_COUNTS_BYTES 64

/* Type of a count that is read from the thread's own CPU clock. It needs no file and no
 * permission. */
#define RCAP_COUNTS_CLOCK UINT32_MAX

/* A kind of count, as perf_event_open() takes it. */
struct rcap_counts_kind {
	const char *name;
	uint32_t type; /* type for perf_event_open(), or RCAP_COUNTS_CLOCK */
	uint64_t config;
};

/*
 * Parses a list with commas, like "instructions,cycles". "" is an empty list.
 *
 * @kinds: gets at most RCAP_COUNTS_MAX kinds, in the order of the list; static, never freed.
 * @why: gets one line if the text is refused.
 * Return: number of kinds; -1 if the text is refused.
 */
int rcap_counts_parse(const char *text, const struct rcap_counts_kind **kinds, char *why,
                      size_t size);

#endif
