/* SPDX-License-Identifier: MIT */
/* Handles rows other than pushes and pops: start/end ranges, marks, waits, counters, calls, and
 * data. */
#include "analyzer/read-log/hierarchy/hierarchy-impl.h"

#include "analyzer/payload/counters.h"
#include "analyzer/read-log/payloads/deferred.h"
#include "analyzer/read-log/payloads/regions.h"
#include "format/wire.h"

void ra_hierarchy_take_data(struct ra_hierarchy *hierarchy, const struct ra_row *row,
                            enum ra_builder_list list, uint32_t owner, bool is_end)
{
	struct ra_builder_data data = { .owner = owner, .is_end = is_end };

	data.bytes = ra_row_find_data(row, &data.count);
	if (data.bytes == NULL) {
		return;
	}
	hierarchy->may_continue = true;
	ra_builder_add_data(hierarchy->builder, list, &data);
}

static void take_mark(struct ra_hierarchy *h, struct ra_row *row, uint16_t domain)
{
	struct ra_mark mark = { .time_ns = h->now_ns, .track = h->track_idx, .domain = domain };
	struct ra_builder_attr attr;

	ra_builder_map_name(h->builder, row->batch->name[row->idx], &mark.name);
	ra_builder_add_mark(h->builder, &mark);
	if (ra_row_take_attrs(row, &attr)) {
		ra_builder_add_mark_attr(h->builder, &attr);
	}
	ra_hierarchy_take_data(h, row, RA_BUILDER_MARK_DATA, (uint32_t) (h->model->mark_count - 1),
	                       false);
}

static void take_start(struct ra_hierarchy *h, struct ra_row *row, uint16_t domain)
{
	struct ra_builder_attr attr;
	struct ra_spans_begin begin = {
		.id = row->batch->id[row->idx],
		.time_ns = h->now_ns,
		.track = h->track_idx,
		.domain = domain,
	};
	size_t count = 0;
	const bool has_data = ra_row_find_data(row, &count) != NULL;

	ra_builder_map_name(h->builder, row->batch->name[row->idx], &begin.name);
	begin.data = RA_NONE;
	if (has_data && h->window != NULL) {
		/* The payload may contain the range's name, and a walk must show the payload. In
		 * both cases the model must hold everything. */
		if (begin.name == 0 || ra_slice_window_is_walk(h->window)) {
			ra_slice_window_lose(h->window);
		}
	} else if (has_data) {
		begin.data = ra_builder_count_data(h->builder, RA_BUILDER_SLICE_DATA);
		ra_hierarchy_take_data(h, row, RA_BUILDER_SLICE_DATA, RA_NONE, false);
	}
	begin.attr = ra_row_take_attrs(row, &attr) ? &attr : NULL;
	ra_spans_open(h->spans, &begin);
}

static void take_end(struct ra_hierarchy *h, const struct ra_row *row)
{
	struct ra_spans_end end = {
		.id = row->batch->id[row->idx],
		.time_ns = h->now_ns,
		.track = h->track_idx,
		.data = RA_NONE,
	};
	size_t count = 0;
	const bool has_data = ra_row_find_data(row, &count) != NULL;

	if (has_data && h->window != NULL) {
		ra_slice_window_lose(h->window); /* the payload may contain the name of the start */
	} else if (has_data) {
		end.data = ra_builder_count_data(h->builder, RA_BUILDER_SLICE_DATA);
		ra_hierarchy_take_data(h, row, RA_BUILDER_SLICE_DATA, RA_NONE, true);
	}
	ra_spans_close(h->spans, &end);
}

static void take_sync(struct ra_hierarchy *h, const struct ra_row *row, uint16_t domain)
{
	struct ra_sync_event event = {
		.time_ns = h->now_ns,
		.id = row->batch->id[row->idx],
		.domain = domain,
		.op = row->batch->op[row->idx],
	};

	ra_builder_map_name(h->builder, row->batch->name[row->idx], &event.name);
	ra_sync_take(h->sync, &h->stack, &event);
}

