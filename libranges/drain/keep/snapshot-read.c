/* SPDX-License-Identifier: MIT */
/* Reads the chunks of kept pieces. */
#include "libranges/drain/keep/snapshot-read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libranges/drain/drain.h"
#include "libranges/drain/keep/keep-files.h"

bool rcap_snapshot_reader_init(struct rcap_snapshot_reader *reader, const struct rcap_spool *spool)
{
	reader->spool = spool;
	reader->payload = malloc(RLOG_MAX_RAW_BYTES);
	reader->raw = malloc(RLOG_MAX_RAW_BYTES);
	return rlog_codec_create_inflater(&reader->inflater) == 0 && reader->payload && reader->raw;
}

void rcap_snapshot_reader_fini(struct rcap_snapshot_reader *reader)
{
	rlog_codec_destroy_inflater(reader->inflater);
	free(reader->payload);
	free(reader->raw);
}

int rcap_snapshot_read_piece(const struct rcap_snapshot_reader *reader, uint32_t piece,
                             rcap_snapshot_visit_fn *visit, void *context, struct rlog_error *err)
{
	struct rcap_spool_header *header = reader->spool->header;
	const uint64_t number = rcap_kept_piece(&header->control.kept, piece)->number;
	struct rlog_chunk_header chunk;
	uint8_t bytes[RLOG_HEADER_BYTES];
	char path[sizeof(header->log_path)];
	int status = 0;
	int fd;

	rcap_keep_name(header, number, path, sizeof(path));
	fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		/* There is no file: the program died after it had made the entry, or the file was
		 * removed. */
		return errno == ENOENT ? 0
		                       : rlog_error_set(err, RLOG_E_SYSTEM, RLOG_NO_OFFSET,
		                                        "%s: %s", path, strerrordesc_np(errno));
	}
	fd = rcap_drain_move_high(fd);
	for (off_t at = 0; status == 0; at += (off_t) sizeof(bytes) + chunk.stored_bytes) {
		if (pread(fd, bytes, sizeof(bytes), at) != (ssize_t) sizeof(bytes) ||
		    !rlog_chunk_read_header(&chunk, bytes) || rlog_chunk_find_fault(&chunk) ||
		    chunk.tag != header->tag) {
			break;
		}
		status = visit(context, piece, &chunk, fd, at + (off_t) sizeof(bytes), err);
	}
	close(fd);
	return status;
}

bool rcap_snapshot_read_payload(const struct rcap_snapshot_reader *reader,
                                const struct rlog_chunk_header *header, int fd, off_t at)
{
	return header->stored_bytes <= RLOG_MAX_RAW_BYTES &&
	       pread(fd, reader->payload, header->stored_bytes, at) ==
	               (ssize_t) header->stored_bytes &&
	       rlog_codec_crc(reader->payload, header->stored_bytes) == header->payload_crc;
}

const uint8_t *rcap_snapshot_inflate(const struct rcap_snapshot_reader *reader,
                                     const struct rlog_chunk_header *header)
{
	if ((header->flags & RLOG_FLAG_STORED) != 0) {
		return reader->payload;
	}
	return rlog_codec_inflate(reader->inflater, reader->payload, header->stored_bytes,
	                          reader->raw, header->raw_bytes) == 0
	               ? reader->raw
	               : NULL;
}
