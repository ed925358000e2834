/* SPDX-License-Identifier: MIT */
/* Lines in the log that tell how the GPU's capture went. */
#include "libranges/cupti/load/cupti-status.h"

#include <errno.h>
#include <stdarg.h>

#include "format/wire.h"
#include "libranges/spool/arena.h"
#include "libranges/base/log.h"
#include "libranges/record/names/names.h"
#include "libranges/process/process.h"

#define MAX_ROWS 64

void rcap_cupti_status_add(int result, const char *format, ...)
{
	static _Atomic uint32_t rows;
	const int saved = errno;
	struct rlog_def def = { .kind = RLOG_DEF_GPU_STATUS, .value = (uint32_t) result };
	char line[512];
	size_t length;
	bool lost = false;
	va_list args;

	va_start(args, format);
	length = rcap_log_vformat(line, sizeof(line), format, args);
	va_end(args);
	RCAP_LOG(RCAP_LOG_INFO, "gpu: %s (%d)", line, result);
	def.id = atomic_fetch_add_explicit(&rows, 1, memory_order_relaxed);
	if (def.id < MAX_ROWS) {
		def.string = rcap_names_intern(line, length, 0, NULL, &lost);
		rcap_process_lock();
		rcap_arena_add_def(&rcap_process.spool, &def);
		rcap_process_unlock();
	}
	errno = saved;
}
