/* SPDX-License-Identifier: MIT */
/* Loads CUPTI: its functions, its version, the sizes of its records. */
#ifndef RCAP_CUPTI_LOAD_H
#define RCAP_CUPTI_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "libranges/abi/cupti-abi.h"

/* Declares a member. NOLINTNEXTLINE(bugprone-macro-parentheses): these can't have parentheses. */
#define RCAP_CUPTI_MEMBER(need, member, name, arguments) int(*member) arguments;

/* The loaded library. Written once, before anything of it is used; then constant. */
struct rcap_cupti {
	RCAP_CUPTI_FUNCTIONS(RCAP_CUPTI_MEMBER)
	uint32_t version;
	/* Bytes of a record by kind, 0 for kinds that the library does not know. */
	uint32_t stride[RCAP_CUPTI_KINDS];
	char path[4096]; /* of the library; after a failure a line about why there is none */
};

extern struct rcap_cupti rcap_cupti __attribute__((visibility("hidden")));

/*
 * Finds and loads it, and asks for its version and sizes of records; needs neither driver nor GPU.
 *
 * @wanted: RANGES_CUPTI_PATH, "" if not set.
 * Return: false: there is none that can be used; rcap_cupti.path says why in a line.
 * Context: once, any thread, outside of locks; takes up to 25 ms.
 */
bool rcap_cupti_load_open(const char *wanted);

/* Goes on to the next library that can be used. Return, context: as above. */
bool rcap_cupti_load_next(void);

/*
 * Asks for the sizes of records again, as one subscriber of several: they may be asked for in one
 * way only from then on, and by who was there before us.
 *
 * Context: as above.
 */
void rcap_cupti_load_measure(void *subscriber);

/* True if the program had loaded another library than the one that the user wanted: a process can
 * have one only. */
bool rcap_cupti_load_is_other(void);

/* What a result code means, as CUPTI says it. Lives for ever. */
const char *rcap_cupti_load_explain(int result);

/*
 * The next record of a buffer. The sizes are those that the library itself steps by, as it was
 * asked when it was loaded: so nobody waits for it here, least of all a thread of the program.
 *
 * @at: 0 for the first record; gets where the next one begins.
 * Return: NULL: there is none. Where `at` is not `valid_bytes` then, the rest can't be read.
 */
void *rcap_cupti_load_step(uint8_t *bytes, size_t valid_bytes, size_t *at);

/*
 * Copies as much of a record as `out` has room for and the library fills; what is missing is 0.
 */
static inline void rcap_cupti_load_record(void *out, size_t bytes, const void *record,
                                          uint32_t kind)
{
	const size_t there = rcap_cupti.stride[kind];

	memset(out, 0, bytes);
	memcpy(out, record, there < bytes ? there : bytes);
}

#endif
