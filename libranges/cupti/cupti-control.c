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
#include <time.h>

#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/cupti/cupti-buffers.h"
#include "libranges/cupti/cupti-calls.h"
#include "libranges/cupti/cupti-defs.h"
#include "libranges/cupti/cupti-find.h"
#include "libranges/base/cupti-kinds.h"
#include "libranges/cupti/cupti-load.h"
#include "libranges/cupti/cupti-records.h"
#include "libranges/cupti/cupti-start.h"
#include "libranges/cupti/cupti-status.h"
#include "libranges/base/log.h"
#include "libranges/record/names.h"
#include "libranges/base/own-thread.h"
#include "libranges/spool/process.h"
#include "libranges/record/thread.h"

#define NS_PER_MS     UINT64_C(1000000)
#define NS_PER_S      (1000 * NS_PER_MS)
#define WORKER_STACK  ((size_t) 256 * 1024)
#define START_WAIT_NS (1000 * NS_PER_MS)
#define START_STACK   ((size_t) 1024 * 1024) /* constructors of libraries run there */
/* How long a buffer's events may wait for room in the spool. */
#define ROOM_WAIT_NS (1000 * NS_PER_MS)

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
	_Atomic bool is_ready;           /* the driver is: some settings wait for that */
	_Atomic bool is_release;         /* the end is because the program asked for it */
	pthread_mutex_t convert_lock;    /* held to convert a buffer: one writes the stream */
	_Atomic unsigned threads;        /* of ours that may be in CUPTI */
	_Atomic uint64_t alone_since_ns; /* when the program had no thread any more; 0: it has */
	/* The worker has ended. */
	pthread_mutex_t end_lock;
	pthread_cond_t ended;
	bool has_ended;
} control = { .convert_lock = PTHREAD_MUTEX_INITIALIZER, .end_lock = PTHREAD_MUTEX_INITIALIZER };

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

/* Converts all that is queued. The lock is held. */
static void convert_queued_locked(uint64_t wait_until_ns)
{
	struct rcap_cupti_buffer *buffer;

	while ((buffer = rcap_cupti_buffers_next()) != NULL) {
		const uint64_t until = rcap_clock_mono_ns() + ROOM_WAIT_NS;

		rcap_cupti_records_convert(control.gpu, buffer, control.start.has_tids,
		                           until < wait_until_ns ? until : wait_until_ns);
		rcap_cupti_buffers_give(buffer);
	}
}

static void convert_queued(uint64_t wait_until_ns)
{
	pthread_mutex_lock(&control.convert_lock);
	convert_queued_locked(wait_until_ns);
	pthread_mutex_unlock(&control.convert_lock);
}

