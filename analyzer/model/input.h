/* SPDX-License-Identifier: MIT */
/* A kind of input: a file format that a model can be made from. */
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

/* A caller that wants only some steps of an input, and knows what a step is. */
struct ra_input_steps {
	void *context;
	uint64_t least_events; /* inputs with fewer are read as a whole */
	/* True if a range of this name may be a step. */
	bool (*may_be)(void *context, struct rlog_string name, struct rlog_string domain);
	/*
	 * Says when the chosen steps are, so that the rest need not be read.
	 *
	 * @model: has model->part, and nothing else of ranges.
	 * Return: false: all must be read.
	 */
	bool (*choose)(void *context, const struct ra_model *model, struct ra_input_window *window);
};

/* Options for a reader. */
struct ra_input_options {
	/* Called now and then with the rows read so far and the rows in the file; NULL: not
	 * called. */
	void (*progress)(void *context, uint64_t rows, uint64_t total_rows);
	void *progress_context;
	bool with_python; /* Python functions are ranges too, if the file has them */
	bool rows_only;   /* fill only the part of the model that the footer reads, see struct
	                     ra_load_options */
	bool few_args;    /* keep only the args that reports ask for */
	bool few_rows;    /* keep only the events that reports ask for */
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
 * One const entry per input, in its reader's folder, listed in load/inputs.c. Once the model is
 * made, no code asks which reader made it: the model itself says what it has.
 */
struct ra_input {
	const char *name;            /* "a trace in JSON", for messages and --version */
	const char *const *suffixes; /* suffixes of file names, to find files in folders; NULL after
	                                the last */
	unsigned has;                /* enum ra_has, or'ed: what each model of this reader has */
	/* True if a file that begins with these bytes is of this kind. */
	bool (*probe)(const void *head, size_t count);
	/* Makes a model that is not linked yet. Takes over the source's pipe. Return: as
	 * ra_load_file(). */
	int (*read)(struct ra_model **out, struct ra_source *source,
	            const struct ra_input_options *options, struct rlog_error *err);
	/* Opens the log, or the log inside the file. Takes over the pipe. Return: as
	 * ra_load_log(). */
	int (*read_log)(struct rlog_reader **out, struct ra_source *source, struct rlog_error *err);
	/* Finds the causes for the rule `sequence` (struct ra_link_options). The caller frees them.
	 * NULL: the rule uses names. */
	uint32_t *(*find_causes)(const struct ra_model *model);
	/* Work to do after the model is linked; NULL: none. */
	void (*finish)(struct ra_model *model, const struct ra_input_options *options);
};

#endif
