/* SPDX-License-Identifier: MIT */
/* Loads a second NVTX tool. A capture linked into a program can't. */
#ifndef RCAP_CHAIN_TOOL_H
#define RCAP_CHAIN_TOOL_H

#include <stddef.h>

/*
 * Loads a tool and finds its entry point.
 *
 * @library: gets the handle for rcap_chain_tool_close().
 * @why: gets the reason if NULL is returned.
 * Return: the entry point; NULL if the file or the entry is missing, or the file is libranges
 * itself.
 */
void *rcap_chain_tool_open(const char *path, const char *entry, void **library, char *why,
                           size_t why_size);

/* Finds another entry point of a loaded tool. Return: NULL if it has none. */
void *rcap_chain_tool_find(void *library, const char *entry);

void rcap_chain_tool_close(void *library);

#endif
