/* SPDX-License-Identifier: MIT */
/* --compat=tb: finds collectives, and how long they waited for other ranks. */
#include "analyzer/compat/tb/comm.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"

void ra_tb_comm_add(struct ra_tb_nodes *nodes, const struct ra_tb_event *event, uint32_t external)
{
	uint32_t index = ra_util_map_find(&nodes->comm_by_external, external);
	struct ra_tb_comm *comm;

	if (index == RA_UTIL_MAP_NONE) {
		index = (uint32_t) nodes->comm_count;
		ra_util_grow(&nodes->comms, &nodes->comm_capacity, nodes->comm_count + 1,
		             sizeof(*nodes->comms));
		ra_util_map_put(&nodes->comm_by_external, external, index);
		memset(&nodes->comms[nodes->comm_count++], 0, sizeof(*nodes->comms));
	}
	comm = &nodes->comms[index];
	comm->start = event->ts;
	comm->end = event->end;
	comm->row = event->row;
	comm->external = external;
	comm->step = RA_KINETO_NONE;
	comm->ranges.count = 0;
	ra_stretches_add(&comm->ranges, event->ts, event->end, 0);
}

void ra_tb_comm_add_kernels(struct ra_tb_nodes *nodes)
{
	const uint32_t *externals = nodes->events->kineto->external;

	for (size_t i = 0; i < nodes->device_count && nodes->has_nccl; i++) {
		const struct ra_tb_device *device = &nodes->devices[i];
		uint32_t comm;

		if (!device->is_kernel) {
			continue;
		}
		comm = ra_tb_comm_find(nodes, externals[device->row]);
		if (comm != RA_UTIL_MAP_NONE) {
			ra_stretches_add(&nodes->comms[comm].ranges, device->start, device->end, 0);
		}
	}
}

uint32_t ra_tb_comm_find(const struct ra_tb_nodes *nodes, uint32_t external)
{
	return ra_util_map_find(&nodes->comm_by_external, external);
}

static int compare_ranges(const void *a, const void *b)
{
	const struct ra_stretch *left = a;
	const struct ra_stretch *right = b;

	return RA_ORDER_THEN(RA_ORDER_UP(left, right, start), RA_ORDER_DOWN(left, right, end));
}

static int compare_comms(const void *a, const void *b)
{
	const struct ra_tb_comm *left = a;
	const struct ra_tb_comm *right = b;
	int order = RA_ORDER_UP(left, right, start);

	order = RA_ORDER_THEN(order, RA_ORDER_DOWN(left, right, end));
	return RA_ORDER_THEN(order, RA_ORDER_UP(left, right, row));
}

static void clear(struct ra_tb_nodes *nodes)
{
	for (size_t i = 0; i < nodes->comm_count; i++) {
		ra_stretches_fini(&nodes->comms[i].ranges);
		ra_stretches_fini(&nodes->comms[i].real);
	}
	nodes->comm_count = 0;
}

void ra_tb_comm_place(struct ra_tb_nodes *nodes, const struct ra_step_times *times)
{
	size_t step = 0;

	if (nodes->has_nccl && nodes->has_gloo) {
		clear(nodes);
	}
	for (size_t i = 0; i < nodes->comm_count; i++) {
		struct ra_stretches *ranges = &nodes->comms[i].ranges;

		RA_SORT(ranges->rows, ranges->count, compare_ranges);
	}
	RA_SORT(nodes->comms, nodes->comm_count, compare_comms);
	for (size_t i = 0; i < nodes->comm_count; i++) {
		struct ra_tb_comm *comm = &nodes->comms[i];

		/* If a collective overlaps a step only partly, stay at this step. */
		while (step < times->step_count && comm->start >= times->steps[step].end &&
		       (comm->start < times->steps[step].start ||
		        comm->end > times->steps[step].end)) {
			step++;
		}
		if (step < times->step_count && comm->start >= times->steps[step].start &&
		    comm->end <= times->steps[step].end) {
			comm->step = (uint32_t) step;
		}
	}
}

void ra_tb_comm_fini(struct ra_tb_nodes *nodes)
{
	clear(nodes);
	ra_util_map_free(&nodes->comm_by_external);
	free(nodes->comms);
}

/* Sets the time without waiting of the i-th collective of all ranks. Return: true if the
 * collectives match. */
static bool compare_one(struct ra_tb_nodes *const *ranks, size_t count, size_t i)
{
	const struct ra_stretches *first = &ranks[0]->comms[i].ranges;

	for (size_t r = 0; r < count; r++) {
		ranks[r]->comms[i].real.count = 0; /* it may be from an earlier comparison */
	}
	for (size_t k = 0; k < first->count; k++) {
		double shortest = first->rows[k].end - first->rows[k].start;

		for (size_t r = 1; r < count; r++) {
			const struct ra_stretches *ranges = &ranks[r]->comms[i].ranges;
			double length;

			if (ranges->count != first->count) {
				return false;
			}
			length = ranges->rows[k].end - ranges->rows[k].start;
			shortest = length < shortest ? length : shortest;
		}
		for (size_t r = 0; r < count; r++) {
			struct ra_tb_comm *comm = &ranks[r]->comms[i];
			const double end = comm->ranges.rows[k].end;

			ra_stretches_add(&comm->real, end - shortest, end, 0);
		}
	}
	return true;
}

bool ra_tb_comm_compare(struct ra_tb_nodes *const *ranks, size_t count)
{
	for (size_t r = 0; r < count; r++) {
		if (ranks[r]->comm_count == 0 || ranks[r]->comm_count != ranks[0]->comm_count) {
			return false;
		}
	}
	for (size_t i = 0; i < ranks[0]->comm_count; i++) {
		if (!compare_one(ranks, count, i)) {
			return false;
		}
	}
	return true;
}
