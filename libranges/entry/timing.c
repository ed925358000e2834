/* SPDX-License-Identifier: MIT */
/* Work of the drain's thread for those who switch the capture: it serves commands from outside, and
 * switches by the clock. */
#include "libranges/entry/timing.h"

#include <errno.h>
#include <time.h>

#include "libranges/base/clock.h"
#include "libranges/base/futex.h"
#include "libranges/base/log.h"
#include "libranges/drain/keep/keep-files.h"
#include "libranges/drain/keep/keep.h"
#include "libranges/drain/keep/snapshot.h"
#include "libranges/record/steer.h"
#include "libranges/process/process.h"
#include "libranges/process/switch.h"

/* While no work is due, the drain checks after this time whether the program still has threads. A
 * thread that ends reports that, but not if the capture has never seen it. */
#define LONGEST_NS (INT64_C(600) * 1000000000)

/* Numbers of flushes that the program has requested (`wanted`), and that are done. `taken` is the
 * number up to which the drain is flushing. */
static _Atomic uint32_t wanted;
static _Atomic uint32_t done;
static uint32_t taken;
static uint32_t flushed; /* the command for which the drain is writing everything; 0: none */

static struct rcap_control *control(void)
{
	return &rcap_process.spool.header->control;
}

/* Returns the time of the next switch by the clock; 0 if there is none. Both delays begin at the
 * capture's start. */
static uint64_t due_ns(void)
{
	const struct rcap_config *config = &rcap_process.config;
	const uint64_t start_ns = rcap_process.spool.header->facts.start_mono_ns;
	const uint32_t switches = atomic_load_explicit(&control()->switches, memory_order_acquire);

	if (config->delay_ns > 0 && switches == 0) {
		return start_ns + config->delay_ns;
	}
	if (config->duration_ns > 0 && switches <= (config->delay_ns > 0)) {
		return start_ns + config->delay_ns + config->duration_ns;
	}
	return 0;
}

static void serve_clock(void)
{
	const uint64_t due = due_ns();

	if (due != 0 && rcap_clock_mono_ns() >= due) {
		const bool is_off = rcap_process_is_off();

		(void) rcap_switch_to(is_off ? RCAP_PHASE_ON : RCAP_PHASE_OFF, RCAP_CONTROL_BY_TIME,
		                      UINT64_MAX);
	}
}

/* Answers a command, unless the sender has stopped waiting. */
static void answer(uint32_t asked, int result)
{
	atomic_compare_exchange_strong_explicit(&control()->command, &asked,
	                                        rcap_control_answer(asked, (uint32_t) result),
	                                        memory_order_acq_rel, memory_order_relaxed);
}

static enum rcap_phase phase_of(uint32_t command)
{
	return command == RCAP_CONTROL_START ? RCAP_PHASE_ON : RCAP_PHASE_OFF;
}

bool rcap_timing_serve(void)
{
	/* Acquire pairs with the release of the sender. */
	const uint32_t word = atomic_load_explicit(&control()->command, memory_order_acquire);
	const uint32_t command = rcap_control_asked(word);

	serve_clock();
	rcap_process_do(rcap_process.look_at_gpu_samples);
	taken = atomic_load_explicit(&wanted, memory_order_acquire);
	flushed = command >= RCAP_CONTROL_FLUSH ? word : 0;
	if (command == RCAP_CONTROL_START || command == RCAP_CONTROL_STOP) {
		answer(word, rcap_steer_by(phase_of(command), RCAP_CONTROL_BY_CTL));
	}
	return flushed != 0 || taken != atomic_load_explicit(&done, memory_order_relaxed);
}

bool rcap_timing_is_asked(void)
{
	const uint32_t command =
		rcap_control_asked(atomic_load_explicit(&control()->command, memory_order_acquire));

	return command != RCAP_CONTROL_NONE;
}

