/* SPDX-License-Identifier: MIT */
/* Defines what `ranges top` shows, and in which forms. */
#ifndef RCAP_RANGES_TOP_H
#define RCAP_RANGES_TOP_H

#include <stddef.h>
#include <stdio.h>

#include "libranges/launcher/top/ranges-sight.h"

/* A table has at most this many rows. */
#define RCAP_RANGES_TOP_ROWS 1000u

struct rcap_ranges_top_options {
	const char *name; /* NULL: any program */
	long pid;         /* 0: any process */
	double interval_s;
	size_t rows; /* rows that each table has at most */
	enum rcap_ranges_order order;
	const char *filter; /* "": shows all names */
	bool is_once;
	bool is_json;
};

/* Prints what a program is doing, for people. */
void rcap_ranges_top_print(FILE *out, const struct rcap_ranges_sight *sight,
                           const struct rcap_ranges_top_options *options);

/* Prints all programs as one line of JSON: man ranges describes it. */
void rcap_ranges_top_json(FILE *out, const struct rcap_ranges_sight *const *sights, size_t count,
                          const struct rcap_ranges_top_options *options);

/* Returns the phase of the capture: "on", "warming up" or "off". */
const char *rcap_ranges_top_phase(const struct rcap_ranges_sight *sight);

/* Returns the number of the current cycle, or else of the last one; 0 if there was none. */
uint32_t rcap_ranges_top_cycle(const struct rcap_ranges_sight *sight);

/* Gets the log's path and size. If the capture keeps only its last part, these are the path that
 * the log will get, and the bytes kept so far. @path: "" if there is no log. */
void rcap_ranges_top_log(const struct rcap_ranges_sight *sight, char *path, size_t size,
                         uint64_t *bytes);

/* Returns the name of a thread, given by the program or the system. */
const char *rcap_ranges_top_thread(const struct rcap_ranges_sight *sight,
                                   const struct rcap_ranges_thread *thread);

/* Returns the name of a domain; "" for the default domain. */
const char *rcap_ranges_top_domain(const struct rcap_ranges_sight *sight, uint32_t domain);

/* True if the thread must be shown: it has open ranges. */
bool rcap_ranges_top_has_stack(const struct rcap_ranges_thread *thread);

/* Writes a duration like "412 ns", "3.2 s", "2 h 13 min". */
void rcap_ranges_top_duration(char *out, size_t size, double ns);

/* Returns the name of an order, such as "share". */
const char *rcap_ranges_top_order(enum rcap_ranges_order order);

/* Returns the length of the last interval. */
double rcap_ranges_top_seconds(const struct rcap_ranges_sight *sight);

#endif
