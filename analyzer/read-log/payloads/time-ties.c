/* SPDX-License-Identifier: MIT */
/* Reads what the program reported about clocks that we can't read. */
#include "analyzer/read-log/payloads/time-ties.h"

#include <stdlib.h>

#include "analyzer/base/order/order.h"
#include "analyzer/base/util.h"
#include "format/columns/cursor.h"

/* function numbers of nvtxTimeSyncPoint and nvtxTimeSyncPointTable */
#define SYNC_POINT 0x120D
#define SYNC_TABLE 0x120E

bool ra_time_ties_is_wanted(uint64_t function)
{
	return function == SYNC_POINT || function == SYNC_TABLE;
}

static void add(struct ra_time_ties *ties, const struct ra_time_tie *tie)
{
	ra_util_grow(&ties->ties, &ties->capacity, ties->count + 2, sizeof(*ties->ties));
	ties->ties[ties->count++] = *tie;
	ties->ties[ties->count++] = (struct ra_time_tie){ tie->domain, tie->to, tie->from,
		                                          tie->to_time, tie->from_time };
}

static bool read_number(struct rlog_cursor *cursor, uint64_t *out)
{
	struct rlog_cursor_int number;

	if (rlog_cursor_peek(cursor) != RLOG_CURSOR_INT ||
	    rlog_cursor_read_int(cursor, &number) != 0) {
		return false;
	}
	*out = number.bits;
	return true;
}

static bool read_pair(struct rlog_cursor *cursor, struct ra_time_tie *tie)
{
	uint64_t from = 0;
	uint64_t to = 0;

	if (!read_number(cursor, &from) || !read_number(cursor, &to)) {
		return false;
	}
	tie->from_time = (int64_t) from;
	tie->to_time = (int64_t) to;
	return true;
}

/* Reads [time domain 1, time domain 2, time 1, time 2], or for a table of points [source,
 * destination, [[time, time]…]]. Anything else is skipped. */
static void add_call(struct ra_time_ties *ties, const struct ra_model *model,
                     const struct ra_data *data)
{
	const struct ra_call *call = &model->calls[data->owner];
	struct ra_time_tie tie = { .domain = model->domains[call->domain].id };
	struct rlog_cursor cursor = { (const uint8_t *) model->data_bytes + data->from, NULL };
	uint32_t count = 0;
	uint32_t pair;

	cursor.end = cursor.pos + data->length;
	if (rlog_cursor_peek(&cursor) != RLOG_CURSOR_ARRAY ||
	    rlog_cursor_read_array(&cursor, &count) != 0 || count < 3 ||
	    !read_number(&cursor, &tie.from) || !read_number(&cursor, &tie.to)) {
		return;
	}
	if (call->function == SYNC_POINT) {
		if (read_pair(&cursor, &tie)) {
			add(ties, &tie);
		}
		return;
	}
	if (rlog_cursor_peek(&cursor) != RLOG_CURSOR_ARRAY ||
	    rlog_cursor_read_array(&cursor, &count) != 0) {
		return;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (rlog_cursor_peek(&cursor) != RLOG_CURSOR_ARRAY ||
		    rlog_cursor_read_array(&cursor, &pair) != 0 || pair != 2 ||
		    !read_pair(&cursor, &tie)) {
			return;
		}
		add(ties, &tie);
	}
}

static int compare(const void *left, const void *right)
{
	const struct ra_time_tie *a = left;
	const struct ra_time_tie *b = right;
	int order = RA_ORDER_UP(a, b, domain);

	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, from));
	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, to));
	order = RA_ORDER_THEN(order, RA_ORDER_UP(a, b, from_time));
	return RA_ORDER_THEN(order, RA_ORDER_UP(a, b, to_time));
}

void ra_time_ties_init(struct ra_time_ties *ties, const struct ra_model *model)
{
	*ties = (struct ra_time_ties){ 0 };
	for (size_t i = 0; i < model->call_data.count; i++) {
		const struct ra_data *data = &model->call_data.rows[i];

		if (ra_time_ties_is_wanted(model->calls[data->owner].function)) {
			add_call(ties, model, data);
		}
	}
	RA_SORT(ties->ties, ties->count, compare);
}

void ra_time_ties_fini(struct ra_time_ties *ties)
{
	free(ties->ties);
}

size_t ra_time_ties_next(const struct ra_time_ties *ties, uint32_t domain, uint64_t from,
                         size_t *at)
{
	for (; *at < ties->count; (*at)++) {
		const struct ra_time_tie *tie = &ties->ties[*at];

		if (tie->domain == domain && tie->from == from &&
		    (*at == 0 || tie[-1].domain != domain || tie[-1].from != from ||
		     tie[-1].to != tie->to)) {
			return (*at)++;
		}
	}
	return ties->count;
}

int64_t ra_time_ties_convert(const struct ra_time_ties *ties, size_t first, int64_t time)
{
	const struct ra_time_tie *tie = &ties->ties[first];
	const struct ra_time_tie *end = ties->ties + ties->count;
	uint64_t since;

	while (tie + 1 < end && tie[1].domain == tie->domain && tie[1].from == tie->from &&
	       tie[1].to == tie->to && tie[1].from_time <= time) {
		tie++;
	}
	/* These sums are modulo 2^64. The caller checks the result, because senseless input gives a
	 * senseless result. */
	since = (uint64_t) time - (uint64_t) tie->from_time;
	if (time > tie->from_time && tie + 1 < end && tie[1].domain == tie->domain &&
	    tie[1].from == tie->from && tie[1].to == tie->to) {
		const uint64_t width = (uint64_t) tie[1].from_time - (uint64_t) tie->from_time;
		const double slope =
			(double) ((int64_t) ((uint64_t) tie[1].to_time - (uint64_t) tie->to_time) -
		                  (int64_t) width) /
			(double) width;

		since += (uint64_t) (int64_t) ((double) since * slope);
	}
	return (int64_t) ((uint64_t) tie->to_time + since);
}
