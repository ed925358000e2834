/* SPDX-License-Identifier: MIT */
#include "analyzer/compat/tb/comm.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"
#include "format/error.h"

int ra_tb_comm_add(struct ra_tb_nodes *nodes, const struct ra_tb_event *event, uint32_t external)
{
	uint32_t index = ra_util_map_find(&nodes->comm_by_external, external);
	struct ra_tb_comm *comm;

	if (index == RA_UTIL_MAP_NONE) {
		index = (uint32_t) nodes->comm_count;
		if (ra_util_grow(&nodes->comms, &nodes->comm_capacity, nodes->comm_count + 1,
		                 sizeof(*nodes->comms)) != 0 ||
		    ra_util_map_put(&nodes->comm_by_external, external, index) != 0) {
			return -RLOG_E_NO_MEMORY;
		}
		memset(&nodes->comms[nodes->comm_count++], 0, sizeof(*nodes->comms));
	}
	comm = &nodes->comms[index];
	comm->start = event->ts;
	comm->end = event->end;
	comm->row = event->row;
	comm->external = external;
	comm->step = RA_KINETO_NONE;
	comm->ranges.count = 0;
	return ra_stretches_add(&comm->ranges, event->ts, event->end, 0);
}

int ra_tb_comm_add_kernels(struct ra_tb_nodes *nodes)
{
	const uint32_t *externals = nodes->events->kineto->external;
	int rc = 0;

	for (size_t i = 0; i < nodes->device_count && rc == 0 && nodes->has_nccl; i++) {
		const struct ra_tb_device *device = &nodes->devices[i];
		uint32_t comm;

		if (!device->is_kernel) {
			continue;
		}
		comm = ra_tb_comm_find(nodes, externals[device->row]);
		if (comm != RA_UTIL_MAP_NONE) {
			rc = ra_stretches_add(&nodes->comms[comm].ranges, device->start,
			                      device->end, 0);
		}
	}
	return rc;
}

uint32_t ra_tb_comm_find(const struct ra_tb_nodes *nodes, uint32_t external)
{
	return ra_util_map_find(&nodes->comm_by_external, external);
}

static int compare_ranges(const void *a, const void *b)
{
	const struct ra_stretch *left = a;
	const struct ra_stretch *right = b;

	if (left->start != right->start) {
		return left->start > right->start ? 1 : -1;
	}
	return (left->end < right->end) - (left->end > right->end);
}

