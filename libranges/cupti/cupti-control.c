/* SPDX-License-Identifier: MIT */
/* The life of the GPU's capture: start, flush thread, fork, end. */
#include "libranges/cupti/cupti-control.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "libranges/base/clock.h"
#include "libranges/cupti/records/cupti-aside.h"
#include "libranges/cupti/records/cupti-buffers.h"
#include "libranges/cupti/load/cupti-calls.h"
#include "libranges/cupti/records/cupti-defs.h"
#include "libranges/settings/cupti-kinds.h"
#include "libranges/cupti/records/cupti-flow.h"
#include "libranges/cupti/records/cupti-graphs.h"
#include "libranges/cupti/load/cupti-load.h"
#include "libranges/cupti/cupti-start.h"
#include "libranges/cupti/load/cupti-status.h"
#include "libranges/cupti/cupti-switch.h"
#include "libranges/cupti/records/cupti-tally.h"
#include "libranges/base/log.h"
#include "libranges/base/own-thread.h"
#include "libranges/process/process.h"
#include "libranges/record/steer.h"
#include "libranges/record/thread.h"

#define NS_PER_MS    UINT64_C(1000000)
#define NS_PER_S     (1000 * NS_PER_MS)
#define WORKER_STACK ((size_t) 256 * 1024)
/* Threads of the program wait RANGES_EXIT_MS, but not less than this, for a start or a request. */
#define MIN_WAIT_MS 1000
/* The end of the program waits this long for our threads to leave CUPTI. */
#define OUT_WAIT_NS (20 * NS_PER_MS)
#define START_STACK ((size_t) 1024 * 1024) /* libraries run their constructors on this stack */

enum state {
	STATE_NONE,
	STATE_STARTING,
	STATE_OFF, /* there is no GPU capture, and will be none */
	STATE_ACTIVE,
	STATE_ENDING, /* the worker does the last flush */
	STATE_ENDED,  /* the capture or the program has ended: CUPTI must not be called */
};

static struct {
	_Atomic uint32_t state;
	struct rcap_cupti_start start;
	unsigned kinds; /* enum rcap_cupti_kinds */
	/* How long the program's threads wait for CUPTI at most; 0: not known yet. */
	_Atomic uint32_t wait_ms;
	bool is_late;             /* CUDA may be initialised already when we start */
	_Atomic bool is_overdue;  /* the start took longer than the program's threads wait */
	_Atomic bool is_ready;    /* the driver is ready, and its settings are still to be made */
	_Atomic bool is_release;  /* the program asked us to end */
	_Atomic unsigned threads; /* number of threads of the capture that may be in CUPTI */
	_Atomic unsigned inside;  /* number of threads that are in CUPTI now, or about to enter */
	_Atomic uint64_t alone_since_ns; /* when the program had no thread left; 0: it has */
	/* These signal that the worker has done the last flush. */
	pthread_mutex_t end_lock;
	pthread_cond_t ended;
	bool has_ended;
} control = { .end_lock = PTHREAD_MUTEX_INITIALIZER };

static uint32_t get_state(void)
{
	/* Acquire: what the thread that set the state wrote before is visible. */
	return atomic_load_explicit(&control.state, memory_order_acquire);
}

static void set_state(uint32_t state)
{
	atomic_store_explicit(&control.state, state, memory_order_release);
	if (state == STATE_ENDED) {
		rcap_cupti_flow_end();
	}
}

/* ---- The end ---- */

static void go_outside(void)
{
	atomic_fetch_sub(&control.inside, 1);
}

/* Enters CUPTI. Return: false if the thread must not enter, because the driver may be gone. If one
 * thread enters while another sets the end, at least one of them sees the other. */
static bool go_inside(void)
{
	atomic_fetch_add(&control.inside, 1);
	if (atomic_load(&control.state) < STATE_ENDED) {
		return true;
	}
	go_outside();
	return false;
}

/* Flushes CUPTI. Return: CUPTI's code; 0 if CUPTI must not be called any more. */
static int flush_inside(uint32_t flag)
{
	int rc = 0;

	if (go_inside()) {
		rc = rcap_cupti.flush_all(flag);
		rcap_cupti_flow_ask_dropped();
		go_outside();
	}
	return rc;
}

