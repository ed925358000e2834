/* SPDX-License-Identifier: MIT */
/* Writes a trace whose events are held, row by row. Events that overlap go on extra rows. */
#include "analyzer/pftrace/pftrace-write.h"

#include <stdlib.h>

#include "analyzer/pftrace/pftrace-flows.h"
#include "analyzer/pftrace/pftrace-head.h"
#include "analyzer/pftrace/pftrace-nest.h"
#include "analyzer/pftrace/pftrace-packets.h"

/* Writes a row's events in order. Events that do not nest go on extra rows. */
static void put_row(struct ra_pftrace *trace, struct ra_pftrace_packets *packets, uint32_t track,
                    uint32_t *events, size_t count)
{
	struct ra_pftrace_nest nest = { 0 };
	uint32_t row = track;

	for (int lane = 0; count > 0 && lane < RA_PFTRACE_NEST_LANES; lane++) {
		size_t left = 0;

		if (lane > 0) {
			row = ra_pftrace_add_lane(trace, track);
			ra_pftrace_head_put_track(packets, row);
		}
		for (size_t i = 0; i < count; i++) {
			const struct ra_pftrace_event *event = ra_pftrace_get(trace, events[i]);

			if (!ra_pftrace_nest_put(
				    &nest, packets, row, event,
				    ra_protobuf_bytes_at(&trace->args.bytes, event->args))) {
				events[left++] = events[i];
			}
		}
		ra_pftrace_nest_close(&nest, packets, row, INT64_MAX);
		count = left;
	}
	ra_pftrace_nest_fini(&nest);
}

void ra_pftrace_write(struct ra_pftrace *trace, struct ra_outbuf *out)
{
	struct ra_pftrace_packets packets;
	struct ra_pftrace_order order;
	uint32_t row_count;

	ra_protobuf_texts_fini(&trace->flows); /* no keys are made any more */
	ra_protobuf_texts_fini(&trace->spans);
	if (trace->point_count > 0) {
		ra_pftrace_bind(trace);
	}
	ra_pftrace_order_init(&order, trace);
	row_count = (uint32_t) trace->track_count;
	ra_pftrace_packets_init(&packets, trace, out);
	ra_pftrace_head_put(&packets, row_count);
	for (uint32_t row = 0; row < row_count; row++) {
		put_row(trace, &packets, row, order.events + order.rows[row],
		        order.rows[row + 1] - order.rows[row]);
	}
	ra_pftrace_packets_put_samples(&packets);
	ra_pftrace_packets_finish(&packets);
	ra_pftrace_order_fini(&order);
}
