/* SPDX-License-Identifier: MIT */
/* JSON for Perfetto in which a trace in JSON, too, is drawn as a log is: what overlaps on a row
 * there, and would be dropped by the importer, has further rows. */
#include "analyzer/timeline/out-perfetto.h"

const struct ra_out out_timeline = {
	.name = "timeline",
	.summary = "the same, but traces in JSON are drawn anew: nothing overlaps, less is kept",
	.suffix = ".timeline.json",
	.opens = "https://ui.perfetto.dev opens it",
	.write = ra_out_perfetto_draw,
};
