/* SPDX-License-Identifier: MIT */
/* A capture that keeps only its last part: begins and drops pieces of the log. */
#include "libranges/drain/keep/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/chunk.h"
#include "format/wire.h"
#include "libranges/base/clock.h"
#include "libranges/base/log.h"
#include "libranges/drain/keep/keep-files.h"
#include "libranges/drain/open-ranges.h"
#include "libranges/drain/keep/snapshot.h"

/* A window has this many pieces. So it may be too short or too long by one piece. */
#define PIECES 16u
/* A trigger's snapshot may have only a short time before the trigger. That time has BEFORE_PIECES
 * pieces. MOST_PIECES limits how many pieces the window's time is divided into. Room is left for
 * more pieces, because the window's limit in bytes adds some. */
#define BEFORE_PIECES 4u
#define MOST_PIECES   (RCAP_KEPT_PIECES - PIECES - 8)
/* If the clock points of an idle program take this many bytes, a new piece replaces the present
 * one. */
#define IDLE_BYTES (UINT64_C(1) << 20)
/* Most rows of the private chunk. Further rows are left out, so that the chunk stays well below
 * RLOG_MAX_RAW_BYTES. */
#define MAX_RANGES 16384u
#define MAX_LOSSES 16384u
/* If other files already have the names of pieces, this many further numbers are tried. */
#define MAX_NUMBERS 1000u

static struct rcap_kept *kept_of(const struct rcap_drain *drain)
{
	return &drain->spool->header->control.kept;
}

static uint32_t load(_Atomic uint32_t *word)
{
	return atomic_load_explicit(word, memory_order_relaxed);
}

bool rcap_keep_is_begun(const struct rcap_spool *spool)
{
	struct rcap_kept *kept = &spool->header->control.kept;

	return rcap_kept_is_on(kept) && load(&kept->next) != load(&kept->first);
}

void rcap_keep_forget(struct rcap_spool *spool)
{
	struct rcap_kept *kept = &spool->header->control.kept;

	kept->outside_before += kept->whole_outside;
	kept->whole_outside = 0;
	kept->whole_lost = 0;
	kept->whole_nameless = 0;
	kept->whole_gone = 0;
	atomic_store_explicit(&kept->is_whole, 0, memory_order_release);
}

void rcap_keep_add(struct rcap_spool_header *header, uint64_t events, struct rcap_keep_sum *out)
{
	struct rcap_kept *kept = &header->control.kept;
	const uint32_t next = atomic_load_explicit(&kept->next, memory_order_acquire);
	uint32_t first = load(&kept->first);
	const struct rcap_kept_piece *piece;

	memset(out, 0, sizeof(*out));
	out->outside = kept->outside_before;
	if (!rcap_kept_is_on(kept) || next == first) {
		return;
	}
	first = next - first > RCAP_KEPT_PIECES ? next - 1 : first;
	piece = rcap_kept_piece(kept, first);
	out->events = events > piece->events ? events - piece->events : 0;
	out->outside += piece->events - kept->events_base + piece->lost;
	out->bytes = atomic_load_explicit(&header->log_bytes, memory_order_relaxed);
	for (uint32_t i = first; i + 1 != next; i++) {
		out->bytes += rcap_kept_piece(kept, i)->bytes;
	}
}

static bool is_aside(struct rcap_kept *kept, uint32_t piece)
{
	return (rcap_kept_piece(kept, piece)->number & RCAP_KEPT_ASIDE) != 0;
}

void rcap_keep_set_aside(struct rcap_spool *spool, const char *pattern)
{
	struct rcap_kept *kept = &spool->header->control.kept;
	const uint32_t next = load(&kept->next);

	/* If any piece is in the other folder, the last one is. */
	if (next == load(&kept->first) || !is_aside(kept, next - 1)) {
		rcap_log_format(kept->aside, sizeof(kept->aside), "%s", pattern);
	}
}

/* ---- The private chunk of a piece ---- */

/* The private chunk while it is being made. */
struct state {
	struct rcap_keep_state head;
	struct rcap_keep_range ranges[MAX_RANGES];
	struct rlog_loss losses[MAX_LOSSES];
};

static void add_ranges(struct state *state, const struct rcap_open_range *ranges, uint32_t count,
                       uint32_t stream)
{
	for (uint32_t i = 0; i < count && state->head.ranges < MAX_RANGES; i++) {
		state->ranges[state->head.ranges++] =
			(struct rcap_keep_range){ .ticks = ranges[i].ticks,
			                          .id = ranges[i].id,
			                          .name = ranges[i].name,
			                          .domain = ranges[i].domain,
			                          .stream = stream };
	}
}

