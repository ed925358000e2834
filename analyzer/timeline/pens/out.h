/* SPDX-License-Identifier: MIT */
/* What an output is: a way to write a whole model into a file. */
#ifndef RA_OUT_H
#define RA_OUT_H

#include "analyzer/names/labels.h"
#include "analyzer/model/model.h"
#include "analyzer/io/outbuf.h"
#include "analyzer/steps/select.h"

/* One of several models in one file: ra_out_ranks_write() has written what stands around them. */
struct ra_out_place {
	int64_t zero_ns;    /* the model's time that is 0 in the file */
	uint32_t first_pid; /* numbers of processes and devices */
	uint64_t first_id;  /* of arrows */
	int64_t rank;       /* is said of devices, too; -1: none */
};

struct ra_out_options {
	const char *output_name;        /* last part of the file's name as the user gave it, "-" for
	                                   standard output */
	struct ra_labels_options names; /* of ranges and marks */
	bool has_plain_operators;       /* those of emit_nvtx() are named as PyTorch names them;
	                                   names.is_raw */
	bool without_log;               /* JSON does not carry the log it is made of */
	/* For outputs that have reports: */
	const char *input_name;         /* as the user gave it */
	const char *step_range;         /* --step-range, or NULL */
	const char *steps;              /* --steps, or NULL: … */
	const struct ra_select *select; /* … the views; the output is then given the whole model */
	/* Of several files, by rank: the output is given the first, too. NULL: there is one. */
	struct ra_model *const *models;
	const int64_t *ranks;
	char *const *paths;
	size_t model_count;
	/* NULL: the file is of this model alone. */
	const struct ra_out_place *place;
};

/* What a writer has to tell the user. */
struct ra_out_report {
	uint64_t written;  /* ranges and marks */
	uint64_t left_out; /* ranges and marks that the format cannot show … */
	char why[280];     /* … and why not; "" if there are none */
};

/* One const entry per output, in a file of its own (out-NAME.c), listed in
 * commands/shared/out-list.c. */
struct ra_out {
	const char *name;
	const char *summary;
	const char *suffix; /* of file names, ".gz" apart */
	const char *opens;  /* what people are told */
	bool has_figures;   /* names are normal unless the user says otherwise, as in reports */
	bool walks;         /* it looks at slices and marks of threads by walks (walk.h) only */
	bool has_reports;   /* it can take several files, and chooses the view of --steps itself */
	/* Return: why it can't be written here, for as long as the program runs; NULL: it can. NULL
	 * itself: it always can. */
	const char *(*find_lack)(void);
	/* Writes the model. What the file system refuses is kept in the buffer, not returned. */
	void (*write)(const struct ra_model *model, const struct ra_out_options *options,
	              struct ra_outbuf *out, struct ra_out_report *report);
	/*
	 * The same where something else does the writing: into an empty regular file. Then `write`
	 * is NULL.
	 *
	 * Return: 0, or an errno.
	 */
	int (*write_file)(const struct ra_model *model, const struct ra_out_options *options,
	                  const char *path, struct ra_out_report *report);
};

extern const struct ra_out out_perfetto;
extern const struct ra_out out_sqlite;
extern const struct ra_out out_folded;
extern const struct ra_out out_folded_gpu;
extern const struct ra_out out_speedscope;
extern const struct ra_out out_page;
extern const struct ra_out out_pftrace;
extern const struct ra_out out_events;
extern const struct ra_out out_events_csv;

#endif
