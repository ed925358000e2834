/* SPDX-License-Identifier: MIT */
/* The arguments of events in Perfetto JSON: domain, category, color, payload, what was repaired. */
#include <inttypes.h>
#include <math.h>

#include "analyzer/timeline/out-perfetto.h"
#include "format/wire.h"

/* Writes the opening of the object with the first argument, a comma with the others. */
static void begin_arg(struct ra_out_perfetto *perfetto, const char *key, bool *is_open)
{
	ra_outbuf_text(perfetto->out, *is_open ? ",\"" : ",\"args\":{\"");
	ra_outbuf_text(perfetto->out, key);
	ra_outbuf_put(perfetto->out, "\":", 2);
	*is_open = true;
}

static void end_args(struct ra_out_perfetto *perfetto, bool is_open)
{
	if (is_open) {
		ra_outbuf_put(perfetto->out, "}", 1);
	}
}

static void put_name(struct ra_out_perfetto *perfetto, uint32_t id)
{
	const struct ra_out_perfetto_text name = ra_out_perfetto_name(&perfetto->names, id);

	ra_outbuf_put(perfetto->out, "\"", 1);
	ra_outbuf_put(perfetto->out, name.bytes, name.length);
	ra_outbuf_put(perfetto->out, "\"", 1);
}

/* Readers hold numbers as int64 or double: what fits neither is text. */
static void put_payload(struct ra_outbuf *out, uint32_t type, uint64_t bits)
{
	double real = 0.0;

	switch (type) {
	case RLOG_PAYLOAD_I64:
	case RLOG_PAYLOAD_I32:
		ra_outbuf_put_signed(out, (int64_t) bits);
		return;
	case RLOG_PAYLOAD_DOUBLE:
	case RLOG_PAYLOAD_FLOAT:
		memcpy(&real, &bits, sizeof(real));
		/* 17 and 9 digits bring every double and float back. */
		ra_outbuf_printf(out, isfinite(real) ? "%.*g" : "\"%.*g\"",
		                 type == RLOG_PAYLOAD_DOUBLE ? 17 : 9, real);
		return;
	default:
		ra_outbuf_printf(out, bits > INT64_MAX ? "\"%" PRIu64 "\"" : "%" PRIu64, bits);
	}
}

static void put_attr(struct ra_out_perfetto *perfetto, const struct ra_attr *attr, uint16_t domain,
                     bool *is_open)
{
	struct ra_outbuf *out = perfetto->out;

	if (attr->category != 0) {
		const uint32_t name =
			ra_model_find_category(perfetto->model, domain, attr->category);

		begin_arg(perfetto, "category", is_open);
		if (name != 0) {
			put_name(perfetto, name);
		} else {
			ra_outbuf_put_decimal(out, attr->category);
		}
	}
	if (attr->color != 0) {
		begin_arg(perfetto, "color", is_open);
		if (attr->color >> 24 == 0xFF) {
			ra_outbuf_printf(out, "\"#%06" PRIX32 "\"", attr->color & 0xFFFFFF);
		} else {
			ra_outbuf_printf(out, "\"#%08" PRIX32 "\"", attr->color);
		}
	}
	if (attr->payload_type != RLOG_PAYLOAD_NONE) {
		begin_arg(perfetto, "payload", is_open);
		put_payload(out, attr->payload_type, attr->payload);
	}
}

static void put_domain(struct ra_out_perfetto *perfetto, uint16_t domain, bool *is_open)
{
	const uint32_t name = perfetto->model->domains[domain].name;

	if (domain != 0) {
		begin_arg(perfetto, "domain", is_open);
		put_name(perfetto, name);
	}
}

static void put_flag(struct ra_out_perfetto *perfetto, const char *key, bool *is_open)
{
	begin_arg(perfetto, key, is_open);
	ra_outbuf_put(perfetto->out, "true", 4);
}

