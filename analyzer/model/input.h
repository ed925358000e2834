/* SPDX-License-Identifier: MIT */
/* What an input is: a kind of file that a model can be made of. */
#ifndef RA_INPUT_H
#define RA_INPUT_H

#include "analyzer/io/source.h"
#include "analyzer/model/model.h"
#include "analyzer/model/slice-sink.h"

/* A stretch of time, in ns since time 0. */
struct ra_input_window {
	int64_t from_ns;
	int64_t to_ns;
};

/* What a reader is asked for. */
struct ra_input_options {
	/* Called now and then with the rows read so far and the rows the file holds; NULL: not
	 * called. */
	void (*progress)(void *context, uint64_t rows, uint64_t total_rows);
	void *progress_context;
	bool with_python; /* Python functions are ranges too, where the file tells of them */
	bool rows_only;   /* of the model what the footer reads, see struct ra_load_options */
	bool few_args;    /* only those that reports ask for */
	bool few_rows;    /* the same of events */
	/* See struct ra_load_options. */
	void (*finding)(void *context, uint64_t offset, const char *what);
	void *finding_context;
	/* See struct ra_load_options. */
	const struct ra_slice_sink *sink;
	bool walks;                           /* see struct ra_load_options */
	const struct ra_input_window *window; /* likewise */
	/* Likewise. */
	bool with_origin;
	const char *captures;
};

/*
 * One const entry per input, in its reader's folder, listed in load/inputs.c. After the model is
 * made nobody asks which reader made it: what it has, it says itself.
 */
struct ra_input {
	const char *name;            /* "a trace in JSON", for messages and --version */
	const char *const *suffixes; /* of their names, for folders; NULL behind the last */
	unsigned has;                /* enum ra_has, or'ed: what each model of this reader has */
	/* True if a file begins as this input's do. */
	bool (*probe)(const void *head, size_t count);
	/* Makes a model that is not linked yet; it takes the source's pipe. Return: as
	 * ra_load_file(). */
	int (*read)(struct ra_model **out, struct ra_source *source,
	            const struct ra_input_options *options, struct rlog_error *err);
	/* Opens the log, or the one within; takes the pipe. Return: as ra_load_log(). */
	int (*read_log)(struct rlog_reader **out, struct ra_source *source, struct rlog_error *err);
	/* What the rule `sequence` is to go by (struct ra_link_options), to be freed; NULL: names
	 * tell. */
	uint32_t *(*find_causes)(const struct ra_model *model);
	/* What can only be done when the model is linked; NULL: nothing. */
	void (*finish)(struct ra_model *model, const struct ra_input_options *options);
};

#endif
