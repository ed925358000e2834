/* SPDX-License-Identifier: MIT */
/*
 * Writes events for other programs: one line for each range, mark, call, operation and sample, as a
 * JSON object or a CSV row. All lines have the same members; a member that an event does not have
 * is null or empty. So a reader that looks only at the first lines knows all columns.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/text/util-text.h"
#include "analyzer/base/util.h"
#include "analyzer/figures/gpu/gpu-text.h"
#include "analyzer/io/jsonw.h"
#include "analyzer/model/walk.h"
#include "analyzer/report/report.h"
#include "analyzer/timeline/pens/out.h"

#define INCOMPLETE (RA_SLICE_OPEN | RA_SLICE_LOST_START | RA_SLICE_LOST_END)

/* Columns, in order. */
enum {
	KIND,
	NAME,
	DOMAIN,
	CATEGORY,
	RANGE,
	RANK,
	PID,
	TID,
	THREAD,
	DEVICE,
	STREAM,
	DEPTH,
	START,
	DUR,
	UNIX,
	BYTES,
	CORRELATION,
	COUNT,
	VALUE,
	COMPLETE,
	COLUMNS
};

/* Room for the text before a value in JSON: a comma or the object's opening brace, then the key and
 * a colon. */
#define KEY_BYTES 16u

/* Room for a key and a value that is not text. */
#define CELL_BYTES 64u

#define COLUMN(before, name)                                                     \
	{                                                                        \
		name, before "\"" name "\":", sizeof(before "\"" name "\":") - 1 \
	}

static const struct column {
	const char *name;    /* key in the header of CSV */
	char key[KEY_BYTES]; /* the whole array is copied, which is faster than copying key_bytes */
	size_t key_bytes;
} columns[COLUMNS] = {
	[KIND] = COLUMN("{", "kind"),
	[NAME] = COLUMN(",", "name"),
	[DOMAIN] = COLUMN(",", "domain"),
	[CATEGORY] = COLUMN(",", "category"),
	[RANGE] = COLUMN(",", "range"),
	[RANK] = COLUMN(",", "rank"),
	[PID] = COLUMN(",", "pid"),
	[TID] = COLUMN(",", "tid"),
	[THREAD] = COLUMN(",", "thread"),
	[DEVICE] = COLUMN(",", "device"),
	[STREAM] = COLUMN(",", "stream"),
	[DEPTH] = COLUMN(",", "depth"),
	[START] = COLUMN(",", "start_ns"),
	[DUR] = COLUMN(",", "dur_ns"),
	[UNIX] = COLUMN(",", "unix_ns"),
	[BYTES] = COLUMN(",", "bytes"),
	[CORRELATION] = COLUMN(",", "correlation"),
	[COUNT] = COLUMN(",", "count"),
	[VALUE] = COLUMN(",", "value"),
	[COMPLETE] = COLUMN(",", "complete"),
};

struct cell {
	enum {
		NONE,
		NUMBER,
		TEXT,
		REAL,
		FLAG
	} type;
	int64_t number;
	double real;
	struct rlog_string text;
};

struct writer {
	const struct ra_model *model; /* the model, or the part of it that is being written */
	struct ra_outbuf *out;
	struct ra_util_text text; /* owned: scratch for text in CSV's form */
	struct ra_labels labels;
	struct ra_gpu_text gpu;
	struct cell cells[COLUMNS];
	uint32_t *depths; /* owned: depths of slices */
	size_t depth_capacity;
	uint32_t track; /* the current track */
	size_t attr;    /* cursor in the attributes of slices, then of marks */
	bool is_csv;
	uint64_t written;
	uint64_t left_out;
};

static void set_number(struct writer *w, int column, int64_t number)
{
	w->cells[column] = (struct cell){ .type = NUMBER, .number = number };
}

static void set_text(struct writer *w, int column, struct rlog_string text)
{
	w->cells[column] = (struct cell){ .type = TEXT, .text = text };
}

static void set_word(struct writer *w, int column, const char *word)
{
	set_text(w, column, ra_util_string(word));
}

/* Sets a string by id; 0: none. */
static void set_string(struct writer *w, int column, uint32_t id)
{
	if (id != 0) {
		set_text(w, column, ra_model_string(w->model, id));
	}
}

/* Sets the name of a range or mark, in the form of --names. */
static void set_label(struct writer *w, int column, uint32_t name)
{
	set_text(w, column, ra_labels_name(&w->labels, ra_labels_find(&w->labels, name)));
}