static void put_flags(struct ra_out_perfetto *perfetto, uint8_t flags, bool *is_open)
{
	if ((flags & RA_SLICE_OPEN) != 0) {
		put_flag(perfetto, "open", is_open);
	}
	if ((flags & RA_SLICE_LOST_START) != 0) {
		put_flag(perfetto, "lost_start", is_open);
	}
	if ((flags & RA_SLICE_LOST_END) != 0) {
		put_flag(perfetto, "lost_end", is_open);
	}
	if ((flags & RA_SLICE_CROSSING) != 0) {
		put_flag(perfetto, "crossing", is_open);
	}
	if ((flags & RA_SLICE_FAILED) != 0) {
		put_flag(perfetto, "failed", is_open);
	}
}

/* Finds the attributes of an owner; owners come nearly in order, so the cursor is nearly always
 * right. */
static const struct ra_attr *next_attr(const struct ra_attr *attrs, size_t count, size_t *cursor,
                                       uint32_t owner)
{
	if (*cursor > 0 && attrs[*cursor - 1].owner >= owner) {
		size_t low = 0; /* a range of 0 ns that was drawn late: search */

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

/* What the name tells, which in a table would be left out of it. */
static void put_fields(struct ra_out_perfetto *perfetto, uint32_t name, bool *is_open)
{
	if (ra_out_perfetto_has_fields(perfetto, name)) {
		const struct ra_out_perfetto_text text =
			ra_out_perfetto_name(&perfetto->fields, name);

		ra_outbuf_text(perfetto->out, *is_open ? "," : ",\"args\":{");
		ra_outbuf_put(perfetto->out, text.bytes, text.length);
		*is_open = true;
	}
}

static void put_slice_args(struct ra_out_perfetto *perfetto, uint32_t slice, bool *is_open)
{
	const struct ra_model *model = perfetto->model;
	const struct ra_attr *attr = next_attr(model->slice_attrs, model->slice_attr_count,
	                                       &perfetto->slice_attr, slice);
	const uint16_t domain = model->slices.domain[slice];

	put_domain(perfetto, domain, is_open);
	put_fields(perfetto, model->slices.name[slice], is_open);
	if (attr != NULL) {
		put_attr(perfetto, attr, domain, is_open);
	}
	if (model->slice_data.count > 0) {
		ra_out_perfetto_payload_put(perfetto->payload, &model->slice_data, slice, domain,
		                            attr, is_open);
	}
	if (model->slices.flags[slice] != 0) {
		put_flags(perfetto, model->slices.flags[slice], is_open);
	}
}

void ra_out_perfetto_args_slice(struct ra_out_perfetto *perfetto, uint32_t slice)
{
	bool is_open = false;

	put_slice_args(perfetto, slice, &is_open);
	end_args(perfetto, is_open);
}

void ra_out_perfetto_args_mark(struct ra_out_perfetto *perfetto, uint32_t mark)
{
	const struct ra_model *model = perfetto->model;
	const struct ra_attr *attr =
		next_attr(model->mark_attrs, model->mark_attr_count, &perfetto->mark_attr, mark);
	const uint16_t domain = model->marks[mark].domain;
	bool is_open = false;

	put_domain(perfetto, domain, &is_open);
	put_fields(perfetto, model->marks[mark].name, &is_open);
	if (attr != NULL) {
		put_attr(perfetto, attr, domain, &is_open);
	}
	if (model->mark_data.count > 0) {
		ra_out_perfetto_payload_put(perfetto->payload, &model->mark_data, mark, domain,
		                            attr, &is_open);
	}
	end_args(perfetto, is_open);
}

static void put_thread(struct ra_out_perfetto *perfetto, const char *key, uint32_t track,
                       bool *is_open)
{
	if (track != RA_NONE) {
		begin_arg(perfetto, key, is_open);
		ra_outbuf_put_signed(perfetto->out, perfetto->model->tracks[track].tid);
	}
}

void ra_out_perfetto_args_span(struct ra_out_perfetto *perfetto, uint32_t slice,
                               const struct ra_span *span)
{
	bool is_open = false;

	put_slice_args(perfetto, slice, &is_open);
	if (span != NULL) {
		put_thread(perfetto, "start_tid", span->start_track, &is_open);
		put_thread(perfetto, "end_tid", span->end_track, &is_open);
	}
	end_args(perfetto, is_open);
}
