/* SPDX-License-Identifier: MIT */
/* The door: a file to its reader, then its model to link. */
#ifndef RA_LOAD_H
#define RA_LOAD_H

#include "analyzer/link/link.h"
#include "analyzer/model/model.h"
#include "analyzer/model/slice-sink.h"
#include "format/error.h"

struct ra_load_options {
	/* Called now and then with the rows read so far and the rows the file holds; NULL: not
	 * called. */
	void (*progress)(void *context, uint64_t rows, uint64_t total_rows);
	void *progress_context;
	struct ra_link_options link;
	bool with_python; /* of a trace in JSON: Python functions are ranges too */
	/* Of a trace in JSON: the trace that holds the captures of its CUDA graphs (graphs/), or a
	 * folder of such; borrowed. Of others an error. NULL, but link.with_origin: it is looked
	 * for captures itself. */
	const char *captures;
	/* Of a trace in JSON: of the model only what the footer reads; its slices and GPU work are
	 * counted and then given back. For those that read model->kineto, which is there even if
	 * the log is within the JSON. */
	bool rows_only;
	/* Of a trace in JSON: args that no report asks for are passed over, for those who write no
	 * event again. */
	bool few_args;
	/* The same for events: those of which only numbers and names are told, arrows and metadata,
	 * are counted, and then have no row. */
	bool few_rows;
	/* Of a trace in JSON: called for each oddity with its offset in the unpacked text, or that
	 * of its event; NULL: not called. */
	void (*finding)(void *context, uint64_t offset, const char *what);
	void *finding_context;
	/* Of a log: takes the ranges, which the model then does not hold, nor marks, attributes and
	 * payloads; it has totals in their place. A model without totals holds all, because the
	 * input is of another kind or has what sums alone do not tell; the sink was dropped. NULL:
	 * none. */
	const struct ra_slice_sink *sink;
	/* Of a log: the model may have a walk (walk.h) and totals in place of the slices and marks
	 * of threads. It has none where some need to be together. */
	bool walks;
	/* Of a log without GPU work: of threads only what overlaps this time is wanted, with its
	 * whole duration; more may be there. Borrowed. What the model says of the quality of the
	 * rest is then not known. NULL: all. */
	const struct ra_input_window *window;
};

/*
 * Reads a log, a trace in JSON (kineto.h; also packed by gzip) or an export of nsys, as its first
 * bytes tell; then pairs its events and repairs what does not fit (doc/metrics.md, section 2).
 * Damage inside the file is no error: model->quality counts it and
 * rlog_reader_borrow_damages(model->reader) lists it. A model of JSON has kineto and no reader,
 * unless the log is within the JSON (json-log.h): then it is the log's.
 *
 * @options: NULL for the defaults.
 * Return: 0 and *out to be given to ra_model_destroy(); -RLOG_E_SYSTEM, -RLOG_E_NOT_A_FILE,
 * -RLOG_E_EMPTY, -RLOG_E_NOT_A_LOG, -RLOG_E_VERSION, -RLOG_E_NO_MEMORY, with err->offset where it
 * applies; -RLOG_E_TOO_DENSE unless RLIMIT_DATA is set. Memory: 27 bytes per range, 24 per mark, 24
 * more per range or mark with attributes, 16 and their bytes for each event with payloads, 24 per
 * value of a counter; nothing per event else.
 */
int ra_load_file(struct ra_model **out, const char *path, const struct ra_load_options *options,
                 struct rlog_error *err);

/* Opens a log for a command that reads logs only. Return: as rlog_reader_open(); of a trace in JSON
 * -RLOG_E_NOT_A_LOG with a message that says so. If it is 0, err->code tells whether something was
 * wrong with the packed data that the log came in. */
int ra_load_log(struct rlog_reader **out, const char *path, struct rlog_error *err);

/*
 * Of a file that is one of several: a trace in JSON that ends, or is damaged, before its first
 * event is no rank of 0 ns.
 *
 * Return: 0; -RLOG_E_TRUNCATED if no event could be read.
 */
int ra_load_check_any(const struct ra_model *model, struct rlog_error *err);

/* ra_load_file() over memory that the caller keeps alive and unchanged as long as the model (tests,
 * fuzzing). */
int ra_load_memory(struct ra_model **out, const void *bytes, size_t size,
                   const struct ra_load_options *options, struct rlog_error *err);

#endif