static void begin(struct writer *w, const char *kind, int64_t start_ns)
{
	memset(w->cells, 0, sizeof(w->cells));
	set_word(w, KIND, kind);
	set_number(w, START, start_ns);
	if (w->model->zero_real_ns != 0) {
		int64_t unix_ns;

		/* a hostile log may have any time */
		if (!__builtin_add_overflow(w->model->zero_real_ns, start_ns, &unix_ns)) {
			set_number(w, UNIX, unix_ns);
		}
	}
}

static void set_process(struct writer *w, uint32_t index)
{
	if (index < w->model->process_count) {
		const struct ra_process *process = &w->model->processes[index];

		set_number(w, PID, process->pid);
		if (process->rank >= 0) {
			set_number(w, RANK, process->rank);
		}
	}
}

static void set_track(struct writer *w, uint32_t index)
{
	const struct ra_track *track;

	if (index >= w->model->track_count) {
		set_process(w, 0);
		return;
	}
	track = &w->model->tracks[index];
	set_process(w, track->process);
	if (track->kind == RA_TRACK_THREAD) {
		set_number(w, TID, track->tid);
		set_string(w, THREAD, track->name);
	}
}

/* Writes the text before a value. Return: the place after it, with room for a value. */
static char *begin_cell(const struct writer *w, size_t column)
{
	char *place = ra_outbuf_reserve(w->out, CELL_BYTES);

	if (w->is_csv) {
		*place = ',';
		return place + (column > 0);
	}
	memcpy(place, columns[column].key, KEY_BYTES);
	return place + columns[column].key_bytes;
}

static char *copy_word(char *place, const char *word)
{
	return ra_outbuf_copy(place, word, strlen(word));
}

/* Writes the value of a cell that is not text. */
static char *put_value(const struct writer *w, const struct cell *cell, char *place)
{
	switch (cell->type) {
	case NUMBER:
		return ra_outbuf_signed(place, cell->number);
	case FLAG:
		return copy_word(place, cell->number != 0 ? "true" : "false");
	case REAL:
		if (isfinite(cell->real)) {
			return place + snprintf(place, CELL_BYTES - KEY_BYTES, "%.17g", cell->real);
		}
		break; /* JSON has no infinity */
	case NONE:
	case TEXT:
		break;
	}
	return w->is_csv ? place : ra_outbuf_copy(place, "null", 4);
}

static void put_text(struct writer *w, struct rlog_string text)
{
	if (w->is_csv) {
		ra_util_text_clear(&w->text);
		ra_util_text_put_name(&w->text, text, RA_TEXT_CSV);
		ra_outbuf_put(w->out, w->text.bytes, w->text.length);
		return;
	}
	ra_outbuf_put(w->out, "\"", 1);
	ra_jsonw_put_escaped(w->out, text.bytes, text.length);
	ra_outbuf_put(w->out, "\"", 1);
}

static void put_line(struct writer *w)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		const struct cell *cell = &w->cells[i];
		char *place = begin_cell(w, i);

		if (cell->type == TEXT) {
			ra_outbuf_commit(w->out, place);
			put_text(w, cell->text);
		} else {
			ra_outbuf_commit(w->out, put_value(w, cell, place));
		}
	}
	ra_outbuf_text(w->out, w->is_csv ? "\n" : "}\n");
	w->written++;
}

/* Sets the category of an owner. Call it for owners in order, because the cursor only moves
 * forward. */
static void set_category(struct writer *w, const struct ra_attr *attrs, size_t count, size_t owner,
                         uint16_t domain)
{
	while (w->attr < count && attrs[w->attr].owner < owner) {
		w->attr++;
	}
	if (w->attr < count && attrs[w->attr].owner == owner && attrs[w->attr].category != 0) {
		const uint32_t category = attrs[w->attr].category;
		const uint32_t name = ra_model_find_category(w->model, domain, category);

		if (name != 0) {
			set_string(w, CATEGORY, name);
		}
	}
}

