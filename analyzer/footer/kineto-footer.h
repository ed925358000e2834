/* SPDX-License-Identifier: MIT */
/* Adds the oddities of a JSON trace to the footer. */
#ifndef RA_KINETO_FOOTER_H
#define RA_KINETO_FOOTER_H

#include "analyzer/footer/footer.h"
#include "analyzer/rows/kineto.h"

/* The most lines that ra_kineto_footer_collect() appends. */
#define RA_KINETO_FOOTER_LINES 33

/* Appends the lines. Return: how many. */
size_t ra_kineto_footer_collect(const struct ra_kineto *kineto, struct ra_footer_line *lines);

/* Finds the message for captures of graphs that were given but match nothing in the trace. Return:
 * NULL: there is nothing to say. */
const char *ra_kineto_footer_find_unmatched(const struct ra_kineto *kineto);

/* Finds the name that the line with this key mentions. Return: the name's string id; 0: it mentions
 * none. */
uint32_t ra_kineto_footer_name(const struct ra_kineto *kineto, const char *key);

/* Appends ,"trace":{…} with every figure. */
void ra_kineto_footer_put_json(struct ra_util_text *text, const struct ra_kineto *kineto);

#endif
