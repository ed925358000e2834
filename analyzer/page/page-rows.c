/* SPDX-License-Identifier: MIT */
/* Collects the items of a timeline, by row and time: ranges of threads, calls, GPU work. */
#include "analyzer/page/page-rows.h"

#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/model/walk.h"
#include "analyzer/report/op-names.h"

/* Bits that make keys of names unique: KEY_RANGE is set for a label of a range, KEY_CALL for a
 * string. Names of GPU work have the keys of op-names.h. */
#define KEY_RANGE (UINT64_C(1) << 63)
#define KEY_CALL  (UINT64_C(1) << 62)

struct filling {
	struct ra_page_rows *rows;
	const struct ra_report_input *input; /* the model to show */
	const struct ra_model *model;
	bool is_full; /* no more rows are allowed */
	bool has_row; /* the current row was added to `rows` */
	/* owned; by name of ranges: 1 + its index in rows->names; 0: not needed so far */
	uint32_t *of_name;
	uint32_t track;
	bool is_crossing;  /* take the ranges that cross others; false: take those that nest … */
	bool has_crossing; /* … and set this if there are ranges of the other kind */
	ra_page_rows_also *also; /* NULL: none */
	void *also_context;
};

static void put_label(struct ra_util_text *text, const char *before, struct rlog_string name)
{
	ra_util_text_format(text, "%s", before);
	ra_util_text_put_name(text, name, RA_TEXT_JSON);
}

/* Writes the name of a thread's rows. */
static void put_track(struct filling *f, const struct ra_track *track, const char *what)
{
	struct ra_util_text *text = &f->rows->texts;

	if (track->kind == RA_TRACK_START_END) {
		ra_util_text_format(text, "start/end ranges");
	} else if (track->name != 0) {
		put_label(text, "", ra_model_string(f->model, track->name));
		ra_util_text_format(text, " (%lld)", (long long) track->tid);
	} else {
		ra_util_text_format(text, "thread %lld", (long long) track->tid);
	}
	if (f->model->process_count > 1) {
		ra_util_text_format(text, " of process %lld",
		                    (long long) f->model->processes[track->process].pid);
	}
	ra_util_text_format(text, "%s", what);
}

static void put_queue(struct filling *f, const struct ra_gpu_queue *queue)
{
	struct ra_util_text *text = &f->rows->texts;

	ra_util_text_put_name(text, ra_model_device_word(f->model, queue->device),
	                      RA_TEXT_TERMINAL);
	ra_util_text_format(text, " %u, stream %u", queue->device, queue->stream);
	if (queue->name != 0) {
		put_label(text, ": ", ra_model_string(f->model, queue->name));
	}
}

/* Begins a row. It is dropped unless it gets an item. The caller appends its name to the texts
 * next. */
static void begin_row(struct filling *f, const char *kind)
{
	struct ra_page_rows *rows = f->rows;

	f->is_full = rows->row_count == RA_PAGE_LINES;
	f->has_row = false;
	ra_util_grow(&rows->rows, &rows->row_capacity, rows->row_count + 1, sizeof(*rows->rows));
	rows->rows[rows->row_count] =
		(struct ra_page_row){ .name = rows->texts.length, .kind = kind };
	for (size_t i = 0; i < RA_PAGE_LANES; i++) {
		rows->busy_until[i] = INT64_MIN;
	}
}

/* Ends the current row, whose name is written already. Drops the row if it has no items. */
static void end_row(struct filling *f)
{
	struct ra_page_row *row = &f->rows->rows[f->rows->row_count];

	if (f->has_row && !f->is_full) {
		row->name_length = f->rows->texts.length - row->name;
		f->rows->row_count++;
	} else {
		f->rows->texts.length = row->name;
	}
}

static void add_item(struct filling *f, int64_t start_ns, int64_t dur_ns, uint32_t name)
{
	struct ra_page_rows *rows = f->rows;
	struct ra_page_row *row;
	uint32_t lane = 0;

	if (f->is_full) {
		rows->rows_left_out += f->has_row ? 0 : 1;
		f->has_row = true;
		return;
	}
	row = &rows->rows[rows->row_count];
	f->has_row = true;
	while (lane < RA_PAGE_LANES && rows->busy_until[lane] > start_ns) {
		lane++;
	}
	if (lane == RA_PAGE_LANES) {
		row->left_out++;
		return;
	}
	ra_page_pieces_add(
		&rows->pieces,
		&(struct ra_page_item){ start_ns, dur_ns, name, (uint32_t) rows->row_count, lane });
	rows->busy_until[lane] = ra_util_add_time(start_ns, dur_ns);
	row->lanes = lane + 1 > row->lanes ? lane + 1 : row->lanes;
}

/* Adds a new name. Return: its index in rows->names. */
static uint32_t add_name(struct ra_page_rows *rows, uint64_t key, struct rlog_string text)
{
	const uint32_t index = (uint32_t) rows->name_count;

	RA_UTIL_APPEND(rows->names, rows->name_count, rows->name_capacity, text);
	ra_util_map_put(&rows->name_of, key, index);
	return index;
}

static uint32_t find_range_name(struct filling *f, uint32_t name)
{
	uint32_t label;
	uint64_t key;
	uint32_t index;

	if (f->of_name[name] != 0) {
		return f->of_name[name] - 1;
	}
	label = ra_labels_find(f->input->labels, name);
	key = KEY_RANGE | label;
	index = ra_util_map_find(&f->rows->name_of, key);
	if (index == RA_UTIL_MAP_NONE) {
		index = add_name(f->rows, key, ra_labels_name(f->input->labels, label));
	}
	f->of_name[name] = index + 1;
	return index;
}

