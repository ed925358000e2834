/* SPDX-License-Identifier: MIT */
/* The list of outputs. */
#ifndef RA_OUT_LIST_H
#define RA_OUT_LIST_H

#include "analyzer/timeline/pens/out.h"

/* Returns all outputs: an array that ends with NULL. */
const struct ra_out *const *ra_out_list_borrow(void);

/* Finds the output for a file name. Return: NULL if its suffix is not known. */
const struct ra_out *ra_out_list_find_by_suffix(const char *path);

const struct ra_out *ra_out_list_find_by_name(const char *name);

/* Appends for --help what each output is, with its suffix. */
void ra_out_list_put_notes(struct ra_util_text *text);

#endif
