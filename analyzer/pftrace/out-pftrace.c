/* SPDX-License-Identifier: MIT */
/* The timeline as Perfetto's protobuf: what the output for JSON draws, in another form. */
#include <errno.h>

#include "analyzer/pftrace/pftrace-json.h"
#include "analyzer/pftrace/pftrace-write.h"
#include "analyzer/timeline/out-perfetto.h"

static void write_pftrace(const struct ra_model *model, const struct ra_out_options *options,
                          struct ra_outbuf *out, struct ra_out_report *report)
{
	struct ra_out_options own = *options;
	struct ra_pftrace trace = { 0 };
	struct ra_outbuf text;
	struct ra_pftrace_json *json = ra_pftrace_json_create(&trace);

	*report = (struct ra_out_report){ 0 };
	own.without_log = true;
	ra_outbuf_init(&text, -1, false);
	text.take = ra_pftrace_json_put;
	text.context = json;
	out_perfetto.write(model, &own, &text, report);
	ra_outbuf_flush(&text);
	if (ra_pftrace_json_finish(json)) {
		ra_pftrace_write(&trace, out);
	} else { /* no JSON: a fault of ours, which nobody should miss */
		out->sys_errno = EINVAL;
	}
	ra_outbuf_fini(&text);
	ra_pftrace_json_destroy(json);
	ra_pftrace_fini(&trace);
}

const struct ra_out out_pftrace = {
	.name = "pftrace",
	.summary = "Perfetto's protobuf: the same in a tenth of the size",
	.suffix = ".pftrace",
	.opens = "https://ui.perfetto.dev opens it",
	.write = write_pftrace,
};
