/* SPDX-License-Identifier: MIT */
/* Names that nsys has for reports that we have, too. */
#ifndef RA_REPORT_ALIAS_H
#define RA_REPORT_ALIAS_H

#include <stddef.h>

struct ra_report_alias {
	const char *theirs;
	const char *ours;
};

/* All of them. Return: an array that ends with an entry without names. */
const struct ra_report_alias *ra_report_alias_borrow(void);

/* Our name for the `length` bytes of one of theirs. Return: NULL if it is none. */
const char *ra_report_alias_find(const char *name, size_t length);

#endif
