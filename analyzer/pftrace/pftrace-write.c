/* SPDX-License-Identifier: MIT */
/* Packets of Perfetto's protobuf. */
#include "analyzer/pftrace/pftrace-write.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/order.h"
#include "analyzer/base/search.h"
#include "analyzer/base/util-sort.h"
#include "analyzer/base/util.h"
#include "analyzer/pftrace/pftrace-flows.h"
#include "format/codec.h"

/* Numbers of fields, by message: protos/perfetto/trace/ of Perfetto. */
enum {
	TRACE_PACKET = 1
};
enum {
	PACKET_CLOCKS = 6,
	PACKET_TIME = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_COMPRESSED = 50,
	PACKET_TRACK = 60,
};
enum {
	FLAG_CLEARED = 1,
	FLAG_NEEDS_STATE = 2
};
enum {
	CLOCKS_CLOCK = 1,
	CLOCK_ID = 1,
	CLOCK_TIME = 2,
	CLOCK_REAL = 1,
	CLOCK_BOOT = 6
};
enum {
	INTERNED_CATEGORY = 1,
	INTERNED_NAME = 2,
	INTERNED_KEY = 3,
	INTERNED_VALUE = 29
};
enum {
	INTERNED_IID = 1,
	INTERNED_TEXT = 2
};
enum {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
};
enum {
	PROCESS_PID = 1,
	PROCESS_SORT_INDEX = 3,
	PROCESS_NAME = 6,
	PROCESS_LABEL = 8
};
enum {
	THREAD_PID = 1,
	THREAD_TID = 2,
	THREAD_SORT_INDEX = 3,
	THREAD_NAME = 5
};
enum {
	COUNTER_UNIT_NAME = 6
};
enum {
	EVENT_CATEGORY_IID = 3,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_COUNTER = 30,
	EVENT_COUNTER_DOUBLE = 44,
	EVENT_FLOW = 47,
	EVENT_FLOW_END = 48,
};
enum {
	TYPE_BEGIN = 1,
	TYPE_END = 2,
	TYPE_INSTANT = 3,
	TYPE_COUNTER = 4
};

/* One writer wrote all packets. */
#define SEQUENCE 1u

/* Packets that are packed together. */
#define BLOCK_BYTES (512u << 10)

/* Passes over a row; in each what overlaps what is there already is left for the next. */
#define MAX_LANES 256

struct open {
	int64_t start_ns;
	int64_t end_ns;
	bool has_end;
};

struct writing {
	struct ra_pftrace *trace;
	struct ra_outbuf *out;
	struct rlog_codec_deflater *deflater; /* owned */
	struct ra_pftrace_bytes packets;      /* owned; not yet written */
	struct ra_pftrace_bytes packed;       /* owned */
	bool has_state;                       /* the first packet was made */
	struct open *stack;                   /* owned; slices that are open */
	size_t stack_count, stack_capacity;
	size_t arrow;                  /* cursor in the trace's arrows */
	struct ra_pftrace_order order; /* of what was kept before */
	size_t kept, kept_args_bytes;  /* what was kept before, of events and their arguments */
	uint32_t row_count;            /* without those that are added now */
	uint32_t row;                  /* the one that is being written: those before are */
	uint32_t *together;            /* owned; of it: what begins at one time: indexes … */
	size_t together_count, together_capacity;
	uint32_t *left; /* owned; … what overlaps what is there already … */
	size_t left_count, left_capacity;
	uint32_t *later; /* owned; … and of any row that is not being written */
	size_t later_done, later_count, later_capacity;
	bool is_later_sorted;
};

/* ---- packets ---- */

/* Writes the packets so far as one that is packed. */
static void flush(struct writing *writing)
{
	struct ra_pftrace_bytes frame = { 0 };
	const size_t room = writing->packets.used + writing->packets.used / 8 + 4096;
	size_t packed;

	if (writing->packets.used == 0) {
		return;
	}
	ra_util_grow(&writing->packed.bytes, &writing->packed.capacity, room, 1);
	packed = rlog_codec_deflate(writing->deflater, writing->packets.bytes,
	                            writing->packets.used, writing->packed.bytes, room);
	if (packed == 0) {
		ra_alloc_end();
	}
	const size_t opened = ra_pftrace_proto_open(&frame, TRACE_PACKET);

	ra_pftrace_proto_text(&frame, PACKET_COMPRESSED, writing->packed.bytes, packed);
	ra_pftrace_proto_close(&frame, opened);
	ra_outbuf_put(writing->out, (const char *) frame.bytes, frame.used);
	ra_pftrace_bytes_fini(&frame);
	writing->packets.used = 0;
}

