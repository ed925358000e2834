/* SPDX-License-Identifier: MIT */
/* Follows the queues of a program from outside, without its drain knowing. */
#include "libranges/launcher/top/ranges-sight.h"

#include <stdlib.h>
#include <string.h>

#include "format/batch.h"
#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/drain/drain.h"
#include "libranges/drain/slots.h"

/* A reading takes at most this many events of one stream. Other events are counted as missed. */
#define MOST_EVENTS 262144u
/* If the drain takes events while they are read, they are read again, at most this many times. */
#define TRIES 8
#define PAGE  4096u
/* If a start/end range is younger than this, its start was still in the queues when they were read:
 * events wait for a shorter time until they are written. */
#define OLD_NS 3e9

/* State of a reading. Its results are used only if the drain has not moved meanwhile. */
struct reading {
	struct rcap_ranges_sight *sight;
	struct rcap_position at;
	uint64_t rows;
	uint32_t mark; /* a slot of the first block, and the ordinal of that slot's row */
	uint64_t marked;
	bool is_cut;    /* there was no room for all events */
	bool is_behind; /* the block is gone or damaged */
};

static bool add_event(struct reading *reading, const struct rcap_slot *slots, uint32_t at,
                      uint32_t head)
{
	struct rcap_ranges_sight *sight = reading->sight;
	struct rcap_ranges_event *event = &sight->events[sight->event_count];
	const struct rcap_slot *slot = &slots[at];

	if (sight->event_count == MOST_EVENTS) {
		return false;
	}
	*event = (struct rcap_ranges_event){ .ticks = slot->a,
		                             .name = (uint32_t) slot->b,
		                             .domain = slot->b >> 32 & 0xFFFF,
		                             .op = rcap_slot_op(slot) };
	for (at++; at < head && rcap_slot_is_behind_event(&slots[at]); at++) {
		const uint32_t attr = (uint32_t) slots[at].b;

		if (rcap_slot_op(&slots[at]) == RCAP_OP_ATTR) {
			event->dur = attr == RLOG_ATTR_DUR ? slots[at].a : event->dur;
			event->id = attr == RCAP_ATTR_ID ? slots[at].a : event->id;
		}
	}
	sight->event_count++;
	return true;
}

/* Reads the events of a block. Return: false if there is no more room for events. */
static bool read_slots(struct reading *reading, const struct rcap_slot *slots, uint32_t head)
{
	uint32_t at = reading->at.slot;

	while (at < head) {
		const struct rcap_slot *slot = &slots[at];
		const bool is_event =
			rcap_slot_is_sound(slot) && !rcap_slot_is_behind_event(slot) &&
			rcap_slot_op(slot) != RCAP_OP_CYCLE && rcap_slot_op(slot) != 0;

		if (is_event) {
			if (!add_event(reading, slots, at, head)) {
				break;
			}
			reading->rows++;
			reading->marked += at < reading->mark;
		}
		for (at++; at < head && is_event && rcap_slot_is_behind_event(&slots[at]);) {
			at++;
		}
	}
	reading->at.slot = at;
	return at == head;
}

/* Copies a block. If the block has a successor, its head is final, but the copy may be older than
 * that. So the block is copied again. */
static bool read_block(struct reading *reading, struct rcap_block *block)
{
	const struct rcap_ranges_peek *peek = &reading->sight->peek;

	if (!rcap_ranges_peek_block(peek, reading->at.block, block)) {
		return false;
	}
	return atomic_load_explicit(&block->next, memory_order_relaxed) == RCAP_NO_BLOCK ||
	       rcap_ranges_peek_block(peek, reading->at.block, block);
}

