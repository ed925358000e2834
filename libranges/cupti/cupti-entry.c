/* SPDX-License-Identifier: MIT */
/* How the GPU's capture begins where the driver does not call us: we find that it is there. */
#include "libranges/cupti/cupti-entry.h"

#include <stdlib.h>

#include "libranges/cupti/cupti-control.h"
#include "libranges/cupti/cupti-find.h"
#include "libranges/base/cupti-kinds.h"
#include "libranges/spool/owner.h"

/* CUPTI is another tool's, or will come to us through the driver. */
static bool is_announced(void)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): as CUDA itself reads its variables */
	const char *path = secure_getenv("CUDA_INJECTION64_PATH");

	return path && path[0] != '\0';
}

void rcap_cupti_entry_look(void)
{
	const bool is_new = rcap_cupti_control_is_new();

	if ((!is_new && !rcap_cupti_control_is_starting()) || rcap_cupti_kinds_are_off() ||
	    is_announced()) {
		return;
	}
	if (is_new && rcap_cupti_find_is_mapped("libcuda.so")) {
		rcap_cupti_control_start(true);
	}
	/* Another thread may be at it: what this one launches next must be in the log. */
	rcap_cupti_control_await_start();
}

void rcap_cupti_entry_look_again(void)
{
	static bool has_tried; /* the drain's */

	/* By a thread of its own: whatever CUPTI does, the drain goes on. */
	if (!has_tried && rcap_cupti_control_is_new() && rcap_cupti_find_is_mapped("libcuda.so")) {
		has_tried = true;
		rcap_cupti_control_start_aside();
	}
}

bool rcap_cupti_entry_announce(const char *path)
{
	if (is_announced() || rcap_cupti_kinds_are_off()) {
		return false;
	}
	/* Other threads may be reading the environment. */
	if (rcap_cupti_find_is_mapped("libcuda.so") || !rcap_owner_is_single()) {
		return true;
	}
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread */
	setenv("CUDA_INJECTION64_PATH", path, 1);
	return false;
}