/* Before each packet. */
static void make_room(struct writing *writing)
{
	if (writing->packets.used >= BLOCK_BYTES) {
		flush(writing);
	}
}

/* Begins a packet. Return: to be given to end_packet. */
static size_t begin_packet(struct writing *writing)
{
	struct ra_pftrace_bytes *packets = &writing->packets;
	size_t opened;

	make_room(writing);
	opened = ra_pftrace_proto_open(packets, TRACE_PACKET);
	ra_pftrace_proto_varint(packets, PACKET_SEQUENCE, SEQUENCE);
	ra_pftrace_proto_varint(packets, PACKET_FLAGS,
	                        writing->has_state ? FLAG_NEEDS_STATE
	                                           : FLAG_NEEDS_STATE | FLAG_CLEARED);
	writing->has_state = true;
	return opened;
}

static void end_packet(struct writing *writing, size_t opened)
{
	ra_pftrace_proto_close(&writing->packets, opened);
}

/* ---- what stands before the events ---- */

static void put_clock(struct writing *writing, uint64_t id, int64_t time_ns)
{
	const size_t opened = ra_pftrace_proto_open(&writing->packets, CLOCKS_CLOCK);

	ra_pftrace_proto_varint(&writing->packets, CLOCK_ID, id);
	ra_pftrace_proto_varint(&writing->packets, CLOCK_TIME, (uint64_t) time_ns);
	ra_pftrace_proto_close(&writing->packets, opened);
}

/* Which time of day is time 0. */
static void put_clocks(struct writing *writing)
{
	if (writing->trace->base_ns > 0) {
		const size_t packet = begin_packet(writing);
		const size_t opened = ra_pftrace_proto_open(&writing->packets, PACKET_CLOCKS);

		put_clock(writing, CLOCK_BOOT, 0);
		put_clock(writing, CLOCK_REAL, writing->trace->base_ns);
		ra_pftrace_proto_close(&writing->packets, opened);
		end_packet(writing, packet);
	}
}

static void put_texts(struct writing *writing, const struct ra_pftrace_texts *texts, uint32_t field)
{
	struct ra_pftrace_bytes *packets = &writing->packets;

	for (uint32_t i = 1; i <= texts->count; i++) {
		size_t length;
		const char *text = ra_pftrace_texts_get(texts, i, &length);
		const size_t packet = begin_packet(writing);
		const size_t interned = ra_pftrace_proto_open(packets, PACKET_INTERNED);
		const size_t entry = ra_pftrace_proto_open(packets, field);

		ra_pftrace_proto_varint(packets, INTERNED_IID, i);
		ra_pftrace_proto_text(packets, INTERNED_TEXT, text, length);
		ra_pftrace_proto_close(packets, entry);
		ra_pftrace_proto_close(packets, interned);
		end_packet(writing, packet);
	}
}

/* Numbers of rows in the file: 0 stands for none. */
static uint64_t find_uuid(uint32_t track)
{
	return (uint64_t) track + 1;
}

static void put_text(struct writing *writing, uint32_t field, uint32_t number)
{
	size_t length;

	if (number != 0) {
		const char *text = ra_pftrace_texts_get(&writing->trace->texts, number, &length);

		ra_pftrace_proto_text(&writing->packets, field, text, length);
	}
}

static void put_process(struct writing *writing, const struct ra_pftrace_track *track)
{
	struct ra_pftrace_bytes *packets = &writing->packets;
	const size_t opened = ra_pftrace_proto_open(packets, TRACK_PROCESS);

	ra_pftrace_proto_varint(packets, PROCESS_PID, track->pid);
	if (track->has_sort_index) {
		ra_pftrace_proto_varint(packets, PROCESS_SORT_INDEX, (uint64_t) track->sort_index);
	}
	put_text(writing, PROCESS_NAME, track->name);
	put_text(writing, PROCESS_LABEL, track->label);
	ra_pftrace_proto_close(packets, opened);
}

