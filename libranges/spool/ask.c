/* SPDX-License-Identifier: MIT */
/* Asks the drain of a capture to do something. */
#include "libranges/spool/ask.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "libranges/base/clock.h"
#include "libranges/base/futex.h"
#include "libranges/base/log.h"

#define NS_PER_MS UINT64_C(1000000)
/* An answer that was not read for so long is nobody's. */
#define LEFT_NS (500 * NS_PER_MS)

static void nap(void)
{
	const struct timespec time = { .tv_nsec = (long) NS_PER_MS };

	nanosleep(&time, NULL);
}

/* Takes the place for commands. One at a time: who comes second waits; who was asked and is gone
 * has left an answer there that nobody reads. Return: false if it is not to be had. */
static bool take_place(struct rcap_control *control, uint32_t word, uint64_t until)
{
	uint32_t seen = 0;
	uint64_t since = 0;

	for (;;) {
		uint32_t found = RCAP_CONTROL_NONE;
		const uint64_t now = rcap_clock_mono_ns();

		if (atomic_compare_exchange_strong_explicit(&control->command, &found, word,
		                                            memory_order_acq_rel,
		                                            memory_order_acquire)) {
			return true;
		}
		if (now >= until) {
			return false;
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
		nap();
	}
}

int rcap_ask(struct rcap_control *control, uint32_t command, const char *path, char *answer,
             size_t size, uint64_t wait_ns)
{
	const uint64_t until = rcap_clock_mono_ns() + wait_ns;
	const uint32_t word = rcap_control_ask(command, (uint32_t) getpid());
	/* As one that was answered, so that the drain lets it be, and who comes next takes it away
	 * if we die here. */
	const uint32_t taken = rcap_control_answer(word, RCAP_CONTROL_TAKEN);
	uint32_t found = word;
	int result = -1;

	if (!take_place(control, taken, until)) {
		return -1;
	}
	rcap_log_format(control->kept.wanted_path, sizeof(control->kept.wanted_path), "%s",
	                path ? path : "");
	/* Release pairs with the drain's acquire: the path is whole. */
	atomic_store_explicit(&control->command, word, memory_order_release);
	atomic_fetch_add_explicit(&control->wake, 1, memory_order_release);
	rcap_futex_wake_shared(&control->wake);
	while (found == word && rcap_clock_mono_ns() < until) {
		nap();
		found = atomic_load_explicit(&control->command, memory_order_acquire);
	}
	if (rcap_control_asked(found) == RCAP_CONTROL_NONE && found != RCAP_CONTROL_NONE) {
		result = (int) rcap_control_result(found);
	}
	if (answer && result >= 0) {
		rcap_log_format(answer, size, "%.*s", (int) sizeof(control->kept.written_path) - 1,
		                control->kept.written_path);
	}
	/* Read, or withdrawn. */
	atomic_compare_exchange_strong_explicit(&control->command, &found, RCAP_CONTROL_NONE,
	                                        memory_order_acq_rel, memory_order_acquire);
	return result;
}
