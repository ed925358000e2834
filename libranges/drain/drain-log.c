/* SPDX-License-Identifier: MIT */
/* The drain's log file: chooses its name, recognizes it, opens it, writes its first chunk. */
#include "libranges/drain/drain.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libranges/settings/config.h"
#include "libranges/base/log.h"
#include "libranges/drain/output.h"
#include "libranges/spool/arena.h"
#include "libranges/spool/room.h"

/* Bytes at the start of a log that identify it: the marker and the tag. */
#define PREFIX_BYTES 8
#define COPY_BYTES   65536
/* Disk space that is kept free while the program runs, so that losses and the end of the log still
 * fit. Losses of 32768 streams take some 30 KiB. */
#define RESERVE_BYTES 65536
/* The writer gets this many strings or definitions at a time. */
#define ARENA_ROWS 512u

/* Returns the size of a list of texts in the spool. Each text ends with a NUL. An empty text ends
 * the list. */
static size_t list_bytes(const char *list, size_t size)
{
	size_t used = 0;

	while (used < size && list[used] != '\0') {
		used += strnlen(list + used, size - used) + 1;
	}
	return used < size ? used : size;
}

/* Adds the facts about the log's cycle, if the capture is switched on and off. */
static void add_cycle(struct rcap_facts_list *list, const struct rcap_control *control, bool is_cut)
{
	struct rcap_switch now;

	if (!rcap_control_is_used(control)) {
		return;
	}
	rcap_control_now(control, &now);
	rcap_facts_list_add_u64(list, "cycle", now.cycle);
	rcap_facts_list_add_text(list, "on_by", rcap_control_by_name(now.by));
	if (now.ticks != 0 && !is_cut) {
		rcap_facts_list_add_u64(list, "on_ticks", now.ticks);
		rcap_facts_list_add_u64(list, "on_mono_ns", now.mono_ns);
	}
	if (now.step != UINT64_MAX) {
		rcap_facts_list_add_u64(list, "on_step", now.step);
	}
	rcap_facts_list_add_text(list, "schedule", control->plan);
}

/* Adds the facts that say which part of the capture the log has. Only for a capture that keeps its
 * last part. */
static void add_window(struct rcap_facts_list *list, const struct rcap_kept *kept,
                       const struct rcap_drain_window *window)
{
	rcap_facts_list_add_u64(list, "snapshot", window->number);
	rcap_facts_list_add_text(list, "snapshot_by", window->by);
	rcap_facts_list_add_text(list, "snapshot_why", window->why);
	rcap_facts_list_add_text(list, "keep", kept->text);
	rcap_facts_list_add_u64(list, "window_ticks", window->ticks);
	rcap_facts_list_add_u64(list, "window_mono_ns", window->mono_ns);
	rcap_facts_list_add_u64(list, "taken_mono_ns", window->taken_ns);
	if (window->is_cut) {
		rcap_facts_list_add_u64(list, "on_ticks", window->begin_ticks);
		rcap_facts_list_add_u64(list, "on_mono_ns", window->begin_ns);
	}
	if (atomic_load_explicit(&kept->skipped, memory_order_relaxed) > 0) {
		rcap_facts_list_add_u64(list, "skipped", kept->skipped);
	}
}

int rcap_drain_put_capture(struct rcap_drain *drain, struct rlog_error *err)
{
	const struct rcap_spool_header *header = drain->spool->header;
	struct rcap_facts_list *list = malloc(sizeof(*list));
	int status;

	if (!list) {
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET, "no memory");
	}
	rcap_facts_list_init(list, &header->facts);
	rcap_facts_list_add_text(list, "clock", header->clock);
	rcap_facts_list_add_u64(list, "ticks_per_s", header->ticks_per_s);
	rcap_facts_list_add_bool(list, "crash_safe", header->crash_safe != 0);
	rcap_facts_list_add_u64(list, "buffer_bytes",
	                        (uint64_t) header->max_blocks * RCAP_BLOCK_BYTES);
	rcap_facts_list_add_text(list, "buffer_bound",
	                         rcap_room_name((enum rcap_room_bound) header->bound));
	if (header->forked) {
		rcap_facts_list_add_bool(list, "forked", true);
	}
	add_cycle(list, &header->control, drain->window && drain->window->is_cut);
	if (drain->window) {
		add_window(list, &header->control.kept, drain->window);
	}
	rcap_facts_list_add_texts(list, "counts", header->counts,
	                          list_bytes(header->counts, sizeof(header->counts)));
	rcap_facts_list_add_texts(list, "settings", header->settings,
	                          list_bytes(header->settings, sizeof(header->settings)));
	rcap_facts_list_add_texts(list, "notes", header->notes,
	                          list_bytes(header->notes, sizeof(header->notes)));
	status = rlog_writer_put_capture(drain->writer, list->facts, list->count, err);
	if (status == 0) {
		status = rlog_writer_put_clock(drain->writer, &header->first_clock, 1, err);
	}
	free(list);
	return status;
}