/*
 * Waits for operations that still run when the program ends, because their records would lack an
 * end. Waits as long as CUPTI has buffers with records, but at most three quarters of
 * RANGES_EXIT_MS, because the flush that takes everything needs time, too.
 *
 * Return: false if some operations still run.
 */
static bool await_work(void)
{
	const struct timespec step = { .tv_nsec = 5 * NS_PER_MS };
	const uint64_t until =
		rcap_clock_mono_ns() + rcap_process.config.exit_ms * NS_PER_MS / 4 * 3;

	for (;;) {
		(void) flush_inside(0);
		rcap_cupti_flow_convert(UINT64_MAX);
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
 * Takes everything out of CUPTI. Runs on the worker, so that only the worker hangs with CUPTI.
 * Kinds are not switched off at the program's end: that gains nothing, and some versions hang.
 */
static void end_capture(void)
{
	int rc;

	if (!await_work()) {
		rcap_cupti_flow_cut();
	}
	rc = flush_inside(RCAP_CUPTI_FLUSH_FORCED);
	if (rc != 0) {
		rcap_cupti_status_add(rc, "the last flush failed: %s", rcap_cupti_load_explain(rc));
	}
	rcap_cupti_flow_convert(UINT64_MAX);
	rcap_cupti_flow_settle(true, UINT64_MAX);
	rcap_cupti_flow_close();
	rcap_cupti_tally_tell(control.start.is_monotonic);
	rcap_cupti_graphs_tell();
	rcap_cupti_start_tell(control.kinds);
	if (atomic_load_explicit(&control.is_release, memory_order_relaxed) && go_inside()) {
		rcap_cupti_start_disable();
		rc = rcap_cupti.unsubscribe(control.start.subscription.subscriber);
		go_outside();
		rcap_cupti_status_add(
			rc, "CUPTI was released, as the program asked: no GPU data from here on");
	}
	set_state(STATE_ENDED);
	pthread_mutex_lock(&control.end_lock);
	control.has_ended = true;
	pthread_cond_broadcast(&control.ended);
	pthread_mutex_unlock(&control.end_lock);
}

/* Waits for the worker's last flush. Return: false if it is not done by `until_ns`. */
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

/* Makes the worker do the last flush. */
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
	/* Acquire: what was written before such a thread was started, and all that an ended one has
	 * done, is visible. */
	const unsigned threads = atomic_load_explicit(&control.threads, memory_order_acquire);

	return threads > 0 && rcap_cupti_flow_is_here() ? threads : 0;
}

bool rcap_cupti_control_end_threads(void)
{
	const uint64_t now = rcap_clock_mono_ns();
	uint64_t since = 0;

	/* Relaxed: only the drain's thread sets it. stop() then runs on that thread, too. */
	if (!atomic_compare_exchange_strong_explicit(&control.alone_since_ns, &since, now,
	                                             memory_order_relaxed, memory_order_relaxed)) {
		return now >= since + rcap_process.config.exit_ms * NS_PER_MS;
	}
	begin_end();
	return false;
}

/* Sets the end. Waits for our threads to leave CUPTI, unless they hang there. */
static void set_end(void)
{
	const struct timespec step = { .tv_nsec = NS_PER_MS / 4 };
	const uint64_t until = rcap_clock_mono_ns() + OUT_WAIT_NS;

	atomic_store(&control.state, STATE_ENDED);
	rcap_cupti_flow_end();
	while (atomic_load(&control.inside) > 0 && rcap_clock_mono_ns() < until) {
		nanosleep(&step, NULL);
	}
}

/* Gives up the records that CUPTI has not handed over by now. */
static void cut_off(void)
{
	if (atomic_load_explicit(&control.state, memory_order_acquire) == STATE_STARTING) {
		set_end();
		rcap_cupti_status_add(0, "no GPU data: CUPTI did not start within %u ms",
		                      atomic_load(&control.wait_ms));
		return;
	}
	set_end();
	rcap_cupti_status_add(0,
	                      "CUPTI did not finish its last flush within %u ms: GPU data "
	                      "that it still held is lost",
	                      (unsigned) rcap_process.config.exit_ms);
	/* Converts what CUPTI has handed over, unless the worker hangs in converting. */
	rcap_cupti_flow_try_rest();
}

/*
 * Takes everything out of CUPTI while the driver is still there. Exit handlers run in reverse order
 * of registration. So finish() runs before the handlers of libraries that were loaded earlier, and
 * before all destructors. If a wait for CUPTI has timed out before, this waits a quarter of
 * RANGES_EXIT_MS at most: CUPTI may have waited for the thread that waited, and go on now.
 */
static void stop(bool is_release)
{
	const uint64_t alone_ns =
		atomic_load_explicit(&control.alone_since_ns, memory_order_relaxed);
	const uint64_t since = alone_ns != 0 ? alone_ns : rcap_clock_mono_ns();
	const uint64_t exit_ns = rcap_process.config.exit_ms * NS_PER_MS;
	const struct timespec step = { .tv_nsec = NS_PER_MS };
	const int saved = errno;
	uint64_t until = since + exit_ns;

	if (get_state() < STATE_STARTING || get_state() == STATE_OFF ||
	    get_state() == STATE_ENDED || !rcap_cupti_flow_is_here()) {
		return;
	}
	if ((get_state() == STATE_STARTING && atomic_load(&control.is_overdue)) ||
	    !rcap_cupti_aside_await(since + exit_ns / 4)) {
		until = since;
	}
	/* One of our threads may still be starting CUPTI. */
	while (get_state() == STATE_STARTING && rcap_clock_mono_ns() < until) {
		nanosleep(&step, NULL);
	}
	if (is_release) {
		atomic_store_explicit(&control.is_release, true, memory_order_relaxed);
	}
	begin_end();
	if (get_state() != STATE_OFF && !wait_for_end(until)) {
		cut_off();
	}
	errno = saved;
}

static void finish(void)
{
	stop(false);
}

/* Called again when the driver is ready, so that our handler runs before the driver's. */
static void register_end(void)
{
	atexit(finish);
	(void) at_quick_exit(finish); /* if it fails, what CUPTI has at the end is lost */
}

/* ---- The worker ---- */

/* Takes complete buffers out of CUPTI. */
static void flush(void)
{
	rcap_cupti_flow_settle(false, UINT64_MAX);
	if (!(control.kinds & RCAP_CUPTI_WITHOUT_FLUSH)) {
		(void) rcap_cupti.flush_all(0);
	}
}

/* Starts one of our threads that call CUPTI. The drain asks how many there are. */
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
	/* Release pairs with the drain's acquire: all that this thread has done is visible. */
	atomic_fetch_sub_explicit(&control.threads, 1, memory_order_release);
}

