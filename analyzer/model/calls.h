/* SPDX-License-Identifier: MIT */
/* NVTX's functions that are recorded as calls: doc/format.md, section 14. */
#ifndef RA_CALLS_H
#define RA_CALLS_H

#include <stdint.h>

struct ra_calls_function {
	uint32_t number;
	const char *name; /* of the function */
	/*
	 * Its arguments in order, as the text has them: names separated by commas; a list of tuples
	 * is [[name, …]…], one of values [name…]. What stands in no brackets is one value.
	 */
	const char *arguments;
};

/* Return: NULL for a number this version does not know. */
const struct ra_calls_function *ra_calls_find(uint64_t number);

#endif
