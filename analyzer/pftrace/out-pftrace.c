/* SPDX-License-Identifier: MIT */
/* The timeline as Perfetto's protobuf. */
#include "analyzer/pftrace/pftrace-pen.h"
#include "analyzer/pftrace/pftrace-write.h"
#include "analyzer/timeline/out-perfetto.h"

static void write_pftrace(const struct ra_model *model, const struct ra_out_options *options,
                          struct ra_outbuf *out, struct ra_out_report *report)
{
	struct ra_pftrace trace = { 0 };
	struct ra_pftrace_pen pen;

	ra_pftrace_pen_init(&pen, &trace);
	ra_out_perfetto_draw_any(model, options, &pen.pen, NULL, report);
	ra_pftrace_write(&trace, out);
	ra_pftrace_pen_fini(&pen);
	ra_pftrace_fini(&trace);
}

const struct ra_out out_pftrace = {
	.name = "pftrace",
	.summary = "Perfetto's protobuf: the same in a tenth of the size",
	.suffix = ".pftrace",
	.opens = "https://ui.perfetto.dev opens it",
	.write = write_pftrace,
};
