/* SPDX-License-Identifier: MIT */
/* Start and end of the capture in a process: first event, fork, exit, and the drain's thread. */
#include "libranges/entry/lifetime.h"

#include <errno.h>
#include <linux/close_range.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "libranges/base/clock.h"
#include "libranges/record/names/defs.h"
#include "libranges/drain/drain.h"
#include "libranges/drain/keep/keep.h"
#include "libranges/drain/keep/triggers.h"
#include "libranges/entry/fork-gate.h"
#include "libranges/record/names/handles.h"
#include "libranges/base/futex.h"
#include "libranges/base/log.h"
#include "libranges/record/names/names.h"
#include "libranges/chain/nvtx-chain.h"
#include "libranges/entry/origin.h"
#include "libranges/entry/timing.h"
#include "libranges/entry/own-files.h"
#include "libranges/entry/own-spool.h"
#include "libranges/base/own-thread.h"
#include "libranges/spool/owner.h"
#include "libranges/process/process.h"
#include "libranges/record/payloads/schemas.h"
#include "libranges/record/steer.h"
#include "libranges/spool/spool-lock.h"
#include "libranges/record/thread.h"
#include "libranges/record/payloads/tokens.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

#define NS_PER_MS 1000000l
/* While there is work, the drain checks the queues every 5 ms. Without work the interval grows to
 * 100 ms. */
#define LOOK_MIN_NS (5 * NS_PER_MS)
#define LOOK_MAX_NS (100 * NS_PER_MS)
/* How long to wait for the GPU's records to be handed over. */
#define GPU_TAKE_NS (1000 * NS_PER_MS)
/* How long to wait after a failed write: 100 ms at first, then doubled up to 5 s. */
#define RETRY_MIN_NS (100 * NS_PER_MS)
#define RETRY_MAX_NS (5000 * NS_PER_MS)
#define DRAIN_STACK  ((size_t) 512 * 1024)
/* How long to wait until a new thread runs. If it does not, we go on without it. */
#define SETTLE_NS (1000 * (int64_t) NS_PER_MS)
/* How often the drain checks whether the program has other threads. A program whose main ended by
 * pthread_exit() may end later by this much. */
#define LOOK_AROUND_NS (200 * (uint64_t) NS_PER_MS)

static _Atomic uint32_t drain_done;
static _Atomic uint32_t drain_settled;
/*
 * The drain's state. At a fork the parent's drain may be using its state, so the child can't free
 * it. The child uses the next one, and the parent's stays allocated. Only the drain's thread uses
 * the state, until it has left its loop (drain_left).
 */
#define GENERATIONS 16u
static struct rcap_drain drains[GENERATIONS];
static struct rcap_drain *drain = drains;
/* The drain has left its loop because all other threads have ended. finish() then runs on the
 * drain's thread and writes the rest. */
static bool drain_left;
/* Results for the report at the end. Storing drain_done publishes them. */
static bool has_given_up;
static bool log_is_gone;
/* Set by the atfork handler. Children of raw clone() and _Fork() do not run the handler, and must
 * not start a thread. */
static bool is_plain_fork;

static int64_t now_ns(void)
{
	return (int64_t) rcap_clock_mono_ns();
}

/* The drain reports that it has its own file table, or can't have one. */
static void tell_settled(void)
{
	atomic_store_explicit(&drain_settled, 1, memory_order_release);
	rcap_futex_wake(&drain_settled);
}

/* Makes the drain the only owner of the spool's lock, so that no fork child has it. */
static void hand_over_lock(void)
{
	const int64_t deadline = now_ns() + SETTLE_NS;

	while (atomic_load_explicit(&drain_settled, memory_order_acquire) == 0 &&
	       now_ns() < deadline) {
		rcap_futex_wait(&drain_settled, 0, deadline - now_ns());
	}
	if (atomic_load_explicit(&rcap_process.spool.header->locking, memory_order_relaxed) ==
	            RCAP_LOCKING_DRAIN &&
	    atomic_load_explicit(&drain_settled, memory_order_acquire) != 0) {
		rcap_spool_lock_drop(&rcap_process.spool);
	}
}

static void note_failure(const struct rlog_error *err)
{
	struct rcap_spool_header *header = rcap_process.spool.header;

	if (header->note[0] == '\0') {
		rcap_log_format(header->note, sizeof(header->note), "%s", err->message);
	}
}