static void add_losses(struct state *state, const _Atomic uint64_t *lost, uint32_t stream)
{
	for (uint32_t cause = 1; cause < RLOG_CAUSES && state->head.losses < MAX_LOSSES; cause++) {
		const uint64_t count = atomic_load_explicit(&lost[cause], memory_order_relaxed);

		if (count > 0) {
			state->losses[state->head.losses++] = (struct rlog_loss){ .stream = stream,
				                                                  .cause = cause,
				                                                  .count = count };
		}
	}
}

static void fill_state(const struct rcap_drain *drain, struct state *state)
{
	const struct rcap_spool *spool = drain->spool;
	const uint32_t count = atomic_load_explicit(&spool->header->streams, memory_order_acquire);
	const struct rcap_open_range *ranges;
	uint32_t first = 0;
	uint32_t open;

	for (uint32_t i = 0; i < count; i++) {
		struct rcap_stream *stream = rcap_spool_stream(spool, i);

		if (!stream || atomic_load_explicit(&stream->state, memory_order_acquire) ==
		                       RCAP_STREAM_FREE) {
			continue;
		}
		add_losses(state, stream->lost, stream->id);
		if (rcap_open_ranges_has(drain, i)) {
			first = first == 0 ? stream->id : first;
			ranges = rcap_open_ranges_borrow(drain, i, &open);
			add_ranges(state, ranges, open, stream->id);
		}
	}
	ranges = rcap_open_ranges_borrow(drain, UINT32_MAX, &open);
	add_ranges(state, ranges, first == 0 ? 0 : open, first);
	add_losses(state, spool->header->lost_process, 0);
}

/* Writes the private chunk. If there is no memory, the chunk is left out, and ranges that are open
 * have no name. */
static int put_state(struct rcap_drain *drain, bool is_first, struct rlog_error *err)
{
	struct state *state = calloc(1, sizeof(*state));
	struct rlog_chunk_header header = { .type = RCAP_KEEP_CHUNK,
		                            .flags = RLOG_FLAG_STORED,
		                            .count = 1 };
	uint8_t *bytes = (uint8_t *) state;
	size_t used = sizeof(state->head);
	int status;

	if (!state) {
		return 0;
	}
	fill_state(drain, state);
	if (is_first) {
		state->head.losses = 0; /* the losses of the process belong to the log */
	}
	memmove(bytes + used, state->ranges, state->head.ranges * sizeof(state->ranges[0]));
	used += state->head.ranges * sizeof(state->ranges[0]);
	memmove(bytes + used, state->losses, state->head.losses * sizeof(state->losses[0]));
	used += state->head.losses * sizeof(state->losses[0]);
	header.stored_bytes = (uint32_t) used;
	header.raw_bytes = (uint32_t) used;
	status = rlog_writer_put_packed(drain->writer, &header, bytes, err);
	free(state);
	return status;
}

/* ---- Pieces ---- */

static int open_piece(struct rcap_drain *drain, struct rcap_kept_piece *piece, char *path,
                      size_t size, struct rlog_error *err)
{
	struct rcap_kept *kept = kept_of(drain);
	int fd = -1;

	for (unsigned i = 0; i < MAX_NUMBERS; i++) {
		piece->number = kept->number++ | (kept->aside[0] != '\0' ? RCAP_KEPT_ASIDE : 0);
		rcap_keep_name(drain->spool->header, piece->number, path, size);
		atomic_store_explicit(&kept->making, piece->number + 1, memory_order_release);
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd >= 0 || errno != EEXIST) {
			break;
		}
	}
	if (fd < 0) {
		atomic_store_explicit(&kept->making, 0, memory_order_release);
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "%s: %s", path,
		                      strerrordesc_np(errno));
	}
	drain->fd = rcap_drain_move_high(fd);
	return 0;
}

/* Begins a piece. Stores its entry before its file becomes the spool's log. If the program dies in
 * between, the entry has no events. */
static int begin_piece(struct rcap_drain *drain, bool is_first, const char *path,
                       struct rlog_error *err)
{
	struct rcap_spool_header *header = drain->spool->header;
	const uint32_t strings = drain->arena.string;
	int status = 0;

	if (rcap_drain_note_log(header, drain->fd, path) != 0) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "%s: %s", path,
		                      strerrordesc_np(errno));
	}
	rcap_listed_begin(&drain->listed, drain->spool);
	status = rcap_drain_begin_log(drain, err);
	if (status == 0) {
		status = put_state(drain, is_first, err);
	}
	if (status == 0) {
		status = rcap_drain_write_names(drain, err);
	}
	drain->piece_strings = strings;
	drain->piece_bytes = drain->writer ? rlog_writer_size_bytes(drain->writer) : 0;
	return status;
}

