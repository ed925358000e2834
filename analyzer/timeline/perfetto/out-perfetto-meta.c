/* SPDX-License-Identifier: MIT */
/* Draws names of processes and threads, and writes JSON's head and foot. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "analyzer/model/walk.h"
#include "analyzer/read-json/json-log.h"
#include "analyzer/timeline/perfetto/out-perfetto.h"
#include "format/read/reader.h"

/* Limits a sort index to the range that Perfetto accepts. Perfetto puts the lowest index on top.
 * All rows of a thread have the same index. */
static int64_t clamp_sort_index(int64_t value)
{
	return value < 0 || value > INT32_MAX ? INT32_MAX : value;
}

void ra_out_perfetto_meta_process(struct ra_out_perfetto *perfetto, uint32_t pid,
                                  struct rlog_string name, const char *label, int64_t sort_index)
{
	const struct ra_pen_track track = {
		.pid = pid,
		.name = name,
		.label = label,
		.sort_index = clamp_sort_index(sort_index),
		.has_sort_index = true,
	};

	perfetto->pen->track(perfetto->pen, &track);
}

void ra_out_perfetto_meta_row(struct ra_out_perfetto *perfetto, uint32_t pid, uint32_t tid,
                              struct rlog_string name, int64_t sort_index)
{
	const struct ra_pen_track track = {
		.pid = pid,
		.tid = tid,
		.name = name,
		.sort_index = clamp_sort_index(sort_index),
		.has_sort_index = true,
	};

	perfetto->pen->track(perfetto->pen, &track);
}

static const char *find_last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

static void put_process(struct ra_out_perfetto *perfetto, uint32_t process)
{
	const struct ra_process *facts = &perfetto->model->processes[process];
	const uint32_t pid = ra_layout_find_pid(perfetto->layout, process);
	char name[512];
	int length =
		snprintf(name, sizeof(name) - 64, "%s",
	                 facts->exe != NULL && facts->exe[0] != '\0' ? find_last_part(facts->exe)
	                                                             : "process");

	if (length > (int) sizeof(name) - 65) {
		length = (int) sizeof(name) - 65;
	}
	length += snprintf(name + length, 32, " %" PRId64, facts->pid);
	if (facts->rank >= 0) {
		length += snprintf(name + length, 32, " (rank %" PRId64 ")", facts->rank);
	}
	const struct rlog_string text = { name, (uint32_t) length, (uint32_t) length };

	ra_out_perfetto_meta_process(perfetto, pid, text, "CPU",
	                             perfetto->place == NULL ? facts->pid : (int64_t) pid);
}

static void put_fact(struct ra_jsonw *json, const struct ra_model *model, const char *fact,
                     const char *key)
{
	const struct rlog_fact *found = rlog_reader_find_capture(model->reader, fact);

	if (found != NULL && found->type == RLOG_FACT_U64) {
		ra_jsonw_key(json, key);
		ra_jsonw_unsigned(json, found->u64);
	}
}

static void put_limit(struct ra_jsonw *json, const char *key, int64_t value)
{
	if (value > 0) {
		ra_jsonw_key(json, key);
		ra_jsonw_signed(json, value);
	}
}

/* Writes a device's properties with Kineto's words and in Kineto's order. Unknown values are left
 * out. */
