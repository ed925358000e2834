/* SPDX-License-Identifier: MIT */
/* Sync objects: makes slices of waits, and counts holds. */
#include "analyzer/read-log/ranges/sync.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/model/schemas.h"
#include "analyzer/base/text/util-text.h"
#include "analyzer/base/util.h"
#include "format/wire.h"

/*
 * If waits of a thread nest, each wait gets a chain of its own in the stack, after the chains of
 * the domains. Waits at a greater depth get no slice.
 */
#define MAX_WAITS   16u
#define FIRST_CHAIN RA_BUILDER_MAX_DOMAINS

struct wait {
	uint32_t object;
	uint32_t slice;
};

struct hold {
	uint32_t object;
	int64_t since_ns;
};

struct ra_sync {
	struct ra_builder *builder;
	struct wait waits[MAX_WAITS]; /* by chain; object RA_NONE: the chain is free */
	size_t wait_count;
	struct hold *holds; /* owned */
	size_t hold_count;
	size_t hold_capacity;
};

struct ra_sync *ra_sync_create(struct ra_builder *builder)
{
	struct ra_sync *sync = ra_alloc_zeros(1, sizeof(*sync));

	sync->builder = builder;
	ra_sync_begin_track(sync);
	return sync;
}

void ra_sync_destroy(struct ra_sync *sync)
{
	free(sync->holds);
	free(sync);
}

void ra_sync_begin_track(struct ra_sync *sync)
{
	for (size_t i = 0; i < MAX_WAITS; i++) {
		sync->waits[i].object = RA_NONE;
	}
	sync->wait_count = 0;
	sync->hold_count = 0;
}

/* The name of an object: from its definition, or from the event if it has no definition. */
static uint32_t name_object(const struct ra_model *model, const struct ra_sync_event *event)
{
	const struct rlog_def *def = ra_defs_find(&model->schemas->defs, RLOG_DEF_SYNC_OBJECT,
	                                          model->domains[event->domain].id, event->id);

	return def != NULL && def->string > 0 && def->string < model->string_count &&
	                       model->strings[def->string].bytes != NULL
	               ? def->string
	               : event->name;
}

static void add_wait_name(struct ra_builder *builder, struct ra_sync_object *object)
{
	struct ra_util_text text = { 0 };

	ra_util_text_put(&text, "wait ", 5);
	if (object->name != 0) {
		const struct rlog_string name = ra_model_string(builder->model, object->name);

		ra_util_text_put(&text, name.bytes, name.length);
	} else {
		ra_util_text_format(&text, "(sync object %llu)", (unsigned long long) object->id);
	}
	ra_builder_add_name(builder, text.bytes, text.length, &object->wait_name);
	ra_util_text_free(&text);
}

/* The index of the event's object. A new object gets a new index. */
static uint32_t find_object(struct ra_builder *builder, const struct ra_sync_event *event)
{
	struct ra_model *m = builder->model;
	/* Ids are small, except in a forged log, where two ids may then share an entry. */
	const uint64_t key = (uint64_t) event->domain << 48 ^ event->id;
	uint32_t index = ra_util_map_find(&builder->sync_objects, key);
	struct ra_sync_object *object;

	if (index != RA_UTIL_MAP_NONE) {
		return index;
	}
	ra_util_grow(&m->sync_objects, &builder->sync_object_capacity, m->sync_object_count + 1,
	             sizeof(*m->sync_objects));
	index = (uint32_t) m->sync_object_count;
	object = &m->sync_objects[index];
	*object = (struct ra_sync_object){
		.id = event->id,
		.name = name_object(m, event),
		.domain = event->domain,
	};
	add_wait_name(builder, object);
	ra_util_map_put(&builder->sync_objects, key, index);
	m->sync_object_count++;
	return index;
}

/* Makes room for the times of all open waits and holds and of one more, so that ending them needs
 * no allocation. */
static void reserve_times(struct ra_sync *sync)
{
	struct ra_model *m = sync->builder->model;

	ra_util_grow(&m->sync_times, &sync->builder->sync_time_capacity,
	             m->sync_time_count + sync->wait_count + sync->hold_count + 1,
	             sizeof(*m->sync_times));
}

static void add_time(struct ra_sync *sync, uint32_t object, enum ra_sync_time_kind kind,
                     int64_t start_ns, int64_t dur_ns)
{
	struct ra_model *m = sync->builder->model;

	m->sync_times[m->sync_time_count++] =
		(struct ra_sync_time){ start_ns, dur_ns, object, kind };
}

/* Opens the slice of a wait, in the chain with the wait's number. */
static void open_wait(struct ra_sync *sync, struct ra_stack *stack, uint32_t object,
                      const struct ra_sync_event *event)
{
	struct ra_model *m = sync->builder->model;
	struct ra_slices *s = &m->slices;
	const size_t slice = s->count;
	uint32_t chain = 0;

	while (chain < MAX_WAITS && sync->waits[chain].object != RA_NONE) {
		chain++;
	}
	if (chain == MAX_WAITS) {
		return;
	}
	reserve_times(sync);
	s->start_ns[slice] = event->time_ns;
	s->name[slice] = m->sync_objects[object].wait_name;
	s->domain[slice] = event->domain;
	s->flags[slice] = RA_SLICE_WAIT;
	s->count = slice + 1;
	sync->waits[chain] = (struct wait){ object, (uint32_t) slice };
	sync->wait_count++;
	ra_stack_open(stack, (uint32_t) slice, (uint16_t) (FIRST_CHAIN + chain));
}

