/* SPDX-License-Identifier: MIT */
/* Lists of sizes as JSON text: [[141,512],[512,512]]. */
#ifndef RA_DIMS_H
#define RA_DIMS_H

#include <stdbool.h>
#include <stddef.h>

#include "format/tables.h"

#define RA_DIMS_MAX 16

/* The numbers of one input: its sizes, or the elements of a list. */
struct ra_dims {
	double value[RA_DIMS_MAX];
	size_t count;
};

/* Finds the text of the element at `index`. Return: false if the array has no such element. Time is
 * linear in the text. */
bool ra_dims_find_element(struct rlog_string array, size_t index, struct rlog_string *element);

/* Reads the integers of a flat list: [1,2], [1, 2] or "[1, 2]". Return: false if it is no such
 * list. */
bool ra_dims_read(struct rlog_string element, struct ra_dims *dims);

/* Reads the element at `index` of an array, as ra_dims_read() does. Return: false if there is no
 * such list. */
bool ra_dims_find(struct rlog_string array, size_t index, struct ra_dims *dims);

/* Reads the number at the start of a text, after a quotation mark if the text begins with one.
 * Return: 0 if there is no number. */
double ra_dims_read_number(struct rlog_string text);

/* Returns the product of all numbers; 1 if there are none. */
double ra_dims_multiply(const struct ra_dims *dims);

#endif
