/* SPDX-License-Identifier: MIT */
/* Describes an output: a way to write a whole model into a file. */
#ifndef RA_OUT_H
#define RA_OUT_H

#include "analyzer/names/labels.h"
#include "analyzer/model/model.h"
#include "analyzer/io/outbuf.h"
#include "analyzer/steps/select.h"

struct ra_range_stream;

/* The place of one of several models in a file. ra_out_ranks_write() writes the text around the
 * models. */
struct ra_out_place {
	int64_t zero_ns;    /* this time of the model is time 0 in the file */
	uint32_t first_pid; /* first number for processes and devices */
	uint64_t first_id;  /* first number for arrows */
	int64_t rank;       /* rank, which is written for devices, too; -1: unknown */
};

struct ra_out_options {
	/* last part of the output's path as the user gave it; "-" for standard output */
	const char *output_name;
	struct ra_labels_options names; /* how names of ranges and marks are shown */
	bool has_plain_operators; /* operators that emit_nvtx() recorded are shown with PyTorch's
	                             names, even if names.is_raw is set */
	bool without_log;         /* JSON does not embed the log from which it was made */
	/* For outputs with reports: */
	const char *input_name; /* as the user gave it */
	const char *step_range; /* --step-range, or NULL */
	const char *steps;      /* --steps, or NULL; … */
	/* … the views of these steps; the output itself gets the whole model */
	const struct ra_select *select;
	/* Set if the ranges went to a sink and the model has a walk (walk.h): a model with that
	 * walk, the few ranges from which steps and advice are made, and the sums of all ranges,
	 * with labels. NULL: the model holds everything. */
	const struct ra_model *few;
	struct ra_range_stream *sums;
	/* For several files: all models, in order of rank. The output also gets the first one as
	 * its model. NULL: there is only one file. */
	struct ra_model *const *models;
	const int64_t *ranks;
	char *const *paths;
	size_t model_count;
	/* NULL: the file contains only this model. */
	const struct ra_out_place *place;
};

/* What the caller must report to the user. Zero-initialise. */
struct ra_out_report {
	uint64_t written;  /* number of ranges and marks written */
	uint64_t left_out; /* number of ranges and marks that the format can't show … */
	char why[280];     /* … and the reason; "" if there are none */
};

/* An output. Each has one const entry in a file of its own (out-NAME.c), listed in
 * analyzer/Makefile.inc. The entry's first line and .name must be on lines of their own, because
 * outs.awk searches for them. */
struct ra_out {
	const char *name;
	const char *summary; /* for --help; each line has at most 59 columns */
	const char *suffix;  /* suffix of file names, before a ".gz" */
	const char *opens;   /* the program that opens such a file, for messages */
	bool has_figures;    /* by default, names are shown as in reports */
	bool walks;          /* reads the slices and marks of threads only by walks (walk.h) */
	/* like `walks`; the first walk may be over a model that was made with `once` (load.h) */
	bool once;
	bool has_reports; /* accepts several files, and chooses the view of --steps itself */
	/*
	 * Tells why this output can't be written by this program. NULL: it always can.
	 *
	 * Return: the reason, valid as long as the program runs; NULL: it can be written.
	 */
	const char *(*find_lack)(void);
	/* Writes the model. The buffer keeps errors of the file system; they are not returned. */
	void (*write)(const struct ra_model *model, const struct ra_out_options *options,
	              struct ra_outbuf *out, struct ra_out_report *report);
	/*
	 * Writes into an empty regular file. For outputs whose file is written by another library;
	 * then `write` is NULL.
	 *
	 * Return: 0, or an errno.
	 */
	int (*write_file)(const struct ra_model *model, const struct ra_out_options *options,
	                  const char *path, struct ra_out_report *report);
};

/* Declares all outputs. analyzer/Makefile.inc lists their files. */
#include "analyzer/timeline/pens/outs.inc"
#define DECLARE(out) extern const struct ra_out out;
RA_OUTS(DECLARE)
#undef DECLARE

#endif
