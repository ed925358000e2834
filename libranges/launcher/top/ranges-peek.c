/* SPDX-License-Identifier: MIT */
/* Reads the spool of a running program: copies, so that the program need not cooperate. */
#include "libranges/launcher/top/ranges-peek.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/wire.h"
#include "libranges/base/log.h"
#include "libranges/spool/arena.h"
#include "libranges/spool/owner.h"

/* A stack that is being changed is read again, up to this many times. A change takes some µs. */
#define STACK_TRIES 1000

/*
 * Copies by read(), not by a mapping. Touching a page that the program has given back would
 * allocate it again. Touching a page after the file's end would raise a signal. Return: false at
 * the file's end.
 */
static bool copy(const struct rcap_ranges_peek *peek, void *out, size_t bytes, uint64_t from)
{
	size_t done = 0;

	while (done < bytes) {
		const ssize_t count =
			pread(peek->fd, (char *) out + done, bytes - done, (off_t) (from + done));

		if (count <= 0 && !(count < 0 && errno == EINTR)) {
			return false;
		}
		done += count > 0 ? (size_t) count : 0;
	}
	return true;
}

static bool is_sound(const struct rcap_spool_header *header)
{
	uint8_t magic[8];

	rcap_spool_hide_magic(magic);
	return memcmp(header->magic, magic, 8) == 0 && header->version == RCAP_SPOOL_VERSION &&
	       header->endian == 0x01020304 && header->header_bytes == sizeof(*header) &&
	       header->block_bytes == RCAP_BLOCK_BYTES && header->ticks_per_s > 0;
}

static bool is_alive(const struct rcap_spool_header *header)
{
	return atomic_load_explicit(&header->state, memory_order_relaxed) == RCAP_SPOOL_LIVE &&
	       header->pid_ns == rcap_owner_pid_ns() && header->start_time != 0 &&
	       rcap_owner_start_time(header->facts.pid) == header->start_time;
}

bool rcap_ranges_peek_block(const struct rcap_ranges_peek *peek, uint32_t number, void *out)
{
	return number < peek->header->all_blocks &&
	       copy(peek, out, RCAP_BLOCK_BYTES, rcap_spool_bytes(number));
}

bool rcap_ranges_peek_stream(const struct rcap_ranges_peek *peek, uint32_t index,
                             struct rcap_stream *out)
{
	const uint32_t table = index / RCAP_STREAMS_BLOCK;
	uint32_t block;

	if (table >= RCAP_STREAM_BLOCKS) {
		return false;
	}
	block = peek->header->stream_block[table];
	return block < peek->header->all_blocks &&
	       copy(peek, out, sizeof(*out),
	            rcap_spool_bytes(block) + (uint64_t) index % RCAP_STREAMS_BLOCK * sizeof(*out));
}

/* Copies a struct that the drain may be changing. @bytes: size of the struct, which begins with a
 * sequence number. */
static bool copy_settled(const struct rcap_ranges_peek *peek, void *out, size_t bytes,
                         uint64_t from)
{
	for (int i = 0; i < STACK_TRIES; i++) {
		uint32_t sequence;
		uint32_t after;

		if (!copy(peek, &sequence, sizeof(sequence), from) ||
		    !copy(peek, out, bytes, from) || !copy(peek, &after, sizeof(after), from)) {
			return false;
		}
		if (sequence == after && sequence % 2 == 0) {
			return true;
		}
	}
	return false;
}

bool rcap_ranges_peek_started(const struct rcap_ranges_peek *peek, struct rcap_live_started *out)
{
	const uint32_t block =
		atomic_load_explicit(&peek->header->live_started, memory_order_relaxed);

	return block != 0 && block <= peek->header->all_blocks &&
	       copy_settled(peek, out, sizeof(*out), rcap_spool_bytes(block - 1)) &&
	       out->count <= RCAP_LIVE_STARTED;
}

bool rcap_ranges_peek_stack(const struct rcap_ranges_peek *peek, uint32_t index,
                            struct rcap_live_stack *out)
{
	const uint32_t block =
		index / RCAP_LIVE_BLOCK < RCAP_LIVE_BLOCKS
			? atomic_load_explicit(&peek->header->live_block[index / RCAP_LIVE_BLOCK],
	                                       memory_order_relaxed)
			: 0;
	const uint64_t from =
		rcap_spool_bytes(block - 1) + (uint64_t) index % RCAP_LIVE_BLOCK * sizeof(*out);

	return block != 0 && block <= peek->header->all_blocks &&
	       copy_settled(peek, out, sizeof(*out), from) && out->lowest <= out->depth &&
	       out->depth - out->lowest <= RCAP_LIVE_DEPTH;
}

/* Makes room for one more element. Return: false if there is no memory. */
static bool grow(void **array, size_t *capacity, size_t count, size_t bytes)
{
	const size_t wanted = *capacity == 0 ? 64 : *capacity * 2;
	void *grown;

	if (count < *capacity) {
		return true;
	}
	grown = realloc(*array, wanted * bytes);
	if (grown) {
		*array = grown;
		*capacity = wanted;
	}
	return grown != NULL;
}

