/* SPDX-License-Identifier: MIT */
/* Perfetto JSON: Chrome's trace event format as Perfetto's importer reads it, with PyTorch's names
 * for things. */
#include "analyzer/timeline/out-perfetto.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/base/util.h"
#include "analyzer/read-json/json-log.h"
#include "analyzer/timeline/kineto-export.h"
#include "analyzer/model/names.h"

/* PyTorch's category for ranges that a user's code marks. */
#define SLICE_HEAD ",\n{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\""
/* PyTorch's, for its operators. */
#define OP_HEAD ",\n{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\""
/* Of a thread that waited for a lock. */
#define WAIT_HEAD  ",\n{\"ph\":\"X\",\"cat\":\"sync\",\"name\":\""
#define MARK_HEAD  ",\n{\"ph\":\"i\",\"s\":\"t\",\"cat\":\"cpu_instant_event\",\"name\":\""
#define SPAN_BEGIN ",\n{\"ph\":\"b\",\"cat\":\"user_annotation\",\"id2\":{\"local\":\"0x"
#define SPAN_END   ",\n{\"ph\":\"e\",\"cat\":\"user_annotation\",\"id2\":{\"local\":\"0x"
#define DUR        ",\"dur\":"
#define NO_ARGS    ",\"args\":{}"

/* What an event needs beside its name and arguments. */
#define EVENT_BYTES 256u

/* 20 days: with those that may lie before a capture (RA_LAYOUT_MAX_EARLY_NS) less than 2^42 us, up
 * to which readers that take times for doubles of us have each ns. */
#define RANKS_GRID_NS (INT64_C(20) * 24 * 3600 * 1000000000)

/* Items laid out at once: small enough for the first cache. */
#define BATCH 512

static void copy_row(struct ra_out_perfetto *perfetto, uint32_t tid)
{
	if (perfetto->row_length == 0 || perfetto->row_tid != tid) {
		perfetto->row_tid = tid;
		perfetto->row_length = (size_t) snprintf(
			perfetto->row, sizeof(perfetto->row),
			"\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"ts\":", perfetto->pid, tid);
	}
}

/* Writes head, name and row; returns the place for the time, with EVENT_BYTES / 2 of room. */
static inline char *begin_event(struct ra_out_perfetto *perfetto, const char *head,
                                size_t head_length, uint32_t name_id, uint32_t tid)
{
	const struct ra_out_perfetto_text name = ra_out_perfetto_range_name(perfetto, name_id);
	char *place;

	copy_row(perfetto, tid);
	if (name.length <= RA_OUTBUF_RESERVE_BYTES - EVENT_BYTES) {
		place = ra_outbuf_reserve(perfetto->out, name.length + EVENT_BYTES);
		place = ra_outbuf_copy(place, head, head_length);
		place = ra_outbuf_copy(place, name.bytes, name.length);
	} else {
		ra_outbuf_put(perfetto->out, head, head_length);
		ra_outbuf_put(perfetto->out, name.bytes, name.length);
		place = ra_outbuf_reserve(perfetto->out, EVENT_BYTES);
	}
	return ra_outbuf_copy(place, perfetto->row, perfetto->row_length);
}

#define HEAD(text) ((struct ra_out_perfetto_text){ (text), sizeof(text) - 1 })

static struct ra_out_perfetto_text head_of_slice(const struct ra_out_perfetto *perfetto,
                                                 uint32_t slice)
{
	const struct ra_slices *slices = &perfetto->model->slices;

	if ((slices->flags[slice] & RA_SLICE_WAIT) != 0) {
		return HEAD(WAIT_HEAD);
	}
	return ra_out_perfetto_operator(perfetto, slices->name[slice]) != 0 ? HEAD(OP_HEAD)
	                                                                    : HEAD(SLICE_HEAD);
}

