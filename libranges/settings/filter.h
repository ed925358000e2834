/* SPDX-License-Identifier: MIT */
/* Which domains are recorded: the list of RANGES_DOMAINS, its syntax and what it decides. */
#ifndef RCAP_FILTER_H
#define RCAP_FILTER_H

#include <stdbool.h>
#include <stddef.h>

/* Longest list, with its NUL. */
#define RCAP_FILTER_BYTES 1024

/* How a list names NVTX's default domain, which has no name of its own. */
#define RCAP_FILTER_DEFAULT "default"

/*
 * A list is entries with commas between them: "+name" or "name" takes domains in, "-name" leaves
 * them out. A star stands for any number of bytes, a backslash takes away the meaning of what
 * follows it; blanks around an entry or its name do not count. The last entry that matches decides.
 * A domain that none matches is left out if the list takes anything in.
 */

/*
 * Checks the syntax of a list; "" is good.
 *
 * @why: gets what is wrong and with which entry; untouched when nothing is.
 * @size: of why.
 */
bool rcap_filter_is_valid(const char *list, char *why, size_t size);

/*
 * Does a list that is valid take in a domain?
 *
 * @name, @length: its name, RCAP_FILTER_DEFAULT for the default domain.
 * Context: any thread; no allocation, no lock, no locale.
 */
bool rcap_filter_is_on(const char *list, const char *name, size_t length);

#endif
