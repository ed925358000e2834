/* SPDX-License-Identifier: MIT */
/* NVTX's core calls. Each writes one record; pairing and meaning are the analyzer's work. */
#include "libranges/nvtx/nvtx-calls.h"

#include <errno.h>
#include <wchar.h>

#include "format/batch.h"
#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/record/handles.h"
#include "libranges/base/memory.h"
#include "libranges/record/names.h"
#include "libranges/spool/oddity.h"
#include "libranges/record/payload.h"
#include "libranges/record/record.h"
#include "libranges/record/thread.h"
#include "libranges/record/wide.h"

/*
 * One slot. The clock is read last for an opening and first for a closing event, so
 * that our own work stays outside of the range. Return: false if the event was lost.
 */
static inline bool record(struct rcap_thread *thread, uint32_t op, uint32_t name, uint32_t domain)
{
	struct rcap_slot *slot = rcap_thread_reserve(thread, 1);
	const uint64_t now = rcap_clock_now();

	if (__builtin_expect(!slot, 0)) {
		rcap_thread_lose(thread, now);
		return false;
	}
	slot->a = now;
	slot->b = rcap_slot_word(slot, name, domain, op);
	rcap_thread_publish(thread, slot + 1);
	return true;
}

static uint32_t name_wide(struct rcap_thread *thread, const wchar_t *text)
{
	char utf8[RCAP_WIDE_BYTES];
	size_t full_length = 0;
	bool lost = false;
	size_t length;
	uint32_t id;

	length = rcap_wide_to_utf8(text, utf8, sizeof(utf8), &full_length);
	if (length == RCAP_MEMORY_BAD) {
		rcap_oddity_count(RLOG_ODDITY_BAD_POINTER);
		return 0;
	}
	id = rcap_names_intern(utf8, length, full_length, NULL, &lost);
	if (lost) {
		rcap_thread_count_lost_name(thread);
	}
	return id;
}

static uint32_t name_registered(struct rcap_thread *thread, const void *pointer)
{
	const struct rcap_handle *handle = rcap_handles_check(pointer, RCAP_HANDLE_STRING);
	bool lost = false;
	uint32_t id;

	if (!handle) {
		rcap_oddity_count(RLOG_ODDITY_WILD_HANDLE);
		return 0;
	}
	id = rcap_handles_string(handle, &lost);
	if (__builtin_expect(lost, 0)) {
		rcap_thread_count_lost_name(thread);
	} else {
		rcap_thread_cache_handle(thread, handle, id);
	}
	return id;
}

/* Remembers a domain for the fast path, which handles those near at hand only. */
static void keep_domain(struct rcap_thread *thread, const void *pointer, uint32_t id)
{
	/* A wild handle is counted each time, so it does not go the fast way. */
	if (id < RCAP_INLINE_DOMAINS && (id != 0 || !pointer)) {
		thread->last_domain = pointer;
		thread->last_domain_id = id;
	}
}

#define HAS_FIELD(attributes, field) \
	((attributes)->size >=       \
	 offsetof(struct rcap_nvtx_attributes, field) + sizeof((attributes)->field))

static uint64_t payload_bits(const struct rcap_nvtx_attributes *attributes)
{
	union {
		double number;
		uint64_t bits;
	} wide;

	switch (attributes->payload_type) {
	case RLOG_PAYLOAD_U32:
		return attributes->payload.u32;
	case RLOG_PAYLOAD_I32:
		return (uint64_t) (int64_t) attributes->payload.i32;
	case RLOG_PAYLOAD_FLOAT:
		wide.number = attributes->payload.f32;
		return wide.bits;
	default:
		return attributes->payload.u64;
	}
}

/*
 * Name and extras of an attribute struct; fields outside its size are as if not given. Payloads are
 * of the extras' domain. Return: name.
 */
static inline uint32_t read_attributes(struct rcap_thread *thread,
                                       const struct rcap_nvtx_attributes *attributes,
                                       struct rcap_event *extras)
{
	const bool is_there = rcap_memory_can_be(attributes);

