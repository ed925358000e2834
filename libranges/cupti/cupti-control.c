/* SPDX-License-Identifier: MIT */
/* The life of the GPU's capture: start, flush thread, fork, end. */
#include "libranges/cupti/cupti-control.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/cupti/cupti-buffers.h"
#include "libranges/cupti/cupti-defs.h"
#include "libranges/cupti/cupti-find.h"
#include "libranges/cupti/cupti-kinds.h"
#include "libranges/cupti/cupti-load.h"
#include "libranges/cupti/cupti-records.h"
#include "libranges/cupti/cupti-start.h"
#include "libranges/cupti/cupti-status.h"
#include "libranges/entry/inject.h"
#include "libranges/base/log.h"
#include "libranges/record/names.h"
#include "libranges/base/own-thread.h"
#include "libranges/spool/owner.h"
#include "libranges/spool/process.h"
#include "libranges/record/thread.h"

#define EXPORT __attribute__((visibility("default")))

#define NS_PER_MS    UINT64_C(1000000)
#define WORKER_STACK ((size_t) 256 * 1024)
/* How long a buffer's events may wait for room in the spool. */
#define ROOM_WAIT_NS (1000 * NS_PER_MS)

/* Looked up by name in us by the driver, within cuInit. */
EXPORT int InitializeInjection(void);

enum state {
	STATE_NONE,
	STATE_STARTING,
	STATE_OFF, /* there is no GPU capture, and none will be */
	STATE_ACTIVE,
	STATE_ENDING, /* the last flush */
	STATE_ENDED,  /* the program ends: CUPTI is not called any more */
};

static struct {
	_Atomic uint32_t state;
	uint32_t generation; /* of the process that started it: a fork child is another */
	struct rcap_cupti_start start;
	unsigned kinds; /* enum rcap_cupti_kinds */
	struct rcap_thread *gpu;
	/* Held while CUPTI is asked to flush: the end waits for that. Never taken in callbacks. */
	pthread_mutex_t flush_lock;
	/* Held while a buffer is converted: the GPU's stream has one writer. */
	pthread_mutex_t convert_lock;
} control = { .flush_lock = PTHREAD_MUTEX_INITIALIZER, .convert_lock = PTHREAD_MUTEX_INITIALIZER };

static uint32_t get_state(void)
{
	/* Acquire pairs with set_state(): what was prepared before is there. */
	return atomic_load_explicit(&control.state, memory_order_acquire);
}

static void set_state(uint32_t state)
{
	atomic_store_explicit(&control.state, state, memory_order_release);
}

/* False in a fork child: CUDA does not work there, CUPTI's threads and ours are gone, and locks may
 * be held by nobody. */
static bool is_here(void)
{
	return atomic_load_explicit(rcap_process_alive, memory_order_acquire) == RCAP_ALIVE_YES &&
	       control.generation == rcap_process.generation;
}

/* ---- Buffers ---- */

static void on_requested(uint8_t **buffer, size_t *bytes, size_t *max_records)
{
	/* Nothing comes of it in a fork child, but CUPTI must get something. */
	*buffer = is_here() ? rcap_cupti_buffers_take() : rcap_cupti_buffers_take_emergency();
	*bytes = rcap_cupti_buffers_find(*buffer)->bytes;
	*max_records = 0;
}

static void count_dropped(uint64_t count)
{
	/* Relaxed: a statistic. */
	atomic_fetch_add_explicit(&control.gpu->stream->lost[RLOG_CAUSE_GPU_DROPPED], count,
	                          memory_order_relaxed);
}

/* Converts all that is queued. */
static void convert_queued(uint64_t wait_until_ns)
{
	struct rcap_cupti_buffer *buffer;

	pthread_mutex_lock(&control.convert_lock);
	while ((buffer = rcap_cupti_buffers_next()) != NULL) {
		const uint64_t until = rcap_clock_mono_ns() + ROOM_WAIT_NS;

		rcap_cupti_records_convert(control.gpu, buffer, control.start.has_tids,
		                           until < wait_until_ns ? until : wait_until_ns);
		rcap_cupti_buffers_give(buffer);
	}
	pthread_mutex_unlock(&control.convert_lock);
}

