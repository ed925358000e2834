/* SPDX-License-Identifier: MIT */
/* Finds when a process read its input, started its profiler, or did one-time work. */
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/text/util-string.h"
#include "analyzer/advice/advice.h"
#include "analyzer/base/util.h"
#include "analyzer/names/name-tests.h"
#include "analyzer/names/op-kinds.h"
#include "analyzer/rows/kineto.h"

#define LONG_NS      1000000 /* shorter calls are ignored */
#define LEAST_OTHERS 2
#define LEAST_STEPS  4
/* a first call is noted if it takes this many times the mean of the others */
#define FIRST_FACTOR 10

/* Ranges of one name: the first over all threads, and the sum of the others. */
struct first {
	uint32_t slice;
	uint32_t process; /* process of the first range */
	uint64_t others;
	int64_t others_ns;
};

struct firsts {
	struct first *rows; /* owned */
	size_t count;
	size_t capacity;
	struct ra_util_map index; /* name → rows */
};

static bool has_any(struct rlog_string name, const char *const *words)
{
	for (; *words != NULL; words++) {
		if (ra_util_string_has(name, *words)) {
			return true;
		}
	}
	return false;
}

bool ra_advice_host_is_loader(struct rlog_string name)
{
	/* True of the threads and processes of a data loader. They run in parallel with the
	 * program. */
	static const char *const beside[] = { "_utils/pin_memory.py", "_utils/worker.py", NULL };
	static const char *const words[] = { "next_batch",        "load_batch",
		                             "data_load",         "load_data",
		                             "dataloader",        "DataLoader.__next__",
		                             "torch/utils/data/", "image_processing_",
		                             "): preprocess",     NULL };

	return !has_any(name, beside) && (ra_op_kinds_is_loader(name) || has_any(name, words));
}

static bool is_profiler(struct rlog_string name)
{
	return ra_util_string_has(name, "torch/profiler/profiler.py");
}

static void add_stretch(struct ra_intervals *set, int64_t start_ns, int64_t dur_ns)
{
	ra_intervals_add(set, start_ns, ra_util_add_time(start_ns, dur_ns));
}

static void add_loader(struct ra_advice_host *host, struct rlog_string name, int64_t start_ns,
                       int64_t dur_ns)
{
	if (dur_ns > host->loader_ns) {
		host->loader = name;
		host->loader_ns = dur_ns;
	}
	add_stretch(&host->loading, start_ns, dur_ns);
}

/* Finds the entry of a track's process. If there are several processes, a track of an unknown
 * process gets the last entry, which is never read. */
static struct ra_advice_host *find_host(struct ra_advice_host *hosts, const struct ra_model *model,
                                        uint32_t track)
{
	if (track < model->track_count) {
		return &hosts[model->tracks[track].process];
	}
	return &hosts[model->process_count > 1 ? model->process_count : 0];
}

static void find_first(struct firsts *firsts, const struct ra_model *model, uint32_t slice,
                       uint32_t process)
{
	const struct ra_slices *slices = &model->slices;
	const uint32_t name = slices->name[slice];
	const uint32_t place = ra_util_map_find(&firsts->index, name);
	struct first *row;
	uint32_t other = slice;

	if (place >= firsts->count) {
		ra_util_grow(&firsts->rows, &firsts->capacity, firsts->count + 1,
		             sizeof(*firsts->rows));
		ra_util_map_put(&firsts->index, name, (uint32_t) firsts->count);
		firsts->rows[firsts->count++] =
			(struct first){ .slice = slice, .process = process };
		return;
	}
	row = &firsts->rows[place];
	if (slices->start_ns[slice] < slices->start_ns[row->slice]) {
		other = row->slice;
		row->slice = slice;
		row->process = process;
	}
	row->others++;
	row->others_ns = ra_util_add_time(row->others_ns, slices->dur_ns[other]);
}

/* Notes by how much each first call took longer than the mean of the others. */
static void note_firsts(struct ra_advice_host *hosts, const struct ra_model *model,
                        const struct firsts *firsts)
{
	for (size_t i = 0; i < firsts->count; i++) {
		const struct first *row = &firsts->rows[i];
		const int64_t dur_ns = model->slices.dur_ns[row->slice];
		const int64_t mean_ns =
			row->others > 0 ? row->others_ns / (int64_t) row->others : 0;

		if (row->others >= LEAST_OTHERS && dur_ns > LONG_NS &&
		    dur_ns / FIRST_FACTOR > mean_ns) {
			add_stretch(&hosts[row->process].first_use,
			            model->slices.start_ns[row->slice], dur_ns - mean_ns);
		}
	}
}

