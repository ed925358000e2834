/* SPDX-License-Identifier: MIT */
/* Reads the tables to which records of rocprofv3 refer: agents, kernels, names of operations, texts
 * of markers. */
#include "analyzer/read-rocprof/rocprof-tables.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/util.h"

void ra_rocprof_tables_fini(struct ra_rocprof_tables *tables)
{
	free(tables->agents);
	ra_util_map_free(&tables->kernel_names);
	ra_util_map_free(&tables->kernel_registers);
	ra_util_map_free(&tables->operations);
	ra_util_map_free(&tables->markers);
	ra_util_text_free(&tables->devices);
}

static uint32_t add_text(const struct ra_rocprof_tables *tables,
                         const struct ra_rocprof_value *value)
{
	return ra_kineto_strings_add(&tables->store->strings, value->text.bytes,
	                             value->text.length);
}

/* ---- agents ---- */

static const struct {
	const char *path;
	size_t offset;
} agent_numbers[] = {
	{ "id/handle", offsetof(struct ra_rocprof_agent, handle) },
	{ "type", offsetof(struct ra_rocprof_agent, type) },
	{ "logical_node_type_id", offsetof(struct ra_rocprof_agent, number) },
	{ "cu_count", offsetof(struct ra_rocprof_agent, units) },
	{ "wave_front_size", offsetof(struct ra_rocprof_agent, wave) },
	{ "gfx_target_version", offsetof(struct ra_rocprof_agent, version) },
	{ "lds_size_in_kb", offsetof(struct ra_rocprof_agent, lds_kb) },
	{ "workgroup_max_size", offsetof(struct ra_rocprof_agent, group) },
	{ "max_engine_clk_fcompute", offsetof(struct ra_rocprof_agent, clock_mhz) },
};

static void take_agent(struct ra_rocprof_tables *tables, const struct ra_rocprof_value *value)
{
	struct ra_rocprof_agent *agent = &tables->agent;

	if (strcmp(value->path, "name") == 0) {
		agent->name = add_text(tables, value);
	} else if (strcmp(value->path, "product_name") == 0) {
		agent->product = add_text(tables, value);
	} else if (strcmp(value->path, "mem_banks/size_in_bytes") == 0) {
		agent->memory_bytes = ra_util_add_time(agent->memory_bytes, value->number);
	}
	for (size_t i = 0; i < sizeof(agent_numbers) / sizeof(agent_numbers[0]); i++) {
		if (strcmp(value->path, agent_numbers[i].path) == 0) {
			memcpy((char *) agent + agent_numbers[i].offset, &value->number,
			       sizeof(value->number));
		}
	}
}

/* Writes the agent's properties in the form that Kineto has for ROCm. A version of 90500 is gfx950:
 * 9.5. */
static void end_agent(struct ra_rocprof_tables *tables)
{
	const struct ra_rocprof_agent *agent = &tables->agent;
	struct ra_util_text *json = &tables->devices;

	RA_UTIL_APPEND(tables->agents, tables->agent_count, tables->agent_capacity, *agent);
	if (agent->type != RA_ROCPROF_GPU) {
		return;
	}
	ra_util_text_format(json, "%s{\"id\":%lld,\"name\":\"", json->length > 0 ? "," : "[",
	                    (long long) agent->number);
	ra_util_text_put_name(json,
	                      ra_kineto_string(tables->store->kineto,
	                                       agent->product != 0 ? agent->product : agent->name),
	                      RA_TEXT_JSON);
	ra_util_text_format(
		json,
		"\",\"totalGlobalMem\":%lld,\"computeMajor\":%lld,\"computeMinor\":%lld,"
		"\"maxThreadsPerBlock\":%lld,\"warpSize\":%lld,\"sharedMemPerBlock\":%lld,"
		"\"numSms\":%lld,\"clockRateKHz\":%lld}",
		(long long) agent->memory_bytes, (long long) (agent->version / 10000),
		(long long) (agent->version / 100 % 100), (long long) agent->group,
		(long long) agent->wave, (long long) (agent->lds_kb & INT32_MAX) * 1024,
		(long long) agent->units, (long long) (agent->clock_mhz & INT32_MAX) * 1000);
}