static void put_device(struct ra_jsonw *json, const struct ra_model *model,
                       const struct ra_gpu_device *device)
{
	const struct ra_occupancy_device *limits = &device->limits;
	const struct rlog_string name = ra_model_string(model, device->name);

	ra_jsonw_open(json, '{');
	ra_jsonw_key(json, "id");
	ra_jsonw_unsigned(json, device->id);
	ra_jsonw_key(json, "name");
	ra_jsonw_bytes(json, name.bytes, name.length);
	put_limit(json, "totalGlobalMem",
	          device->memory_bytes <= INT64_MAX ? (int64_t) device->memory_bytes : 0);
	put_limit(json, "computeMajor", limits->cc_major);
	ra_jsonw_key(json, "computeMinor");
	ra_jsonw_signed(json, limits->cc_minor);
	put_limit(json, "maxThreadsPerBlock", limits->threads_per_block);
	put_limit(json, "maxThreadsPerMultiprocessor", limits->threads_per_sm);
	put_limit(json, "regsPerBlock", limits->registers_per_block);
	put_limit(json, "warpSize", 32);
	put_limit(json, "sharedMemPerBlock", limits->shared_per_block_bytes);
	put_limit(json, "numSms", limits->multiprocessors);
	put_limit(json, "regsPerMultiprocessor", limits->registers_per_sm);
	put_limit(json, "sharedMemPerBlockOptin", limits->shared_optin_bytes);
	put_limit(json, "sharedMemPerMultiprocessor", limits->shared_per_sm_bytes);
	ra_jsonw_close(json, '}');
}

bool ra_out_perfetto_meta_has_rank(const struct ra_model *model)
{
	return model->process_count == 1 && model->processes[0].rank >= 0;
}

int64_t ra_out_perfetto_meta_base(const struct ra_out_perfetto *perfetto)
{
	return (int64_t) ((uint64_t) perfetto->model->zero_real_ns + (uint64_t) perfetto->zero_ns);
}

void ra_out_perfetto_meta_begin(struct ra_out_perfetto *perfetto)
{
	const struct ra_model *model = perfetto->model;
	struct ra_jsonw *json = &perfetto->json;

	ra_jsonw_open(json, '{');
	ra_jsonw_key(json, "schemaVersion");
	ra_jsonw_unsigned(json, 1);
	ra_jsonw_key(json, "deviceProperties");
	ra_jsonw_open(json, '[');
	for (size_t i = 0; i < model->gpu.device_count; i++) {
		put_device(json, model, &model->gpu.devices[i]);
	}
	ra_jsonw_close(json, ']');
	if (ra_out_perfetto_meta_has_rank(model)) {
		ra_jsonw_key(json, "distributedInfo");
		ra_jsonw_open(json, '{');
		ra_jsonw_key(json, "rank");
		/* HolisticTraceAnalysis searches for this blank */
		ra_outbuf_put(perfetto->out, " ", 1);
		ra_jsonw_signed(json, model->processes[0].rank);
		if (model->reader != NULL) {
			put_fact(json, model, "world_size", "world_size");
		}
		ra_jsonw_close(json, '}');
	}
	ra_jsonw_key(json, "displayTimeUnit");
	ra_jsonw_text(json, "ms");
	ra_jsonw_key(json, "baseTimeNanoseconds");
	ra_jsonw_signed(json, ra_out_perfetto_meta_base(perfetto));
	ra_jsonw_key(json, "traceEvents");
	ra_jsonw_open(json, '[');
}

void ra_out_perfetto_meta_processes(struct ra_out_perfetto *perfetto)
{
	for (uint32_t i = 0; i < perfetto->model->process_count; i++) {
		put_process(perfetto, i);
	}
}

size_t ra_out_perfetto_meta_format_thread(const struct ra_out_perfetto *perfetto,
                                          const struct ra_track *track, char *name, size_t size)
{
	const bool is_trace = ra_model_has(perfetto->model, RA_HAS_ROWS);
	int length = 0;

	if (track->tid != 0 || (is_trace && track->name == 0)) {
		length = snprintf(name, size, "thread %" PRId64, track->tid);
	} else {
		length = is_trace ? snprintf(name, size, "thread")
		                  : snprintf(name, size, "stream %" PRIu32, track->stream);
	}
	if (track->name != 0) {
		const struct rlog_string own = ra_model_string(perfetto->model, track->name);
		const int kept = own.length < 256 ? (int) own.length : 256;

		name[length++] = ' ';
		name[length++] = '(';
		memcpy(name + length, own.bytes, (size_t) kept);
		length += kept;
		name[length++] = ')';
	}
	return (size_t) length;
}

