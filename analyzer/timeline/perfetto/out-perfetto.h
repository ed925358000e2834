/* SPDX-License-Identifier: MIT */
/* Declarations for the files of the drawing: state, names, arguments, rows. */
#ifndef RA_OUT_PERFETTO_H
#define RA_OUT_PERFETTO_H

#include "analyzer/io/jsonw.h"
#include "analyzer/names/split.h"
#include "analyzer/timeline/layout/layout.h"
#include "analyzer/timeline/pens/out.h"
#include "analyzer/timeline/pens/pen.h"

struct ra_out_perfetto_payload;
struct ra_out_perfetto_gpu;

struct ra_out_perfetto {
	const struct ra_model *model;
	struct ra_layout *layout; /* owned */
	struct ra_pen *pen;       /* borrowed */
	struct ra_outbuf *out; /* for JSON's text around the events; NULL: the output is not JSON */
	struct ra_jsonw json;
	struct ra_labels labels; /* owned: names of ranges and marks … */
	bool has_labels;         /* … used unless names are unchanged */
	enum ra_pen_table shown; /* the table of names shown for ranges */
	struct ra_split split;   /* of the last name looked up */
	/* owned; by name: flags RA_OUT_PERFETTO_OPERATOR and RA_OUT_PERFETTO_FIELDS. NULL: no name
	 * has a flag. */
	uint8_t *name_kinds;
	struct ra_out_perfetto_payload *payload; /* owned */
	struct ra_out_perfetto_gpu *gpu;         /* owned; NULL: the model has no GPU activity */
	const struct ra_out_place *place;        /* NULL: the file has only this model */
	int64_t zero_ns;                         /* this time of the model is time 0 in the file */
	size_t slice_attr; /* index at which the next slice's attributes probably are */
	size_t mark_attr;
	size_t span;
	uint32_t pid;      /* pid of the current track */
	uint64_t async_id; /* id of the last start/end range */
	bool has_log;      /* the file ends with the embedded log */
	uint64_t written;
	/* number of counters of GPUs that change too often to be drawn completely */
	uint64_t sampled;
	uint64_t reversed; /* number of GPU operations that begin before their launch, which shows
	                      that clocks disagree */
};

/* OPERATOR: PyTorch made the name for an operator, and it contains arguments. FIELDS: the name has
 * fields. */
#define RA_OUT_PERFETTO_OPERATOR 1u
#define RA_OUT_PERFETTO_FIELDS   2u

/*
 * Draws a model, whatever its input was. The second function: if the input was a trace in JSON,
 * redraws that trace instead.
 *
 * @out: for a pen that writes JSON: gets the text around the events; otherwise NULL.
 */
void ra_out_perfetto_draw(const struct ra_model *model, const struct ra_out_options *options,
                          struct ra_pen *pen, struct ra_outbuf *out, struct ra_out_report *report);
void ra_out_perfetto_draw_any(const struct ra_model *model, const struct ra_out_options *options,
                              struct ra_pen *pen, struct ra_outbuf *out,
                              struct ra_out_report *report);

/* Finds the kinds of a model's names, and the form in which the pen gets them. */
void ra_out_perfetto_names_init(struct ra_out_perfetto *perfetto,
                                const struct ra_out_options *options);
void ra_out_perfetto_names_begin(struct ra_out_perfetto *perfetto, struct ra_pen_names *names);
void ra_out_perfetto_names_fini(struct ra_out_perfetto *perfetto);

/* Draws the arguments that a name contains. */
void ra_out_perfetto_fields_put(struct ra_out_perfetto *perfetto, uint32_t name);

static inline bool ra_out_perfetto_is(const struct ra_out_perfetto *perfetto, uint32_t name,
                                      unsigned int kind)
{
	return perfetto->name_kinds != NULL && name < perfetto->model->string_count &&
	       (perfetto->name_kinds[name] & kind) != 0;
}

/* False if a range certainly has no arguments. The test is quick, because many ranges have none. */
static inline bool ra_out_perfetto_has_args(const struct ra_out_perfetto *perfetto, uint32_t slice)
{
	const struct ra_model *model = perfetto->model;
	const size_t next = perfetto->slice_attr;

	return model->slices.domain[slice] != 0 || model->slices.flags[slice] != 0 ||
	       ra_out_perfetto_is(perfetto, model->slices.name[slice], RA_OUT_PERFETTO_FIELDS) ||
	       model->slice_data.count > 0 ||
	       (next < model->slice_attr_count && model->slice_attrs[next].owner <= slice) ||
	       (next > 0 && model->slice_attrs[next - 1].owner >= slice);
}