static void *worker_main(void *argument)
{
	const uint64_t period = rcap_config_flush_ns(&rcap_process.config);
	uint64_t next_flush = rcap_clock_mono_ns() + period;

	(void) argument;
	prctl(PR_SET_NAME, "ranges-gpu");
	while (get_state() <= STATE_ACTIVE) {
		rcap_cupti_switch_wait(next_flush, get_state() == STATE_ACTIVE);
		rcap_cupti_flow_convert_some();
		if (!go_inside()) {
			break;
		}
		if (atomic_exchange_explicit(&control.is_ready, false, memory_order_acquire)) {
			rcap_cupti_start_ready(control.kinds);
		}
		if (get_state() == STATE_ACTIVE) {
			rcap_cupti_switch_serve(control.kinds);
		}
		rcap_cupti_aside_serve();
		/* Not while CUPTI starts: if the start hangs, the driver may be gone before our
		 * exit handler runs. */
		if (get_state() == STATE_ACTIVE) {
			rcap_cupti_start_tend_graphs();
		}
		if (get_state() == STATE_ACTIVE && !rcap_cupti_switch_is_paused()) {
			rcap_cupti_flow_ask_dropped();
		}
		if (rcap_clock_mono_ns() >= next_flush) {
			next_flush = rcap_clock_mono_ns() + period;
			if (get_state() == STATE_ACTIVE && !rcap_cupti_switch_is_paused()) {
				flush();
			}
		}
		go_outside();
	}
	rcap_cupti_aside_close();
	if (get_state() == STATE_ENDING) {
		end_capture();
	} else {
		rcap_cupti_flow_convert(0);
		rcap_cupti_flow_settle(true, 0);
	}
	leave_thread();
	return NULL;
}

