/* SPDX-License-Identifier: MIT */
/* Decides which domains are recorded: the syntax and the effect of RANGES_DOMAINS. */
#ifndef RCAP_FILTER_H
#define RCAP_FILTER_H

#include <stdbool.h>
#include <stddef.h>

/* Longest list, with its NUL. */
#define RCAP_FILTER_BYTES 1024

/* Stands for NVTX's default domain in a list, because this domain has no name. */
#define RCAP_FILTER_DEFAULT "default"

/*
 * A list is entries with commas between them: "+name" or "name" includes domains, "-name" excludes
 * them. A star matches any number of bytes, a backslash escapes the next byte; blanks around an
 * entry or its name do not count. The last entry that matches decides. If none matches, the domain
 * is excluded if the list includes any.
 */

/*
 * Checks the syntax of a list; "" is valid.
 *
 * @why: gets what is wrong and with which entry; untouched if nothing is.
 * @size: of why.
 */
bool rcap_filter_is_valid(const char *list, char *why, size_t size);

/*
 * True if a valid list includes a domain.
 *
 * @name, @length: its name, RCAP_FILTER_DEFAULT for the default domain.
 * Context: any thread; no allocation, no lock, no locale.
 */
bool rcap_filter_is_on(const char *list, const char *name, size_t length);

#endif
