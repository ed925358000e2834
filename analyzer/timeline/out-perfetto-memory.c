/* SPDX-License-Identifier: MIT */
/* Memory over time in Perfetto JSON: a counter of the process for each device and kind. */
#include "analyzer/figures/memory.h"
#include "analyzer/rows/kineto-kinds.h"
#include "analyzer/timeline/out-perfetto.h"

struct putting {
	struct ra_out_perfetto *perfetto;
	uint32_t pid;
	char name[RA_MEMORY_NAME_BYTES];
};

static void put_record(void *context, const struct ra_memory_record *record)
{
	const struct putting *putting = context;
	struct ra_out_perfetto *perfetto = putting->perfetto;
	struct ra_outbuf *out = perfetto->out;

	if (record->time_ns < perfetto->zero_ns) {
		return;
	}
	ra_outbuf_printf(
		out, ",\n{\"ph\":\"C\",\"cat\":\"" RA_KINETO_KINDS_MEMORY "\",\"pid\":%lu,\"ts\":",
		(unsigned long) putting->pid);
	ra_outbuf_commit(out, ra_outbuf_micros(ra_outbuf_reserve(out, RA_MICROS_BYTES),
	                                       record->time_ns - perfetto->zero_ns));
	ra_outbuf_printf(out, ",\"name\":\"Memory %s\",\"args\":{\"allocated\":%lld", putting->name,
	                 (long long) record->allocated);
	if (record->reserved >= 0) {
		ra_outbuf_printf(out, ",\"reserved\":%lld", (long long) record->reserved);
	}
	ra_outbuf_text(out, "}}");
	perfetto->written++;
}

void ra_out_perfetto_memory_put(struct ra_out_perfetto *perfetto)
{
	struct putting putting = { .perfetto = perfetto };
	struct ra_memory memory;

	if (!ra_memory_has(perfetto->model)) {
		return;
	}
	putting.pid = ra_layout_find_pid(perfetto->layout, 0);
	ra_memory_init(&memory, perfetto->model);
	for (uint32_t i = 0; i < memory.pool_count; i++) {
		(void) ra_memory_name(&memory.pools[i], putting.name);
		ra_memory_walk(&memory, i, RA_MEMORY_DRAWN, put_record, &putting);
	}
	ra_memory_fini(&memory);
}