	if (!is_there || !HAS_FIELD(attributes, message)) {
		rcap_oddity_count(RLOG_ODDITY_BAD_ATTRIBUTES);
		if (!is_there || attributes->size < 4) {
			return 0;
		}
	}
	if (HAS_FIELD(attributes, category)) {
		extras->category = attributes->category;
	}
	if (HAS_FIELD(attributes, color) && attributes->color_type == RCAP_NVTX_COLOR_ARGB) {
		extras->color = attributes->color;
	} else if (HAS_FIELD(attributes, message) && attributes->color_type != 0) {
		rcap_oddity_count(RLOG_ODDITY_BAD_ATTRIBUTES);
	}
	if (HAS_FIELD(attributes, payload) && attributes->payload_type >= RLOG_PAYLOAD_U64 &&
	    attributes->payload_type <= RLOG_PAYLOAD_FLOAT) {
		extras->payload_type = (uint32_t) attributes->payload_type;
		extras->payload = payload_bits(attributes);
	} else if (HAS_FIELD(attributes, payload) &&
	           attributes->payload_type == RCAP_NVTX_PAYLOAD_TYPE_EXT) {
		/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
		rcap_payload_pack(thread, (const void *) (uintptr_t) attributes->payload.u64,
		                  (uint32_t) attributes->reserved, extras);
	} else if (HAS_FIELD(attributes, payload) && attributes->payload_type != 0) {
		rcap_oddity_count(RLOG_ODDITY_BAD_PAYLOAD);
	}
	if (!HAS_FIELD(attributes, message)) {
		return 0;
	}
	switch (attributes->message_type) {
	case RCAP_NVTX_MESSAGE_ASCII:
		return rcap_thread_name(thread, attributes->message);
	case RCAP_NVTX_MESSAGE_WIDE:
		return name_wide(thread, attributes->message);
	case RCAP_NVTX_MESSAGE_REGISTERED:
		return name_registered(thread, attributes->message);
	case RCAP_NVTX_MESSAGE_NONE:
		return 0;
	default:
		rcap_oddity_count(RLOG_ODDITY_BAD_MESSAGE);
		return 0;
	}
}

static inline bool has_extras(const struct rcap_event *event)
{
	return (event->category | event->color | event->payload_type | event->data_bytes) != 0;
}

/* Depth of the range that was opened, 0-based, as nvtxRangePush documents it. */
static inline int deepen(struct rcap_thread *thread, uint32_t domain)
{
	return (int) (rcap_thread_depth(thread, domain)->now++);
}

__attribute__((noinline)) static int record_push_ex(const void *domain,
                                                    const struct rcap_nvtx_attributes *attributes,
                                                    uint32_t id)
{
	struct rcap_thread *thread = rcap_thread_enter();
	struct rcap_event event = { .domain = id };
	int depth;

	if (__builtin_expect(!thread, 0)) {
		return RCAP_NVTX_NO_TRACKING;
	}
	keep_domain(thread, domain, id);
	event.name = read_attributes(thread, attributes, &event);
	if (__builtin_expect(has_extras(&event), 0)) {
		depth = rcap_record_push(thread, &event);
	} else {
		record(thread, RLOG_OP_PUSH, event.name, id);
		depth = deepen(thread, id);
	}
	rcap_thread_leave(thread);
	return depth;
}

/* A function of its own, so that a domain that is left out does not pay for the other's stack
 * frame. */
__attribute__((noinline)) static int push_ex_slow(const void *domain,
                                                  const struct rcap_nvtx_attributes *attributes)
{
	const uint32_t id = rcap_handles_find_domain(domain);

	return id < RCAP_DOMAIN_OFF ? record_push_ex(domain, attributes, id)
	                            : RCAP_NVTX_NO_TRACKING;
}

/*
 * The fast paths below take the usual case only, and leave everything else to the slow twin behind
 * them: no room, first call, nested call, a text not seen before, payloads with a schema. Pushes
 * with a category, a colour or a number have a path of their own, push_numbered().
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

/* True if the attributes hold nothing but a text or a registered string. */
static inline bool is_plain(const struct rcap_nvtx_attributes *attributes)
{
	uint64_t category_and_color_type;

	if (!rcap_memory_can_be(attributes) || attributes->size < sizeof(*attributes)) {
		return false;
	}
	/* Neighbours, looked at in one go. */
	memcpy(&category_and_color_type, &attributes->category, sizeof(category_and_color_type));
	return (category_and_color_type | (uint32_t) attributes->payload_type) == 0;
}

/* The word of a push of a plain message, as rcap_cached_name has it; 0 if the slow path must find
 * it. Context: between begin and end. */
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

/* Slots of an event that has a category, a colour and a number. */
#define NUMBERED_SLOTS 4

/* True if the attributes make sense, and have no payload beyond a number. */
static inline bool is_numbered(const struct rcap_nvtx_attributes *attributes)
{
	return rcap_memory_can_be(attributes) && attributes->size >= sizeof(*attributes) &&
	       (uint32_t) attributes->color_type <= RCAP_NVTX_COLOR_ARGB &&
	       (uint32_t) attributes->payload_type <= RLOG_PAYLOAD_FLOAT;
}

