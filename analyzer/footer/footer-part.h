/* SPDX-License-Identifier: MIT */
/* Writes the footer's lines about a log that is a part: of a capture, or of another log. */
#ifndef RA_FOOTER_PART_H
#define RA_FOOTER_PART_H

#include "analyzer/footer/footer.h"

/* Finds a number among the facts of a log. Return: borrowed; NULL: no number has this key. */
const struct rlog_fact *ra_footer_part_find_number(const struct rlog_reader *reader,
                                                   const char *key);

/* Finds a number in a log's END, at most INT64_MAX. Return: 0 if no number has this key. @reader:
 * may be NULL. */
uint64_t ra_footer_part_end_number(const struct rlog_reader *reader, const char *key);

/* Finds the text that a line of the footer has if the log is a part of another log. Return:
 * borrowed; NULL: the line has its usual text. */
const char *ra_footer_part_find_text(const struct ra_model *model,
                                     const struct ra_footer_line *line);

/* Appends why the last part of a capture was written, and which part it is. Appends nothing for
 * other logs. */
void ra_footer_part_put_snapshot(struct ra_util_text *text, const struct ra_model *model,
                                 const char *prefix);

/* Appends which part of another log this log is. Appends nothing if it is no part. */
void ra_footer_part_put(struct ra_util_text *text, const struct ra_model *model,
                        const char *prefix);

#endif
