/* SPDX-License-Identifier: MIT */
/*
 * What a program can tell libranges besides its ranges. There is nothing to link (except -ldl with
 * old C libraries). Where libranges records the program, as under `ranges run`, these functions
 * reach it; everywhere else they cost a test of a pointer and do nothing.
 *
 * A thread pool hides who asked for its work: what a worker launches belongs to no range of the
 * thread that asked. Pass that thread's context along with the work:
 *
 *	nvtxRangePushA("step 7");
 *	work.context = ranges_handoff_capture();    // on the thread that asks
 *	submit(work);
 *
 *	ranges_handoff_attach(work.context);        // on the worker
 *	launch_kernels(work);
 *	ranges_handoff_detach();
 *
 * Then what the worker launches belongs to "step 7", even if that range has ended meanwhile
 * (doc/metrics.md, section 6, rule `handoff`). Only what it launches in a range of its own does
 *not.
 *
 * A program that works in steps can say where each step begins. Reports can then go by steps:
 *
 *	for (i = 0; i < batches; i++) {
 *		ranges_step();
 *		train(i);
 *	}
 *	ranges_step_end();
 */
#ifndef RANGES_RANGES_H
#define RANGES_RANGES_H

#include <ranges/nvtx-detail-tool.h>

/* ISO C only has getenv. NOLINTBEGIN(concurrency-mt-unsafe) */

#ifdef __cplusplus
extern "C" {
#endif

/* The functions of libranges that the functions below call. New members are only added at the
 * end. */
struct ranges_calls {
	size_t struct_size;
	uint64_t (*handoff_capture)(void);
	void (*handoff_attach)(uint64_t context);
	void (*handoff_detach)(void);
	void (*cuda_release)(void);
	void (*step)(uint64_t number, const char *name);
	void (*step_end)(void);
	int (*start)(void);
	int (*stop)(void);
	int (*flush)(void);
	int (*warm)(void);
	uint64_t (*cycle)(void);
	int (*log)(uint64_t cycle, char *path, size_t size);
	int (*snapshot)(const char *path);
};

#ifndef NVTX_DISABLE

typedef const struct ranges_calls *(*ranges_entry_fn)(void);

struct ranges_unit {
	struct ranges_nvtx_gate gate;
	const struct ranges_calls *calls;
};

/* The number at the end of the name changes with any member. */
#define RANGES_UNIT ranges_unit_1
RANGES_NVTX_SHARED struct ranges_unit RANGES_UNIT;

/* libranges itself, if the program is linked with it. */
__attribute__((weak)) const struct ranges_calls *ranges_entry(void);

int ranges_start_1(void *unused);

/* Searches for libranges where NVTX searches for a tool, in the same order. Returns RANGES_NVTX_ON
 * or RANGES_NVTX_OFF. */
RANGES_NVTX_COLD int ranges_start_1(void *unused)
{
	ranges_entry_fn entry = RANGES_NVTX_NULL;
	void *library;
	void *symbol;

	(void) unused;
	if (ranges_nvtx_look_up_2("ranges_entry", &library, &symbol)) {
		memcpy(&entry, &symbol, sizeof(entry)); /* ISO C has no cast for this */
	} else {
		entry = ranges_entry;
	}
	RANGES_UNIT.calls = entry != RANGES_NVTX_NULL ? entry() : RANGES_NVTX_NULL;
	if (RANGES_UNIT.calls != RANGES_NVTX_NULL) {
		return RANGES_NVTX_ON;
	}
	if (library != RANGES_NVTX_NULL) {
		dlclose(library);
	}
	return RANGES_NVTX_OFF;
}

/* Returns the functions of libranges; NULL if nobody records this program. */
static inline const struct ranges_calls *ranges_borrow_calls(void)
{
	const int state = __atomic_load_n(&RANGES_UNIT.gate.state, __ATOMIC_ACQUIRE);

	if (__builtin_expect(state == RANGES_NVTX_OFF, 1)) {
		return RANGES_NVTX_NULL;
	}
	if (__builtin_expect(state != RANGES_NVTX_ON, 0) &&
	    !ranges_nvtx_pass_2(&RANGES_UNIT.gate, ranges_start_1, RANGES_NVTX_NULL)) {
		return RANGES_NVTX_NULL;
	}
	return RANGES_UNIT.calls;
}

#else /* NVTX_DISABLE */

static inline const struct ranges_calls *ranges_borrow_calls(void)
{
	return RANGES_NVTX_NULL;
}

#endif

/*
 * Returns what the calling thread is working for: its innermost open push/pop range or, if it has
 * none, the context that it has attached.
 *
 * Return: a number for ranges_handoff_attach(). It may be used on any thread of this process, now
 * or later, and several times. It need not be freed. 0: nobody records. In a fork child the number
 * has no meaning.
 * Context: any thread, signal handlers too; costs about as much as a range.
 */
static inline uint64_t ranges_handoff_capture(void)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	return calls != RANGES_NVTX_NULL ? calls->handoff_capture() : 0;
}

