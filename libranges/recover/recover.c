/* SPDX-License-Identifier: MIT */
/* Recovery: runs the drain in another process, over a spool whose owner is dead. */
#include "libranges/recover/recover.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/drain/drain.h"
#include "libranges/drain/keep/keep.h"
#include "libranges/base/log.h"
#include "libranges/spool/arena.h"
#include "libranges/spool/owner.h"
#include "libranges/spool/spool-lock.h"

#define NAP_MS 5

/* True if the spool's program lives. Call this only if the lock is free: the program may have
 * closed the file that had the lock. */
static bool is_alive(const struct rcap_spool_header *header)
{
	return atomic_load_explicit(&header->locking, memory_order_relaxed) != RCAP_LOCKING_DRAIN &&
	       header->pid_ns == rcap_owner_pid_ns() && header->start_time != 0 &&
	       rcap_owner_start_time(header->facts.pid) == header->start_time;
}

static bool is_same_boot(const struct rcap_spool_header *header)
{
	char boot_id[sizeof(header->facts.boot_id)];

	return rcap_owner_boot_id(boot_id, sizeof(boot_id)) &&
	       strncmp(boot_id, header->facts.boot_id, sizeof(boot_id)) == 0;
}

/* True if the spool has published events that are not in the log. */
static bool is_pending(const struct rcap_spool *spool)
{
	const uint32_t count = atomic_load_explicit(&spool->header->streams, memory_order_acquire);

	for (uint32_t i = 0; i < count; i++) {
		const struct rcap_stream *stream = rcap_spool_stream(spool, i);
		struct rcap_position at;
		struct rcap_block *block;

		if (!stream || atomic_load_explicit(&stream->state, memory_order_acquire) ==
		                       RCAP_STREAM_FREE) {
			continue;
		}
		at = rcap_spool_position(stream);
		if (!rcap_spool_has_block(spool, at.block)) {
			continue;
		}
		block = rcap_spool_block(spool, at.block);
		if (rcap_spool_published(block) > at.slot ||
		    atomic_load_explicit(&block->next, memory_order_acquire) != RCAP_NO_BLOCK) {
			return true;
		}
	}
	return false;
}

static bool is_begun(const struct rcap_spool_header *header)
{
	return atomic_load_explicit(&header->log_inode, memory_order_acquire) != 0;
}

/* Gives the log another name, which no other program uses. */
static void set_output(struct rcap_spool_header *header, const char *output)
{
	rcap_log_format(header->output, sizeof(header->output), "%s", output);
	header->first_attempt = 0;
}

static int open_log(struct rcap_drain *drain, const struct rcap_recover_options *options,
                    struct rcap_recover_result *out, struct rlog_error *err)
{
	struct rcap_spool_header *header = drain->spool->header;
	int status;

	/* The kept pieces are in the folder of the program's pattern. */
	if (options->output && rcap_kept_is_on(&header->control.kept)) {
		rcap_keep_set_aside(drain->spool, options->output);
	} else if (options->output) {
		set_output(header, options->output);
	}
	if (!is_begun(header)) {
		return rcap_drain_create_log(drain, err);
	}
	rcap_log_format(out->begun, sizeof(out->begun), "%.*s", (int) sizeof(header->log_path) - 1,
	                header->log_path);
	status = options->output && !rcap_kept_is_on(&header->control.kept)
	                 ? rcap_drain_copy_log(drain, err)
	                 : rcap_drain_resume_log(drain, err);
	if (status != RCAP_DRAIN_NO_LOG) {
		return status;
	}
	out->is_elsewhere = true;
	return rcap_drain_create_log(drain, err);
}

/* True if the program ended in order, and left to us what it could not write itself. */
static bool has_ended(const struct rcap_spool_header *header)
{
	const uint32_t state = atomic_load_explicit(&header->state, memory_order_acquire);

	return state == RCAP_SPOOL_CLOSED ||
	       (state == RCAP_SPOOL_CLOSING && header->drained == RCAP_DRAINED_OUTSIDE);
}

/* True if the program had made a log of everything it kept. The END of that log is then right. */
static bool is_made(const struct rcap_spool *spool)
{
	struct rcap_kept *kept = &spool->header->control.kept;

	return (kept->window_ns | kept->window_bytes) != 0 && !rcap_kept_is_on(kept) &&
	       rcap_drain_wants_log(spool) && !is_pending(spool) &&
	       rcap_drain_finds_log(spool->header);
}

/* Drains the rest of the spool. If the pieces' folder has no room, drains it into a piece in the
 * other folder. */
