/* SPDX-License-Identifier: MIT */
/* Draws the arguments of events: domain, category, color, payload, and notes about repairs. */
#include <inttypes.h>
#include <stdio.h>

#include "analyzer/timeline/perfetto/out-perfetto.h"
#include "format/wire.h"

/* Draws a payload. Readers store numbers as int64 or double, so a number that fits neither is
 * written as a text. */
static void put_payload(struct ra_pen *pen, uint32_t type, uint64_t bits)
{
	char digits[RA_DECIMAL_BYTES];
	double real = 0.0;

	switch (type) {
	case RLOG_PAYLOAD_I64:
	case RLOG_PAYLOAD_I32:
		ra_pen_put_int(pen, "payload", (int64_t) bits);
		break;
	case RLOG_PAYLOAD_DOUBLE:
	case RLOG_PAYLOAD_FLOAT:
		memcpy(&real, &bits, sizeof(real));
		/* With 17 and 9 digits, every double and float can be read back exactly. */
		ra_pen_put_real(pen, "payload", real, type == RLOG_PAYLOAD_DOUBLE ? 17 : 9);
		break;
	default:
		if (bits > INT64_MAX) {
			const uint32_t length =
				(uint32_t) (ra_outbuf_decimal(digits, bits) - digits);

			ra_pen_put_text(
				pen, "payload",
				ra_pen_bytes((struct rlog_string){ digits, length, length }));
		} else {
			ra_pen_put_uint(pen, "payload", bits);
		}
	}
}

static void put_attr(struct ra_out_perfetto *perfetto, const struct ra_attr *attr, uint16_t domain)
{
	struct ra_pen *pen = perfetto->pen;
	char color[16];

	if (attr->category != 0) {
		const uint32_t name =
			ra_model_find_category(perfetto->model, domain, attr->category);

		if (name != 0) {
			ra_pen_put_text(pen, "category", ra_pen_name(RA_PEN_NAMES, name));
		} else {
			ra_pen_put_uint(pen, "category", attr->category);
		}
	}
	if (attr->color != 0) {
		const bool is_opaque = attr->color >> 24 == 0xFF;
		const uint32_t length =
			(uint32_t) snprintf(color, sizeof(color), "#%0*" PRIX32, is_opaque ? 6 : 8,
		                            attr->color & (is_opaque ? 0xFFFFFF : UINT32_MAX));

		ra_pen_put_text(pen, "color",
		                ra_pen_bytes((struct rlog_string){ color, length, length }));
	}
	if (attr->payload_type != RLOG_PAYLOAD_NONE) {
		put_payload(pen, attr->payload_type, attr->payload);
	}
}

static void put_domain(struct ra_out_perfetto *perfetto, uint16_t domain)
{
	if (domain != 0) {
		ra_pen_put_text(perfetto->pen, "domain",
		                ra_pen_name(RA_PEN_NAMES, perfetto->model->domains[domain].name));
	}
}

static void put_flags(struct ra_out_perfetto *perfetto, uint8_t flags)
{
	static const struct {
		uint8_t flag;
		const char *key;
	} keys[] = {
		{ RA_SLICE_OPEN, "open" },         { RA_SLICE_LOST_START, "lost_start" },
		{ RA_SLICE_LOST_END, "lost_end" }, { RA_SLICE_CROSSING, "crossing" },
		{ RA_SLICE_FAILED, "failed" },
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if ((flags & keys[i].flag) != 0) {
			ra_pen_put_true(perfetto->pen, keys[i].key);
		}
	}
}

/* Finds the attributes of an owner. Owners come nearly in order, so the cursor usually is at the
 * right place. */
static const struct ra_attr *next_attr(const struct ra_attr *attrs, size_t count, size_t *cursor,
                                       uint32_t owner)
{
	if (*cursor > 0 && attrs[*cursor - 1].owner >= owner) {
		size_t low = 0; /* a range of 0 ns may be drawn after later ones, so the attributes
		                   must be searched */

		for (size_t high = *cursor; low < high;) {
			const size_t middle = low + (high - low) / 2;

			if (attrs[middle].owner < owner) {
				low = middle + 1;
			} else {
				high = middle;
			}
		}
		*cursor = low;
	}
	while (*cursor < count && attrs[*cursor].owner < owner) {
		(*cursor)++;
	}
	if (*cursor == count || attrs[*cursor].owner != owner) {
		return NULL;
	}
	return &attrs[(*cursor)++];
}

static void put_slice_args(struct ra_out_perfetto *perfetto, uint32_t slice)
{
	const struct ra_model *model = perfetto->model;
	const struct ra_attr *attr = next_attr(model->slice_attrs, model->slice_attr_count,
	                                       &perfetto->slice_attr, slice);
	const uint16_t domain = model->slices.domain[slice];

	put_domain(perfetto, domain);
	ra_out_perfetto_fields_put(perfetto, model->slices.name[slice]);
	if (attr != NULL) {
		put_attr(perfetto, attr, domain);
	}
	if (model->slice_data.count > 0) {
		ra_out_perfetto_payload_put(perfetto->payload, &model->slice_data, slice, domain,
		                            attr);
	}
	if (model->slices.flags[slice] != 0) {
		put_flags(perfetto, model->slices.flags[slice]);
	}
}

void ra_out_perfetto_args_slice(struct ra_out_perfetto *perfetto, uint32_t slice)
{
	put_slice_args(perfetto, slice);
	perfetto->pen->end(perfetto->pen);
}

void ra_out_perfetto_args_mark(struct ra_out_perfetto *perfetto, uint32_t mark)
{
	const struct ra_model *model = perfetto->model;
	const struct ra_attr *attr =
		next_attr(model->mark_attrs, model->mark_attr_count, &perfetto->mark_attr, mark);
	const uint16_t domain = model->marks[mark].domain;

	put_domain(perfetto, domain);
	ra_out_perfetto_fields_put(perfetto, model->marks[mark].name);
	if (attr != NULL) {
		put_attr(perfetto, attr, domain);
	}
	if (model->mark_data.count > 0) {
		ra_out_perfetto_payload_put(perfetto->payload, &model->mark_data, mark, domain,
		                            attr);
	}
	perfetto->pen->end(perfetto->pen);
}

static void put_thread(struct ra_out_perfetto *perfetto, const char *key, uint32_t track)
{
	if (track != RA_NONE) {
		ra_pen_put_int(perfetto->pen, key, perfetto->model->tracks[track].tid);
	}
}

void ra_out_perfetto_args_span(struct ra_out_perfetto *perfetto, uint32_t slice,
                               const struct ra_span *span)
{
	put_slice_args(perfetto, slice);
	if (span != NULL) {
		put_thread(perfetto, "start_tid", span->start_track);
		put_thread(perfetto, "end_tid", span->end_track);
	}
	perfetto->pen->end(perfetto->pen);
}
