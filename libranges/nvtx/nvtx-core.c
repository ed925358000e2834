/* SPDX-License-Identifier: MIT */
/* NVTX's core calls. Each call writes one record. The analyzer pairs and interprets the records. */
#include "libranges/nvtx/nvtx-calls.h"

#include <wchar.h>

#include "format/batch.h"
#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/base/memory.h"
#include "libranges/nvtx/nvtx-attributes.h"
#include "libranges/record/names/handles.h"
#include "libranges/record/record.h"
#include "libranges/record/steer.h"
#include "libranges/record/watched.h"
#include "libranges/record/thread.h"

/* Records an event with the counts of RANGES_COUNT. */
__attribute__((noinline)) static bool record_counted(struct rcap_thread *thread, uint32_t op,
                                                     uint32_t name, uint32_t domain)
{
	const struct rcap_event event = { .op = op, .name = name, .domain = domain };

	return op == RLOG_OP_POP ? rcap_record_closing(thread, &event)
	                         : rcap_record_event(thread, &event);
}

/*
 * Records an event of one slot. The clock is read last if the event opens a range, and first if it
 * closes one, so that our own work is outside of the range. Return: false if the event was lost.
 */
static inline bool record(struct rcap_thread *thread, uint32_t op, uint32_t name, uint32_t domain)
{
	struct rcap_slot *slot;
	uint64_t now;

	if (__builtin_expect(thread->counters.count != 0, 0)) {
		return record_counted(thread, op, name, domain);
	}
	slot = rcap_thread_reserve(thread, 1);
	now = rcap_clock_now();

	if (__builtin_expect(!slot, 0)) {
		rcap_thread_lose(thread, now);
		return false;
	}
	slot->a = now;
	slot->b = rcap_slot_word(slot, name, domain, op);
	rcap_thread_publish(thread, slot + 1);
	return true;
}

/* Remembers a domain for the fast path, if its id is low: the fast path handles no others. */
static void keep_domain(struct rcap_thread *thread, const void *pointer, uint32_t id)
{
	/* A wild handle must be counted at each call, so it is not remembered. */
	if (id < RCAP_INLINE_DOMAINS && (id != 0 || !pointer)) {
		thread->last_domain = pointer;
		thread->last_domain_id = id;
	}
}

static inline bool has_extras(const struct rcap_event *event)
{
	return (event->category | event->color | event->payload_type | event->data_bytes) != 0;
}

/* Returns the depth of the range that was opened, counted from 0, as nvtxRangePush documents it. */
static inline int deepen(struct rcap_thread *thread, uint32_t domain)
{
	return (int) (rcap_thread_depth(thread, domain)->now++);
}

/* True if this range switches the capture on. Context: before the thread is entered. */
static bool opens(uint32_t domain, const struct rcap_nvtx_attributes *attributes)
{
	return __builtin_expect(rcap_watched_is_on(), 0) &&
	       rcap_steer_opens(rcap_nvtx_attributes_text(attributes), domain);
}

/* False if the capture does not wait for this range. */
static inline bool may_be_watched(const struct rcap_nvtx_attributes *attributes)
{
	return rcap_watched_may_be(rcap_nvtx_attributes_text(attributes));
}

__attribute__((noinline)) static int record_push_ex(const void *domain,
                                                    const struct rcap_nvtx_attributes *attributes,
                                                    uint32_t id)
{
	const bool is_watched = opens(id, attributes);
	struct rcap_thread *thread = rcap_thread_enter();
	struct rcap_event event = { .domain = id };
	int depth;

	if (__builtin_expect(!thread, 0)) {
		return RCAP_NVTX_NO_TRACKING;
	}
	keep_domain(thread, domain, id);
	event.name = rcap_nvtx_attributes_read(thread, attributes, &event);
	if (__builtin_expect(has_extras(&event), 0)) {
		depth = rcap_record_push(thread, &event);
	} else {
		record(thread, RLOG_OP_PUSH, event.name, id);
		depth = deepen(thread, id);
	}
	if (is_watched) {
		rcap_steer_opened(thread, id);
	}
	rcap_thread_leave(thread);
	return depth;
}

/*
 * These are separate functions, each of which calls the next one last. So an early return (a domain
 * that is left out, a capture that is off) does not pay for the stack frames of the later
 * functions.
 */
__attribute__((noinline)) static int push_ex_in(const void *domain,
                                                const struct rcap_nvtx_attributes *attributes,
                                                uint32_t id)
{
	if (id < RCAP_DOMAIN_OFF && rcap_process_is_off()) {
		rcap_thread_keep_off(domain);
		if (!may_be_watched(attributes) && rcap_thread_skips()) {
			return RCAP_NVTX_NO_TRACKING;
		}
	}
	return id < RCAP_DOMAIN_OFF ? record_push_ex(domain, attributes, id)
	                            : RCAP_NVTX_NO_TRACKING;
}

