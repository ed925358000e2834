/* SPDX-License-Identifier: MIT */
/* Recovery: the drain once more, in another process, over a spool whose owner is dead. */
#include "libranges/drain/recover.h"

#include <string.h>
#include <unistd.h>

#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/drain/drain.h"
#include "libranges/base/log.h"
#include "libranges/spool/arena.h"
#include "libranges/spool/owner.h"

static bool is_alive(const struct rcap_spool_header *header)
{
	/* A pid of another namespace means nothing here: only the user can know. */
	return header->pid_ns == rcap_owner_pid_ns() && header->start_time != 0 &&
	       rcap_owner_start_time(header->facts.pid) == header->start_time;
}

static bool is_same_boot(const struct rcap_spool_header *header)
{
	char boot_id[sizeof(header->facts.boot_id)];

	return rcap_owner_boot_id(boot_id, sizeof(boot_id)) &&
	       strncmp(boot_id, header->facts.boot_id, sizeof(boot_id)) == 0;
}

/* True if something was published that the log does not hold. */
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

static int open_log(struct rcap_drain *drain, struct rlog_error *err)
{
	struct rcap_spool_header *header = drain->spool->header;
	int status;

	if (header->log_path[0] == '\0') {
		return rcap_drain_create_log(drain, err);
	}
	status = rcap_drain_resume_log(drain, err);
	if (status == -RLOG_E_NOT_A_LOG || status == -RLOG_E_EMPTY) {
		/* Killed before the first chunk was whole: the file is ours and holds nothing. */
		rlog_writer_destroy(drain->writer);
		drain->writer = NULL;
		close(drain->fd);
		drain->fd = -1;
		unlink(header->log_path);
		status = rcap_drain_create_log(drain, err);
	}
	return status;
}

static int complete(struct rcap_spool *spool, bool was_closed, struct rlog_error *err)
{
	struct rcap_spool_header *header = spool->header;
	struct rcap_drain drain;
	uint64_t written = 0;
	int status = rcap_drain_init(&drain, spool, false);

	if (status == 0) {
		status = open_log(&drain, err);
	}
	if (status == 0) {
		status = rcap_drain_cycle(&drain, true, &written, err);
	}
	if (status == 0 && is_same_boot(header)) {
		rcap_clock_init(strcmp(header->clock, "monotonic") == 0 ? RCAP_CLOCK_MONOTONIC
		                                                        : RCAP_CLOCK_TSC);
		status = rcap_drain_sync_clock(&drain, err);
	}
	if (status == 0) {
		status = rcap_drain_finish(&drain, was_closed ? "clean" : "recovered", err);
	}
	if (status == 0) {
		atomic_store_explicit(&header->events, rlog_writer_events(drain.writer),
		                      memory_order_relaxed);
		atomic_store_explicit(&header->state, RCAP_SPOOL_CLOSED, memory_order_release);
	}
	rcap_drain_fini(&drain);
	return status;
}

/* The program's name, without its folders and without what would break a line. */
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

static void fill_result(const struct rcap_spool *spool, struct rcap_recover_result *out)
{
	const struct rcap_spool_header *header = spool->header;

	out->pid = header->facts.pid;
	out->events = atomic_load_explicit(&header->events, memory_order_relaxed);
	out->had_events = out->events > 0;
	out->lost = rcap_drain_total_lost(spool);
	out->threads = atomic_load_explicit(&header->next_stream_id, memory_order_relaxed) - 1;
	out->size_bytes = atomic_load_explicit(&header->log_bytes, memory_order_relaxed);
	out->bad_records = atomic_load_explicit(&header->lost_done[RLOG_CAUSE_BAD_RECORD],
	                                        memory_order_relaxed);
	out->is_foreign = header->pid_ns != rcap_owner_pid_ns();
	copy_program(out->program, sizeof(out->program), &header->facts);
	rcap_log_format(out->path, sizeof(out->path), "%.*s", (int) sizeof(header->log_path) - 1,
	                header->log_path);
	rcap_log_format(out->note, sizeof(out->note), "%.*s", (int) sizeof(header->note) - 1,
	                header->note);
}

/* Of the lines about the GPU's capture the first that says there is no data. */
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

int rcap_recover_look(const char *spool_path, struct rcap_recover_result *out,
                      struct rlog_error *err)
{
	struct rcap_spool spool;
	int status;

	memset(out, 0, sizeof(*out));
	status = rcap_spool_open(&spool, spool_path, err);
	if (status != 0) {
		return status;
	}
	out->was_begun = spool.header->log_path[0] != '\0';
	fill_result(&spool, out);
	status = is_alive(spool.header) ? RCAP_RECOVER_ALIVE : 0;
	rcap_spool_close(&spool);
	return status;
}

int rcap_recover_spool(const char *spool_path, const struct rcap_recover_options *options,
                       struct rcap_recover_result *out, struct rlog_error *err)
{
	struct rcap_spool spool;
	int status;

	memset(out, 0, sizeof(*out));
	status = rcap_spool_open(&spool, spool_path, err);
	if (status != 0) {
		return status;
	}
	out->was_begun = spool.header->log_path[0] != '\0';
	if (is_alive(spool.header) && !options->force) {
		fill_result(&spool, out);
		rcap_spool_close(&spool);
		return RCAP_RECOVER_ALIVE;
	}
	out->was_closed = atomic_load_explicit(&spool.header->state, memory_order_acquire) ==
	                          RCAP_SPOOL_CLOSED &&
	                  !is_pending(&spool);
	if (!out->was_closed) {
		if (options->output && !out->was_begun) {
			rcap_log_format(spool.header->output, sizeof(spool.header->output), "%s",
			                options->output);
		}
		status = complete(&spool,
		                  atomic_load_explicit(&spool.header->state,
		                                       memory_order_acquire) == RCAP_SPOOL_CLOSED,
		                  err);
	}
	fill_result(&spool, out);
	find_gpu_note(&spool, out->gpu_note, sizeof(out->gpu_note));
	rcap_spool_close(&spool);
	return status;
}
