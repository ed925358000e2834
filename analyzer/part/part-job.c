/* SPDX-License-Identifier: MIT */
/* What the steps of writing a part of a log share: decodes rows of the whole log, and tells which
 * threads are wanted. */
#include "analyzer/part/part-job.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/text/printed-name.h"
#include "format/chunk.h"
#include "format/wire.h"

bool ra_part_job_decode(struct ra_part *part, const struct rlog_chunk *chunk)
{
	const int code = rlog_reader_decode_events(part->reader, chunk, &part->batch, NULL);

	if (code == -RLOG_E_NO_MEMORY) {
		ra_alloc_end();
	}
	part->result->chunks++;
	return code == 0;
}

size_t ra_part_job_find_row(const struct rlog_batch *batch, uint64_t ticks, uint64_t latest)
{
	for (size_t i = 0; i < batch->count; i++) {
		latest = batch->ticks[i] > latest ? batch->ticks[i] : latest;
		if (latest >= ticks && batch->op[i] != RLOG_OP_MORE &&
		    batch->op[i] != RLOG_OP_DEPTH) {
			return i;
		}
	}
	return batch->count;
}

bool ra_part_job_wants_track(const struct ra_part *part, const struct ra_track *track)
{
	const struct rlog_string name = ra_model_string(part->model, track->name);
	char *place = track->name == 0 ? ra_alloc_format("thread %lld", (long long) track->tid)
	                               : ra_alloc_format("%.*s %lld", (int) name.length, name.bytes,
	                                                 (long long) track->tid);
	const bool is = ra_printed_name_is_in(place, strlen(place), part->options->thread);

	free(place);
	return is;
}

bool ra_part_job_wants(const struct ra_part *part, uint64_t tid)
{
	const struct ra_track unknown = { .tid = (int64_t) tid };
	bool is_known = false;

	if (part->options->thread == NULL) {
		return true;
	}
	for (size_t i = 0; i < part->model->track_count; i++) {
		const struct ra_track *track = &part->model->tracks[i];

		if (track->tid == unknown.tid && ra_part_job_wants_track(part, track)) {
			return tid != 0;
		}
		is_known |= track->tid == unknown.tid;
	}
	return tid != 0 && !is_known && ra_part_job_wants_track(part, &unknown);
}

int ra_part_job_put_packed(struct ra_part *part, const struct rlog_chunk *chunk,
                           struct rlog_error *err)
{
	const struct rlog_chunk_header header = {
		.type = RLOG_CHUNK_EVENTS,
		.flags = chunk->flags,
		.stream = chunk->stream,
		.count = chunk->count,
		.lost = chunk->lost,
		.first_ticks = chunk->first_ticks,
		.last_ticks = chunk->last_ticks,
		.raw_bytes = chunk->raw_bytes,
		.stored_bytes = chunk->stored_bytes,
	};
	const uint8_t *payload =
		rlog_reader_borrow_bytes(part->reader) + chunk->offset + RLOG_HEADER_BYTES;
	const int code = rlog_writer_put_packed(part->writer, &header, payload, err);

	rlog_reader_drop_pages(part->reader, chunk->offset,
	                       chunk->offset + RLOG_HEADER_BYTES + chunk->stored_bytes);
	return code;
}