/* The slots behind the event's own. Return: the slot behind them. */
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
		                        payload_bits(attributes));
	}
	return slot;
}

/* The usual case of colours and numbers: as push_fast(), with more slots. */
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

__attribute__((noinline)) static int range_push_a_slow(const char *text)
{
	struct rcap_thread *thread = rcap_thread_enter();
	int depth;

	if (__builtin_expect(!thread, 0)) {
		return RCAP_NVTX_NO_TRACKING;
	}
	record(thread, RLOG_OP_PUSH, rcap_thread_name(thread, text), 0);
	depth = (int) thread->depth[0].now++;
	rcap_thread_leave(thread);
	return depth;
}

int rcap_nvtx_core_range_push_a(const char *text)
{
	struct rcap_thread *thread = rcap_thread_self;
	const int64_t room = rcap_thread_begin(thread);
	const struct rcap_cached_name *entry;

	if (room == 0) {
		return range_push_a_slow(text);
	}
	/* Looked at only now: before, a handler might have changed the entry under our eyes. */
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
	record(thread, RLOG_OP_PUSH, name_wide(thread, text), 0);
	depth = deepen(thread, 0);
	rcap_thread_leave(thread);
	return depth;
}

__attribute__((noinline)) static int record_pop(const void *pointer, uint32_t id)
{
	struct rcap_thread *thread = rcap_thread_enter();
	int depth;

	if (__builtin_expect(!thread, 0)) {
		return RCAP_NVTX_NO_TRACKING;
	}
	keep_domain(thread, pointer, id);
	depth = pop(id, thread);
	rcap_thread_leave(thread);
	return depth;
}

__attribute__((noinline)) static int pop_slow(const void *pointer)
{
	const uint32_t id = rcap_handles_find_domain(pointer);

	return id < RCAP_DOMAIN_OFF ? record_pop(pointer, id) : RCAP_NVTX_NO_TRACKING;
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

	if (id >= RCAP_DOMAIN_OFF) {
		return;
	}
	thread = rcap_thread_enter();
	if (thread) {
		struct rcap_event event = { .op = RLOG_OP_MARK, .domain = id };

		event.name = read_attributes(thread, attributes, &event);
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
		record(thread, RLOG_OP_MARK, name_wide(thread, text), 0);
		rcap_thread_leave(thread);
	}
}

static uint64_t start(struct rcap_thread *thread, struct rcap_event *event)
{
	const uint64_t id = rcap_record_start(thread, event);

	rcap_thread_leave(thread);
	return id;
}

uint64_t rcap_nvtx_core_domain_range_start_ex(const void *domain,
                                              const struct rcap_nvtx_attributes *attributes)
{
	struct rcap_event event = { .domain = rcap_handles_find_domain(domain) };
	struct rcap_thread *thread;

	if (event.domain >= RCAP_DOMAIN_OFF) {
		return 0;
	}
	thread = rcap_thread_enter();
	if (!thread) {
		return 0;
	}
	event.name = read_attributes(thread, attributes, &event);
	return start(thread, &event);
}

uint64_t rcap_nvtx_core_range_start_ex(const struct rcap_nvtx_attributes *attributes)
{
	return rcap_nvtx_core_domain_range_start_ex(NULL, attributes);
}

uint64_t rcap_nvtx_core_range_start_a(const char *text)
{
	struct rcap_thread *thread = rcap_thread_enter();
	struct rcap_event event = { 0 };

	if (!thread) {
		return 0;
	}
	event.name = rcap_thread_name(thread, text);
	return start(thread, &event);
}

uint64_t rcap_nvtx_core_range_start_w(const wchar_t *text)
{
	struct rcap_thread *thread = rcap_thread_enter();
	struct rcap_event event = { 0 };

	if (!thread) {
		return 0;
	}
	event.name = name_wide(thread, text);
	return start(thread, &event);
}

/*
 * The id alone tells which range ends. One that is not 0 is of a range that was recorded, also
 * where the program names another domain than at its start.
 */
void rcap_nvtx_core_domain_range_end(const void *pointer, uint64_t id)
{
	struct rcap_event event = { .op = RLOG_OP_END,
		                    .domain = rcap_handles_find_domain(pointer),
		                    .id = id };
	struct rcap_thread *thread;

	if (event.domain >= RCAP_DOMAIN_OFF) {
		if (id == 0) {
			return;
		}
		event.domain = 0;
	}
	thread = rcap_thread_enter();
	if (thread) {
		rcap_record_closing(thread, &event);
		rcap_thread_leave(thread);
	}
}

void rcap_nvtx_core_range_end(uint64_t id)
{
	rcap_nvtx_core_domain_range_end(NULL, id);
}
