/* SPDX-License-Identifier: MIT */
/* Tables: how each producer names a device, a queue, a kernel, a copy, a call, a link. */
#include "analyzer/producers/producers.h"

#include <string.h>
#include <strings.h>

#include "analyzer/producers/pattern.h"

/*
 * doc/metrics.md, section 16, has these tables in words, and doc/howto-add-producer.md tells how to
 * add a row. In each table the first row that matches is used.
 */

static const char xla[] = "XLA";           /* JAX, TensorFlow, PyTorch/XLA: trace.json and XPlane */
static const char tf1[] = "TF1";           /* TensorFlow's old timeline.py */
static const char cann[] = "CANN";         /* Ascend: torch_npu, msprof */
static const char rocprof[] = "rocprof";   /* versions 1 and 2, in Chrome's format */
static const char autograd[] = "autograd"; /* PyTorch's profiler before Kineto */

/* ---- categories ---- */

struct category {
	const char *pattern;
	enum ra_kineto_kind kind;
};

/*
 * Kineto's categories, for all its backends: CUDA, HIP, XPU, MTIA, HPU and those named privateuse1.
 * Triton's Proton has `kernel` as well.
 */
static const struct category categories[] = {
	{ "cpu_op", RA_KINETO_CPU_OP },
	{ "operator", RA_KINETO_CPU_OP },
	{ "user_annotation", RA_KINETO_USER_ANNOTATION },
	{ "gpu_user_annotation", RA_KINETO_GPU_USER_ANNOTATION },
	{ "python_function", RA_KINETO_PYTHON_FUNCTION },
	{ "runtime", RA_KINETO_RUNTIME },
	{ "kernel", RA_KINETO_KERNEL },
	{ "mtia_ccp_events", RA_KINETO_KERNEL },
	{ "gpu_memcpy", RA_KINETO_MEMCPY },
	{ "memcpy", RA_KINETO_MEMCPY },
	{ "gpu_memset", RA_KINETO_MEMSET },
	{ "memset", RA_KINETO_MEMSET },
	{ "cuda_sync", RA_KINETO_SYNC },
	{ "overhead", RA_KINETO_OVERHEAD },
	{ "trace", RA_KINETO_TRACE },
	{ "cuda_event", RA_KINETO_TRACE }, /* an event recorded on a stream is no work */
	{ "cuda_profiler_range", RA_KINETO_PROFILER_RANGE },
};

