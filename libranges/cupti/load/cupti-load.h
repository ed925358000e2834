/* SPDX-License-Identifier: MIT */
/* Loads CUPTI: finds its functions, its version, and the sizes of its records. */
#ifndef RCAP_CUPTI_LOAD_H
#define RCAP_CUPTI_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "libranges/abi/cupti-abi.h"

/* Declares a member. NOLINTNEXTLINE(bugprone-macro-parentheses): these can't have parentheses. */
#define RCAP_CUPTI_MEMBER(need, member, name, arguments) int(*member) arguments;

/* The loaded library. Written once, before anything in it is used. Constant afterwards. */
struct rcap_cupti {
	RCAP_CUPTI_FUNCTIONS(RCAP_CUPTI_MEMBER)
	uint32_t version;
	/* Bytes of a record by kind; 0 for kinds that the library does not know. */
	uint32_t stride[RCAP_CUPTI_KINDS];
	char path[4096]; /* path of the library; after a failure a line that says why none is
	                  * loaded */
};

extern struct rcap_cupti rcap_cupti __attribute__((visibility("hidden")));

/*
 * Finds and loads the library. Finds out its version and its sizes of records. Needs neither driver
 * nor GPU.
 *
 * @wanted: RANGES_CUPTI_PATH, "" if not set.
 * Return: false: no library can be used; rcap_cupti.path is a line that says why.
 * Context: once, any thread, outside of locks; takes up to 25 ms.
 */
bool rcap_cupti_load_open(const char *wanted);

/* Loads the next library that can be used. Return, context: as rcap_cupti_load(). */
bool rcap_cupti_load_next(void);

/*
 * Finds out the sizes of records again, as one of several subscribers. Once we or another profiler
 * have subscribed in that way, CUPTI refuses the older call.
 *
 * Context: as rcap_cupti_load().
 */
void rcap_cupti_load_measure(void *subscriber);

/* True if the program had already loaded another CUPTI than the user wanted. A process can have
 * only one CUPTI. */
bool rcap_cupti_load_is_other(void);

/* Returns CUPTI's text for a result code, a constant string. */
const char *rcap_cupti_load_explain(int result);

/*
 * Finds the next record of a buffer. Uses the sizes found when the library was loaded; the library
 * steps by the same sizes. So no thread has to wait for the library here, least of all a thread of
 * the program.
 *
 * @at: 0 for the first record; gets the position of the next one.
 * Return: NULL if there is no more record. If `at` is then not `valid_bytes`, the rest can't be
 * read.
 */
void *rcap_cupti_load_step(uint8_t *bytes, size_t valid_bytes, size_t *at);

/* Copies the part of a record that the library fills and that fits in `out`. The rest of `out` is
 * 0. */
static inline void rcap_cupti_load_record(void *out, size_t bytes, const void *record,
                                          uint32_t kind)
{
	const size_t there = rcap_cupti.stride[kind];

	memset(out, 0, bytes);
	memcpy(out, record, there < bytes ? there : bytes);
}

#endif
