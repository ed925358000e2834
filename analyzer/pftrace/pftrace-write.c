/* SPDX-License-Identifier: MIT */
/* Writes events in the order that protobuf needs: row by row. Events that overlap go on extra
 * rows. */
#include "analyzer/pftrace/pftrace-write.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order/order.h"
#include "analyzer/base/order/util-sort.h"
#include "analyzer/base/util.h"
#include "analyzer/pftrace/pftrace-flows.h"
#include "analyzer/pftrace/pftrace-nest.h"
#include "analyzer/pftrace/pftrace-packets.h"

struct ra_pftrace_writing {
	struct ra_pftrace *trace;
	struct ra_pftrace_packets packets;
	struct ra_pftrace_nest nest;   /* owned; slices that are open */
	struct ra_pftrace_order order; /* of the events held from earlier passes */
	size_t kept, kept_args_bytes;  /* number of events held from earlier passes, and bytes of
	                                  their arguments */
	uint32_t row_count;            /* number of rows, without the extra rows that are added
	                                  while writing */
	uint32_t row;                  /* the row being written; those before it are complete */
	uint32_t *together; /* owned; events of this row that begin at the same time: indexes … */
	size_t together_count, together_capacity;
	uint32_t *left; /* owned; … events that overlap others on it … */
	size_t left_count, left_capacity;
	uint32_t *later; /* owned; … and events of rows that are not being written yet */
	size_t later_done, later_count, later_capacity;
	bool is_later_sorted;
};

/* Writes an event if it nests in the open slices. Return: false if it does not nest. */
static bool put_nested(struct ra_pftrace_writing *writing, uint32_t track,
                       const struct ra_pftrace_event *event)
{
	return ra_pftrace_nest_put(&writing->nest, &writing->packets, track, event,
	                           writing->trace->args.bytes.bytes + event->args);
}

static void close_slices(struct ra_pftrace_writing *writing, uint32_t track)
{
	ra_pftrace_nest_close(&writing->nest, &writing->packets, track, INT64_MAX);
}

/* Writes a row's events in order. Events that do not nest go on extra rows. @pass: 0 begins with
 * the row itself, 1 with an extra row. */
static void put_events(struct ra_pftrace_writing *writing, uint32_t track, uint32_t *events,
                       size_t count, int pass)
{
	uint32_t lane = track;

	for (; count > 0 && pass < RA_PFTRACE_NEST_LANES; pass++) {
		size_t left = 0;

		if (pass > 0) {
			lane = ra_pftrace_add_lane(writing->trace, track);
			ra_pftrace_packets_put_track(&writing->packets, lane);
		}
		for (size_t i = 0; i < count; i++) {
			if (!put_nested(writing, lane, ra_pftrace_get(writing->trace, events[i]))) {
				events[left++] = events[i];
			}
		}
		close_slices(writing, lane);
		count = left;
	}
}

/* ---- rows written while they are drawn ---- */

static void sort_together(struct ra_pftrace_writing *writing)
{
	const struct ra_pftrace_event *events = writing->trace->events;
	const size_t count = writing->together_count;
	struct ra_util_sort_entry *entries = ra_alloc_bytes(count * sizeof(*entries));

	for (size_t i = 0; i < count; i++) {
		entries[i] = (struct ra_util_sort_entry){
			.key = ra_pftrace_length_key(events[writing->together[i]].dur_ns),
			.index = writing->together[i],
		};
	}
	ra_util_sort(&entries, count);
	for (size_t i = 0; i < count; i++) {
		writing->together[i] = entries[i].index;
	}
	free(entries);
}

/* Writes the events that began at the same time. */
static void put_together(struct ra_pftrace_writing *writing)
{
	const struct ra_pftrace_event *events = writing->trace->events;

	if (writing->together_count > 1) {
		sort_together(writing);
	}
	for (size_t i = 0; i < writing->together_count; i++) {
		if (!put_nested(writing, writing->row, &events[writing->together[i]])) {
			RA_UTIL_APPEND(writing->left, writing->left_count, writing->left_capacity,
			               writing->together[i]);
		}
	}
	writing->together_count = 0;
}

static int compare_events(const void *left, const void *right, void *context)
{
	const struct ra_pftrace_event *events = context;
	const struct ra_pftrace_event *a = &events[*(const uint32_t *) left];
	const struct ra_pftrace_event *b = &events[*(const uint32_t *) right];
	int order = RA_ORDER(a->track, b->track);

	order = RA_ORDER_THEN(order, RA_ORDER(a->start_ns, b->start_ns));
	order = RA_ORDER_THEN(order, RA_ORDER(ra_pftrace_length_key(a->dur_ns),
	                                      ra_pftrace_length_key(b->dur_ns)));
	return RA_ORDER_THEN(order, RA_ORDER(a->number, b->number));
}

