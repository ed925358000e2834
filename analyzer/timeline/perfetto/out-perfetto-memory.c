/* SPDX-License-Identifier: MIT */
/* Draws memory over time: each process has a counter for each device and kind of memory. */
#include "analyzer/figures/memory.h"
#include "analyzer/rows/kineto-kinds.h"
#include "analyzer/timeline/pens/counter-names.h"
#include "analyzer/timeline/perfetto/out-perfetto.h"

struct putting {
	struct ra_out_perfetto *perfetto;
	uint32_t pid;
	struct rlog_string name;
};

static void put_record(void *context, const struct ra_memory_record *record)
{
	const struct putting *putting = context;
	struct ra_out_perfetto *perfetto = putting->perfetto;
	const struct ra_pen_event event = {
		.category = RA_KINETO_KINDS_MEMORY,
		.name = ra_pen_bytes(putting->name),
		.pid = putting->pid,
		.start_ns = record->time_ns - perfetto->zero_ns,
		.args = RA_PEN_HAS_ARGS,
		.is_name_last = true,
	};

	if (record->time_ns < perfetto->zero_ns) {
		return;
	}
	perfetto->pen->counter(perfetto->pen, &event);
	ra_counter_names_put_memory(perfetto->pen, record);
	perfetto->written++;
}

void ra_out_perfetto_memory_put(struct ra_out_perfetto *perfetto)
{
	struct putting putting = { .perfetto = perfetto };
	struct ra_memory memory;
	char name[RA_COUNTER_NAMES_MEMORY_BYTES];

	if (!ra_memory_has(perfetto->model)) {
		return;
	}
	putting.pid = ra_layout_find_pid(perfetto->layout, 0);
	ra_memory_init(&memory, perfetto->model);
	for (uint32_t i = 0; i < memory.pool_count; i++) {
		putting.name = ra_counter_names_of_pool(&memory.pools[i], name);
		ra_memory_walk(&memory, i, RA_MEMORY_DRAWN, put_record, &putting);
	}
	ra_memory_fini(&memory);
}
