/* SPDX-License-Identifier: MIT */
/* What a thread loses while there is no room, and how deep its ranges are around the hole. */
#include <sys/mman.h>

#include "format/batch.h"
#include "libranges/record/thread.h"

void rcap_thread_begin_loss(struct rcap_thread *thread)
{
	thread->losing = true;
	thread->lost = 0;
	for (uint32_t i = 0; i < RCAP_INLINE_DOMAINS; i++) {
		thread->depth[i].at_loss = thread->depth[i].now;
		thread->depth[i].min = thread->depth[i].now;
	}
	for (uint32_t page = 0; page < RCAP_DOMAIN_PAGES; page++) {
		for (uint32_t i = 0; thread->pages[page] && i < RCAP_PAGE_DOMAINS; i++) {
			struct rcap_depth *depth = &thread->pages[page][i];

			depth->at_loss = depth->now;
			depth->min = depth->now;
		}
	}
}

void rcap_thread_lose(struct rcap_thread *thread, uint64_t ticks)
{
	if (thread->is_parked) {
		rcap_thread_count_outside(thread->stream);
		return;
	}
	if (thread->lost == 0) {
		thread->lost_first = ticks;
	}
	thread->lost++;
	thread->lost_last = ticks;
	thread->is_counted = true;
	atomic_fetch_add_explicit(&thread->stream->lost[RLOG_CAUSE_RING_FULL], 1,
	                          memory_order_relaxed);
}

static struct rcap_slot *put_attr(struct rcap_slot *slot, uint32_t attr, uint64_t value)
{
	slot->a = value;
	slot->b = rcap_slot_word(slot, attr, 0, RCAP_OP_ATTR);
	return slot + 1;
}

static struct rcap_slot *put_depth(const struct rcap_thread *thread, struct rcap_slot *slot,
                                   uint32_t domain, const struct rcap_depth *depth)
{
	/* Two slots stay free for the event that made us come here. */
	if ((depth->at_loss == 0 && depth->now == 0) ||
	    thread->end - (char *) slot < (3 + 8) * (ptrdiff_t) sizeof(*slot)) {
		return slot;
	}
	slot->a = thread->lost_last;
	slot->b = rcap_slot_word(slot, 0, domain, RLOG_OP_DEPTH);
	slot = put_attr(slot + 1, RLOG_ATTR_DEPTH, depth->now);
	return put_attr(slot, RLOG_ATTR_MIN_DEPTH, depth->min);
}

void rcap_thread_end_loss(struct rcap_thread *thread)
{
	struct rcap_slot *slot = thread->resume;

	thread->losing = false;
	if (thread->lost == 0) {
		return;
	}
	slot->a = thread->lost_first;
	slot->b = rcap_slot_word(slot, 0, 0, RLOG_OP_LOSS);
	slot = put_attr(slot + 1, RLOG_ATTR_LOST, thread->lost);
	slot = put_attr(slot, RLOG_ATTR_CAUSE, RLOG_CAUSE_RING_FULL);
	slot = put_attr(slot, RLOG_ATTR_SPAN, thread->lost_last - thread->lost_first);
	for (uint32_t i = 0; i < RCAP_INLINE_DOMAINS; i++) {
		slot = put_depth(thread, slot, i, &thread->depth[i]);
	}
	for (uint32_t page = 0; page < RCAP_DOMAIN_PAGES; page++) {
		for (uint32_t i = 0; thread->pages[page] && i < RCAP_PAGE_DOMAINS; i++) {
			slot = put_depth(thread, slot, page * RCAP_PAGE_DOMAINS + i,
			                 &thread->pages[page][i]);
		}
	}
	rcap_thread_publish(thread, slot);
	/* These rows are no call's. */
	rcap_thread_note_room(thread, (char *) slot - thread->end);
}

struct rcap_depth *rcap_thread_far_depth(struct rcap_thread *thread, uint32_t domain)
{
	static struct rcap_depth scratch; /* without memory depths in far domains are not kept */
	struct rcap_depth **page = &thread->pages[domain / RCAP_PAGE_DOMAINS % RCAP_DOMAIN_PAGES];

	if (!*page) {
		void *memory = mmap(NULL, RCAP_PAGE_DOMAINS * sizeof(struct rcap_depth),
		                    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED) {
			return &scratch;
		}
		*page = memory;
	}
	return &(*page)[domain % RCAP_PAGE_DOMAINS];
}
