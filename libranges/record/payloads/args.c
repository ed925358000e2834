/* SPDX-License-Identifier: MIT */
/* Packs arguments of calls. */
#include "libranges/record/payloads/args.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "format/wire.h"
#include "libranges/base/memory.h"
#include "libranges/record/record.h"

_Static_assert(RCAP_ARGS_MAX_BYTES + RLOG_PACK_SLACK <= RCAP_SCRATCH_BYTES, "a detail fits");

static bool map_scratch(struct rcap_thread *thread)
{
	const int saved = errno;
	void *memory = mmap(NULL, RCAP_SCRATCH_BYTES, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	errno = saved;
	if (memory == MAP_FAILED) {
		return false;
	}
	thread->scratch = memory;
	return true;
}

struct rlog_pack rcap_args_begin(struct rcap_thread *thread, size_t count)
{
	struct rlog_pack pack;

	if (!thread->scratch && !map_scratch(thread)) {
		rlog_pack_init(&pack, NULL, 0);
		pack.full = true;
		return pack;
	}
	rlog_pack_init(&pack, thread->scratch, RCAP_ARGS_MAX_BYTES);
	rlog_pack_array(&pack, count);
	return pack;
}

void rcap_args_record(struct rcap_thread *thread, uint32_t function, uint32_t domain, uint32_t name,
                      const struct rlog_pack *args)
{
	struct rcap_event event = {
		.op = RLOG_OP_CALL, .domain = domain, .name = name, .id = function
	};

	if (args && !args->full) {
		event.data = args->bytes;
		event.data_bytes = args->used;
	}
	rcap_record_event(thread, &event);
}