static void put_slice(struct ra_out_perfetto *perfetto, const struct ra_layout_item *item)
{
	const struct ra_slices *slices = &perfetto->model->slices;
	const uint32_t i = item->index;
	const struct ra_out_perfetto_text head = head_of_slice(perfetto, i);
	char *place = begin_event(perfetto, head.bytes, head.length, slices->name[i], item->tid);

	place = ra_outbuf_micros(place, slices->start_ns[i] - perfetto->zero_ns);
	place = ra_outbuf_copy(place, DUR, sizeof(DUR) - 1);
	place = ra_outbuf_micros(place, slices->dur_ns[i]);
	if (!ra_out_perfetto_has_args(perfetto, i)) {
		/* TraceLens wants them of all that calls may lie in. */
		if (perfetto->gpu != NULL) {
			place = ra_outbuf_copy(place, NO_ARGS, sizeof(NO_ARGS) - 1);
		}
		*place++ = '}';
		ra_outbuf_commit(perfetto->out, place);
		return;
	}
	ra_outbuf_commit(perfetto->out, place);
	ra_out_perfetto_args_slice(perfetto, i);
	ra_outbuf_put(perfetto->out, "}", 1);
}

static void put_mark(struct ra_out_perfetto *perfetto, const struct ra_layout_item *item)
{
	const struct ra_mark *mark = &perfetto->model->marks[item->index];
	char *place =
		begin_event(perfetto, MARK_HEAD, sizeof(MARK_HEAD) - 1, mark->name, item->tid);

	ra_outbuf_commit(perfetto->out, ra_outbuf_micros(place, mark->time_ns - perfetto->zero_ns));
	ra_out_perfetto_args_mark(perfetto, item->index);
	ra_outbuf_put(perfetto->out, "}", 1);
}

static void put_loss(struct ra_out_perfetto *perfetto, const struct ra_layout_item *item)
{
	const struct ra_loss_span *loss = &perfetto->model->loss_spans[item->index];
	const char *cause = ra_names_cause(loss->cause);
	char *place = ra_outbuf_reserve(perfetto->out, RA_OUTBUF_RESERVE_BYTES);

	copy_row(perfetto, item->tid);
	place = ra_outbuf_copy(place, MARK_HEAD, sizeof(MARK_HEAD) - 1);
	place = ra_outbuf_decimal(place, loss->count);
	place = ra_outbuf_copy(place, " events lost", 12);
	place = ra_outbuf_copy(place, perfetto->row, perfetto->row_length);
	ra_outbuf_commit(perfetto->out,
	                 ra_outbuf_micros(place, loss->start_ns - perfetto->zero_ns));
	ra_outbuf_printf(
		perfetto->out,
		",\"args\":{\"lost\":%" PRIu64 ",\"cause\":\"%s\",\"span_ns\":%" PRId64 "}}",
		loss->count, cause != NULL ? cause : "damage", loss->end_ns - loss->start_ns);
}

/* One half of a start/end range. */
static void put_span_half(struct ra_out_perfetto *perfetto, const char *head, uint32_t slice,
                          uint32_t tid, int64_t time_ns)
{
	const struct ra_out_perfetto_text name =
		ra_out_perfetto_name(perfetto->shown, perfetto->model->slices.name[slice]);
	struct ra_outbuf *out = perfetto->out;

	ra_outbuf_text(out, head);
	ra_outbuf_printf(out, "%" PRIx64 "\"},\"name\":\"", perfetto->async_id);
	ra_outbuf_put(out, name.bytes, name.length);
	ra_outbuf_printf(out, "\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"ts\":", perfetto->pid,
	                 tid);
	ra_outbuf_commit(out, ra_outbuf_micros(ra_outbuf_reserve(out, RA_MICROS_BYTES),
	                                       time_ns - perfetto->zero_ns));
}

/* Which threads a start/end range ran on. Spans have the order of their slices. */
static const struct ra_span *next_span(struct ra_out_perfetto *perfetto, uint32_t slice)
{
	const struct ra_model *model = perfetto->model;

	while (perfetto->span < model->span_count && model->spans[perfetto->span].slice < slice) {
		perfetto->span++;
	}
	if (perfetto->span < model->span_count && model->spans[perfetto->span].slice == slice) {
		return &model->spans[perfetto->span];
	}
	return NULL;
}