static void add_name(struct rcap_ranges_peek *peek, const char *bytes, size_t length)
{
	struct rcap_ranges_peek_names *names = &peek->names;
	void *all = names->all;
	char *text = malloc(length + 1);

	if (!text || !grow(&all, &names->capacity, names->count, sizeof(*names->all))) {
		free(text);
		return;
	}
	names->all = all;
	memcpy(text, bytes, length);
	text[length] = '\0';
	names->all[names->count++] = text;
}

static void add_def(struct rcap_ranges_peek *peek, uint32_t kind, const struct rcap_def_body *body)
{
	void *all = peek->defs;

	if ((kind != RLOG_DEF_DOMAIN && kind != RLOG_DEF_STREAM && kind != RLOG_DEF_THREAD_NAME) ||
	    !grow(&all, &peek->def_capacity, peek->def_count, sizeof(*peek->defs))) {
		return;
	}
	peek->defs = all;
	peek->defs[peek->def_count++] = (struct rcap_ranges_peek_def){
		.id = body->id, .kind = kind, .string = (uint32_t) body->string
	};
}

/* Takes one record of the arena. Return: its size; 0 if the record makes no sense. */
static size_t take_record(struct rcap_ranges_peek *peek, const uint8_t *at, size_t left)
{
	struct rcap_record record;
	struct rcap_def_body body;
	size_t bytes;

	if (left < sizeof(record)) {
		return left;
	}
	memcpy(&record, at, sizeof(record));
	if (record.type == RCAP_RECORD_SKIP) {
		return left;
	}
	bytes = sizeof(record) + (((size_t) record.bytes + 8) & ~(size_t) 7);
	if (bytes > left) {
		return 0;
	}
	if (record.type == RCAP_RECORD_STRING) {
		add_name(peek, (const char *) at + sizeof(record), record.bytes);
	} else if (record.type == RCAP_RECORD_DEF && record.bytes >= sizeof(body)) {
		memcpy(&body, at + sizeof(record), sizeof(body));
		add_def(peek, record.kind, &body);
	}
	return bytes;
}

/* Reads what was added to the arena since the last time. */
static void read_arena(struct rcap_ranges_peek *peek)
{
	const uint64_t head = atomic_load_explicit(&peek->header->arena_head, memory_order_relaxed);

	while (peek->arena < head) {
		const uint64_t extent = peek->arena / RCAP_EXTENT_BYTES;
		const uint64_t end = (extent + 1) * RCAP_EXTENT_BYTES;
		const size_t first = peek->arena % RCAP_EXTENT_BYTES;
		const size_t bytes = (size_t) ((head < end ? head : end) - peek->arena);
		size_t done = 0;

		if (extent >= RCAP_MAX_EXTENTS ||
		    !copy(peek, peek->piece, bytes,
		          rcap_spool_bytes(peek->header->arena_extent[extent]) + first)) {
			return;
		}
		while (done < bytes) {
			const size_t step = take_record(peek, peek->piece + done, bytes - done);

			if (step == 0) {
				return;
			}
			done += step;
		}
		peek->arena += done;
	}
}

bool rcap_ranges_peek_refresh(struct rcap_ranges_peek *peek)
{
	if (!copy(peek, peek->header, sizeof(*peek->header), 0) || !is_sound(peek->header) ||
	    !is_alive(peek->header)) {
		return false;
	}
	/* The text may be damaged. */
	peek->header->log_path[sizeof(peek->header->log_path) - 1] = '\0';
	read_arena(peek);
	return true;
}

bool rcap_ranges_peek_open(struct rcap_ranges_peek *peek, const char *path)
{
	struct stat st;

	memset(peek, 0, sizeof(*peek));
	/* O_NONBLOCK, because the file may be a pipe that nobody writes to. */
	peek->fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (peek->fd < 0) {
		peek->fd = 0;
		return false;
	}
	rcap_log_format(peek->path, sizeof(peek->path), "%s", path);
	peek->header = malloc(sizeof(*peek->header));
	peek->piece = malloc(RCAP_EXTENT_BYTES);
	add_name(peek, "", 0);
	if (!peek->header || !peek->piece || fstat(peek->fd, &st) != 0 || !S_ISREG(st.st_mode) ||
	    !rcap_ranges_peek_refresh(peek)) {
		rcap_ranges_peek_close(peek);
		return false;
	}
	return true;
}

void rcap_ranges_peek_close(struct rcap_ranges_peek *peek)
{
	if (peek->fd > 0) {
		close(peek->fd);
	}
	for (size_t i = 0; i < peek->names.count; i++) {
		free(peek->names.all[i]);
	}
	free(peek->names.all);
	free(peek->defs);
	free(peek->piece);
	free(peek->header);
	memset(peek, 0, sizeof(*peek));
}

const char *rcap_ranges_peek_name(const struct rcap_ranges_peek *peek, uint32_t id)
{
	return id < peek->names.count ? peek->names.all[id] : "?";
}

uint32_t rcap_ranges_peek_find(const struct rcap_ranges_peek *peek, uint32_t kind, uint64_t id)
{
	for (size_t i = peek->def_count; i-- > 0;) {
		if (peek->defs[i].kind == kind && peek->defs[i].id == id) {
			return peek->defs[i].string;
		}
	}
	return 0;
}

void rcap_ranges_peek_program(const struct rcap_ranges_peek *peek, char *out, size_t size)
{
	const struct rcap_facts *facts = &peek->header->facts;
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
