/* SPDX-License-Identifier: MIT */
/* Lets a thread of ours call CUPTI on behalf of a thread of the program. */
#include "libranges/cupti/records/cupti-aside.h"

#include <pthread.h>
#include <time.h>

#include "libranges/base/clock.h"
#include "libranges/cupti/records/cupti-buffers.h"

#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S  UINT64_C(1000000000)
/* Once a wait has timed out, later waits end after this time. If CUPTI waits for the very thread
 * that waits for CUPTI, each wait times out. */
#define LATER_MS UINT64_C(100)

/* The request. There is only one at a time, because requests are rare. The lock is never held while
 * CUPTI is called. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	void (*wake)(void);
	uint64_t wait_ms;
	rcap_cupti_aside_fn *fn; /* function to call; NULL: there is no request */
	uint32_t number;
	uint64_t value;
	uint64_t asked; /* number of requests so far */
	uint64_t done;  /* number of requests that are done */
	bool is_open;
	bool is_stuck;
} aside = { .lock = PTHREAD_MUTEX_INITIALIZER };

void rcap_cupti_aside_init(void (*wake)(void), uint64_t wait_ms)
{
	rcap_cupti_buffers_init_condition(&aside.changed);
	pthread_mutex_lock(&aside.lock);
	aside.wake = wake;
	aside.wait_ms = wait_ms;
	aside.is_open = true;
	pthread_mutex_unlock(&aside.lock);
}

static bool can_ask(void)
{
	return aside.is_open && !aside.is_stuck;
}

/* Waits until the state changes or until `until`. The lock is held. Return: false if the time is
 * over. */
static bool wait_for_change(const struct timespec *until)
{
	return pthread_cond_timedwait(&aside.changed, &aside.lock, until) == 0;
}

bool rcap_cupti_aside_ask(rcap_cupti_aside_fn *fn, uint32_t number, uint64_t value)
{
	bool is_in_time = true;
	bool is_done = false;

	pthread_mutex_lock(&aside.lock);
	if (can_ask()) {
		const uint64_t until_ns = rcap_clock_mono_ns() + aside.wait_ms * NS_PER_MS;
		const struct timespec until = { .tv_sec = (time_t) (until_ns / NS_PER_S),
			                        .tv_nsec = (long) (until_ns % NS_PER_S) };
		uint64_t ticket = 0;

		while (can_ask() && aside.fn && is_in_time) {
			is_in_time = wait_for_change(&until);
		}
		if (can_ask() && is_in_time) {
			aside.fn = fn;
			aside.number = number;
			aside.value = value;
			ticket = ++aside.asked;
			aside.wake();
		}
		while (can_ask() && ticket != 0 && aside.done < ticket && is_in_time) {
			is_in_time = wait_for_change(&until);
		}
		is_done = ticket != 0 && aside.done >= ticket;
		if (!is_in_time && !is_done) {
			aside.is_stuck = true;
			aside.wait_ms = aside.wait_ms < LATER_MS ? aside.wait_ms : LATER_MS;
		}
	}
	pthread_mutex_unlock(&aside.lock);
	return is_done;
}

void rcap_cupti_aside_serve(void)
{
	rcap_cupti_aside_fn *fn;
	uint32_t number;
	uint64_t value;

	pthread_mutex_lock(&aside.lock);
	aside.is_stuck = false; /* the worker has returned from CUPTI */
	pthread_cond_broadcast(&aside.changed);
	fn = aside.fn;
	number = aside.number;
	value = aside.value;
	pthread_mutex_unlock(&aside.lock);
	if (!fn) {
		return;
	}
	fn(number, value);
	pthread_mutex_lock(&aside.lock);
	aside.fn = NULL;
	aside.done = aside.asked;
	aside.is_stuck = false;
	pthread_cond_broadcast(&aside.changed);
	pthread_mutex_unlock(&aside.lock);
}

void rcap_cupti_aside_close(void)
{
	pthread_mutex_lock(&aside.lock);
	aside.is_open = false;
	aside.is_stuck = false;
	pthread_cond_broadcast(&aside.changed);
	pthread_mutex_unlock(&aside.lock);
}

bool rcap_cupti_aside_is_stuck(void)
{
	bool is_stuck;

	pthread_mutex_lock(&aside.lock);
	is_stuck = aside.is_stuck;
	pthread_mutex_unlock(&aside.lock);
	return is_stuck;
}

void rcap_cupti_aside_revive(void)
{
	pthread_mutex_lock(&aside.lock);
	aside.is_stuck = false;
	pthread_cond_broadcast(&aside.changed);
	pthread_mutex_unlock(&aside.lock);
}

bool rcap_cupti_aside_await(uint64_t until_ns)
{
	const struct timespec until = { .tv_sec = (time_t) (until_ns / NS_PER_S),
		                        .tv_nsec = (long) (until_ns % NS_PER_S) };
	bool is_stuck;

	pthread_mutex_lock(&aside.lock);
	while (aside.is_stuck && wait_for_change(&until)) {
	}
	is_stuck = aside.is_stuck;
	pthread_mutex_unlock(&aside.lock);
	return !is_stuck;
}
