/* SPDX-License-Identifier: MIT */
/* State of the capture in this process: what all producer threads share. */
#ifndef RCAP_PROCESS_H
#define RCAP_PROCESS_H

#include "libranges/settings/config.h"
#include "libranges/spool/spool.h"

struct rcap_process {
	struct rcap_spool spool;
	struct rcap_config config;
	/* Counts captures in this process image: a fork child's own is one more. Handles that hold
	 * an older number must be entered again. Written before `alive` is set (release), read
	 * after it was read (acquire). */
	uint32_t generation;
	/* The drain sleeps on a word in the spool; producers raise it when memory gets short. */
	_Atomic uint32_t drain_sleeps;
	/* enum rcap_phase. Relaxed: events are told apart by their times. Set before `alive` is. */
	_Atomic uint32_t phase;
	/* Something hangs on names of ranges (record/steer.h). Set before `alive` is. */
	bool is_watching;
	/* It is off, and nothing hangs on names of ranges: calls need no look. As above. */
	_Atomic uint32_t is_quiet;
	/* The process has a drain of its own. Written before `alive` is set. */
	bool has_drain;
	/* Makes the spool and all that hangs on it. Return: true if events can be recorded. Set
	 * before rcap_process_alive is. */
	bool (*_Atomic start)(void);
	/* What libranges.so does besides, NULL elsewhere. Set before the capture starts. */
	void (*look)(void);       /* a thread has joined the capture */
	void (*look_again)(void); /* time has gone by: the drain's; NULL: there is no need */
	/* The program has named an object of CUDA: type and object as in object names
	 * (doc/format.md, section 5). Within a call of NVTX. Set when CUPTI has been
	 * loaded, read with acquire. */
	void (*_Atomic name_object)(uint32_t type, uint64_t object);
	/* The capture has been switched on, or off. Set when CUPTI has been loaded, read with
	 * acquire. */
	void (*_Atomic switch_gpu)(bool on);
	/* What the GPU has done so far is to be handed over: asked for anew, or looked after.
	 * Return: true if it has been, or can't be. Set when CUPTI has been loaded, read with
	 * acquire. The drain's, which goes on meanwhile: it makes the room that this takes. */
	bool (*_Atomic take_gpu)(bool is_new);
	/* Samples of GPUs that the launcher takes, if any are wanted: those that have come are
	 * recorded, and it is told when the capture goes on or off. The drain's; NULL: there are
	 * none. */
	void (*look_at_gpu_samples)(void);
	/* The last ones are to be taken now. */
	void (*end_gpu_samples)(void);
	/* The program wants CUPTI for itself. */
	void (*release_gpu)(void);
	/* How many threads the GPU's capture has; and: the program has none any more, these must
	 * end. Return: true if they had their time and will not. The drain's. */
	unsigned (*count_gpu_threads)(void);
	bool (*end_gpu_threads)(void);
	/* exit(): a static program, where nothing hangs in CUPTI, does not carry the call. */
	void (*end_process)(int status);
};

extern struct rcap_process rcap_process __attribute__((visibility("hidden")));

/* What libranges.so does besides, if this is it. */
static inline void rcap_process_do(void (*what)(void))
{
	if (what) {
		what();
	}
}

/* Hands on what the program has named, where somebody wants it. */
static inline void rcap_process_name_object(uint32_t type, uint64_t object)
{
	void (*const name)(uint32_t, uint64_t) =
		atomic_load_explicit(&rcap_process.name_object, memory_order_acquire);

	if (name) {
		name(type, object);
	}
}

/* Values of *rcap_process_alive. */
enum {
	RCAP_ALIVE_NO, /* nothing here yet; also what a fork child finds, because the kernel zeroes
	                  the page */
	RCAP_ALIVE_STARTING, /* one thread is at it */
	RCAP_ALIVE_YES,
	RCAP_ALIVE_OFF, /* capture is not possible or not wanted: every call returns at once */
};

/* In a page of its own that is wiped on fork. NULL until rcap_lifetime_load(), which another thread
 * may have run. */
extern _Atomic uint32_t *_Atomic rcap_process_alive __attribute__((visibility("hidden")));

/*
 * Starts the capture of this process if it has not started yet (first event; first event of a fork
 * child).
 *
 * Return: true if events can be recorded.
 * Context: any thread, not inside a lock; may take some hundred µs once; errno is kept.
 */
bool rcap_process_start(void);

/* True while nothing is recorded: the slow path asks before anything else. */
static inline bool rcap_process_is_off(void)
{
	return atomic_load_explicit(&rcap_process.phase, memory_order_relaxed) == RCAP_PHASE_OFF;
}

/* The same, where it does not hang on names of ranges when it will be on. */
static inline bool rcap_process_is_quiet(void)
{
	return atomic_load_explicit(&rcap_process.is_quiet, memory_order_relaxed) != 0;
}

/* Wakes the drain if it sleeps. Context: producers, slow path. */
void rcap_process_wake_drain(void);

/* True if somebody makes room in the buffer: our thread, or a drain outside, which may have been
 * killed: it tells that it lives with each turn, some ms apart. Context: any thread. */
bool rcap_process_is_drained(void);

/*
 * For who found no room where the spool is grown by its drain alone (after a chroot(), without a
 * thread of ours) and is not yet as large as it may be.
 *
 * Return: true after a moment if it should try again, because RANGES_ON_FULL=block lets programs
 * wait, or our thread is just about to let it grow; false if it should not.
 * Context: any thread, without the lock; errno is kept.
 */
bool rcap_process_await_room(void);

/* Protects names, handles and the list of streams. Held for at most some µs. A fork child resets
 * it. */
void rcap_process_lock(void);
void rcap_process_unlock(void);

#endif
