/* SPDX-License-Identifier: MIT */
/* Prints the summary, the default output of `analyzer trace.bin`. */
#ifndef RA_SUMMARY_H
#define RA_SUMMARY_H

#include <stdbool.h>
#include <stdio.h>

#include "analyzer/names/labels.h"
#include "analyzer/model/model.h"

struct ra_summary_stream;

struct ra_summary_options {
	const char *input;      /* the file's name as the user gave it */
	const char *step_range; /* NAME[@DOMAIN] of the ranges that are steps; NULL: default */
	bool all;               /* show every range and thread, not only the first ones */
	bool is_piped;          /* stdout is no terminal: show only the rows that take most time */
	struct ra_labels_options names; /* how to label rows of ranges */
	size_t brief;                   /* --brief: bytes; 0: it was not given */
	size_t rows;                    /* most rows of a table … */
	size_t tables;  /* … and number of tables besides that of steps; both are set by
	                   ra_summary_print() */
	unsigned width; /* columns of the terminal; 0: do not shorten names */
	bool color;
};

/* Returns the form of names that rows of ranges have in the summary. @names: the form that the user
 * requested. */
struct ra_labels_options ra_summary_names(struct ra_labels_options names);

/*
 * Writes facts about the capture, threads, ranges and the footer.
 *
 * @stream: the stream that took the ranges; NULL: the model holds them.
 * Return: as ra_util_text_write().
 */
int ra_summary_print(const struct ra_model *model, const struct ra_summary_options *options,
                     struct ra_summary_stream *stream, FILE *out);

#endif