__attribute__((noinline)) static int push_ex_wild(const void *domain,
                                                  const struct rcap_nvtx_attributes *attributes)
{
	return push_ex_in(domain, attributes, rcap_handles_default_domain(domain));
}

static inline int push_ex_any(const void *domain, const struct rcap_nvtx_attributes *attributes)
{
	const struct rcap_handle *handle = rcap_handles_check(domain, RCAP_HANDLE_DOMAIN);

	if (__builtin_expect(!handle, 0)) {
		return push_ex_wild(domain, attributes);
	}
	return handle->domain < RCAP_DOMAIN_OFF ? push_ex_in(domain, attributes, handle->domain)
	                                        : RCAP_NVTX_NO_TRACKING;
}

__attribute__((noinline)) static int push_ex_off(const void *domain,
                                                 const struct rcap_nvtx_attributes *attributes)
{
	return !may_be_watched(attributes) && rcap_thread_skips() ? RCAP_NVTX_NO_TRACKING
	                                                          : push_ex_any(domain, attributes);
}

__attribute__((noinline)) static int push_ex_slow(const void *domain,
                                                  const struct rcap_nvtx_attributes *attributes)
{
	if (!rcap_thread_is_off_in(domain)) {
		return push_ex_any(domain, attributes);
	}
	return rcap_thread_is_quiet() ? RCAP_NVTX_NO_TRACKING : push_ex_off(domain, attributes);
}

/*
 * The fast paths below handle only the usual case. Everything else goes to the slow function after
 * each: no room, the first call, a nested call, a new text, payloads with a schema. Pushes with a
 * category, a colour or a number have a path of their own, push_numbered().
 */
static inline int push_fast(struct rcap_thread *thread, int64_t room, uint64_t word,
                            uint32_t domain)
{
	int depth;

	room = rcap_thread_put(thread, room, word | (uint64_t) domain << 32);
	depth = (int) (thread->depth[domain].now++);
	rcap_thread_end(thread, room);
	return depth;
}

/* True if the attributes hold only a text or a registered string. */
static inline bool is_plain(const struct rcap_nvtx_attributes *attributes)
{
	uint64_t category_and_color_type;

	if (!rcap_memory_can_be(attributes) || attributes->size < sizeof(*attributes)) {
		return false;
	}
	/* These members are adjacent, so that one comparison is enough. */
	memcpy(&category_and_color_type, &attributes->category, sizeof(category_and_color_type));
	return (category_and_color_type | (uint32_t) attributes->payload_type) == 0;
}

/* Returns the slot's word for a push with a plain message, like rcap_cached_name; 0 if only the
 * slow path can find it. Context: between begin and end. */
static inline uint64_t fast_word(struct rcap_thread *thread,
                                 const struct rcap_nvtx_attributes *attributes)
{
	const char *message = attributes->message;
	const struct rcap_cached_name *entry;

	if (attributes->message_type == RCAP_NVTX_MESSAGE_REGISTERED) {
		entry = rcap_thread_cached_handle(thread, message);
		return entry->key == (uintptr_t) message && (uintptr_t) message > 1 ? entry->push
		                                                                    : 0;
	}
	if (attributes->message_type == RCAP_NVTX_MESSAGE_ASCII) {
		entry = rcap_thread_cached(thread, message);
		return rcap_thread_has(entry, message) ? entry->push : 0;
	}
	return 0;
}

/* Number of slots of an event with a category, a colour and a number. */
#define NUMBERED_SLOTS 4

/* True if the attributes are valid, and have no other payload than a number. */
static inline bool is_numbered(const struct rcap_nvtx_attributes *attributes)
{
	return rcap_memory_can_be(attributes) && attributes->size >= sizeof(*attributes) &&
	       (uint32_t) attributes->color_type <= RCAP_NVTX_COLOR_ARGB &&
	       (uint32_t) attributes->payload_type <= RLOG_PAYLOAD_FLOAT;
}

/* Fills the slots after the event's own slot. Return: the slot after them. */
static inline struct rcap_slot *put_numbers(struct rcap_slot *slot,
                                            const struct rcap_nvtx_attributes *attributes)
{
	if (attributes->category != 0) {
		slot = rcap_record_attr(slot, RLOG_ATTR_CATEGORY, 0, attributes->category);
	}
	if (attributes->color_type != 0 && attributes->color != 0) {
		slot = rcap_record_attr(slot, RLOG_ATTR_COLOR, 0, attributes->color);
	}
	if (attributes->payload_type != 0) {
		slot = rcap_record_attr(slot, RLOG_ATTR_PAYLOAD,
		                        (uint32_t) attributes->payload_type,
		                        rcap_nvtx_attributes_bits(attributes));
	}
	return slot;
}