/* ---- The beginning ---- */

static void tell_ready(void)
{
	atomic_store_explicit(&control.is_ready, true, memory_order_release);
	rcap_cupti_buffers_wake();
}

/* Does what a watched call requires. Runs on the worker. */
static void act(uint32_t watch, uint64_t unused)
{
	(void) unused;
	rcap_cupti_start_act(control.kinds, watch);
}

/* Handles a callback of the driver or of CUPTI. */
static void on_event(void *user, uint32_t domain, uint32_t cbid, const void *data)
{
	enum rcap_cupti_calls_watch watch;

	(void) user;
	if (!rcap_cupti_flow_is_here()) {
		return;
	}
	if (domain == RCAP_CUPTI_DOMAIN_RESOURCE && cbid == RCAP_CUPTI_RESOURCE_INIT_FINISHED) {
		register_end();
		tell_ready();
	} else if (domain == RCAP_CUPTI_DOMAIN_RESOURCE && get_state() == STATE_ACTIVE) {
		rcap_cupti_flow_told(cbid, data);
	} else if (domain == RCAP_CUPTI_DOMAIN_STATE && cbid == RCAP_CUPTI_STATE_FATAL_ERROR) {
		/* CUPTI has ended by itself. */
		set_state(STATE_ENDED);
		rcap_cupti_status_add(
			RCAP_CUPTI_UNKNOWN,
			"CUPTI has stopped after a fatal error: no GPU data from here on");
	} else if ((domain == RCAP_CUPTI_DOMAIN_RUNTIME || domain == RCAP_CUPTI_DOMAIN_DRIVER) &&
	           get_state() == STATE_ACTIVE &&
	           rcap_cupti_start_is_action(domain, cbid, data, &watch)) {
		if (watch == RCAP_CUPTI_CALLS_MAPS || watch == RCAP_CUPTI_CALLS_UNMAPS) {
			rcap_cupti_flow_mapped(data, watch == RCAP_CUPTI_CALLS_UNMAPS);
		} else if (rcap_steer_has_profiler() && (watch == RCAP_CUPTI_CALLS_PROFILER_START ||
		                                         watch == RCAP_CUPTI_CALLS_PROFILER_STOP)) {
			rcap_steer_profile(watch == RCAP_CUPTI_CALLS_PROFILER_START);
		} else if (!rcap_cupti_aside_ask(act, watch, 0)) {
			rcap_cupti_start_missed(watch);
		}
	}
}

/* Starts CUPTI. Return: true if records will come. */
static bool start(unsigned kinds)
{
	static const struct rcap_cupti_start_callbacks callbacks = {
		.requested = rcap_cupti_flow_requested,
		.completed = rcap_cupti_flow_completed,
	};

	rcap_cupti_calls_init(kinds | (rcap_steer_has_profiler() ? RCAP_CUPTI_WITH_PROFILER : 0));
	if (!rcap_cupti_subscribe_claim(&control.start.subscription, rcap_process.config.cupti_path,
	                                on_event)) {
		return false;
	}
	rcap_cupti_start_prepare(&control.start, kinds);
	rcap_cupti_buffers_init(rcap_process.config.cuda_buffer_bytes);
	rcap_cupti_buffers_init_condition(&control.ended);
	rcap_cupti_graphs_init(kinds, rcap_process.config.graph_nodes, control.start.is_monotonic,
	                       !control.is_late && rcap_cupti_start_can_whole());
	if (atomic_load(&control.is_overdue)) {
		rcap_cupti_graphs_refuse_older(); /* see rcap_cupti_control_await_start() */
	}
	rcap_cupti_aside_init(rcap_cupti_buffers_wake, atomic_load(&control.wait_ms));
	if (!rcap_cupti_flow_open(control.start.is_monotonic, control.start.has_tids) ||
	    !start_thread(worker_main, WORKER_STACK)) {
		rcap_cupti_status_add(0, "no GPU data: no memory");
		(void) rcap_cupti.unsubscribe(control.start.subscription.subscriber);
		return false;
	}
	rcap_cupti_start_tell_library(&control.start);
	atomic_store(&rcap_process.name_object, rcap_cupti_defs_name_object);
	rcap_cupti_switch_open();
	rcap_cupti_start_enable(&control.start, kinds, control.is_late, &callbacks);
	/* CUDA may be loaded long before it is initialised. A callback tells when it is. */
	if (control.is_late && rcap_cupti_defs_is_ready()) {
		tell_ready();
	}
	register_end();
	return true;
}

