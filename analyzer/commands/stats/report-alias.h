/* SPDX-License-Identifier: MIT */
/* Lists the names that nsys has for our reports. */
#ifndef RA_REPORT_ALIAS_H
#define RA_REPORT_ALIAS_H

#include <stddef.h>

struct ra_report_alias {
	const char *theirs;
	const char *ours;
};

/* Returns all aliases: an array that ends with an entry without names. */
const struct ra_report_alias *ra_report_alias_borrow(void);

/* Finds our name for nsys' name of `length` bytes. Return: NULL if nsys has no such name. */
const char *ra_report_alias_find(const char *name, size_t length);

#endif