/* A capture that keeps only its last part writes files, called pieces, of which it deletes the
 * oldest. Each piece repeats all names, so that it can be read alone. If there are more names than
 * this, the piece repeats the first ones, which include those in constant use, and has the names
 * that are new since the piece before; all others are empty texts in it. The final log has all
 * names. */
#define PIECE_NAMES 65536u
/* A chunk has at most this many empty texts. With more it would compress so well that readers would
 * reject it as forged. */
#define EMPTY_ROWS 128u

static struct rlog_string take_string(const struct rcap_drain *drain,
                                      const struct rcap_record *record, uint32_t id)
{
	const bool is_left_out = id > PIECE_NAMES && id <= drain->piece_strings && !drain->window;

	return (struct rlog_string){ .bytes = (const char *) (record + 1),
		                     .length = is_left_out ? 0 : record->bytes,
		                     .full_length = record->full_length };
}

/* True if the log leaves out the definition, because it belongs to a thread that the log does not
 * list. */
static bool is_left_out(const struct rcap_drain *drain, const struct rcap_record *record)
{
	const struct rcap_def_body *body = (const void *) (record + 1);

	return (record->kind == RLOG_DEF_STREAM || record->kind == RLOG_DEF_STREAM_END) &&
	       !rcap_listed_has(&drain->listed, body->id);
}

static struct rlog_def take_def(const struct rcap_record *record)
{
	const struct rcap_def_body *body = (const void *) (record + 1);

	return (struct rlog_def){ .kind = record->kind,
		                  .id = body->id,
		                  .parent = body->parent,
		                  .string = (uint32_t) body->string,
		                  .value = body->value };
}

/* Writes new strings and definitions. They must be in the log before the events that use them. */
int rcap_drain_write_names(struct rcap_drain *drain, struct rlog_error *err)
{
	struct rcap_arena_position at = drain->arena;
	struct rlog_string strings[ARENA_ROWS];
	struct rlog_def defs[ARENA_ROWS];
	const struct rcap_record *record;
	uint64_t left_out = drain->listed.left_out;
	int status = 0;

	do {
		const uint32_t first_string = at.string + 1;
		const uint64_t first_def = at.def - left_out;
		const size_t most =
			at.string + ARENA_ROWS > PIECE_NAMES && at.string < drain->piece_strings
				? EMPTY_ROWS
				: ARENA_ROWS;
		size_t string_count = 0;
		size_t def_count = 0;

		record = NULL;
		while (string_count < most && def_count < ARENA_ROWS &&
		       (record = rcap_arena_next(drain->spool, &at))) {
			if (record->type == RCAP_RECORD_STRING) {
				strings[string_count++] = take_string(drain, record, at.string);
			} else if (record->type == RCAP_RECORD_DEF && is_left_out(drain, record)) {
				left_out++;
			} else if (record->type == RCAP_RECORD_DEF) {
				defs[def_count++] = take_def(record);
			}
		}
		if (string_count > 0) {
			status = rlog_writer_put_strings(drain->writer, first_string, strings,
			                                 string_count, err);
		}
		if (status == 0 && def_count > 0) {
			status = rlog_writer_put_defs(drain->writer, first_def, defs, def_count,
			                              err);
		}
		if (status != 0) {
			return status;
		}
		drain->arena = at;
		drain->listed.left_out = left_out;
	} while (record);
	return 0;
}

size_t rcap_drain_end_facts(const struct rcap_drain *drain, struct rlog_fact *facts,
                            struct rlog_string *text)
{
	struct rcap_control *control = &drain->spool->header->control;
	const uint32_t passed = atomic_load_explicit(&control->passed, memory_order_relaxed);
	const uint64_t outside = rcap_drain_outside(drain->spool);
	const bool is_kept = (control->kept.window_ns | control->kept.window_bytes) != 0;
	const char *by;