/*
 * From now on, until ranges_handoff_detach(), the calling thread works for that context.
 * Attachments nest: the last one is valid. Ranges that the thread opens itself take precedence.
 *
 * @context: from ranges_handoff_capture(); 0: the thread works for nobody.
 * Context: as ranges_handoff_capture().
 */
static inline void ranges_handoff_attach(uint64_t context)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	if (calls != RANGES_NVTX_NULL) {
		calls->handoff_attach(context);
	}
}

/* Ends the calling thread's last attachment. Does nothing if there is none. */
static inline void ranges_handoff_detach(void)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	if (calls != RANGES_NVTX_NULL) {
		calls->handoff_detach();
	}
}

/* A number for ranges_step_at(): the last step's number + 1; 0 for the first step. */
#define RANGES_STEP_NEXT UINT64_MAX

/*
 * Begins a step of this process, and ends the previous step. A step is of the whole process: the
 * work of all threads belongs to it, whichever thread calls this (doc/metrics.md, section 22). Call
 * it on one thread.
 *
 * @number: number of the step in `analyzer stats --steps`; RANGES_STEP_NEXT: the next number.
 * @name: name of the step's range: UTF-8, copied; NULL: "step".
 * Context: any thread, signal handlers too; costs about as much as a range with a payload. Does
 * nothing if the loaded libranges is older than this header.
 */
static inline void ranges_step_at(uint64_t number, const char *name)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	if (calls != RANGES_NVTX_NULL && calls->struct_size > offsetof(struct ranges_calls, step)) {
		calls->step(number, name);
	}
}

/* Does the same with the next number, and without a name. */
static inline void ranges_step(void)
{
	ranges_step_at(RANGES_STEP_NEXT, RANGES_NVTX_NULL);
}

/* Ends the step, and begins no other. What comes until the next step, such as a validation, belongs
 * to no step. */
static inline void ranges_step_end(void)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	if (calls != RANGES_NVTX_NULL &&
	    calls->struct_size > offsetof(struct ranges_calls, step_end)) {
		calls->step_end();
	}
}

/* Results of the functions below. */
#define RANGES_DONE    0 /* it was done */
#define RANGES_WAS_SO  1 /* it was in that state already */
#define RANGES_PLANNED 2 /* a schedule, a range or the time decides: RANGES_SCHEDULE … */
#define RANGES_BUSY    3 /* nothing was done: too many switches at once, or there was no time */
#define RANGES_NOTHING \
	4 /* nothing is kept for a snapshot: RANGES_KEEP is not set, or the capture is off */
#define RANGES_FAILED 5    /* the snapshot could not be written */
#define RANGES_NOBODY (-1) /* nobody records this program */

/*
 * Switches the capture on for all threads of this process, until ranges_stop(). The time between is
 * a cycle. Each cycle has a log of its own, which is complete soon after the stop. With
 * RANGES_STANDBY=on the capture is off until the first start; otherwise it is on from the
 * beginning.
 *
 * Return: RANGES_DONE and the other results above. Context: any thread, not a signal handler; some
 * µs.
 */
