/* SPDX-License-Identifier: MIT */
/* Draws a model for Perfetto, with PyTorch's names for categories and arguments. Also defines the
 * JSON output. */
#include "analyzer/timeline/perfetto/out-perfetto.h"

#include <inttypes.h>
#include <stdio.h>

#include "analyzer/base/util.h"
#include "analyzer/read-json/json-log.h"
#include "analyzer/timeline/kineto/kineto-export.h"
#include "analyzer/timeline/pens/pen-json.h"
#include "analyzer/model/names.h"
#include "analyzer/model/walk.h"

/* The distance between the points of a grid: time 0 of all ranks of a run is at one of these, 20
 * days apart. Together with RA_LAYOUT_MAX_EARLY_NS, times stay below 2^42 µs, up to which a double
 * of µs is exact to the ns. */
#define RANKS_GRID_NS (INT64_C(20) * 24 * 3600 * 1000000000)

/* This many items are laid out at a time. They fit into the L1 cache. */
#define BATCH 512

/* The category of a slice, in PyTorch's words. */
static const char *find_category(const struct ra_out_perfetto *perfetto, uint32_t slice)
{
	const struct ra_slices *slices = &perfetto->model->slices;

	if ((slices->flags[slice] & RA_SLICE_WAIT) != 0) { /* the slice is a wait for a lock */
		return "sync";
	}
	return ra_out_perfetto_is(perfetto, slices->name[slice], RA_OUT_PERFETTO_OPERATOR)
	               ? "cpu_op"
	               : "user_annotation";
}

/* Decides whether a slice gets a list of arguments. TraceLens expects one for everything that may
 * contain calls. */
static enum ra_pen_args choose_args(const struct ra_out_perfetto *perfetto, uint32_t slice)
{
	if (ra_out_perfetto_has_args(perfetto, slice)) {
		return RA_PEN_HAS_ARGS;
	}
	return perfetto->gpu != NULL ? RA_PEN_EMPTY_ARGS : RA_PEN_NO_ARGS;
}

static void put_slice(struct ra_out_perfetto *perfetto, const struct ra_layout_item *item)
{
	const struct ra_slices *slices = &perfetto->model->slices;
	const uint32_t i = item->index;
	const struct ra_pen_event event = {
		.category = find_category(perfetto, i),
		.name = ra_pen_name(perfetto->shown, slices->name[i]),
		.pid = perfetto->pid,
		.tid = item->tid,
		.start_ns = slices->start_ns[i] - perfetto->zero_ns,
		.dur_ns = slices->dur_ns[i],
		.args = choose_args(perfetto, i),
	};

	perfetto->pen->slice(perfetto->pen, &event);
	if (event.args == RA_PEN_HAS_ARGS) {
		ra_out_perfetto_args_slice(perfetto, i);
	}
}

static struct ra_pen_event make_instant(const struct ra_out_perfetto *perfetto,
                                        const struct ra_layout_item *item, int64_t time_ns,
                                        struct ra_pen_text name)
{
	return (struct ra_pen_event){
		.category = "cpu_instant_event",
		.name = name,
		.pid = perfetto->pid,
		.tid = item->tid,
		.start_ns = time_ns - perfetto->zero_ns,
		.args = RA_PEN_HAS_ARGS,
	};
}

static void put_mark(struct ra_out_perfetto *perfetto, const struct ra_layout_item *item)
{
	const struct ra_mark *mark = &perfetto->model->marks[item->index];
	const struct ra_pen_event event = make_instant(perfetto, item, mark->time_ns,
	                                               ra_pen_name(perfetto->shown, mark->name));

	perfetto->pen->instant(perfetto->pen, &event);
	ra_out_perfetto_args_mark(perfetto, item->index);
}