static void on_completed(void *context, uint32_t stream, uint8_t *bytes, size_t size,
                         size_t valid_bytes)
{
	const int saved = errno;
	struct rcap_cupti_buffer *buffer;
	size_t dropped = 0;

	(void) size;
	if (!bytes || !is_here()) {
		return;
	}
	buffer = rcap_cupti_buffers_find(bytes);
	if (rcap_cupti.get_dropped(context, stream, &dropped) == 0 && dropped > 0) {
		count_dropped(dropped);
	}
	if (buffer->is_emergency) {
		count_dropped(rcap_cupti_records_count(bytes, valid_bytes));
		rcap_cupti_buffers_give(buffer);
	} else {
		rcap_cupti_records_keep_texts(bytes, valid_bytes);
		rcap_cupti_buffers_put(buffer, valid_bytes);
		/* Nobody waits for the queue any more. */
		if (get_state() == STATE_ENDED) {
			convert_queued(0);
		}
	}
	errno = saved;
}

/* ---- The end ---- */

/*
 * Everything that CUPTI has comes out, while the driver is still there: handlers run in the reverse
 * order of their registration, so this one runs before those of libraries that came earlier, and
 * before all destructors.
 */
static void stop(bool is_release)
{
	const int saved = errno;
	uint64_t until;

	if (get_state() != STATE_ACTIVE || !is_here()) {
		return;
	}
	pthread_mutex_lock(&control.flush_lock);
	if (get_state() == STATE_ACTIVE) {
		int rc;

		set_state(STATE_ENDING);
		rc = rcap_cupti.flush_all(RCAP_CUPTI_FLUSH_FORCED);
		if (rc != 0) {
			rcap_cupti_status_add(rc, "the last flush failed: %s",
			                      rcap_cupti_load_explain(rc));
		}
		rcap_cupti_start_disable();
		if (is_release) {
			rc = rcap_cupti.unsubscribe(control.start.subscriber);
			rcap_cupti_status_add(rc, "CUPTI was released because the program "
			                          "asked for it: no GPU data from here on");
		}
		set_state(STATE_ENDED);
	}
	pthread_mutex_unlock(&control.flush_lock);
	until = rcap_clock_mono_ns() + rcap_process.config.exit_ms * NS_PER_MS;
	convert_queued(until);
	errno = saved;
}

static void finish(void)
{
	stop(false);
}

/* Registered again when the driver is ready, so that we come before what it has registered itself.
 */
static void register_end(void)
{
	atexit(finish);
	(void) at_quick_exit(finish); /* no memory: then what CUPTI holds at the end is lost */
}

/* ---- The worker ---- */

/* Takes out of CUPTI what is complete. Return: false if the program ends. */
static bool flush(void)
{
	bool is_active;

	pthread_mutex_lock(&control.flush_lock);
	is_active = get_state() == STATE_ACTIVE;
	if (is_active) {
		(void) rcap_cupti.flush_all(0);
	}
	pthread_mutex_unlock(&control.flush_lock);
	return is_active;
}

static void *worker_main(void *argument)
{
	const uint64_t period = rcap_process.config.flush_ms * NS_PER_MS;
	uint64_t next_flush = rcap_clock_mono_ns() + period;

	(void) argument;
	prctl(PR_SET_NAME, "ranges-gpu");
	for (;;) {
		uint64_t now;

		rcap_cupti_buffers_look_ahead();
		rcap_cupti_buffers_wait(next_flush);
		convert_queued(UINT64_MAX);
		now = rcap_clock_mono_ns();
		if (now >= next_flush) {
			next_flush = now + period;
			/* The drain and we: it ends the process when it is alone. */
			if (rcap_owner_is_alone(2)) {
				finish();
			}
			if (!flush()) {
				return NULL;
			}
		}
	}
}

/* ---- The beginning ---- */

/* The driver or CUPTI tells of itself. Nothing may be flushed here. */
static void on_event(void *user, uint32_t domain, uint32_t cbid, const void *data)
{
	(void) user;
	(void) data;
	if (!is_here()) {
		return;
	}
	if (domain == RCAP_CUPTI_DOMAIN_RESOURCE && cbid == RCAP_CUPTI_RESOURCE_INIT_FINISHED) {
		register_end();
		rcap_cupti_start_ready(control.kinds);
	} else if (domain == RCAP_CUPTI_DOMAIN_STATE && cbid == RCAP_CUPTI_STATE_FATAL_ERROR) {
		/* CUPTI has given itself up. */
		set_state(STATE_ENDED);
		rcap_cupti_status_add(
			RCAP_CUPTI_UNKNOWN,
			"CUPTI has stopped after a fatal error: no GPU data from here on");
	}
}

