/* SPDX-License-Identifier: MIT */
/* Removes rows that will not be read. */
#include "analyzer/rows/kineto-drop.h"

#include <string.h>

#include "analyzer/base/util.h"
#include "analyzer/rows/kineto-store.h"

#define BLOCK_MASK (((uint32_t) 1 << RA_KINETO_BLOCK_BITS) - 1)

struct dropping {
	struct ra_kineto *kineto;
	/* wide numbers of the rows that are kept, by new number; the next three as well */
	struct ra_kineto_wide long_durs;
	struct ra_kineto_wide far_packed;
	struct ra_kineto_wide far_commons;
	struct ra_kineto_wide far_ts;
	/* packed_base of the current row's block, saved because new blocks overwrite it … */
	uint64_t base;
	int64_t ts_base; /* … and its ts_base */
	uint64_t end;    /* end of the packed bytes that are kept */
	uint32_t to;
};

/* Finds where the packed bytes of a row begin. Call it for each row in order. */
static uint64_t find_start(struct dropping *dropping, uint32_t row)
{
	const struct ra_kineto *k = dropping->kineto;

	if ((row & BLOCK_MASK) == 0) {
		dropping->base = k->packed_base[row >> RA_KINETO_BLOCK_BITS];
	}
	return k->packed_at[row] == UINT16_MAX ? (uint64_t) ra_kineto_wide_get(&k->far_packed, row)
	                                       : dropping->base + k->packed_at[row];
}

static int64_t find_ts(const struct dropping *dropping, uint32_t row)
{
	const struct ra_kineto *k = dropping->kineto;
	const uint32_t ts_ns = k->short_ts_ns[row];

	return ts_ns == UINT32_MAX ? ra_kineto_wide_get(&k->far_ts, row)
	       : ts_ns == 0        ? 0
	                           : ra_kineto_from_base(dropping->ts_base, ts_ns);
}

static void note_place(struct dropping *dropping)
{
	struct ra_kineto *k = dropping->kineto;
	uint64_t *base = &k->packed_base[dropping->to >> RA_KINETO_BLOCK_BITS];

	if ((dropping->to & BLOCK_MASK) == 0) {
		*base = dropping->end;
		k->ts_base[dropping->to >> RA_KINETO_BLOCK_BITS] = 0;
	}
	if (dropping->end - *base < UINT16_MAX) {
		k->packed_at[dropping->to] = (uint16_t) (dropping->end - *base);
	} else {
		k->packed_at[dropping->to] = UINT16_MAX;
		ra_kineto_wide_put(&dropping->far_packed, dropping->to, (int64_t) dropping->end);
	}
}

static void keep_row(struct dropping *dropping, uint32_t row, uint64_t start, uint64_t end)
{
	struct ra_kineto *k = dropping->kineto;
	const uint32_t to = dropping->to;

	note_place(dropping);
	memmove(k->packed + dropping->end, k->packed + start, end - start);
	dropping->end += end - start;
	if (k->short_dur_ns[row] == UINT32_MAX) {
		ra_kineto_wide_put(&dropping->long_durs, to,
		                   ra_kineto_wide_get(&k->long_durs, row));
	}
	if (k->common[row] == UINT16_MAX) {
		ra_kineto_wide_put(&dropping->far_commons, to,
		                   ra_kineto_wide_get(&k->far_commons, row));
	}
	ra_kineto_store_ts(k, &dropping->far_ts, to, find_ts(dropping, row));
	k->short_dur_ns[to] = k->short_dur_ns[row];
	k->name[to] = k->name[row];
	k->corr[to] = k->corr[row];
	k->external[to] = k->external[row];
	k->common[to] = k->common[row];
	k->kind[to] = k->kind[row];
	k->flags[to] = k->flags[row];
	dropping->to++;
}

static void shrink(struct ra_kineto *k)
{
	const size_t rows = k->count + 1;

	ra_util_resize(&k->short_ts_ns, rows, sizeof(*k->short_ts_ns));
	ra_util_resize(&k->short_dur_ns, rows, sizeof(*k->short_dur_ns));
	ra_util_resize(&k->name, rows, sizeof(*k->name));
	ra_util_resize(&k->corr, rows, sizeof(*k->corr));
	ra_util_resize(&k->external, rows, sizeof(*k->external));
	ra_util_resize(&k->common, rows, sizeof(*k->common));
	ra_util_resize(&k->kind, rows, sizeof(*k->kind));
	ra_util_resize(&k->flags, rows, sizeof(*k->flags));
	ra_util_resize(&k->packed_at, rows, sizeof(*k->packed_at));
	ra_util_resize(&k->packed, k->packed_bytes + 1, 1);
}

void ra_kineto_drop(struct ra_kineto *kineto, uint64_t kinds)
{
	struct dropping dropping = { .kineto = kineto };
	uint64_t start = kineto->count > 0 ? find_start(&dropping, 0) : 0;

	for (uint32_t row = 0; row < kineto->count; row++) {
		uint64_t end = kineto->packed_bytes;

		if ((row & BLOCK_MASK) == 0) {
			dropping.ts_base = kineto->ts_base[row >> RA_KINETO_BLOCK_BITS];
		}
		if (row + 1 < kineto->count) {
			end = find_start(&dropping, row + 1);
		}
		if ((kinds >> kineto->kind[row] & 1) == 0) {
			keep_row(&dropping, row, start, end);
		}
		start = end;
	}
	kineto->dropped = kineto->count - dropping.to;
	kineto->count = dropping.to;
	kineto->packed_bytes = dropping.end;
	ra_kineto_wide_fini(&kineto->long_durs);
	ra_kineto_wide_fini(&kineto->far_packed);
	kineto->long_durs = dropping.long_durs;
	kineto->far_packed = dropping.far_packed;
	ra_kineto_wide_fini(&kineto->far_ts);
	kineto->far_ts = dropping.far_ts;
	ra_kineto_wide_fini(&kineto->far_commons);
	kineto->far_commons = dropping.far_commons;
	shrink(kineto);
}
