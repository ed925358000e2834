/* SPDX-License-Identifier: MIT */
/* Finds how the ranges end that are open where a chunk begins. */
#include "analyzer/read-log/log-ends.h"

#include <assert.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/read-log/ranges/slice-counts.h"
#include "format/wire.h"

/* Rows are checked in blocks of this many, without branches. */
#define BLOCK 64

/* The search for the ends of nested ranges. Of these, those with numbers `known` to `left` - 1,
 * counted from the outermost, are still open. */
struct search {
	struct ra_log_ends *of;
	struct ra_slice_end *ends;
	size_t known;
	size_t left;
	uint64_t ticks; /* all the ranges were opened before this time */
};

bool ra_log_ends_can_read(const struct rlog_chunk *const *rows, size_t count)
{
	const unsigned bad = RLOG_FLAG_REMARKS | RLOG_FLAG_UNSORTED | RLOG_FLAG_OTHERS;
	const unsigned good = RLOG_FLAG_OPEN | RLOG_FLAG_OUTER;
	uint64_t expected = 0;
	uint64_t latest = 0;

	for (size_t i = 0; i < count; i++) {
		const struct rlog_chunk *chunk = rows[i];

		if ((chunk->flags & bad) != 0 || (i > 0 && (chunk->flags & good) != good) ||
		    chunk->lost > 0 || chunk->count == 0 || chunk->sequence != expected ||
		    chunk->first_ticks < latest) {
			return false;
		}
		expected += chunk->count;
		latest = chunk->last_ticks;
	}
	return count > 0;
}

/* True if this domain has an index already. */
static bool has_index(const struct ra_builder *builder, uint32_t domain)
{
	return domain < RA_BUILDER_DIRECT_DOMAINS && builder->domain_index[domain] != 0;
}

/* True if all rows are pushes, pops and marks, as headers of chunks have said. Eight ops at once:
 * the three lowest bits of each are 001, 010 or 101, and no others are set. */
static bool are_ops_plain(const struct rlog_batch *batch)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t bad = 0;
	size_t i = 0;

	static_assert(RLOG_OP_PUSH == 1 && RLOG_OP_POP == 2 && RLOG_OP_MARK == 5, "see above");
	for (uint64_t ops; i + sizeof(ops) <= batch->count; i += sizeof(ops)) {
		memcpy(&ops, batch->op + i, sizeof(ops));
		bad |= (ops & ~(7 * ones)) | (~((ops ^ ops >> 1) & ~(ops >> 1 & ops >> 2)) & ones);
	}
	for (; i < batch->count; i++) {
		bad |= batch->op[i] != RLOG_OP_PUSH && batch->op[i] != RLOG_OP_POP &&
		       batch->op[i] != RLOG_OP_MARK;
	}
	return bad == 0;
}

bool ra_log_ends_is_known(const struct ra_builder *builder, const struct rlog_batch *batch)
{
	const uint32_t good_names = builder->good_names;
	size_t i = 0;

	if (batch->count == 0 || ra_slice_counts_are_in(batch) || !are_ops_plain(batch)) {
		return false;
	}
	while (i < batch->count) {
		const uint32_t domain = batch->domain[i];
		uint32_t bad = 0;

		if (!has_index(builder, domain)) {
			return false;
		}
		for (; bad == 0 && i + BLOCK <= batch->count; i += bad == 0 ? BLOCK : 0) {
			for (size_t k = i; k < i + BLOCK; k++) {
				bad |= (uint32_t) (batch->domain[k] != domain) |
				       (uint32_t) (batch->name[k] >= good_names);
			}
		}
		/* Checks row by row in a block with a difference, and at the end. */
		for (size_t end = i + BLOCK; i < batch->count && i < end; i++) {
			if (batch->name[i] >= good_names || !has_index(builder, batch->domain[i])) {
				return false;
			}
		}
	}
	return true;
}

/* Converts the time of a row to ns since time 0. */
static int64_t find_time(struct ra_log_ends *of, uint64_t ticks)
{
	return ra_clock_convert(of->clock, ticks, &of->segment) - of->zero_ns;
}

/* Takes the ends in a chunk. @depth: number of ranges open before its row 0. */
static void take_ends(struct search *search, const struct rlog_batch *batch, size_t depth)
{
	for (size_t i = 0; i < batch->count && search->left > search->known; i++) {
		if (batch->op[i] == RLOG_OP_PUSH) {
			depth++;
		} else if (batch->op[i] == RLOG_OP_POP && depth > 0) {
			depth--;
			if (depth < search->left) {
				search->left = depth;
				search->ends[depth] = (struct ra_slice_end){
					find_time(search->of, batch->ticks[i]), 0
				};
			}
		}
	}
}

/* Return: false if the chunk can't be decoded, or too many were decoded. */
static bool decode(struct search *search, size_t chunk)
{
	struct ra_log_ends *of = search->of;
	int rc;

	if (*of->decodes_left == 0) {
		return false;
	}
	*of->decodes_left -= 1;
	rc = rlog_reader_decode_events(of->reader, of->rows[chunk], of->scratch, NULL);
	if (rc == -RLOG_E_NO_MEMORY) {
		ra_alloc_end();
	}
	return rc == 0 && of->scratch->has_open;
}

/* Counts those of the ranges that are still open where a chunk begins. Return: SIZE_MAX:
 * unknown. */
static size_t count_survivors(struct search *search, size_t chunk)
{
	const struct rlog_batch *batch = search->of->scratch;
	size_t count = 0;

	if (!decode(search, chunk)) {
		return SIZE_MAX;
	}
	for (size_t i = 0; i < batch->open_count; i++) {
		count += batch->open[i].ticks < search->ticks;
	}
	return count;
}

/* Finds the last chunk, from `from` on, before which all remaining ranges are still open; they are
 * open before `from`. Searches by doubling steps, then by halving. */
static size_t find_last(struct search *search, size_t from)
{
	size_t low = from;
	size_t high = search->of->count;

	for (size_t step = 1; low + step < high; step *= 2) {
		if (count_survivors(search, low + step) < search->left) {
			high = low + step;
			break;
		}
		low += step;
	}
	while (high - low > 1) {
		const size_t middle = low + (high - low) / 2;

		if (count_survivors(search, middle) < search->left) {
			high = middle;
		} else {
			low = middle;
		}
	}
	return low;
}

bool ra_log_ends_find(void *context, size_t open, size_t known, struct ra_slice_end *ends)
{
	struct ra_log_ends *of = context;
	struct search search = { of, ends, known, open, of->rows[of->next]->first_ticks };
	size_t next = of->next + 1;

	take_ends(&search, of->batch, open);
	while (search.left > known && next < of->count) {
		next = find_last(&search, next);
		if (count_survivors(&search, next) != search.left) {
			return false;
		}
		take_ends(&search, of->scratch, of->scratch->open_count);
		next++;
	}
	if (search.left > known) {
		const int64_t last_ns = find_time(of, of->rows[of->count - 1]->last_ticks);
		const int64_t end_ns = last_ns > of->open_end_ns ? last_ns : of->open_end_ns;

		while (search.left > known) {
			ends[--search.left] = (struct ra_slice_end){ end_ns, RA_SLICE_OPEN };
		}
	}
	return true;
}
