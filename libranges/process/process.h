/* SPDX-License-Identifier: MIT */
/* The state of the capture in this process that all producer threads share. */
#ifndef RCAP_PROCESS_H
#define RCAP_PROCESS_H

#include "libranges/settings/config.h"
#include "libranges/spool/spool.h"

struct rcap_process {
	struct rcap_spool spool;
	struct rcap_config config;
	/* Number of this capture in the process image; a fork child's is higher by one. Handles
	 * with a lower number must be registered again. Written before `alive` is set (release),
	 * read after it (acquire). */
	uint32_t generation;
	/* Not 0 while the drain sleeps on a word in the spool. Producers wake it when memory gets
	 * short. */
	_Atomic uint32_t drain_sleeps;
	/* enum rcap_phase. Relaxed, because the time of an event decides its phase. Set before
	 * `alive` is set. */
	_Atomic uint32_t phase;
	/* True if something depends on the names of ranges (record/steer.h). Set before `alive` is
	 * set. */
	bool is_watching;
	/* Not 0 if the capture is off and nothing depends on names of ranges, so that calls return
	 * at once. Set together with `phase`. */
	_Atomic uint32_t is_quiet;
	/* True if the process has a drain of its own. Written before `alive` is set. */
	bool has_drain;
	/* Creates the spool and everything else of a capture. Return: true if events can be
	 * recorded. Set before rcap_process_alive is set. */
	bool (*_Atomic start)(void);
	/* Hooks of libranges.so, NULL in other cases. Set before the capture starts. */
	void (*look)(void);       /* called when a thread has joined the capture */
	void (*look_again)(void); /* called by the drain from time to time; NULL if not needed */
	/* Reports that the program has named a CUDA object. Type and object are as in object names
	 * (doc/format.md, section 5). Called within an NVTX call. Set when CUPTI has been loaded,
	 * read with acquire. */
	void (*_Atomic name_object)(uint32_t type, uint64_t object);
	/* Reports that the capture has been switched on or off. Set when CUPTI has been loaded,
	 * read with acquire. */
	void (*_Atomic switch_gpu)(bool on);
	/* Makes CUPTI hand over the records so far (is_new), or checks whether an earlier request
	 * is done. Return: true if all records were handed over, or can't be. Set when CUPTI has
	 * been loaded, read with acquire. The drain calls it and works meanwhile, because the
	 * records need room that the drain makes. */
	bool (*_Atomic take_gpu)(bool is_new);
	/* Records the GPU samples that the launcher has taken since the last call, and tells the
	 * launcher when the capture goes on or off. The drain calls it. NULL if no samples are
	 * wanted. */
	void (*look_at_gpu_samples)(void);
	/* Records the last GPU samples. */
	void (*end_gpu_samples)(void);
	/* Ends our use of CUPTI, because the program wants to use it. */
	void (*release_gpu)(void);
	/* count_gpu_threads returns the number of threads of the GPU's capture. end_gpu_threads
	 * ends them, because the program has no threads any more; it returns true if they did not
	 * end in the time they had. Only the drain calls these. */
	unsigned (*count_gpu_threads)(void);
	bool (*end_gpu_threads)(void);
	/* Calls exit(). NULL in a static program, so that exit() need not be linked: such a program
	 * has no thread that can hang in CUPTI. */
	void (*end_process)(int status);
};

extern struct rcap_process rcap_process __attribute__((visibility("hidden")));

/* Calls a hook if it is set. */
static inline void rcap_process_do(void (*what)(void))
{
	if (what) {
		what();
	}
}

/* Reports the name that the program gave to an object, if a hook is set for it. */
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
	RCAP_ALIVE_NO, /* not started; also the state in a fork child, because the kernel zeroes the
	                * page */
	RCAP_ALIVE_STARTING, /* one thread is starting the capture */
	RCAP_ALIVE_YES,
	RCAP_ALIVE_OFF, /* a capture is not possible or not wanted, so every call returns at once */
};

/* The state of the capture. It is in a page of its own, which the kernel wipes in a fork child.
 * NULL until rcap_lifetime_load(), which another thread may have called. */
extern _Atomic uint32_t *_Atomic rcap_process_alive __attribute__((visibility("hidden")));

/*
 * Starts the capture of this process if it has not started yet: at the first event, and at the
 * first event of a fork child.
 *
 * Return: true if events can be recorded.
 * Context: any thread, not inside a lock; may take some hundred µs once; errno is kept.
 */
bool rcap_process_start(void);

/* True while nothing is recorded. Only the slow path calls this. */
static inline bool rcap_process_is_off(void)
{
	return atomic_load_explicit(&rcap_process.phase, memory_order_relaxed) == RCAP_PHASE_OFF;
}

/* True while nothing is recorded and no name of a range can change that. */
static inline bool rcap_process_is_quiet(void)
{
	return atomic_load_explicit(&rcap_process.is_quiet, memory_order_relaxed) != 0;
}

/* Wakes the drain if it sleeps. Context: producers, slow path. */
void rcap_process_wake_drain(void);

/* True if a drain empties the buffer: our thread, or a drain outside. A drain outside may have been
 * killed. While it lives, it stores the time every few ms. Context: any thread. */
bool rcap_process_is_drained(void);

/*
 * Waits a moment after there was no room, if only the drain can extend the spool (after a chroot(),
 * without a thread of ours) and the spool does not have its full size yet.
 *
 * Return: true if the caller should try again, because RANGES_ON_FULL=block lets programs wait, or
 * because our thread is about to extend the spool.
 * Context: any thread, without the lock; errno is kept.
 */
bool rcap_process_await_room(void);

/* This lock protects names, handles and the list of streams. It is held for some µs at most. A fork
 * child resets it. */
void rcap_process_lock(void);
void rcap_process_unlock(void);

#endif