/* Writes what is held back, of the round before or all. */
static void settle(bool all, uint64_t wait_until_ns)
{
	pthread_mutex_lock(&control.convert_lock);
	rcap_cupti_records_settle(control.gpu, control.start.has_tids, all, wait_until_ns);
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
 * Operations that run when the program ends have no end in their record: they are awaited, as long
 * as CUPTI keeps buffers back that have records. A quarter of the time is left for the flush that
 * takes what there is.
 *
 * Return: false if some had not ended by then.
 */
static bool await_work(void)
{
	const struct timespec step = { .tv_nsec = 5 * NS_PER_MS };
	const uint64_t until =
		rcap_clock_mono_ns() + rcap_process.config.exit_ms * NS_PER_MS / 4 * 3;

	for (;;) {
		(void) rcap_cupti.flush_all(0);
		convert_queued(UINT64_MAX);
		if (!rcap_cupti_buffers_are_kept()) {
			return true;
		}
		if (rcap_clock_mono_ns() >= until) {
			return false;
		}
		nanosleep(&step, NULL);
	}
}

/*
 * What CUPTI has comes out, by the worker: whatever CUPTI does, also never to return, nobody but
 * the worker waits for it. Kinds are not switched off at the program's end: there is nothing to
 * gain, and some versions hang there.
 */
static void end_capture(void)
{
	int rc;

	if (!await_work()) {
		pthread_mutex_lock(&control.convert_lock);
		rcap_cupti_records_cut();
		pthread_mutex_unlock(&control.convert_lock);
	}
	rc = rcap_cupti.flush_all(RCAP_CUPTI_FLUSH_FORCED);
	if (rc != 0) {
		rcap_cupti_status_add(rc, "the last flush failed: %s", rcap_cupti_load_explain(rc));
	}
	convert_queued(UINT64_MAX);
	settle(true, UINT64_MAX);
	rcap_cupti_records_tell(control.start.is_monotonic);
	rcap_cupti_start_tell(control.kinds);
	if (atomic_load_explicit(&control.is_release, memory_order_relaxed)) {
		rcap_cupti_start_disable();
		rc = rcap_cupti.unsubscribe(control.start.subscriber);
		rcap_cupti_status_add(rc, "CUPTI was released because the program "
		                          "asked for it: no GPU data from here on");
	}
	set_state(STATE_ENDED);
	pthread_mutex_lock(&control.end_lock);
	control.has_ended = true;
	pthread_cond_broadcast(&control.ended);
	pthread_mutex_unlock(&control.end_lock);
}

/* Return: false if the worker has not ended by then. */
static bool wait_for_end(uint64_t until_ns)
{
	const struct timespec until = { .tv_sec = (time_t) (until_ns / NS_PER_S),
		                        .tv_nsec = (long) (until_ns % NS_PER_S) };
	bool has_ended;

	pthread_mutex_lock(&control.end_lock);
	while (!control.has_ended &&
	       pthread_cond_timedwait(&control.ended, &control.end_lock, &until) == 0) {
	}
	has_ended = control.has_ended;
	pthread_mutex_unlock(&control.end_lock);
	return has_ended;
}

/* Has the worker take the last flush. */
static void begin_end(void)
{
	uint32_t state = STATE_ACTIVE;

	if (atomic_compare_exchange_strong_explicit(&control.state, &state, STATE_ENDING,
	                                            memory_order_acq_rel, memory_order_acquire)) {
		rcap_cupti_buffers_wake();
	}
}

unsigned rcap_cupti_control_threads(void)
{
	/* Acquire pairs with the release of a thread that begins or ends: what was set before it
	 * began is there, and all that it has done. */
	const unsigned threads = atomic_load_explicit(&control.threads, memory_order_acquire);

	return threads > 0 && is_here() ? threads : 0;
}

bool rcap_cupti_control_end_threads(void)
{
	const uint64_t now = rcap_clock_mono_ns();
	uint64_t since = 0;

	/* Relaxed: read by this thread only, also at the end of the process. */
	if (!atomic_compare_exchange_strong_explicit(&control.alone_since_ns, &since, now,
	                                             memory_order_relaxed, memory_order_relaxed)) {
		return now >= since + rcap_process.config.exit_ms * NS_PER_MS;
	}
	begin_end();
	return false;
}

/*
 * Everything that CUPTI has comes out, while the driver is still there: handlers run in the reverse
 * order of their registration, so this one runs before those of libraries that came earlier, and
 * before all destructors.
 */
static void stop(bool is_release)
{
	const uint32_t exit_ms = rcap_process.config.exit_ms;
	const uint64_t alone_ns =
		atomic_load_explicit(&control.alone_since_ns, memory_order_relaxed);
	const uint64_t until =
		(alone_ns != 0 ? alone_ns : rcap_clock_mono_ns()) + exit_ms * NS_PER_MS;
	const struct timespec step = { .tv_nsec = NS_PER_MS };
	const int saved = errno;

	if (get_state() < STATE_STARTING || get_state() == STATE_OFF ||
	    get_state() == STATE_ENDED || !is_here()) {
		return;
	}
	/* A thread of ours may be at it. */
	while (get_state() == STATE_STARTING && rcap_clock_mono_ns() < until) {
		nanosleep(&step, NULL);
	}
	if (is_release) {
		atomic_store_explicit(&control.is_release, true, memory_order_relaxed);
	}
	begin_end();
	if (!wait_for_end(until)) {
		set_state(STATE_ENDED);
		rcap_cupti_status_add(0,
		                      "CUPTI did not finish its last flush within %u ms: GPU data "
		                      "that it still held is lost",
		                      exit_ms);
		/* What it gave back before that, unless the worker hangs there. */
		if (pthread_mutex_trylock(&control.convert_lock) == 0) {
			convert_queued_locked(0);
			rcap_cupti_records_settle(control.gpu, control.start.has_tids, true, 0);
			pthread_mutex_unlock(&control.convert_lock);
		}
	}
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

/* Takes out of CUPTI what is complete. */
static void flush(void)
{
	settle(false, UINT64_MAX);
	if (!(control.kinds & RCAP_CUPTI_WITHOUT_FLUSH)) {
		(void) rcap_cupti.flush_all(0);
	}
}

/* A thread of ours that calls CUPTI; the drain counts them. */
static bool start_thread(void *(*main)(void *), size_t stack_bytes)
{
	/* Release pairs with the drain's acquire. */
	atomic_fetch_add_explicit(&control.threads, 1, memory_order_release);
	if (!rcap_own_thread_start(main, stack_bytes)) {
		atomic_fetch_sub_explicit(&control.threads, 1, memory_order_relaxed);
		return false;
	}
	return true;
}

static void leave_thread(void)
{
	/* Release pairs with the drain's acquire: all that this one has done is there. */
	atomic_fetch_sub_explicit(&control.threads, 1, memory_order_release);
}

static void *worker_main(void *argument)
{
	const uint64_t period = rcap_process.config.flush_ms * NS_PER_MS;
	uint64_t next_flush = rcap_clock_mono_ns() + period;

	(void) argument;
	prctl(PR_SET_NAME, "ranges-gpu");
	while (get_state() <= STATE_ACTIVE) {
		rcap_cupti_buffers_look_ahead();
		rcap_cupti_buffers_wait(next_flush);
		if (atomic_exchange_explicit(&control.is_ready, false, memory_order_acquire)) {
			rcap_cupti_start_ready(control.kinds);
		}
		convert_queued(UINT64_MAX);
		if (rcap_clock_mono_ns() >= next_flush) {
			next_flush = rcap_clock_mono_ns() + period;
			if (get_state() == STATE_ACTIVE) {
				flush();
			}
		}
	}
	if (get_state() == STATE_ENDING) {
		end_capture();
	} else {
		convert_queued(0);
		settle(true, 0);
	}
	leave_thread();
	return NULL;
}

/* ---- The beginning ---- */

/* True at the begin of a call, false at its end. */
static bool is_enter(const void *data)
{
	uint32_t site; /* the first field of what CUPTI tells of a call */

	memcpy(&site, data, sizeof(site));
	return site == RCAP_CUPTI_SITE_ENTER;
}

static void tell_ready(void)
{
	atomic_store_explicit(&control.is_ready, true, memory_order_release);
	rcap_cupti_buffers_wake();
}

/* The driver or CUPTI tells of itself. Nothing may be flushed here, but before a call. */
static void on_event(void *user, uint32_t domain, uint32_t cbid, const void *data)
{
	(void) user;
	if (!is_here()) {
		return;
	}
	if (domain == RCAP_CUPTI_DOMAIN_RESOURCE && cbid == RCAP_CUPTI_RESOURCE_INIT_FINISHED) {
		register_end();
		tell_ready();
	} else if (domain == RCAP_CUPTI_DOMAIN_STATE && cbid == RCAP_CUPTI_STATE_FATAL_ERROR) {
		/* CUPTI has given itself up. */
		set_state(STATE_ENDED);
		rcap_cupti_status_add(
			RCAP_CUPTI_UNKNOWN,
			"CUPTI has stopped after a fatal error: no GPU data from here on");
	} else if ((domain == RCAP_CUPTI_DOMAIN_RUNTIME || domain == RCAP_CUPTI_DOMAIN_DRIVER) &&
	           get_state() == STATE_ACTIVE) {
		rcap_cupti_start_called(control.kinds, domain, cbid, is_enter(data));
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

/*
 * Claims the first library that lets us. Return: false: there is none; a status line says why,
 * about the one that fits best.
 */
static bool claim(const struct rcap_cupti_start_callbacks *callbacks)
{
	char first_why[400] = "";
	int first_rc = 0;

	if (!rcap_cupti_load_open(rcap_process.config.cupti_path)) {
		rcap_cupti_status_add(0, "no GPU data: %s", rcap_cupti.path);
		return false;
	}
	do {
		char why[sizeof(first_why)];
		const int rc =
			rcap_cupti_start_subscribe(&control.start, callbacks, why, sizeof(why));

		if (rc == 0) {
			return true;
		}
		RCAP_LOG(RCAP_LOG_DEBUG, "cupti: %s: %s", rcap_cupti.path, why);
		if (first_rc == 0) {
			memcpy(first_why, why, sizeof(why));
			first_rc = rc;
		}
		if (rc == RCAP_CUPTI_MULTIPLE_SUBSCRIBERS || rc == RCAP_CUPTI_MAX_LIMIT_REACHED ||
		    rc == RCAP_CUPTI_INSUFFICIENT_PRIVILEGES) {
			break; /* any other would say the same */
		}
	} while (rcap_cupti_load_next());
	rcap_cupti_status_add(first_rc, "%s", first_why);
	return false;
}

/* Return: true if records come. */
static bool start(unsigned kinds, bool is_late)
{
	static const struct rcap_cupti_start_callbacks callbacks = {
		.event = on_event,
		.requested = on_requested,
		.completed = on_completed,
	};

	/* Who starts it aside has set it, and the drain reads it. */
	if (control.generation != rcap_process.generation) {
		control.generation = rcap_process.generation;
	}
	control.kinds = kinds;
	rcap_cupti_calls_init(kinds);
	if (rcap_process.config.threads == RCAP_THREADS_OFF) {
		rcap_cupti_status_add(0, "no GPU data: RANGES_THREAD=off, and it needs a thread");
		return false;
	}
	if (!claim(&callbacks)) {
		return false;
	}
	rcap_cupti_start_prepare(&control.start, kinds);
	rcap_cupti_buffers_init(rcap_process.config.cuda_buffer_bytes);
	rcap_cupti_buffers_init_condition(&control.ended);
	if (!make_stream() || !start_thread(worker_main, WORKER_STACK)) {
		rcap_cupti_status_add(0, "no GPU data: no memory");
		(void) rcap_cupti.unsubscribe(control.start.subscriber);
		return false;
	}
	rcap_cupti_status_add(0, "CUPTI %u from %s, times by %s", rcap_cupti.version,
	                      rcap_cupti.path,
	                      control.start.is_monotonic ? "CLOCK_MONOTONIC" : "CLOCK_REALTIME");
	if (rcap_cupti_load_is_other()) {
		rcap_cupti_status_add(
			0,
			"RANGES_CUPTI_PATH=%.200s is not used: the program has loaded "
			"another copy",
			rcap_process.config.cupti_path);
	}
	rcap_process.name_object = rcap_cupti_defs_name_object;
	rcap_cupti_start_enable(&control.start, kinds, is_late, &callbacks);
	/* Else a callback will say so: a driver may be loaded long before it is used. */
	if (is_late && rcap_cupti_defs_is_ready()) {
		tell_ready();
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

void rcap_cupti_control_start(bool is_late)
{
	const int saved = errno;
	uint32_t state = STATE_NONE;

	if (!atomic_compare_exchange_strong_explicit(&control.state, &state, STATE_STARTING,
	                                             memory_order_acq_rel, memory_order_acquire)) {
		return;
	}
	state = STATE_STARTING;
	if (rcap_cupti_kinds_are_off() || !rcap_process_start() || !start(find_kinds(), is_late)) {
		set_state(STATE_OFF);
	} else {
		/* Not if CUPTI has given itself up by now. */
		(void) atomic_compare_exchange_strong_explicit(&control.state, &state, STATE_ACTIVE,
		                                               memory_order_acq_rel,
		                                               memory_order_acquire);
	}
	errno = saved;
}

void rcap_cupti_control_release(void)
{
	const int saved = errno;
	uint32_t state = STATE_NONE;

	if (atomic_compare_exchange_strong_explicit(&control.state, &state, STATE_OFF,
	                                            memory_order_acq_rel, memory_order_acquire) &&
	    !rcap_cupti_kinds_are_off() && rcap_process_start()) {
		rcap_cupti_status_add(0,
		                      "no GPU data: the program asked for CUPTI to be left alone");
	}
	stop(true);
	errno = saved;
}

static void *start_main(void *argument)
{
	(void) argument;
	rcap_cupti_control_start(true);
	leave_thread();
	return NULL;
}

void rcap_cupti_control_start_aside(void)
{
	register_end();
	control.generation = rcap_process.generation;
	(void) start_thread(start_main, START_STACK);
}

void rcap_cupti_control_await_start(void)
{
	const struct timespec step = { .tv_nsec = NS_PER_MS };
	const uint64_t until = rcap_clock_mono_ns() + START_WAIT_NS;

	while (rcap_cupti_control_is_starting() && rcap_clock_mono_ns() < until) {
		nanosleep(&step, NULL);
	}
}

bool rcap_cupti_control_is_starting(void)
{
	return get_state() == STATE_STARTING;
}

bool rcap_cupti_control_is_new(void)
{
	return get_state() == STATE_NONE;
}
