/* SPDX-License-Identifier: MIT */
/* Makes a log of the kept pieces. Names and definitions come from the spool, open ranges from the
 * first piece. Chunks of events are copied. */
#include "libranges/drain/keep/snapshot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/chunk.h"
#include "format/columns/decode.h"
#include "libranges/base/clock.h"
#include "libranges/base/log.h"
#include "libranges/drain/keep/keep-files.h"
#include "libranges/drain/keep/keep.h"
#include "libranges/drain/output.h"
#include "libranges/drain/keep/snapshot-gpu.h"
#include "libranges/drain/keep/snapshot-losses.h"
#include "libranges/drain/keep/snapshot-read.h"

#define NS_PER_S UINT64_C(1000000000)

struct job {
	struct rcap_drain *drain;
	const struct rcap_snapshot *what;
	struct rcap_kept *kept;
	uint32_t first; /* first piece of the log */
	uint32_t next;
	struct rcap_drain_window window;
	struct rcap_snapshot_reader reader;
	uint8_t *state_bytes; /* owned: the private chunk of the first piece */
	struct rcap_keep_state state;
	const struct rcap_keep_range *ranges; /* points into state_bytes */
	struct rcap_snapshot_losses losses;
	struct rcap_snapshot_gpu gpu;
	struct rcap_keep_gone gone;
	struct rcap_listed listed; /* owned */
	uint64_t last_ticks;       /* the last time at which the program was known to live */
	char temporary[sizeof(((struct rcap_spool_header *) NULL)->log_path)];
};

/* Decodes the losses that were just read. Return: number of rows; 0: the payload is damaged. */
static uint32_t decode_losses(const struct job *job, const struct rlog_chunk_header *header,
                              struct rlog_loss rows[RLOG_CAUSES])
{
	const struct rlog_decode_source source = { .bytes = rcap_snapshot_inflate(&job->reader,
		                                                                  header),
		                                   .size = header->raw_bytes,
		                                   .rows = header->count };

	memset(rows, 0, RLOG_CAUSES * sizeof(rows[0]));
	return header->count <= RLOG_CAUSES && source.bytes &&
	                       rlog_decode_losses(&source, rows, NULL) == 0
	               ? header->count
	               : 0;
}

/* ---- First pass: where the window begins ---- */

/* Adds a chunk's stream to the streams that the log lists. */
static void list_streams(struct job *job, const struct rlog_chunk_header *header, int fd, off_t at)
{
	struct rlog_loss rows[RLOG_CAUSES];

	if (header->type == RLOG_CHUNK_EVENTS) {
		rcap_listed_add(&job->listed, header->stream);
	} else if (header->type == RLOG_CHUNK_LOSS &&
	           rcap_snapshot_read_payload(&job->reader, header, fd, at)) {
		const uint32_t count = decode_losses(job, header, rows);

		for (uint32_t i = 0; i < count; i++) {
			rcap_listed_add(&job->listed, rows[i].stream);
		}
	}
}

static int take_state(struct job *job, const struct rlog_chunk_header *header,
                      struct rlog_error *err)
{
	size_t ranges_bytes;

	if (header->stored_bytes < sizeof(job->state) || job->state_bytes) {
		return 0;
	}
	job->state_bytes = malloc(header->stored_bytes);
	if (!job->state_bytes) {
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET, "no memory");
	}
	memcpy(job->state_bytes, job->reader.payload, header->stored_bytes);
	memcpy(&job->state, job->state_bytes, sizeof(job->state));
	ranges_bytes = job->state.ranges * sizeof(*job->ranges);
	job->ranges = (const void *) (job->state_bytes + sizeof(job->state));
	job->losses.before = (const void *) (job->state_bytes + sizeof(job->state) + ranges_bytes);
	if (header->stored_bytes !=
	    sizeof(job->state) + ranges_bytes + job->state.losses * sizeof(struct rlog_loss)) {
		memset(&job->state, 0, sizeof(job->state));
	}
	job->losses.before_count = job->state.losses;
	for (uint32_t i = 0; i < job->state.ranges; i++) {
		rcap_listed_add(&job->listed, job->ranges[i].stream);
	}
	return 0;
}