static void put_slice(struct writer *w, uint32_t track, size_t i)
{
	const struct ra_model *m = w->model;
	const struct ra_slices *s = &m->slices;
	const uint32_t parent = s->parent[i];
	const bool is_span = m->tracks[track].kind == RA_TRACK_START_END;

	begin(w,
	      (s->flags[i] & RA_SLICE_WAIT) != 0 ? "wait"
	      : is_span                          ? "span"
	                                         : "range",
	      s->start_ns[i]);
	set_label(w, NAME, s->name[i]);
	set_text(w, DOMAIN, ra_report_name_domain(m, s->domain[i]));
	set_category(w, m->slice_attrs, m->slice_attr_count, i, s->domain[i]);
	set_track(w, track);
	if (parent != RA_NONE) {
		set_label(w, RANGE, s->name[parent]);
	}
	if (!is_span) {
		set_number(w, DEPTH, w->depths[i]);
	}
	set_number(w, DUR, s->dur_ns[i]);
	w->cells[COMPLETE] =
		(struct cell){ .type = FLAG, .number = (s->flags[i] & INCOMPLETE) == 0 };
	put_line(w);
}

/* Finds the depths of slices. In a part, earlier slices are still open, so they are included. */
static void find_depths(struct writer *w, size_t from, size_t end)
{
	ra_util_grow(&w->depths, &w->depth_capacity, end, sizeof(*w->depths));
	for (size_t i = from; i < end; i++) {
		const uint32_t parent = w->model->slices.parent[i];

		w->depths[i] = parent == RA_NONE ? 0 : w->depths[parent] + 1;
	}
}

static void put_slices_of(void *context, const struct ra_model *part, int64_t until_ns)
{
	struct writer *w = context;
	const struct ra_model *whole = w->model;
	const struct ra_track *track = &part->tracks[w->track];
	const size_t end = track->first_slice + track->slice_count;

	(void) until_ns;
	if (whole->walk != NULL) { /* because each part of a walk has slice indices of its own */
		w->attr = 0;
	}
	w->model = part;
	find_depths(w, whole->walk == NULL ? track->first_slice : 0, end);
	for (size_t i = track->first_slice; i < end; i++) {
		put_slice(w, w->track, i);
	}
	w->model = whole;
}

static void put_slices(struct writer *w)
{
	w->attr = 0;
	for (w->track = 0; w->track < w->model->track_count; w->track++) {
		ra_walk_over(w->model, w->track, put_slices_of, w);
	}
}

static void put_marks_of(void *context, const struct ra_model *part, int64_t until_ns)
{
	struct writer *w = context;
	const struct ra_model *whole = w->model;

	(void) until_ns;
	w->model = part;
	w->attr = 0;
	for (size_t i = 0; i < part->mark_count; i++) {
		const struct ra_mark *mark = &part->marks[i];

		begin(w, "mark", mark->time_ns);
		set_label(w, NAME, mark->name);
		set_text(w, DOMAIN, ra_report_name_domain(part, mark->domain));
		set_category(w, part->mark_attrs, part->mark_attr_count, i, mark->domain);
		set_track(w, mark->track);
		put_line(w);
	}
	w->model = whole;
}

static void put_marks(struct writer *w)
{
	if (ra_walk_count_marks(w->model) == 0) {
		return;
	}
	if (w->model->walk ==
	    NULL) { /* if there is no walk, the slices of all tracks are in one array */
		put_marks_of(w, w->model, INT64_MAX);
		return;
	}
	for (uint32_t t = 0; t < w->model->track_count; t++) {
		if (w->model->tracks[t].mark_count > 0) {
			ra_walk_over(w->model, t, put_marks_of, w);
		}
	}
}

static void set_range(struct writer *w, uint32_t slice)
{
	if (slice != RA_NONE) {
		set_label(w, RANGE, w->model->slices.name[slice]);
	}
}

static void set_correlation(struct writer *w, uint32_t corr)
{
	if (corr != 0) {
		set_number(w, CORRELATION, corr);
	}
}

static void put_calls(struct writer *w)
{
	for (size_t i = 0; i < w->model->gpu.api_count; i++) {
		const struct ra_gpu_api *api = &w->model->gpu.apis[i];

		begin(w, "call", api->start_ns);
		set_text(w, NAME, ra_model_string(w->model, api->name));
		set_track(w, api->track);
		set_range(w, api->slice);
		set_number(w, DUR, api->dur_ns);
		set_correlation(w, api->corr);
		put_line(w);
	}
}

