/* SPDX-License-Identifier: MIT */
/* Checks events: decodes every chunk (decoding also finds times that go backwards without a mark),
 * looks up every id, and compares the times with those in the chunk's header. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/inspect/verify.h"
#include "format/wire.h"

/* The definitions that events may refer to. */
struct tables {
	const struct rlog_string *strings;
	size_t string_count;
	uint64_t *domains; /* owned; sorted */
	size_t domain_count;
	uint64_t *streams; /* owned; sorted */
	size_t stream_count;
};

/* Faults in one chunk. Only the first row of each kind is reported, with the number of such
 * rows. */
struct faults {
	uint64_t names;
	uint64_t domains;
	uint64_t ids;
	size_t first_name;
	size_t first_domain;
	size_t first_id;
	uint64_t smallest;
	uint64_t largest;
};

static bool is_known(const uint64_t *ids, size_t count, uint64_t id)
{
	return RA_FIND(&id, ids, count, ra_order_uint64) != NULL;
}

static void collect_tables(const struct rlog_reader *reader, struct tables *tables)
{
	size_t count = 0;
	const struct rlog_def *defs = rlog_reader_borrow_defs(reader, &count);

	tables->strings = rlog_reader_borrow_strings(reader, &tables->string_count);
	tables->domains = ra_alloc_zeros(count + 1, sizeof(*tables->domains));
	tables->streams = ra_alloc_zeros(count + 1, sizeof(*tables->streams));
	tables->domain_count = 1; /* domain 0 is defined by NVTX */
	for (size_t i = 0; i < count; i++) {
		if (defs[i].kind == RLOG_DEF_DOMAIN) {
			tables->domains[tables->domain_count++] = defs[i].id;
		} else if (defs[i].kind == RLOG_DEF_STREAM) {
			tables->streams[tables->stream_count++] = defs[i].id;
		}
	}
	RA_SORT(tables->domains, tables->domain_count, ra_order_uint64);
	RA_SORT(tables->streams, tables->stream_count, ra_order_uint64);
}

static void add_fault(uint64_t *faults, size_t *first, size_t row)
{
	if (*faults == 0) {
		*first = row;
	}
	(*faults)++;
}

static void check_row(const struct tables *tables, const struct rlog_batch *batch, size_t row,
                      struct faults *faults)
{
	const uint32_t name = batch->name[row];
	const uint8_t op = batch->op[row];

	if (name != 0 && (name >= tables->string_count || tables->strings[name].bytes == NULL)) {
		add_fault(&faults->names, &faults->first_name, row);
	}
	if (batch->domain[row] != 0 &&
	    !is_known(tables->domains, tables->domain_count, batch->domain[row])) {
		add_fault(&faults->domains, &faults->first_domain, row);
	}
	/* Checks starts only, because the program itself may have passed id 0 to an end. */
	if (op == RLOG_OP_START && batch->id[row] == 0) {
		add_fault(&faults->ids, &faults->first_id, row);
	}
	if (row == 0 || batch->ticks[row] < faults->smallest) {
		faults->smallest = batch->ticks[row];
	}
	if (row == 0 || batch->ticks[row] > faults->largest) {
		faults->largest = batch->ticks[row];
	}
}

static void report_faults(struct ra_verify *verify, const struct rlog_chunk *chunk,
                          const struct rlog_batch *batch, const struct faults *faults)
{
	const uint64_t offset = chunk->offset;
	const uint32_t stream = chunk->stream;

	if (faults->names > 0) {
		ra_verify_report(verify, offset,
		                 "stream %" PRIu32 ": %" PRIu64 " events name strings that are not "
		                 "there, the first is event %" PRIu64 " with string %" PRIu32,
		                 stream, faults->names, batch->sequence + faults->first_name,
		                 batch->name[faults->first_name]);
	}
	if (faults->domains > 0) {
		ra_verify_report(verify, offset,
		                 "stream %" PRIu32 ": %" PRIu64 " events are in undefined domains, "
		                 "the first is event %" PRIu64 " in domain %" PRIu32,
		                 stream, faults->domains, batch->sequence + faults->first_domain,
		                 batch->domain[faults->first_domain]);
	}
	if (faults->ids > 0) {
		ra_verify_report(verify, offset,
		                 "stream %" PRIu32 ": %" PRIu64 " starts have no range id, "
		                 "the first is event %" PRIu64,
		                 stream, faults->ids, batch->sequence + faults->first_id);
	}
	if (batch->count > 0 &&
	    (faults->smallest != chunk->first_ticks || faults->largest != chunk->last_ticks)) {
		ra_verify_report(verify, offset,
		                 "stream %" PRIu32 ": times are %" PRIu64 " to %" PRIu64
		                 ", the header says %" PRIu64 " to %" PRIu64,
		                 stream, faults->smallest, faults->largest, chunk->first_ticks,
		                 chunk->last_ticks);
	}
}

static int check_chunk(struct ra_verify *verify, const struct tables *tables,
                       const struct rlog_chunk *chunk, struct rlog_batch *batch)
{
	struct faults faults = { 0 };
	struct rlog_error err = { .offset = RLOG_NO_OFFSET };
	const int code = rlog_reader_decode_events(verify->reader, chunk, batch, &err);

	if (code == -RLOG_E_NO_MEMORY) {
		return code;
	}
	if (code != 0) {
		ra_verify_report(verify, chunk->offset, "stream %" PRIu32 ": %s", chunk->stream,
		                 err.message);
		return 0;
	}
	for (size_t row = 0; row < batch->count; row++) {
		check_row(tables, batch, row, &faults);
	}
	verify->events += rlog_batch_count_events(batch, 0, batch->count);
	report_faults(verify, chunk, batch, &faults);
	if (chunk->sequence == 0 && (chunk->flags & RLOG_FLAG_FIRST) == 0) {
		ra_verify_report(verify, chunk->offset,
		                 "stream %" PRIu32 ": its first chunk is not marked as the first",
		                 chunk->stream);
	}
	if (chunk->sequence == 0 &&
	    !is_known(tables->streams, tables->stream_count, chunk->stream)) {
		ra_verify_report(verify, chunk->offset, "stream %" PRIu32 " is not defined",
		                 chunk->stream);
	}
	ra_verify_data(verify, chunk, batch);
	return ra_verify_outer(verify, chunk, batch);
}

int ra_verify_events(struct ra_verify *verify)
{
	size_t count = 0;
	const struct rlog_chunk *chunks = rlog_reader_borrow_chunks(verify->reader, &count);
	struct tables tables = { 0 };
	struct rlog_batch batch = { 0 };
	int code;

	collect_tables(verify->reader, &tables);
	code = rlog_batch_init(&batch, 1024);
	for (size_t i = 0; i < count && code == 0; i++) {
		if (chunks[i].type == RLOG_CHUNK_EVENTS) {
			code = check_chunk(verify, &tables, &chunks[i], &batch);
		}
	}
	rlog_batch_fini(&batch);
	free(tables.domains);
	free(tables.streams);
	return code;
}
