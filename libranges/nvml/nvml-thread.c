/* SPDX-License-Identifier: MIT */
/*
 * The thread that asks NVML: it has the program's table of files, which the drain has left.
 *
 * NVML keeps the numbers of its files for the whole process, and shares them with CUDA. Where it
 * opened them in a table of the drain's own, the program's ioctls went to other files: its NVML
 * failed, its cuInit() never returned (seen with driver 580).
 */
#include "libranges/nvml/nvml-thread.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/prctl.h>

#include "libranges/base/clock.h"
#include "libranges/base/futex.h"
#include "libranges/base/own-thread.h"
#include "libranges/cupti/cupti-status.h"
#include "libranges/nvml/nvml-counters.h"
#include "libranges/nvml/nvml-sample.h"
#include "libranges/spool/process.h"

#define STACK     ((size_t) 256 * 1024) /* constructors of libraries run there */
#define NS_PER_MS UINT64_C(1000000)
#define HOUR_NS   (INT64_C(3600000) * (int64_t) NS_PER_MS)

enum state {
	STATE_NONE,
	STATE_RUNNING,
	STATE_ENDING,
	STATE_ENDED
};

static struct {
	uint32_t generation;    /* of the process that it runs in: a fork child has none */
	_Atomic uint32_t bell;  /* rung after each change of what follows */
	_Atomic uint32_t state; /* enum state */
	_Atomic bool is_on;     /* the capture is: the drain's word, which we take back */
	uint64_t ending_ns;     /* the drain's: since when the program has no thread */
} nvml;

static void ring(void)
{
	/* Release pairs with the acquire of who slept. */
	atomic_fetch_add_explicit(&nvml.bell, 1, memory_order_release);
	rcap_futex_wake(&nvml.bell);
}

static uint32_t get_state(void)
{
	return atomic_load_explicit(&nvml.state, memory_order_acquire);
}

/* The drain may sleep already when the capture goes off. */
static bool still_on(void)
{
	if (atomic_load_explicit(&rcap_process.phase, memory_order_relaxed) != RCAP_PHASE_ON) {
		/* It sets and rings anew when the capture is on. */
		atomic_store_explicit(&nvml.is_on, false, memory_order_relaxed);
		return false;
	}
	return atomic_load_explicit(&nvml.is_on, memory_order_acquire);
}

static void *thread_main(void *argument)
{
	bool is_open = false;
	bool is_refused = false;
	bool is_on = false;

	(void) argument;
	prctl(PR_SET_NAME, "ranges-nvml");
	while (get_state() == STATE_RUNNING) {
		const uint32_t seen = atomic_load_explicit(&nvml.bell, memory_order_acquire);
		const bool was_on = is_on;
		int64_t left = HOUR_NS;

		is_on = still_on() && !is_refused;
		if (is_on && !is_open) {
			is_open = rcap_nvml_sample_open();
			is_refused = !is_open;
			is_on = is_open;
		}
		if (is_on && !was_on) {
			rcap_nvml_sample_begin();
		} else if (!is_on && was_on) {
			rcap_nvml_sample_end();
		}
		if (is_on) {
			left = rcap_nvml_sample_due();
		}
		if (get_state() == STATE_RUNNING) {
			rcap_futex_wait(&nvml.bell, seen, left < HOUR_NS ? left : HOUR_NS);
		}
	}
	if (is_on) {
		rcap_nvml_sample_end();
	}
	atomic_store_explicit(&nvml.state, STATE_ENDED, memory_order_release);
	ring();
	return NULL;
}

static bool is_here(void)
{
	return nvml.generation == rcap_process.generation && get_state() != STATE_NONE;
}

void rcap_nvml_thread_start(void)
{
	if (rcap_process.config.gpu_metrics[0] == '\0') {
		return;
	}
	nvml.generation = rcap_process.generation;
	nvml.ending_ns = 0;
	atomic_store_explicit(&nvml.is_on, false, memory_order_relaxed);
	rcap_nvml_counters_forget();
	atomic_store_explicit(&nvml.state, STATE_RUNNING, memory_order_release);
	if (!rcap_own_thread_start(thread_main, STACK)) {
		atomic_store_explicit(&nvml.state, STATE_NONE, memory_order_relaxed);
		rcap_cupti_status_add(0, "no GPU metrics: no thread can be started");
	}
}

void rcap_nvml_thread_look(void)
{
	const bool is_on =
		atomic_load_explicit(&rcap_process.phase, memory_order_relaxed) == RCAP_PHASE_ON;

	if (is_here() && atomic_load_explicit(&nvml.is_on, memory_order_relaxed) != is_on) {
		atomic_store_explicit(&nvml.is_on, is_on, memory_order_relaxed);
		ring();
	}
}

static void ask_end(void)
{
	uint32_t running = STATE_RUNNING;

	if (atomic_compare_exchange_strong(&nvml.state, &running, STATE_ENDING)) {
		ring();
	}
}

void rcap_nvml_thread_end(void)
{
	/* The other half is for the log. */
	const unsigned wait_ms = (unsigned) (rcap_process.config.exit_ms / 2);
	const uint64_t until = rcap_clock_mono_ns() + wait_ms * NS_PER_MS;
	uint64_t now;

	if (!is_here()) {
		return;
	}
	ask_end();
	while ((now = rcap_clock_mono_ns()) < until) {
		const uint32_t seen = atomic_load_explicit(&nvml.bell, memory_order_acquire);

		if (get_state() == STATE_ENDED) {
			break;
		}
		rcap_futex_wait(&nvml.bell, seen, (int64_t) (until - now));
	}
	rcap_nvml_counters_close();
	if (get_state() != STATE_ENDED) {
		rcap_cupti_status_add(0,
		                      "NVML did not return within %u ms: its last samples are "
		                      "lost",
		                      wait_ms);
	}
}

unsigned rcap_nvml_thread_count(void)
{
	return is_here() && get_state() != STATE_ENDED ? 1 : 0;
}

bool rcap_nvml_thread_end_soon(void)
{
	const uint64_t now = rcap_clock_mono_ns();

	if (nvml.ending_ns != 0) {
		return now >= nvml.ending_ns + rcap_process.config.exit_ms * NS_PER_MS;
	}
	nvml.ending_ns = now;
	ask_end();
	return false;
}