static bool is_closing(void)
{
	return atomic_load_explicit(&rcap_process.spool.header->state, memory_order_acquire) !=
	       RCAP_SPOOL_LIVE;
}

static void sleep_drain(int64_t ns)
{
	_Atomic uint32_t *const wake = &rcap_process.spool.header->control.wake;
	const uint32_t seen = atomic_load_explicit(wake, memory_order_acquire);

	rcap_fork_gate_leave();
	atomic_store_explicit(&rcap_process.drain_sleeps, 1, memory_order_seq_cst);
	if (!is_closing() && !rcap_timing_is_asked() &&
	    atomic_load_explicit(wake, memory_order_seq_cst) == seen) {
		rcap_futex_wait_shared(wake, seen, ns);
	}
	atomic_store_explicit(&rcap_process.drain_sleeps, 0, memory_order_relaxed);
	rcap_fork_gate_enter();
}

static unsigned count_gpu_threads(void)
{
	return rcap_process.count_gpu_threads ? rcap_process.count_gpu_threads() : 0;
}

/* True if the program has no threads any more, and ours have ended or will never end. */
static bool is_over(void)
{
	const unsigned others = count_gpu_threads();

	return rcap_owner_is_alone(1 + others) && (others == 0 || rcap_process.end_gpu_threads());
}

/* Opens the log. Tries again while that fails. Return: false if the program ends before. */
static bool open_log(void)
{
	struct rlog_error err = { 0 };
	int64_t wait = RETRY_MIN_NS;

	while (rcap_drain_create_log(drain, &err) != 0) {
		note_failure(&err);
		if (is_closing() || is_over()) {
			return false;
		}
		sleep_drain(wait);
		wait = wait * 2 > RETRY_MAX_NS ? RETRY_MAX_NS : wait * 2;
	}
	return true;
}

/* Checks things that change rarely, once in LOOK_AROUND_NS. Return: false if the drain must end. */
static bool look_around(uint64_t *next_ns)
{
	const uint64_t now = rcap_clock_mono_ns();

	if (now < *next_ns) {
		return true;
	}
	*next_ns = now + LOOK_AROUND_NS;
	rcap_own_files_follow();
	if (rcap_process.look_again) {
		rcap_process.look_again();
	}
	return !is_over();
}

/* Takes the GPU's records out of CUPTI, because a thread waits for everything recorded so far. The
 * drain works meanwhile. Return: 0, or the result of the drain's turn. */
static int take_gpu(struct rlog_error *err)
{
	bool (*take)(bool) = atomic_load_explicit(&rcap_process.take_gpu, memory_order_acquire);
	const uint64_t until = rcap_clock_mono_ns() + GPU_TAKE_NS;
	int status = 0;

	if (!take || take(true)) {
		return 0;
	}
	while (status == 0 && !take(false) && !is_closing() && rcap_clock_mono_ns() < until) {
		uint64_t written = 0;

		status = rcap_drain_turn(drain, false, &written, err);
		sleep_drain(LOOK_MIN_NS);
	}
	return status;
}

/* The drain's main loop. Return: false if the process is over. */
static bool drain_until_closing(void)
{
	struct rlog_error err = { 0 };
	int64_t wait = LOOK_MIN_NS;
	int64_t retry = RETRY_MIN_NS;
	uint64_t next_look_ns = 0;

	while (!is_closing()) {
		uint64_t written = 0;
		bool is_flush;

		if (!look_around(&next_look_ns)) {
			return false;
		}
		is_flush = rcap_timing_serve();
		is_flush |= rcap_triggers_are_due(drain);
		if ((is_flush && take_gpu(&err) != 0) ||
		    rcap_drain_turn(drain, is_flush, &written, &err) != 0) {
			note_failure(&err);
			sleep_drain(retry);
			retry = retry * 2 > RETRY_MAX_NS ? RETRY_MAX_NS : retry * 2;
			continue;
		}
		retry = RETRY_MIN_NS;
		rcap_timing_tell(drain, is_flush);
		if (is_flush) {
			rcap_triggers_serve(drain);
		}
		if (rcap_drain_is_idle(drain)) {
			/* While the capture is off, our threads wake up only for what is due. */
			sleep_drain(rcap_timing_left_ns());
			next_look_ns = 0;
			wait = LOOK_MIN_NS;
			continue;
		}
		rcap_shrink_watch(&drain->shrink, &rcap_process.spool, 0, rcap_clock_mono_ns());
		rcap_spool_look_ahead(&rcap_process.spool, 128 + 2 * drain->freed);
		if (written > 0 || rcap_drain_is_switching(drain)) {
			wait = LOOK_MIN_NS;
		} else if (wait < LOOK_MAX_NS) {
			wait += wait / 4;
		}
		/* Does not sleep after a full chunk: more events are probably waiting. */
		if (written < RCAP_DRAIN_ROWS) {
			const int64_t timed = rcap_timing_left_ns();
			const int64_t piece = rcap_keep_left_ns(drain);
			const int64_t left = timed < piece ? timed : piece;

			sleep_drain(left < wait ? left : wait);
		}
	}
	return true;
}

