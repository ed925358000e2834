/* SPDX-License-Identifier: MIT */
/* Makes chunks of payloads and appends them to the file. */
#include "format/write/writer-emit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format/wire.h"

int rlog_writer_emit_init(struct rlog_writer_emit *emit, int fd, uint32_t tag, int level)
{
	const size_t bytes =
		RLOG_HEADER_BYTES + RLOG_MAX_RAW_BYTES + RLOG_PACK_SLACK + RLOG_TRAILER_BYTES;

	*emit = (struct rlog_writer_emit){ .fd = fd, .tag = tag };
	emit->at.prev_index = UINT64_MAX;
	emit->raw = malloc(bytes);
	emit->packed = level ? malloc(bytes) : NULL;
	if (!emit->raw || (level && !emit->packed)) {
		return -RLOG_E_NO_MEMORY;
	}
	return level ? rlog_codec_create_deflater(&emit->deflater, level) : 0;
}

void rlog_writer_emit_fini(struct rlog_writer_emit *emit)
{
	rlog_codec_destroy_deflater(emit->deflater);
	free(emit->raw);
	free(emit->packed);
	free(emit->index);
	*emit = (struct rlog_writer_emit){ 0 };
}

void rlog_writer_emit_start(struct rlog_writer_emit *emit, struct rlog_pack *pack)
{
	rlog_pack_init(pack, emit->raw + RLOG_HEADER_BYTES, RLOG_MAX_RAW_BYTES);
}

void rlog_writer_emit_roll_back(struct rlog_writer_emit *emit,
                                const struct rlog_writer_emit_state *to)
{
	const int saved_errno = errno;

	emit->at = *to;
	emit->reserve.allocated = to->size_bytes;
	/* If this fails, the torn bytes stay in the file. The next chunk overwrites them, and
	 * readers tolerate them. */
	if (ftruncate(emit->fd, (off_t) to->size_bytes) != 0) {
		errno = saved_errno;
	}
	errno = saved_errno;
}

/* Upper limit of a packed index row. */
#define INDEX_ROW_BYTES 24u

/* Makes sure that the file can grow by `count` bytes. Return: 0; -1 and errno if it can't. */
static int secure(struct rlog_writer_emit *emit, size_t count)
{
	const size_t waiting = emit->at.index_count - emit->at.index_start;

	return emit->reserve.bytes == 0
	               ? 0
	               : rlog_reserve_secure(&emit->reserve, emit->fd, emit->at.size_bytes + count,
	                                     waiting * INDEX_ROW_BYTES);
}

/* Appends all bytes to the file, or none of them. */
static int append(struct rlog_writer_emit *emit, const uint8_t *bytes, size_t count,
                  struct rlog_error *err)
{
	size_t done = 0;

	if (secure(emit, count) != 0) {
		return rlog_error_set(err, RLOG_E_SYSTEM, emit->at.size_bytes,
		                      "no room for a chunk of %zu bytes", count);
	}
	while (done < count) {
		const ssize_t step = pwrite(emit->fd, bytes + done, count - done,
		                            (off_t) (emit->at.size_bytes + done));

		if (step > 0) {
			done += (size_t) step;
		} else if (step == 0 || errno != EINTR) {
			errno = step == 0 ? EIO : errno;
			rlog_writer_emit_roll_back(emit, &emit->at);
			return rlog_error_set(err, RLOG_E_SYSTEM, emit->at.size_bytes,
			                      "cannot write a chunk of %zu bytes: wrote %zu", count,
			                      done);
		}
	}
	emit->at.size_bytes += count;
	return 0;
}

/* Compresses the payload if that makes it smaller, and puts the header before it. Return: start of
 * the whole chunk. */
static uint8_t *frame(struct rlog_writer_emit *emit, const struct rlog_pack *pack,
                      struct rlog_chunk_header *header)
{
	uint8_t *chunk = emit->raw;
	size_t stored = 0;

	header->tag = emit->tag;
	header->version = RLOG_FORMAT_VERSION;
	header->flags |= emit->flags;
	header->raw_bytes = (uint32_t) pack->used;
	if (emit->deflater) {
		stored = rlog_codec_deflate(emit->deflater, pack->bytes, pack->used,
		                            emit->packed + RLOG_HEADER_BYTES, pack->used - 1);
	}
	if (stored) {
		chunk = emit->packed;
		header->stored_bytes = (uint32_t) stored;
	} else {
		header->flags |= RLOG_FLAG_STORED;
		header->stored_bytes = header->raw_bytes;
	}
	header->payload_crc = rlog_codec_crc(chunk + RLOG_HEADER_BYTES, header->stored_bytes);
	rlog_chunk_write_header(chunk, header);
	return chunk;
}

int rlog_writer_emit_add_index(struct rlog_writer_emit *emit, uint64_t offset,
                               const struct rlog_chunk_header *header)
{
	if (emit->at.index_count == emit->index_capacity) {
		const size_t rows = emit->index_capacity ? emit->index_capacity * 2 : 256;
		void *const grown = realloc(emit->index, rows * sizeof(*emit->index));

		if (!grown) {
			return -RLOG_E_NO_MEMORY;
		}
		emit->index = grown;
		emit->index_capacity = rows;
	}
	emit->index[emit->at.index_count++] = (struct rlog_index_row){
		.offset = offset,
		.sequence = header->sequence,
		.first_ticks = header->first_ticks,
		.last_ticks = header->last_ticks,
		.type = header->type,
		.flags = header->flags,
		.stream = header->stream,
		.count = header->count,
		.stored_bytes = header->stored_bytes,
		.raw_bytes = header->raw_bytes,
	};
	return 0;
}