/* Async events lie on rows of the process, one per id as far as needed; a begin without its end is
 * never written. */
static void put_span(struct ra_out_perfetto *perfetto, const struct ra_layout_item *item)
{
	const struct ra_slices *slices = &perfetto->model->slices;
	const uint32_t i = item->index;

	const struct ra_span *span = next_span(perfetto, i);
	const uint32_t tid = span != NULL && span->start_track != RA_NONE
	                             ? ra_layout_find_tid(perfetto->layout, span->start_track)
	                             : perfetto->pid;

	perfetto->async_id++;
	put_span_half(perfetto, SPAN_BEGIN, i, tid, slices->start_ns[i]);
	ra_out_perfetto_args_span(perfetto, i, span);
	ra_outbuf_put(perfetto->out, "}", 1);
	put_span_half(perfetto, SPAN_END, i, tid, slices->start_ns[i] + slices->dur_ns[i]);
	ra_outbuf_put(perfetto->out, "}", 1);
}

static void put_item(struct ra_out_perfetto *perfetto, const struct ra_layout_item *item)
{
	switch ((enum ra_layout_kind) item->kind) {
	case RA_LAYOUT_SLICE:
		put_slice(perfetto, item);
		break;
	case RA_LAYOUT_SPAN:
		put_span(perfetto, item);
		break;
	case RA_LAYOUT_MARK:
		put_mark(perfetto, item);
		break;
	case RA_LAYOUT_LOSS:
		put_loss(perfetto, item);
		break;
	case RA_LAYOUT_CALL:
		ra_out_perfetto_gpu_put_call(perfetto, item);
		break;
	}
}

static void put_track(struct ra_out_perfetto *perfetto, uint32_t track)
{
	struct ra_layout_item items[BATCH];
	const bool is_thread = perfetto->model->tracks[track].kind == RA_TRACK_THREAD;
	int count;

	perfetto->pid =
		ra_layout_find_pid(perfetto->layout, perfetto->model->tracks[track].process);
	perfetto->row_length = 0;
	if (is_thread) {
		ra_out_perfetto_meta_track(perfetto, track);
	}
	ra_layout_begin_track(perfetto->layout, track);
	while ((count = ra_layout_next(perfetto->layout, items, BATCH)) > 0) {
		for (int i = 0; i < count; i++) {
			put_item(perfetto, &items[i]);
		}
		perfetto->written += (uint64_t) count;
	}
	if (is_thread) {
		ra_out_perfetto_meta_lanes(perfetto, track);
	}
}

static void fill_report(const struct ra_out_perfetto *perfetto, struct ra_out_report *report)
{
	const struct ra_layout_left_out left_out = ra_layout_left_out(perfetto->layout);

	*report = (struct ra_out_report){
		.written = perfetto->written,
		.left_out = left_out.too_deep + left_out.no_lane + left_out.too_early,
	};
	if (left_out.no_lane > 0 || left_out.too_early > 0) {
		snprintf(report->why, sizeof(report->why),
		         "%" PRIu64 " deeper than %u levels, %" PRIu64
		         " beyond %u rows of what overlaps, %" PRIu64
		         " more than 25 days before the capture",
		         left_out.too_deep, RA_LAYOUT_MAX_DEPTH, left_out.no_lane,
		         RA_LAYOUT_MAX_LANES, left_out.too_early);
	} else if (left_out.too_deep > 0) {
		snprintf(report->why, sizeof(report->why),
		         "deeper than %u levels, which is all Perfetto shows", RA_LAYOUT_MAX_DEPTH);
	}
}

/*
 * Where the file's times count from. HolisticTraceAnalysis compares the times of ranks as they
 * stand, so those of all ranks of a run count from one point, of a grid so wide that few runs cross
 * one and so narrow that times are exact to the ns.
 */
