/* SPDX-License-Identifier: MIT */
/* Calls that are left in the middle: by a jump out of a handler, by switching to another user-level
 * thread. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <ucontext.h>

#include "ranges/nvtx.h"
#include "tests/capture/endings.h"

#define JUMPS       2000
#define FIBERS      3
#define SWITCHES    3000
#define STACK_BYTES 65536

static sigjmp_buf back;
static ucontext_t contexts[FIBERS];
static ucontext_t home;
static volatile sig_atomic_t current;
static volatile sig_atomic_t switches;
static volatile sig_atomic_t is_done[FIBERS];
static char stacks[FIBERS][STACK_BYTES];

static void set_alarm(int us, void (*handler)(int))
{
	const struct itimerval interval = { .it_interval = { .tv_usec = us },
		                            .it_value = { .tv_usec = us } };
	struct sigaction action = { .sa_handler = handler };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &interval, NULL);
}

static void jump(int signal)
{
	(void) signal;
	siglongjmp(back, 1);
}

/* Most jumps leave a call, in this loop or deeper. What comes later must not suffer. */
void endings_jump(_Atomic uint64_t *jumps)
{
	endings_emit(1);
	if (sigsetjmp(back, 1) != 0) {
		atomic_fetch_add(jumps, 1);
	}
	if (atomic_load(jumps) < JUMPS) {
		set_alarm(200, jump);
		for (;;) {
			endings_emit(10);
		}
	}
	set_alarm(0, SIG_IGN);
	endings_emit(1000);
}

static void switch_fiber(int signal)
{
	const int last = current;

	(void) signal;
	current = (last + 1) % FIBERS;
	switches++;
	if (is_done[current]) {
		current = last;
		return;
	}
	swapcontext(&contexts[last], &contexts[current]);
}

static void run_fiber(void)
{
	while (switches < SWITCHES) {
		endings_emit(10);
	}
	is_done[current] = 1;
}

/* A switch may come in the midst of a call; each fiber goes on until its calls have returned. */
void endings_switch(void)
{
	endings_emit(1);
	for (int i = 0; i < FIBERS; i++) {
		getcontext(&contexts[i]);
		contexts[i].uc_stack.ss_sp = stacks[i];
		contexts[i].uc_stack.ss_size = sizeof(stacks[i]);
		contexts[i].uc_link = &home;
		makecontext(&contexts[i], run_fiber, 0);
	}
	set_alarm(200, switch_fiber);
	swapcontext(&home, &contexts[0]);
	set_alarm(0, SIG_IGN);
	for (volatile int i = 0; i < FIBERS; i++) {
		if (!is_done[i]) {
			current = i;
			swapcontext(&home, &contexts[i]);
		}
	}
}
