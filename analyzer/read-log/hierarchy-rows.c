/* SPDX-License-Identifier: MIT */
/* Rows beside pushes and pops: start/end ranges, marks, waits, counters, calls, and data. */
#include "analyzer/read-log/hierarchy-impl.h"

#include "analyzer/payload/counters.h"
#include "analyzer/read-log/deferred.h"
#include "analyzer/read-log/regions.h"
#include "format/wire.h"

int ra_hierarchy_take_data(struct ra_hierarchy *hierarchy, const struct ra_row *row,
                           enum ra_builder_list list, uint32_t owner, bool is_end)
{
	struct ra_builder_data data = { .owner = owner, .is_end = is_end };

	data.bytes = ra_row_find_data(row, &data.count);
	if (data.bytes == NULL) {
		return 0;
	}
	hierarchy->may_continue = true;
	return ra_builder_add_data(hierarchy->builder, list, &data);
}

static int take_mark(struct ra_hierarchy *h, struct ra_row *row, uint16_t domain)
{
	struct ra_mark mark = { .time_ns = h->now_ns, .track = h->track_idx, .domain = domain };
	struct ra_builder_attr attr;
	int rc = ra_builder_map_name(h->builder, row->batch->name[row->idx], &mark.name);

	if (rc == 0) {
		rc = ra_builder_add_mark(h->builder, &mark);
	}
	if (rc == 0 && ra_row_take_attrs(row, &attr)) {
		rc = ra_builder_add_mark_attr(h->builder, &attr);
	}
	if (rc == 0) {
		rc = ra_hierarchy_take_data(h, row, RA_BUILDER_MARK_DATA,
		                            (uint32_t) (h->model->mark_count - 1), false);
	}
	return rc;
}

static int take_start(struct ra_hierarchy *h, struct ra_row *row, uint16_t domain)
{
	struct ra_builder_attr attr;
	struct ra_spans_begin begin = {
		.id = row->batch->id[row->idx],
		.time_ns = h->now_ns,
		.track = h->track_idx,
		.domain = domain,
	};
	size_t count = 0;
	int rc = ra_builder_map_name(h->builder, row->batch->name[row->idx], &begin.name);

	begin.data = RA_NONE;
	if (rc == 0 && ra_row_find_data(row, &count) != NULL) {
		begin.data = ra_builder_count_data(h->builder, RA_BUILDER_SLICE_DATA);
		rc = ra_hierarchy_take_data(h, row, RA_BUILDER_SLICE_DATA, RA_NONE, false);
	}
	if (rc != 0) {
		return rc;
	}
	begin.attr = ra_row_take_attrs(row, &attr) ? &attr : NULL;
	return ra_spans_open(h->spans, &begin);
}

static int take_end(struct ra_hierarchy *h, const struct ra_row *row)
{
	struct ra_spans_end end = {
		.id = row->batch->id[row->idx],
		.time_ns = h->now_ns,
		.track = h->track_idx,
		.data = RA_NONE,
	};
	size_t count = 0;
	int rc = 0;

	if (ra_row_find_data(row, &count) != NULL) {
		end.data = ra_builder_count_data(h->builder, RA_BUILDER_SLICE_DATA);
		rc = ra_hierarchy_take_data(h, row, RA_BUILDER_SLICE_DATA, RA_NONE, true);
	}
	return rc != 0 ? rc : ra_spans_close(h->spans, &end);
}

static int take_sync(struct ra_hierarchy *h, const struct ra_row *row, uint16_t domain)
{
	struct ra_sync_event event = {
		.time_ns = h->now_ns,
		.id = row->batch->id[row->idx],
		.domain = domain,
		.op = row->batch->op[row->idx],
	};
	const int rc = ra_builder_map_name(h->builder, row->batch->name[row->idx], &event.name);

	return rc != 0 ? rc : ra_sync_take(h->sync, &h->stack, &event);
}

static int take_sample(struct ra_hierarchy *h, struct ra_row *row, uint16_t domain)
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
	return ra_counters_take(h->builder, &event);
}

static int take_handoff(struct ra_hierarchy *h, const struct ra_row *row)
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

	return ra_builder_add_handoff(h->builder, &handoff);
}

static int take_step(struct ra_hierarchy *h, const struct ra_row *row)
{
	struct ra_builder_step step = {
		.time_ns = h->now_ns,
		.number = ra_row_find_value(row, RLOG_ATTR_PAYLOAD),
		.track = h->track_idx,
		.is_end = row->batch->op[row->idx] == RLOG_OP_STEP_END,
	};
	const int rc = ra_builder_map_name(h->builder, row->batch->name[row->idx], &step.name);

	return rc != 0 ? rc : ra_builder_add_step(h->builder, &step);
}

/* Of calls only those are kept whose data belong on the time axis. */
static int take_call(struct ra_hierarchy *h, const struct ra_row *row, uint16_t domain)
{
	const uint64_t function = row->batch->id[row->idx];
	struct ra_call call = {
		.time_ns = h->now_ns,
		.function = (uint32_t) function,
		.track = h->track_idx,
		.domain = domain,
	};
	size_t count = 0;
	int rc;

	if ((!ra_deferred_is_wanted(function) && !ra_regions_is_wanted(function)) ||
	    ra_row_find_data(row, &count) == NULL) {
		return 0;
	}
	rc = ra_builder_map_name(h->builder, row->batch->name[row->idx], &call.name);
	if (rc == 0) {
		rc = ra_builder_add_call(h->builder, &call);
	}
	return rc != 0 ? rc
	               : ra_hierarchy_take_data(h, row, RA_BUILDER_CALL_DATA,
	                                        (uint32_t) (h->model->call_count - 1), false);
}

static int take_more(struct ra_hierarchy *h, const struct ra_row *row)
{
	size_t count = 0;
	const uint8_t *bytes = ra_row_find_data(row, &count);

	return h->may_continue && bytes != NULL ? ra_builder_continue_data(h->builder, bytes, count)
	                                        : 0;
}

int ra_hierarchy_take_event(struct ra_hierarchy *hierarchy, struct ra_row *row, uint16_t domain)
{
	switch (row->batch->op[row->idx]) {
	case RLOG_OP_START:
		return take_start(hierarchy, row, domain);
	case RLOG_OP_END:
		return take_end(hierarchy, row);
	case RLOG_OP_MARK:
		return take_mark(hierarchy, row, domain);
	case RLOG_OP_CALL:
		return take_call(hierarchy, row, domain);
	case RLOG_OP_MORE:
		return take_more(hierarchy, row);
	case RLOG_OP_ACQUIRE_START:
	case RLOG_OP_ACQUIRE_FAILED:
	case RLOG_OP_ACQUIRE_SUCCESS:
	case RLOG_OP_RELEASING:
		return take_sync(hierarchy, row, domain);
	case RLOG_OP_SAMPLE:
	case RLOG_OP_NO_SAMPLE:
		return take_sample(hierarchy, row, domain);
	case RLOG_OP_HANDOFF:
	case RLOG_OP_ATTACH:
	case RLOG_OP_DETACH:
		return take_handoff(hierarchy, row);
	case RLOG_OP_STEP:
	case RLOG_OP_STEP_END:
		return take_step(hierarchy, row);
	default:
		hierarchy->model->quality.unknown_events++;
		return 0;
	}
}