int rcap_keep_begin(struct rcap_drain *drain, struct rlog_error *err)
{
	struct rcap_spool_header *header = drain->spool->header;
	struct rcap_kept *kept = kept_of(drain);
	const uint32_t next = load(&kept->next);
	const bool is_first = next == load(&kept->first);
	struct rcap_kept_piece *piece = rcap_kept_piece(kept, next);
	char path[sizeof(header->log_path)];
	struct rcap_drain_sum sum;
	int status;

	memset(piece, 0, sizeof(*piece));
	piece->mono_ns = rcap_clock_mono_ns();
	piece->real_ns = rcap_clock_real_ns();
	piece->ticks = drain->is_owner ? rcap_clock_now() : 0;
	piece->events = rcap_keep_count_events(drain->spool);
	rcap_drain_sum(drain->spool, &sum);
	piece->lost = is_first ? 0 : sum.lost;
	piece->nameless = is_first ? 0 : sum.nameless;
	if (is_first) {
		kept->events_base = piece->events;
	}
	status = open_piece(drain, piece, path, sizeof(path), err);
	if (status != 0) {
		return status;
	}
	atomic_store_explicit(&kept->next, next + 1, memory_order_release);
	atomic_store_explicit(&kept->making, 0, memory_order_release);
	status = begin_piece(drain, is_first, path, err);
	if (status != 0) {
		rcap_drain_leave_log(drain);
		atomic_store_explicit(&header->log_inode, 0, memory_order_release);
		atomic_store_explicit(&kept->next, next, memory_order_release);
		unlink(path);
	}
	return status;
}

static void drop_first(struct rcap_drain *drain)
{
	struct rcap_spool_header *header = drain->spool->header;
	struct rcap_kept *kept = kept_of(drain);
	const uint32_t first = load(&kept->first);
	const uint64_t number = rcap_kept_piece(kept, first)->number;
	char path[sizeof(header->log_path)];

	rcap_keep_name(header, number, path, sizeof(path));
	atomic_store_explicit(&kept->dropping, number + 1, memory_order_release);
	/* Changes `first` before it removes the file, so that the window is right wherever the
	 * program dies. */
	atomic_store_explicit(&kept->first, first + 1, memory_order_release);
	unlink(path);
	atomic_store_explicit(&kept->dropping, 0, memory_order_release);
}

static bool is_among_pieces(struct rcap_kept *kept, uint64_t number)
{
	for (uint32_t i = load(&kept->first); i != load(&kept->next); i++) {
		if (rcap_kept_piece(kept, i)->number == number) {
			return true;
		}
	}
	return false;
}

/* True if the file was just made by us. A new file is empty. */
static bool is_just_made(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0 &&
	       st.st_uid == geteuid();
}

/* Removes the file that the program was making or dropping when it died. */
static void drop_left(struct rcap_drain *drain)
{
	struct rcap_spool_header *header = drain->spool->header;
	struct rcap_kept *kept = kept_of(drain);
	const uint64_t made = atomic_exchange_explicit(&kept->making, 0, memory_order_acq_rel);
	const uint64_t dropped = atomic_exchange_explicit(&kept->dropping, 0, memory_order_acq_rel);
	char path[sizeof(header->log_path)];

	if (made != 0 && !is_among_pieces(kept, made - 1)) {
		rcap_keep_name(header, made - 1, path, sizeof(path));
		if (is_just_made(path)) {
			unlink(path);
		}
	}
	if (dropped != 0 && !is_among_pieces(kept, dropped - 1)) {
		rcap_keep_name(header, dropped - 1, path, sizeof(path));
		unlink(path);
	}
}

static void drop_all(struct rcap_drain *drain)
{
	struct rcap_kept *kept = kept_of(drain);

	/* The limit ends the loop even if a damaged spool has wrong numbers. */
	for (uint32_t i = 0; i < RCAP_KEPT_PIECES && load(&kept->first) != load(&kept->next); i++) {
		drop_first(drain);
	}
}

/* Returns the size at which a piece is full. Pieces are larger if the names that each piece repeats
 * take much space. */
static uint64_t full_bytes(const struct rcap_drain *drain)
{
	const uint64_t share = kept_of(drain)->window_bytes / PIECES;

	return share > 2 * drain->piece_bytes ? share : 2 * drain->piece_bytes;
}

/* Returns the duration of a piece. Pieces are shorter if snapshots have only a short time before
 * them. There is a lower limit, so that there are not more pieces than allowed. */
static uint64_t piece_ns(const struct rcap_kept *kept)
{
	const uint64_t usual = kept->window_ns / PIECES;
	const uint64_t least = kept->window_ns / MOST_PIECES;
	const uint64_t wanted = kept->before_ns / BEFORE_PIECES;

	return kept->before_ns == 0 || wanted > usual ? usual : wanted > least ? wanted : least;
}