static inline int ranges_start(void)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	return calls != RANGES_NVTX_NULL &&
	                       calls->struct_size > offsetof(struct ranges_calls, start)
	               ? calls->start()
	               : RANGES_NOBODY;
}

/* Switches the capture off: from now on nothing is recorded, and a range costs some ns and no
 * system call. Return, context: as ranges_start(). */
static inline int ranges_stop(void)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	return calls != RANGES_NVTX_NULL && calls->struct_size > offsetof(struct ranges_calls, stop)
	               ? calls->stop()
	               : RANGES_NOBODY;
}

/*
 * Switches to a state between off and on, for warming up. Everything runs, CUPTI too, but what is
 * recorded is dropped. After some steps in this state, start-up costs are not in the log, and
 * ranges that are open at ranges_start() have their names.
 *
 * Return, context: as ranges_start().
 */
static inline int ranges_warm(void)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	return calls != RANGES_NVTX_NULL && calls->struct_size > offsetof(struct ranges_calls, warm)
	               ? calls->warm()
	               : RANGES_NOBODY;
}

/* Returns the number of the current cycle, or else of the last one. The first cycle is 1. 0: there
 * was no cycle yet, or nobody records. Context: as ranges_start(). */
static inline uint64_t ranges_cycle(void)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	return calls != RANGES_NVTX_NULL &&
	                       calls->struct_size > offsetof(struct ranges_calls, cycle)
	               ? calls->cycle()
	               : 0;
}

/*
 * Gets the name of a cycle's log, once the log is complete: some ms after the cycle's end. Works
 * for the last 15 cycles.
 *
 * @cycle: from ranges_cycle(); the cycle must be over. @path: gets the name, absolute, with a NUL.
 * @size: of path.
 * Return: RANGES_DONE; RANGES_BUSY: the log is not complete, or there is none; RANGES_NOBODY.
 * Context: as ranges_start().
 */
static inline int ranges_log(uint64_t cycle, char *path, size_t size)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	return calls != RANGES_NVTX_NULL && calls->struct_size > offsetof(struct ranges_calls, log)
	               ? calls->log(cycle, path, size)
	               : RANGES_NOBODY;
}

/*
 * Writes what was recorded so far to the log. Waits until that is done, for at most RANGES_EXIT_MS.
 * Events that are not written yet are not lost if the program dies. So only programs that read the
 * log while they run need this.
 *
 * Return: as ranges_start(). Context: any thread, not a signal handler.
 */
static inline int ranges_flush(void)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	return calls != RANGES_NVTX_NULL &&
	                       calls->struct_size > offsetof(struct ranges_calls, flush)
	               ? calls->flush()
	               : RANGES_NOBODY;
}

/*
 * Writes what RANGES_KEEP has kept so far to a log, and waits until that is done. The capture goes
 * on.
 *
 * @path: of the log; a file of that name is replaced. NULL: by RANGES_OUTPUT, with .s1, .s2 …
 * Return: RANGES_DONE, RANGES_NOTHING, RANGES_FAILED, RANGES_BUSY, RANGES_NOBODY. Context: any
 * thread, not a signal handler.
 */
static inline int ranges_snapshot(const char *path)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	return calls != RANGES_NVTX_NULL &&
	                       calls->struct_size > offsetof(struct ranges_calls, snapshot)
	               ? calls->snapshot(path)
	               : RANGES_NOBODY;
}

/*
 * Ends libranges' use of CUPTI, NVIDIA's tracing library, so that another profiler in this process
 * can use it, such as torch.profiler. (CUPTI serves only one at a time.) First takes out the
 * records of what the GPU has done. Work in progress is lost, so synchronise before. Ranges are
 * recorded as before, GPU work is not.
 *
 * Context: any thread, outside of CUPTI's callbacks; may take some ms. A second call does nothing.
 */
static inline void ranges_cuda_release(void)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	if (calls != RANGES_NVTX_NULL) {
		calls->cuda_release();
	}
}

#ifdef __cplusplus
}
#endif

/* NOLINTEND(concurrency-mt-unsafe) */

#endif
