/* SPDX-License-Identifier: MIT */
/* Knows the name of the ranges that the capture acts on. */
#include "libranges/record/watched.h"

#include <stdint.h>
#include <string.h>

/* Release and acquire: a thread that sees the pointer also sees the name. */
static const struct rcap_schedule_name *_Atomic watched;

_Atomic char rcap_watched_first __attribute__((visibility("hidden")));
_Atomic bool rcap_watched_flag __attribute__((visibility("hidden"))) = true;

void rcap_watched_set(const struct rcap_schedule_name *name)
{
	atomic_store_explicit(&watched, name, memory_order_release);
	atomic_store_explicit(&rcap_watched_first, name ? name->text[0] : '\0',
	                      memory_order_relaxed);
	atomic_store_explicit(&rcap_watched_flag, name != NULL, memory_order_relaxed);
}

bool rcap_watched_is_name(const char *text, size_t length)
{
	const struct rcap_schedule_name *name =
		atomic_load_explicit(&watched, memory_order_acquire);

	return name && rcap_schedule_is_name(name, text, length);
}

bool rcap_watched_looks_like(const char *text)
{
	/* The rest of the text may be on a page that can't be read. */
	const size_t piece = RCAP_MEMORY_PAGE - (uintptr_t) text % RCAP_MEMORY_PAGE;
	const struct rcap_schedule_name *name =
		atomic_load_explicit(&watched, memory_order_acquire);
	const size_t length = name ? name->length : 0;

	return length > 0 && strncmp(text, name->text, length < piece ? length : piece) == 0;
}
