/* SPDX-License-Identifier: MIT */
/* Oddities of a JSON trace, for the footer. */
#ifndef RA_KINETO_FOOTER_H
#define RA_KINETO_FOOTER_H

#include "analyzer/footer/footer.h"
#include "analyzer/rows/kineto.h"

/* The most lines that it adds. */
#define RA_KINETO_FOOTER_LINES 33

/* Appends the lines. Return: how many. */
size_t ra_kineto_footer_collect(const struct ra_kineto *kineto, struct ra_footer_line *lines);

/* The message if captures of graphs were given and match nothing in the trace; else NULL. */
const char *ra_kineto_footer_find_unmatched(const struct ra_kineto *kineto);

/* String id of the name that the line with this key mentions; 0: none. */
uint32_t ra_kineto_footer_name(const struct ra_kineto *kineto, const char *key);

/* ,"trace":{…} with every figure. */
void ra_kineto_footer_put_json(struct ra_util_text *text, const struct ra_kineto *kineto);

#endif