static void put_loss(struct ra_out_perfetto *perfetto, const struct ra_layout_item *item)
{
	const struct ra_loss_span *loss = &perfetto->model->loss_spans[item->index];
	const char *cause = ra_names_cause(loss->cause);
	struct ra_pen *pen = perfetto->pen;
	char name[48];
	const uint32_t length =
		(uint32_t) snprintf(name, sizeof(name), "%" PRIu64 " events lost", loss->count);
	const struct ra_pen_event event =
		make_instant(perfetto, item, loss->start_ns,
	                     ra_pen_bytes((struct rlog_string){ name, length, length }));

	pen->instant(pen, &event);
	ra_pen_put_uint(pen, "lost", loss->count);
	ra_pen_put_text(pen, "cause", ra_pen_words(cause != NULL ? cause : "damage"));
	ra_pen_put_int(pen, "span_ns", loss->end_ns - loss->start_ns);
	pen->end(pen);
}

/* Finds the threads on which a start/end range began and ended. Spans are in the order of their
 * slices, so a cursor is enough. */
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

/* Draws a start/end range. Async events are on rows of the process; Perfetto opens a row for each
 * id when it needs one. A begin is never written without its end. */
static void put_span(struct ra_out_perfetto *perfetto, const struct ra_layout_item *item)
{
	const struct ra_slices *slices = &perfetto->model->slices;
	const uint32_t i = item->index;

	const struct ra_span *span = next_span(perfetto, i);
	const uint32_t tid = span != NULL && span->start_track != RA_NONE
	                             ? ra_layout_find_tid(perfetto->layout, span->start_track)
	                             : perfetto->pid;

	const struct ra_pen_event event = {
		.category = "user_annotation",
		.name = ra_pen_name(perfetto->has_labels ? RA_PEN_SHOWN : RA_PEN_NAMES,
		                    slices->name[i]),
		.pid = perfetto->pid,
		.tid = tid,
		.start_ns = slices->start_ns[i] - perfetto->zero_ns,
		.dur_ns = slices->dur_ns[i],
		.id = ++perfetto->async_id,
		.args = RA_PEN_HAS_ARGS,
	};

	perfetto->pen->span(perfetto->pen, &event);
	ra_out_perfetto_args_span(perfetto, i, span);
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

static void put_part(void *context, const struct ra_model *part, int64_t until_ns)
{
	struct ra_out_perfetto *perfetto = context;
	const struct ra_model *whole = perfetto->model;
	struct ra_layout_item items[BATCH];
	int count;

	if (whole->walk != NULL) { /* because each part of a walk has slice indices of its own */
		perfetto->slice_attr = 0;
		perfetto->mark_attr = 0;
	}
	perfetto->model = part;
	ra_layout_begin_part(perfetto->layout, part, until_ns);
	while ((count = ra_layout_next(perfetto->layout, items, BATCH)) > 0) {
		for (int i = 0; i < count; i++) {
			put_item(perfetto, &items[i]);
		}
		perfetto->written += (uint64_t) count;
	}
	ra_layout_end_part(perfetto->layout, whole);
	perfetto->model = whole;
}

static void put_track(struct ra_out_perfetto *perfetto, uint32_t track)
{
	const bool is_thread = perfetto->model->tracks[track].kind == RA_TRACK_THREAD;

	perfetto->pid =
		ra_layout_find_pid(perfetto->layout, perfetto->model->tracks[track].process);
	if (is_thread) {
		ra_out_perfetto_meta_track(perfetto, track);
	}
	ra_layout_begin_track(perfetto->layout, track);
	ra_walk_over(perfetto->model, track, put_part, perfetto);
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
 * Returns the time that is 0 in the file. HolisticTraceAnalysis compares the times of ranks
 * directly, so all ranks of a run must count from the same moment. That moment is a point of a
 * grid. The points are so far apart that few runs contain one, and so close that times stay exact
 * to the ns.
 */
static int64_t choose_zero(const struct ra_out_perfetto *perfetto)
{
	const int64_t zero_ns = ra_layout_find_zero(perfetto->layout);
	const int64_t real_ns = ra_util_add_time(perfetto->model->zero_real_ns, zero_ns);

	return ra_out_perfetto_meta_has_rank(perfetto->model) && real_ns > 0
	               ? zero_ns - real_ns % RANKS_GRID_NS
	               : zero_ns;
}

/* Draws everything that comes before the events. */
static void begin_drawing(struct ra_out_perfetto *perfetto, const struct ra_out_options *options,
                          struct ra_pen_names *names)
{
	const struct ra_model *model = perfetto->model;
	struct ra_outbuf *out = perfetto->out;

	/* Embeds the log, unless it is too large, or --rename changed names, because the log has
	 * the original names. */
	if (out != NULL && options->place == NULL) {
		perfetto->has_log =
			model->reader != NULL && !options->without_log &&
			rlog_reader_size_bytes(model->reader) <= RA_JSON_LOG_MAX_BYTES &&
			options->names.rename == NULL && out->used + out->flushed_bytes == 0;
		out->has_crc = perfetto->has_log;
		ra_jsonw_init(&perfetto->json, out);
		ra_out_perfetto_meta_begin(perfetto);
	}
	ra_out_perfetto_names_begin(perfetto, names);
	perfetto->pen->clock(perfetto->pen, ra_out_perfetto_meta_base(perfetto));
	ra_out_perfetto_meta_processes(perfetto);
}

void ra_out_perfetto_draw(const struct ra_model *model, const struct ra_out_options *options,
                          struct ra_pen *pen, struct ra_outbuf *out, struct ra_out_report *report)
{
	struct ra_out_perfetto perfetto = {
		.model = model,
		.pen = pen,
		.out = out,
		.place = options->place,
	};
	struct ra_pen_names names;

	perfetto.layout = ra_layout_create(model);
	ra_out_perfetto_names_init(&perfetto, options);
	perfetto.payload = ra_out_perfetto_payload_create(&perfetto);
	perfetto.zero_ns = choose_zero(&perfetto);
	if (options->place != NULL) {
		perfetto.zero_ns = options->place->zero_ns;
		ra_layout_move(perfetto.layout, options->place->first_pid);
	}
	perfetto.gpu = ra_out_perfetto_gpu_create(&perfetto);
	begin_drawing(&perfetto, options, &names);
	for (uint32_t track = 0; track < model->track_count; track++) {
		put_track(&perfetto, track);
	}
	ra_out_perfetto_gpu_put(&perfetto);
	if (!pen->has_counters) {
		ra_out_perfetto_counters_put(&perfetto);
		ra_out_perfetto_memory_put(&perfetto);
	}
	pen->finish(pen);
	if (out != NULL && options->place == NULL) {
		ra_out_perfetto_meta_end(&perfetto, options->output_name);
	}
	fill_report(&perfetto, report);
	ra_out_perfetto_payload_destroy(perfetto.payload);
	ra_out_perfetto_gpu_destroy(perfetto.gpu);
	ra_out_perfetto_names_fini(&perfetto);
	ra_layout_destroy(perfetto.layout);
}

/* Draws a model. If it was read from a trace in JSON, redraws the trace. */
void ra_out_perfetto_draw_any(const struct ra_model *model, const struct ra_out_options *options,
                              struct ra_pen *pen, struct ra_outbuf *out,
                              struct ra_out_report *report)
{
	if (ra_model_has(model, RA_HAS_ROWS)) {
		ra_kineto_export_draw(model, options, pen, out, report);
	} else {
		ra_out_perfetto_draw(model, options, pen, out, report);
	}
}

static void write_perfetto(const struct ra_model *model, const struct ra_out_options *options,
                           struct ra_outbuf *out, struct ra_out_report *report)
{
	struct ra_pen_json json;

	ra_pen_json_init(&json, out);
	ra_out_perfetto_draw_any(model, options, &json.pen, out, report);
	ra_pen_json_fini(&json);
}

const struct ra_out out_perfetto = {
	.name = "perfetto",
	.summary = "JSON for Perfetto",
	.suffix = ".json",
	.opens = "https://ui.perfetto.dev opens it",
	.walks = true,
	.once = true,
	.write = write_perfetto,
};
