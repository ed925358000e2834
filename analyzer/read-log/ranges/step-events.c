/* SPDX-License-Identifier: MIT */
/* Makes ranges of steps: threads report when a step begins, and each report ends the previous
 * step. */
#include "analyzer/read-log/ranges/step-events.h"

#include <string.h>

#include "analyzer/base/order/order.h"
#include "analyzer/model/model-rows.h"
#include "format/wire.h"

static int compare_steps(const void *left, const void *right)
{
	const struct ra_builder_step *a = left;
	const struct ra_builder_step *b = right;

	return RA_ORDER_THEN(RA_ORDER_UP(a, b, time_ns), RA_ORDER_UP(a, b, order));
}

/* Adds a domain that is not in the log, with the next free number. */
static uint16_t add_domain(struct ra_builder *builder)
{
	struct ra_model *m = builder->model;
	const size_t before = m->domain_count;
	uint32_t id = 0;
	uint32_t name;
	uint16_t index;

	for (size_t i = 0; i < m->domain_count; i++) {
		id = m->domains[i].id >= id && m->domains[i].id < UINT32_MAX ? m->domains[i].id + 1
		                                                             : id;
	}
	ra_builder_map_domain(builder, id, &index);
	if (m->domain_count > before) {
		ra_builder_add_name(builder, RA_STEP_EVENTS_DOMAIN, strlen(RA_STEP_EVENTS_DOMAIN),
		                    &name);
		m->domains[index].name = name;
	}
	return index;
}

void ra_step_events_make(struct ra_builder *builder, struct ra_spans *spans, int64_t end_ns)
{
	struct ra_builder_step *steps = builder->steps;
	const size_t count = builder->step_count;
	uint16_t domain;
	uint32_t unnamed;

	if (count == 0) {
		return;
	}
	RA_SORT(steps, count, compare_steps);
	domain = add_domain(builder);
	ra_builder_add_name(builder, "step", strlen("step"), &unnamed);
	for (size_t i = 0; i < count; i++) {
		const struct ra_builder_attr attr = { .payload_type = RLOG_PAYLOAD_U64,
			                              .payload = steps[i].number };
		const struct ra_spans_begin begin = {
			.time_ns = steps[i].time_ns,
			.name = steps[i].name != 0 ? steps[i].name : unnamed,
			.track = steps[i].track,
			.domain = domain,
			.attr = &attr,
			.data = RA_NONE,
		};
		const int64_t until_ns = i + 1 < count ? steps[i + 1].time_ns : end_ns;

		if (!steps[i].is_end) {
			ra_spans_add(spans, &begin,
			             until_ns > begin.time_ns ? until_ns : begin.time_ns);
		}
	}
}

uint32_t ra_step_events_find_domain(const struct ra_model *model)
{
	for (size_t i = 0; i < model->domain_count; i++) {
		const uint32_t id = model->domains[i].name;
		const struct rlog_string name = ra_model_string(model, id);

		if (id != 0 && name.length == strlen(RA_STEP_EVENTS_DOMAIN) &&
		    memcmp(name.bytes, RA_STEP_EVENTS_DOMAIN, name.length) == 0) {
			return (uint32_t) i;
		}
	}
	return RA_STEP_EVENTS_NONE;
}

bool ra_step_events_number(const struct ra_model *model, uint32_t slice, uint64_t *number)
{
	const struct ra_attr *attr = ra_model_find_slice_attr(model, slice);
	struct ra_kineto_value value;

	if (attr != NULL && attr->payload_type == RLOG_PAYLOAD_U64) {
		*number = attr->payload;
		return true;
	}
	if (!ra_kineto_get(model->kineto, ra_model_rows_find_slice(model, slice),
	                   RA_KINETO_ARG_PAYLOAD, &value) ||
	    value.type != RA_KINETO_INT) {
		return false;
	}
	*number = (uint64_t) value.integer;
	return value.integer >= 0;
}