/* Tests for the names of ranges. */
struct tests {
	struct ra_name_tests loaders;
	struct ra_name_tests profilers;
	struct firsts firsts;
};

static void note_slice(struct ra_advice_host *hosts, struct tests *tests,
                       const struct ra_advice *advice, uint32_t slice, uint32_t process)
{
	const struct ra_slices *slices = &advice->model->slices;
	struct ra_advice_host *host = &hosts[process];

	if (ra_name_tests_ask(&tests->loaders, slices->name[slice])) {
		add_loader(host, ra_model_string(advice->model, slices->name[slice]),
		           slices->start_ns[slice], slices->dur_ns[slice]);
		return;
	}
	if (ra_name_tests_ask(&tests->profilers, slices->name[slice])) {
		add_stretch(&host->profiler, slices->start_ns[slice], slices->dur_ns[slice]);
		return;
	}
	if (!advice->steps->steps.is_step[slice]) {
		find_first(&tests->firsts, advice->model, slice, process);
	}
}

static void note_slices(struct ra_advice_host *hosts, const struct ra_advice *advice)
{
	const struct ra_model *model = advice->model;
	struct tests tests = { 0 };

	ra_name_tests_init(&tests.loaders, model, ra_advice_host_is_loader);
	ra_name_tests_init(&tests.profilers, model, is_profiler);
	for (uint32_t t = 0; t < model->track_count; t++) {
		const struct ra_track *track = &model->tracks[t];

		for (size_t i = 0; i < track->slice_count; i++) {
			note_slice(hosts, &tests, advice, (uint32_t) (track->first_slice + i),
			           track->process);
		}
	}
	ra_name_tests_fini(&tests.loaders);
	ra_name_tests_fini(&tests.profilers);
	note_firsts(hosts, model, &tests.firsts);
	free(tests.firsts.rows);
	ra_util_map_free(&tests.firsts.index);
}

/* Finds what a function does from its name. */
enum function {
	FUNCTION_UNSEEN,
	FUNCTION_OTHER,
	FUNCTION_LOADER,
	FUNCTION_PROFILER,
};

static uint8_t find_function(struct rlog_string name)
{
	return ra_advice_host_is_loader(name) ? FUNCTION_LOADER
	       : is_profiler(name)            ? FUNCTION_PROFILER
	                                      : FUNCTION_OTHER;
}

/* Notes Python functions, which are ranges of the model only with --python. Each name is tested
 * only once, because a few functions are called many times. */
static void note_python(struct ra_advice_host *hosts, const struct ra_model *model)
{
	const struct ra_kineto *kineto = model->kineto;
	uint8_t *functions = ra_alloc_zeros(kineto->string_count + 1, sizeof(*functions));

	for (uint32_t i = 0; i < kineto->count; i++) {
		const struct rlog_string name = ra_kineto_string(kineto, kineto->name[i]);
		const int64_t start_ns = ra_kineto_ts(kineto, i) - kineto->zero_ns;
		uint8_t *function = &functions[kineto->name[i]];
		struct ra_advice_host *host;

		if (kineto->kind[i] != RA_KINETO_PYTHON_FUNCTION || ra_kineto_dur(kineto, i) <= 0) {
			continue;
		}
		if (*function == FUNCTION_UNSEEN) {
			*function = find_function(name);
		}
		host = find_host(hosts, model,
		                 kineto->threads[ra_kineto_get_thread(kineto, i)].track);
		if (*function == FUNCTION_LOADER) {
			add_loader(host, name, start_ns, ra_kineto_dur(kineto, i));
		} else if (*function == FUNCTION_PROFILER) {
			add_stretch(&host->profiler, start_ns, ra_kineto_dur(kineto, i));
		}
	}
	free(functions);
}

/* True of calls that allocate or free memory at once, not in the order of a stream. */
static bool is_allocation(struct rlog_string name)
{
	static const char *const words[] = { "Malloc",     "cudaFree",     "hipFree",
		                             "HostAlloc",  "HostFree",     "cuMemAlloc",
		                             "cuMemFree",  "cuMemCreate",  "cuMemMap",
		                             "cuMemUnmap", "cuMemRelease", NULL };

	return has_any(name, words) && !ra_util_string_has(name, "Async");
}

