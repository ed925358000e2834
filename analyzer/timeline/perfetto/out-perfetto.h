/* SPDX-License-Identifier: MIT */
/* The parts of the drawing among themselves: its state, names, arguments, rows. */
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
	struct ra_outbuf *out; /* where JSON's text around the events goes; NULL: it is no JSON */
	struct ra_jsonw json;
	struct ra_labels labels; /* owned: of ranges and marks … */
	bool has_labels;         /* … unless they are as they are */
	enum ra_pen_table shown; /* of ranges' names */
	struct ra_split split;   /* of the name that was asked for last */
	/* Owned; by name: RA_OUT_PERFETTO_OPERATOR, RA_OUT_PERFETTO_FIELDS. NULL: none has. */
	uint8_t *name_kinds;
	struct ra_out_perfetto_payload *payload; /* owned */
	struct ra_out_perfetto_gpu *gpu;         /* owned; NULL: the model has nothing of one */
	const struct ra_out_place *place;        /* NULL: the file is of this model */
	int64_t zero_ns;                         /* the model's time that is 0 in the file */
	size_t slice_attr; /* cursors: where the next one is likely to be found */
	size_t mark_attr;
	size_t span;
	uint32_t pid;      /* of the current track */
	uint64_t async_id; /* of the last start/end range */
	bool has_log;      /* the file ends with the log */
	uint64_t written;
	uint64_t sampled;  /* counters of GPUs that change too often to be drawn in full */
	uint64_t reversed; /* GPU operations that begin before their launch: clocks disagree */
};

/* The name is PyTorch's for an operator; it holds arguments. */
#define RA_OUT_PERFETTO_OPERATOR 1u
#define RA_OUT_PERFETTO_FIELDS   2u

/*
 * Draws a model, whatever it was read from; the second draws a trace in JSON as it was.
 *
 * @out: of a pen that writes JSON: gets what stands around the events; else NULL.
 */
void ra_out_perfetto_draw(const struct ra_model *model, const struct ra_out_options *options,
                          struct ra_pen *pen, struct ra_outbuf *out, struct ra_out_report *report);
void ra_out_perfetto_draw_any(const struct ra_model *model, const struct ra_out_options *options,
                              struct ra_pen *pen, struct ra_outbuf *out,
                              struct ra_out_report *report);

/* What the names of a model are; and as which a pen gets them. */
void ra_out_perfetto_names_init(struct ra_out_perfetto *perfetto,
                                const struct ra_out_options *options);
void ra_out_perfetto_names_begin(struct ra_out_perfetto *perfetto, struct ra_pen_names *names);
void ra_out_perfetto_names_fini(struct ra_out_perfetto *perfetto);

/* Draws the arguments that a name holds. */
void ra_out_perfetto_fields_put(struct ra_out_perfetto *perfetto, uint32_t name);

static inline bool ra_out_perfetto_is(const struct ra_out_perfetto *perfetto, uint32_t name,
                                      unsigned int kind)
{
	return perfetto->name_kinds != NULL && name < perfetto->model->string_count &&
	       (perfetto->name_kinds[name] & kind) != 0;
}

/* False if a range certainly has no arguments; cheap, for the many that have none. */
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
 * Writes the fields of an owner's payloads as arguments: nested schemas and arrays as such, equal
 * names numbered, what a range's end says in place of what its beginning says under that name.
 */
void ra_out_perfetto_payload_put(struct ra_out_perfetto_payload *payload,
                                 const struct ra_data_list *list, uint32_t owner, uint16_t domain,
                                 const struct ra_attr *attr);

/* Writes the values of all counters. */
void ra_out_perfetto_counters_put(struct ra_out_perfetto *perfetto);

/* Writes how much memory was allocated, as counters. */
void ra_out_perfetto_memory_put(struct ra_out_perfetto *perfetto);

/* Prepares the GPU's part. Return: NULL if the model has none. */
struct ra_out_perfetto_gpu *ra_out_perfetto_gpu_create(struct ra_out_perfetto *perfetto);
void ra_out_perfetto_gpu_destroy(struct ra_out_perfetto_gpu *gpu);

/* Writes an API call and, if it launched something, the tail of its arrows. */
void ra_out_perfetto_gpu_put_call(struct ra_out_perfetto *perfetto,
                                  const struct ra_layout_item *item);

/* Writes all that the GPUs did; all tracks are written. */
void ra_out_perfetto_gpu_put(struct ra_out_perfetto *perfetto);

/* Draws the arguments of an operation. */
void ra_out_perfetto_gpu_args_put(struct ra_out_perfetto *perfetto, const struct ra_gpu_op *op);

/* True of a file that says of which rank it is. */
bool ra_out_perfetto_meta_has_rank(const struct ra_model *model);

/* The CLOCK_REALTIME of time 0. */
int64_t ra_out_perfetto_meta_base(const struct ra_out_perfetto *perfetto);

/* Writes what stands before the events; the names of processes. */
void ra_out_perfetto_meta_begin(struct ra_out_perfetto *perfetto);
void ra_out_perfetto_meta_processes(struct ra_out_perfetto *perfetto);

/* Writes name and place of a process, of a row. */
void ra_out_perfetto_meta_process(struct ra_out_perfetto *perfetto, uint32_t pid,
                                  struct rlog_string name, const char *label, int64_t sort_index);
void ra_out_perfetto_meta_row(struct ra_out_perfetto *perfetto, uint32_t pid, uint32_t tid,
                              struct rlog_string name, int64_t sort_index);

/* Two numbers, a name of 256 bytes, brackets. */
#define RA_OUT_PERFETTO_THREAD_BYTES 320

/* "thread 4242 (worker)", or what is known of it. @size: RA_OUT_PERFETTO_THREAD_BYTES at least.
 * Return: bytes. */
size_t ra_out_perfetto_meta_format_thread(const struct ra_out_perfetto *perfetto,
                                          const struct ra_track *track, char *name, size_t size);

/* Writes name and place of a track's row. */
void ra_out_perfetto_meta_track(struct ra_out_perfetto *perfetto, uint32_t track);

/* Writes name and place of the rows that a track's crossing ranges were given. */
void ra_out_perfetto_meta_lanes(struct ra_out_perfetto *perfetto, uint32_t track);

/* Writes what stands behind the events. */
void ra_out_perfetto_meta_end(struct ra_out_perfetto *perfetto, const char *output_name);

#endif