static int look(void *context, uint32_t piece, const struct rlog_chunk_header *header, int fd,
                off_t at, struct rlog_error *err)
{
	struct job *const job = context;

	list_streams(job, header, fd, at);
	if (header->type == RLOG_CHUNK_EVENTS &&
	    !rcap_snapshot_gpu_is_one(&job->gpu, header->stream) &&
	    header->first_ticks < job->window.begin_ticks) {
		job->window.begin_ticks = header->first_ticks;
	}
	/* A recovery also needs the time of the last chunk. */
	if (((header->type == RLOG_CHUNK_EVENTS &&
	      !rcap_snapshot_gpu_is_one(&job->gpu, header->stream)) ||
	     (header->type == RLOG_CHUNK_CLOCK && (header->flags & RLOG_FLAG_RECOVERED) == 0)) &&
	    header->last_ticks > job->last_ticks) {
		job->last_ticks = header->last_ticks;
	}
	if (header->type == RLOG_CHUNK_EVENTS && rcap_snapshot_gpu_wants_look(&job->gpu, header) &&
	    rcap_snapshot_read_payload(&job->reader, header, fd, at)) {
		const uint8_t *bytes = rcap_snapshot_inflate(&job->reader, header);

		if (bytes) {
			rcap_snapshot_gpu_look(&job->gpu, header, bytes);
		}
	}
	if (header->type == RCAP_KEEP_CHUNK && piece == job->first &&
	    (header->flags & RLOG_FLAG_STORED) != 0 &&
	    rcap_snapshot_read_payload(&job->reader, header, fd, at)) {
		return take_state(job, header, err);
	}
	return 0;
}

/* Converts `ticks` to CLOCK_MONOTONIC, counted from the start of a piece. */
static uint64_t to_mono(const struct job *job, const struct rcap_kept_piece *piece, uint64_t ticks)
{
	const uint64_t rate = job->drain->spool->header->ticks_per_s;
	const bool is_later = ticks > piece->ticks;
	const uint64_t distance = is_later ? ticks - piece->ticks : piece->ticks - ticks;
	const uint64_t ns = distance / rate * NS_PER_S + distance % rate * NS_PER_S / rate;

	return is_later ? piece->mono_ns + ns : piece->mono_ns - ns;
}

static int find_window(struct job *job, struct rlog_error *err)
{
	const struct rcap_spool_header *header = job->drain->spool->header;
	const struct rcap_kept_piece *piece;
	int status = 0;

	job->first = atomic_load_explicit(&job->kept->first, memory_order_relaxed);
	job->next = atomic_load_explicit(&job->kept->next, memory_order_acquire);
	while (job->what->from_ns > 0 && job->first + 1 != job->next &&
	       rcap_kept_piece(job->kept, job->first + 1)->mono_ns <= job->what->from_ns) {
		job->first++;
	}
	rcap_listed_begin(&job->listed, job->drain->spool);
	rcap_keep_find_gone(job->drain->spool, job->first, job->next, &job->gone);
	job->first = job->gone.first;
	piece = rcap_kept_piece(job->kept, job->first);
	job->window.ticks = piece->ticks;
	job->window.begin_ticks = piece->ticks != 0 ? piece->ticks : UINT64_MAX;
	job->window.is_cut = piece->events != job->kept->events_base || piece->lost > 0;
	rcap_snapshot_gpu_init(&job->gpu, job->drain->spool, piece, job->window.is_cut);
	for (uint32_t i = job->first; i != job->next && status == 0; i++) {
		status = rcap_snapshot_read_piece(&job->reader, i, look, job, err);
	}
	job->window.mono_ns = piece->mono_ns;
	job->window.begin_ns = piece->mono_ns;
	job->window.taken_ns = rcap_clock_mono_ns();
	if (piece->ticks != 0 && header->ticks_per_s > 0) {
		job->window.begin_ns = to_mono(job, piece, job->window.begin_ticks);
		/* A recovery may run much later. The log ends when the program was last known to
		 * live. */
		if (!job->drain->is_owner && job->last_ticks > piece->ticks) {
			job->window.taken_ns = to_mono(job, piece, job->last_ticks);
		}
	}
	job->window.by = job->what->by;
	job->window.why = job->what->why;
	job->window.number = job->what->status ? 0 : job->kept->snapshots;
	return status;
}

/* ---- Second pass: the log ---- */

/* Adds the losses of a stream that has ended. Losses of other streams are in the spool. */
static int take_losses(struct job *job, const struct rlog_chunk_header *header)
{
	struct rlog_loss rows[RLOG_CAUSES];
	const uint32_t count = decode_losses(job, header, rows);
	int status = 0;

	for (uint32_t i = 0; i < count && status == 0; i++) {
		status = rcap_snapshot_losses_add(&job->losses, rows[i].stream, rows[i].cause,
		                                  rows[i].count);
	}
	return status;
}

