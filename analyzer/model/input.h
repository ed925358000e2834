/* SPDX-License-Identifier: MIT */
/* A kind of input: a file format that a model can be made from. */
#ifndef RA_INPUT_H
#define RA_INPUT_H

#include "analyzer/io/source.h"
#include "analyzer/model/model.h"
#include "analyzer/model/slice-sink.h"

/* A window: a stretch of time, in ns since time 0. */
struct ra_input_window {
	int64_t from_ns;
	int64_t to_ns;
};

/* A caller that wants only some steps of an input, and knows what a step is. */
struct ra_input_steps {
	void *context;
	uint64_t least_events; /* inputs with fewer events are read as a whole */
	/* True if a range of this name may be a step. */
	bool (*may_be)(void *context, struct rlog_string name, struct rlog_string domain);
	/*
	 * Tells when the chosen steps run, so that the rest need not be read.
	 *
	 * @model: has model->part, but no other data about ranges.
	 * Return: false: the whole input must be read.
	 */
	bool (*choose)(void *context, const struct ra_model *model, struct ra_input_window *window);
};

/* Options for a reader. */
struct ra_input_options {
	/* Called now and then with the number of rows read so far and of rows in the file; NULL:
	 * not called. */
	void (*progress)(void *context, uint64_t rows, uint64_t total_rows);
	void *progress_context;
	bool with_python; /* make ranges of Python functions, too, if the file has them */
	bool rows_only;   /* fill only the part of the model that the footer reads, see struct
	                     ra_load_options */
	bool few_args;    /* keep only the args that reports read */
	bool few_rows;    /* keep only the events that reports read */
	/* See struct ra_load_options. */
	void (*finding)(void *context, uint64_t offset, const char *what);
	void *finding_context;
	/* See struct ra_load_options. */
	const struct ra_slice_sink *sink;
	uint64_t sink_least;                  /* see struct ra_load_options */
	bool walks;                           /* see struct ra_load_options */
	uint64_t walk_least;                  /* see struct ra_load_options */
	bool once;                            /* see struct ra_load_options */
	const struct ra_input_window *window; /* see struct ra_load_options */
	const struct ra_input_steps *steps;   /* see struct ra_load_options */
	/* See struct ra_load_options. */
	bool with_origin;
	const char *captures;
};

/*
 * An input: each reader's folder defines a const one, and load/inputs.c lists all. When a model is
 * made, no code asks which reader made it: the model's flags tell what it has.
 */
struct ra_input {
	const char *name; /* such as "a trace in JSON", for messages and --version */
	/* suffixes of this input's file names, to find files in folders; ends with NULL */
	const char *const *suffixes;
	unsigned has; /* bits of enum ra_has: what each model of this reader has */
	/* True if a file with these first bytes is of this kind. */
	bool (*probe)(const void *head, size_t count);
	/* Makes a model that is not linked yet. Takes ownership of the source's pipe. Return: the
	 * values of ra_load_file(). */
	int (*read)(struct ra_model **out, struct ra_source *source,
	            const struct ra_input_options *options, struct rlog_error *err);
	/* Opens the log, or the log inside the file. Takes ownership of the pipe. Return: the
	 * values of ra_load_log(). */
	int (*read_log)(struct rlog_reader **out, struct ra_source *source, struct rlog_error *err);
	/* Finds the causes for the rule `sequence` (struct ra_link_options). Return: owned by the
	 * caller. NULL: the rule uses names. */
	uint32_t *(*find_causes)(const struct ra_model *model);
	/* Called after the model is linked, for work that needs the links; NULL: not called. */
	void (*finish)(struct ra_model *model, const struct ra_input_options *options);
};

#endif