/* Reads everything that is published. */
static void read_queue(struct reading *reading)
{
	struct rcap_block *block = reading->sight->block;
	uint32_t turns = 0;

	while (reading->at.block != RCAP_NO_BLOCK) {
		uint32_t next;
		uint32_t head;

		if (!read_block(reading, block) ||
		    ++turns > reading->sight->peek.header->all_blocks) {
			reading->is_behind = true;
			return;
		}
		next = atomic_load_explicit(&block->next, memory_order_relaxed);
		head = rcap_spool_published(block);
		if (reading->at.slot > head) {
			reading->is_behind = true;
			return;
		}
		if (!read_slots(reading, block->slots, head)) {
			reading->is_cut = true;
			return;
		}
		if (next == RCAP_NO_BLOCK) {
			return;
		}
		reading->at.block = next;
		reading->at.slot = 0;
		reading->mark = 0;
	}
}

static struct rcap_position position_of(const struct rcap_stream *stream)
{
	return stream->done[atomic_load_explicit(&stream->commit, memory_order_relaxed) & 1];
}

/* Finds the drain's position in a stream, and which ranges are open there. Return: false if the
 * drain is moving. */
static bool find_base(const struct rcap_ranges_sight *sight, uint32_t index,
                      const struct rcap_stream *stream, struct rcap_live_stack *out, bool *is_known)
{
	const struct rcap_position at = position_of(stream);

	*is_known = true;
	if (stream->clock == 0 && rcap_ranges_peek_stack(&sight->peek, index, out) &&
	    out->stream == stream->id) {
		*is_known = out->is_cut == 0;
		return out->block == at.block && out->slot == at.slot;
	}
	memset(out, 0, sizeof(*out));
	out->stream = stream->id;
	out->block = at.block;
	out->slot = at.slot;
	out->events = at.ordinal;
	*is_known = at.ordinal == 0;
	return true;
}

/*
 * Chooses where to begin reading. This is our position, unless the drain has taken events after it,
 * or counts from 0 again. If the drain has passed us within its current block, we can still read:
 * the block stays until the drain leaves it.
 *
 * @base: the drain's position. @passed: gets the number of events by which the drain has passed us
 * within the block.
 * Return: number of missed events.
 */
static uint64_t choose_start(struct rcap_ranges_thread *thread, const struct rcap_live_stack *base,
                             bool is_known, uint64_t *passed)
{
	const struct rcap_live_stack *const ours = &thread->stack;
	const bool is_placed = thread->is_placed && base->events >= thread->base;
	const uint64_t behind = base->events > ours->events ? base->events - ours->events : 0;

	*passed = 0;
	thread->base = base->events;
	if (is_placed && ours->block == base->block && ours->slot <= base->slot &&
	    behind <= base->slot - ours->slot && base->events >= ours->events) {
		*passed = behind;
		return 0;
	}
	if (is_placed && ours->events > base->events) {
		return 0;
	}
	thread->stack = *base;
	thread->is_known = is_known;
	thread->is_placed = true;
	return is_placed ? behind : 0;
}

static double to_ns(const struct rcap_ranges_sight *sight, double ticks)
{
	return ticks * sight->ns_per_tick;
}

double rcap_ranges_sight_age_ns(const struct rcap_ranges_sight *sight, uint64_t ticks)
{
	return ticks < sight->now_ticks ? to_ns(sight, (double) (sight->now_ticks - ticks)) : 0;
}

/* Returns how much of a time span is in the last interval. */
static double in_interval(const struct rcap_ranges_sight *sight, uint64_t from, uint64_t to)
{
	const double length = (double) (sight->now_ns - sight->before_ns);
	const double ago = rcap_ranges_sight_age_ns(sight, from);
	const double until = rcap_ranges_sight_age_ns(sight, to);
	const double begin = ago < length ? ago : length;

	return begin > until ? begin - until : 0;
}

/* Counts a kernel. Records come some time after the kernels, and many at once. So shares refer to
 * the time up to the last record. */