static void put_thread(struct writing *writing, const struct ra_pftrace_track *track)
{
	struct ra_pftrace_bytes *packets = &writing->packets;
	const size_t opened = ra_pftrace_proto_open(packets, TRACK_THREAD);

	ra_pftrace_proto_varint(packets, THREAD_PID, track->pid);
	ra_pftrace_proto_varint(packets, THREAD_TID, track->tid);
	if (track->has_sort_index) {
		ra_pftrace_proto_varint(packets, THREAD_SORT_INDEX, (uint64_t) track->sort_index);
	}
	put_text(writing, THREAD_NAME, track->name);
	ra_pftrace_proto_close(packets, opened);
}

static void put_track(struct writing *writing, uint32_t index)
{
	const struct ra_pftrace_track *track = &writing->trace->tracks[index];
	struct ra_pftrace_bytes *packets = &writing->packets;
	const size_t packet = begin_packet(writing);
	const size_t opened = ra_pftrace_proto_open(packets, PACKET_TRACK);
	size_t counter;

	ra_pftrace_proto_varint(packets, TRACK_UUID, find_uuid(index));
	if (track->kind != RA_PFTRACE_PROCESS) {
		ra_pftrace_proto_varint(packets, TRACK_PARENT, find_uuid(track->parent));
	}
	switch (track->kind) {
	case RA_PFTRACE_PROCESS:
		put_process(writing, track);
		break;
	case RA_PFTRACE_THREAD:
		put_thread(writing, track);
		break;
	case RA_PFTRACE_SPANS:
		put_text(writing, TRACK_NAME, track->name);
		break;
	case RA_PFTRACE_COUNTER:
		put_text(writing, TRACK_NAME, track->name);
		counter = ra_pftrace_proto_open(packets, TRACK_COUNTER);
		put_text(writing, COUNTER_UNIT_NAME, track->label);
		ra_pftrace_proto_close(packets, counter);
		break;
	}
	ra_pftrace_proto_close(packets, opened);
	end_packet(writing, packet);
}

/* ---- events ---- */

static size_t begin_event(struct writing *writing, uint32_t track, int64_t time_ns, uint64_t type,
                          size_t *packet)
{
	struct ra_pftrace_bytes *packets = &writing->packets;
	size_t opened;

	*packet = begin_packet(writing);
	ra_pftrace_proto_varint(packets, PACKET_TIME, (uint64_t) time_ns);
	opened = ra_pftrace_proto_open(packets, PACKET_EVENT);
	ra_pftrace_proto_varint(packets, EVENT_TYPE, type);
	ra_pftrace_proto_varint(packets, EVENT_TRACK, find_uuid(track));
	return opened;
}

static void end_event(struct writing *writing, size_t opened, size_t packet)
{
	ra_pftrace_proto_close(&writing->packets, opened);
	end_packet(writing, packet);
}

/* Arrows have the order of their events' numbers, and most events come in that, too. */
static void put_arrows(struct writing *writing, uint32_t event)
{
	const struct ra_pftrace *trace = writing->trace;
	size_t i = writing->arrow;

	if (i == trace->arrow_count || trace->arrows[i].event != event) {
		struct ra_search at = ra_search_in(0, trace->arrow_count);

		while (ra_search_next(&at)) {
			ra_search_tell(&at, trace->arrows[at.middle].event < event);
		}
		i = at.low;
	}
	for (; i < trace->arrow_count && trace->arrows[i].event == event; i++) {
		ra_pftrace_proto_fixed64(&writing->packets,
		                         trace->arrows[i].is_end ? EVENT_FLOW_END : EVENT_FLOW,
		                         trace->arrows[i].id);
	}
	writing->arrow = i;
}

/* The key of a field whose value is a number, or bytes of which the length comes first. */
#define NUMBER(field) ((uint64_t) (field) << 3)
#define BYTES(field)  ((uint64_t) (field) << 3 | 2)

/* The packet of an event that has no arguments and no arrows, as most: in one piece, since it is
 * short. @event: NULL: the end of one. */