static int take_rest(struct rcap_drain *drain, struct rlog_error *err)
{
	struct rcap_kept *kept = &drain->spool->header->control.kept;
	uint64_t written = 0;
	int status = rcap_drain_turn(drain, true, &written, err);

	if (status == -RLOG_E_SYSTEM && rcap_kept_is_on(kept) && kept->aside[0] != '\0') {
		status = rcap_keep_turn(drain, true, err);
		if (status == 0) {
			status = rcap_drain_turn(drain, true, &written, err);
		}
	}
	return status;
}

static int complete(struct rcap_spool *spool, const struct rcap_recover_options *options,
                    struct rcap_recover_result *out, struct rlog_error *err)
{
	struct rcap_spool_header *header = spool->header;
	const bool was_closed = has_ended(header);
	struct rcap_drain drain;
	struct rcap_drain_sum sum;
	int status = rcap_drain_init(&drain, spool, false);

	if (status == 0) {
		rcap_keep_init(&drain);
	}
	if (status == 0 && !options->output && is_made(spool)) {
		atomic_store_explicit(&header->state, RCAP_SPOOL_CLOSED, memory_order_release);
		rcap_drain_fini(&drain);
		return 0;
	}
	if (status == 0 && rcap_drain_wants_log(spool)) {
		status = open_log(&drain, options, out, err);
	} else if (status == 0 && options->output) {
		set_output(header, options->output);
	}
	if (status == 0) {
		status = take_rest(&drain, err);
	}
	if (status == 0 && !drain.writer) {
		/* There is no log, because the capture was off. */
		atomic_store_explicit(&header->state, RCAP_SPOOL_CLOSED, memory_order_release);
		rcap_drain_fini(&drain);
		return 0;
	}
	if (status == 0 && is_same_boot(header)) {
		rcap_clock_init(strcmp(header->clock, "monotonic") == 0 ? RCAP_CLOCK_MONOTONIC
		                                                        : RCAP_CLOCK_TSC);
		/* The clock may still be set for another spool. */
		if (strncmp(header->clock, rcap_clock_name(), sizeof(header->clock)) == 0) {
			status = rcap_drain_sync_clock(&drain, err);
		}
	}
	if (status == 0) {
		status = rcap_drain_finish(&drain, was_closed ? "clean" : "recovered", err);
	}
	if (status == 0 &&
	    (header->control.kept.window_ns | header->control.kept.window_bytes) == 0) {
		rcap_drain_sum(spool, &sum);
		atomic_store_explicit(&header->events,
		                      rlog_writer_events(drain.writer) -
		                              (sum.remarks - header->log_base.remarks),
		                      memory_order_relaxed);
	}
	if (status == 0) {
		atomic_store_explicit(&header->state, RCAP_SPOOL_CLOSED, memory_order_release);
	}
	rcap_drain_fini(&drain);
	return status;
}

/* Copies the program's name without folders, and without characters that would break a line. */
static void copy_program(char *out, size_t size, const struct rcap_facts *facts)
{
	char exe[sizeof(facts->exe)];
	const char *slash;

	rcap_log_format(exe, sizeof(exe), "%.*s", (int) sizeof(facts->exe) - 1, facts->exe);
	slash = strrchr(exe, '/');
	rcap_log_format(out, size, "%s", slash ? slash + 1 : exe);
	for (char *at = out; *at != '\0'; at++) {
		if ((unsigned char) *at < ' ' || *at == 0x7F) {
			*at = '?';
		}
	}
}

/* Copies a text from the spool, which may be damaged. */
static void copy_line(char *out, size_t size, const char *text)
{
	rcap_log_format(out, size, "%.*s", (int) size - 1, text);
}

static void fill_kept(const struct rcap_kept *kept, struct rcap_recover_kept *out)
{
	const uint32_t done = atomic_load_explicit(&kept->snapshots_done, memory_order_acquire);

	out->snapshots = done;
	out->skipped = atomic_load_explicit(&kept->skipped, memory_order_relaxed);
	out->told = 0;
	for (uint32_t n = done > RCAP_RECOVER_TOLD ? done - RCAP_RECOVER_TOLD : 0; n < done; n++) {
		const struct rcap_kept_log *log = &kept->logs[(n + 1) % RCAP_KEPT_LOGS];
		struct rcap_kept_log *told = &out->logs[out->told];

		if (log->number == n + 1) {
			told->number = log->number;
			copy_line(told->path, sizeof(told->path), log->path);
			copy_line(told->by, sizeof(told->by), log->by);
			copy_line(told->why, sizeof(told->why), log->why);
			out->told++;
		}
	}
	copy_line(out->when, sizeof(out->when), kept->when);
	for (uint32_t i = 0; i < RCAP_TRIGGERS; i++) {
		out->seen[i] =
			atomic_load_explicit(&kept->conditions[i].seen, memory_order_relaxed);
		out->unnamed[i] =
			atomic_load_explicit(&kept->conditions[i].unnamed, memory_order_relaxed);
		out->met[i] = atomic_load_explicit(&kept->conditions[i].met, memory_order_relaxed);
	}
}

