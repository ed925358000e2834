/* SPDX-License-Identifier: MIT */
/* The state of the capture in this process that all producer threads share. */
#ifndef RCAP_PROCESS_H
#define RCAP_PROCESS_H

#include "libranges/settings/config.h"
#include "libranges/spool/spool.h"

struct rcap_process {
	struct rcap_spool spool;
	struct rcap_config config;
	/* Number of this capture in the process image: a fork child's is one more. Handles with
	 * an older number must be entered again. Written before `alive` is set (release), read
	 * after it (acquire). */
	uint32_t generation;
	/* The drain sleeps on a word in the spool; producers wake it when memory gets short. */
	_Atomic uint32_t drain_sleeps;
	/* enum rcap_phase. Relaxed: events are told apart by their times. Set before `alive` is. */
	_Atomic uint32_t phase;
	/* Something depends on the names of ranges (record/steer.h). Set before `alive` is. */
	bool is_watching;
	/* The capture is off and nothing depends on names of ranges, so calls return at once. Set
	 * as `phase` is. */
	_Atomic uint32_t is_quiet;
	/* The process has a drain of its own. Written before `alive` is set. */
	bool has_drain;
	/* Creates the spool and everything else of a capture. Return: true if events can be
	 * recorded. Set before rcap_process_alive is. */
	bool (*_Atomic start)(void);
	/* Hooks of libranges.so, NULL elsewhere. Set before the capture starts. */
	void (*look)(void);       /* a thread has joined the capture */
	void (*look_again)(void); /* called now and then by the drain; NULL: no need */
	/* Reports that the program has named a CUDA object: type and object as in object names
	 * (doc/format.md, section 5). Called within an NVTX call. Set when CUPTI has been loaded,
	 * read with acquire. */
	void (*_Atomic name_object)(uint32_t type, uint64_t object);
	/* Reports that the capture has been switched on or off. Set when CUPTI has been loaded,
	 * read with acquire. */
	void (*_Atomic switch_gpu)(bool on);
	/* Makes the GPU's part hand over its records so far (is_new), or checks on an earlier
	 * request. Return: true if all were handed over, or can't be. Set when CUPTI has been
	 * loaded, read with acquire. The drain calls it and goes on meanwhile, because handing over
	 * takes room that the drain makes. */
	bool (*_Atomic take_gpu)(bool is_new);
	/* Records the GPU samples that the launcher has taken since, and tells it when the
	 * capture goes on or off. The drain calls it; NULL: no samples are wanted. */
	void (*look_at_gpu_samples)(void);
	/* Takes the last samples. */
	void (*end_gpu_samples)(void);
	/* Releases CUPTI, because the program wants it. */
	void (*release_gpu)(void);
	/* count_gpu_threads: counts the threads of the GPU's capture. end_gpu_threads: ends them,
	 * because the program has no threads any more. Return: true if they did not end in the time
	 * they had. Only the drain calls these. */
	unsigned (*count_gpu_threads)(void);
	bool (*end_gpu_threads)(void);
	/* Calls exit(). NULL in a static program, so that it need not link exit(): no thread of it
	 * can hang in CUPTI. */
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

/* Passes on the name that the program gave an object, if somebody wants it. */
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
	RCAP_ALIVE_NO, /* not started; also in a fork child, because the kernel zeroes the page */
	RCAP_ALIVE_STARTING, /* one thread is starting it */
	RCAP_ALIVE_YES,
	RCAP_ALIVE_OFF, /* capture is not possible or not wanted: every call returns at once */
};

/* Lies in a page of its own that the kernel wipes on fork. NULL until rcap_lifetime_load(),
 * which another thread may have run. */
extern _Atomic uint32_t *_Atomic rcap_process_alive __attribute__((visibility("hidden")));

/*
 * Starts the capture of this process if it has not started yet (first event; first event of a fork
 * child).
 *
 * Return: true if events can be recorded.
 * Context: any thread, not inside a lock; may take some hundred µs once; errno is kept.
 */
bool rcap_process_start(void);

/* True while nothing is recorded. The slow path checks it first. */
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

/* True if somebody empties the buffer: our thread, or a drain outside. A drain outside may have
 * been killed; it shows every few ms that it is alive. Context: any thread. */
bool rcap_process_is_drained(void);

/*
 * Waits a moment after a failure to find room, where only the drain extends the spool (after a
 * chroot(), without a thread of ours) and it has not reached its full size.
 *
 * Return: true if the caller should try again, because RANGES_ON_FULL=block lets programs wait, or
 * our thread is about to extend the spool; false if not.
 * Context: any thread, without the lock; errno is kept.
 */
bool rcap_process_await_room(void);

/* Protects names, handles and the list of streams. Held for some µs at most. A fork child resets
 * it. */
void rcap_process_lock(void);
void rcap_process_unlock(void);

#endif