static void put_plain(struct writing *writing, uint32_t track, int64_t time_ns,
                      const struct ra_pftrace_event *event)
{
	struct ra_pftrace_bytes *packets = &writing->packets;
	uint8_t *place;
	uint8_t *packet;
	uint8_t *inner;

	make_room(writing);
	place = ra_pftrace_bytes_reserve(packets, 16 * RA_PFTRACE_VARINT_BYTES);
	place = ra_pftrace_proto_put(place, BYTES(TRACE_PACKET));
	packet = place++;
	place = ra_pftrace_proto_put(place, NUMBER(PACKET_SEQUENCE));
	*place++ = SEQUENCE;
	place = ra_pftrace_proto_put(place, NUMBER(PACKET_FLAGS));
	*place++ = FLAG_NEEDS_STATE;
	place = ra_pftrace_proto_put(place, NUMBER(PACKET_TIME));
	place = ra_pftrace_proto_put(place, (uint64_t) time_ns);
	place = ra_pftrace_proto_put(place, BYTES(PACKET_EVENT));
	inner = place++;
	place = ra_pftrace_proto_put(place, NUMBER(EVENT_TYPE));
	*place++ = event == NULL ? TYPE_END : event->is_instant ? TYPE_INSTANT : TYPE_BEGIN;
	place = ra_pftrace_proto_put(place, NUMBER(EVENT_TRACK));
	place = ra_pftrace_proto_put(place, find_uuid(track));
	if (event != NULL) {
		place = ra_pftrace_proto_put(place, NUMBER(EVENT_NAME_IID));
		place = ra_pftrace_proto_put(place, event->name);
	}
	if (event != NULL && event->category != 0) {
		place = ra_pftrace_proto_put(place, NUMBER(EVENT_CATEGORY_IID));
		place = ra_pftrace_proto_put(place, event->category);
	}
	*inner = (uint8_t) (place - inner - 1);
	*packet = (uint8_t) (place - packet - 1);
	packets->used = (size_t) (place - packets->bytes);
}

static void put_begin(struct writing *writing, uint32_t track, const struct ra_pftrace_event *event)
{
	const struct ra_pftrace *trace = writing->trace;
	struct ra_pftrace_bytes *packets = &writing->packets;
	size_t opened;
	size_t packet;

	if (trace->arrow_count == 0 && event->args_bytes == 0) {
		put_plain(writing, track, event->start_ns, event);
		return;
	}
	opened = begin_event(writing, track, event->start_ns,
	                     event->is_instant ? TYPE_INSTANT : TYPE_BEGIN, &packet);
	ra_pftrace_proto_varint(packets, EVENT_NAME_IID, event->name);
	if (event->category != 0) {
		ra_pftrace_proto_varint(packets, EVENT_CATEGORY_IID, event->category);
	}
	if (trace->arrow_count > 0) {
		put_arrows(writing, event->number);
	}
	if (event->args_bytes > 0) {
		ra_pftrace_bytes_put(packets, trace->args.bytes.bytes + event->args,
		                     event->args_bytes);
	}
	end_event(writing, opened, packet);
}

static int64_t find_end(const struct ra_pftrace_event *event)
{
	return event->dur_ns == RA_PFTRACE_NEVER ? INT64_MAX
	                                         : ra_util_add_time(event->start_ns, event->dur_ns);
}

/* Ends what has ended at a time, or all that ends. As in JSON, what takes no time holds what begins
 * together with it. */
static void close_slices(struct writing *writing, uint32_t track, int64_t time_ns)
{
	while (writing->stack_count > 0) {
		const struct open *top = &writing->stack[writing->stack_count - 1];

		if (top->end_ns > time_ns ||
		    (top->end_ns == top->start_ns && top->start_ns == time_ns)) {
			return;
		}
		writing->stack_count--;
		if (top->has_end) {
			put_plain(writing, track, top->end_ns, NULL);
		}
	}
}

/* Writes an event that nests in what is open. Return: false: it does not. */
static bool put_nested(struct writing *writing, uint32_t track,
                       const struct ra_pftrace_event *event)
{
	const struct open open = { event->start_ns, find_end(event),
		                   event->dur_ns != RA_PFTRACE_NEVER };

	close_slices(writing, track, event->start_ns);
	if (event->is_instant) {
		put_begin(writing, track, event);
		return true;
	}
	if (writing->stack_count > 0 &&
	    open.end_ns > writing->stack[writing->stack_count - 1].end_ns) {
		return false;
	}
	put_begin(writing, track, event);
	RA_UTIL_APPEND(writing->stack, writing->stack_count, writing->stack_capacity, open);
	return true;
}

/* Writes events of a row in their order, what does not nest on rows beside it. @pass: 1 if the row
 * itself is full. */
