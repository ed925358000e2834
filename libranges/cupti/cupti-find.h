/* SPDX-License-Identifier: MIT */
/* Finds the libcupti.so that fits the program. */
#ifndef RCAP_CUPTI_FIND_H
#define RCAP_CUPTI_FIND_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Opens CUPTI, in this order: the path that the user gave and no other; the copy that the program
 * has loaded; the one that belongs to the CUDA runtime it has loaded; what the dynamic linker
 * finds; the usual places of an installation.
 *
 * @wanted: RANGES_CUPTI_PATH, "" if not set.
 * @path: gets the name that was opened, or a line about why none was.
 * Return: dlopen's handle, never to be closed; NULL.
 * Context: any thread, outside of locks; loads a library; errno may change.
 */
void *rcap_cupti_find_open(const char *wanted, char *path, size_t size);

/* True if a library of this name ("libcuda.so") is mapped; versions behind it do not count. */
bool rcap_cupti_find_is_mapped(const char *name);

#endif
