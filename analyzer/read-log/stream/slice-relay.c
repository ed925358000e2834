/* SPDX-License-Identifier: MIT */
/*
 * A sink that lets another thread give the slices to the real sink, in order.
 *
 * Slices are copied, some 30 bytes each, because the window goes on using its own. Only SLOTS
 * stretches can wait: if all slots are full, the reading thread waits for one, or does the work
 * itself.
 */
#include "analyzer/read-log/stream/slice-relay.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util.h"

#define SLOTS 4

/* A stretch with more slices is given to the sink by the reading thread. So all waiting stretches
 * take only a few MB. */
#define MOST_SLICES 65536

struct slot {
	struct ra_pool_task task;
	struct ra_slice_relay *relay;
	/* owns its slices; borrows everything else from the reader's model */
	struct ra_model model;
	struct ra_slice_stretch stretch;
	size_t capacity;
	bool is_put;
};

struct ra_slice_relay {
	struct ra_slice_sink sink;       /* the sink that the reader calls */
	const struct ra_slice_sink *out; /* borrowed, as is the pool */
	struct ra_pool *pool;
	struct ra_pool_line line;
	struct slot slots[SLOTS];
	size_t next;
};

/* Gives a stretch to the sink. Context: a task of the pool. */
static void give_on(void *context)
{
	const struct slot *slot = context;
	const struct ra_slice_sink *out = slot->relay->out;

	out->take(out->context, &slot->stretch);
}

static void take_back(struct slot *slot)
{
	if (slot->is_put) {
		slot->is_put = false;
		ra_pool_take(slot->relay->pool, &slot->task);
	}
}

void ra_slice_relay_settle(void *context)
{
	struct ra_slice_relay *relay = context;

	for (size_t i = 0; relay != NULL && i < SLOTS; i++) {
		take_back(&relay->slots[(relay->next + i) % SLOTS]);
	}
}

static void make_room(struct slot *slot, size_t count)
{
	struct ra_slices *s = &slot->model.slices;

	if (count <= slot->capacity) {
		return;
	}
	count = ra_util_next_capacity(slot->capacity, count);
	ra_util_resize(&s->start_ns, count, sizeof(*s->start_ns));
	ra_util_resize(&s->dur_ns, count, sizeof(*s->dur_ns));
	ra_util_resize(&s->parent, count, sizeof(*s->parent));
	ra_util_resize(&s->name, count, sizeof(*s->name));
	ra_util_resize(&s->domain, count, sizeof(*s->domain));
	ra_util_resize(&s->flags, count, sizeof(*s->flags));
	slot->capacity = count;
}

static void copy_stretch(struct slot *slot, const struct ra_slice_stretch *stretch)
{
	const struct ra_slices *from = &stretch->model->slices;
	const size_t count = from->count;
	struct ra_slices to;

	make_room(slot, count);
	to = slot->model.slices;
	to.count = count;
	/* If there are no slices, there may be no arrays. */
	if (count > 0) {
		memcpy(to.start_ns, from->start_ns, count * sizeof(*to.start_ns));
		memcpy(to.dur_ns, from->dur_ns, count * sizeof(*to.dur_ns));
		memcpy(to.parent, from->parent, count * sizeof(*to.parent));
		memcpy(to.name, from->name, count * sizeof(*to.name));
		memcpy(to.domain, from->domain, count * sizeof(*to.domain));
		memcpy(to.flags, from->flags, count * sizeof(*to.flags));
	}
	slot->model = *stretch->model;
	slot->model.slices = to;
	slot->stretch = *stretch;
	slot->stretch.model = &slot->model;
}

static void begin(void *context, const struct ra_model *model)
{
	const struct ra_slice_relay *relay = context;

	relay->out->begin(relay->out->context, model);
}

static void take(void *context, const struct ra_slice_stretch *stretch)
{
	struct ra_slice_relay *relay = context;
	struct slot *slot = &relay->slots[relay->next];

	if (stretch->model->slices.count > MOST_SLICES ||
	    stretch->model->tracks[stretch->track].kind != RA_TRACK_THREAD) {
		ra_slice_relay_settle(relay);
		relay->out->take(relay->out->context, stretch);
		return;
	}
	take_back(slot);
	copy_stretch(slot, stretch);
	slot->is_put = true;
	ra_pool_put(relay->pool, &relay->line, &slot->task);
	relay->next = (relay->next + 1) % SLOTS;
}

/* Gives a run to the sink at once, because copying it would cost more. */
static int64_t take_run(void *context, const struct ra_slice_run *run)
{
	struct ra_slice_relay *relay = context;

	ra_slice_relay_settle(relay);
	return relay->out->take_run(relay->out->context, run);
}

static enum ra_slice_sink_wish end(void *context)
{
	struct ra_slice_relay *relay = context;

	ra_slice_relay_settle(relay);
	return relay->out->end(relay->out->context);
}

static void drop(void *context)
{
	struct ra_slice_relay *relay = context;

	ra_slice_relay_settle(relay);
	relay->out->drop(relay->out->context);
}

struct ra_slice_relay *ra_slice_relay_create(struct ra_pool *pool, const struct ra_slice_sink *sink)
{
	struct ra_slice_relay *relay;

	if (pool == NULL) {
		return NULL;
	}
	relay = ra_alloc_zeros(1, sizeof(*relay));
	relay->sink = (struct ra_slice_sink){
		.context = relay,
		.keeps_samples = sink->keeps_samples,
		.begin = begin,
		.take = take,
		.take_run = sink->take_run != NULL ? take_run : NULL,
		.end = end,
		.drop = drop,
	};
	relay->out = sink;
	relay->pool = pool;
	relay->line.is_serial = true;
	for (size_t i = 0; i < SLOTS; i++) {
		relay->slots[i].relay = relay;
		relay->slots[i].task.run = give_on;
		relay->slots[i].task.context = &relay->slots[i];
	}
	ra_pool_add_line(pool, &relay->line);
	return relay;
}

void ra_slice_relay_destroy(struct ra_slice_relay *relay)
{
	if (relay == NULL) {
		return;
	}
	ra_pool_drop_line(relay->pool, &relay->line);
	for (size_t i = 0; i < SLOTS; i++) {
		const struct ra_slices *s = &relay->slots[i].model.slices;

		free(s->start_ns);
		free(s->dur_ns);
		free(s->parent);
		free(s->name);
		free(s->domain);
		free(s->flags);
	}
	free(relay);
}

const struct ra_slice_sink *ra_slice_relay_borrow_sink(struct ra_slice_relay *relay)
{
	return &relay->sink;
}