static void *start_main(void *argument)
{
	uint32_t state = STATE_STARTING;
	bool is_active = false;

	(void) argument;
	if (go_inside()) {
		is_active = start(control.kinds);
		go_outside();
	}
	/* Changes nothing if the program, or CUPTI by itself, has ended meanwhile. */
	if (atomic_compare_exchange_strong_explicit(&control.state, &state,
	                                            is_active ? STATE_ACTIVE : STATE_OFF,
	                                            memory_order_acq_rel, memory_order_acquire) &&
	    is_active && atomic_exchange(&control.is_overdue, false)) {
		rcap_cupti_status_add(
			0,
			"CUPTI took longer than %u ms to start: GPU work until then is not in the "
			"log; RANGES_CUDA=inline starts CUPTI within cuInit",
			atomic_load(&control.wait_ms));
	}
	leave_thread();
	return NULL;
}

/*
 * Starts CUPTI on a thread of ours. A thread of the program can stop waiting for our thread, but it
 * could not leave a call of CUPTI. @may_inline: the caller is a thread of the program, and may
 * start CUPTI itself if the user wants that.
 *
 * Return: false if this call starts nothing.
 */
static bool start_aside(bool is_late, bool may_inline)
{
	uint32_t state = STATE_NONE;

	if (!atomic_compare_exchange_strong_explicit(&control.state, &state, STATE_STARTING,
	                                             memory_order_acq_rel, memory_order_acquire)) {
		return false;
	}
	if (rcap_cupti_kinds_are_off() || !rcap_process_start()) {
		set_state(STATE_OFF);
		return false;
	}
	register_end();
	rcap_cupti_flow_begin();
	control.is_late = is_late;
	control.kinds = rcap_cupti_start_kinds();
	atomic_store(&control.wait_ms, rcap_process.config.exit_ms > MIN_WAIT_MS
	                                       ? rcap_process.config.exit_ms
	                                       : MIN_WAIT_MS);
	if (rcap_process.config.threads == RCAP_THREADS_OFF) {
		rcap_cupti_status_add(0,
		                      "no GPU data: it needs a thread, and RANGES_THREAD is off");
	} else if (may_inline && (control.kinds & RCAP_CUPTI_INLINE)) {
		atomic_fetch_add_explicit(&control.threads, 1, memory_order_release);
		start_main(NULL);
		return true;
	} else if (start_thread(start_main, START_STACK)) {
		return true;
	} else {
		rcap_cupti_status_add(0, "no GPU data: no memory");
	}
	set_state(STATE_OFF);
	return false;
}

void rcap_cupti_control_start(bool is_late)
{
	const int saved = errno;

	if (start_aside(is_late, true)) {
		rcap_cupti_control_await_start();
	}
	errno = saved;
}

void rcap_cupti_control_start_aside(void)
{
	const int saved = errno;

	(void) start_aside(true, false);
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
		                      "no GPU data: the program asked libranges not to use CUPTI");
	}
	stop(true);
	errno = saved;
}

void rcap_cupti_control_await_start(void)
{
	const struct timespec step = { .tv_nsec = NS_PER_MS / 4 };
	const uint64_t since = rcap_clock_mono_ns();

	/* Nobody waits any more once one caller has waited in vain. */
	while (rcap_cupti_control_is_starting() && !atomic_load(&control.is_overdue)) {
		const uint32_t known_ms = atomic_load(&control.wait_ms);
		const uint64_t wait_ms = known_ms != 0 ? known_ms : MIN_WAIT_MS;

		if (rcap_clock_mono_ns() >= since + wait_ms * NS_PER_MS) {
			/* The program may create graphs now. The starting thread reads is_overdue
			 * after it has prepared graphs, so at least one of the two threads refuses
			 * older graphs. */
			atomic_store(&control.is_overdue, true);
			rcap_cupti_graphs_refuse_older();
		}
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
