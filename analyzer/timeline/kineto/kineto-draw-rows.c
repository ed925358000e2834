/* SPDX-License-Identifier: MIT */
/* Numbers the rows of a trace in JSON so that Perfetto can tell them apart. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"
#include "analyzer/timeline/kineto/kineto-draw.h"
#include "analyzer/timeline/layout/layout.h"

/* The numbers chosen for pids that Perfetto can't use for a process. */
struct pids {
	struct ra_util_map gpus;   /* pid that a device uses → 0 */
	struct ra_util_map given;  /* (string id of a pid's text, whether it is a GPU's) → pid */
	struct ra_util_map in_use; /* pid that is in use → 0 */
	uint32_t next;
};

static void fini_pids(struct pids *pids)
{
	ra_util_map_free(&pids->gpus);
	ra_util_map_free(&pids->given);
	ra_util_map_free(&pids->in_use);
}

enum ra_kineto_draw_class ra_kineto_draw_find_class(const struct ra_kineto *kineto, size_t event)
{
	const char phase = (char) ra_kineto_get_phase(kineto, event);

	if (phase == '\0') {
		return RA_KINETO_DRAW_CLASSES;
	}
	return strchr("XBE", phase) != NULL   ? RA_KINETO_DRAW_SLICES
	       : strchr("stf", phase) != NULL ? RA_KINETO_DRAW_ARROWS
	       : strchr("iIR", phase) != NULL ? RA_KINETO_DRAW_MARKS
	                                      : RA_KINETO_DRAW_CLASSES;
}

/* Instants of a process, or of all processes, belong to no thread. */
bool ra_kineto_draw_rows_has_thread(const struct ra_kineto *k, uint32_t event)
{
	struct ra_kineto_value scope;

	return !ra_kineto_get_field(k, event, RA_KINETO_ARG_SCOPE, &scope) ||
	       scope.type != RA_KINETO_STRING || scope.text.length == 0 ||
	       scope.text.bytes[0] == 't';
}

static bool is_of_gpu(enum ra_kineto_kind kind)
{
	return (kind >= RA_KINETO_KERNEL && kind <= RA_KINETO_SYNC) ||
	       kind == RA_KINETO_GPU_USER_ANNOTATION;
}

static bool is_number(int64_t number, int64_t least)
{
	return number >= least && number < UINT32_MAX;
}

/* Groups threads with equal numbers. */
static void group_threads(struct ra_kineto_draw *draw)
{
	const struct ra_kineto *k = draw->kineto;
	struct ra_util_map firsts = { 0 };

	for (uint32_t t = 0; t < k->thread_count; t++) {
		const struct ra_kineto_thread *facts = &k->threads[t];
		const uint64_t key =
			(uint64_t) facts->pid_number << 32 | (uint32_t) facts->tid_number;
		uint32_t first = t;

		if (is_number(facts->pid_number, 0) && is_number(facts->tid_number, 1)) {
			first = ra_util_map_find(&firsts, key);
			if (first == RA_UTIL_MAP_NONE) {
				first = t;
				ra_util_map_put(&firsts, key, t);
			}
		}
		draw->threads[t].group = draw->threads[first].is_mixed ? t : first;
	}
	ra_util_map_free(&firsts);
}

static void look_at_event(struct ra_kineto_draw *draw, uint32_t i)
{
	const struct ra_kineto *k = draw->kineto;
	const enum ra_kineto_draw_class of = ra_kineto_draw_find_class(k, i);
	struct ra_kineto_draw_thread *thread =
		&draw->threads[draw->threads[ra_kineto_get_thread(k, i)].group];

	if (!ra_kineto_draw_has(draw, i) || of == RA_KINETO_DRAW_CLASSES) {
		return;
	}
	thread->is_mixed |= thread->of_class[of] != RA_KINETO_NONE &&
	                    thread->of_class[of] != ra_kineto_get_thread(k, i);
	thread->of_class[of] = ra_kineto_get_thread(k, i);
	thread->events += of != RA_KINETO_DRAW_MARKS || ra_kineto_draw_rows_has_thread(k, i);
	if (!thread->is_gpu && is_of_gpu((enum ra_kineto_kind) k->kind[i])) {
		thread->is_gpu = true;
		(void) ra_kineto_get_int(k, i, RA_KINETO_ARG_STREAM, &thread->stream);
	}
	thread->has_pairs |= ra_kineto_get_phase(k, i) == 'B' || ra_kineto_get_phase(k, i) == 'E';
}

