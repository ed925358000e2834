/* SPDX-License-Identifier: MIT */
/* Makes the summary that `analyzer trace.bin` prints by default. */
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
	bool all;               /* show every range and thread, not only the first 20 */
	bool is_piped;          /* fitted, but on no terminal: only what takes most time */
	struct ra_labels_options names; /* rows of ranges */
	size_t brief;                   /* --brief: bytes; 0: it was not given */
	size_t rows;                    /* rows of a table … */
	size_t tables;  /* … and the number of tables, beside the steps: set here */
	unsigned width; /* columns of the terminal; 0: do not shorten names */
	bool color;
};

/* Returns the form of names that rows of ranges get here, made from the requested one. */
struct ra_labels_options ra_summary_names(struct ra_labels_options names);

/*
 * Writes capture facts, threads, ranges and the footer.
 *
 * @stream: what took the ranges that the model does not hold; NULL: it holds them.
 * Return: as ra_util_text_write().
 */
int ra_summary_print(const struct ra_model *model, const struct ra_summary_options *options,
                     struct ra_summary_stream *stream, FILE *out);

#endif
