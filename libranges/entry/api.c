/* SPDX-License-Identifier: MIT */
/* The functions that programs call through ranges/ranges.h. */
#include "libranges/entry/inject.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "format/wire.h"
#include "libranges/base/log.h"
#include "libranges/nvtx/nvtx-text.h"
#include "libranges/record/record.h"
#include "libranges/entry/timing.h"
#include "libranges/record/steer.h"
#include "libranges/record/thread.h"
#include "libranges/process/ask.h"
#include "libranges/process/switch.h"

#define EXPORT __attribute__((visibility("default")))

/* The same struct as in ranges/ranges.h. No header of ours includes that one, because it is for
 * programs. */
struct ranges_calls {
	size_t struct_size;
	uint64_t (*handoff_capture)(void);
	void (*handoff_attach)(uint64_t context);
	void (*handoff_detach)(void);
	void (*cuda_release)(void);
	void (*step)(uint64_t number, const char *name);
	void (*step_end)(void);
	int (*start)(void);
	int (*stop)(void);
	int (*flush)(void);
	int (*warm)(void);
	uint64_t (*cycle)(void);
	int (*log)(uint64_t cycle, char *path, size_t size);
	int (*snapshot)(const char *path);
};

/* Programs look up this function in us by its name. */
EXPORT const struct ranges_calls *ranges_entry(void);

/* Makes an id. The generation makes a fork child's ids different from inherited ones. The stream
 * makes the ids of threads different. */
static uint64_t make_id(struct rcap_thread *thread)
{
	return (uint64_t) (thread->generation & 0xFF) << 56 | (uint64_t) thread->stream->id << 32 |
	       ++thread->ranges;
}

/* Records an event. Return: false if it was not recorded. */
static bool record(struct rcap_thread *thread, uint32_t op, uint64_t id)
{
	const struct rcap_event event = { .op = op, .id = id };

	return rcap_record_event(thread, &event);
}

static uint64_t handoff_capture(void)
{
	struct rcap_thread *thread = rcap_thread_enter();
	uint64_t id;

	if (!thread) {
		return 0;
	}
	id = make_id(thread);
	if (!record(thread, RLOG_OP_HANDOFF, id)) {
		id = 0;
	}
	rcap_thread_leave(thread);
	return id;
}

static void handoff_attach(uint64_t context)
{
	struct rcap_thread *thread = rcap_thread_enter();

	if (thread) {
		record(thread, RLOG_OP_ATTACH, context);
		rcap_thread_leave(thread);
	}
}

static void handoff_detach(void)
{
	struct rcap_thread *thread = rcap_thread_enter();

	if (thread) {
		record(thread, RLOG_OP_DETACH, 0);
		rcap_thread_leave(thread);
	}
}

static void cuda_release(void)
{
	if (rcap_process.release_gpu) {
		rcap_process.release_gpu();
	}
}

/* The number of the next step. Each number is given out once, even if several threads call. A fork
 * child continues the numbers. */
static uint64_t next_step;

static uint64_t take_number(uint64_t number)
{
	if (number == UINT64_MAX) {
		return __atomic_fetch_add(&next_step, 1, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&next_step, number + 1, __ATOMIC_RELAXED);
	return number;
}

static void step(uint64_t number, const char *name)
{
	struct rcap_thread *thread;
	struct rcap_nvtx_text text;

	/* This is called even if the step may not be recorded, because the step may be the one that
	 * switches the capture on. */
	rcap_steer_step();
	/* Steps are also numbered while the capture is off. */
	number = take_number(number);
	thread = rcap_thread_enter();

	if (thread) {
		struct rcap_event event = {
			.op = RLOG_OP_STEP,
			.payload_type = RLOG_PAYLOAD_U64,
			.payload = number,
		};

		if (name && rcap_nvtx_text_take(&text, name, NULL)) {
			event.name = rcap_nvtx_text_intern(thread, &text);
		}
		rcap_record_event(thread, &event);
		rcap_thread_leave(thread);
	}
}

static void step_end(void)
{
	struct rcap_thread *thread = rcap_thread_enter();

	if (thread) {
		record(thread, RLOG_OP_STEP_END, 0);
		rcap_thread_leave(thread);
	}
}

static int start(void)
{
	return rcap_steer_by(RCAP_PHASE_ON, RCAP_CONTROL_BY_API);
}

static int stop(void)
{
	return rcap_steer_by(RCAP_PHASE_OFF, RCAP_CONTROL_BY_API);
}

static int warm(void)
{
	return rcap_steer_by(RCAP_PHASE_WARMUP, RCAP_CONTROL_BY_API);
}

static uint64_t cycle(void)
{
	return rcap_process_start() ? rcap_switch_cycle() : 0;
}

static int log_of(uint64_t number, char *path, size_t size)
{
	return rcap_process_start() && rcap_switch_copy_log(number, path, size) ? RCAP_CONTROL_DONE
	                                                                        : RCAP_CONTROL_FULL;
}

static int flush(void)
{
	return rcap_process_start() && rcap_timing_flush(rcap_process.config.exit_ms)
	               ? RCAP_CONTROL_DONE
	               : RCAP_CONTROL_FULL;
}

/* A snapshot may take this long. This is longer than RANGES_EXIT_MS, because a snapshot reads and
 * writes everything again. */
#define SNAPSHOT_NS UINT64_C(60000000000)

static int snapshot(const char *path)
{
	static const struct rcap_patience patience = { .wait_ns = SNAPSHOT_NS };
	char absolute[RCAP_KEPT_PATH_BYTES] = "";
	const int saved = errno;
	int result = RCAP_CONTROL_FULL;

	if (!rcap_process_start()) {
		return RCAP_CONTROL_FULL;
	}
	if (path && path[0] != '\0' && path[0] != '/' && !getcwd(absolute, sizeof(absolute) - 1)) {
		absolute[0] = '\0';
	}
	if (path && strlen(absolute) + 1 + strlen(path) >= sizeof(absolute)) {
		errno = saved;
		return RCAP_CONTROL_FAILED;
	}
	if (path && path[0] != '\0') {
		const size_t used = strlen(absolute);

		rcap_log_format(absolute + used, sizeof(absolute) - used, "%s%s",
		                used > 0 ? "/" : "", path);
	}
	if (rcap_process.has_drain) {
		result = rcap_ask(&rcap_process.spool.header->control, RCAP_CONTROL_OWN_SNAPSHOT,
		                  absolute, NULL, 0, &patience);
	}
	errno = saved;
	return result < 0 ? RCAP_CONTROL_FULL : result;
}

const struct ranges_calls *ranges_entry(void)
{
	static const struct ranges_calls calls = {
		.struct_size = sizeof(calls),
		.handoff_capture = handoff_capture,
		.handoff_attach = handoff_attach,
		.handoff_detach = handoff_detach,
		.cuda_release = cuda_release,
		.step = step,
		.step_end = step_end,
		.start = start,
		.stop = stop,
		.flush = flush,
		.warm = warm,
		.cycle = cycle,
		.log = log_of,
		.snapshot = snapshot,
	};
	const struct rcap_inject_entries *other = NULL;

	if (rcap_inject_begin(&other)) {
		return &calls;
	}
	return other && other->struct_size >= offsetof(struct rcap_inject_entries, api) +
	                                              sizeof(other->api)
	               ? other->api()
	               : NULL;
}
