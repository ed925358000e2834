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
#include "analyzer/pftrace/pftrace-packets.h"

struct open {
	int64_t start_ns;
	int64_t end_ns;
	bool has_end;
};

struct ra_pftrace_writing {
	struct ra_pftrace *trace;
	struct ra_pftrace_packets packets;
	struct open *stack; /* owned; open slices */
	size_t stack_count, stack_capacity;
	struct ra_pftrace_order order; /* order of the events that are held from earlier passes */
	size_t kept, kept_args_bytes;  /* number of events held from earlier passes, and bytes of
	                                  their arguments */
	uint32_t row_count;            /* number of rows, without the extra rows that are added
	                                  while writing */
	uint32_t row;       /* the row that is being written; all rows before it are complete */
	uint32_t *together; /* owned; indexes of events of this row that begin at the same time … */
	size_t together_count, together_capacity;
	uint32_t *left; /* owned; … of events that overlap others on it … */
	size_t left_count, left_capacity;
	uint32_t *later; /* owned; … and of events of rows that are not being written yet */
	size_t later_done, later_count, later_capacity;
	bool is_later_sorted;
	bool has_failed; /* events were not in the order in which they are written */
};

/* A row gets at most this many extra rows. Events that overlap on one extra row go to the next. */
#define MAX_LANES 256

static int64_t find_end(const struct ra_pftrace_event *event)
{
	return event->dur_ns == RA_PFTRACE_NEVER ? INT64_MAX
	                                         : ra_util_add_time(event->start_ns, event->dur_ns);
}

/* Ends the slices that are over at a time. As in JSON, a slice of 0 ns contains events that begin
 * at the same time. */
static void close_slices(struct ra_pftrace_writing *writing, uint32_t track, int64_t time_ns)
{
	while (writing->stack_count > 0) {
		const struct open *top = &writing->stack[writing->stack_count - 1];

		if (top->end_ns > time_ns ||
		    (top->end_ns == top->start_ns && top->start_ns == time_ns)) {
			return;
		}
		writing->stack_count--;
		if (top->has_end) {
			ra_pftrace_packets_put_end(&writing->packets, track, top->end_ns);
		}
	}
}

/* Writes an event if it nests in the open slices. Return: false if it does not nest. */
static bool put_nested(struct ra_pftrace_writing *writing, uint32_t track,
                       const struct ra_pftrace_event *event)
{
	const struct open open = { event->start_ns, find_end(event),
		                   event->dur_ns != RA_PFTRACE_NEVER };

	close_slices(writing, track, event->start_ns);
	if (event->is_instant) {
		ra_pftrace_packets_put_event(&writing->packets, track, event);
		return true;
	}
	if (writing->stack_count > 0 &&
	    open.end_ns > writing->stack[writing->stack_count - 1].end_ns) {
		return false;
	}
	ra_pftrace_packets_put_event(&writing->packets, track, event);
	RA_UTIL_APPEND(writing->stack, writing->stack_count, writing->stack_capacity, open);
	return true;
}

/* Writes a row's events in order. Events that do not nest go on extra rows. @pass: 0: the first row
 * is the row itself; 1: it is an extra row. */
static void put_events(struct ra_pftrace_writing *writing, uint32_t track, uint32_t *events,
                       size_t count, int pass)
{
	uint32_t lane = track;

	for (; count > 0 && pass < MAX_LANES; pass++) {
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
		close_slices(writing, lane, INT64_MAX);
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

/* Writes the events that begin at the same time. */
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

/* Writes the events of this row that were held. Those of earlier rows have been written. */
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
		close_slices(writing, writing->row, INT64_MAX);
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

/* Holds an event until its turn. When no event waits any more, the memory of written events is
 * reused. */
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
		track->is_disordered = true; /* so that later events wait for this event */
	}
	track->streamed--;
	if (event->track == writing->row) {
		advance(writing);
	}
}