static void look_at_events(struct ra_kineto_draw *draw)
{
	const struct ra_kineto *k = draw->kineto;

	for (int round = 0; round < 2; round++) {
		group_threads(draw);
		for (size_t t = 0; t < k->thread_count; t++) {
			struct ra_kineto_draw_thread *thread = &draw->threads[t];

			for (int of = 0; of < RA_KINETO_DRAW_CLASSES; of++) {
				thread->of_class[of] = RA_KINETO_NONE;
			}
			thread->events = 0;
			thread->named = (uint32_t) t;
		}
		for (uint32_t i = 0; i < k->count; i++) {
			look_at_event(draw, i);
		}
	}
	for (uint32_t t = 0; t < k->thread_count; t++) {
		if (k->threads[t].name != 0) {
			draw->threads[draw->threads[t].group].named = t;
		}
	}
}

/* True if the text in the trace is this number, with or without quotes. */
static bool is_text_of(const struct ra_kineto *k, uint32_t text, uint32_t number)
{
	const struct rlog_string own = ra_kineto_string(k, text);
	char digits[16];
	const int length = snprintf(digits, sizeof(digits), "%lu", (unsigned long) number);

	return own.length == (uint32_t) length && memcmp(own.bytes, digits, own.length) == 0;
}

/* Finds the pid in the drawing. Devices keep their numbers. A process gets another number if its
 * pid is that of a device, or is not a number. */
static uint32_t find_pid(const struct ra_kineto_draw *draw, struct pids *pids, uint32_t thread)
{
	const struct ra_kineto_thread *facts = &draw->kineto->threads[thread];
	const bool is_gpu = draw->threads[thread].is_gpu;
	const uint64_t key = (uint64_t) facts->pid << 1 | is_gpu;
	uint32_t pid;

	if (is_number(facts->pid_number, 0) &&
	    (is_gpu ||
	     ra_util_map_find(&pids->gpus, (uint64_t) facts->pid_number) == RA_UTIL_MAP_NONE)) {
		return (uint32_t) facts->pid_number;
	}
	pid = ra_util_map_find(&pids->given, key);
	if (pid != RA_UTIL_MAP_NONE) {
		return pid;
	}
	while (ra_util_map_find(&pids->in_use, pids->next) != RA_UTIL_MAP_NONE) {
		pids->next++;
	}
	pid = pids->next++;
	ra_util_map_put(&pids->given, key, pid);
	return pid;
}

/* Adds a row. Return: its index. */
static uint32_t add_row(struct ra_kineto_draw *draw, const struct ra_kineto_draw_row *row)
{
	const uint32_t index = (uint32_t) draw->row_count;

	if (draw->row_count >= RA_KINETO_DRAW_AS_IT_WAS) {
		ra_alloc_end();
	}
	ra_util_map_put(&draw->taken, (uint64_t) row->pid << 32 | row->tid, index);
	RA_UTIL_APPEND(draw->rows, draw->row_count, draw->row_capacity, *row);
	return index;
}

static bool is_taken(const struct ra_kineto_draw *draw, uint32_t pid, uint32_t tid)
{
	return ra_util_map_find(&draw->taken, (uint64_t) pid << 32 | tid) != RA_UTIL_MAP_NONE;
}

static uint32_t take_number(struct ra_kineto_draw *draw, uint32_t pid)
{
	while (is_taken(draw, pid, draw->next_row)) {
		draw->next_row++;
	}
	return draw->next_row++;
}

/* Numbers a thread's row. To Perfetto, number 0 means the process as a whole. @round: 0 uses the
 * numbers that the trace has; 1 uses numbers in quotes, and streams' numbers; 2 uses free
 * numbers. */
static void number_thread(struct ra_kineto_draw *draw, struct pids *pids, uint32_t thread,
                          int round)
{
	const struct ra_kineto_thread *facts = &draw->kineto->threads[thread];
	struct ra_kineto_draw_row row = { .thread = thread };
	int64_t tid = facts->tid_number;
	bool is_text;

	row.pid = find_pid(draw, pids, thread);
	if (round == 1 && tid == INT64_MIN && draw->threads[thread].is_gpu) {
		tid = draw->threads[thread].stream;
	}
	row.tid = is_number(tid, 1) ? (uint32_t) tid : 0;
	is_text = row.tid != 0 && is_text_of(draw->kineto, facts->tid, row.tid);
	if (round == 2) {
		row.tid = take_number(draw, row.pid);
	} else if (row.tid == 0 || (round == 0 && !is_text) || is_taken(draw, row.pid, row.tid)) {
		return;
	}
	draw->threads[thread].row = add_row(draw, &row);
}