static void take_sample(struct ra_hierarchy *h, struct ra_row *row, uint16_t domain)
{
	struct ra_counters_event event = {
		.time_ns = h->now_ns,
		.id = row->batch->id[row->idx],
		.payload = ra_row_find_value(row, RLOG_ATTR_PAYLOAD),
		.payload_type = (uint32_t) ra_row_find_value(row, RLOG_ATTR_PTYPE),
		.domain = domain,
		.has_value = row->batch->op[row->idx] == RLOG_OP_SAMPLE,
	};

	event.data = ra_row_find_data(row, &event.data_count);
	h->may_continue = event.data != NULL;
	ra_counters_take(h->builder, &event);
}

static void take_handoff(struct ra_hierarchy *h, const struct ra_row *row)
{
	const uint8_t op = row->batch->op[row->idx];
	const struct ra_handoff handoff = {
		.time_ns = h->now_ns,
		.id = row->batch->id[row->idx],
		.track = h->track_idx,
		.slice = ra_stack_find_innermost(&h->stack),
		.kind = op == RLOG_OP_HANDOFF  ? RA_HANDOFF_CAPTURE
		        : op == RLOG_OP_ATTACH ? RA_HANDOFF_ATTACH
		                               : RA_HANDOFF_DETACH,
	};

	ra_builder_add_handoff(h->builder, &handoff);
}

static int take_step(struct ra_hierarchy *h, const struct ra_row *row)
{
	struct ra_builder_step step = {
		.time_ns = h->now_ns,
		.number = ra_row_find_value(row, RLOG_ATTR_PAYLOAD),
		.track = h->track_idx,
		.is_end = row->batch->op[row->idx] == RLOG_OP_STEP_END,
	};

	ra_builder_map_name(h->builder, row->batch->name[row->idx], &step.name);
	return ra_builder_add_step(h->builder, &step);
}

/* Stores a call, if it is one whose payload contains times. */
static void take_call(struct ra_hierarchy *h, const struct ra_row *row, uint16_t domain)
{
	const uint64_t function = row->batch->id[row->idx];
	struct ra_call call = {
		.time_ns = h->now_ns,
		.function = (uint32_t) function,
		.track = h->track_idx,
		.domain = domain,
	};
	size_t count = 0;

	if ((!ra_deferred_is_wanted(function) && !ra_regions_is_wanted(function)) ||
	    ra_row_find_data(row, &count) == NULL) {
		return;
	}
	ra_builder_map_name(h->builder, row->batch->name[row->idx], &call.name);
	ra_builder_add_call(h->builder, &call);
	ra_hierarchy_take_data(h, row, RA_BUILDER_CALL_DATA, (uint32_t) (h->model->call_count - 1),
	                       false);
}

static void take_more(struct ra_hierarchy *h, const struct ra_row *row)
{
	size_t count = 0;
	const uint8_t *bytes = ra_row_find_data(row, &count);

	if (h->may_continue && bytes != NULL) {
		ra_builder_continue_data(h->builder, bytes, count);
	}
}

int ra_hierarchy_take_event(struct ra_hierarchy *hierarchy, struct ra_row *row, uint16_t domain)
{
	switch (row->batch->op[row->idx]) {
	case RLOG_OP_START:
	case RLOG_OP_BEGUN:
		take_start(hierarchy, row, domain);
		return 0;
	case RLOG_OP_END:
		take_end(hierarchy, row);
		return 0;
	case RLOG_OP_MARK:
		take_mark(hierarchy, row, domain);
		return 0;
	case RLOG_OP_CALL:
		take_call(hierarchy, row, domain);
		return 0;
	case RLOG_OP_MORE:
		take_more(hierarchy, row);
		return 0;
	case RLOG_OP_ACQUIRE_START:
	case RLOG_OP_ACQUIRE_FAILED:
	case RLOG_OP_ACQUIRE_SUCCESS:
	case RLOG_OP_RELEASING:
		take_sync(hierarchy, row, domain);
		return 0;
	case RLOG_OP_SAMPLE:
	case RLOG_OP_NO_SAMPLE:
		take_sample(hierarchy, row, domain);
		return 0;
	case RLOG_OP_HANDOFF:
	case RLOG_OP_ATTACH:
	case RLOG_OP_DETACH:
		take_handoff(hierarchy, row);
		return 0;
	case RLOG_OP_STEP:
	case RLOG_OP_STEP_END:
		return take_step(hierarchy, row);
	default:
		hierarchy->model->quality.unknown_events++;
		return 0;
	}
}