/* Drains everything at the end. Other threads may still be recording, so this repeats until nothing
 * is found. */
static bool drain_rest(void)
{
	struct rlog_error err = { 0 };
	uint64_t written = 0;
	int status;

	rcap_process_do(rcap_process.end_gpu_samples);
	for (int lap = 0; lap < 100; lap++) {
		status = rcap_drain_turn(drain, true, &written, &err);
		if (status != 0 || written == 0) {
			break;
		}
	}
	if (status == 0 && !drain->writer) {
		return true; /* there is no log, because the capture was off */
	}
	if (status == 0) {
		rcap_triggers_serve(drain);
	}
	if (status == 0) {
		status = rcap_drain_sync_clock(drain, &err);
	}
	if (status == 0) {
		status = rcap_drain_finish(drain, "clean", &err);
	}
	if (status != 0) {
		note_failure(&err);
	}
	return status == 0;
}

/* Gives up the rest of the events. Without a file for the spool nobody can write them later. The
 * log, if there is one, reports how many they are. Return: true if the log is closed. */
static bool give_up(bool has_log)
{
	struct rlog_error err = { 0 };

	if (rcap_process.spool.path[0] != '\0') {
		return false; /* a recovery will write the rest */
	}
	rcap_drain_give_up(has_log ? drain : NULL, &rcap_process.spool);
	has_given_up = true;
	return has_log && rcap_drain_finish(drain, "clean", &err) == 0;
}

/* Writes what is left, closes the log and frees everything. */
static void end_drain(bool has_log)
{
	struct rcap_spool *spool = &rcap_process.spool;

	if ((has_log && drain_rest()) || give_up(has_log)) {
		log_is_gone = drain->writer && !rcap_drain_finds_log(spool->header);
		atomic_store_explicit(&spool->header->state, RCAP_SPOOL_CLOSED,
		                      memory_order_release);
		rcap_own_spool_remove();
	}
	rcap_drain_fini(drain);
	rcap_fork_gate_leave();
	atomic_store_explicit(&drain_done, 1, memory_order_release);
	rcap_futex_wake(&drain_done);
}

/* Others must not wait for ever if a program records faster than we write. */
static void pause_drain(void)
{
	rcap_fork_gate_pause();
	if (rcap_process_alive &&
	    atomic_load_explicit(rcap_process_alive, memory_order_acquire) == RCAP_ALIVE_YES) {
		rcap_timing_switch();
	}
}

static void *drain_main(void *argument)
{
	bool has_log = false;

	(void) argument;
	prctl(PR_SET_NAME, "ranges-drain");
	rcap_own_files_leave();
	tell_settled();
	if (rcap_drain_init(drain, &rcap_process.spool, true) == 0) {
		rcap_keep_init(drain);
		rcap_triggers_init(drain);
		drain->pause = pause_drain;
		drain->flush_ns = rcap_config_flush_ns(&rcap_process.config);
		has_log = !rcap_drain_wants_log(&rcap_process.spool) || open_log();
		if (has_log && !drain_until_closing()) {
			rcap_fork_gate_leave();
			drain_left = true;
			/* The process ends when its last thread ends. A thread of CUPTI that hangs
			 * would prevent that, so the process is ended here. */
			if (count_gpu_threads() > 0) {
				rcap_process.end_process(0);
			}
			return NULL;
		}
	}
	end_drain(has_log);
	/* This thread has the lock by which others see that the process lives. */
	if (atomic_load_explicit(&rcap_process.spool.header->locking, memory_order_relaxed) ==
	    RCAP_LOCKING_DRAIN) {
		syscall(SYS_close_range, 0u, 2u, 0u);
		for (;;) {
			pause();
		}
	}
	return NULL;
}

static void tell_no_drain(const struct rcap_config *config)
{
	RCAP_LOG(RCAP_LOG_WARN,
	         "no thread can be started: the log is written after the program's end%s",
	         config->on_full == RCAP_ON_FULL_BLOCK
	                 ? "; an event that does not fit into the buffer is dropped"
	                 : "");
}