static uint32_t find_call_name(struct filling *f, uint32_t name)
{
	const uint64_t key = KEY_CALL | name;
	const uint32_t index = ra_util_map_find(&f->rows->name_of, key);

	return index != RA_UTIL_MAP_NONE ? index
	                                 : add_name(f->rows, key, ra_model_string(f->model, name));
}

static uint32_t find_op_name(struct filling *f, const struct ra_gpu_op *op)
{
	const uint64_t key = ra_op_names_find(f->input, op);
	const uint32_t index = ra_util_map_find(&f->rows->name_of, key);

	return index != RA_UTIL_MAP_NONE
	               ? index
	               : add_name(f->rows, key, ra_op_names_text(f->input, key, &f->rows->table));
}

/* Adds the slices of a part of a track: those that nest, or those that cross others. Called by
 * ra_walk_over(). */
static void take_slices(void *context, const struct ra_model *part, int64_t until_ns)
{
	struct filling *f = context;
	const struct ra_track *track = &part->tracks[f->track];
	const struct ra_slices *s = &part->slices;

	(void) until_ns;
	if (f->also != NULL && !f->is_crossing) {
		f->also(f->also_context, part, f->track);
	}
	for (size_t i = track->first_slice; i < track->first_slice + track->slice_count; i++) {
		const bool is_crossing = (s->flags[i] & RA_SLICE_CROSSING) != 0;

		f->has_crossing |= is_crossing;
		if (is_crossing == f->is_crossing) {
			add_item(f, s->start_ns[i], s->dur_ns[i], find_range_name(f, s->name[i]));
		}
	}
}

/* Adds a row with the slices of a track that nest, or with those that cross others. */
static void add_slices(struct filling *f, uint32_t track, bool is_crossing)
{
	const bool is_spans = f->model->tracks[track].kind == RA_TRACK_START_END;

	f->track = track;
	f->is_crossing = is_crossing;
	begin_row(f, is_spans ? "spans" : is_crossing ? "crossing" : "thread");
	put_track(f, &f->model->tracks[track], is_crossing ? ": crossing ranges" : "");
	ra_walk_over(f->model, track, take_slices, f);
	end_row(f);
}

/* Adds the calls of a track. @at: the first call that belongs to this or a later track; set to the
 * first call of a later track. */
static void add_calls(struct filling *f, uint32_t track, size_t *at)
{
	const struct ra_gpu *gpu = &f->model->gpu;

	while (*at < gpu->api_count && gpu->apis[*at].track < track) {
		(*at)++;
	}
	begin_row(f, "calls");
	put_track(f, &f->model->tracks[track], ": CUDA calls");
	for (; *at < gpu->api_count && gpu->apis[*at].track == track; (*at)++) {
		const struct ra_gpu_api *api = &gpu->apis[*at];

		add_item(f, api->start_ns, api->dur_ns, find_call_name(f, api->name));
	}
	end_row(f);
}

static void add_queue(struct filling *f, const struct ra_gpu_queue *queue)
{
	begin_row(f, "stream");
	put_queue(f, queue);
	for (size_t i = 0; i < queue->op_count; i++) {
		const struct ra_gpu_op *op = &f->model->gpu.ops[queue->first_op + i];

		add_item(f, op->start_ns, op->dur_ns, find_op_name(f, op));
	}
	end_row(f);
}

/* Adds all rows. GPUs come first: they have few rows, and users look there first. */
static void add_all(struct filling *f)
{
	const struct ra_model *m = f->model;
	size_t api = 0;

	for (size_t q = 0; q < m->gpu.queue_count; q++) {
		add_queue(f, &m->gpu.queues[q]);
	}
	for (uint32_t t = 0; t < m->track_count; t++) {
		f->has_crossing = false;
		add_slices(f, t, false);
		if (f->has_crossing) {
			add_slices(f, t, true);
		}
		add_calls(f, t, &api);
	}
}

void ra_page_rows_make(struct ra_page *page, ra_page_rows_also *also, void *context)
{
	const struct ra_labels_options short_names = { .is_kernels = true,
		                                       .kernel_form = RA_KERNEL_SHORT };
	const struct ra_model *model =
		page->options->select != NULL ? &page->options->select->things : page->input.model;
	struct ra_page_rows *rows = ra_alloc_zeros(1, sizeof(*rows));
	struct ra_labels kernels;
	struct ra_report_input input = page->input;
	struct filling filling = {
		.rows = rows,
		.input = &input,
		.model = model,
		.of_name = ra_alloc_zeros(model->name_count + 1, sizeof(*filling.of_name)),
		.also = also,
		.also_context = context,
	};

	page->rows = rows;
	ra_labels_init(&kernels, model, &short_names);
	ra_table_init(&rows->table, NULL, 0);
	ra_page_pieces_init(&rows->pieces, model->end_ns);
	input.model = model;
	input.kernels = &kernels;
	add_all(&filling);
	free(filling.of_name);
	ra_page_pieces_finish(&rows->pieces);
	/* keeps copies: names of kernels belong to `kernels`, which is freed below */
	for (size_t i = 0; i < rows->name_count; i++) {
		rows->names[i] = ra_table_keep_text(&rows->table, rows->names[i].bytes,
		                                    rows->names[i].length);
	}
	ra_labels_fini(&kernels);
}

void ra_page_rows_free(struct ra_page *page)
{
	struct ra_page_rows *rows = page->rows;

	if (rows == NULL) {
		return;
	}
	ra_page_pieces_fini(&rows->pieces);
	free(rows->rows);
	free(rows->names);
	ra_util_map_free(&rows->name_of);
	ra_table_fini(&rows->table);
	ra_util_text_free(&rows->texts);
	free(rows);
	page->rows = NULL;
}
