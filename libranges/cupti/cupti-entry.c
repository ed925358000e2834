/* SPDX-License-Identifier: MIT */
/* Starts the GPU's capture if the driver does not call us: finds out whether the driver is
 * loaded. */
#include "libranges/cupti/cupti-entry.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "libranges/cupti/cupti-control.h"
#include "libranges/cupti/load/cupti-find.h"
#include "libranges/cupti/load/cupti-status.h"
#include "libranges/settings/cupti-kinds.h"
#include "libranges/base/log.h"
#include "libranges/spool/owner.h"

/* The library that CUDA's variable named when we started; "" if it named none, or ours. */
static char foreign[256];

/* Returns the library that CUDA's variable names, another tool's or ours; NULL if it names none. */
static const char *find_announced(void)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): as CUDA itself reads its variables */
	const char *path = secure_getenv("CUDA_INJECTION64_PATH");

	return path && path[0] != '\0' ? path : NULL;
}

/* Reports once that the driver calls another library and not us, if the driver is loaded by now. */
static void tell_foreign(void)
{
	static _Atomic bool has_told;

	/* Relaxed: any thread may be first. */
	if (rcap_cupti_find_is_mapped("libcuda.so") &&
	    !atomic_exchange_explicit(&has_told, true, memory_order_relaxed)) {
		rcap_cupti_status_add(0,
		                      "no GPU data: CUDA calls %s, which CUDA_INJECTION64_PATH "
		                      "names, and not libranges",
		                      foreign);
	}
}

void rcap_cupti_entry_look(void)
{
	const bool is_new = rcap_cupti_control_is_new();

	if ((!is_new && !rcap_cupti_control_is_starting()) || rcap_cupti_kinds_are_off()) {
		return;
	}
	if (find_announced()) {
		if (is_new && foreign[0] != '\0') {
			tell_foreign();
		}
		return;
	}
	if (is_new && rcap_cupti_find_is_mapped("libcuda.so")) {
		rcap_cupti_control_start(true);
	}
	/* Another thread may be starting the capture. Waits for it, so that launches of this thread
	 * are in the log from now on. */
	rcap_cupti_control_await_start();
}

void rcap_cupti_entry_look_again(void)
{
	static bool has_tried; /* only the drain uses it */

	if (foreign[0] != '\0') {
		if (rcap_cupti_control_is_new()) {
			tell_foreign();
		}
		return;
	}
	/* Uses a thread of its own, so that the drain goes on even if CUPTI hangs. */
	if (!has_tried && rcap_cupti_control_is_new() && rcap_cupti_find_is_mapped("libcuda.so")) {
		has_tried = true;
		rcap_cupti_control_start_aside();
	}
}

/* True if the announced library is another file than ours. If its name has no folder, only the
 * dynamic linker knows which file it is. Then the file names are compared. */
static bool is_other(const char *announced, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!strchr(announced, '/')) {
		return strcmp(announced, slash ? slash + 1 : path) != 0;
	}
	return strcmp(announced, path) != 0 && !rcap_cupti_find_is_same_file(announced, path);
}

bool rcap_cupti_entry_announce(const char *path)
{
	const char *announced = find_announced();
	const int saved = errno;

	if (rcap_cupti_kinds_are_off()) {
		return false;
	}
	if (announced) {
		if (is_other(announced, path)) {
			rcap_log_format(foreign, sizeof(foreign), "%s", announced);
		}
		errno = saved;
		return foreign[0] != '\0';
	}
	/* Does not change the environment if other threads may be reading it. */
	if (rcap_cupti_find_is_mapped("libcuda.so") || !rcap_owner_is_single()) {
		return true;
	}
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread */
	setenv("CUDA_INJECTION64_PATH", path, 1);
	return false;
}