	if (!rcap_control_is_used(control) && !is_kept) {
		return 0;
	}
	facts[0] = (struct rlog_fact){ .key = "outside",
		                       .u64 = outside - control->outside_told +
		                              control->kept.whole_outside };
	if (drain->window && drain->window->number > 0) {
		return 1; /* a snapshot ends with only this fact */
	}
	control->outside_told = outside;
	if (drain->until == UINT64_MAX) {
		return 1;
	}
	by = rcap_control_by_name(rcap_control_at(control, passed)->by);
	*text = (struct rlog_string){ .bytes = by, .length = (uint32_t) strlen(by) };
	facts[1] = (struct rlog_fact){ .key = "off_ticks", .u64 = drain->until };
	facts[2] = (struct rlog_fact){ .key = "off_mono_ns",
		                       .u64 = rcap_control_at(control, passed)->mono_ns };
	facts[3] = (struct rlog_fact){
		.key = "off_by", .type = RLOG_FACT_TEXT, .texts = text, .text_count = 1
	};
	return 4;
}

struct rlog_writer_options rcap_drain_options(const struct rcap_drain *drain)
{
	const struct rcap_spool_header *header = drain->spool->header;

	return (struct rlog_writer_options){ .reserve_bytes = drain->is_owner ? RESERVE_BYTES : 0,
		                             .tag = header->tag,
		                             .level = header->level <= 9 ? (int) header->level : 1,
		                             .recovered = !drain->is_owner };
}

bool rcap_drain_name_by(const struct rcap_spool_header *header, const char *pattern,
                        const struct rcap_drain_number *number, char *path, size_t size)
{
	struct rcap_output_names names = { .host = header->facts.host,
		                           .pid = header->facts.pid,
		                           .attempt = number->attempt,
		                           .snapshot = number->snapshot,
		                           .is_root = header->is_root != 0 };
	struct rcap_switch now;
	char rank[24];

	rcap_control_now(&header->control, &now);
	if (header->control.has_cycles || now.cycle > 1) {
		names.cycle = now.cycle;
	}
	if (header->facts.rank >= 0) {
		rcap_log_format(rank, sizeof(rank), "%ld", (long) header->facts.rank);
		names.rank = rank;
	}
	path[0] = '\0';
	return names.attempt < RCAP_DRAIN_ATTEMPTS &&
	       rcap_output_make(path, size, pattern, &names, NULL) == 0;
}

bool rcap_drain_name(const struct rcap_spool_header *header, unsigned attempt, uint32_t snapshot,
                     char *path, size_t size)
{
	const unsigned first = header->first_attempt < RCAP_DRAIN_ATTEMPTS / 2
	                               ? header->first_attempt
	                               : RCAP_DRAIN_ATTEMPTS / 2;
	const struct rcap_drain_number number = { first + attempt, snapshot };

	return rcap_drain_name_by(header, header->output, &number, path, size);
}

/* Opens a log under the first name that is free. @path: gets the name. Return: fd, or -1 and
 * errno. */
static int open_new(struct rcap_spool_header *header, char *path, size_t size)
{
	int fd = -1;

	header->output[sizeof(header->output) - 1] = '\0';
	errno = EINVAL;
	for (unsigned attempt = 0; rcap_drain_name(header, attempt, 0, path, size); attempt++) {
		if (atomic_load_explicit(&header->log_inode, memory_order_relaxed) == 0) {
			rcap_log_format(header->log_path, sizeof(header->log_path), "%s", path);
		}
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd >= 0 || errno != EEXIST) {
			break;
		}
	}
	return fd;
}

/*
 * Opens a log that the program may have created just before it died. Then the spool has its path,
 * but not yet its inode. The file at that path is taken for the log if it is empty and ours. A
 * lease must also prove that no process has it open. Return: fd or -1.
 */