/* Writes the rows of a chunk that belong to the log. *is_done: set if the chunk must not be copied.
 * Return: 0, or -code. */
static int sieve(struct job *job, const struct rlog_chunk_header *header, bool *is_done,
                 struct rlog_error *err)
{
	const uint8_t *bytes = rcap_snapshot_inflate(&job->reader, header);
	struct rlog_batch *batch = bytes ? rcap_snapshot_gpu_sieve(&job->gpu, header, bytes) : NULL;

	*is_done = batch != NULL;
	if (!batch || batch->count == 0) {
		return 0;
	}
	batch->sequence = rlog_writer_next_event(job->drain->writer, batch->stream);
	return rlog_writer_put_events(job->drain->writer, batch, header->lost, err);
}

static int copy(void *context, uint32_t piece, const struct rlog_chunk_header *header, int fd,
                off_t at, struct rlog_error *err)
{
	struct job *const job = context;
	struct rlog_chunk_header own = *header;
	uint64_t lost = 0;

	(void) piece;
	if (header->type != RLOG_CHUNK_EVENTS && header->type != RLOG_CHUNK_CLOCK &&
	    header->type != RLOG_CHUNK_LOSS) {
		return 0;
	}
	/* Each piece begins with the same clock point, that of the capture's start. The log needs
	 * this point only once. */
	if (header->type == RLOG_CHUNK_CLOCK &&
	    header->last_ticks == job->drain->spool->header->first_clock.ticks) {
		return 0;
	}
	if (!rcap_snapshot_read_payload(&job->reader, header, fd, at)) {
		return 0; /* a torn last chunk, or damage; readers will report it */
	}
	if (header->type == RLOG_CHUNK_LOSS) {
		return take_losses(job, header);
	}
	lost = rcap_snapshot_losses_before(&job->losses, header->stream);
	own.lost = own.lost > lost ? own.lost - (uint32_t) lost : 0;
	if (header->type == RLOG_CHUNK_EVENTS && rcap_snapshot_gpu_wants_sieve(&job->gpu, header)) {
		bool is_done;
		const int status = sieve(job, &own, &is_done, err);

		if (status != 0 || is_done) {
			return status;
		}
	}
	return rlog_writer_put_packed(job->drain->writer, &own, job->reader.payload, err);
}

/* Writes the ranges that are open when the window begins. */
static int put_begun(struct job *job, struct rlog_error *err)
{
	struct rcap_drain *drain = job->drain;
	struct rlog_batch *batch = &drain->batch;
	int status = 0;

	for (uint32_t i = 0; i < job->state.ranges && status == 0;) {
		const uint32_t stream = job->ranges[i].stream;

		rlog_batch_clear(batch);
		for (; i < job->state.ranges && job->ranges[i].stream == stream &&
		       batch->count < RCAP_DRAIN_ROWS;
		     i++) {
			const struct rcap_keep_range *range = &job->ranges[i];
			const uint64_t ticks = range->ticks > job->window.begin_ticks
			                               ? range->ticks
			                               : job->window.begin_ticks;

			rlog_batch_append(batch, ticks, RLOG_OP_BEGUN, range->name, range->domain,
			                  range->id);
			rlog_batch_add_attr(batch, RLOG_ATTR_SPAN, (uint32_t) batch->count - 1,
			                    ticks - range->ticks);
		}
		batch->stream = stream;
		batch->sequence = rlog_writer_next_event(drain->writer, stream);
		batch->flags = 0;
		status = rlog_writer_put_events(drain->writer, batch, 0, err);
	}
	return status;
}

static int put_losses(struct job *job, struct rlog_error *err)
{
	const int status =
		rcap_snapshot_losses_take(&job->losses, job->drain->spool, job->gone.events);

	if (status != 0) {
		return rlog_error_set(err, -status, RLOG_NO_OFFSET, "no memory for losses");
	}
	return job->losses.count == 0 ? 0
	                              : rlog_writer_put_losses(job->drain->writer, job->losses.rows,
	                                                       job->losses.count, err);
}

