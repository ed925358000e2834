/* SPDX-License-Identifier: MIT */
/* What is odd about a trace in JSON, for the footer. */
#ifndef RA_KINETO_FOOTER_H
#define RA_KINETO_FOOTER_H

#include "analyzer/report/footer.h"
#include "analyzer/rows/kineto.h"

/* Lines that it adds at most. */
#define RA_KINETO_FOOTER_LINES 33

/* Appends what there is to say. Return: how many lines. */
size_t ra_kineto_footer_collect(const struct ra_kineto *kineto, struct ra_footer_line *lines);

/* What there is to say if captures of graphs were given and nothing of the trace is of them; else
 * NULL. */
const char *ra_kineto_footer_find_unmatched(const struct ra_kineto *kineto);

/* String id of the name that a line of this key speaks of; 0: of none. */
uint32_t ra_kineto_footer_name(const struct ra_kineto *kineto, const char *key);

/* ,"trace":{…} with every figure. */
void ra_kineto_footer_put_json(struct ra_util_text *text, const struct ra_kineto *kineto);

#endif