/* The newest wait for an object; MAX_WAITS: there is none. */
static uint32_t find_wait(const struct ra_sync *sync, uint32_t object)
{
	uint32_t found = MAX_WAITS;

	for (uint32_t i = 0; i < MAX_WAITS && sync->wait_count > 0; i++) {
		if (sync->waits[i].object == object &&
		    (found == MAX_WAITS || sync->waits[i].slice > sync->waits[found].slice)) {
			found = i;
		}
	}
	return found;
}

static void close_wait(struct ra_sync *sync, struct ra_stack *stack, uint32_t object,
                       const struct ra_sync_event *event)
{
	struct ra_model *m = sync->builder->model;
	struct ra_sync_object *o = &m->sync_objects[object];
	const uint32_t chain = find_wait(sync, object);
	uint32_t slice;
	int64_t dur_ns;

	if (chain == MAX_WAITS) {
		return; /* the wait began before the log */
	}
	sync->waits[chain].object = RA_NONE;
	sync->wait_count--;
	slice = ra_stack_close(stack, (uint16_t) (FIRST_CHAIN + chain));
	if (slice == RA_NONE) {
		return;
	}
	dur_ns = event->time_ns - m->slices.start_ns[slice];
	m->slices.dur_ns[slice] = dur_ns;
	o->waits++;
	o->wait_ns = ra_util_add_time(o->wait_ns, dur_ns);
	if (dur_ns > o->wait_max_ns) {
		o->wait_max_ns = dur_ns;
	}
	if (event->op == RLOG_OP_ACQUIRE_FAILED) {
		m->slices.flags[slice] |= RA_SLICE_FAILED;
		o->failed++;
	}
	add_time(sync, object,
	         event->op == RLOG_OP_ACQUIRE_FAILED ? RA_SYNC_WAIT_FAILED : RA_SYNC_WAIT,
	         m->slices.start_ns[slice], dur_ns);
}

static void open_hold(struct ra_sync *sync, uint32_t object, int64_t time_ns)
{
	ra_util_grow(&sync->holds, &sync->hold_capacity, sync->hold_count + 1,
	             sizeof(*sync->holds));
	reserve_times(sync);
	sync->holds[sync->hold_count++] = (struct hold){ object, time_ns };
}

/* Ends the newest hold of an object; the other holds stay in order. */
static void close_hold(struct ra_sync *sync, uint32_t object, int64_t time_ns)
{
	struct ra_sync_object *o = &sync->builder->model->sync_objects[object];
	size_t place = sync->hold_count;

	/* A program holds few locks at a time. If it holds very many, only the newest are
	 * searched. */
	while (place > 0 && sync->holds[place - 1].object != object) {
		if (sync->hold_count - place > 256) {
			return;
		}
		place--;
	}
	if (place == 0) {
		return; /* another thread acquired it */
	}
	const int64_t held_ns = time_ns - sync->holds[place - 1].since_ns;

	o->holds++;
	o->hold_ns = ra_util_add_time(o->hold_ns, held_ns);
	if (held_ns > o->hold_max_ns) {
		o->hold_max_ns = held_ns;
	}
	add_time(sync, object, RA_SYNC_HOLD, sync->holds[place - 1].since_ns, held_ns);
	memmove(sync->holds + place - 1, sync->holds + place,
	        (sync->hold_count - place) * sizeof(*sync->holds));
	sync->hold_count--;
}

void ra_sync_take(struct ra_sync *sync, struct ra_stack *stack, const struct ra_sync_event *event)
{
	const uint32_t object = find_object(sync->builder, event);

	switch (event->op) {
	case RLOG_OP_ACQUIRE_START:
		open_wait(sync, stack, object, event);
		return;
	case RLOG_OP_ACQUIRE_FAILED:
		close_wait(sync, stack, object, event);
		return;
	case RLOG_OP_ACQUIRE_SUCCESS:
		close_wait(sync, stack, object, event);
		open_hold(sync, object, event->time_ns);
		return;
	default:
		close_hold(sync, object, event->time_ns);
		return;
	}
}

static void lose_wait(struct ra_sync *sync, uint32_t chain)
{
	struct ra_model *m = sync->builder->model;
	const struct wait *wait = &sync->waits[chain];

	m->sync_objects[wait->object].open++;
	add_time(sync, wait->object, RA_SYNC_WAIT_OPEN, m->slices.start_ns[wait->slice], 0);
}

void ra_sync_lose(struct ra_sync *sync, struct ra_stack *stack, int64_t time_ns)
{
	struct ra_model *m = sync->builder->model;

	for (uint32_t i = 0; i < MAX_WAITS && sync->wait_count > 0; i++) {
		if (sync->waits[i].object != RA_NONE) {
			m->quality.lost_ends +=
				ra_stack_lose(stack, (uint16_t) (FIRST_CHAIN + i), 0, time_ns);
			lose_wait(sync, i);
			sync->waits[i].object = RA_NONE;
			sync->wait_count--;
		}
	}
	sync->hold_count = 0;
}

void ra_sync_renumber(struct ra_sync *sync, const uint32_t *moved)
{
	for (uint32_t i = 0; i < MAX_WAITS && sync->wait_count > 0; i++) {
		if (sync->waits[i].object != RA_NONE) {
			sync->waits[i].slice = moved[sync->waits[i].slice];
		}
	}
}

void ra_sync_end_track(struct ra_sync *sync)
{
	for (uint32_t i = 0; i < MAX_WAITS && sync->wait_count > 0; i++) {
		if (sync->waits[i].object != RA_NONE) {
			lose_wait(sync, i);
			sync->waits[i].object = RA_NONE;
			sync->wait_count--;
		}
	}
}
