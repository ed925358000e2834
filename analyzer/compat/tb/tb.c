/* SPDX-License-Identifier: MIT */
/* --compat=tb: makes the data for this mode's reports. */
#include "analyzer/compat/tb/tb.h"

#include <math.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/run-sort.h"
#include "analyzer/base/order/search.h"
#include "analyzer/compat/tb/links.h"
#include "analyzer/compat/tb/tables.h"

static double get_real(const struct ra_kineto *kineto, uint32_t row, enum ra_kineto_key key)
{
	double real = NAN;

	return ra_kineto_get_real(kineto, row, key, &real) ? real : NAN;
}

static void find_kernel(const void *context, uint32_t number, struct ra_gpu_usage_kernel *kernel)
{
	*kernel = ((const struct ra_gpu_usage_kernel *) context)[number];
}

static int compare_devices(const void *context, uint32_t left, uint32_t right)
{
	const struct ra_gpu_usage_kernel *kernels = context;

	return RA_ORDER(kernels[left].device, kernels[right].device);
}

/* Lists kernels, in order of time. Return: how many there are. */
static size_t list_kernels(const struct ra_tb *tb, struct ra_gpu_usage_kernel *kernels)
{
	const struct ra_kineto *kineto = tb->events.kineto;
	size_t count = 0;

	for (size_t i = 0; i < tb->nodes.device_count; i++) {
		const struct ra_tb_device *device = &tb->nodes.devices[i];
		struct ra_gpu_usage_kernel *kernel = &kernels[count];

		if (!device->is_kernel ||
		    !ra_kineto_get_int(kineto, device->row, RA_KINETO_ARG_DEVICE,
		                       &kernel->device)) {
			continue;
		}
		kernel->start = device->start;
		kernel->end = device->end;
		kernel->blocks = get_real(kineto, device->row, RA_KINETO_ARG_BLOCKS_PER_SM);
		kernel->occupancy = get_real(kineto, device->row, RA_KINETO_ARG_OCCUPANCY);
		count++;
	}
	return count;
}

static void measure_usage(struct ra_tb *tb)
{
	const struct ra_step_times *times = &tb->steps.times;
	const struct ra_stretch window = { times->steps[0].start,
		                           times->steps[times->step_count - 1].end, 0 };
	struct ra_gpu_usage_kernel *all = ra_alloc_zeros(tb->nodes.device_count + 1, sizeof(*all));
	uint32_t *order = ra_order_create_indices(tb->nodes.device_count);
	const struct ra_gpu_usage_kernels kernels = {
		.order = order,
		.count = list_kernels(tb, all),
		.find = find_kernel,
		.context = all,
	};

	ra_run_sort_indices(order, kernels.count, compare_devices, all);
	ra_gpu_usage_init(&tb->usages, &kernels, &window, true);
	free(order);
	free(all);
}

/* Sums over kernels of runtime calls. */
struct kernel_time {
	double all;
	double tensor;
	uint64_t count;
};

static void add_kernel(struct kernel_time *time, const struct ra_tb_device *device)
{
	const double length = device->end - device->start;

	time->all += length;
	time->tensor += device->is_tensor ? length : 0;
	time->count++;
}

/* Adds a kernel to its GPU's time. */
static void add_to_gpu(const struct ra_tb *tb, const struct ra_tb_device *device,
                       struct kernel_time *by_usage)
{
	const struct ra_gpu_usage *usages = tb->usages.rows;
	struct ra_search at = ra_search_in(0, tb->usages.count);
	int64_t id;

	if (!ra_kineto_get_int(tb->events.kineto, device->row, RA_KINETO_ARG_DEVICE, &id)) {
		return;
	}
	while (ra_search_next(&at)) {
		ra_search_tell(&at, usages[at.middle].device < id);
	}
	if (at.low < tb->usages.count && usages[at.low].device == id) {
		add_kernel(&by_usage[at.low], device);
	}
}

/* Adds the kernels of a node's calls. @by_usage: gets each kernel's time for its GPU, too; may be
 * NULL. */
static void add_kernels(const struct ra_tb *tb, uint32_t node, struct kernel_time *time,
                        struct kernel_time *by_usage)
{
	const struct ra_tb_nodes *nodes = &tb->nodes;

	for (uint32_t link = nodes->nodes[node].first_link; link != RA_KINETO_NONE;
	     link = nodes->links[link].next) {
		uint32_t i = nodes->runtimes[nodes->links[link].runtime].first;

		for (; i != RA_KINETO_NONE; i = nodes->devices[i].next) {
			const struct ra_tb_device *device = &nodes->devices[i];

			if (device->is_kernel) {
				add_kernel(time, device);
			}
			if (device->is_kernel && by_usage != NULL) {
				add_to_gpu(tb, device, by_usage);
			}
		}
	}
}

/* The sums from a walk over all nodes. */
struct sums {
	struct kernel_time operators;
	struct kernel_time *by_usage; /* owned; the same for each GPU */
	struct kernel_time eligible;  /* of eligible nodes that have no eligible node below them */
	bool *has_eligible;           /* owned; for each node: the node or one below it is
	                                 eligible */
};

