/* SPDX-License-Identifier: MIT */
/* A model under construction: grows its arrays, and maps ids of the log to ids of the model. */
#ifndef RA_BUILDER_H
#define RA_BUILDER_H

#include "analyzer/model/model.h"
#include "analyzer/base/util-map.h"

/* Domains have 16-bit indices, and the last 16 indices are reserved (sync.c). When this many
 * distinct ids have come, all further ids share the last index. */
#define RA_BUILDER_MAX_DOMAINS 65520u

enum ra_builder_list {
	RA_BUILDER_SLICE_DATA,
	RA_BUILDER_MARK_DATA,
	RA_BUILDER_SAMPLE_DATA,
	RA_BUILDER_CALL_DATA,
	RA_BUILDER_LISTS,
};

/* A call of ranges_step() or ranges_step_end(). */
struct ra_builder_step {
	int64_t time_ns;
	uint64_t number;
	uint32_t name; /* 0: none */
	uint32_t track;
	uint32_t order; /* order of arrival, to order calls at equal times */
	bool is_end;
};

struct ra_builder {
	struct ra_model *model; /* borrowed; its arrays grow here */
	size_t slice_capacity;
	size_t mark_capacity;
	size_t slice_attr_capacity;
	size_t slice_count_capacity;
	size_t mark_attr_capacity;
	size_t loss_capacity;
	size_t data_capacity[RA_BUILDER_LISTS];
	size_t data_byte_count;
	size_t data_byte_capacity;
	enum ra_builder_list newest_list; /* list to which data were added last */
	size_t sync_object_capacity;
	size_t sync_time_capacity;
	struct ra_util_map sync_objects; /* key made of domain and id → index of the sync object */
	size_t counter_capacity;
	struct ra_util_map counters; /* key made of domain and id → index of the counter */
	size_t sample_capacity;
	size_t call_capacity;
	size_t handoff_capacity;
	struct ra_builder_step *steps; /* owned; ordered by thread, then time */
	size_t step_count;
	size_t step_capacity;
	size_t domain_capacity;
	size_t stand_in_capacity;
	uint32_t good_names;           /* all string ids below this are in the log */
	struct ra_util_map lost_names; /* id of a lost string → name of its stand-in */
	/* name of the last stand-in, which all further lost strings share */
	uint32_t overflow_name;
	/* Called before a name is added; NULL: no other thread looks at names. */
	void (*settle)(void *context);
	void *settle_context;
	uint16_t *domain_index; /* owned: by domain id, for small ids: index + 1; 0: not seen yet */
	struct ra_util_map domain_map; /* for large ids: domain id → index */
};

/* The attributes of a push, start or mark besides its name. */
struct ra_builder_attr {
	uint32_t category;
	uint32_t color;
	uint32_t payload_type;
	uint64_t payload;
};

/* Call it after the model's strings are set. */
void ra_builder_init(struct ra_builder *builder, struct ra_model *model);
void ra_builder_fini(struct ra_builder *builder);

/* Makes room for more slices. */
void ra_builder_reserve_slices(struct ra_builder *builder, size_t more);

/* Appends a mark. */
void ra_builder_add_mark(struct ra_builder *builder, const struct ra_mark *mark);

/* Sets the attributes of the newest slice or mark. */
void ra_builder_add_slice_attr(struct ra_builder *builder, const struct ra_builder_attr *attr);
void ra_builder_add_mark_attr(struct ra_builder *builder, const struct ra_builder_attr *attr);

void ra_builder_add_call(struct ra_builder *builder, const struct ra_call *call);

void ra_builder_add_handoff(struct ra_builder *builder, const struct ra_handoff *handoff);

/* Adds a step and sets its order. Return: 0; -RLOG_E_TOO_DENSE: more steps than the bytes of the
 * log can hold. */
int ra_builder_add_step(struct ra_builder *builder, const struct ra_builder_step *step);

void ra_builder_add_loss(struct ra_builder *builder, const struct ra_loss_span *span);

/* The bytes of an event's payload. @owner: index of the range or mark; RA_NONE if it is not known
 * yet. */
struct ra_builder_data {
	const uint8_t *bytes;
	size_t count;
	uint32_t owner;
	bool is_end;
};

/* Copies the bytes into the model. */
void ra_builder_add_data(struct ra_builder *builder, enum ra_builder_list list,
                         const struct ra_builder_data *data);

/* Appends bytes to the data that were added last. */
void ra_builder_continue_data(struct ra_builder *builder, const uint8_t *bytes, size_t count);

/* The index that the next data added to a list will get. */
uint32_t ra_builder_count_data(const struct ra_builder *builder, enum ra_builder_list list);

/* Sorts all data by owner and drops those without one. */
void ra_builder_sort_data(struct ra_builder *builder);

/* Adds a name that is not a string of the log. */
void ra_builder_add_name(struct ra_builder *builder, const char *bytes, size_t length,
                         uint32_t *name);

/* Gives the index of a domain id. A new id gets a new index. */
void ra_builder_map_domain(struct ra_builder *builder, uint32_t id, uint16_t *index);

/* Gives the name for a string id that the log lacks. Ids below good_names need no such name. */
void ra_builder_map_lost_name(struct ra_builder *builder, uint32_t id, uint32_t *name);

static inline void ra_builder_map_name(struct ra_builder *builder, uint32_t id, uint32_t *name)
{
	if (__builtin_expect(id < builder->good_names, 1)) {
		*name = id;
		return;
	}
	ra_builder_map_lost_name(builder, id, name);
}

/*
 * Finds the parents of one thread's slices, which must be in order and have ends. If a slice ends
 * after the slice in which it began, it crosses that slice, and is left out of the tree.
 *
 * @stack, @capacity: a growing array, reused for the next thread.
 */
void ra_builder_nest(struct ra_model *model, const struct ra_track *track, uint32_t **stack,
                     size_t *capacity);

#define RA_BUILDER_DIRECT_DOMAINS 1024u

static inline void ra_builder_find_domain(struct ra_builder *builder, uint32_t id, uint16_t *index)
{
	if (__builtin_expect(id < RA_BUILDER_DIRECT_DOMAINS, 1)) {
		const uint16_t known = builder->domain_index[id];

		if (__builtin_expect(known != 0, 1)) {
			*index = (uint16_t) (known - 1);
			return;
		}
	}
	ra_builder_map_domain(builder, id, index);
}

#endif
