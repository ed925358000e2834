/* SPDX-License-Identifier: MIT */
/* In the launcher: the thread that asks NVML while programs record. */
#include "libranges/nvml/nvml-serve.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "libranges/base/clock.h"
#include "libranges/settings/config.h"
#include "libranges/base/futex.h"
#include "libranges/settings/gpu-metrics.h"
#include "libranges/base/log.h"
#include "libranges/base/own-thread.h"
#include "libranges/nvml/nvml-ring.h"
#include "libranges/nvml/nvml-sample.h"

#define STACK    ((size_t) 512 * 1024) /* libraries run their constructors on this stack */
#define HOUR_NS  INT64_C(3600000000000)
#define LEAVE_NS INT64_C(1000000000)

static struct {
	struct rcap_nvml_ring *ring;
	const char *directory;
	int wanted; /* enum rcap_gpu_metrics */
	uint64_t every_ns;
	_Atomic bool is_over;
	_Atomic uint32_t has_left; /* 1: the thread will not call NVML any more */
} serving;

/* Serves requests for all samples that NVML has now. */
static void answer(bool is_open)
{
	struct rcap_nvml_ring *const ring = serving.ring;
	const uint32_t asked = atomic_load_explicit(&ring->asked, memory_order_acquire);

	if (asked == atomic_load_explicit(&ring->served, memory_order_relaxed)) {
		return;
	}
	if (is_open) {
		rcap_nvml_sample_all();
	}
	atomic_store_explicit(&ring->served, asked, memory_order_release);
	rcap_futex_wake_all_shared(&ring->served);
}

static void *serve(void *argument)
{
	struct rcap_nvml_ring *const ring = serving.ring;
	bool is_open = false;
	bool is_refused = false;
	bool was_on = false;

	(void) argument;
	prctl(PR_SET_NAME, "ranges-nvml");
	while (!atomic_load_explicit(&serving.is_over, memory_order_acquire)) {
		const uint32_t seen = atomic_load_explicit(&ring->bell, memory_order_acquire);
		const bool is_on = atomic_load_explicit(&ring->users, memory_order_acquire) > 0;
		int64_t left = HOUR_NS;

		if (is_on && !is_open && !is_refused) {
			is_open = rcap_nvml_sample_open(ring, serving.wanted, serving.every_ns);
			is_refused = !is_open;
		}
		if (is_on && !was_on && is_open) {
			rcap_nvml_sample_begin();
		}
		was_on = is_on;
		answer(is_open && is_on);
		if (is_open && is_on) {
			left = rcap_nvml_sample_due();
		}
		rcap_futex_wait_shared(&ring->bell, seen, left < HOUR_NS ? left : HOUR_NS);
	}
	atomic_store_explicit(&serving.has_left, 1, memory_order_release);
	rcap_futex_wake(&serving.has_left);
	return NULL;
}

int rcap_nvml_serve_begin(const char *directory, const char *metrics, uint64_t every_ns)
{
	char why[256];
	const int wanted = rcap_gpu_metrics_parse(metrics, why, sizeof(why));

	if (wanted <= 0 || directory[0] == '\0') {
		return 0;
	}
	serving.wanted = wanted;
	serving.every_ns = every_ns;
	serving.directory = directory;
	serving.ring = rcap_nvml_ring_make(directory);
	if (!serving.ring) {
		return errno;
	}
	if (!rcap_own_thread_start(serve, STACK)) {
		rcap_nvml_ring_remove(serving.ring, directory);
		serving.ring = NULL;
		return EAGAIN;
	}
	return 0;
}

/* exit() shuts NVML down. A thread that is then inside NVML may crash. */
static void wait_until_left(void)
{
	const uint64_t until = rcap_clock_mono_ns() + (uint64_t) LEAVE_NS;
	uint64_t now;

	while (atomic_load_explicit(&serving.has_left, memory_order_acquire) == 0 &&
	       (now = rcap_clock_mono_ns()) < until) {
		rcap_futex_wait(&serving.has_left, 0, (int64_t) (until - now));
	}
}

void rcap_nvml_serve_end(void)
{
	char path[RCAP_CONFIG_PATH_BYTES];

	if (!serving.ring) {
		return;
	}
	atomic_store_explicit(&serving.is_over, true, memory_order_release);
	rcap_nvml_ring_ring(serving.ring);
	wait_until_left();
	/* The ring stays mapped, because the thread is still inside NVML if that hangs. */
	rcap_log_format(path, sizeof(path), "%s/" RCAP_NVML_RING_NAME, serving.directory);
	unlink(path);
}