/* Endings that several categories share: cuda_runtime, xpu_runtime, privateuse1_driver … */
static const struct category endings[] = {
	{ "_runtime", RA_KINETO_RUNTIME },
	{ "_driver", RA_KINETO_DRIVER },
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static bool is_word(struct rlog_string text, const char *word)
{
	return strlen(word) == text.length && strncasecmp(text.bytes, word, text.length) == 0;
}

static bool has_end(struct rlog_string text, const char *end)
{
	const size_t length = strlen(end);

	return text.length > length &&
	       strncasecmp(text.bytes + text.length - length, end, length) == 0;
}

enum ra_kineto_kind ra_producers_find_kind(struct rlog_string category)
{
	for (size_t i = 0; i < COUNT(categories); i++) {
		if (is_word(category, categories[i].pattern)) {
			return categories[i].kind;
		}
	}
	for (size_t i = 0; i < COUNT(endings); i++) {
		if (has_end(category, endings[i].pattern)) {
			return endings[i].kind;
		}
	}
	return RA_KINETO_OTHER;
}

/* ---- rows ---- */

struct row {
	const char *producer;
	const char *process; /* pattern (pattern.h); its first number is that of the device */
	const char *thread;  /* pattern; its first number is that of the queue */
	enum ra_producers_role role;
	/* the device's word; NULL: the text that matched the first star of the process pattern */
	const char *word;
	bool is_by_thread; /* the id of the thread is the number of the device */
	bool is_common;    /* other programs may have rows of this name, too */
};

static const struct row rows[] = {
	/* On GPUs the rows are streams; on TPUs the operations are the work. */
	{ xla, "/device:*:%", "Stream #%*", RA_PRODUCERS_WORK, NULL, false, false },
	{ xla, "/device:*:%*", "XLA Ops", RA_PRODUCERS_WORK_ELSE, NULL, false, false },
	{ xla, "/device:*:%*", "Async XLA Ops", RA_PRODUCERS_WORK_ELSE, NULL, false, false },
	{ xla, "/device:*:%*", "XLA Modules", RA_PRODUCERS_RANGES, NULL, false, false },
	{ xla, "/device:*:%*", "XLA TraceMe", RA_PRODUCERS_RANGES, NULL, false, false },
	{ xla, "/device:*:%*", "Steps", RA_PRODUCERS_RANGES, NULL, false, false },
	{ xla, "/device:*:%*", "Framework *", RA_PRODUCERS_RANGES, NULL, false, false },
	{ xla, "/device:*:%*", "TensorFlow *", RA_PRODUCERS_RANGES, NULL, false, false },
	{ xla, "/device:*:%*", "Launch Stats*", RA_PRODUCERS_COMPUTED, NULL, false, false },
	{ xla, "/device:*:%*", "Source*", RA_PRODUCERS_RANGES, NULL, false, false },
	{ xla, "/device:*:%*", "*", RA_PRODUCERS_UNKNOWN, NULL, false, false },
	{ xla, "/host:*", "*", RA_PRODUCERS_HOST, NULL, false, false },
	{ xla, "/device:CUSTOM:*", "*", RA_PRODUCERS_UNKNOWN, "custom device", false, false },

	{ tf1, "*/device:GPU:%/stream:% Compute", "*", RA_PRODUCERS_WORK, "GPU", false, false },
	{ tf1, "*/device:GPU:%/*", "*", RA_PRODUCERS_RANGES, "GPU", false, false },

	{ cann, "Ascend Hardware", "Stream %*", RA_PRODUCERS_WORK, "NPU", false, false },
	{ cann, "Ascend Hardware", "*", RA_PRODUCERS_WORK, "NPU", false, false },
	{ cann, "Overlap Analysis", "*", RA_PRODUCERS_COMPUTED, "NPU", false, true },
	{ cann, "Communication", "*", RA_PRODUCERS_RANGES, "NPU", false, true },
	{ cann, "HCCL", "*", RA_PRODUCERS_RANGES, "NPU", false, true },

	{ rocprof, "GPU%", "*", RA_PRODUCERS_WORK, "GPU", false, false },
	{ rocprof, "COPY", "*", RA_PRODUCERS_WORK, "GPU", false, true },
	{ rocprof, "CPU HIP API", "*", RA_PRODUCERS_CALLS, NULL, false, false },
	{ rocprof, "CPU HSA API", "*", RA_PRODUCERS_CALLS, NULL, false, false },

	{ autograd, "CUDA functions", "*", RA_PRODUCERS_WORK, "GPU", true, false },
};

void ra_producers_find_row(struct ra_producers_row *row, struct rlog_string process,
                           struct rlog_string thread)
{
	struct ra_pattern_found of_process;
	struct ra_pattern_found of_thread;

	*row = (struct ra_producers_row){ .role = RA_PRODUCERS_HOST, .device = -1, .stream = -1 };
	for (size_t i = 0; i < COUNT(rows); i++) {
		if (ra_pattern_match(rows[i].process, process, &of_process) &&
		    ra_pattern_match(rows[i].thread, thread, &of_thread)) {
			row->role = rows[i].role;
			row->producer = rows[i].producer;
			row->word = of_process.word;
			if (rows[i].word != NULL) {
				const uint32_t length = (uint32_t) strlen(rows[i].word);

				row->word = (struct rlog_string){ rows[i].word, length, length };
			}
			row->device = of_process.numbers[0];
			row->stream = of_thread.numbers[0] >= 0 ? of_thread.numbers[0]
			                                        : of_process.numbers[1];
			row->is_by_thread = rows[i].is_by_thread;
			row->is_common = rows[i].is_common;
			return;
		}
	}
}

/* ---- args ---- */

static const struct ra_producers_key keys[] = {
	{ xla, RA_KINETO_ARG_CORRELATION_ID, RA_PRODUCERS_LINK },
	{ xla, RA_KINETO_ARG_KERNEL_DETAILS, RA_PRODUCERS_DETAILS },
	{ xla, RA_KINETO_ARG_MEMCPY_DETAILS, RA_PRODUCERS_DETAILS },
	{ xla, RA_KINETO_ARG_MEMSET_DETAILS, RA_PRODUCERS_DETAILS },
	{ cann, RA_KINETO_ARG_CONNECTION_ID, RA_PRODUCERS_LINK },
	{ NULL, RA_KINETO_NO_KEY, RA_PRODUCERS_LINK },
};

const struct ra_producers_key *ra_producers_borrow_keys(void)
{
	return keys;
}

static const struct ra_producers_detail details[] = {
	{ "grid", RA_KINETO_ARG_GRID, true, false, false },
	{ "block", RA_KINETO_ARG_BLOCK, true, false, false },
	{ "regs", RA_KINETO_ARG_REGISTERS, false, false, true },
	{ "static_shared", RA_KINETO_ARG_SHARED_MEMORY, false, true, true },
	{ "dynamic_shared", RA_KINETO_ARG_SHARED_MEMORY, false, true, true },
	{ "group_mem", RA_KINETO_ARG_SHARED_MEMORY, false, true, true },
	{ "occ_pct", RA_KINETO_ARG_OCCUPANCY, false, false, false },
	{ "size", RA_KINETO_ARG_BYTES, false, false, true },
};

const struct ra_producers_detail *ra_producers_find_detail(struct rlog_string word)
{
	for (size_t i = 0; i < COUNT(details); i++) {
		if (strlen(details[i].word) == word.length &&
		    memcmp(details[i].word, word.bytes, word.length) == 0) {
			return &details[i];
		}
	}
	return NULL;
}

/* ---- names ---- */

static const struct ra_producers_name names[] = {
	/* XLA: */
	{ "MemcpyH2D*", RA_KINETO_MEMCPY, 1 },
	{ "MemcpyD2H*", RA_KINETO_MEMCPY, 2 },
	{ "MemcpyD2D*", RA_KINETO_MEMCPY, 8 },
	{ "MemcpyH2H*", RA_KINETO_MEMCPY, 9 },
	{ "MemcpyP2P*", RA_KINETO_MEMCPY, 10 },
	{ "Memcpy*", RA_KINETO_MEMCPY, 0 },
	{ "Memset*", RA_KINETO_MEMSET, 0 },
	/* CANN: */
	{ "MEMCPY*", RA_KINETO_MEMCPY, 0 },
	{ "EVENT_WAIT*", RA_KINETO_GPU_USER_ANNOTATION, 0 },
	{ "EVENT_RECORD*", RA_KINETO_GPU_USER_ANNOTATION, 0 },
	{ "Notify_Wait*", RA_KINETO_GPU_USER_ANNOTATION, 0 },
	/* rocprof: */
	{ "CopyHostToDevice", RA_KINETO_MEMCPY, 1 },
	{ "CopyDeviceToHost", RA_KINETO_MEMCPY, 2 },
	{ "CopyDeviceToDevice", RA_KINETO_MEMCPY, 8 },
	/* rocprofv3: */
	{ "MEMORY_COPY_HOST_TO_HOST", RA_KINETO_MEMCPY, 9 },
	{ "MEMORY_COPY_HOST_TO_DEVICE", RA_KINETO_MEMCPY, 1 },
	{ "MEMORY_COPY_DEVICE_TO_HOST", RA_KINETO_MEMCPY, 2 },
	{ "MEMORY_COPY_DEVICE_TO_DEVICE", RA_KINETO_MEMCPY, 8 },
	{ "*", RA_KINETO_KERNEL, 0 },
};

/* Names of events on rows of the host. */
static const struct {
	const char *producer;
	const char *pattern;
	enum ra_kineto_kind kind;
} host_names[] = {
	{ xla, "$*", RA_KINETO_PYTHON_FUNCTION }, /* such as "$file.py:101 function" */
};

enum ra_kineto_kind ra_producers_find_host_kind(const char *producer, struct rlog_string name)
{
	struct ra_pattern_found found;

	for (size_t i = 0; i < COUNT(host_names) && producer != NULL; i++) {
		if (host_names[i].producer == producer &&
		    ra_pattern_match(host_names[i].pattern, name, &found)) {
			return host_names[i].kind;
		}
	}
	return RA_KINETO_OTHER;
}

const struct ra_producers_name *ra_producers_find_name(struct rlog_string name)
{
	struct ra_pattern_found found;
	size_t i = 0;

	while (i + 1 < COUNT(names) && !ra_pattern_match(names[i].pattern, name, &found)) {
		i++;
	}
	return &names[i];
}

bool ra_producers_is_driver(struct rlog_string name)
{
	return name.length > 2 && memcmp(name.bytes, "cu", 2) == 0 && name.bytes[2] >= 'A' &&
	       name.bytes[2] <= 'Z';
}
