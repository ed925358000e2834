/* SPDX-License-Identifier: MIT */
/*
 * Keeps the calls of one thread apart: a signal handler's call from the call that it has
 * interrupted, and the calls of user-level threads from each other. Single instructions take and
 * release the guard, so that no signal can come in between. Other threads of the system never use
 * it.
 */
#ifndef RCAP_GUARD_H
#define RCAP_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * The state is one word, so that one instruction changes it:
 * < 0: idle. The value is the room: minus the number of bytes that are free in the block.
 * 0: idle, but not for the fast path, because the block is full, or there is none.
 * > 0: taken. The value is the mark of the call that has the guard, plus the room that the call
 * found.
 */
struct rcap_guard {
	_Alignas(16) int64_t state;
};

/* The room takes 15 bits. The mark can have the others, because stacks are aligned to 8 bytes. */
#define RCAP_GUARD_ROOM_BITS  15
#define RCAP_GUARD_MIN_ROOM   (-(INT64_C(1) << (RCAP_GUARD_ROOM_BITS - 1)))
#define RCAP_GUARD_MARK_SHIFT (RCAP_GUARD_ROOM_BITS - 3)

/* Returns roughly the stack pointer. */
static inline uintptr_t rcap_guard_stack(void)
{
#ifdef __aarch64__
	uintptr_t stack;

	__asm__ volatile("mov %0, sp" : "=r"(stack));
	return stack;
#else
	return (uintptr_t) __builtin_frame_address(0);
#endif
}

/* Returns the mark of a call at this stack address. */
static inline int64_t rcap_guard_mark(uintptr_t stack)
{
	return (int64_t) ((uint64_t) stack << RCAP_GUARD_MARK_SHIFT);
}

/* Returns the room that the guard's holder found. If the guard is idle, returns the room now. */
static inline int64_t rcap_guard_room(int64_t state)
{
	return (int64_t) ((uint64_t) state << (64 - RCAP_GUARD_ROOM_BITS)) >>
	       (64 - RCAP_GUARD_ROOM_BITS);
}

/* Returns the stack address of the holder. */
static inline uintptr_t rcap_guard_holder(int64_t state)
{
	return (uintptr_t) ((uint64_t) (state - rcap_guard_room(state)) >> RCAP_GUARD_MARK_SHIFT);
}

/* Changes the state from `from` to `to`, if it is still `from`. Only the slow path uses this. */
static inline bool rcap_guard_change(struct rcap_guard *guard, int64_t from, int64_t to)
{
	/* Relaxed: only this thread uses it. */
	return __atomic_compare_exchange_n(&guard->state, &from, to, false, __ATOMIC_RELAXED,
	                                   __ATOMIC_RELAXED);
}

/*
 * Takes the guard. Return: the room, which is negative, if the guard was idle. The call must then
 * end with a release. Return 0: the guard was not taken.
 *
 * The check before the take costs less than a take that fails. The take can still fail, if a
 * handler switches to another user-level thread after the check. Then the mark is subtracted again,
 * unless the holder's release has already overwritten it.
 */
static inline int64_t rcap_guard_take(struct rcap_guard *guard)
{
#if defined(__x86_64__)
	int64_t room;
	uintptr_t stack;
	int64_t mark;

	if (__builtin_expect(__atomic_load_n(&guard->state, __ATOMIC_RELAXED) >= 0, 0)) {
		return 0;
	}
	__asm__ volatile("movq %%rsp, %0" : "=r"(stack));
	mark = rcap_guard_mark(stack);
	room = mark;
	/* One instruction without a lock prefix is enough, because only this thread uses the
	 * guard. */
	__asm__ volatile("xaddq %0, %1" : "+r"(room), "+m"(guard->state) : : "memory", "cc");
	if (__builtin_expect((uint64_t) room < (uint64_t) RCAP_GUARD_MIN_ROOM, 0)) {
		(void) rcap_guard_change(guard, room + mark, room);
		return 0;
	}
	return room;
#elif defined(__aarch64__)
	int64_t room;
	int64_t taken;
	uint32_t has_failed;

	/* If a signal comes in between, the store fails. This is assembly, because the compiler
	 * would make a function call. */
	__asm__ volatile("1:	ldxr %0, %2\n"
	                 "	tbz %0, #63, 2f\n"
	                 "	add %3, %0, %4\n"
	                 "	stxr %w1, %3, %2\n"
	                 "	cbnz %w1, 1b\n"
	                 "2:"
	                 : "=&r"(room), "=&r"(has_failed), "+Q"(guard->state), "=&r"(taken)
	                 : "r"(rcap_guard_mark(rcap_guard_stack()))
	                 : "memory");
	return room < 0 ? room : 0;
#else
	const int64_t room = __atomic_load_n(&guard->state, __ATOMIC_RELAXED);

	return room < 0 && rcap_guard_change(guard, room,
	                                     rcap_guard_mark(rcap_guard_stack()) + room)
	               ? room
	               : 0;
#endif
}

/* Ends a call. @room: what the call leaves. */
static inline void rcap_guard_release(struct rcap_guard *guard, int64_t room)
{
	atomic_signal_fence(memory_order_seq_cst);
	__atomic_store_n(&guard->state, room, __ATOMIC_RELAXED);
}

/* Sets the holder's stack address, and the room that the holder found. */
static inline void rcap_guard_hold(struct rcap_guard *guard, uintptr_t stack, int64_t room)
{
	rcap_guard_release(guard, rcap_guard_mark(stack) + room);
}

/*
 * Finds out whether the call that has the guard was left for ever, by a longjmp out of a handler.
 * The frame of a handler is deeper in the stack than the code that it has interrupted. So if the
 * caller is on the same stack and no deeper than the holder, the holder was left. @held: stack
 * address of the holder. @here: stack address of the caller. Return: true if the holder was
 * certainly left. Context: any thread; from time to time some system calls.
 */
bool rcap_guard_is_abandoned(uintptr_t held, uintptr_t here);

#endif
