/* SPDX-License-Identifier: MIT */
/* Writes the timeline as Perfetto's protobuf. */
#include "analyzer/pftrace/pftrace-pen.h"
#include "analyzer/pftrace/pftrace-stream.h"
#include "analyzer/pftrace/pftrace-write.h"
#include "analyzer/timeline/perfetto/out-perfetto.h"

struct drawing {
	struct ra_pftrace_pen pen; /* must be the first member, because finish() casts the pen to
	                              the drawing */
	const struct ra_model *model;
	const struct ra_out_options *options;
	struct ra_outbuf *out;
};

static void draw(struct drawing *drawing, struct ra_out_report *report)
{
	ra_out_perfetto_draw_any(drawing->model, drawing->options, &drawing->pen.pen, NULL, report);
}

/* Draws the timeline once more. The first drawing has counted everything, and has the counters. */
static void draw_again(void *context)
{
	struct drawing *drawing = context;
	struct ra_out_report report;

	drawing->pen.pen.has_counters = true;
	draw(drawing, &report);
}

/* Writes a trace that is held at the end of its drawing, because the drawing can still draw single
 * events again. */
static void finish(struct ra_pen *pen)
{
	struct drawing *drawing = (struct drawing *) pen;

	if (drawing->pen.trace->take == NULL) {
		ra_pftrace_write(drawing->pen.trace, drawing->out);
	}
}

static void begin(struct drawing *drawing, struct ra_pftrace *trace)
{
	ra_pftrace_pen_init(&drawing->pen, trace);
	drawing->pen.pen.finish = finish;
}

static void end(struct drawing *drawing, struct ra_pftrace *trace)
{
	ra_pftrace_pen_fini(&drawing->pen);
	ra_pftrace_fini(trace);
}

/* Draws something whose rows come in order of time, and writes it meanwhile. Return: false if they
 * did not; then nothing is written. */
static bool write_stream(struct drawing *drawing, struct ra_out_report *report)
{
	struct ra_pftrace trace = { 0 };
	struct ra_pftrace_stream *stream;
	bool is_written;

	begin(drawing, &trace);
	stream = ra_pftrace_stream_begin(&trace, drawing->out);
	draw(drawing, report);
	is_written = ra_pftrace_stream_end(stream, draw_again, drawing);
	end(drawing, &trace);
	return is_written;
}

static void write_pftrace(const struct ra_model *model, const struct ra_out_options *options,
                          struct ra_outbuf *out, struct ra_out_report *report)
{
	struct drawing drawing = { .model = model, .options = options, .out = out };
	struct ra_pftrace trace = { 0 };

	/* A redrawn trace keeps the order of its file. */
	if (!ra_model_has(model, RA_HAS_ROWS) && write_stream(&drawing, report)) {
		return;
	}
	begin(&drawing, &trace);
	draw(&drawing, report);
	end(&drawing, &trace);
}

const struct ra_out out_pftrace = {
	.name = "pftrace",
	.summary = "the same as Perfetto's protobuf, a tenth of the size",
	.suffix = ".pftrace",
	.opens = "https://ui.perfetto.dev opens it",
	.walks = true,
	.once = true,
	.write = write_pftrace,
};