/* Reads the settings for the first capture of a process image. Return: false if a capture is not
 * possible. */
static bool read_settings(struct rcap_config *config)
{
	rcap_config_load(config, NULL, NULL);
	rcap_log_init((enum rcap_log_level) config->log_level);
	if (!config->checked) {
		rcap_config_load(config, rcap_config_log_problem, NULL);
	}
	if (rcap_clock_is_forbidden()) {
		RCAP_LOG(RCAP_LOG_WARN, "the program may not read the clock (it called "
		                        "PR_SET_TSC): nothing is captured");
		return false;
	}
	rcap_clock_init((enum rcap_clock_mode) config->clock);
	rcap_handles_decide_default(config->domains);
	rcap_nvtx_chain_tell();
	return true;
}

/* Starts the capture. Return: true if events can be recorded from now on. */
static bool start_capture(void)
{
	const bool is_first = rcap_process.generation == 0;
	struct rcap_config *config = &rcap_process.config;

	atomic_store_explicit(&drain_done, 0, memory_order_relaxed);
	atomic_store_explicit(&drain_settled, 0, memory_order_relaxed);
	rcap_spool_lock_drop(&rcap_process.spool); /* the parent's lock, after a raw clone() */
	rcap_fork_gate_leave();                    /* the parent's drain, after a raw clone() */
	rcap_process.has_drain = false;
	drain_left = false;
	has_given_up = false;
	log_is_gone = false;
	if (is_first && !read_settings(config)) {
		return false;
	}
	drain = &drains[rcap_process.generation % GENERATIONS];
	rcap_process.generation++;
	if (!rcap_own_spool_make(config)) {
		RCAP_LOG(RCAP_LOG_ERROR, "no memory for the event buffer: nothing is captured");
		return false;
	}
	rcap_origin_fill(rcap_process.spool.header, config, rcap_process.generation > 1);
	rcap_steer_begin(config);
	if (!rcap_process.spool.header->crash_safe) {
		rcap_own_spool_tell_alone();
	}
	rcap_thread_reset();
	if (!rcap_names_reset() || !rcap_handles_replay()) {
		RCAP_LOG(RCAP_LOG_ERROR, "no memory for the table of names: nothing is captured");
		rcap_spool_unlink(&rcap_process.spool);
		rcap_spool_lock_drop(&rcap_process.spool);
		return false;
	}
	rcap_tokens_replay();
	rcap_schemas_replay();
	rcap_defs_replay();
	atomic_store_explicit(&rcap_process.spool.header->state, RCAP_SPOOL_LIVE,
	                      memory_order_release);
	if ((is_first || is_plain_fork) && config->threads == RCAP_THREADS_ON) {
		rcap_fork_gate_enter();
		rcap_process.has_drain = rcap_own_thread_start(drain_main, DRAIN_STACK);
		if (rcap_process.has_drain) {
			hand_over_lock();
		} else {
			rcap_fork_gate_leave();
			tell_no_drain(config);
		}
	}
	is_plain_fork = false;
	RCAP_LOG(RCAP_LOG_INFO, "capture started: spool=%s drain=%d", rcap_process.spool.path,
	         rcap_process.has_drain);
	return true;
}

static void after_fork_in_child(void)
{
	is_plain_fork = true;
	/* Needed if the kernel can't wipe the page. */
	atomic_store_explicit(rcap_process_alive, RCAP_ALIVE_NO, memory_order_relaxed);
	rcap_spool_lock_drop(&rcap_process.spool); /* the lock is the parent's */
	rcap_thread_forget();
	rcap_fork_gate_reset();
}

bool rcap_lifetime_load(void)
{
	_Atomic uint32_t *none = NULL;
	void *page;

	if (rcap_process_alive) {
		return true;
	}
	if (getauxval(AT_SECURE) != 0) {
		/* A setuid program: a user with fewer rights has set its environment. */
		return false;
	}
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED) {
		return false;
	}
	madvise(page, 4096, MADV_WIPEONFORK);
	/* Relaxed: the exchange below orders it. */
	atomic_store_explicit(&rcap_process.start, start_capture, memory_order_relaxed);
	/* If we are linked into a program, no constructor has run before, and several linkage units
	 * may come here at once. Then one page is used. A thread that loads the pointer also sees
	 * that the page is wiped. */
	if (!atomic_compare_exchange_strong(&rcap_process_alive, &none,
	                                    (_Atomic uint32_t *) page)) {
		munmap(page, 4096);
		return true;
	}
	pthread_atfork(RCAP_FORK_GATE_BEFORE, RCAP_FORK_GATE_AFTER, after_fork_in_child);
	return true;
}

