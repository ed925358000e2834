/* SPDX-License-Identifier: MIT */
/* Writes the footer: what a log lacks, and what was repaired in it. */
#ifndef RA_FOOTER_H
#define RA_FOOTER_H

#include "analyzer/model/model.h"
#include "analyzer/base/text/util-text.h"

/* One statement of the footer. */
struct ra_footer_line {
	const char *key;
	uint64_t count;   /* 0: the text has no count */
	const char *text; /* follows the count */
	bool is_programs; /* the program caused it, so it is no fault of the log, unless events are
	                     missing */
};

#define RA_FOOTER_LINES 80

/*
 * Lists everything that is not as it should be, the most serious first.
 *
 * @lines: room for RA_FOOTER_LINES.
 * Return: their number; 0 if all is well.
 */
size_t ra_footer_collect(const struct ra_model *model, struct ra_footer_line *lines);

/* True if events are missing: the log was damaged or not closed, events were lost in capture, or
 * traces of graph captures beside it could not be read completely. */
bool ra_footer_is_incomplete(const struct ra_model *model);

/* True if nothing was lost or damaged, including names. What the program did with its ranges
 * does not matter. */
bool ra_footer_is_complete(const struct ra_model *model);

/* Returns the number of events read, as users see it. For a log: all rows, including CUPTI's, as
 * `ranges` prints it at the end of a recording. For a trace: all events. */
uint64_t ra_footer_count_events(const struct ra_model *model);

/* Appends one line if nothing is lost, and one line for each statement. Each line begins with
 * `prefix`. */
void ra_footer_put_text(struct ra_util_text *text, const struct ra_model *model,
                        const char *prefix);

/* Appends the members of a JSON object, without its braces. Writes every figure, even if it is
 * 0. */
void ra_footer_put_json_members(struct ra_util_text *text, const struct ra_model *model);

#endif
