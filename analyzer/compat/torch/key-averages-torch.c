/* SPDX-License-Identifier: MIT */
/* Makes the rows of torch.profiler's key_averages(), by torch's own rules. */
#include "analyzer/compat/torch/key-averages.h"

#include "analyzer/compat/torch/flops.h"
#include "analyzer/names/group.h"
#include "analyzer/compat/torch/events.h"

struct making {
	struct ra_key_averages *averages;
	const struct ra_torch_events *events;
	struct ra_key_finder finder;
	unsigned by;
	bool is_old;
};

static struct ra_key_average *find_row(struct making *making, const struct ra_torch_event *event)
{
	static const struct rlog_string step = { "ProfilerStep*", 13, 13 };
	const struct ra_kineto *k = making->events->kineto;
	const uint8_t kind = k->kind[event->row];
	const bool is_device = ra_torch_events_side(making->events->kineto, event->row) == 2;
	const bool is_annotation =
		kind == RA_KINETO_USER_ANNOTATION || kind == RA_KINETO_GPU_USER_ANNOTATION;
	const uint32_t name_id = ra_torch_events_name(making->events, event);
	const uint64_t name = (uint64_t) name_id << 2 | (is_device ? 2 : 0) |
	                      (is_annotation && !making->is_old ? 1 : 0);
	const uint32_t shape = ra_key_averages_shape(k, event->row, making->by);
	const uint32_t stack = ra_key_averages_stack(k, event->row, making->by);
	struct ra_key_average *row;
	bool is_new;
	const uint32_t index = ra_key_averages_find(making->averages, &making->finder, name, shape,
	                                            stack, &is_new);

	row = &making->averages->rows[index];
	if (is_new) {
		row->name = name_id == making->events->step_name ? step : k->strings[name_id];
		row->shapes = k->strings[shape];
		row->stack = k->strings[stack];
		row->is_device = is_device;
		row->is_annotation = is_annotation;
	}
	return row;
}

/* Returns the sum plus an event's bytes, without those of its children. */
static int64_t sum_bytes(int64_t sum, int64_t bytes, int64_t children)
{
	return (int64_t) ((uint64_t) sum + (uint64_t) bytes - (uint64_t) children);
}

static void add_event(struct ra_key_average *row, const struct ra_torch_events *events,
                      const struct ra_torch_event *event)
{
	const struct ra_torch_children children = ra_torch_events_sum_children(events, event);
	const double dur_us = ra_torch_events_length(events->kineto, event->row);
	struct ra_torch_bytes bytes = { 0 };

	row->calls++;
	row->us[RA_KEY_GPU_TOTAL] += event->device_us;
	if (ra_torch_events_side(events->kineto, event->row) == 2) {
		row->us[RA_KEY_GPU_SELF] += event->device_us;
		return;
	}
	row->us[RA_KEY_CPU_TOTAL] += dur_us;
	row->us[RA_KEY_CPU_SELF] += dur_us - children.cpu_us;
	row->us[RA_KEY_GPU_SELF] += event->device_us - children.device_us;
	if (events->bytes != NULL) {
		bytes = events->bytes[event - events->rows];
	}
	row->bytes[RA_KEY_CPU_TOTAL] = sum_bytes(row->bytes[RA_KEY_CPU_TOTAL], bytes.cpu, 0);
	row->bytes[RA_KEY_CPU_SELF] =
		sum_bytes(row->bytes[RA_KEY_CPU_SELF], bytes.cpu, children.cpu_bytes);
	row->bytes[RA_KEY_GPU_TOTAL] = sum_bytes(row->bytes[RA_KEY_GPU_TOTAL], bytes.gpu, 0);
	row->bytes[RA_KEY_GPU_SELF] =
		sum_bytes(row->bytes[RA_KEY_GPU_SELF], bytes.gpu, children.gpu_bytes);
	row->flops += ra_flops_of_event(events->kineto, event->row);
}

static void add_events(struct making *making)
{
	for (size_t i = 0; i < making->events->count; i++) {
		const struct ra_torch_event *event = &making->events->rows[i];

		if (event->parent != i) { /* otherwise the event is deleted */
			add_event(find_row(making, event), making->events, event);
		}
	}
}

/* Up to torch 2.4, projections of ranges count as device work. */
static void sum_rows(struct ra_key_averages *averages, bool is_old)
{
	for (size_t i = 0; i < averages->count; i++) {
		const struct ra_key_average *row = &averages->rows[i];

		averages->cpu_us += row->us[RA_KEY_CPU_SELF];
		if (row->is_device && (is_old || !row->is_annotation)) {
			averages->gpu_us += row->us[RA_KEY_GPU_SELF];
		}
	}
}

void ra_key_averages_init_torch(struct ra_key_averages *averages, const struct ra_kineto *kineto,
                                unsigned by, bool is_old)
{
	struct ra_torch_events events;
	struct making making = {
		.averages = averages,
		.events = &events,
		.by = by,
		.is_old = is_old,
	};

	ra_torch_events_init(&events, kineto);
	*averages = (struct ra_key_averages){ .has_memory = events.bytes != NULL };
	add_events(&making);
	sum_rows(averages, is_old);
	ra_key_averages_fini_finder(&making.finder);
	ra_torch_events_fini(&events);
}