static void report_sums(const struct rcap_spool_header *header, bool is_whole)
{
	RCAP_LOG(RCAP_LOG_WARN, "%lu events, %lu lost%s: %s",
	         (unsigned long) atomic_load_explicit(&header->events, memory_order_relaxed),
	         (unsigned long) rcap_drain_total_lost(&rcap_process.spool),
	         is_whole ? "" : ", the rest of the buffer not written",
	         atomic_load_explicit(&header->log_inode, memory_order_relaxed) != 0
	                 ? header->log_path
	                 : "there is no log");
}

/* Reports what the launcher can't report: there is no launcher, or it finds no spool. */
static void report_end(const struct rcap_spool_header *header)
{
	const bool is_closed =
		atomic_load_explicit(&header->state, memory_order_acquire) == RCAP_SPOOL_CLOSED;
	const char *spool = rcap_process.spool.path;
	const bool has_launcher = rcap_process.config.run_dir[0] != '\0';

	if (has_launcher && spool[0] != '\0') {
		return; /* the launcher completes the log and reports */
	}
	if (header->note[0] != '\0') {
		RCAP_LOG(RCAP_LOG_ERROR, "the log is not complete: %s", header->note);
	}
	if (log_is_gone) {
		RCAP_LOG(RCAP_LOG_ERROR,
		         "the log was moved, deleted or replaced: it is no longer at %s",
		         header->log_path);
	}
	if (!is_closed && spool[0] != '\0') {
		RCAP_LOG(RCAP_LOG_ERROR,
		         "events are left in the spool; `ranges recover %s` writes a log", spool);
	}
	if (spool[0] == '\0' ? has_launcher || has_given_up || !is_closed : log_is_gone) {
		report_sums(header, is_closed || has_given_up);
	}
}

/* Does all of the drain's work on the thread that ends the program. */
static void drain_at_exit(void)
{
	struct rlog_error err = { 0 };
	bool has_log = false;

	if (rcap_drain_init(drain, &rcap_process.spool, true) == 0) {
		rcap_keep_init(drain);
		has_log = !rcap_drain_wants_log(&rcap_process.spool) ||
		          rcap_drain_create_log(drain, &err) == 0;
		if (!has_log) {
			note_failure(&err);
		}
	}
	end_drain(has_log);
}

/* Ends a capture that has no drain of its own. */
static void finish_without_drain(struct rcap_spool_header *header)
{
	atomic_store_explicit(&header->state, RCAP_SPOOL_CLOSING, memory_order_seq_cst);
	if (header->drained == RCAP_DRAINED_AT_EXIT) {
		drain_at_exit();
	} else if (header->drained == RCAP_DRAINED_INSIDE) {
		give_up(false); /* our drain's thread could not be started */
	}
	report_end(header);
}

/*
 * Runs when the program ends. Recorded events are already safe in the spool, so this waits for the
 * drain only as long as RANGES_EXIT_MS allows. If we are linked into the program, its own
 * destructors run before, because they have higher numbers.
 */
__attribute__((destructor(101))) static void finish(void)
{
	struct rcap_spool_header *header;
	int64_t deadline;

	if (!rcap_process_alive ||
	    atomic_load_explicit(rcap_process_alive, memory_order_acquire) != RCAP_ALIVE_YES) {
		return;
	}
	header = rcap_process.spool.header;
	if (!rcap_process.has_drain) {
		finish_without_drain(header);
		return;
	}
	deadline = now_ns() + (int64_t) rcap_process.config.exit_ms * NS_PER_MS;
	atomic_store_explicit(&header->state, RCAP_SPOOL_CLOSING, memory_order_seq_cst);
	if (drain_left) {
		end_drain(true); /* this is the drain's thread */
	}
	atomic_fetch_add_explicit(&header->control.wake, 1, memory_order_seq_cst);
	rcap_futex_wake_shared(&header->control.wake);
	while (atomic_load_explicit(&drain_done, memory_order_acquire) == 0 &&
	       now_ns() < deadline) {
		rcap_futex_wait(&drain_done, 0, deadline - now_ns());
	}
	report_end(header);
}
