/* SPDX-License-Identifier: MIT */
/* `analyzer dump --slices`: what the Perfetto output draws on rows of threads, as a table. */
#include "analyzer/dump-slices.h"

#include <stdio.h>

#include "analyzer/jsonw.h"
#include "analyzer/layout.h"
#include "format/error.h"

#define BATCH 512

static void put_ascii(struct ra_outbuf *out, char byte)
{
	static const char letters[] = "\\\\\tt\nn\rr";

	for (size_t i = 0; i + 1 < sizeof(letters); i += 2) {
		if (byte == letters[i]) {
			ra_outbuf_put(out, "\\", 1);
			ra_outbuf_put(out, &letters[i + 1], 1);
			return;
		}
	}
	if (byte >= 0x20 && byte != 0x7F) {
		ra_outbuf_put(out, &byte, 1);
	} else {
		ra_outbuf_printf(out, "\\x%02x", (unsigned) (unsigned char) byte);
	}
}

/* As the JSON's reader will have the name: what is no UTF-8 has become U+FFFD. */
static void put_name(struct ra_outbuf *out, struct rlog_string name)
{
	for (size_t i = 0; i < name.length;) {
		size_t bad = 0;
		const size_t length = ra_jsonw_utf8_length(name.bytes + i, name.length - i, &bad);

		if (length == 0) {
			ra_outbuf_put(out, "\xEF\xBF\xBD", 3);
		} else if (length == 1) {
			put_ascii(out, name.bytes[i]);
		} else {
			ra_outbuf_put(out, name.bytes + i, length);
		}
		i += length > 0 ? length : bad;
	}
}

static void put_line(struct ra_outbuf *out, uint32_t pid, const struct ra_layout_item *item,
                     int64_t start_ns, int64_t dur_ns)
{
	char *place = ra_outbuf_reserve(out, (size_t) 5 * (RA_DECIMAL_BYTES + 1));

	place = ra_outbuf_decimal(place, pid);
	*place++ = '\t';
	place = ra_outbuf_decimal(place, item->tid);
	*place++ = '\t';
	place = ra_outbuf_decimal(place, item->depth);
	*place++ = '\t';
	place = ra_outbuf_signed(place, start_ns);
	*place++ = '\t';
	place = ra_outbuf_signed(place, dur_ns);
	*place++ = '\t';
	ra_outbuf_commit(out, place);
}

static void put_item(const struct ra_model *model, struct ra_outbuf *out, uint32_t pid,
                     const struct ra_layout_item *item)
{
	const struct ra_slices *slices = &model->slices;
	const uint32_t i = item->index;

	switch ((enum ra_layout_kind) item->kind) {
	case RA_LAYOUT_SPAN:
		return;
	case RA_LAYOUT_SLICE:
		put_line(out, pid, item, slices->start_ns[i], slices->dur_ns[i]);
		put_name(out, ra_model_string(model, slices->name[i]));
		break;
	case RA_LAYOUT_MARK:
		put_line(out, pid, item, model->marks[i].time_ns, 0);
		put_name(out, ra_model_string(model, model->marks[i].name));
		break;
	case RA_LAYOUT_LOSS:
		put_line(out, pid, item, model->loss_spans[i].start_ns, 0);
		ra_outbuf_put_decimal(out, model->loss_spans[i].count);
		ra_outbuf_text(out, " events lost");
		break;
	}
	ra_outbuf_put(out, "\n", 1);
}

int ra_dump_slices_write(const struct ra_model *model, struct ra_outbuf *out)
{
	struct ra_layout *layout = ra_layout_create(model);
	struct ra_layout_item items[BATCH];
	int count = 0;

	if (layout == NULL) {
		return -RLOG_E_NO_MEMORY;
	}
	ra_outbuf_text(out, "pid\ttid\tdepth\tstart_ns\tdur_ns\tname\n");
	for (uint32_t track = 0; track < model->track_count && count >= 0; track++) {
		const uint32_t pid = ra_layout_find_pid(layout, model->tracks[track].process);

		ra_layout_begin_track(layout, track);
		while ((count = ra_layout_next(layout, items, BATCH)) > 0) {
			for (int i = 0; i < count; i++) {
				put_item(model, out, pid, &items[i]);
			}
		}
	}
	ra_layout_destroy(layout);
	return count < 0 ? -RLOG_E_NO_MEMORY : 0;
}
