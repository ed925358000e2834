/* SPDX-License-Identifier: MIT */
/* A model under construction: grows its arrays, and maps ids of the log to ids of the model. */
#include "analyzer/model/build/builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "format/error.h"
#include "format/read/reader.h"
#include "format/wire.h"

/* At most this many lost strings get a stand-in of their own. There is a limit, because a hostile
 * file could refer to 2^32 lost strings. */
#define MAX_STAND_INS 65536u

#define STAND_IN_BYTES 32

void ra_builder_init(struct ra_builder *builder, struct ra_model *model)
{
	uint16_t index;

	memset(builder, 0, sizeof(*builder));
	builder->model = model;
	while (builder->good_names < model->string_count &&
	       (builder->good_names == 0 || model->strings[builder->good_names].bytes != NULL)) {
		builder->good_names++;
	}
	model->name_count = model->string_count;
	builder->domain_index =
		ra_alloc_zeros(RA_BUILDER_DIRECT_DOMAINS, sizeof(*builder->domain_index));
	ra_builder_map_domain(builder, 0, &index);
}

void ra_builder_fini(struct ra_builder *builder)
{
	free(builder->domain_index);
	ra_util_map_free(&builder->domain_map);
	ra_util_map_free(&builder->lost_names);
	ra_util_map_free(&builder->sync_objects);
	ra_util_map_free(&builder->counters);
	free(builder->steps);
}

void ra_builder_reserve_slices(struct ra_builder *builder, size_t more)
{
	struct ra_slices *s = &builder->model->slices;
	const size_t old = builder->slice_capacity;
	const size_t need = s->count + more;
	size_t next;

	if (need <= old) {
		return;
	}
	if (need >= RA_NONE) {
		ra_alloc_end();
	}
	next = ra_util_next_capacity(old, need);
	ra_util_resize(&s->start_ns, next, sizeof(*s->start_ns));
	ra_util_resize(&s->dur_ns, next, sizeof(*s->dur_ns));
	ra_util_resize(&s->name, next, sizeof(*s->name));
	ra_util_resize(&s->parent, next, sizeof(*s->parent));
	ra_util_resize(&s->domain, next, sizeof(*s->domain));
	ra_util_resize(&s->flags, next, sizeof(*s->flags));
	builder->slice_capacity = next;
}

void ra_builder_add_mark(struct ra_builder *builder, const struct ra_mark *mark)
{
	struct ra_model *m = builder->model;

	RA_UTIL_APPEND(m->marks, m->mark_count, builder->mark_capacity, *mark);
}

static struct ra_attr make_attr(uint32_t owner, const struct ra_builder_attr *attr)
{
	const struct ra_attr made = {
		.owner = owner,
		.category = attr->category,
		.color = attr->color,
		.payload_type = attr->payload_type,
		.payload = attr->payload,
	};

	return made;
}

void ra_builder_add_slice_attr(struct ra_builder *builder, const struct ra_builder_attr *attr)
{
	struct ra_model *m = builder->model;

	RA_UTIL_APPEND(m->slice_attrs, m->slice_attr_count, builder->slice_attr_capacity,
	               make_attr((uint32_t) (m->slices.count - 1), attr));
}

void ra_builder_add_mark_attr(struct ra_builder *builder, const struct ra_builder_attr *attr)
{
	struct ra_model *m = builder->model;

	RA_UTIL_APPEND(m->mark_attrs, m->mark_attr_count, builder->mark_attr_capacity,
	               make_attr((uint32_t) (m->mark_count - 1), attr));
}

void ra_builder_add_call(struct ra_builder *builder, const struct ra_call *call)
{
	struct ra_model *m = builder->model;

	RA_UTIL_APPEND(m->calls, m->call_count, builder->call_capacity, *call);
}

void ra_builder_add_handoff(struct ra_builder *builder, const struct ra_handoff *handoff)
{
	struct ra_model *m = builder->model;

	RA_UTIL_APPEND(m->handoffs, m->handoff_count, builder->handoff_capacity, *handoff);
}