static void put_events(struct writing *writing, uint32_t track, uint32_t *events, size_t count,
                       int pass)
{
	uint32_t lane = track;

	for (; count > 0 && pass < MAX_LANES; pass++) {
		size_t left = 0;

		if (pass > 0) {
			lane = ra_pftrace_add_lane(writing->trace, track);
			put_track(writing, lane);
		}
		for (size_t i = 0; i < count; i++) {
			if (!put_nested(writing, lane, &writing->trace->events[events[i]])) {
				events[left++] = events[i];
			}
		}
		close_slices(writing, lane, INT64_MAX);
		count = left;
	}
}

/* ---- rows that are drawn while they are written ---- */

static void sort_together(struct writing *writing)
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

/* Writes what began at one time. */
static void put_together(struct writing *writing)
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

/* Writes the events of the row that had to wait for it; those of rows before it are written. */
static void put_later(struct writing *writing)
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
static void advance(struct writing *writing)
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

/* Keeps an event up to its turn. What is written is forgotten as soon as nothing waits. */
static uint32_t keep(struct writing *writing, const struct ra_pftrace_event *event)
{
	struct ra_pftrace *trace = writing->trace;
	struct ra_pftrace_bytes *args = &trace->args.bytes;
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
	struct writing *writing = context;
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
		track->is_disordered = true; /* what follows has to wait for it */
	}
	track->streamed--;
	if (event->track == writing->row) {
		advance(writing);
	}
}

static void put_samples(struct writing *writing)
{
	for (size_t i = 0; i < writing->trace->sample_count; i++) {
		const struct ra_pftrace_sample *sample = &writing->trace->samples[i];
		size_t packet;
		const size_t opened =
			begin_event(writing, sample->track, sample->time_ns, TYPE_COUNTER, &packet);

		if (sample->value >= 0 && sample->value < 9e15 &&
		    sample->value == (double) (int64_t) sample->value) {
			ra_pftrace_proto_varint(&writing->packets, EVENT_COUNTER,
			                        (uint64_t) sample->value);
		} else {
			ra_pftrace_proto_double(&writing->packets, EVENT_COUNTER_DOUBLE,
			                        sample->value);
		}
		end_event(writing, opened, packet);
	}
}

/* Finds arrows and rows, before anything is written. */
static void prepare(struct writing *writing, void (*draw)(void *context), void *context)
{
	struct ra_pftrace *trace = writing->trace;
	struct ra_pftrace_binding binding;

	writing->kept = trace->event_count;
	writing->kept_args_bytes = trace->args.bytes.used;
	ra_pftrace_order_init(&writing->order, trace);
	writing->row_count = (uint32_t) trace->track_count;
	if (trace->point_count > 0) {
		ra_pftrace_binding_init(&binding, trace);
		if (trace->has_streamed) {
			trace->pass = RA_PFTRACE_BIND;
			trace->drawn = 0;
			draw(context);
		}
		ra_pftrace_binding_finish(&binding);
	}
}

static void put_head(struct writing *writing)
{
	const struct ra_pftrace *trace = writing->trace;

	put_clocks(writing);
	put_texts(writing, &trace->categories, INTERNED_CATEGORY);
	put_texts(writing, &trace->names, INTERNED_NAME);
	put_texts(writing, &trace->keys, INTERNED_KEY);
	put_texts(writing, &trace->values, INTERNED_VALUE);
	for (uint32_t i = 0; i < writing->row_count; i++) {
		put_track(writing, i);
	}
}

void ra_pftrace_write(struct ra_pftrace *trace, struct ra_outbuf *out, void (*draw)(void *context),
                      void *context)
{
	struct writing writing = { .trace = trace, .out = out };

	if (rlog_codec_create_deflater(&writing.deflater, 6) != 0) {
		ra_alloc_end();
	}
	prepare(&writing, draw, context);
	put_head(&writing);
	advance(&writing);
	if (trace->has_streamed) {
		trace->pass = RA_PFTRACE_STREAM;
		trace->drawn = 0;
		trace->take = take_event;
		trace->context = &writing;
		draw(context);
	}
	put_samples(&writing);
	flush(&writing);
	ra_pftrace_order_fini(&writing.order);
	rlog_codec_destroy_deflater(writing.deflater);
	ra_pftrace_bytes_fini(&writing.packets);
	ra_pftrace_bytes_fini(&writing.packed);
	free(writing.stack);
	free(writing.together);
	free(writing.left);
	free(writing.later);
}