static void apply_kernel(struct rcap_ranges_sight *sight, const struct rcap_ranges_event *event,
                         bool is_ns)
{
	const double rate = is_ns ? 1 : sight->ns_per_tick;
	const double from = (double) event->ticks * rate;
	const double to = from + (double) event->dur * rate;
	struct rcap_ranges_sum *sum;

	if (sight->kernel_until <= 0) {
		sight->kernel_from = from;
	}
	if (to > sight->kernel_until) {
		sight->kernel_ns += to - (from > sight->kernel_until ? from : sight->kernel_until);
		sight->kernel_until = to;
	}
	sight->kernels++;
	rcap_ranges_sight_add(sight, event->name, 0, true, to - from);
	sum = rcap_ranges_sight_sum(sight, event->name, 0, true);
	if (sum) {
		sum->recent_ns += to - from;
	}
}

/* Adds a range that has ended. */
static void add_range(struct rcap_ranges_sight *sight, const struct rcap_live_range *range,
                      uint64_t end)
{
	const uint64_t ticks = end > range->ticks ? end - range->ticks : 0;
	struct rcap_ranges_sum *sum;

	rcap_ranges_sight_add(sight, range->name, range->domain, false,
	                      to_ns(sight, (double) ticks));
	sum = rcap_ranges_sight_sum(sight, range->name, range->domain, false);
	if (sum) {
		sum->recent_ns += in_interval(sight, range->ticks, end);
	}
}

static struct rcap_live_range without_id(const struct rcap_open_range *range)
{
	return (struct rcap_live_range){ range->ticks, range->name, range->domain };
}

static void apply_started(struct rcap_ranges_sight *sight, const struct rcap_ranges_event *event)
{
	struct rcap_open_range range = { event->ticks, event->id, event->name, event->domain };
	struct rcap_live_range over;
	uint64_t end = event->ticks;

	if (event->op == RLOG_OP_START
	            ? rcap_ranges_started_start(sight->started, &range, &end)
	            : rcap_ranges_started_end(sight->started, event->id, end, &range)) {
		over = without_id(&range);
		add_range(sight, &over, end);
	}
}

static void apply_range(struct rcap_ranges_sight *sight, struct rcap_ranges_thread *thread,
                        const struct rcap_ranges_event *event)
{
	struct rcap_live_range range;

	if (event->op == RLOG_OP_PUSH) {
		rcap_live_push(&thread->stack, event->ticks, event->name, event->domain);
	} else if (event->op == RLOG_OP_LOSS) {
		rcap_live_forget(&thread->stack);
		thread->is_known = false;
	} else if (event->op == RLOG_OP_POP &&
	           rcap_live_pop(&thread->stack, event->domain, &range)) {
		add_range(sight, &range, event->ticks);
	} else if (event->op == RLOG_OP_START || event->op == RLOG_OP_END) {
		apply_started(sight, event);
	}
}

static void apply(struct rcap_ranges_sight *sight, struct rcap_ranges_thread *thread,
                  const struct rcap_stream *stream)
{
	for (size_t i = 0; i < sight->event_count; i++) {
		if (sight->events[i].op == RLOG_OP_KERNEL) {
			apply_kernel(sight, &sight->events[i], stream->clock != 0);
		} else {
			apply_range(sight, thread, &sight->events[i]);
		}
	}
	sight->seen += sight->event_count;
}

/* Tries to read a stream once. Return: false if the drain has moved meanwhile. */
static bool try_stream(struct rcap_ranges_sight *sight, struct rcap_ranges_thread *thread,
                       const struct rcap_stream *stream)
{
	struct rcap_ranges_thread next = *thread;
	struct reading reading = { .sight = sight };
	struct rcap_live_stack base;
	struct rcap_stream after;
	bool is_known = false;
	uint64_t passed;
	uint64_t missed;

	sight->event_count = 0;
	if (!find_base(sight, thread->index, stream, &base, &is_known)) {
		return false;
	}
	missed = choose_start(&next, &base, is_known, &passed);
	reading.at.block = next.stack.block;
	reading.at.slot = next.stack.slot;
	reading.mark = passed > 0 ? base.slot : 0;
	read_queue(&reading);
	if (!rcap_ranges_peek_stream(&sight->peek, thread->index, &after) ||
	    after.id != stream->id ||
	    atomic_load_explicit(&after.commit, memory_order_relaxed) !=
	            atomic_load_explicit(&stream->commit, memory_order_relaxed)) {
		return false;
	}
	/* The block may be in use for other events by now. */
	if (reading.is_behind || reading.marked != passed) {
		sight->missed += passed;
		thread->is_placed = false;
		return false;
	}
	next.stack.block = reading.at.block;
	next.stack.slot = reading.at.slot;
	next.stack.events += reading.rows;
	*thread = next;
	sight->missed += missed;
	sight->is_all &= !reading.is_cut;
	apply(sight, thread, stream);
	return true;
}