int ra_builder_add_step(struct ra_builder *builder, const struct ra_builder_step *step)
{
	if (builder->step_count >=
	    RLOG_FREE_STEPS + rlog_reader_size_bytes(builder->model->reader)) {
		return -RLOG_E_TOO_DENSE;
	}
	ra_util_grow(&builder->steps, &builder->step_capacity, builder->step_count + 1,
	             sizeof(*builder->steps));
	builder->steps[builder->step_count] = *step;
	builder->steps[builder->step_count].order = (uint32_t) builder->step_count;
	builder->step_count++;
	return 0;
}

void ra_builder_add_loss(struct ra_builder *builder, const struct ra_loss_span *span)
{
	struct ra_model *m = builder->model;

	RA_UTIL_APPEND(m->loss_spans, m->loss_span_count, builder->loss_capacity, *span);
}

void ra_builder_map_domain(struct ra_builder *builder, uint32_t id, uint16_t *index)
{
	struct ra_model *m = builder->model;
	const bool direct = id < RA_BUILDER_DIRECT_DOMAINS;
	const uint32_t known = direct ? builder->domain_index[id] - UINT32_C(1)
	                              : ra_util_map_find(&builder->domain_map, id);

	if (known != RA_NONE) {
		*index = (uint16_t) known;
		return;
	}
	if (m->domain_count == RA_BUILDER_MAX_DOMAINS) {
		*index = RA_BUILDER_MAX_DOMAINS - 1;
		return;
	}
	ra_util_grow(&m->domains, &builder->domain_capacity, m->domain_count + 1,
	             sizeof(*m->domains));
	if (!direct) {
		ra_util_map_put(&builder->domain_map, id, (uint32_t) m->domain_count);
	}
	*index = (uint16_t) m->domain_count;
	if (direct) {
		builder->domain_index[id] = (uint16_t) (*index + 1);
	}
	m->domains[m->domain_count++] = (struct ra_domain){ .id = id, .name = 0 };
}

static void settle(const struct ra_builder *builder)
{
	if (builder->settle != NULL) {
		builder->settle(builder->settle_context);
	}
}

/* Adds a stand-in whose text says which string it stands for. */
static uint32_t add_stand_in(struct ra_builder *builder, uint32_t id)
{
	struct ra_model *m = builder->model;
	const size_t place = m->name_count - m->string_count;
	char *text = ra_alloc_bytes(STAND_IN_BYTES);
	int length;

	settle(builder);
	ra_util_grow(&m->stand_ins, &builder->stand_in_capacity, place + 1, sizeof(*m->stand_ins));
	if (builder->lost_names.count == MAX_STAND_INS - 1) {
		builder->overflow_name = (uint32_t) m->name_count;
		length = snprintf(text, STAND_IN_BYTES, "(more strings lost)");
	} else {
		length = snprintf(text, STAND_IN_BYTES, "(string %lu lost)", (unsigned long) id);
	}
	m->stand_ins[place] = (struct rlog_string){
		.bytes = text,
		.length = (uint32_t) length,
		.full_length = (uint32_t) length,
	};
	return (uint32_t) m->name_count++;
}

void ra_builder_add_name(struct ra_builder *builder, const char *bytes, size_t length,
                         uint32_t *name)
{
	struct ra_model *m = builder->model;
	const size_t place = m->name_count - m->string_count;

	if (m->name_count >= RA_NONE - 1) {
		ra_alloc_end();
	}
	settle(builder);
	ra_util_grow(&m->stand_ins, &builder->stand_in_capacity, place + 1, sizeof(*m->stand_ins));
	m->stand_ins[place] = (struct rlog_string){
		.bytes = ra_util_copy(bytes, length), /* a copy that ends with a NUL */
		.length = (uint32_t) length,
		.full_length = (uint32_t) length,
	};
	*name = (uint32_t) m->name_count++;
}

void ra_builder_map_lost_name(struct ra_builder *builder, uint32_t id, uint32_t *name)
{
	struct ra_model *m = builder->model;

	if (id < m->string_count && m->strings[id].bytes != NULL) {
		*name = id;
		return;
	}
	m->quality.lost_names++;
	*name = ra_util_map_find(&builder->lost_names, id);
	if (*name != RA_UTIL_MAP_NONE) {
		return;
	}
	if (builder->lost_names.count == MAX_STAND_INS) {
		*name = builder->overflow_name;
		return;
	}
	*name = add_stand_in(builder, id);
	ra_util_map_put(&builder->lost_names, id, *name);
}
