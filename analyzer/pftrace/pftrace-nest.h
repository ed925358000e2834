/* SPDX-License-Identifier: MIT */
/* Nests slices on a row: ends those that are over, and refuses one that would cross another. */
#ifndef RA_PFTRACE_NEST_H
#define RA_PFTRACE_NEST_H

#include <stdlib.h>

#include "analyzer/base/util.h"
#include "analyzer/pftrace/pftrace-packets.h"

/* The most rows for the events of one row: itself and its extra rows. What overlaps on one of them
 * goes to the next. */
#define RA_PFTRACE_NEST_LANES 256

struct ra_pftrace_nest_slice {
	int64_t start_ns;
	int64_t end_ns;
	bool has_end;
};

/* The slices that are open on a row. Zero-initialise. */
struct ra_pftrace_nest {
	struct ra_pftrace_nest_slice *slices; /* owned */
	size_t count;
	size_t capacity;
};

static inline void ra_pftrace_nest_fini(struct ra_pftrace_nest *nest)
{
	free(nest->slices);
	*nest = (struct ra_pftrace_nest){ 0 };
}

/* Ends the slices that are over at a time. As in JSON, a slice of 0 ns contains what begins
 * together with it. @packets: gets the ends; NULL: nothing does. */
static inline void ra_pftrace_nest_close(struct ra_pftrace_nest *nest,
                                         struct ra_pftrace_packets *packets, uint32_t track,
                                         int64_t time_ns)
{
	while (nest->count > 0) {
		const struct ra_pftrace_nest_slice *top = &nest->slices[nest->count - 1];

		if (top->end_ns > time_ns ||
		    (top->end_ns == top->start_ns && top->start_ns == time_ns)) {
			return;
		}
		nest->count--;
		if (top->has_end && packets != NULL) {
			ra_pftrace_packets_put_end(packets, track, top->end_ns);
		}
	}
}

/* Writes an event if it nests in the open slices. @packets: as above; @args: the event's own.
 * Return: false if it does not nest. */
static inline bool ra_pftrace_nest_put(struct ra_pftrace_nest *nest,
                                       struct ra_pftrace_packets *packets, uint32_t track,
                                       const struct ra_pftrace_event *event, const uint8_t *args)
{
	const bool has_end = event->dur_ns != RA_PFTRACE_NEVER;
	const int64_t end_ns =
		has_end ? ra_util_add_time(event->start_ns, event->dur_ns) : INT64_MAX;

	ra_pftrace_nest_close(nest, packets, track, event->start_ns);
	if (!event->is_instant && nest->count > 0 &&
	    end_ns > nest->slices[nest->count - 1].end_ns) {
		return false;
	}
	if (packets != NULL) {
		ra_pftrace_packets_put_event(packets, track, event, args);
	}
	if (!event->is_instant) {
		const struct ra_pftrace_nest_slice slice = { event->start_ns, end_ns, has_end };

		RA_UTIL_APPEND(nest->slices, nest->count, nest->capacity, slice);
	}
	return true;
}

#endif
