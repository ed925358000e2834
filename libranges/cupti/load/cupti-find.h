/* SPDX-License-Identifier: MIT */
/* Finds the libcupti.so that fits the program. */
#ifndef RCAP_CUPTI_FIND_H
#define RCAP_CUPTI_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RCAP_CUPTI_FIND_DIRECTORIES 32
#define RCAP_CUPTI_FIND_BYTES       512

/* State of a search. */
struct rcap_cupti_find {
	const char *wanted;
	uint32_t major; /* major version of the CUDA runtime that the program has loaded; 0: none */
	uint32_t driver; /* major version of the driver; 0: unknown */
	bool is_only;    /* only the first library is allowed */
	bool is_other;   /* that library is another one than the user wanted */
	char directories[RCAP_CUPTI_FIND_DIRECTORIES][RCAP_CUPTI_FIND_BYTES];
	uint32_t count;
	uint32_t directory; /* directory being searched */
	uint32_t soname;
};

/*
 * Begins a search for CUPTI. In this order it tries: the copy that the program has loaded, and then
 * no other; the path that the user gave, and then no other; libraries next to the CUDA runtime that
 * the program has loaded; the Python environment that the program has loaded libraries from; the
 * program's own folder; the libraries that the dynamic linker finds; those under CUDA_HOME,
 * CUDA_PATH, CONDA_PREFIX and in the usual places of an installation. In each place it first tries
 * what fits the driver. It never takes another major version than the runtime's.
 *
 * @wanted: RANGES_CUPTI_PATH, "" if not set. Borrowed.
 * Context: once, any thread, outside of locks.
 */
void rcap_cupti_find_begin(struct rcap_cupti_find *find, const char *wanted);

/*
 * Opens the next library.
 *
 * @path: gets the name of the opened file, or a line that says why there is none.
 * Return: dlopen's handle, never to be closed; NULL: there are no more.
 * Context: as above; loads a library; errno may change.
 */
void *rcap_cupti_find_next(struct rcap_cupti_find *find, char *path, size_t size);

/* The result of cuDriverGetVersion(), 12040 for CUDA 12.4; 0: there is no driver. Context: any. */
uint32_t rcap_cupti_find_driver(void);

/* True if both paths lead to one file. Context: any; errno may change. */
bool rcap_cupti_find_is_same_file(const char *one, const char *other);

/* True if a library of this name ("libcuda.so"), with any version, is mapped. */
bool rcap_cupti_find_is_mapped(const char *name);

#endif