static bool make_stream(void)
{
	static const char name[] = "GPU";
	bool lost = false;

	control.gpu = rcap_thread_make(rcap_names_intern(name, sizeof(name) - 1, 0, NULL, &lost),
	                               control.start.is_monotonic ? RLOG_STREAM_CLOCK_MONOTONIC
	                                                          : RLOG_STREAM_CLOCK_REALTIME);
	return control.gpu != NULL;
}

/* Return: true if records come. */
static bool start(unsigned kinds, bool is_late)
{
	static const struct rcap_cupti_start_callbacks callbacks = {
		.event = on_event,
		.requested = on_requested,
		.completed = on_completed,
	};

	control.generation = rcap_process.generation;
	if (!rcap_cupti_load_open(rcap_process.config.cupti_path)) {
		rcap_cupti_status_add(0, "no GPU data: %s", rcap_cupti.path);
		return false;
	}
	if (!rcap_cupti_start_claim(&control.start, &callbacks)) {
		return false;
	}
	rcap_cupti_buffers_init(rcap_process.config.cuda_buffer_bytes);
	if (!make_stream() || !rcap_own_thread_start(worker_main, WORKER_STACK)) {
		rcap_cupti_status_add(0, "no GPU data: no memory");
		(void) rcap_cupti.unsubscribe(control.start.subscriber);
		return false;
	}
	rcap_cupti_status_add(0, "CUPTI %u from %s, times by %s", rcap_cupti.version,
	                      rcap_cupti.path,
	                      control.start.is_monotonic ? "CLOCK_MONOTONIC" : "CLOCK_REALTIME");
	set_state(STATE_ACTIVE);
	rcap_process.name_object = rcap_cupti_defs_name_object;
	control.kinds = kinds;
	rcap_cupti_start_enable(&control.start, kinds, is_late, &callbacks);
	/* Else a callback will say so: a driver may be loaded long before it is used. */
	if (is_late && rcap_cupti_defs_is_ready()) {
		rcap_cupti_start_ready(kinds);
	}
	register_end();
	return true;
}

static unsigned find_kinds(void)
{
	char why[160];
	const int kinds = rcap_cupti_kinds_parse(rcap_process.config.cuda, why, sizeof(why));

	return kinds < 0 ? RCAP_CUPTI_ON : (unsigned) kinds;
}

/* Before the configuration is read: a program that is not to be looked at is not even begun with.
 */
static bool is_switched_off(void)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): as CUDA itself reads its variables at this moment
	 */
	const char *text = secure_getenv("RANGES_CUDA");
	char why[160];

	return text && rcap_cupti_kinds_parse(text, why, sizeof(why)) == 0;
}

void rcap_cupti_control_start(bool is_late)
{
	const int saved = errno;
	uint32_t state = STATE_NONE;

	if (!atomic_compare_exchange_strong_explicit(&control.state, &state, STATE_STARTING,
	                                             memory_order_acq_rel, memory_order_acquire)) {
		return;
	}
	if (is_switched_off() || !rcap_lifetime_start() || !start(find_kinds(), is_late)) {
		set_state(STATE_OFF);
	}
	errno = saved;
}

int InitializeInjection(void)
{
	const struct rcap_inject_entries *other = NULL;

	if (rcap_inject_begin(&other)) {
		rcap_cupti_control_start(false);
	}
	return 1;
}

void rcap_cupti_control_release(void)
{
	const int saved = errno;
	uint32_t state = STATE_NONE;

	if (atomic_compare_exchange_strong_explicit(&control.state, &state, STATE_OFF,
	                                            memory_order_acq_rel, memory_order_acquire) &&
	    !is_switched_off() && rcap_lifetime_start()) {
		rcap_cupti_status_add(0,
		                      "no GPU data: the program asked for CUPTI to be left alone");
	}
	stop(true);
	errno = saved;
}

/* CUPTI is another tool's, or will come to us through the driver. */
static bool is_announced(void)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): as CUDA itself reads its variables */
	const char *path = secure_getenv("CUDA_INJECTION64_PATH");

	return path && path[0] != '\0';
}

void rcap_cupti_control_look(void)
{
	if (get_state() == STATE_NONE && !is_switched_off() && !is_announced() &&
	    rcap_cupti_find_is_mapped("libcuda.so")) {
		rcap_cupti_control_start(true);
	}
}
