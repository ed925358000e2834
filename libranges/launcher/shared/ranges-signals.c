/* SPDX-License-Identifier: MIT */
/* Signals to the launcher: passes them on to a running program, counts them after its end. */
#include "libranges/launcher/shared/ranges-signals.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "libranges/base/clock.h"
#include "libranges/base/log.h"

/* Signals that follow each other faster than this are counted as one request. */
#define BURST_NS UINT64_C(100000000)

static const int numbers[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 };

#define NUMBERS (sizeof(numbers) / sizeof(numbers[0]))

/* The state before the first hold. */
static struct {
	struct sigaction actions[NUMBERS];
	struct sigaction child;
	sigset_t mask;
	unsigned depth;
} found;

/* Shared with the handler. The handler interrupts the only thread, but never itself, so relaxed is
 * enough. */
static struct {
	_Atomic pid_t receiver; /* process that signals are passed to; 0: none */
	_Atomic uint64_t last_ns;
	atomic_uint count;
	atomic_uint presses; /* how many of the requests were ^C */
	atomic_bool was_interrupted;
	const struct rcap_ranges_signals_end *_Atomic end;
} now;

static bool is_from_terminal(int number)
{
	return number == SIGINT || number == SIGQUIT;
}

static void end_by(int number, const struct rcap_ranges_signals_end *end)
{
	if (end->line) {
		rcap_log_line(RCAP_LOG_ERROR, "%s", end->line);
	}
	if (end->tidy) {
		end->tidy();
	}
	(void) signal(number, SIG_DFL);
	(void) raise(number); /* delivered when the handler has returned */
}

/* Counts a signal that asks for an end when there is no process to pass it to. */
static void count(int number)
{
	const struct rcap_ranges_signals_end *const end =
		atomic_load_explicit(&now.end, memory_order_relaxed);
	unsigned presses;

	atomic_fetch_add_explicit(&now.count, 1, memory_order_relaxed);
	if (!end) {
		return;
	}
	if (end->presses > 0 && !is_from_terminal(number)) {
		return;
	}
	presses = 1 + atomic_fetch_add_explicit(&now.presses, 1, memory_order_relaxed);
	if (presses >= end->presses) {
		end_by(number, end);
	} else if (presses == 1 && end->hint) {
		rcap_log_line(RCAP_LOG_WARN, "%s", end->hint);
	}
}

static void handle(int number)
{
	const pid_t receiver = atomic_load_explicit(&now.receiver, memory_order_relaxed);
	const uint64_t last_ns = atomic_load_explicit(&now.last_ns, memory_order_relaxed);
	const uint64_t now_ns = rcap_clock_mono_ns();
	const int saved_errno = errno;

	if (is_from_terminal(number)) {
		atomic_store_explicit(&now.was_interrupted, true, memory_order_relaxed);
	} else if (receiver > 0) {
		kill(receiver, number);
	}
	if (number != SIGUSR1 && number != SIGUSR2) {
		atomic_store_explicit(&now.last_ns, now_ns, memory_order_relaxed);
		if (receiver == 0 && now_ns - last_ns >= BURST_NS) {
			count(number);
		}
	}
	errno = saved_errno;
}

static void fill_set(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < NUMBERS; i++) {
		sigaddset(set, numbers[i]);
	}
}

void rcap_ranges_signals_hold(void)
{
	struct sigaction action = { .sa_flags = SA_RESTART };
	sigset_t set;

	fill_set(&set);
	pthread_sigmask(SIG_BLOCK, &set, found.depth == 0 ? &found.mask : NULL);
	if (found.depth++ > 0) {
		return;
	}
	atomic_store_explicit(&now.was_interrupted, false, memory_order_relaxed);
	action.sa_handler = SIG_DFL; /* if SIGCHLD were ignored, exit codes would be lost */
	sigaction(SIGCHLD, &action, &found.child);
	action.sa_handler = handle;
	action.sa_mask = set; /* the handler never interrupts itself */
	for (size_t i = 0; i < NUMBERS; i++) {
		sigaction(numbers[i], NULL, &found.actions[i]);
		/* the signal is ignored under nohup, or in a job of a script */
		if (found.actions[i].sa_handler != SIG_IGN) {
			sigaction(numbers[i], &action, NULL);
		}
	}
}

void rcap_ranges_signals_restore(void)
{
	for (size_t i = 0; i < NUMBERS; i++) {
		sigaction(numbers[i], &found.actions[i], NULL);
	}
	sigaction(SIGCHLD, &found.child, NULL);
	pthread_sigmask(SIG_SETMASK, &found.mask, NULL);
}

void rcap_ranges_signals_release(void)
{
	if (--found.depth == 0) {
		rcap_ranges_signals_restore();
	}
}

/* Passes on the signals that came before the process existed, except a terminal's. */
static void send_early(pid_t pid)
{
	sigset_t pending;

	sigemptyset(&pending);
	sigpending(&pending);
	for (size_t i = 0; i < NUMBERS; i++) {
		if (is_from_terminal(numbers[i]) && sigismember(&pending, numbers[i]) == 1) {
			kill(pid, numbers[i]);
		}
	}
}

void rcap_ranges_signals_pass_to(int64_t pid)
{
	atomic_store_explicit(&now.receiver, (pid_t) pid, memory_order_relaxed);
	if (pid != 0) {
		rcap_ranges_signals_end_by(NULL);
		send_early((pid_t) pid);
	}
	pthread_sigmask(SIG_SETMASK, &found.mask, NULL);
}

unsigned rcap_ranges_signals_count(void)
{
	return atomic_load_explicit(&now.count, memory_order_relaxed);
}

bool rcap_ranges_signals_was_interrupted(void)
{
	return atomic_load_explicit(&now.was_interrupted, memory_order_relaxed);
}

void rcap_ranges_signals_end_by(const struct rcap_ranges_signals_end *end)
{
	atomic_store_explicit(&now.end, end, memory_order_relaxed);
}
