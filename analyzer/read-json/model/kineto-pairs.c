/* SPDX-License-Identifier: MIT */
/* Pairs begins with ends in a Chrome trace: phases B with E, and b with e. */
#include "analyzer/read-json/model/kineto-pairs.h"

#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util-map.h"

struct pairing {
	struct ra_kineto *kineto;
	struct ra_quality *quality;
	struct ra_util_map newest; /* key → the newest open event */
	/* by event: the event with the same key that was open before it; when it ends, the event
	 * that ends it */
	uint32_t *below;
};

/* Makes the key of an event. Events that pair have the same key, made of the thread, or of category
 * and id. */
static uint64_t find_key(const struct ra_kineto *k, uint32_t event, bool is_async)
{
	struct ra_kineto_value id = { .type = RA_KINETO_ABSENT };
	uint64_t key;

	if (!is_async) {
		return ra_kineto_get_thread(k, event);
	}
	if (!ra_kineto_get_field(k, event, RA_KINETO_ARG_ID, &id)) {
		ra_kineto_get_field(k, event, RA_KINETO_ARG_ID2, &id);
	}
	/* For a text, its string id is used. A collision of two keys is very unlikely below 2^32
	 * ids. */
	key = (uint64_t) id.integer * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t) id.type;
	key = (key ^ ra_kineto_get_category(k, event)) * UINT64_C(0xBF58476D1CE4E5B9);
	return key | UINT64_C(1) << 63;
}

static void take_event(struct pairing *pairing, uint32_t i)
{
	struct ra_kineto *k = pairing->kineto;
	const enum ra_kineto_kind kind = k->kind[i];
	const bool is_async = kind == RA_KINETO_ASYNC_BEGIN || kind == RA_KINETO_ASYNC_END;
	const bool is_begin = kind == RA_KINETO_ASYNC_BEGIN || kind == RA_KINETO_BEGIN;
	uint64_t key;
	uint32_t top;
	uint32_t below;

	if ((!is_async && kind != RA_KINETO_BEGIN && kind != RA_KINETO_END) ||
	    (k->flags[i] & RA_KINETO_HAS_TS) == 0) {
		return;
	}
	key = find_key(k, i, is_async);
	top = ra_util_map_find(&pairing->newest, key);
	if (is_begin) {
		pairing->below[i] = top;
		ra_util_map_put(&pairing->newest, key, i);
		return;
	}
	if (top == RA_UTIL_MAP_NONE) {
		*(is_async ? &pairing->quality->unmatched_ends
		           : &pairing->quality->unmatched_pops) += 1;
		return;
	}
	ra_kineto_set_dur(k, top, ra_kineto_ts(k, i) - ra_kineto_ts(k, top));
	below = pairing->below[top];
	pairing->below[top] = i;
	k->flags[top] |= RA_KINETO_HAS_DUR;
	if (below == RA_UTIL_MAP_NONE) {
		ra_util_map_remove(&pairing->newest, key);
	} else {
		ra_util_map_put(&pairing->newest, key, below);
	}
}

/* HAS_DUR marked the events that were paired. It is cleared, because these events have no dur in
 * the file. */
static void close_open(struct pairing *pairing, int64_t end_ns)
{
	struct ra_kineto *k = pairing->kineto;

	for (uint32_t i = 0; i < k->count; i++) {
		const bool is_begin =
			k->kind[i] == RA_KINETO_BEGIN || k->kind[i] == RA_KINETO_ASYNC_BEGIN;

		if (!is_begin || (k->flags[i] & RA_KINETO_HAS_TS) == 0) {
			continue;
		}
		if ((k->flags[i] & RA_KINETO_HAS_DUR) == 0) {
			ra_kineto_set_dur(k, i, end_ns - ra_kineto_ts(k, i));
			pairing->below[i] = RA_KINETO_NONE;
			pairing->quality->open_ranges++;
		}
		k->flags[i] &= (uint8_t) ~RA_KINETO_HAS_DUR;
	}
}

uint32_t *ra_kineto_pairs_find(struct ra_model *model)
{
	struct ra_kineto *k = model->kineto;
	struct pairing pairing = { .kineto = k, .quality = &model->quality };
	int64_t end_ns = INT64_MIN;

	if (k->kind_count[RA_KINETO_BEGIN] + k->kind_count[RA_KINETO_END] +
	            k->kind_count[RA_KINETO_ASYNC_BEGIN] + k->kind_count[RA_KINETO_ASYNC_END] ==
	    0) {
		return NULL;
	}
	pairing.below = ra_alloc_bytes((k->count + 1) * sizeof(*pairing.below));
	memset(pairing.below, 0xFF, k->count * sizeof(*pairing.below));
	for (uint32_t i = 0; i < k->count; i++) {
		const bool is_x = k->kind[i] <= RA_KINETO_LAST_X && ra_kineto_dur(k, i) > 0;
		const int64_t last_ns = ra_kineto_ts(k, i) + (is_x ? ra_kineto_dur(k, i) : 0);

		if ((k->flags[i] & RA_KINETO_HAS_TS) != 0 && last_ns > end_ns) {
			end_ns = last_ns;
		}
		take_event(&pairing, i);
	}
	close_open(&pairing, end_ns);
	ra_util_map_free(&pairing.newest);
	return pairing.below;
}