/* Writes END, with counts of events from before the window. */
static int put_end(struct job *job, struct rlog_error *err)
{
	struct rcap_drain *drain = job->drain;
	const struct rcap_kept_piece *piece = rcap_kept_piece(job->kept, job->first);
	const uint64_t lost = rcap_drain_total_lost(drain->spool);
	struct rlog_fact facts[RCAP_DRAIN_END_FACTS];
	struct rlog_string text;
	int status;

	job->kept->whole_lost = piece->lost;
	job->kept->whole_nameless = piece->nameless;
	job->kept->whole_gone = job->gone.events;
	job->kept->whole_outside = piece->events - job->kept->events_base - job->gone.leading +
	                           piece->lost + job->gpu.outside;
	rcap_drain_tell_oddities(drain);
	rlog_writer_set_end_facts(drain->writer, facts, rcap_drain_end_facts(drain, facts, &text));
	status = rlog_writer_finish(
		drain->writer, job->what->status ? job->what->status : "clean",
		(lost > piece->lost ? lost - piece->lost : 0) + job->gone.events, err);
	if (!job->what->status) {
		job->kept->whole_gone = 0;
		job->kept->whole_outside = 0;
		job->kept->whole_lost = 0;
		job->kept->whole_nameless = 0;
	}
	return status;
}

/* Writes the whole log to drain->writer. */
static int fill(struct job *job, struct rlog_error *err)
{
	struct rcap_drain *drain = job->drain;
	int status = rcap_drain_put_capture(drain, err);

	if (status == 0) {
		status = rcap_drain_write_names(drain, err);
	}
	if (status == 0) {
		status = put_begun(job, err);
	}
	for (uint32_t i = job->first; i != job->next && status == 0; i++) {
		status = rcap_snapshot_read_piece(&job->reader, i, copy, job, err);
		if (status == -RLOG_E_NO_MEMORY) {
			rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET, "no memory");
		}
	}
	if (status == 0 && !job->what->status && drain->is_owner &&
	    drain->next_sync_ns != UINT64_MAX) {
		status = rcap_drain_sync_clock(drain, err);
	}
	if (status == 0) {
		status = put_losses(job, err);
	}
	return status == 0 ? put_end(job, err) : status;
}

/* ---- The file ---- */

static int report(struct rlog_error *err, const char *path)
{
	return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "%s: %s", path,
	                      strerrordesc_np(errno));
}

/* True if the program gave the final log its name, but died before the spool stored that. */
static bool is_published(const struct job *job, const char *path, uint64_t earlier)
{
	struct stat st;

	return job->what->status && earlier != 0 && lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_ino == earlier;
}

/* Makes a name for the log. Return: false if there is no name. */
static bool make_name(const struct job *job, unsigned attempt, char *path, size_t size)
{
	const struct rcap_spool_header *header = job->drain->spool->header;
	const struct rcap_drain_number number = { attempt, 0 };

	return job->what->status && job->kept->aside[0] != '\0'
	               ? rcap_drain_name_by(header, job->kept->aside, &number, path, size)
	               : rcap_drain_name(header, attempt, job->window.number, path, size);
}

/* Renames the temporary file. @path: gets the name. */
static int publish(struct job *job, uint64_t earlier, char *path, size_t size,
                   struct rlog_error *err)
{
	if (job->what->path && job->what->path[0] != '\0') {
		rcap_log_format(path, size, "%s", job->what->path);
		return rename(job->temporary, path) == 0 ? 0 : report(err, path);
	}
	errno = EINVAL;
	for (unsigned attempt = 0; make_name(job, attempt, path, size); attempt++) {
		if (is_published(job, path, earlier) && unlink(path) != 0) {
			break;
		}
		if (rcap_output_rename_to_free(job->temporary, path) == 0) {
			return 0;
		}
		if (errno != EEXIST) {
			break;
		}
	}
	return report(err, path);
}

static void name_temporary(struct job *job)
{
	const struct rcap_spool_header *header = job->drain->spool->header;

	if (job->what->path && job->what->path[0] != '\0') {
		rcap_log_format(job->temporary, sizeof(job->temporary), "%s.new-%ld",
		                job->what->path, (long) header->facts.pid);
	} else {
		rcap_keep_name(header, RCAP_KEEP_NEW_THERE, job->temporary, sizeof(job->temporary));
		unlink(job->temporary); /* a program that died has left this file */
		rcap_keep_name(header, job->what->status ? RCAP_KEEP_NEW : RCAP_KEEP_NEW_THERE,
		               job->temporary, sizeof(job->temporary));
	}
}