/* True if most steps contain a call that allocates or frees memory. */
static bool allocates_in_steps(const struct ra_advice *advice,
                               struct ra_name_tests *are_allocations)
{
	const struct ra_steps *steps = &advice->steps->steps;
	const struct ra_gpu *gpu = &advice->model->gpu;
	const size_t count = steps->is_whole ? 0 : steps->times.step_count;
	uint8_t *has = ra_alloc_zeros(count + 1, sizeof(*has));
	size_t found = 0;

	for (size_t i = 0; i < gpu->api_count && count >= LEAST_STEPS; i++) {
		if (ra_name_tests_ask(are_allocations, gpu->apis[i].name)) {
			has[ra_steps_find(steps, gpu->apis[i].start_ns)] =
				1; /* the last entry is for calls outside of all steps */
		}
	}
	for (size_t i = 0; i < count; i++) {
		found += has[i];
	}
	free(has);
	return found * 2 > count;
}

/* Notes calls that allocate memory, if most steps have such calls. Also notes long calls that
 * neither wait nor copy: they load modules, allocate memory, or build graphs. */
static void note_calls(struct ra_advice_host *hosts, const struct ra_advice *advice)
{
	const struct ra_model *model = advice->model;
	static const char *const others[] = { "Synchronize", "emcpy",       "emset",
		                              "EventQuery",  "GraphLaunch", NULL };
	const struct ra_gpu *gpu = &model->gpu;
	struct ra_name_tests are_allocations = { 0 };
	bool is_regular;

	ra_name_tests_init(&are_allocations, model, is_allocation);
	is_regular = allocates_in_steps(advice, &are_allocations);
	for (size_t i = 0; i < gpu->api_count; i++) {
		const struct ra_gpu_api *api = &gpu->apis[i];
		struct ra_advice_host *host = find_host(hosts, model, api->track);

		host->has_calls = true;
		if (is_regular && ra_name_tests_ask(&are_allocations, api->name)) {
			add_stretch(&host->allocation, api->start_ns, api->dur_ns);
		} else if (api->dur_ns >= LONG_NS &&
		           !has_any(ra_model_string(model, api->name), others)) {
			add_stretch(&host->first_use, api->start_ns, api->dur_ns);
		}
	}
	ra_name_tests_fini(&are_allocations);
}

/* Notes an overhead that CUPTI recorded. It is caused by the recording, unless the driver loaded or
 * compiled code. */
static void note_overhead(struct ra_advice_host *host, const struct ra_gpu_overhead *overhead)
{
	const char *name = ra_gpu_overhead_name(overhead->kind);
	const struct rlog_string text = ra_util_string(name);
	const bool is_load = ra_util_string_has(text, "Load") || ra_util_string_has(text, "Compil");

	add_stretch(is_load ? &host->first_use : &host->profiler, overhead->start_ns,
	            overhead->dur_ns);
}

/* Notes overheads. If an overhead is recorded for a process without calls, it counts for all
 * processes. */
static void note_overheads(struct ra_advice_host *hosts, const struct ra_model *model)
{
	for (size_t i = 0; i < model->gpu.overhead_count; i++) {
		const struct ra_gpu_overhead *overhead = &model->gpu.overheads[i];
		struct ra_advice_host *host = find_host(hosts, model, overhead->track);

		if (host->has_calls) {
			note_overhead(host, overhead);
		}
		for (size_t p = 0; p < model->process_count && !host->has_calls; p++) {
			note_overhead(&hosts[p], overhead);
		}
	}
}

struct ra_advice_host *ra_advice_host_init(const struct ra_advice *advice)
{
	const struct ra_model *model = advice->model;
	struct ra_advice_host *hosts = ra_alloc_zeros(model->process_count + 1, sizeof(*hosts));

	note_slices(hosts, advice);
	if (ra_model_has(model, RA_HAS_ROWS)) {
		note_python(hosts, model);
	}
	note_calls(hosts, advice);
	note_overheads(hosts, model);
	for (size_t i = 0; i <= model->process_count; i++) {
		ra_intervals_unite(&hosts[i].loading);
		ra_intervals_unite(&hosts[i].profiler);
		ra_intervals_unite(&hosts[i].first_use);
		ra_intervals_unite(&hosts[i].allocation);
	}
	return hosts;
}

void ra_advice_host_fini(struct ra_advice_host *hosts, const struct ra_advice *advice)
{
	for (size_t i = 0; i <= advice->model->process_count; i++) {
		ra_intervals_fini(&hosts[i].loading);
		ra_intervals_fini(&hosts[i].profiler);
		ra_intervals_fini(&hosts[i].first_use);
		ra_intervals_fini(&hosts[i].allocation);
	}
	free(hosts);
}