static int open_intended(const struct rcap_drain *drain)
{
	const struct rcap_spool_header *header = drain->spool->header;
	struct stat st;
	int fd;

	if (drain->is_owner || header->log_path[0] == '\0' ||
	    atomic_load_explicit(&header->log_inode, memory_order_acquire) != 0) {
		return -1;
	}
	fd = open(header->log_path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0 &&
	    st.st_uid == geteuid() && fcntl(fd, F_SETLEASE, F_WRLCK) == 0) {
		fcntl(fd, F_SETLEASE, F_UNLCK);
		return fd;
	}
	if (fd >= 0) {
		close(fd);
	}
	return -1;
}

int rcap_drain_move_high(int fd)
{
	const int high = fcntl(fd, F_DUPFD_CLOEXEC, 500);

	if (high < 0) {
		return fd;
	}
	close(fd);
	return high;
}

int rcap_drain_note_log(struct rcap_spool_header *header, int fd, const char *path)
{
	struct stat st;

	if (fstat(fd, &st) != 0) {
		return -1;
	}
	/* The inode is 0 while the other members change, so that a death in between leaves no mix
	 * of two logs. A reader that sees the new inode (acquire) also sees the other members. */
	atomic_store_explicit(&header->log_inode, 0, memory_order_release);
	atomic_signal_fence(memory_order_seq_cst);
	rcap_log_format(header->log_path, sizeof(header->log_path), "%s", path);
	header->log_device = st.st_dev;
	atomic_store_explicit(&header->log_inode, st.st_ino, memory_order_release);
	return 0;
}

void rcap_drain_leave_log(struct rcap_drain *drain)
{
	rlog_writer_destroy(drain->writer);
	drain->writer = NULL;
	if (drain->fd >= 0) {
		close(drain->fd);
	}
	drain->fd = -1;
}

static void forget_log(struct rcap_drain *drain)
{
	struct rcap_spool_header *header = drain->spool->header;

	rcap_drain_leave_log(drain);
	unlink(header->log_path);
	atomic_store_explicit(&header->log_inode, 0, memory_order_release);
	header->log_path[0] = '\0';
}

int rcap_drain_begin_log(struct rcap_drain *drain, struct rlog_error *err)
{
	struct rcap_spool_header *header = drain->spool->header;
	const struct rlog_writer_options options = rcap_drain_options(drain);
	int status = rlog_writer_create(&drain->writer, drain->fd, &options, err);
	struct rcap_drain_sum sum;

	rcap_drain_sum(drain->spool, &sum);
	header->log_base.ended = *rcap_spool_ended(drain->spool);
	header->log_base.rows = sum.rows;
	header->log_base.remarks = sum.remarks;
	atomic_store_explicit(&header->events, 0, memory_order_relaxed);
	memset(&drain->arena, 0, sizeof(drain->arena));
	return status == 0 ? rcap_drain_put_capture(drain, err) : status;
}

int rcap_drain_create_log(struct rcap_drain *drain, struct rlog_error *err)
{
	struct rcap_spool_header *header = drain->spool->header;
	char path[sizeof(header->log_path)];
	int status;
	int fd;

	if (drain->begin_piece && rcap_kept_is_on(&header->control.kept)) {
		return drain->begin_piece(drain, err);
	}
	fd = open_intended(drain);
	if (fd >= 0) {
		rcap_log_format(path, sizeof(path), "%s", header->log_path);
	} else {
		fd = open_new(header, path, sizeof(path));
	}
	if (fd < 0) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "%s: %s", path,
		                      strerrordesc_np(errno));
	}
	drain->fd = rcap_drain_move_high(fd);
	if (rcap_drain_note_log(header, drain->fd, path) != 0) {
		status = rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "%s: %s", path,
		                        strerrordesc_np(errno));
		unlink(path);
		close(drain->fd);
		drain->fd = -1;
		return status;
	}
	status = rcap_drain_begin_log(drain, err);
	if (status != 0) {
		forget_log(drain);
	}
	return status;
}

/* True if this file is the log that was begun: checks device, inode and the first bytes. */
static bool is_log(const struct rcap_spool_header *header, int fd)
{
	uint8_t wanted[PREFIX_BYTES];
	uint8_t found[PREFIX_BYTES] = { 0 };
	struct stat st;
	ssize_t length;

	memcpy(wanted, RLOG_MARKER, RLOG_MARKER_BYTES);
	for (int i = 0; i < 4; i++) {
		wanted[RLOG_MARKER_BYTES + i] = (uint8_t) (header->tag >> (8 * i));
	}
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_dev != header->log_device ||
	    st.st_ino != atomic_load_explicit(&header->log_inode, memory_order_acquire)) {
		return false;
	}
	/* A new file soon gets the inode number of a removed one, so the content decides. */
	length = pread(fd, found, sizeof(found), 0);
	return length >= 0 && memcmp(found, wanted, (size_t) length) == 0;
}