static int compare_comms(const void *a, const void *b)
{
	const struct ra_tb_comm *left = a;
	const struct ra_tb_comm *right = b;

	if (left->start != right->start) {
		return left->start > right->start ? 1 : -1;
	}
	if (left->end != right->end) {
		return left->end < right->end ? 1 : -1;
	}
	return (left->row > right->row) - (left->row < right->row);
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

		qsort(ranges->rows, ranges->count, sizeof(*ranges->rows), compare_ranges);
	}
	if (nodes->comm_count > 1) {
		qsort(nodes->comms, nodes->comm_count, sizeof(*nodes->comms), compare_comms);
	}
	for (size_t i = 0; i < nodes->comm_count; i++) {
		struct ra_tb_comm *comm = &nodes->comms[i];

		/* A step that it overlaps only in part is no reason to go on to the next. */
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

/* Fills in the real part of the i-th collective of all ranks. */
static int compare_one(struct ra_tb_nodes *const *ranks, size_t count, size_t i)
{
	const struct ra_stretches *first = &ranks[0]->comms[i].ranges;

	for (size_t r = 0; r < count; r++) {
		ranks[r]->comms[i].real.count = 0; /* of a comparison before this one */
	}
	for (size_t k = 0; k < first->count; k++) {
		double shortest = first->rows[k].end - first->rows[k].start;

		for (size_t r = 1; r < count; r++) {
			const struct ra_stretches *ranges = &ranks[r]->comms[i].ranges;
			double length;

			if (ranges->count != first->count) {
				return 1;
			}
			length = ranges->rows[k].end - ranges->rows[k].start;
			shortest = length < shortest ? length : shortest;
		}
		for (size_t r = 0; r < count; r++) {
			struct ra_tb_comm *comm = &ranks[r]->comms[i];
			const double end = comm->ranges.rows[k].end;

			if (ra_stretches_add(&comm->real, end - shortest, end, 0) != 0) {
				return -RLOG_E_NO_MEMORY;
			}
		}
	}
	return 0;
}

int ra_tb_comm_compare(struct ra_tb_nodes *const *ranks, size_t count)
{
	int rc = 0;

	for (size_t r = 0; r < count; r++) {
		if (ranks[r]->comm_count == 0 || ranks[r]->comm_count != ranks[0]->comm_count) {
			return 1;
		}
	}
	for (size_t i = 0; i < ranks[0]->comm_count && rc == 0; i++) {
		rc = compare_one(ranks, count, i);
	}
	return rc;
}

/* Bytes of a value of a type by its name in the trace. */
static int64_t type_bytes(const char *name, size_t length)
{
	static const struct {
		const char *name;
		int64_t bytes;
	} types[] = {
		{ "long int", 8 },  { "float", 4 },         { "int", 4 },
		{ "c10::Half", 2 }, { "c10::BFloat16", 2 }, { "unsigned char", 1 },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (strlen(types[i].name) == length && memcmp(types[i].name, name, length) == 0) {
			return types[i].bytes;
		}
	}
	return 0;
}

/* The next "text" of a JSON array of texts. Return: what follows it, NULL if there is none. */
static const char *next_text(const char *at, const char *end, const char **text, size_t *length)
{
	const char *close;

	at = at == NULL ? NULL : memchr(at, '"', (size_t) (end - at));
	close = at == NULL ? NULL : memchr(at + 1, '"', (size_t) (end - at - 1));
	if (close == NULL) {
		return NULL;
	}
	*text = at + 1;
	*length = (size_t) (close - at - 1);
	return close + 1;
}

/* The product of the next [a,b,…] within an array. Return: what follows it, NULL if there is none.
 */
static const char *next_product(const char *at, const char *end, int64_t *product)
{
	const char *open = memchr(at, '[', (size_t) (end - at));
	int64_t size = 0;
	bool has_digits = false;

	*product = 1;
	if (open == NULL) {
		return NULL;
	}
	for (at = open + 1; at < end; at++) {
		if (*at >= '0' && *at <= '9') {
			has_digits = true;
			if (__builtin_mul_overflow(size, 10, &size) ||
			    __builtin_add_overflow(size, *at - '0', &size)) {
				return NULL;
			}
			continue;
		}
		if (has_digits && __builtin_mul_overflow(*product, size, product)) {
			return NULL;
		}
		has_digits = false;
		size = 0;
		if (*at == ']') {
			return at + 1;
		}
	}
	return NULL;
}

int64_t ra_tb_comm_bytes(const struct ra_kineto *kineto, uint32_t row)
{
	uint32_t id = ra_kineto_get_text(kineto, row, RA_KINETO_ARG_INPUT_DIMS);
	struct rlog_string dims;
	struct rlog_string types;
	const char *type_at;
	const char *at;
	int64_t sum = 0;

	if (id == 0) {
		id = ra_kineto_get_text(kineto, row, RA_KINETO_ARG_INPUT_DIMS_OLD);
	}
	dims = ra_kineto_string(kineto, id);
	types = ra_kineto_string(kineto, ra_kineto_get_text(kineto, row, RA_KINETO_ARG_INPUT_TYPE));
	type_at = types.bytes;
	at = dims.length == 0 ? NULL : dims.bytes + 1;
	while (at != NULL) {
		int64_t product;
		const char *name = "";
		size_t length = 0;

		at = next_product(at, dims.bytes + dims.length, &product);
		type_at = next_text(type_at, types.bytes + types.length, &name, &length);
		if (at != NULL &&
		    !__builtin_mul_overflow(product, type_bytes(name, length), &product)) {
			sum = ra_util_add_time(sum, product);
		}
	}
	return sum;
}
