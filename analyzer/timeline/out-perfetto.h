/* SPDX-License-Identifier: MIT */
/* The parts of the Perfetto output among themselves: its state, cached names, arguments, rows. */
#ifndef RA_OUT_PERFETTO_H
#define RA_OUT_PERFETTO_H

#include "analyzer/io/jsonw.h"
#include "analyzer/timeline/layout.h"
#include "analyzer/timeline/out.h"

/* The names of the model, escaped once: a name that a million ranges bear is copied a million
 * times. */
struct ra_out_perfetto_names {
	char *bytes;  /* owned */
	size_t *ends; /* owned; name i is bytes[ends[i] … ends[i + 1]) */
	size_t count;
};

struct ra_out_perfetto_text {
	const char *bytes; /* borrowed */
	size_t length;
};

struct ra_out_perfetto_payload;
struct ra_out_perfetto_gpu;

struct ra_out_perfetto {
	const struct ra_model *model;
	struct ra_layout *layout; /* owned */
	struct ra_outbuf *out;
	struct ra_jsonw json;
	struct ra_out_perfetto_names names;  /* owned: all strings, as they are */
	struct ra_out_perfetto_names labels; /* owned: of ranges and marks; empty if as they are */
	const struct ra_out_perfetto_names *shown; /* one of these two */
	struct ra_out_perfetto_names
		fields; /* owned: arguments that names hold; empty: none does */
	/* Owned; by name, of PyTorch's operators: bytes of the escaped name without what
	 * emit_nvtx() adds for each call. 0: is none. NULL: there are none. */
	uint32_t *operators;
	struct ra_out_perfetto_payload *payload; /* owned */
	struct ra_out_perfetto_gpu *gpu;         /* owned; NULL: the model has nothing of one */
	const struct ra_out_place *place;        /* NULL: the file is of this model */
	int64_t zero_ns;                         /* the model's time that is 0 in the file */
	size_t slice_attr; /* cursors: where the next one is likely to be found */
	size_t mark_attr;
	size_t span;
	uint32_t pid;     /* of the current track */
	uint32_t row_tid; /* which `row` is for */
	char row[64];     /* text between name and time: ","pid":1,"tid":2,"ts": */
	size_t row_length;
	uint64_t async_id;        /* of the last start/end range */
	bool has_plain_operators; /* they are shown without what is in their arguments */
	bool has_log;             /* the file ends with the log */
	uint64_t written;
	uint64_t sampled;  /* counters of GPUs that change too often to be drawn in full */
	uint64_t reversed; /* GPU operations that begin before their launch: clocks disagree */
};

struct ra_gpu_text;

/* Draws the model, whatever it was read from. As write() of struct ra_out. */
void ra_out_perfetto_draw(const struct ra_model *model, const struct ra_out_options *options,
                          struct ra_outbuf *out, struct ra_out_report *report);

/* @labels: NULL: the names as they are. */
void ra_out_perfetto_names_init(struct ra_out_perfetto_names *names, const struct ra_model *model,
                                struct ra_labels *labels);
/* The names of kernels instead; the others are empty. */
void ra_out_perfetto_names_init_kernels(struct ra_out_perfetto_names *names,
                                        const struct ra_model *model,
                                        const struct ra_gpu_text *kernels);
void ra_out_perfetto_names_fini(struct ra_out_perfetto_names *names);

/* The arguments that each name holds, as JSON: keys and values without the braces around them.
 * @operators: gets the field of struct ra_out_perfetto, which the caller frees. */
void ra_out_perfetto_fields_init(struct ra_out_perfetto_names *fields, uint32_t **operators,
                                 const struct ra_model *model);

/* The escaped name of a string id; ids the model does not know are escaped on the spot into the
 * buffer. */
static inline struct ra_out_perfetto_text ra_out_perfetto_name(
	const struct ra_out_perfetto_names *names, uint32_t id)
{
	const size_t i = id < names->count ? id : names->count;

	return (struct ra_out_perfetto_text){ names->bytes + names->ends[i],
		                              names->ends[i + 1] - names->ends[i] };
}

/* Of the name of an operator: its bytes without what emit_nvtx() adds; 0: is none. */
static inline uint32_t ra_out_perfetto_operator(const struct ra_out_perfetto *perfetto, uint32_t id)
{
	return perfetto->operators != NULL && id < perfetto->model->string_count
	               ? perfetto->operators[id]
	               : 0;
}

/* What a range is shown as. A name that --rename has changed is shown whole. */
static inline struct ra_out_perfetto_text ra_out_perfetto_range_name(
	const struct ra_out_perfetto *perfetto, uint32_t id)
{
	struct ra_out_perfetto_text name = ra_out_perfetto_name(perfetto->shown, id);
	const uint32_t length = ra_out_perfetto_operator(perfetto, id);

	if (length != 0 && perfetto->has_plain_operators && perfetto->shown == &perfetto->names) {
		name.length = length;
	}
	return name;
}

/* True if the name of this id holds arguments. */
static inline bool ra_out_perfetto_has_fields(const struct ra_out_perfetto *perfetto, uint32_t id)
{
	const struct ra_out_perfetto_names *fields = &perfetto->fields;

	return fields->count > 0 && id < fields->count && fields->ends[id] < fields->ends[id + 1];
}

/* False if a range certainly has no arguments; cheap, for the many that have none. */
static inline bool ra_out_perfetto_has_args(const struct ra_out_perfetto *perfetto, uint32_t slice)
{
	const struct ra_model *model = perfetto->model;
	const size_t next = perfetto->slice_attr;

	return model->slices.domain[slice] != 0 || model->slices.flags[slice] != 0 ||
	       ra_out_perfetto_has_fields(perfetto, model->slices.name[slice]) ||
	       model->slice_data.count > 0 ||
	       (next < model->slice_attr_count && model->slice_attrs[next].owner <= slice) ||
	       (next > 0 && model->slice_attrs[next - 1].owner >= slice);
}

/* Writes ,"args":{…} of a range, a start/end range or a mark; nothing if it has none. */
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
                                 const struct ra_attr *attr, bool *is_open);

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

/* Writes the arguments of an operation, with their braces. */
void ra_out_perfetto_gpu_args_put(struct ra_out_perfetto *perfetto, struct ra_out_perfetto_gpu *gpu,
                                  const struct ra_gpu_op *op);

/* True of a file that says of which rank it is. */
bool ra_out_perfetto_meta_has_rank(const struct ra_model *model);

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