static void fill_result(const struct rcap_spool *spool, struct rcap_recover_result *out)
{
	const struct rcap_spool_header *header = spool->header;
	struct rcap_drain_sum sum;

	const struct rcap_control *control = &header->control;
	const uint32_t done = atomic_load_explicit(&control->cycles_done, memory_order_acquire);

	rcap_drain_sum(spool, &sum);
	out->pid = header->facts.pid;
	out->events = atomic_load_explicit(&header->events, memory_order_relaxed);
	out->missing =
		sum.rows - sum.remarks > out->events ? sum.rows - sum.remarks - out->events : 0;
	out->is_kept = (control->kept.window_ns | control->kept.window_bytes) != 0;
	if (out->is_kept) {
		/* the other pieces were dropped on purpose */
		out->missing = control->kept.whole_gone;
		sum.lost -= control->kept.whole_lost;
		sum.nameless -= control->kept.whole_nameless;
	}
	out->lost = sum.lost + out->missing;
	out->full = sum.full < sum.lost ? sum.full : sum.lost;
	out->buffer_bytes = (uint64_t) header->max_blocks * RCAP_BLOCK_BYTES;
	out->bound = header->bound;
	out->grow_error = (int) atomic_load_explicit(&header->grow_error, memory_order_relaxed);
	out->bad_records = sum.bad_records;
	out->nameless = sum.nameless + control->nameless_before;
	out->threads = atomic_load_explicit(&header->next_stream_id, memory_order_relaxed) - 1;
	out->size_bytes = atomic_load_explicit(&header->log_bytes, memory_order_relaxed);
	out->is_unsure =
		atomic_load_explicit(&header->locking, memory_order_relaxed) == RCAP_LOCKING_NONE &&
		header->pid_ns != rcap_owner_pid_ns();
	copy_program(out->program, sizeof(out->program), &header->facts);
	if (is_begun(header)) {
		rcap_log_format(out->path, sizeof(out->path), "%.*s",
		                (int) sizeof(header->log_path) - 1, header->log_path);
	} else if (done > 0) {
		rcap_log_format(out->path, sizeof(out->path), "%.*s",
		                (int) sizeof(control->closed[0].path) - 1,
		                control->closed[done % RCAP_CONTROL_LOGS].path);
	}
	out->cycles = done + is_begun(header);
	out->events += control->events_before;
	out->lost += control->lost_before;
	out->size_bytes += control->bytes_before;
	out->outside = rcap_drain_outside(spool) + control->kept.outside_before +
	               control->kept.whole_outside;
	fill_kept(&control->kept, &out->kept);
	out->is_switched = rcap_control_is_used(control);
	out->is_numbered = control->has_cycles || out->cycles > 1;
	out->steps = atomic_load_explicit(&control->steps, memory_order_relaxed);
	out->first_on_step = control->first_on_step;
	out->is_planned = control->is_planned != 0;
	rcap_log_format(out->plan, sizeof(out->plan), "%.*s", (int) sizeof(control->plan) - 1,
	                control->plan);
	out->refused = atomic_load_explicit(&control->refused, memory_order_relaxed);
	rcap_log_format(out->note, sizeof(out->note), "%.*s", (int) sizeof(header->note) - 1,
	                header->note);
}

/* Finds the first note that says that GPU data is missing. */
static void find_gpu_note(const struct rcap_spool *spool, char *out, size_t size)
{
	static const char words[] = "no GPU data";
	struct rcap_arena_position position = { 0 };
	const struct rcap_record *record;
	const char *text = NULL;
	uint64_t id = 0;

	while ((record = rcap_arena_next(spool, &position)) != NULL) {
		const void *body = record + 1;
		struct rcap_def_body def;

		if (record->type == RCAP_RECORD_STRING) {
			if (memmem(body, record->bytes, words, sizeof(words) - 1) != NULL) {
				text = body;
				id = position.string;
			}
		} else if (record->type == RCAP_RECORD_DEF && record->kind == RLOG_DEF_GPU_STATUS &&
		           record->bytes >= sizeof(def)) {
			memcpy(&def, body, sizeof(def));
			if (text != NULL && def.string == id) {
				rcap_log_format(out, size, "%s", text);
				return;
			}
		}
	}
}

/* Checks whether the log that the program closed is still at its path. It may have been moved or
 * deleted since. */