void rcap_timing_switch(void)
{
	const uint32_t word = atomic_load_explicit(&control()->command, memory_order_acquire);
	const uint32_t command = rcap_control_asked(word);

	if (command == RCAP_CONTROL_START || command == RCAP_CONTROL_STOP) {
		answer(word, rcap_steer_by(phase_of(command), RCAP_CONTROL_BY_CTL));
	}
}

/* Executes a command. Return: enum rcap_control_result. */
static int make_snapshot(struct rcap_drain *drain, uint32_t command)
{
	struct rcap_kept *kept = &control()->kept;
	struct rlog_error err = { .code = RLOG_OK };
	char path[RCAP_KEPT_PATH_BYTES];
	const struct rcap_snapshot what = { .by = command == RCAP_CONTROL_SNAPSHOT ? "ctl" : "api",
		                            .why = "",
		                            .path = path };

	if (!drain->writer || !rcap_keep_is_begun(drain->spool)) {
		return RCAP_CONTROL_NOTHING;
	}
	/* Copies the path, because this sender may stop waiting, and another one may store its
	 * path. */
	rcap_log_format(path, sizeof(path), "%.*s", (int) sizeof(path) - 1, kept->wanted_path);
	/* Refuses the path of a piece. The snapshot would replace the piece, and its events would
	 * be lost. */
	if (path[0] != '\0' && rcap_keep_is_piece(drain->spool, path)) {
		rcap_log_format(kept->written_path, sizeof(kept->written_path),
		                "%s is in use for what the capture keeps: take another name", path);
		return RCAP_CONTROL_FAILED;
	}
	if (rcap_snapshot_write(drain, &what, &err) != 0) {
		rcap_log_format(kept->written_path, sizeof(kept->written_path), "%s", err.message);
		return RCAP_CONTROL_FAILED;
	}
	rcap_log_format(kept->written_path, sizeof(kept->written_path), "%s",
	                kept->logs[kept->snapshots % RCAP_KEPT_LOGS].path);
	return RCAP_CONTROL_DONE;
}

void rcap_timing_tell(struct rcap_drain *drain, bool is_flush)
{
	const struct timespec step = { .tv_nsec = 1000000 };
	const uint32_t command = rcap_control_asked(flushed);

	if (!is_flush) {
		return;
	}
	if (command > RCAP_CONTROL_FLUSH && rcap_drain_is_switching(drain)) {
		/* Leaves the command for later, because the capture is about to be switched, which
		 * changes the answer. */
		nanosleep(&step, NULL);
	} else if (flushed != 0) {
		answer(flushed, command == RCAP_CONTROL_FLUSH ? RCAP_CONTROL_DONE
		                                              : make_snapshot(drain, command));
	}
	atomic_store_explicit(&done, taken, memory_order_release);
	rcap_futex_wake(&done);
}

bool rcap_timing_flush(uint64_t wait_ms)
{
	const uint32_t number = atomic_fetch_add_explicit(&wanted, 1, memory_order_release) + 1;
	const uint64_t until = rcap_clock_mono_ns() + wait_ms * 1000000;
	const int saved = errno;
	uint32_t seen = atomic_load_explicit(&done, memory_order_acquire);

	rcap_process_wake_drain();
	while ((int32_t) (seen - number) < 0 && rcap_clock_mono_ns() < until &&
	       rcap_process.has_drain) {
		rcap_futex_wait(&done, seen, 10000000);
		seen = atomic_load_explicit(&done, memory_order_acquire);
	}
	errno = saved;
	return (int32_t) (seen - number) >= 0;
}

int64_t rcap_timing_left_ns(void)
{
	const uint64_t due = due_ns();
	const uint64_t now = rcap_clock_mono_ns();

	if (due == 0) {
		return LONGEST_NS;
	}
	if (due <= now) {
		return 0;
	}
	return due - now < (uint64_t) LONGEST_NS ? (int64_t) (due - now) : LONGEST_NS;
}