/* Handles a push with a colour and a number like push_fast(), with more slots. */
__attribute__((noinline)) static int push_numbered(const void *pointer,
                                                   const struct rcap_nvtx_attributes *attributes)
{
	struct rcap_thread *thread = rcap_thread_self;
	struct rcap_slot *slot;
	int64_t room;
	uint64_t word;
	int depth;

	if (!is_numbered(attributes) || (room = rcap_thread_begin(thread)) == 0) {
		return push_ex_slow(pointer, attributes);
	}
	word = fast_word(thread, attributes);
	if (word == 0 || pointer != thread->last_domain ||
	    room > -(int64_t) (NUMBERED_SLOTS * sizeof(struct rcap_slot))) {
		rcap_guard_release(&thread->guard, room);
		return push_ex_slow(pointer, attributes);
	}
	slot = (struct rcap_slot *) (void *) (thread->end + room);
	rcap_thread_stamp(slot);
	slot->b = (word | (uint64_t) thread->last_domain_id << 32) ^ rcap_slot_check(slot);
	slot = put_numbers(slot + 1, attributes);
	room = (char *) slot - thread->end;
	rcap_thread_show(thread, room);
	depth = (int) (thread->depth[thread->last_domain_id].now++);
	rcap_thread_end(thread, room);
	return depth;
}

int rcap_nvtx_core_domain_range_push_ex(const void *pointer,
                                        const struct rcap_nvtx_attributes *attributes)
{
	struct rcap_thread *thread = rcap_thread_self;
	uint64_t word;
	int64_t room;

	if (!is_plain(attributes)) {
		return push_numbered(pointer, attributes);
	}
	room = rcap_thread_begin(thread);
	if (room == 0) {
		return push_ex_slow(pointer, attributes);
	}
	word = fast_word(thread, attributes);
	if (word == 0 || pointer != thread->last_domain) {
		rcap_guard_release(&thread->guard, room);
		return push_ex_slow(pointer, attributes);
	}
	return push_fast(thread, room, word, thread->last_domain_id);
}

static inline int pop(uint32_t domain, struct rcap_thread *thread)
{
	struct rcap_depth *depth = rcap_thread_depth(thread, domain);
	const bool recorded = record(thread, RLOG_OP_POP, 0, domain);

	if (__builtin_expect(depth->now == 0, 0)) {
		return RCAP_NVTX_NO_TRACKING;
	}
	depth->now--;
	if (__builtin_expect(!recorded, 0) && depth->now < depth->min) {
		depth->min = depth->now;
	}
	return (int) depth->now;
}

int rcap_nvtx_core_range_push_ex(const struct rcap_nvtx_attributes *attributes)
{
	return rcap_nvtx_core_domain_range_push_ex(NULL, attributes);
}

__attribute__((noinline)) static int record_push_a(const char *text)
{
	const bool is_watched =
		__builtin_expect(rcap_watched_is_on(), 0) && rcap_steer_opens(text, 0);
	struct rcap_thread *thread = rcap_thread_enter();
	int depth;

	if (__builtin_expect(!thread, 0)) {
		return RCAP_NVTX_NO_TRACKING;
	}
	record(thread, RLOG_OP_PUSH, rcap_thread_name(thread, text), 0);
	depth = (int) thread->depth[0].now++;
	if (is_watched) {
		rcap_steer_opened(thread, 0);
	}
	rcap_thread_leave(thread);
	return depth;
}

__attribute__((noinline)) static int range_push_a_slow(const char *text)
{
	return rcap_thread_is_quiet() || rcap_steer_skips(text) ? RCAP_NVTX_NO_TRACKING
	                                                        : record_push_a(text);
}

int rcap_nvtx_core_range_push_a(const char *text)
{
	struct rcap_thread *thread = rcap_thread_self;
	const int64_t room = rcap_thread_begin(thread);
	const struct rcap_cached_name *entry;

	if (room == 0) {
		return range_push_a_slow(text);
	}
	/* Looks up the entry only now, because a signal handler might have changed it before. */
	entry = rcap_thread_cached(thread, text);
	if (__builtin_expect(!rcap_thread_has(entry, text), 0)) {
		rcap_guard_release(&thread->guard, room);
		return range_push_a_slow(text);
	}
	return push_fast(thread, room, entry->push, 0);
}

int rcap_nvtx_core_range_push_w(const wchar_t *text)
{
	struct rcap_thread *thread = rcap_thread_enter();
	int depth;

	if (!thread) {
		return RCAP_NVTX_NO_TRACKING;
	}
	record(thread, RLOG_OP_PUSH, rcap_nvtx_attributes_name_wide(thread, text), 0);
	depth = deepen(thread, 0);
	rcap_thread_leave(thread);
	return depth;
}