static void put_ops(struct writer *w)
{
	const struct ra_gpu *gpu = &w->model->gpu;

	for (size_t i = 0; i < gpu->op_count; i++) {
		const struct ra_gpu_op *op = &gpu->ops[i];
		const struct ra_gpu_queue *queue = &gpu->queues[op->queue];
		char scratch[RA_GPU_TEXT_BYTES];

		begin(w, ra_gpu_kind_name((enum ra_gpu_kind) op->kind), op->start_ns);
		set_text(w, NAME, ra_gpu_text_op(&w->gpu, op, scratch));
		set_process(w, queue->process);
		set_number(w, DEVICE, queue->device);
		set_number(w, STREAM, queue->stream);
		set_range(w, op->slice);
		set_number(w, DUR, op->dur_ns);
		set_correlation(w, op->corr);
		if (op->kind == RA_GPU_COPY || op->kind == RA_GPU_SET) {
			set_number(w, BYTES,
			           op->bytes > INT64_MAX ? INT64_MAX : (int64_t) op->bytes);
		}
		put_line(w);
	}
}

/* Writes the samples that are numbers. A sample that is a structure would have no column. */
static void put_samples(struct writer *w)
{
	const struct ra_model *m = w->model;

	for (size_t i = 0; i < m->sample_count; i++) {
		const struct ra_sample *sample = &m->samples[i];
		const struct ra_counter *counter = &m->counters[sample->counter];

		if (sample->kind != RA_SAMPLE_INTEGER && sample->kind != RA_SAMPLE_REAL) {
			w->left_out += sample->kind == RA_SAMPLE_DATA;
			continue;
		}
		begin(w, "sample", sample->time_ns);
		set_text(w, NAME, ra_model_string(m, counter->name));
		set_text(w, DOMAIN, ra_report_name_domain(m, counter->domain));
		set_process(w, 0);
		if (sample->kind == RA_SAMPLE_INTEGER) {
			set_number(w, VALUE, (int64_t) sample->bits);
		} else {
			w->cells[VALUE].type = REAL;
			memcpy(&w->cells[VALUE].real, &sample->bits, sizeof(sample->bits));
		}
		put_line(w);
	}
}

static void put_losses(struct writer *w)
{
	for (size_t i = 0; i < w->model->loss_span_count; i++) {
		const struct ra_loss_span *loss = &w->model->loss_spans[i];

		begin(w, "loss", loss->start_ns);
		set_track(w, loss->track);
		set_number(w, DUR,
		           loss->end_ns > loss->start_ns ? loss->end_ns - loss->start_ns : 0);
		set_number(w, COUNT, loss->count > INT64_MAX ? INT64_MAX : (int64_t) loss->count);
		put_line(w);
	}
}

static void put_head(struct writer *w)
{
	for (size_t i = 0; i < COLUMNS && w->is_csv; i++) {
		ra_outbuf_text(w->out, i == 0 ? "" : ",");
		ra_outbuf_text(w->out, columns[i].name);
	}
	ra_outbuf_put(w->out, "\n", w->is_csv ? 1 : 0);
}

static void write_lines(const struct ra_model *model, const struct ra_out_options *options,
                        struct ra_outbuf *out, struct ra_out_report *report, bool is_csv)
{
	struct writer w = { .model = model, .out = out, .is_csv = is_csv };

	ra_labels_init(&w.labels, model, &options->names);
	ra_gpu_text_init(&w.gpu, model);
	put_head(&w);
	put_slices(&w);
	put_marks(&w);
	put_calls(&w);
	put_ops(&w);
	put_samples(&w);
	put_losses(&w);
	*report = (struct ra_out_report){ .written = w.written, .left_out = w.left_out };
	if (w.left_out > 0) {
		snprintf(report->why, sizeof(report->why), "samples that are structures");
	}
	free(w.depths);
	ra_util_text_free(&w.text);
	ra_gpu_text_fini(&w.gpu);
	ra_labels_fini(&w.labels);
}

static void write_json(const struct ra_model *model, const struct ra_out_options *options,
                       struct ra_outbuf *out, struct ra_out_report *report)
{
	write_lines(model, options, out, report, false);
}

static void write_csv(const struct ra_model *model, const struct ra_out_options *options,
                      struct ra_outbuf *out, struct ra_out_report *report)
{
	write_lines(model, options, out, report, true);
}

const struct ra_out out_events = {
	.name = "events",
	.summary = "a line for each event, for pandas, DuckDB, Spark;",
	.suffix = ".events.jsonl",
	.opens = "pandas, DuckDB and Spark read it",
	.walks = true,
	.write = write_json,
};

const struct ra_out out_events_csv = {
	.name = "events-csv",
	.summary = "the same as CSV",
	.suffix = ".events.csv",
	.opens = "pandas, DuckDB and Spark read it",
	.walks = true,
	.write = write_csv,
};
