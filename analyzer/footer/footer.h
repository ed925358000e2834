/* SPDX-License-Identifier: MIT */
/* The honest footer: what a log lacks, and what was repaired in it. */
#ifndef RA_FOOTER_H
#define RA_FOOTER_H

#include "analyzer/model/model.h"
#include "analyzer/base/text/util-text.h"

/* One statement of the footer. */
struct ra_footer_line {
	const char *key;
	uint64_t count;   /* 0: nothing to count */
	const char *text; /* follows the count */
	bool is_programs; /* the program's doing, not a fault of the log, unless events are
	                   * missing */
};

#define RA_FOOTER_LINES 80

/*
 * Lists everything that is not as it should be, the gravest first.
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

/* The number of events read, as shown to people: all rows of a log, including CUPTI's, as `ranges`
 * says at the end of a recording; or all events of a trace. */
uint64_t ra_footer_count_events(const struct ra_model *model);

/* Appends one line if nothing is lost, and one for each statement; each begins with `prefix`. */
void ra_footer_put_text(struct ra_util_text *text, const struct ra_model *model,
                        const char *prefix);

/* The members of a JSON object, without its braces: every figure, also those that are 0. */
void ra_footer_put_json_members(struct ra_util_text *text, const struct ra_model *model);

#endif
