/* SPDX-License-Identifier: MIT */
/* Follows a Chrome trace's flow arrows from ranges to the work that they launched. */
#include "analyzer/read-json/model/kineto-arrows.h"

#include "analyzer/base/util-map.h"
#include "analyzer/rows/kineto.h"

struct following {
	struct ra_model *model;
	struct ra_util_map ops;    /* thread and time → the first operation that begins there */
	struct ra_util_map starts; /* category and id → the event where the flow starts */
};

static uint64_t mix(uint64_t a, uint64_t b)
{
	a = (a ^ b) * UINT64_C(0x9E3779B97F4A7C15);
	return a ^ a >> 32;
}

/* Makes a number of a thread and a time. A collision is very unlikely below 2^32 places, and would
 * make only one arrow wrong. */
static uint64_t find_place(const struct ra_kineto *k, uint32_t event)
{
	return mix(mix(1, ra_kineto_get_thread(k, event)), (uint64_t) ra_kineto_ts(k, event));
}

/* Makes a number of a flow's category and id. Ids are numbers or texts. */
static uint64_t find_arrow(const struct ra_kineto *k, uint32_t event)
{
	struct ra_kineto_value id = { .type = RA_KINETO_ABSENT };

	(void) ra_kineto_get_field(k, event, RA_KINETO_ARG_ID, &id);
	return mix(mix(ra_kineto_get_category(k, event), (uint64_t) id.type),
	           (uint64_t) id.integer);
}

/* The innermost range open on the event's thread; RA_NONE if there is none. */
static uint32_t find_open(const struct ra_model *m, uint32_t event)
{
	const struct ra_kineto *k = m->kineto;
	const uint32_t t = k->threads[ra_kineto_get_thread(k, event)].track;
	const int64_t time_ns = ra_kineto_ts(k, event) - k->zero_ns;
	uint32_t slice = RA_NONE;

	if (t == RA_KINETO_NONE) {
		return RA_NONE;
	}
	for (size_t i = ra_model_find_slice_end(m, &m->tracks[t], time_ns);
	     i-- > m->tracks[t].first_slice && slice == RA_NONE;) {
		slice = (m->slices.flags[i] & RA_SLICE_CROSSING) == 0 ? (uint32_t) i : RA_NONE;
	}
	while (slice != RA_NONE && m->slices.start_ns[slice] + m->slices.dur_ns[slice] <= time_ns) {
		slice = m->slices.parent[slice];
	}
	return slice;
}

static void note_ends(struct following *following)
{
	const struct ra_model *m = following->model;
	const struct ra_kineto *k = m->kineto;

	/* from the end, so that the first operation remains */
	for (uint32_t op = (uint32_t) m->gpu.op_count; op-- > 0;) {
		ra_util_map_put(&following->ops, find_place(k, k->op_event[op]), op);
	}
	for (uint32_t i = 0; i < k->count; i++) {
		if (k->kind[i] == RA_KINETO_FLOW_START && (k->flags[i] & RA_KINETO_HAS_TS) != 0) {
			ra_util_map_put(&following->starts, find_arrow(k, i), i);
		}
	}
}

static void follow(struct following *following, uint32_t end)
{
	const struct ra_model *m = following->model;
	const uint32_t place = ra_util_map_find(&following->ops, find_place(m->kineto, end));
	const uint32_t start = ra_util_map_find(&following->starts, find_arrow(m->kineto, end));
	struct ra_gpu_op *op;
	uint32_t slice;

	if (place == RA_UTIL_MAP_NONE || start == RA_UTIL_MAP_NONE) {
		return;
	}
	op = &m->gpu.ops[place];
	slice = find_open(m, start);
	if (slice != RA_NONE &&
	    (op->slice == RA_NONE || m->slices.start_ns[slice] < m->slices.start_ns[op->slice])) {
		op->slice = slice;
		op->rule = RA_GPU_RULE_STACK;
	}
}

void ra_kineto_arrows_follow(struct ra_model *model)
{
	const struct ra_kineto *k = model->kineto;
	struct following following = { .model = model };

	if (!k->has_details || k->kind_count[RA_KINETO_FLOW_START] == 0 ||
	    model->gpu.op_count == 0) {
		return;
	}
	note_ends(&following);
	for (uint32_t i = 0; i < k->count; i++) {
		if (k->kind[i] == RA_KINETO_FLOW_END && (k->flags[i] & RA_KINETO_HAS_TS) != 0) {
			follow(&following, i);
		}
	}
	ra_util_map_free(&following.ops);
	ra_util_map_free(&following.starts);
}