static uint64_t add_lost(const _Atomic uint64_t *lost)
{
	uint64_t plain[RLOG_CAUSES];

	for (uint32_t i = 0; i < RLOG_CAUSES; i++) {
		plain[i] = atomic_load_explicit(&lost[i], memory_order_relaxed);
	}
	return rcap_drain_add_causes(plain);
}

static void read_stream(struct rcap_ranges_sight *sight, uint32_t index)
{
	struct rcap_ranges_thread *thread = &sight->threads[index];
	struct rcap_stream stream;

	for (int i = 0; i < TRIES; i++) {
		uint32_t state;

		if (!rcap_ranges_peek_stream(&sight->peek, index, &stream)) {
			return;
		}
		state = atomic_load_explicit(&stream.state, memory_order_relaxed);
		if (state != RCAP_STREAM_LIVE && state != RCAP_STREAM_ENDED) {
			thread->stream = 0;
			thread->is_placed = false;
			return;
		}
		if (thread->stream != stream.id) {
			memset(thread, 0, sizeof(*thread));
			thread->index = index;
			thread->stream = stream.id;
			thread->tid = stream.tid;
			thread->is_gpu = stream.tid == 0 || stream.clock != 0;
		}
		if (try_stream(sight, thread, &stream)) {
			sight->lost += add_lost(stream.lost);
			return;
		}
	}
	sight->is_all = false;
	sight->lost += add_lost(stream.lost);
}

/* Reads the present time by both clocks. */
static void read_clock(struct rcap_ranges_sight *sight)
{
	const struct rcap_spool_header *const header = sight->peek.header;
	const struct rlog_clock_point *const first = &header->first_clock;

	sight->now_ns = rcap_clock_mono_ns();
	sight->now_ticks = sight->now_ns;
	sight->ns_per_tick = 1;
#if defined(__x86_64__) || defined(__aarch64__)
	if (strncmp(header->clock, "monotonic", sizeof(header->clock)) != 0) {
		sight->now_ticks = rcap_clock_counter();
		/* The longer the program runs, the more exact the rate is. */
		sight->ns_per_tick = sight->now_ticks > first->ticks
		                             ? (double) (sight->now_ns - first->mono_ns) /
		                                       (double) (sight->now_ticks - first->ticks)
		                             : 1e9 / (double) header->ticks_per_s;
	}
#endif
}

/* Adds the time of a range that is still open, because it is also in the interval. */
static void add_open(struct rcap_ranges_sight *sight, const struct rcap_live_range *range)
{
	struct rcap_ranges_sum *sum =
		rcap_ranges_sight_sum(sight, range->name, range->domain, false);

	if (sum) {
		sum->recent_ns += in_interval(sight, range->ticks, sight->now_ticks);
	}
}

static void add_stack(struct rcap_ranges_sight *sight, struct rcap_live_stack *stack)
{
	for (uint32_t i = stack->lowest; i < stack->depth; i++) {
		add_open(sight, rcap_live_at(stack, i));
	}
}