/* Writes a finished chunk to the file, and adds it to the index. */
static int put_framed(struct rlog_writer_emit *emit, const uint8_t *chunk,
                      const struct rlog_chunk_header *header, struct rlog_error *err)
{
	const struct rlog_writer_emit_state before = emit->at;
	int code = 0;

	/* The index has no row for an INDEX chunk: the chain of `prev` leads to it. Reserves memory
	 * first, so that this can't fail after the chunk is written. */
	if (header->type != RLOG_CHUNK_INDEX &&
	    rlog_writer_emit_add_index(emit, before.size_bytes, header)) {
		return rlog_error_set(err, RLOG_E_NO_MEMORY, RLOG_NO_OFFSET,
		                      "no memory for %zu index rows", emit->at.index_count);
	}
	code = append(emit, chunk, RLOG_HEADER_BYTES + (size_t) header->stored_bytes, err);
	if (code) {
		emit->at = before;
		return code;
	}
	emit->at.chunks++;
	return 0;
}

int rlog_writer_emit_chunk(struct rlog_writer_emit *emit, const struct rlog_pack *pack,
                           struct rlog_chunk_header *header, struct rlog_error *err)
{
	const uint8_t *const chunk = frame(emit, pack, header);

	return put_framed(emit, chunk, header, err);
}

int rlog_writer_emit_ready(struct rlog_writer_emit *emit, const void *payload,
                           struct rlog_chunk_header *header, struct rlog_error *err)
{
	if (header->stored_bytes > RLOG_MAX_RAW_BYTES) {
		return rlog_error_set(err, RLOG_E_ARGUMENT, RLOG_NO_OFFSET, "a payload of %u bytes",
		                      header->stored_bytes);
	}
	header->tag = emit->tag;
	header->version = RLOG_FORMAT_VERSION;
	header->flags |= emit->flags;
	header->payload_crc = rlog_codec_crc(payload, header->stored_bytes);
	memcpy(emit->raw + RLOG_HEADER_BYTES, payload, header->stored_bytes);
	rlog_chunk_write_header(emit->raw, header);
	return put_framed(emit, emit->raw, header, err);
}

int rlog_writer_emit_end(struct rlog_writer_emit *emit, const struct rlog_pack *pack,
                         struct rlog_chunk_header *header, struct rlog_error *err)
{
	uint8_t *const chunk = frame(emit, pack, header);
	const size_t bytes = RLOG_HEADER_BYTES + (size_t) header->stored_bytes;
	const struct rlog_chunk_trailer trailer = {
		.index_off = emit->at.prev_index,
		.file_bytes = emit->at.size_bytes + bytes + RLOG_TRAILER_BYTES,
		.chunks = emit->at.chunks + 1,
		.tag = emit->tag,
	};
	int code = 0;

	rlog_chunk_write_trailer(chunk + bytes, &trailer);
	code = append(emit, chunk, bytes + RLOG_TRAILER_BYTES, err);
	if (!code) {
		emit->at.chunks++;
	}
	return code;
}

void rlog_writer_emit_trim(struct rlog_writer_emit *emit)
{
	/* If this fails, some disk blocks stay allocated to the file. */
	if (emit->reserve.allocated > emit->at.size_bytes &&
	    ftruncate(emit->fd, (off_t) emit->at.size_bytes) == 0) {
		emit->reserve.allocated = 0;
	}
}

/* Writes one INDEX chunk with the first `rows` of the waiting rows. */
static int put_index(struct rlog_writer_emit *emit, size_t rows, struct rlog_error *err)
{
	struct rlog_chunk_header header = {
		.type = RLOG_CHUNK_INDEX,
		.sequence = emit->at.index_rows,
		.count = (uint32_t) rows,
	};
	const uint64_t offset = emit->at.size_bytes;
	struct rlog_pack pack;
	int code = 0;

	rlog_writer_emit_start(emit, &pack);
	code = rlog_encode_index(&pack, emit->index + emit->at.index_start, rows,
	                         emit->at.prev_index);
	if (code) {
		return rlog_error_set(err, -code, RLOG_NO_OFFSET, "an index of %zu rows is too big",
		                      rows);
	}
	code = rlog_writer_emit_chunk(emit, &pack, &header, err);
	if (code) {
		return code;
	}
	emit->at.index_start += rows;
	emit->at.index_rows += rows;
	emit->at.prev_index = offset;
	return 0;
}

int rlog_writer_emit_flush_index(struct rlog_writer_emit *emit, size_t most, struct rlog_error *err)
{
	size_t waiting = emit->at.index_count - emit->at.index_start;

	while (waiting >= most) {
		const size_t rows = waiting < RLOG_ENCODE_MAX_ROWS ? waiting : RLOG_ENCODE_MAX_ROWS;
		const int code = put_index(emit, rows, err);

		if (code) {
			return code;
		}
		waiting -= rows;
	}
	return 0;
}

void rlog_writer_emit_settle(struct rlog_writer_emit *emit)
{
	struct rlog_writer_emit_state *const at = &emit->at;

	if (at->index_start) {
		at->index_count -= at->index_start;
		memmove(emit->index, emit->index + at->index_start,
		        at->index_count * sizeof(*emit->index));
		at->index_start = 0;
	}
}