bool rcap_drain_finds_log(const struct rcap_spool_header *header)
{
	const int fd = open(header->log_path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	const bool is_there = fd >= 0 && is_log(header, fd);

	if (fd >= 0) {
		close(fd);
	}
	return is_there;
}

/* Opens the file at the log's path. Return: fd; -1 if there is no file, if the file is not the log,
 * or if it can't be opened. */
static int open_same(struct rcap_spool_header *header, int flags)
{
	struct stat st;
	int fd;

	header->log_path[sizeof(header->log_path) - 1] = '\0';
	if (lstat(header->log_path, &st) == 0 && !S_ISREG(st.st_mode)) {
		errno = ENOENT;
		return -1;
	}
	/* O_NONBLOCK, because the path may lead to a pipe by now. */
	fd = open(header->log_path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 && !is_log(header, fd)) {
		close(fd);
		fd = -1;
		errno = ENOENT;
	}
	return fd;
}

/* Continues the log in drain->fd. */
static int go_on(struct rcap_drain *drain, struct rlog_error *err)
{
	const struct rlog_writer_options options = rcap_drain_options(drain);
	int status = rlog_writer_resume(&drain->writer, drain->fd, &options, err);

	if (status == 0 && rlog_writer_clock_points(drain->writer) == 0) {
		/* If the program was killed between the first and the second chunk, the log lacks a
		 * clock point, and its times would be estimates. */
		status = rlog_writer_put_clock(drain->writer, &drain->spool->header->first_clock, 1,
		                               err);
	}
	if (status != -RLOG_E_NOT_A_LOG && status != -RLOG_E_EMPTY) {
		return status;
	}
	/* The program was killed before the first chunk was complete. */
	if (ftruncate(drain->fd, 0) != 0) {
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "%s",
		                      strerrordesc_np(errno));
	}
	return rcap_drain_begin_log(drain, err);
}

int rcap_drain_resume_log(struct rcap_drain *drain, struct rlog_error *err)
{
	struct rcap_spool_header *header = drain->spool->header;

	drain->fd = open_same(header, O_RDWR);
	if (drain->fd < 0) {
		if (errno == ENOENT || errno == ENOTDIR) {
			return RCAP_DRAIN_NO_LOG;
		}
		return rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "%s: %s",
		                      header->log_path, strerrordesc_np(errno));
	}
	return go_on(drain, err);
}

/* Copies the rest of a file to another file. Return: 0, or -1 and errno. */
static int copy_bytes(int from, int to)
{
	static char bytes[COPY_BYTES];
	ssize_t length;

	while ((length = read(from, bytes, sizeof(bytes))) != 0) {
		if (length < 0 && errno == EINTR) {
			continue;
		}
		for (ssize_t at = 0; at < length;) {
			const ssize_t put = write(to, bytes + at, (size_t) (length - at));

			if (put < 0 && errno != EINTR) {
				return -1;
			}
			at += put > 0 ? put : 0;
		}
		if (length < 0) {
			return -1;
		}
	}
	return 0;
}

int rcap_drain_copy_log(struct rcap_drain *drain, struct rlog_error *err)
{
	struct rcap_spool_header *header = drain->spool->header;
	char path[sizeof(header->log_path)];
	const int from = open_same(header, O_RDONLY);
	int status = 0;
	int fd;

	if (from < 0) {
		return RCAP_DRAIN_NO_LOG;
	}
	fd = open_new(header, path, sizeof(path));
	if (fd >= 0) {
		drain->fd = rcap_drain_move_high(fd);
	}
	if (fd < 0 || copy_bytes(from, drain->fd) != 0) {
		status = rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET, "%s: %s", path,
		                        strerrordesc_np(errno));
	} else {
		status = go_on(drain, err);
	}
	if (status == 0 && rcap_drain_note_log(header, drain->fd, path) != 0) {
		status = -RLOG_E_SYSTEM;
	}
	if (status != 0 && fd >= 0) {
		unlink(path);
	}
	close(from);
	return status;
}