__attribute__((noinline)) static int record_pop(const void *pointer, uint32_t id)
{
	struct rcap_thread *thread = rcap_thread_enter();
	bool is_watched;
	int depth;

	if (__builtin_expect(!thread, 0)) {
		return RCAP_NVTX_NO_TRACKING;
	}
	is_watched = thread->watched_depth != 0 && rcap_steer_closes(thread, id);
	keep_domain(thread, pointer, id);
	depth = pop(id, thread);
	rcap_thread_leave(thread);
	if (is_watched) {
		rcap_steer_closed();
	}
	return depth;
}

/* These are separate functions for the same reason as for a push. */
__attribute__((noinline)) static int pop_in(const void *pointer, uint32_t id)
{
	if (id < RCAP_DOMAIN_OFF && rcap_process_is_off()) {
		rcap_thread_keep_off(pointer);
		if (rcap_thread_skips()) {
			return RCAP_NVTX_NO_TRACKING;
		}
	}
	return id < RCAP_DOMAIN_OFF ? record_pop(pointer, id) : RCAP_NVTX_NO_TRACKING;
}

__attribute__((noinline)) static int pop_wild(const void *pointer)
{
	return pop_in(pointer, rcap_handles_default_domain(pointer));
}

static inline int pop_any(const void *pointer)
{
	const struct rcap_handle *handle = rcap_handles_check(pointer, RCAP_HANDLE_DOMAIN);

	if (__builtin_expect(!handle, 0)) {
		return pop_wild(pointer);
	}
	return handle->domain < RCAP_DOMAIN_OFF ? pop_in(pointer, handle->domain)
	                                        : RCAP_NVTX_NO_TRACKING;
}

__attribute__((noinline)) static int pop_slow(const void *pointer)
{
	return rcap_thread_is_off_in(pointer) && rcap_thread_skips() ? RCAP_NVTX_NO_TRACKING
	                                                             : pop_any(pointer);
}

static inline int pop_fast(struct rcap_thread *thread, int64_t room, uint32_t domain)
{
	int depth;

	room = rcap_thread_put(thread, room, rcap_slot_bare_word(0, domain, RLOG_OP_POP));
	depth = (int) --thread->depth[domain].now;
	rcap_thread_end(thread, room);
	return depth;
}

int rcap_nvtx_core_range_pop(void)
{
	struct rcap_thread *thread = rcap_thread_self;
	const int64_t room = rcap_thread_begin(thread);

	if (room == 0) {
		return pop_slow(NULL);
	}
	if (__builtin_expect(thread->depth[0].now == 0, 0)) {
		rcap_guard_release(&thread->guard, room);
		return pop_slow(NULL);
	}
	return pop_fast(thread, room, 0);
}

int rcap_nvtx_core_domain_range_pop(const void *pointer)
{
	struct rcap_thread *thread = rcap_thread_self;
	const int64_t room = rcap_thread_begin(thread);

	if (room == 0) {
		return pop_slow(pointer);
	}
	if (__builtin_expect(pointer != thread->last_domain ||
	                             thread->depth[thread->last_domain_id].now == 0,
	                     0)) {
		rcap_guard_release(&thread->guard, room);
		return pop_slow(pointer);
	}
	return pop_fast(thread, room, thread->last_domain_id);
}

void rcap_nvtx_core_domain_mark_ex(const void *domain,
                                   const struct rcap_nvtx_attributes *attributes)
{
	const uint32_t id = rcap_handles_find_domain(domain);
	struct rcap_thread *thread;

	if (id >= RCAP_DOMAIN_OFF || rcap_thread_is_off()) {
		return;
	}
	thread = rcap_thread_enter();
	if (thread) {
		struct rcap_event event = { .op = RLOG_OP_MARK, .domain = id };

		event.name = rcap_nvtx_attributes_read(thread, attributes, &event);
		if (has_extras(&event)) {
			rcap_record_event(thread, &event);
		} else {
			record(thread, RLOG_OP_MARK, event.name, id);
		}
		rcap_thread_leave(thread);
	}
}

void rcap_nvtx_core_mark_ex(const struct rcap_nvtx_attributes *attributes)
{
	rcap_nvtx_core_domain_mark_ex(NULL, attributes);
}

void rcap_nvtx_core_mark_a(const char *text)
{
	struct rcap_thread *thread = rcap_thread_enter();

	if (thread) {
		record(thread, RLOG_OP_MARK, rcap_thread_name(thread, text), 0);
		rcap_thread_leave(thread);
	}
}

void rcap_nvtx_core_mark_w(const wchar_t *text)
{
	struct rcap_thread *thread = rcap_thread_enter();

	if (thread) {
		record(thread, RLOG_OP_MARK, rcap_nvtx_attributes_name_wide(thread, text), 0);
		rcap_thread_leave(thread);
	}
}
