/* SPDX-License-Identifier: MIT */
/* What is not there any more of the pieces that are kept. */
#include "libranges/drain/keep-gone.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "format/chunk.h"
#include "libranges/drain/keep.h"

/* True if the file of a piece has that piece's content. */
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

		/* Of one without events a death left the entry alone. */
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
