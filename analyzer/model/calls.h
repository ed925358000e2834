/* SPDX-License-Identifier: MIT */
/* The functions of NVTX that are recorded as calls: doc/format.md, section 14. */
#ifndef RA_CALLS_H
#define RA_CALLS_H

#include <stdint.h>

struct ra_calls_function {
	uint32_t number;
	const char *name; /* name of the function */
	/*
	 * Its arguments in order, in the form that doc/format.md uses: names separated by commas. A
	 * list of tuples is [[name, …]…], a list of values [name…]; a name without brackets is one
	 * value.
	 */
	const char *arguments;
};

/* Return: NULL for a function number that this version does not know. */
const struct ra_calls_function *ra_calls_find(uint64_t number);

#endif