static void look_for_log(const struct rcap_spool_header *header, struct rcap_recover_result *out)
{
	if (is_begun(header) && !rcap_drain_finds_log(header)) {
		out->is_elsewhere = true;
		rcap_log_format(out->begun, sizeof(out->begun), "%s", out->path);
		out->path[0] = '\0';
	}
}

static int refusal_of(int holder, const struct rcap_spool *spool)
{
	switch (holder) {
	case RCAP_HOLDER_OWNER:
		return RCAP_RECOVER_ALIVE;
	case RCAP_HOLDER_RECOVERY:
		return RCAP_RECOVER_BUSY;
	case RCAP_HOLDER_GONE:
		return RCAP_RECOVER_GONE;
	default:
		return spool->header && is_alive(spool->header) ? RCAP_RECOVER_ALIVE : 0;
	}
}

/* Opens the spool. Return: 0; -RLOG_E_EMPTY with the lock held; another -code; or enum
 * rcap_recover_refusal. After a refusal the spool may be mapped. */
static int open_spool(struct rcap_spool *spool, const char *path, struct rlog_error *err)
{
	int holder = RCAP_HOLDER_NONE;
	const int status = rcap_spool_open(spool, path, &holder, err);

	if (status != 0 && (status != -RLOG_E_EMPTY || holder == RCAP_HOLDER_NONE)) {
		return status;
	}
	return refusal_of(holder, spool);
}

int rcap_recover_look(const char *spool_path, struct rcap_recover_result *out,
                      struct rlog_error *err)
{
	struct rcap_spool spool;
	int status;

	memset(out, 0, sizeof(*out));
	status = open_spool(&spool, spool_path, err);
	if (spool.header) {
		fill_result(&spool, out);
	}
	rcap_spool_close(&spool);
	return status;
}

static bool is_closed(const struct rcap_spool *spool)
{
	return atomic_load_explicit(&spool->header->state, memory_order_acquire) ==
	               RCAP_SPOOL_CLOSED &&
	       !is_pending(spool);
}

/* Completes the log. The lock is held. */
static int recover(struct rcap_spool *spool, const struct rcap_recover_options *options,
                   struct rcap_recover_result *out, struct rlog_error *err)
{
	const bool was_ended = has_ended(spool->header);
	int status = 0;

	out->was_ending = atomic_load_explicit(&spool->header->state, memory_order_acquire) ==
	                  RCAP_SPOOL_CLOSING;
	out->was_closed = is_closed(spool);
	if (!out->was_closed || options->output) {
		status = complete(spool, options, out, err);
	}
	fill_result(spool, out);
	if (status != 0) {
		out->left = rcap_drain_count_left(spool);
	} else if (out->was_closed && !options->output && out->path[0] != '\0') {
		look_for_log(spool->header, out);
	}
	out->was_closed |= was_ended && spool->header->drained == RCAP_DRAINED_OUTSIDE;
	if (out->is_kept && out->path[0] != '\0') {
		/* The missing file was a piece, and `missing` already includes it. */
		out->is_elsewhere = false;
		out->begun[0] = '\0';
	}
	if (!out->is_elsewhere && strcmp(out->begun, out->path) == 0) {
		out->begun[0] = '\0';
	}
	return status;
}

int rcap_recover_spool(const char *spool_path, const struct rcap_recover_options *options,
                       struct rcap_recover_result *out, struct rlog_error *err)
{
	const struct timespec nap = { .tv_nsec = NAP_MS * 1000000l };
	struct rcap_spool spool;
	int status;

	memset(out, 0, sizeof(*out));
	status = open_spool(&spool, spool_path, err);
	for (int64_t ms = 0; status == RCAP_RECOVER_BUSY && ms < options->wait_ms; ms += NAP_MS) {
		rcap_spool_close(&spool);
		nanosleep(&nap, NULL);
		status = open_spool(&spool, spool_path, err);
		/* The spool's file was there before, so another recovery has completed it. */
		if (status == -RLOG_E_SYSTEM && err && err->sys_errno == ENOENT) {
			status = RCAP_RECOVER_GONE;
		}
	}
	if (status == 0 && spool.header) {
		status = recover(&spool, options, out, err);
	} else if (spool.header) {
		fill_result(&spool, out);
	}
	if (spool.header) {
		find_gpu_note(&spool, out->gpu_note, sizeof(out->gpu_note));
	}
	if (status == 0 || status == -RLOG_E_EMPTY) {
		unlink(spool_path); /* the lock is still held */
		status = status == 0 ? 0 : RCAP_RECOVER_UNUSED;
	}
	rcap_spool_close(&spool);
	return status;
}
