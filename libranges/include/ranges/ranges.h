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
 * Then what the worker launches while it has no open range of its own belongs to "step 7", even if
 * that range has ended meanwhile (doc/metrics.md, section 6, rule `handoff`).
 *
 * A program that works in steps can say where each begins; then reports go by steps:
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

/* The functions behind those below. Fields are only added at the end. */
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

/* The number at the end changes with anything in here. */
#define RANGES_UNIT ranges_unit_1
RANGES_NVTX_SHARED struct ranges_unit RANGES_UNIT;

/* libranges itself, if the program is linked with it. */
__attribute__((weak)) const struct ranges_calls *ranges_entry(void);

int ranges_start_1(void *unused);

/* Searches where NVTX does, in the same order. Returns RANGES_NVTX_ON or RANGES_NVTX_OFF. */
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

/* NULL if nobody records this program. */
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
 * What the calling thread is in now: its innermost open push/pop range or, if it has none, the
 * context that it has attached.
 *
 * Return: a number for ranges_handoff_attach(), on any thread of this process, now or later, as
 * often as wanted; it need not be freed. 0: nobody records. The number means nothing in fork
 * children.
 * Context: any thread, signal handlers too; costs about as much as a range.
 */
static inline uint64_t ranges_handoff_capture(void)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	return calls != RANGES_NVTX_NULL ? calls->handoff_capture() : 0;
}

/*
 * From now on, until ranges_handoff_detach(), the calling thread works for that context.
 * Attachments nest: the last one counts. Ranges that the thread opens itself take precedence.
 *
 * @context: from ranges_handoff_capture(); 0: works for nobody.
 * Context: as above.
 */
static inline void ranges_handoff_attach(uint64_t context)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	if (calls != RANGES_NVTX_NULL) {
		calls->handoff_attach(context);
	}
}

/* Ends the calling thread's last attachment; does nothing if there is none. */
static inline void ranges_handoff_detach(void)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	if (calls != RANGES_NVTX_NULL) {
		calls->handoff_detach();
	}
}

/* A number for ranges_step_at(): one more than the last step's, 0 for the first. */
#define RANGES_STEP_NEXT UINT64_MAX

/*
 * Begins a step of this process, and ends the one before. Steps belong to the process: whichever
 * thread calls, the work of all threads falls into them (doc/metrics.md, section 22). Call it on
 * one thread.
 *
 * @number: its number in `analyzer stats --steps`; RANGES_STEP_NEXT: the next one.
 * @name: UTF-8, copied; the name of the step's range; NULL: "step".
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

/* ranges_step_at() with the next number and no name. */
static inline void ranges_step(void)
{
	ranges_step_at(RANGES_STEP_NEXT, RANGES_NVTX_NULL);
}

/* Ends the step without beginning another: what comes until the next one, such as a validation,
 * belongs to none. */
static inline void ranges_step_end(void)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	if (calls != RANGES_NVTX_NULL &&
	    calls->struct_size > offsetof(struct ranges_calls, step_end)) {
		calls->step_end();
	}
}

/* Results of ranges_start(), ranges_stop() and ranges_flush(). */
#define RANGES_DONE    0 /* it is done */
#define RANGES_WAS_SO  1 /* it was so before */
#define RANGES_PLANNED 2 /* a schedule, a range or the time decides: RANGES_SCHEDULE … */
#define RANGES_BUSY    3 /* too many switches at once, or not done in time: nothing was done */
#define RANGES_NOTHING \
	4 /* nothing is kept for a snapshot: RANGES_KEEP is not set, or the capture is off */
#define RANGES_FAILED 5    /* the snapshot could not be written */
#define RANGES_NOBODY (-1) /* nobody records this program */

/*
 * Switches the capture on, for all threads of this process, until ranges_stop(). Each such time is
 * a cycle with a log of its own, which is complete soon after the stop. With RANGES_STANDBY=on the
 * capture is off until the first start, else on from the beginning.
 *
 * Return: as above. Context: any thread, not a signal handler; some µs.
 */
static inline int ranges_start(void)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	return calls != RANGES_NVTX_NULL &&
	                       calls->struct_size > offsetof(struct ranges_calls, start)
	               ? calls->start()
	               : RANGES_NOBODY;
}

/* From now on nothing is recorded: a range costs some ns and no system call. As above. */
static inline int ranges_stop(void)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	return calls != RANGES_NVTX_NULL && calls->struct_size > offsetof(struct ranges_calls, stop)
	               ? calls->stop()
	               : RANGES_NOBODY;
}

/*
 * Between off and on: everything runs, CUPTI too, but what is recorded is dropped. Some steps of
 * this before ranges_start() keep start-up costs out of the log, and ranges that are open at the
 * start have their names.
 *
 * Return: as above. Context: as above.
 */
static inline int ranges_warm(void)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	return calls != RANGES_NVTX_NULL && calls->struct_size > offsetof(struct ranges_calls, warm)
	               ? calls->warm()
	               : RANGES_NOBODY;
}

/* Number of the current cycle, or of the last one, from 1; 0: none yet, or nobody records.
 * Context: as above. */
static inline uint64_t ranges_cycle(void)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	return calls != RANGES_NVTX_NULL &&
	                       calls->struct_size > offsetof(struct ranges_calls, cycle)
	               ? calls->cycle()
	               : 0;
}

/*
 * The name of a cycle's log, once it is complete: some ms after the cycle's end. The last 15 are
 * known.
 *
 * @cycle: from ranges_cycle(), and over. @path: gets the name, absolute, with a NUL. @size: of
 * path.
 * Return: RANGES_DONE; RANGES_BUSY: it is not complete, or there is none; RANGES_NOBODY. Context:
 * as above.
 */
static inline int ranges_log(uint64_t cycle, char *path, size_t size)
{
	const struct ranges_calls *calls = ranges_borrow_calls();

	return calls != RANGES_NVTX_NULL && calls->struct_size > offsetof(struct ranges_calls, log)
	               ? calls->log(cycle, path, size)
	               : RANGES_NOBODY;
}

/*
 * Writes what was recorded so far to the log, and waits for that, RANGES_EXIT_MS at most. Unwritten
 * events are not lost when the program dies; this is for programs that read the log meanwhile.
 *
 * Return: as above. Context: any thread, not a signal handler.
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
 * Writes what RANGES_KEEP has kept so far to a log, and waits for that; the capture goes on.
 *
 * @path: of the log; replaces a file of that name. NULL: by RANGES_OUTPUT, with .s1, .s2 …
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
 * Releases NVIDIA's tracing library, CUPTI, for another profiler in this process, such as
 * torch.profiler, because it serves only one at a time. First takes out what the GPU has done;
 * unfinished work is lost, so synchronise before. Ranges are recorded as before, the GPU no more.
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
