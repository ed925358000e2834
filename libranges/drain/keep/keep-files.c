/* SPDX-License-Identifier: MIT */
/* Handles the files of kept pieces: finds their names, and which of them are gone. */
#include "libranges/drain/keep/keep-files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/chunk.h"
#include "libranges/base/log.h"
#include "libranges/drain/drain.h"

static uint32_t load(_Atomic uint32_t *word)
{
	return atomic_load_explicit(word, memory_order_relaxed);
}

uint64_t rcap_keep_count_events(const struct rcap_spool *spool)
{
	struct rcap_drain_sum sum;

	rcap_drain_sum(spool, &sum);
	return sum.rows - sum.remarks;
}

void rcap_keep_name(const struct rcap_spool_header *header, uint64_t number, char *out, size_t size)
{
	const struct rcap_kept *kept = &header->control.kept;
	const uint64_t plain = number & ~RCAP_KEPT_ASIDE;
	const struct rcap_drain_number first = { 0 };
	char name[sizeof(header->log_path)];

	if (plain != number && kept->aside[0] != '\0'
	            ? !rcap_drain_name_by(header, kept->aside, &first, name, sizeof(name) - 64)
	            : !rcap_drain_name(header, 0, 0, name, sizeof(name) - 64)) {
		name[0] = '\0';
	}
	if (plain == RCAP_KEEP_NEW_THERE) {
		rcap_log_format(out, size, "%s.keep-%ld.new", name, (long) header->facts.pid);
	} else {
		rcap_log_format(out, size, "%s.keep-%ld.%lu", name, (long) header->facts.pid,
		                (unsigned long) plain);
	}
}

bool rcap_keep_is_piece(const struct rcap_spool *spool, const char *path)
{
	struct rcap_kept *kept = &spool->header->control.kept;
	char name[sizeof(spool->header->log_path)];
	struct stat wanted;
	struct stat st;

	if (stat(path, &wanted) != 0) {
		return false;
	}
	for (uint32_t i = load(&kept->first); i != load(&kept->next); i++) {
		rcap_keep_name(spool->header, rcap_kept_piece(kept, i)->number, name, sizeof(name));
		if (stat(name, &st) == 0 && st.st_dev == wanted.st_dev &&
		    st.st_ino == wanted.st_ino) {
			return true;
		}
	}
	return false;
}

/* True if the file of a piece exists and contains that piece. */
static bool is_there(const struct rcap_spool_header *header, const struct rcap_kept_piece *piece)
{
	struct rlog_chunk_header chunk;
	uint8_t bytes[RLOG_HEADER_BYTES];
	char path[sizeof(header->log_path)];
	bool is_ours = false;
	int fd;

	rcap_keep_name(header, piece->number, path, sizeof(path));
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0) {
		is_ours = pread(fd, bytes, sizeof(bytes), 0) == (ssize_t) sizeof(bytes) &&
		          rlog_chunk_read_header(&chunk, bytes) && chunk.tag == header->tag;
		close(fd);
	}
	return is_ours;
}

void rcap_keep_find_gone(const struct rcap_spool *spool, uint32_t first, uint32_t next,
                         struct rcap_keep_gone *out)
{
	struct rcap_kept *kept = &spool->header->control.kept;
	bool is_any = false;

	memset(out, 0, sizeof(*out));
	out->first = first;
	for (uint32_t i = first; i != next; i++) {
		const struct rcap_kept_piece *piece = rcap_kept_piece(kept, i);
		const uint64_t end = i + 1 != next ? rcap_kept_piece(kept, i + 1)->events
		                                   : rcap_keep_count_events(spool);

		/* A piece without events may have no file, because the program died after it made
		 * the entry. */
		if (end > piece->events && !is_there(spool->header, piece)) {
			out->events += end - piece->events;
		} else {
			is_any = true;
		}
		if (!is_any && i + 1 != next) {
			out->first = i + 1;
			out->leading = out->events;
		}
	}
}
