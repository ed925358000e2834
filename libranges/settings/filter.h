/* SPDX-License-Identifier: MIT */
/* Decides which domains are recorded: the syntax and the effect of RANGES_DOMAINS. */
#ifndef RCAP_FILTER_H
#define RCAP_FILTER_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the longest list, with its NUL. */
#define RCAP_FILTER_BYTES 1024

/* The name of NVTX's default domain in a list, because the domain itself has no name. */
#define RCAP_FILTER_DEFAULT "default"

/*
 * A list has entries, separated by commas. "+name" or "name" includes domains, "-name" excludes
 * them. A star matches any number of bytes. A backslash escapes the next byte. Blanks around an
 * entry or its name are ignored. The last entry that matches decides. If no entry matches, the
 * domain is excluded if the list has an entry that includes domains.
 */

/*
 * Checks the syntax of a list. "" is valid.
 *
 * @why: gets what is wrong, and with which entry; unchanged if nothing is wrong.
 * @size: of why.
 */
bool rcap_filter_is_valid(const char *list, char *why, size_t size);

/*
 * True if a valid list includes a domain.
 *
 * @name, @length: the domain's name; RCAP_FILTER_DEFAULT for the default domain.
 * Context: any thread; no allocation, no lock, no locale.
 */
bool rcap_filter_is_on(const char *list, const char *name, size_t length);

#endif