static void sum_tree(const struct ra_tb *tb, uint32_t root, struct sums *sums)
{
	const struct ra_tb_nodes *nodes = &tb->nodes;

	for (uint32_t at = ra_tb_nodes_begin(nodes, root); at != RA_KINETO_NONE;
	     at = ra_tb_nodes_next(nodes, root, at)) {
		const uint32_t parent = nodes->nodes[at].parent;

		if (nodes->nodes[at].is_eligible && !sums->has_eligible[at]) {
			sums->has_eligible[at] = true;
			add_kernels(tb, at, &sums->eligible, NULL);
		}
		if (sums->has_eligible[at] && parent != RA_KINETO_NONE) {
			sums->has_eligible[parent] = true;
		}
		if (ra_tb_nodes_is_operator(nodes, at)) {
			add_kernels(tb, at, &sums->operators, sums->by_usage);
		}
	}
}

/* Returns the share of kernel time with tensor cores over all kernels. Takes the durations from the
 * text of dur. */
static double share_of_all(const struct ra_tb *tb)
{
	const struct ra_kineto *kineto = tb->events.kineto;
	double all = 0;
	double tensor = 0;
	bool has_kernels = false;

	for (size_t i = 0; i < tb->nodes.device_count; i++) {
		const struct ra_tb_device *device = &tb->nodes.devices[i];

		if (device->is_kernel) {
			const double dur = ra_kineto_us(ra_kineto_dur(kineto, device->row));

			has_kernels = true;
			all += dur;
			tensor += device->is_tensor ? dur : 0;
		}
	}
	if (!has_kernels) {
		return NAN;
	}
	return all > 0 ? tensor / all : 0;
}

static void fill_shares(struct ra_tb *tb, const struct sums *sums)
{
	const struct kernel_time *whole = &sums->operators;

	for (size_t i = 0; i < tb->usages.count; i++) {
		const struct kernel_time *time = &sums->by_usage[i];

		tb->tensor_share[i] = whole->count == 0 ? NAN
		                      : time->all > 0   ? time->tensor / time->all
		                                        : 0;
	}
	tb->eligible_share = whole->all > 0 ? sums->eligible.all / whole->all : 0;
	/* The plugin looks at all kernels only if one of them has the role. */
	tb->tensor_share_of_all = tb->has_role[RA_ROLE_KERNEL] ? share_of_all(tb) : NAN;
}

static void measure_tensor(struct ra_tb *tb)
{
	const struct ra_tb_nodes *nodes = &tb->nodes;
	struct sums sums = {
		.by_usage = ra_alloc_zeros(tb->usages.count + 1, sizeof(*sums.by_usage)),
		.has_eligible = ra_alloc_zeros(nodes->node_count + 1, sizeof(*sums.has_eligible)),
	};

	tb->tensor_share = ra_alloc_zeros(tb->usages.count + 1, sizeof(*tb->tensor_share));
	for (size_t i = 0; i < nodes->tree_count; i++) {
		if (!nodes->trees[i].is_dropped) {
			sum_tree(tb, nodes->trees[i].root, &sums);
		}
	}
	fill_shares(tb, &sums);
	free(sums.by_usage);
	free(sums.has_eligible);
}

/* Without steps and operators, the single step that stands for everything has no start and no
 * end. */
static void clear_endless(struct ra_tb *tb)
{
	const struct ra_step *first = &tb->steps.times.steps[0];
	struct ra_step_cost *cost = &tb->costs[0];

	if (first->start <= first->end) {
		return;
	}
	cost->role[RA_ROLE_OTHER] = NAN;
	cost->role[RA_ROLE_TOTAL] = NAN;
	cost->overlap.other = NAN;
	tb->mean = *cost;
}

static void fill_tb(struct ra_tb *tb, const struct ra_kineto *kineto)
{
	ra_tb_events_init(&tb->events, kineto);
	ra_tb_links_init(&tb->nodes, &tb->events);
	ra_tb_steps_init(&tb->steps, &tb->nodes);
	for (size_t role = 0; role < RA_ROLE_OTHER; role++) {
		tb->has_role[role] = tb->steps.times.roles[role].count > 0;
	}
	tb->costs = ra_alloc_zeros(tb->steps.times.step_count + 1, sizeof(*tb->costs));
	ra_step_costs_fill(&tb->steps.times, tb->costs, &tb->mean);
	clear_endless(tb);
	measure_usage(tb);
	/* Making the trees takes most memory, so this comes last. */
	ra_tb_links_make_trees(&tb->nodes);
	measure_tensor(tb);
}

struct ra_tb *ra_tb_create(const struct ra_kineto *kineto)
{
	struct ra_tb *tb = ra_alloc_zeros(1, sizeof(*tb));

	fill_tb(tb, kineto);
	return tb;
}

void ra_tb_destroy(struct ra_tb *tb)
{
	if (tb == NULL) {
		return;
	}
	ra_tb_tables_destroy(tb->tables);
	free(tb->tensor_share);
	ra_gpu_usage_fini(&tb->usages);
	free(tb->costs);
	ra_tb_steps_fini(&tb->steps);
	ra_tb_nodes_fini(&tb->nodes);
	ra_tb_events_fini(&tb->events);
	free(tb);
}
