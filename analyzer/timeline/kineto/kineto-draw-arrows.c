/* SPDX-License-Identifier: MIT */
/* Matches the ends of flow arrows in a trace in JSON, and marks ends whose other end is missing. */
#include <ctype.h>
#include <stdlib.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/util-sort.h"
#include "analyzer/timeline/kineto/kineto-draw.h"

#define ID_OF_TEXT (UINT64_C(1) << 63)

/* Perfetto reads ids that are texts as hexadecimal numbers. */
static bool is_hex(struct rlog_string text)
{
	bool is_good = text.length > 0 && text.length <= 15;

	for (uint32_t i = 0; i < text.length && is_good; i++) {
		is_good = isxdigit((unsigned char) text.bytes[i]) != 0;
	}
	return is_good;
}

static bool find_id(const struct ra_kineto *k, uint32_t event, uint64_t *id)
{
	struct ra_kineto_value value;

	if (k->corr[event] != RA_KINETO_NONE) {
		*id = k->corr[event];
		return true;
	}
	if (!ra_kineto_get_field(k, event, RA_KINETO_ARG_ID, &value)) {
		return false;
	}
	*id = (uint64_t) value.integer;
	if (value.type == RA_KINETO_STRING) {
		*id |= ID_OF_TEXT;
		return is_hex(value.text);
	}
	return value.type == RA_KINETO_INT && value.text.length == 0 && value.integer >= 0;
}

struct halves {
	struct ra_util_sort_entry *entries; /* owned */
	size_t count;
	struct ra_util_map names; /* (cat, name) → number */
	struct ra_util_map ids;   /* id → number */
};

/* Collects the arrow ends that are bound to slices. An arrow is identified by cat, name and id. */
static void gather(struct ra_kineto_draw *draw, struct halves *halves)
{
	const struct ra_kineto *k = draw->kineto;
	const size_t most = k->kind_count[RA_KINETO_FLOW_START] +
	                    k->kind_count[RA_KINETO_FLOW_STEP] + k->kind_count[RA_KINETO_FLOW_END];

	halves->entries = ra_alloc_zeros(most + 1, sizeof(*halves->entries));
	for (uint32_t i = 0; i < k->count && most > 0; i++) {
		uint32_t name;
		uint32_t number;
		uint64_t id;

		if (k->kind[i] < RA_KINETO_FLOW_START || k->kind[i] > RA_KINETO_FLOW_END ||
		    ra_kineto_draw_lacks_end(draw, i)) {
			continue;
		}
		if (!find_id(k, i, &id)) {
			draw->row_of[i] |= RA_KINETO_DRAW_NO_ARROW;
			continue;
		}
		ra_util_map_number(&halves->names,
		                   (uint64_t) ra_kineto_get_category(k, i) << 32 | k->name[i],
		                   &name);
		ra_util_map_number(&halves->ids, id, &number);
		if (halves->count < most) {
			halves->entries[halves->count++] =
				(struct ra_util_sort_entry){ .key = (uint64_t) name << 32 | number,
				                             .index = i };
		}
	}
	ra_util_sort(&halves->entries, halves->count);
}

/* Matches the ends of one arrow: those from its first start up to the start of another arrow with
 * the same id. */
static void match(struct ra_kineto_draw *draw, const struct ra_util_sort_entry *entries,
                  size_t count)
{
	const struct ra_kineto *k = draw->kineto;
	uint32_t start = RA_KINETO_NONE;
	int64_t before_ns = INT64_MAX;
	bool has_end = false;

	for (size_t i = 0; i < count; i++) {
		const uint32_t event = entries[i].index;

		if (ra_kineto_get_phase(k, event) == 's' &&
		    (start == RA_KINETO_NONE ||
		     ra_kineto_ts(draw->kineto, event) < ra_kineto_ts(draw->kineto, start))) {
			start = event;
		}
	}
	for (size_t i = 0; i < count; i++) {
		const uint32_t event = entries[i].index;

		if (ra_kineto_get_phase(k, event) == 's' && event != start &&
		    ra_kineto_ts(draw->kineto, event) < before_ns) {
			before_ns = ra_kineto_ts(draw->kineto, event);
		}
	}
	for (size_t i = 0; i < count; i++) {
		const uint32_t event = entries[i].index;
		const bool is_in =
			start != RA_KINETO_NONE && event != start &&
			ra_kineto_get_phase(k, event) != 's' &&
			ra_kineto_ts(draw->kineto, event) >= ra_kineto_ts(draw->kineto, start) &&
			ra_kineto_ts(draw->kineto, event) < before_ns;

		has_end |= is_in && ra_kineto_get_phase(k, event) == 'f';
		if (!is_in) {
			draw->row_of[event] |= RA_KINETO_DRAW_NO_ARROW;
		}
	}
	for (size_t i = 0; i < count; i++) {
		if (!has_end) {
			draw->row_of[entries[i].index] |= RA_KINETO_DRAW_NO_ARROW;
		} else if (entries[i].index == start) {
			draw->row_of[start] &= ~RA_KINETO_DRAW_NO_ARROW;
		}
	}
}

void ra_kineto_draw_arrows_match(struct ra_kineto_draw *draw)
{
	struct halves halves = { 0 };

	gather(draw, &halves);
	for (size_t i = 0; i < halves.count;) {
		size_t end = i + 1;

		while (end < halves.count && halves.entries[end].key == halves.entries[i].key) {
			end++;
		}
		match(draw, halves.entries + i, end - i);
		i = end;
	}
	free(halves.entries);
	ra_util_map_free(&halves.names);
	ra_util_map_free(&halves.ids);
}