/* Writes the held events of this row. Those of rows before it were written already. */
static void put_later(struct ra_pftrace_writing *writing)
{
	struct ra_pftrace_event *events = writing->trace->events;
	size_t end = writing->later_done;

	if (!writing->is_later_sorted) {
		RA_SORT_WITH(writing->later + end, writing->later_count - end, compare_events,
		             events);
		writing->is_later_sorted = true;
	}
	while (end < writing->later_count && events[writing->later[end]].track == writing->row) {
		end++;
	}
	put_events(writing, writing->row, writing->later + writing->later_done,
	           end - writing->later_done, 0);
	writing->later_done = end;
	if (end == writing->later_count) {
		writing->later_done = 0;
		writing->later_count = 0;
	}
}

/* Goes on to the next row that is not complete. */
static void advance(struct ra_pftrace_writing *writing)
{
	const struct ra_pftrace_order *order = &writing->order;

	while (writing->row < writing->row_count &&
	       writing->trace->tracks[writing->row].streamed == 0) {
		const size_t first = order->rows[writing->row];

		put_together(writing);
		close_slices(writing, writing->row);
		put_events(writing, writing->row, writing->left, writing->left_count, 1);
		writing->left_count = 0;
		put_events(writing, writing->row, order->events + first,
		           order->rows[writing->row + 1] - first, 0);
		if (writing->later_count > 0) {
			put_later(writing);
		}
		writing->row++;
	}
}

/* Holds an event until its turn. Once no event waits any more, the memory of written events is used
 * again. */
static uint32_t keep(struct ra_pftrace_writing *writing, const struct ra_pftrace_event *event)
{
	struct ra_pftrace *trace = writing->trace;
	struct ra_protobuf_bytes *args = &trace->args.bytes;
	struct ra_pftrace_event kept = *event;

	if (writing->left_count + writing->later_count + writing->together_count == 0) {
		trace->event_count = writing->kept;
		kept.args = writing->kept_args_bytes;
		args->used = kept.args + kept.args_bytes;
		if (kept.args_bytes > 0) {
			memmove(args->bytes + kept.args, args->bytes + event->args,
			        kept.args_bytes);
		}
	}
	return ra_pftrace_keep(trace, &kept);
}

static void take_event(void *context, const struct ra_pftrace_event *event)
{
	struct ra_pftrace_writing *writing = context;
	struct ra_pftrace *trace = writing->trace;
	struct ra_pftrace_track *track = &trace->tracks[event->track];

	if (event->track == writing->row && !track->is_disordered) {
		if (writing->together_count > 0 &&
		    trace->events[writing->together[0]].start_ns != event->start_ns) {
			put_together(writing);
		}
		const uint32_t index = keep(writing, event);

		RA_UTIL_APPEND(writing->together, writing->together_count,
		               writing->together_capacity, index);
	} else {
		const uint32_t index = keep(writing, event);

		RA_UTIL_APPEND(writing->later, writing->later_count, writing->later_capacity,
		               index);
		writing->is_later_sorted = false;
		track->is_disordered = true; /* later events must wait for this one */
	}
	track->streamed--;
	if (event->track == writing->row) {
		advance(writing);
	}
}

/* Finds arrows and rows, before anything is written. */
static void prepare(struct ra_pftrace_writing *writing, void (*draw)(void *context), void *context)
{
	struct ra_pftrace *trace = writing->trace;
	struct ra_pftrace_binding binding;

	writing->kept = trace->event_count;
	writing->kept_args_bytes = trace->args.bytes.used;
	ra_protobuf_texts_fini(&trace->flows); /* only the first pass makes keys */
	ra_protobuf_texts_fini(&trace->spans);
	if (trace->point_count > 0) {
		ra_pftrace_binding_init(&binding, trace);
		if (trace->has_streamed) {
			trace->pass = RA_PFTRACE_BIND;
			trace->drawn = 0;
			draw(context);
		}
		ra_pftrace_binding_finish(&binding);
	}
	ra_pftrace_order_init(&writing->order, trace);
	writing->row_count = (uint32_t) trace->track_count;
}

static void free_lists(struct ra_pftrace_writing *writing)
{
	ra_pftrace_nest_fini(&writing->nest);
	free(writing->together);
	free(writing->left);
	free(writing->later);
}

void ra_pftrace_write(struct ra_pftrace *trace, struct ra_outbuf *out, void (*draw)(void *context),
                      void *context)
{
	struct ra_pftrace_writing writing = { .trace = trace };

	ra_pftrace_packets_init(&writing.packets, trace, out);
	prepare(&writing, draw, context);
	ra_pftrace_packets_put_head(&writing.packets, writing.row_count);
	advance(&writing);
	if (trace->has_streamed) {
		trace->pass = RA_PFTRACE_STREAM;
		trace->drawn = 0;
		trace->take = take_event;
		/* cppcheck-suppress autoVariables ; for the time of the drawing */
		trace->context = &writing;
		draw(context);
		trace->take = NULL;
		trace->context = NULL;
	}
	ra_pftrace_packets_put_samples(&writing.packets);
	ra_pftrace_packets_finish(&writing.packets);
	ra_pftrace_order_fini(&writing.order);
	free_lists(&writing);
}
