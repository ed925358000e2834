/* SPDX-License-Identifier: MIT */
/* The name of ranges that something hangs on. */
#include "libranges/record/watched.h"

/* Written before the capture starts. */
static const struct rcap_schedule_name *watched;

_Atomic bool rcap_watched_flag __attribute__((visibility("hidden"))) = true;

void rcap_watched_set(const struct rcap_schedule_name *name)
{
	watched = name;
	atomic_store_explicit(&rcap_watched_flag, name != NULL, memory_order_relaxed);
}

bool rcap_watched_is_name(const char *text, size_t length)
{
	return watched && rcap_schedule_is_name(watched, text, length);
}