void ra_out_perfetto_meta_track(struct ra_out_perfetto *perfetto, uint32_t track)
{
	const struct ra_track *facts = &perfetto->model->tracks[track];
	const uint32_t tid = ra_layout_find_tid(perfetto->layout, track);
	char name[RA_OUT_PERFETTO_THREAD_BYTES];
	const size_t length =
		ra_out_perfetto_meta_format_thread(perfetto, facts, name, sizeof(name));

	ra_out_perfetto_meta_row(perfetto, perfetto->pid, tid,
	                         (struct rlog_string){ name, (uint32_t) length, (uint32_t) length },
	                         facts->tid);
}

void ra_out_perfetto_meta_lanes(struct ra_out_perfetto *perfetto, uint32_t track)
{
	const struct ra_track *facts = &perfetto->model->tracks[track];
	char name[RA_OUT_PERFETTO_THREAD_BYTES + 32];
	const size_t length = ra_out_perfetto_meta_format_thread(perfetto, facts, name,
	                                                         RA_OUT_PERFETTO_THREAD_BYTES);
	uint32_t first_tid = 0;
	const uint32_t count = ra_layout_count_lanes(perfetto->layout, &first_tid);

	for (uint32_t lane = 0; lane < count; lane++) {
		const uint32_t tid = first_tid + lane;
		const uint32_t all =
			(uint32_t) length +
			(uint32_t) snprintf(name + length, 32, " crossing %" PRIu32, lane + 1);

		ra_out_perfetto_meta_row(perfetto, perfetto->pid, tid,
		                         (struct rlog_string){ name, all, all }, facts->tid);
	}
}

static void put_count(struct ra_jsonw *json, const char *key, uint64_t value)
{
	ra_jsonw_key(json, key);
	ra_jsonw_unsigned(json, value);
}

void ra_out_perfetto_meta_end(struct ra_out_perfetto *perfetto, const char *output_name)
{
	const struct ra_model *model = perfetto->model;
	const struct ra_quality *quality = &model->quality;
	const struct ra_layout_left_out left_out = ra_layout_left_out(perfetto->layout);
	struct ra_jsonw *json = &perfetto->json;
	uint64_t lost = 0;

	for (size_t i = 0; i < sizeof(quality->lost) / sizeof(quality->lost[0]); i++) {
		lost += quality->lost[i];
	}
	ra_jsonw_newline(json);
	ra_jsonw_close(json, ']');
	ra_jsonw_key(json, "metadata");
	ra_jsonw_open(json, '{');
	ra_jsonw_key(json, "tool");
	ra_jsonw_text(json, PACKAGE_NAME " analyzer " PACKAGE_VERSION);
	if (model->process_count > 0 && model->processes[0].host != NULL &&
	    model->processes[0].host[0] != '\0') {
		ra_jsonw_key(json, "host");
		ra_jsonw_text(json, model->processes[0].host);
	}
	put_count(json, "ranges", ra_walk_count_slices(model));
	put_count(json, "marks", ra_walk_count_marks(model));
	put_count(json, "not_drawn", left_out.too_deep + left_out.no_lane + left_out.too_early);
	if (model->gpu.op_count > 0) {
		put_count(json, "gpu_operations", model->gpu.op_count);
		put_count(json, "gpu_operations_before_launch", perfetto->reversed);
		put_count(json, "gpu_counters_sampled", perfetto->sampled);
	}
	put_count(json, "lost_events", lost);
	put_count(json, "missing_rows", quality->missing_rows);
	put_count(json, "damaged_stretches", quality->damaged_stretches);
	ra_jsonw_key(json, "closed");
	ra_jsonw_bool(json, quality->closed);
	ra_jsonw_close(json, '}');
	ra_jsonw_key(json, "traceName");
	ra_jsonw_text(json, output_name);
	if (perfetto->has_log) {
		ra_json_log_put(perfetto->out, model->reader);
	}
	ra_jsonw_close(json, '}');
	ra_jsonw_newline(json);
}