/* Draws the arguments of a range, a start/end range or a mark. */
void ra_out_perfetto_args_slice(struct ra_out_perfetto *perfetto, uint32_t slice);
void ra_out_perfetto_args_span(struct ra_out_perfetto *perfetto, uint32_t slice,
                               const struct ra_span *span);
void ra_out_perfetto_args_mark(struct ra_out_perfetto *perfetto, uint32_t mark);

struct ra_out_perfetto_payload *ra_out_perfetto_payload_create(struct ra_out_perfetto *perfetto);
void ra_out_perfetto_payload_destroy(struct ra_out_perfetto_payload *payload);

/*
 * Draws the fields of an owner's payloads as arguments. Nested schemas and arrays stay nested.
 * Fields with equal names get numbers. A field that came with a range's end replaces the field with
 * that name that came with the range's start.
 */
void ra_out_perfetto_payload_put(struct ra_out_perfetto_payload *payload,
                                 const struct ra_data_list *list, uint32_t owner, uint16_t domain,
                                 const struct ra_attr *attr);

/* Draws the values of all counters. */
void ra_out_perfetto_counters_put(struct ra_out_perfetto *perfetto);

/* Draws how much memory was allocated, as counters. */
void ra_out_perfetto_memory_put(struct ra_out_perfetto *perfetto);

/* Prepares to draw the GPUs. Return: NULL: the model has no GPU activity. */
struct ra_out_perfetto_gpu *ra_out_perfetto_gpu_create(struct ra_out_perfetto *perfetto);
void ra_out_perfetto_gpu_destroy(struct ra_out_perfetto_gpu *gpu);

/* Draws an API call. If it launched something, also draws the start of its arrows. */
void ra_out_perfetto_gpu_put_call(struct ra_out_perfetto *perfetto,
                                  const struct ra_layout_item *item);

/* Draws all GPU activity. Call it after all tracks. */
void ra_out_perfetto_gpu_put(struct ra_out_perfetto *perfetto);

/* Draws the arguments of an operation. */
void ra_out_perfetto_gpu_args_put(struct ra_out_perfetto *perfetto, const struct ra_gpu_op *op);

/* True if the file names its rank. */
bool ra_out_perfetto_meta_has_rank(const struct ra_model *model);

/* The CLOCK_REALTIME of time 0 in the file. */
int64_t ra_out_perfetto_meta_base(const struct ra_out_perfetto *perfetto);

/* Writes the text before the events, and the names of processes. */
void ra_out_perfetto_meta_begin(struct ra_out_perfetto *perfetto);
void ra_out_perfetto_meta_processes(struct ra_out_perfetto *perfetto);

/* Draws the name and the position of a process. The next function does so for a row. */
void ra_out_perfetto_meta_process(struct ra_out_perfetto *perfetto, uint32_t pid,
                                  struct rlog_string name, const char *label, int64_t sort_index);
void ra_out_perfetto_meta_row(struct ra_out_perfetto *perfetto, uint32_t pid, uint32_t tid,
                              struct rlog_string name, int64_t sort_index);

/* Bytes for two numbers, a name of 256 bytes, and parentheses. */
#define RA_OUT_PERFETTO_THREAD_BYTES 320

/* Formats "thread 4242 (worker)", or the part of it that is known. @size: at least
 * RA_OUT_PERFETTO_THREAD_BYTES.
 * Return: the length in bytes. */
size_t ra_out_perfetto_meta_format_thread(const struct ra_out_perfetto *perfetto,
                                          const struct ra_track *track, char *name, size_t size);

/* Draws the name and the position of a track's row. */
void ra_out_perfetto_meta_track(struct ra_out_perfetto *perfetto, uint32_t track);

/* Draws the names and the positions of the rows for a track's crossing ranges. */
void ra_out_perfetto_meta_lanes(struct ra_out_perfetto *perfetto, uint32_t track);

/* Writes the text after the events. */
void ra_out_perfetto_meta_end(struct ra_out_perfetto *perfetto, const char *output_name);

#endif
