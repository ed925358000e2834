/* SPDX-License-Identifier: MIT */
/* Asks the drain of a capture to do something. */
#include "libranges/process/ask.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libranges/base/clock.h"
#include "libranges/base/futex.h"
#include "libranges/base/log.h"

#define NS_PER_MS UINT64_C(1000000)
/* If nobody has read an answer for this long, the process that asked is gone. */
#define LEFT_NS (500 * NS_PER_MS)

/* A wait checks once in this many turns whether the answering process lives. */
#define LOOK_TURNS 20u

/* A wait in progress. */
struct wait {
	const struct rcap_patience *patience;
	uint64_t until;
	unsigned turns;
};

/* Waits 1 ms. Return: 0; -1 if the time is over; RCAP_ASK_GONE. */
static int nap(struct wait *wait)
{
	const struct timespec time = { .tv_nsec = (long) NS_PER_MS };

	if (rcap_clock_mono_ns() >= wait->until) {
		return -1;
	}
	nanosleep(&time, NULL);
	if (wait->patience->is_there && ++wait->turns % LOOK_TURNS == 0 &&
	    !wait->patience->is_there(wait->patience->context)) {
		return RCAP_ASK_GONE;
	}
	return 0;
}

/* Takes the command slot. Only one caller has it; others wait. If nobody has read an answer because
 * its caller is gone, removes the answer. Return: 0, or as nap() if the slot can't be taken. */
static int take_place(struct rcap_control *control, uint32_t word, struct wait *wait)
{
	uint32_t seen = 0;
	uint64_t since = 0;

	for (;;) {
		uint32_t found = RCAP_CONTROL_NONE;
		const uint64_t now = rcap_clock_mono_ns();
		int rc;

		if (atomic_compare_exchange_strong_explicit(&control->command, &found, word,
		                                            memory_order_acq_rel,
		                                            memory_order_acquire)) {
			return 0;
		}
		if (found != seen) {
			seen = found;
			since = now;
		}
		if (now >= since + LEFT_NS && rcap_control_asked(found) == RCAP_CONTROL_NONE) {
			atomic_compare_exchange_strong_explicit(
				&control->command, &found, RCAP_CONTROL_NONE, memory_order_acq_rel,
				memory_order_relaxed);
		}
		rc = nap(wait);
		if (rc != 0) {
			return rc;
		}
	}
}

int rcap_ask(struct rcap_control *control, uint32_t command, const char *path, char *answer,
             size_t size, const struct rcap_patience *patience)
{
	struct wait wait = { .patience = patience,
		             .until = rcap_clock_mono_ns() + patience->wait_ns };
	const uint32_t word = rcap_control_ask(command, (uint32_t) getpid());
	/* This looks like an answered command. So the drain leaves it alone, and the next caller
	 * removes it if we die here. */
	const uint32_t taken = rcap_control_answer(word, RCAP_CONTROL_TAKEN);
	uint32_t found = word;
	int result = take_place(control, taken, &wait);

	if (result != 0) {
		return result;
	}
	rcap_log_format(control->kept.wanted_path, sizeof(control->kept.wanted_path), "%s",
	                path ? path : "");
	/* Release pairs with the drain's acquire, so the path is complete. */
	atomic_store_explicit(&control->command, word, memory_order_release);
	atomic_fetch_add_explicit(&control->wake, 1, memory_order_release);
	rcap_futex_wake_shared(&control->wake);
	while (found == word && result == 0) {
		result = nap(&wait);
		found = atomic_load_explicit(&control->command, memory_order_acquire);
	}
	if (rcap_control_asked(found) == RCAP_CONTROL_NONE && found != RCAP_CONTROL_NONE) {
		result = (int) rcap_control_result(found);
	} else if (result == 0) {
		result = -1; /* another caller has removed the answer */
	}
	if (answer && result >= 0) {
		rcap_log_format(answer, size, "%.*s", (int) sizeof(control->kept.written_path) - 1,
		                control->kept.written_path);
	}
	/* The answer is read, or the command is withdrawn. */
	atomic_compare_exchange_strong_explicit(&control->command, &found, RCAP_CONTROL_NONE,
	                                        memory_order_acq_rel, memory_order_acquire);
	return result;
}
