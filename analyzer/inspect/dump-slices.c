/* SPDX-License-Identifier: MIT */
/* `analyzer dump --slices`: prints the slices that the Perfetto output draws on the threads' rows,
 * as a table. */
#include "analyzer/inspect/dump-slices.h"

#include <inttypes.h>
#include <stdio.h>

#include "analyzer/base/text/util-code.h"
#include "analyzer/base/text/util-json.h"
#include "analyzer/figures/gpu/gpu-text.h"
#include "analyzer/io/jsonw.h"
#include "analyzer/model/walk.h"
#include "analyzer/timeline/layout/layout-gpu.h"

#define BATCH 512

struct dump {
	const struct ra_model *model;
	struct ra_outbuf *out;
	struct ra_layout *layout; /* owned */
	struct ra_gpu_text text;  /* owned */
	int64_t zero_ns;
	uint32_t pid; /* of the current track's slices */
};

static void put_code(struct ra_outbuf *out, const char *bytes, size_t length)
{
	static const char letters[] = "\\\\\tt\nn\rr";
	const uint32_t code = ra_util_code_read(bytes, length);

	for (size_t i = 0; i + 1 < sizeof(letters); i += 2) {
		if (code == (unsigned char) letters[i]) {
			ra_outbuf_put(out, "\\", 1);
			ra_outbuf_put(out, &letters[i + 1], 1);
			return;
		}
	}
	if (!ra_util_code_is_control(code)) {
		ra_outbuf_put(out, bytes, length);
	} else {
		ra_outbuf_printf(out, code < 0x80 ? "\\x%02x" : "\\u{%04x}", (unsigned) code);
	}
}

/* Writes the name as a reader of the JSON gets it: U+FFFD replaces invalid UTF-8. Control
 * characters are escaped as in tables. */
static void put_name(struct ra_outbuf *out, struct rlog_string name)
{
	for (size_t i = 0; i < name.length;) {
		size_t bad = 0;
		const size_t length =
			ra_util_json_utf8_length(name.bytes + i, name.length - i, &bad);

		if (length == 0) {
			ra_outbuf_put(out, "\xEF\xBF\xBD", 3);
		} else {
			put_code(out, name.bytes + i, length);
		}
		i += length > 0 ? length : bad;
	}
}

/* Writes the columns before the name. */
struct line {
	uint32_t pid;
	uint32_t tid;
	uint16_t depth;
	int64_t start_ns;
	int64_t dur_ns;
};

static void put_line(const struct dump *dump, const struct line *line, struct rlog_string name)
{
	char *place = ra_outbuf_reserve(dump->out, (size_t) 5 * (RA_DECIMAL_BYTES + 1));

	place = ra_outbuf_decimal(place, line->pid);
	*place++ = '\t';
	place = ra_outbuf_decimal(place, line->tid);
	*place++ = '\t';
	place = ra_outbuf_decimal(place, line->depth);
	*place++ = '\t';
	place = ra_outbuf_signed(place, line->start_ns - dump->zero_ns);
	*place++ = '\t';
	place = ra_outbuf_signed(place, line->dur_ns);
	*place++ = '\t';
	ra_outbuf_commit(dump->out, place);
	put_name(dump->out, name);
	ra_outbuf_put(dump->out, "\n", 1);
}

static void put_item(const struct dump *dump, const struct ra_layout_item *item)
{
	const struct ra_model *model = dump->model;
	const uint32_t i = item->index;
	struct line line = { .pid = dump->pid, .tid = item->tid, .depth = item->depth };
	char lost[64];
	struct rlog_string name = { lost, 0, 0 };

	switch ((enum ra_layout_kind) item->kind) {
	case RA_LAYOUT_SPAN:
		return;
	case RA_LAYOUT_SLICE:
		line.start_ns = model->slices.start_ns[i];
		line.dur_ns = model->slices.dur_ns[i];
		name = ra_model_string(model, model->slices.name[i]);
		break;
	case RA_LAYOUT_MARK:
		line.start_ns = model->marks[i].time_ns;
		name = ra_model_string(model, model->marks[i].name);
		break;
	case RA_LAYOUT_LOSS:
		line.start_ns = model->loss_spans[i].start_ns;
		name.length = (uint32_t) snprintf(lost, sizeof(lost), "%" PRIu64 " events lost",
		                                  model->loss_spans[i].count);
		break;
	case RA_LAYOUT_CALL:
		line.start_ns = model->gpu.apis[i].start_ns;
		line.dur_ns = model->gpu.apis[i].dur_ns;
		name = ra_model_string(model, model->gpu.apis[i].name);
		break;
	}
	put_line(dump, &line, name);
}

/* @scratch: room for RA_GPU_TEXT_BYTES. */
static struct rlog_string find_gpu_name(const struct dump *dump,
                                        const struct ra_layout_gpu_item *item, char *scratch)
{
	const struct ra_model *model = dump->model;

	switch (item->kind) {
	case RA_LAYOUT_GPU_OP:
		return ra_gpu_text_op(&dump->text, &model->gpu.ops[item->index], scratch);
	case RA_LAYOUT_GPU_SYNC:
		return ra_gpu_text_sync(model->gpu.syncs[item->index].kind);
	case RA_LAYOUT_GPU_OVERHEAD:
		return ra_gpu_text_overhead(model->gpu.overheads[item->index].kind);
	case RA_LAYOUT_GPU_SECTION:
		return ra_gpu_text_section(model, &model->gpu.sections[item->index], scratch);
	case RA_LAYOUT_GPU_RANGE:
	default:
		return ra_model_string(model, model->slices.name[item->index]);
	}
}

static void put_gpu_item(void *context, const struct ra_layout_gpu_item *item)
{
	const struct dump *dump = context;
	const struct line line = { item->pid, item->tid, item->depth, item->start_ns,
		                   item->dur_ns };
	char scratch[RA_GPU_TEXT_BYTES];

	put_line(dump, &line, find_gpu_name(dump, item, scratch));
}

static void dump_part(void *context, const struct ra_model *part, int64_t until_ns)
{
	struct dump *dump = context;
	const struct ra_model *whole = dump->model;
	struct ra_layout_item items[BATCH];
	int count;

	dump->model = part;
	ra_layout_begin_part(dump->layout, part, until_ns);
	while ((count = ra_layout_next(dump->layout, items, BATCH)) > 0) {
		for (int i = 0; i < count; i++) {
			put_item(dump, &items[i]);
		}
	}
	ra_layout_end_part(dump->layout, whole);
	dump->model = whole;
}

static void dump_tracks(struct dump *dump)
{
	const struct ra_model *model = dump->model;

	for (uint32_t track = 0; track < model->track_count; track++) {
		dump->pid = ra_layout_find_pid(dump->layout, model->tracks[track].process);
		ra_layout_begin_track(dump->layout, track);
		ra_walk_over(model, track, dump_part, dump);
	}
}

void ra_dump_slices_write(const struct ra_model *model, struct ra_outbuf *out)
{
	struct dump dump = { .model = model, .out = out };
	const struct ra_layout_gpu_visitor visitor = { .item = put_gpu_item, .context = &dump };

	dump.layout = ra_layout_create(model);
	dump.zero_ns = ra_layout_find_zero(dump.layout);
	ra_gpu_text_init(&dump.text, model);
	ra_outbuf_text(out, "pid\ttid\tdepth\tstart_ns\tdur_ns\tname\n");
	dump_tracks(&dump);
	ra_layout_gpu_walk(dump.layout, model, &visitor);
	ra_gpu_text_fini(&dump.text);
	ra_layout_destroy(dump.layout);
}
