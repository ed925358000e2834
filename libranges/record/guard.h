/* SPDX-License-Identifier: MIT */
/*
 * Keeps the calls of one thread apart: a signal handler's from the one that it interrupted, those
 * of user-level threads from one another. Taken and given back by single instructions, which no
 * signal can divide; other threads of the system never touch it.
 */
#ifndef RCAP_GUARD_H
#define RCAP_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Values of `state`; any other is minus the stack address of the call that has taken it. */
#define RCAP_GUARD_IDLE 0u
#define RCAP_GUARD_SLOW (UINT64_C(1) << 63) /* idle, and never taken by the fast path */

struct rcap_guard {
	/* Minus the bytes that are free in the block, 0: it is full. Changes together with the
	 * return to idle: while a call is under way it tells where that has begun. */
	_Alignas(16) int64_t room;
	uint64_t state;
};

/* The stack pointer, more or less. */
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

/* Return: true if it was idle. Then the call must end by a release. */
static inline bool rcap_guard_take(struct rcap_guard *guard)
{
#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__)
	uint64_t seen = RCAP_GUARD_IDLE;
	uint64_t mine;
	bool was_idle;

	/* One instruction that can fail, without a lock: it is about this thread alone. And nothing
	 * to take back then: another user-level thread may go on before that. */
	__asm__ volatile("movq %%rsp, %[mine]\n\t"
	                 "negq %[mine]\n\t"
	                 "cmpxchgq %[mine], %[state]"
	                 : [state] "+m"(guard->state), [mine] "=&r"(mine), "+a"(seen),
	                   "=@ccz"(was_idle)
	                 :
	                 : "memory");
	return was_idle;
#elif defined(__aarch64__)
	uint64_t seen;
	uint32_t has_failed;

	/* A signal in between makes the store fail. By hand: the compiler's would be a call. */
	__asm__ volatile("1:	ldxr %0, %2\n"
	                 "	cbnz %0, 2f\n"
	                 "	stxr %w1, %3, %2\n"
	                 "	cbnz %w1, 1b\n"
	                 "2:"
	                 : "=&r"(seen), "=&r"(has_failed), "+Q"(guard->state)
	                 : "r"((uint64_t) 0 - rcap_guard_stack())
	                 : "memory");
	return seen == RCAP_GUARD_IDLE;
#else
	uint64_t idle = RCAP_GUARD_IDLE;

	/* Relaxed: it is about this thread alone. */
	return __atomic_compare_exchange_n(&guard->state, &idle, 0 - rcap_guard_stack(), false,
	                                   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
}

/* Ends a call that has used room up to `room`. */
static inline void rcap_guard_release(struct rcap_guard *guard, int64_t room)
{
#if defined(__x86_64__)
	static const uint64_t idle = RCAP_GUARD_IDLE;

	__asm__ volatile("movq %1, %%xmm0\n\t"
	                 "movhps %2, %%xmm0\n\t"
	                 "movaps %%xmm0, %0"
	                 : "=m"(*guard)
	                 : "r"(room), "m"(idle)
	                 : "xmm0", "memory");
#elif defined(__aarch64__)
	__asm__ volatile("stp %1, %2, %0"
	                 : "=Q"(*guard)
	                 : "r"(room), "r"((uint64_t) RCAP_GUARD_IDLE)
	                 : "memory");
#else
	guard->room = room;
	atomic_signal_fence(memory_order_seq_cst);
	guard->state = RCAP_GUARD_IDLE;
#endif
}

/* Ends a call that has used none. */
static inline void rcap_guard_cancel(struct rcap_guard *guard)
{
	atomic_signal_fence(memory_order_seq_cst);
	guard->state = RCAP_GUARD_IDLE;
}

/* For the slow path: takes it from the state `from`. @stack: where the call is. */
static inline bool rcap_guard_take_from(struct rcap_guard *guard, uint64_t from, uintptr_t stack)
{
	return __atomic_compare_exchange_n(&guard->state, &from, 0 - stack, false, __ATOMIC_RELAXED,
	                                   __ATOMIC_RELAXED);
}

/*
 * Has the call that holds the guard been left for good, by a jump out of a handler? A handler's
 * frame lies deeper in the stack than what it interrupted, so a call that comes from no deeper on
 * the same stack knows.
 *
 * @state: the guard's. @here: the stack address of the call that asks.
 * Return: true if that is certain. Context: any thread; a system call or a few, now and then.
 */
bool rcap_guard_is_abandoned(uint64_t state, uintptr_t here);

#endif