static bool make_threads(struct rcap_ranges_sight *sight, uint32_t count)
{
	struct rcap_ranges_thread *grown;

	if (count <= sight->thread_count) {
		return true;
	}
	if (count > RCAP_STREAM_BLOCKS * RCAP_STREAMS_BLOCK) {
		return false;
	}
	grown = realloc(sight->threads, count * sizeof(*grown));
	if (!grown) {
		return false;
	}
	memset(grown + sight->thread_count, 0, (count - sight->thread_count) * sizeof(*grown));
	sight->threads = grown;
	sight->thread_count = count;
	return true;
}

/* Forgets the ranges that were open before the capture was off. */
static void forget_before_switch(struct rcap_ranges_sight *sight)
{
	const uint32_t switches =
		atomic_load_explicit(&sight->peek.header->control.passed, memory_order_relaxed);

	for (uint32_t i = 0; switches != sight->switches && i < sight->thread_count; i++) {
		sight->threads[i].is_placed = false;
	}
	if (switches != sight->switches) {
		rcap_ranges_started_forget(sight->started);
	}
	sight->switches = switches;
}

bool rcap_ranges_sight_read(struct rcap_ranges_sight *sight)
{
	const struct rcap_spool_header *const header = sight->peek.header;
	const uint64_t missed = sight->missed;
	const struct rcap_ended *ended;
	uint64_t old;

	if (!rcap_ranges_peek_refresh(&sight->peek) ||
	    !make_threads(sight, atomic_load_explicit(&header->streams, memory_order_relaxed))) {
		return false;
	}
	read_clock(sight);
	forget_before_switch(sight);
	ended = &header->ended[atomic_load_explicit(&header->ended_commit, memory_order_relaxed) &
	                       1];
	sight->lost = add_lost(header->lost_process) + rcap_drain_add_causes(ended->lost);
	old = (uint64_t) (OLD_NS / sight->ns_per_tick);
	rcap_ranges_started_begin(sight->started, &sight->peek, sight->now_ticks,
	                          sight->now_ticks > old ? sight->now_ticks - old : 0);
	sight->is_all = true;
	for (uint32_t i = 0; i < sight->thread_count; i++) {
		read_stream(sight, i);
	}
	if (sight->missed != missed) {
		rcap_ranges_started_forget(sight->started);
	} else if (sight->is_all) {
		rcap_ranges_started_finish(sight->started);
	}
	sight->steps = atomic_load_explicit(&header->control.steps, memory_order_relaxed);
	return true;
}

void rcap_ranges_sight_end(struct rcap_ranges_sight *sight)
{
	read_clock(sight);
	for (uint32_t i = 0; i < sight->thread_count; i++) {
		if (sight->threads[i].stream != 0 && !sight->threads[i].is_gpu) {
			add_stack(sight, &sight->threads[i].stack);
		}
	}
	for (uint32_t i = 0; i < sight->started->count; i++) {
		const struct rcap_live_range range = without_id(&sight->started->open[i].range);

		add_open(sight, &range);
	}
	rcap_ranges_sight_fold(sight);
}

bool rcap_ranges_sight_open(struct rcap_ranges_sight *sight, const char *path)
{
	memset(sight, 0, sizeof(*sight));
	if (!rcap_ranges_peek_open(&sight->peek, path)) {
		return false;
	}
	rcap_ranges_peek_program(&sight->peek, sight->program, sizeof(sight->program));
	sight->events = calloc(MOST_EVENTS, sizeof(*sight->events));
	sight->block = aligned_alloc(PAGE, RCAP_BLOCK_BYTES);
	sight->started = calloc(1, sizeof(*sight->started));
	if (!sight->events || !sight->block || !sight->started) {
		rcap_ranges_sight_close(sight);
		return false;
	}
	read_clock(sight);
	sight->began_ns = sight->now_ns;
	return true;
}

void rcap_ranges_sight_close(struct rcap_ranges_sight *sight)
{
	rcap_ranges_peek_close(&sight->peek);
	rcap_ranges_sight_unfold(sight);
	rcap_ranges_sight_free_sums(sight);
	free(sight->threads);
	free(sight->events);
	free(sight->block);
	free(sight->started);
	memset(sight, 0, sizeof(*sight));
}