int64_t rcap_keep_left_ns(const struct rcap_drain *drain)
{
	struct rcap_kept *kept = kept_of(drain);
	uint64_t end_ns;
	uint64_t now_ns;

	/* A recovery begins no piece because of time, because it does not know which ranges are
	 * open. */
	if (!drain->is_owner || !drain->writer || kept->window_ns == 0 ||
	    !rcap_keep_is_begun(drain->spool) ||
	    atomic_load_explicit(&drain->spool->header->events, memory_order_relaxed) == 0) {
		return INT64_MAX;
	}
	end_ns = rcap_kept_piece(kept, load(&kept->next) - 1)->mono_ns + piece_ns(kept);
	now_ns = rcap_clock_mono_ns();
	return end_ns > now_ns ? (int64_t) (end_ns - now_ns) : 0;
}

bool rcap_keep_is_over(const struct rcap_drain *drain)
{
	return rcap_keep_left_ns(drain) == 0;
}

static bool is_full(const struct rcap_drain *drain)
{
	const struct rcap_spool_header *header = drain->spool->header;
	struct rcap_kept *kept = kept_of(drain);
	const uint64_t bytes = rlog_writer_size_bytes(drain->writer);

	if (!drain->is_owner) {
		return false;
	}
	if (atomic_load_explicit(&header->events, memory_order_relaxed) == 0) {
		return bytes >= drain->piece_bytes + IDLE_BYTES;
	}
	return kept->window_bytes > 0 && bytes >= full_bytes(drain);
}

/* True if the window is long enough without the first piece. In a recovery only the size matters:
 * it may run much later, and must keep what the program had kept when it died. */
static bool is_first_old(const struct rcap_drain *drain, uint64_t now_ns)
{
	struct rcap_kept *kept = kept_of(drain);
	const uint32_t first = load(&kept->first);
	const uint32_t next = load(&kept->next);
	uint64_t bytes =
		drain->is_owner ? full_bytes(drain) : rlog_writer_size_bytes(drain->writer);

	/* A piece in the other folder does not have the ranges that were open at its start. So the
	 * piece before it is kept. */
	if (next - first < 2 || (next - first == 2 && is_aside(kept, next - 1))) {
		return false;
	}
	for (uint32_t i = first; i + 1 != next; i++) {
		bytes += rcap_kept_piece(kept, i)->bytes;
	}
	return next - first >= RCAP_KEPT_PIECES - 1 ||
	       (kept->window_bytes > 0 && bytes > kept->window_bytes) ||
	       (drain->is_owner && kept->window_ns > 0 &&
	        rcap_kept_piece(kept, first + 1)->mono_ns + kept->window_ns <= now_ns);
}

int rcap_keep_turn(struct rcap_drain *drain, bool is_over, struct rlog_error *err)
{
	struct rcap_kept *kept = kept_of(drain);
	const uint64_t now_ns = rcap_clock_mono_ns();
	int status = 0;

	if (!drain->writer || !rcap_keep_is_begun(drain->spool)) {
		return 0;
	}
	if (is_over || is_full(drain)) {
		rcap_kept_piece(kept, load(&kept->next) - 1)->bytes =
			rlog_writer_size_bytes(drain->writer);
		rcap_drain_leave_log(drain);
		atomic_store_explicit(&drain->spool->header->log_inode, 0, memory_order_release);
		status = rcap_keep_begin(drain, err);
	}
	while (is_first_old(drain, now_ns)) {
		drop_first(drain);
	}
	return status;
}

/* Makes a log of the pieces. It becomes the spool's log. */
static int finish_pieces(struct rcap_drain *drain, const char *status, struct rlog_error *err)
{
	const struct rcap_snapshot what = { .by = drain->is_owner ? "end" : "death",
		                            .why = "",
		                            .status = status };
	const int code = rcap_snapshot_write(drain, &what, err);

	if (code == 0) {
		drop_all(drain);
	}
	return code;
}

void rcap_keep_init(struct rcap_drain *drain)
{
	struct rcap_kept *kept = kept_of(drain);
	const uint32_t next = load(&kept->next);

	/* The text may be damaged, because it is from the spool. */
	kept->text[sizeof(kept->text) - 1] = '\0';
	kept->when[sizeof(kept->when) - 1] = '\0';
	kept->aside[sizeof(kept->aside) - 1] = '\0';
	if (next - load(&kept->first) > RCAP_KEPT_PIECES) {
		atomic_store_explicit(&kept->first, next - RCAP_KEPT_PIECES, memory_order_relaxed);
	}
	drop_left(drain);
	if (!rcap_kept_is_on(kept)) {
		/* The program had made the log of the pieces before it died. */
		drop_all(drain);
	} else {
		drain->begin_piece = rcap_keep_begin;
		drain->turn_piece = rcap_keep_turn;
		drain->finish_pieces = finish_pieces;
	}
}
