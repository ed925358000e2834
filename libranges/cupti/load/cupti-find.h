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
	uint32_t major;  /* major version of the CUDA runtime that the program has loaded; 0 if it
	                  * has none */
	uint32_t driver; /* major version of the driver; 0 if unknown */
	bool is_only;    /* true if only the first library is allowed */
	bool is_other;   /* true if that library is not the one that the user wanted */
	char directories[RCAP_CUPTI_FIND_DIRECTORIES][RCAP_CUPTI_FIND_BYTES];
	uint32_t count;
	uint32_t directory; /* index of the directory that is being searched */
	uint32_t soname;
};

/*
 * Begins a search for CUPTI. If the program has loaded a CUPTI, tries only that one. Else, if the
 * user gave a path, tries only that one. Else tries these places in this order: the folder of the
 * CUDA runtime that the program has loaded; the Python environment that the program has loaded
 * libraries from; the program's own folder; the libraries that the dynamic linker finds; CUDA_HOME,
 * CUDA_PATH, CONDA_PREFIX, and the usual places of an installation. In each place it first tries
 * what fits the driver. It never uses another major version than the runtime's.
 *
 * @wanted: RANGES_CUPTI_PATH, "" if not set. Borrowed.
 * Context: once, any thread, outside of locks.
 */
void rcap_cupti_find_begin(struct rcap_cupti_find *find, const char *wanted);

/*
 * Opens the next library.
 *
 * @path: gets the name of the opened file, or a line that says why there is none.
 * Return: dlopen's handle, which must never be closed; NULL: there are no more libraries.
 * Context: as rcap_cupti_find_begin(); loads a library; errno may change.
 */
void *rcap_cupti_find_next(struct rcap_cupti_find *find, char *path, size_t size);

/* Returns the result of cuDriverGetVersion(), such as 12040 for CUDA 12.4; 0 if there is no driver.
 * Context: any. */
uint32_t rcap_cupti_find_driver(void);

/* True if both paths lead to the same file. Context: any; errno may change. */
bool rcap_cupti_find_is_same_file(const char *one, const char *other);

/* True if a library of this name, such as "libcuda.so", is mapped, whatever its version. */
bool rcap_cupti_find_is_mapped(const char *name);

#endif