static int64_t choose_zero(const struct ra_out_perfetto *perfetto)
{
	const int64_t zero_ns = ra_layout_find_zero(perfetto->layout);
	const int64_t real_ns = ra_util_add_time(perfetto->model->zero_real_ns, zero_ns);

	return ra_out_perfetto_meta_has_rank(perfetto->model) && real_ns > 0
	               ? zero_ns - real_ns % RANKS_GRID_NS
	               : zero_ns;
}

static void prepare_names(struct ra_out_perfetto *perfetto, const struct ra_labels_options *options)
{
	struct ra_labels labels;

	ra_out_perfetto_names_init(&perfetto->names, perfetto->model, NULL);
	ra_out_perfetto_fields_init(&perfetto->fields, &perfetto->operators, perfetto->model);
	perfetto->shown = &perfetto->names;
	if (options->is_raw && options->rename == NULL) {
		return;
	}
	ra_labels_init(&labels, perfetto->model, options);
	ra_out_perfetto_names_init(&perfetto->labels, perfetto->model, &labels);
	perfetto->shown = &perfetto->labels;
	ra_labels_fini(&labels);
}

void ra_out_perfetto_draw(const struct ra_model *model, const struct ra_out_options *options,
                          struct ra_outbuf *out, struct ra_out_report *report)
{
	struct ra_out_perfetto perfetto = { .model = model, .out = out };

	*report = (struct ra_out_report){ 0 };
	/* Names that somebody replaced are not told after all. */
	perfetto.place = options->place;
	perfetto.has_plain_operators = options->has_plain_operators;
	perfetto.has_log = model->reader != NULL && !options->without_log &&
	                   options->place == NULL &&
	                   rlog_reader_size_bytes(model->reader) <= RA_JSON_LOG_MAX_BYTES &&
	                   options->names.rename == NULL && out->used + out->flushed_bytes == 0;
	out->has_crc = perfetto.has_log;
	ra_jsonw_init(&perfetto.json, out);
	perfetto.layout = ra_layout_create(model);
	prepare_names(&perfetto, &options->names);
	perfetto.payload = ra_out_perfetto_payload_create(&perfetto);
	perfetto.zero_ns = choose_zero(&perfetto);
	if (options->place != NULL) {
		perfetto.zero_ns = options->place->zero_ns;
		ra_layout_move(perfetto.layout, options->place->first_pid);
		perfetto.json.is_first = options->place->is_first;
	}
	perfetto.gpu = ra_out_perfetto_gpu_create(&perfetto);
	if (options->place == NULL) {
		ra_out_perfetto_meta_begin(&perfetto);
	}
	ra_out_perfetto_meta_processes(&perfetto);
	for (uint32_t track = 0; track < model->track_count; track++) {
		put_track(&perfetto, track);
	}
	ra_out_perfetto_gpu_put(&perfetto);
	ra_out_perfetto_counters_put(&perfetto);
	ra_out_perfetto_memory_put(&perfetto);
	if (options->place == NULL) {
		ra_out_perfetto_meta_end(&perfetto, options->output_name);
	}
	fill_report(&perfetto, report);
	ra_out_perfetto_payload_destroy(perfetto.payload);
	ra_out_perfetto_gpu_destroy(perfetto.gpu);
	ra_out_perfetto_names_fini(&perfetto.names);
	ra_out_perfetto_names_fini(&perfetto.labels);
	ra_out_perfetto_names_fini(&perfetto.fields);
	free(perfetto.operators);
	ra_layout_destroy(perfetto.layout);
}

/* What is such a trace already is written as it was. */
static void write_perfetto(const struct ra_model *model, const struct ra_out_options *options,
                           struct ra_outbuf *out, struct ra_out_report *report)
{
	if (ra_model_has(model, RA_HAS_ROWS)) {
		ra_kineto_export_write(model, options, out, report);
	} else {
		ra_out_perfetto_draw(model, options, out, report);
	}
}

const struct ra_out out_perfetto = {
	.name = "perfetto",
	.summary = "JSON for Perfetto (ui.perfetto.dev), with PyTorch's names for things",
	.suffix = ".json",
	.opens = "https://ui.perfetto.dev opens it",
	.write = write_perfetto,
};