/* Finds arrows and rows. Called before anything is written. */
static void prepare(struct ra_pftrace_writing *writing, void (*draw)(void *context), void *context)
{
	struct ra_pftrace *trace = writing->trace;
	struct ra_pftrace_binding binding;

	writing->kept = trace->event_count;
	writing->kept_args_bytes = trace->args.bytes.used;
	/* only the first pass makes keys, so they are not needed any more */
	ra_protobuf_texts_fini(&trace->flows);
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
	free(writing->stack);
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

/* ---- events written in the first pass ---- */

/* Ends a row. Return: false: some of its events need extra rows, which are not known yet. */
static bool end_row(struct ra_pftrace_writing *writing)
{
	put_together(writing);
	close_slices(writing, writing->row, INT64_MAX);
	return writing->left_count == 0;
}

static void give_up(struct ra_pftrace_writing *writing)
{
	struct ra_pftrace *trace = writing->trace;

	writing->has_failed = true;
	writing->together_count = 0;
	trace->event_count = 0;
	trace->take = NULL;
	ra_outbuf_restart(writing->packets.out);
}

/* Takes an event in the usual case: one event of this row is held; it began before the new event,
 * which nests and has no arguments. Writes the held event, and holds the new event. Return: false:
 * it is another case, and the event was not taken. */
static inline bool take_usual(struct ra_pftrace_writing *writing,
                              const struct ra_pftrace_event *event)
{
	struct ra_pftrace *trace = writing->trace;
	struct ra_pftrace_event *held;

	if (writing->together_count != 1 || event->track != writing->row || event->args_bytes > 0 ||
	    trace->tracks[event->track].is_disordered) {
		return false;
	}
	held = &trace->events[writing->together[0]];
	if (event->start_ns == held->start_ns || !put_nested(writing, writing->row, held)) {
		return false;
	}
	*held = *event;
	trace->args.bytes.used = 0;
	return true;
}

static void take_early(void *context, const struct ra_pftrace_event *event)
{
	struct ra_pftrace_writing *writing = context;
	struct ra_pftrace *trace = writing->trace;
	bool is_good = event != NULL && event->track >= writing->row &&
	               !trace->tracks[event->track].is_disordered;

	if (event != NULL && take_usual(writing, event)) {
		return;
	}
	if (is_good && event->track > writing->row) {
		is_good = end_row(writing);
		writing->row = event->track;
	} else if (is_good && writing->together_count > 0 &&
	           trace->events[writing->together[0]].start_ns != event->start_ns) {
		put_together(writing);
	}
	if (is_good && writing->left_count == 0) {
		const uint32_t index = keep(writing, event);

		RA_UTIL_APPEND(writing->together, writing->together_count,
		               writing->together_capacity, index);
		return;
	}
	give_up(writing);
	if (event != NULL) {
		trace->args.bytes.used = event->args;
	}
}

struct ra_pftrace_writing *ra_pftrace_write_early(struct ra_pftrace *trace, struct ra_outbuf *out)
{
	struct ra_pftrace_writing *writing;

	if (!ra_outbuf_can_insert(out)) {
		return NULL;
	}
	writing = ra_alloc_zeros(1, sizeof(*writing));
	writing->trace = trace;
	ra_pftrace_packets_init(&writing->packets, trace, out);
	writing->packets.has_state = true; /* because other packets will be inserted before these */
	trace->take = take_early;
	trace->context = writing;
	return writing;
}

static void take_head(void *context, const char *bytes, size_t count)
{
	ra_protobuf_bytes_put(context, bytes, count);
}

/* Inserts the packets that must come before the events. */
static void insert_head(const struct ra_pftrace *trace, struct ra_outbuf *out)
{
	struct ra_pftrace_packets packets;
	struct ra_protobuf_bytes bytes = { 0 };
	struct ra_outbuf head;

	ra_outbuf_init(&head, -1, false);
	head.take = take_head;
	head.context = &bytes;
	ra_pftrace_packets_init(&packets, trace, &head);
	ra_pftrace_packets_put_head(&packets, (uint32_t) trace->track_count);
	ra_pftrace_packets_finish(&packets);
	ra_outbuf_insert(out, (const char *) bytes.bytes, bytes.used);
	ra_outbuf_fini(&head);
	ra_protobuf_bytes_fini(&bytes);
}

bool ra_pftrace_write_rest(struct ra_pftrace_writing *writing)
{
	struct ra_pftrace *trace = writing->trace;
	struct ra_outbuf *out = writing->packets.out;
	bool is_complete = !writing->has_failed;

	if (is_complete && (trace->point_count > 0 || !end_row(writing))) {
		give_up(writing);
		is_complete = false;
	}
	trace->take = NULL;
	trace->context = NULL;
	if (is_complete) {
		ra_pftrace_packets_put_samples(&writing->packets);
		ra_pftrace_packets_finish(&writing->packets);
		insert_head(trace, out);
	} else {
		ra_pftrace_packets_fini(&writing->packets);
	}
	free_lists(writing);
	free(writing);
	return is_complete;
}
