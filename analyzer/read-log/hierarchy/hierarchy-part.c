/* SPDX-License-Identifier: MIT */
/* Lets the hierarchy start in the middle of a thread, and end before the thread's end. */
#include "analyzer/read-log/hierarchy/hierarchy-part.h"

#include "analyzer/read-log/hierarchy/hierarchy-impl.h"

int64_t ra_hierarchy_part_time(struct ra_hierarchy *hierarchy, uint64_t ticks)
{
	return ra_clock_convert(hierarchy->clock, ticks, &hierarchy->segment) - hierarchy->zero_ns;
}

void ra_hierarchy_part_open(struct ra_hierarchy *hierarchy, const struct rlog_open_range *range)
{
	struct ra_hierarchy *h = hierarchy;
	struct ra_slices *s = &h->model->slices;
	uint16_t domain;
	uint32_t name;
	size_t slice;

	ra_builder_reserve_slices(h->builder, 1);
	ra_builder_find_domain(h->builder, range->domain, &domain);
	ra_builder_map_name(h->builder, range->name, &name);
	slice = s->count++;
	s->start_ns[slice] = ra_hierarchy_part_time(h, range->ticks);
	s->name[slice] = name;
	s->domain[slice] = domain;
	s->flags[slice] = 0;
	ra_stack_open(&h->stack, (uint32_t) slice, domain);
	h->now_ns = s->start_ns[slice] > h->now_ns ? s->start_ns[slice] : h->now_ns;
}

void ra_hierarchy_part_close(struct ra_hierarchy *hierarchy, uint32_t domain, uint64_t ticks)
{
	struct ra_hierarchy *h = hierarchy;
	const int64_t time_ns = ra_hierarchy_part_time(h, ticks);
	struct ra_slices *s = &h->model->slices;
	uint16_t index;
	uint32_t slice;

	h->now_ns = time_ns > h->now_ns ? time_ns : h->now_ns;
	ra_builder_find_domain(h->builder, domain, &index);
	slice = ra_stack_close(&h->stack, index);
	if (slice != RA_NONE) {
		s->dur_ns[slice] = h->now_ns - s->start_ns[slice];
	}
}

void ra_hierarchy_part_end(struct ra_hierarchy *hierarchy, uint64_t events, uint64_t first_ticks,
                           uint64_t last_ticks)
{
	const int64_t last_ns = ra_hierarchy_part_time(hierarchy, last_ticks);

	hierarchy->track->events = events;
	hierarchy->track->first_ns = ra_hierarchy_part_time(hierarchy, first_ticks);
	hierarchy->now_ns = last_ns > hierarchy->now_ns ? last_ns : hierarchy->now_ns;
}