const struct ra_rocprof_agent *ra_rocprof_tables_agent(const struct ra_rocprof_tables *tables,
                                                       int64_t handle)
{
	for (size_t i = 0; i < tables->agent_count; i++) {
		if (tables->agents[i].handle == handle) {
			return &tables->agents[i];
		}
	}
	return NULL;
}

/* ---- kernels ---- */

static void take_kernel(struct ra_rocprof_tables *tables, const struct ra_rocprof_value *value)
{
	struct ra_rocprof_kernel *kernel = &tables->kernel;

	if (strcmp(value->path, "kernel_id") == 0) {
		kernel->id = value->number;
	} else if (strcmp(value->path, "arch_vgpr_count") == 0) {
		kernel->registers = value->number;
	} else if (value->is_text && value->text.length > 0 &&
	           (strcmp(value->path, "formatted_kernel_name") == 0 ||
	            (strcmp(value->path, "kernel_name") == 0 && kernel->name == 0))) {
		kernel->name = add_text(tables, value);
	}
}

static void end_kernel(struct ra_rocprof_tables *tables)
{
	const struct ra_rocprof_kernel *kernel = &tables->kernel;
	const bool has_registers = kernel->registers > 0 && kernel->registers < UINT32_MAX;

	ra_util_map_put(&tables->kernel_names, (uint64_t) kernel->id, kernel->name);
	ra_util_map_put(&tables->kernel_registers, (uint64_t) kernel->id,
	                has_registers ? (uint32_t) kernel->registers : 0);
}

/* ---- names of operations ---- */

/* Takes the name of a kind or operation. A kind's number is its place in the list; an operation's
 * number is its place in the kind's list. */
static void take_name(struct ra_rocprof_tables *tables, const struct ra_rocprof_value *value)
{
	if (strcmp(value->path, "operations") == 0) {
		ra_util_map_put(&tables->operations,
		                (uint64_t) (tables->kind - 1) << 32 | tables->operation++,
		                add_text(tables, value));
	}
}

uint32_t ra_rocprof_tables_operation(const struct ra_rocprof_tables *tables, int64_t kind,
                                     int64_t operation)
{
	const uint32_t name =
		kind < 0 || kind > UINT32_MAX || operation < 0 || operation > UINT32_MAX
			? RA_UTIL_MAP_NONE
			: ra_util_map_find(&tables->operations,
	                                   (uint64_t) kind << 32 | (uint64_t) operation);

	return name == RA_UTIL_MAP_NONE ? 0 : name;
}

/* ---- all ---- */

static void take_marker(struct ra_rocprof_tables *tables, const struct ra_rocprof_value *value)
{
	if (strcmp(value->path, "key") == 0) {
		tables->marker = value->number;
	} else if (strcmp(value->path, "value") == 0 && value->is_text) {
		ra_util_map_put(&tables->markers, (uint64_t) tables->marker,
		                add_text(tables, value));
	}
}

void ra_rocprof_tables_begin(struct ra_rocprof_tables *tables, const char *section)
{
	if (strcmp(section, "agents") == 0) {
		tables->agent = (struct ra_rocprof_agent){ 0 };
	} else if (strcmp(section, "kernel_symbols") == 0) {
		tables->kernel = (struct ra_rocprof_kernel){ 0 };
	} else if (strcmp(section, "strings/buffer_records") == 0) {
		tables->kind++;
		tables->operation = 0;
	}
}

void ra_rocprof_tables_take(struct ra_rocprof_tables *tables, const char *section,
                            const struct ra_rocprof_value *value)
{
	if (strcmp(section, "agents") == 0) {
		take_agent(tables, value);
	} else if (strcmp(section, "kernel_symbols") == 0) {
		take_kernel(tables, value);
	} else if (strcmp(section, "strings/buffer_records") == 0) {
		take_name(tables, value);
	} else if (strcmp(section, "strings/marker_api") == 0) {
		take_marker(tables, value);
	}
}

void ra_rocprof_tables_end(struct ra_rocprof_tables *tables, const char *section)
{
	if (strcmp(section, "agents") == 0) {
		end_agent(tables);
	} else if (strcmp(section, "kernel_symbols") == 0) {
		end_kernel(tables);
	}
}