/* Makes the final log the spool's log. For a snapshot, stores its name. */
static int note(struct job *job, int fd, const char *path, struct rlog_error *err)
{
	struct rcap_spool_header *header = job->drain->spool->header;
	struct rcap_kept *kept = job->kept;
	struct rcap_kept_log *log = &kept->logs[kept->snapshots % RCAP_KEPT_LOGS];

	if (job->what->status) {
		const struct rcap_kept_piece *piece = rcap_kept_piece(kept, job->first);

		if (rcap_drain_note_log(header, fd, path) != 0) {
			return report(err, path);
		}
		/* Earlier events were dropped, not lost. The old base belongs to the last piece. */
		memset(&header->log_base, 0, sizeof(header->log_base));
		atomic_store_explicit(&header->events,
		                      rcap_keep_count_events(job->drain->spool) - piece->events -
		                              job->gpu.outside -
		                              (job->gone.events - job->gone.leading),
		                      memory_order_relaxed);
		atomic_store_explicit(&kept->is_whole, 1, memory_order_release);
		return 0;
	}
	log->number = kept->snapshots;
	rcap_log_format(log->by, sizeof(log->by), "%s", job->what->by);
	rcap_log_format(log->why, sizeof(log->why), "%s", job->what->why);
	rcap_log_format(log->path, sizeof(log->path), "%s", path);
	atomic_store_explicit(&kept->snapshots_done, kept->snapshots, memory_order_release);
	return 0;
}

/* Writes the log. Replaces the drain's writer and file by others meanwhile. */
static int write_log(struct job *job, struct rlog_error *err)
{
	struct rcap_drain *drain = job->drain;
	struct rcap_spool_header *header = drain->spool->header;
	struct rlog_writer_options options = rcap_drain_options(drain);
	struct rlog_writer *const writer = drain->writer;
	const struct rcap_arena_position arena = drain->arena;
	const struct rcap_listed listed = drain->listed;
	const uint64_t earlier = job->kept->whole_inode;
	char path[sizeof(header->log_path)];
	uint64_t size = 0;
	struct stat st;
	int status;
	int fd;

	unlink(job->temporary);
	fd = open(job->temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0 || fstat(fd, &st) != 0) {
		return report(err, job->temporary);
	}
	fd = rcap_drain_move_high(fd);
	options.recovered = false; /* each copied chunk has its own flag */
	options.reserve_bytes = 0;
	memset(&drain->arena, 0, sizeof(drain->arena));
	drain->listed = job->listed;
	drain->window = &job->window;
	drain->writer = NULL;
	status = rlog_writer_create(&drain->writer, fd, &options, err);
	if (status == 0) {
		status = fill(job, err);
		size = rlog_writer_size_bytes(drain->writer);
	}
	rlog_writer_destroy(drain->writer);
	drain->writer = writer;
	drain->arena = arena;
	drain->listed = listed;
	drain->window = NULL;
	if (status == 0 && job->what->status) {
		job->kept->whole_inode = st.st_ino;
	}
	if (status == 0) {
		status = publish(job, earlier, path, sizeof(path), err);
	}
	if (status == 0) {
		status = note(job, fd, path, err);
	} else {
		unlink(job->temporary);
	}
	if (status == 0 && job->what->status) {
		atomic_store_explicit(&header->log_bytes, size, memory_order_relaxed);
	}
	close(fd);
	return status;
}

static void fini_job(struct job *job)
{
	rcap_snapshot_reader_fini(&job->reader);
	rcap_snapshot_gpu_fini(&job->gpu);
	rcap_listed_fini(&job->listed);
	free(job->state_bytes);
	free(job->losses.rows);
	free(job);
}

/* Creates the state of making a log. Return: NULL if there is no memory. */
static struct job *make_job(struct rcap_drain *drain, const struct rcap_snapshot *what)
{
	struct job *job = calloc(1, sizeof(*job));

	if (!job) {
		return NULL;
	}
	job->drain = drain;
	job->what = what;
	job->kept = &drain->spool->header->control.kept;
	if (!rcap_snapshot_reader_init(&job->reader, drain->spool)) {
		fini_job(job);
		return NULL;
	}
	return job;
}

int rcap_snapshot_write(struct rcap_drain *drain, const struct rcap_snapshot *what,
                        struct rlog_error *err)
{
	struct job *job = make_job(drain, what);
	int status;

	if (!job) {
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET, "no memory");
	}
	job->kept->snapshots += what->status == NULL;
	name_temporary(job);
	status = find_window(job, err);
	if (status == 0) {
		status = write_log(job, err);
	}
	/* The snapshot's number is not used, so the next snapshot gets it. */
	job->kept->snapshots -= status != 0 && what->status == NULL;
	fini_job(job);
	return status;
}
