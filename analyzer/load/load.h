/* SPDX-License-Identifier: MIT */
/* The entry point: chooses a reader for a file, and links the model that it makes. */
#ifndef RA_LOAD_H
#define RA_LOAD_H

#include "analyzer/link/link.h"
#include "analyzer/model/input.h"
#include "analyzer/model/model.h"
#include "analyzer/model/slice-sink.h"
#include "format/error.h"

struct ra_load_options {
	/* Called now and then with the number of rows read so far and of rows in the file; NULL:
	 * not called. */
	void (*progress)(void *context, uint64_t rows, uint64_t total_rows);
	void *progress_context;
	struct ra_link_options link;
	bool with_python; /* for a trace in JSON: make ranges of Python functions, too */
	/* For a trace in JSON: the trace that holds the captures of its CUDA graphs (graphs/), or a
	 * folder of such traces; borrowed. For other inputs an error. NULL: with link.with_origin
	 * the trace itself is searched for captures. */
	const char *captures;
	/* For a trace in JSON: keep only the part of the model that the footer reads; slices and
	 * GPU operations are counted and freed. For callers that read only model->kineto, which
	 * exists even if the JSON contains a log. */
	bool rows_only;
	/* For a trace in JSON: skip args that no report reads. For callers that do not write the
	 * events again. */
	bool few_args;
	/* For a trace in JSON: count flow events and metadata instead of keeping a row for each, if
	 * only their counts and names are needed. For callers that do not write the events
	 * again. */
	bool few_rows;
	/* For a trace in JSON: called for each oddity, with the offset of the oddity, or of its
	 * event, in the unpacked text; NULL: not called. */
	void (*finding)(void *context, uint64_t offset, const char *what);
	void *finding_context;
	/* For a log: gets the ranges while the log is read. The model then has totals instead of
	 * ranges, marks, attributes and payloads. If the model has no totals, it is complete and
	 * the sink was dropped, because the input is of another kind or needs more than sums. NULL:
	 * no sink. */
	const struct ra_slice_sink *sink;
	/* With `sink`: a log with fewer events than this is held in memory, and the sink is not
	 * used; 0: no log is */
	uint64_t sink_least;
	/* For a log: the model may have a walk (walk.h) and totals instead of the threads' slices
	 * and marks. It has no walk if some part of it needs all of these at once. */
	bool walks;
	/* With `walks`: a log with fewer events than this is held in memory, which takes less time;
	 * 0: no log is. */
	uint64_t walk_least;
	/* With `walks`: the first walk may be what first reads the threads. Until each track was
	 * walked, one after the other, the model does not know how many ranges and events there
	 * are, which ranges were never closed, and the other facts about threads that `quality`
	 * counts. The walk may turn out to have failed (walk.h). */
	bool once;
	/* For a log without GPU work: the caller wants only the parts of threads that overlap this
	 * time, and ranges with their whole duration; the model may have more. Borrowed. The
	 * quality of the rest is then not known. NULL: all parts. */
	const struct ra_input_window *window;
	/* For a log that has only ranges and marks and whose chunks tell where steps are: the
	 * caller wants only what overlaps the chosen steps. If only that was read, model->part is
	 * set (model-part.h). Borrowed. NULL: all steps. */
	const struct ra_input_steps *steps;
};

/*
 * Reads a log, a trace in JSON (kineto.h; also packed by gzip) or an export of nsys, depending on
 * its first bytes. Then pairs events and repairs inconsistencies (doc/metrics.md, section 2).
 * Damage inside the file is not an error: model->quality counts it and
 * rlog_reader_borrow_damages(model->reader) lists it. A model made from JSON has `kineto` and no
 * `reader`. If the JSON contains a log (json-log.h), the model is made from that log.
 *
 * @options: NULL for the defaults.
 * Return: 0 and *out, which the caller frees with ra_model_destroy(); -RLOG_E_SYSTEM,
 * -RLOG_E_NOT_A_FILE, -RLOG_E_EMPTY, -RLOG_E_NOT_A_LOG, -RLOG_E_VERSION, -RLOG_E_NO_MEMORY, with
 * err->offset where it applies; -RLOG_E_TOO_DENSE unless RLIMIT_DATA is set. Memory: 27 bytes per
 * range, 24 per mark, 24 more per range or mark with attributes, 16 plus the payloads' bytes for
 * each event with payloads, 24 per counter value; no memory for other events.
 */
int ra_load_file(struct ra_model **out, const char *path, const struct ra_load_options *options,
                 struct rlog_error *err);

/* Opens a log for a command that reads only logs. Return: the values of rlog_reader_open(); for a
 * trace in JSON -RLOG_E_NOT_A_LOG with a message that says so. On 0, err->code tells whether
 * something was wrong with the packed data that contained the log. */
int ra_load_log(struct rlog_reader **out, const char *path, struct rlog_error *err);

/*
 * Checks one of several files: a trace in JSON that ends or is damaged before its first event must
 * not count as a rank of 0 ns.
 *
 * Return: 0; -RLOG_E_TRUNCATED if no event could be read.
 */
int ra_load_check_any(const struct ra_model *model, struct rlog_error *err);

/* Does what ra_load_file() does, for bytes in memory, which the caller keeps unchanged as long as
 * the model lives. For tests and fuzzing. */
int ra_load_memory(struct ra_model **out, const void *bytes, size_t size,
                   const struct ra_load_options *options, struct rlog_error *err);

#endif
