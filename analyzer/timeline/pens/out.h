/* SPDX-License-Identifier: MIT */
/* An output: a way to write a whole model into a file. */
#ifndef RA_OUT_H
#define RA_OUT_H

#include "analyzer/names/labels.h"
#include "analyzer/model/model.h"
#include "analyzer/io/outbuf.h"
#include "analyzer/steps/select.h"

/* The place of one of several models in a file, in which ra_out_ranks_write() writes the text
 * around them. */
struct ra_out_place {
	int64_t zero_ns;    /* time of the model that is 0 in the file */
	uint32_t first_pid; /* first number for processes and devices */
	uint64_t first_id;  /* first number for arrows */
	int64_t rank;       /* written for devices, too; -1: none */
};

struct ra_out_options {
	const char *output_name; /* last part of the output's name as the user gave it, "-" for
	                            standard output */
	struct ra_labels_options names; /* of ranges and marks */
	bool has_plain_operators;       /* operators of emit_nvtx() get PyTorch's names, even if
	                                   names.is_raw */
	bool without_log;               /* JSON does not contain the log that it was made from */
	/* For outputs with reports: */
	const char *input_name;         /* as the user gave it */
	const char *step_range;         /* --step-range, or NULL */
	const char *steps;              /* --steps, or NULL: … */
	const struct ra_select *select; /* … the views; the output then gets the whole model */
	/* For several files: all models by rank; the output also gets the first. NULL: there is
	 * one. */
	struct ra_model *const *models;
	const int64_t *ranks;
	char *const *paths;
	size_t model_count;
	/* NULL: the file contains only this model. */
	const struct ra_out_place *place;
};

/* What the caller must tell the user; all zero before. */
struct ra_out_report {
	uint64_t written;  /* ranges and marks */
	uint64_t left_out; /* ranges and marks that the format can't show … */
	char why[280];     /* … and why not; "" if there are none */
};

/* One const entry per output, in a file of its own (out-NAME.c), listed in analyzer/Makefile.inc.
 * Its first line and .name stand on lines of their own, for outs.awk. */
struct ra_out {
	const char *name;
	const char *summary; /* for --help; lines of at most 59 columns */
	const char *suffix;  /* suffix of file names, before a ".gz" */
	const char *opens;   /* what opens such a file, for messages */
	bool has_figures;    /* names are normal by default, as in reports */
	bool walks;          /* it reads slices and marks of threads only by walks (walk.h) */
	bool once;           /* likewise, and its first walk may be over a model that was made with
	                        `once` (load.h) */
	bool has_reports;    /* it accepts several files, and chooses the view of --steps itself */
	/* Return: why this output can't be written here, valid as long as the program runs; NULL:
	 * it can. A NULL pointer: it always can. */
	const char *(*find_lack)(void);
	/* Writes the model. Errors of the file system are kept in the buffer, not returned. */
	void (*write)(const struct ra_model *model, const struct ra_out_options *options,
	              struct ra_outbuf *out, struct ra_out_report *report);
	/*
	 * For an output that something else writes: writes into an empty regular file. Then `write`
	 * is NULL.
	 *
	 * Return: 0, or an errno.
	 */
	int (*write_file)(const struct ra_model *model, const struct ra_out_options *options,
	                  const char *path, struct ra_out_report *report);
};

/* Each output, by RA_OUTS(); analyzer/Makefile.inc lists their files. */
#include "analyzer/timeline/pens/outs.inc"
#define DECLARE(out) extern const struct ra_out out;
RA_OUTS(DECLARE)
#undef DECLARE

#endif