/* Finds out which pids exist, and which of them are devices. */
static void gather_pids(const struct ra_kineto_draw *draw, struct pids *pids)
{
	const struct ra_kineto *k = draw->kineto;

	for (size_t t = 0; t < k->thread_count; t++) {
		if (!is_number(k->threads[t].pid_number, 0)) {
			continue;
		}
		ra_util_map_put(&pids->in_use, (uint64_t) k->threads[t].pid_number, 0);
		if (draw->threads[draw->threads[t].group].is_gpu) {
			ra_util_map_put(&pids->gpus, (uint64_t) k->threads[t].pid_number, 0);
		}
	}
}

void ra_kineto_draw_rows_number(struct ra_kineto_draw *draw)
{
	struct pids pids = { .next = RA_LAYOUT_FIRST_PID };

	draw->next_row = RA_LAYOUT_FIRST_ROW;
	look_at_events(draw);
	gather_pids(draw, &pids);
	for (int round = 0; round <= 2; round++) {
		for (uint32_t t = 0; t < draw->kineto->thread_count; t++) {
			if (draw->threads[t].events > 0 && draw->threads[t].group == t &&
			    draw->threads[t].row == RA_KINETO_DRAW_AS_IT_WAS) {
				number_thread(draw, &pids, t, round);
			}
		}
	}
	fini_pids(&pids);
}

uint32_t ra_kineto_draw_rows_add_lane(struct ra_kineto_draw *draw, uint32_t thread, uint32_t lane)
{
	const uint32_t pid = draw->rows[draw->threads[thread].row].pid;
	const struct ra_kineto_draw_row added = {
		.pid = pid,
		.tid = take_number(draw, pid),
		.thread = thread,
		.lane = lane,
	};

	return add_row(draw, &added);
}

uint32_t ra_kineto_draw_find_was(const struct ra_kineto_draw *draw,
                                 const struct ra_kineto_draw_row *row, enum ra_kineto_draw_class of)
{
	const struct ra_kineto *k = draw->kineto;
	const uint32_t thread = draw->threads[row->thread].of_class[of];

	return thread == RA_KINETO_NONE || (is_text_of(k, k->threads[thread].pid, row->pid) &&
	                                    is_text_of(k, k->threads[thread].tid, row->tid))
	               ? RA_KINETO_NONE
	               : thread;
}

void ra_kineto_draw_init(struct ra_kineto_draw *draw, const struct ra_kineto *kineto, bool is_view)
{
	*draw = (struct ra_kineto_draw){ .kineto = kineto, .is_view = is_view };
	draw->threads = ra_alloc_zeros(kineto->thread_count + 1, sizeof(*draw->threads));
	draw->row_of = ra_alloc_zeros(kineto->count + 1, sizeof(*draw->row_of));
	draw->owner = ra_alloc_bytes((kineto->count + 1) * sizeof(*draw->owner));
	memset(draw->owner, 0xff, (kineto->count + 1) * sizeof(*draw->owner));
	for (size_t t = 0; t < kineto->thread_count; t++) {
		draw->threads[t].row = RA_KINETO_DRAW_AS_IT_WAS;
	}
	ra_kineto_draw_rows_number(draw);
	for (size_t i = 0; i < kineto->count; i++) {
		const uint32_t group = draw->threads[ra_kineto_get_thread(kineto, i)].group;

		draw->row_of[i] = ra_kineto_draw_find_class(kineto, i) < RA_KINETO_DRAW_CLASSES
		                          ? draw->threads[group].row
		                          : RA_KINETO_DRAW_AS_IT_WAS;
	}
	ra_kineto_draw_arrows_match(draw);
	ra_kineto_draw_lanes_place(draw);
	if (draw->has_lost_halves) {
		ra_kineto_draw_arrows_match(draw);
	}
	free(draw->owner);
	draw->owner = NULL;
}

void ra_kineto_draw_fini(struct ra_kineto_draw *draw)
{
	free(draw->threads);
	free(draw->rows);
	free(draw->row_of);
	free(draw->owner);
	free(draw->moves);
	ra_util_map_free(&draw->taken);
	*draw = (struct ra_kineto_draw){ 0 };
}
