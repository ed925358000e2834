/* SPDX-License-Identifier: MIT */
/*
 * Finds the group of each slice, that is its row in a table. A first pass groups slices by domain,
 * kind and perhaps name. Each further key splits these groups in a pass of its own, so that any
 * keys can be combined.
 */
#include "analyzer/names/group-base.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/base/alloc.h"
#include "analyzer/base/util-map.h"
#include "analyzer/base/util.h"
#include "analyzer/rows/kineto.h"
#include "format/wire.h"

struct grouping {
	const struct ra_model *model;
	struct ra_group *group;
	struct ra_labels *labels; /* may be NULL */
	bool has_names;
	struct ra_util_map map; /* of the current pass: key → group */
	size_t key_capacity;
	size_t path_capacity;
	size_t attr;                 /* index of the next attribute of slices */
	struct ra_util_map payloads; /* bits of a payload → number of these bits … */
	struct ra_util_map typed;    /* … (that number << 32 | type) → number of the payload */
};

/* Finds the group with a 64-bit code. `key` describes the group if it is new. */
static uint32_t find_group(struct grouping *g, uint64_t code, const struct ra_group_key *key)
{
	uint32_t found = ra_util_map_find(&g->map, code);

	if (found == RA_UTIL_MAP_NONE) {
		found = (uint32_t) g->group->count;
		RA_UTIL_APPEND(g->group->keys, g->group->count, g->key_capacity, *key);
		ra_util_map_put(&g->map, code, found);
	}
	return found;
}

/* The first pass: groups by domain, kind and perhaps name. */
static void group_by_base(struct grouping *g)
{
	const struct ra_model *m = g->model;
	const struct ra_slices *s = &m->slices;
	struct ra_group_base base;

	ra_group_base_init(&base, g->labels, g->has_names);
	ra_group_base_reserve(&base, m);
	for (size_t t = 0; t < m->track_count; t++) {
		const struct ra_track *track = &m->tracks[t];
		const size_t end = track->first_slice + track->slice_count;

		for (size_t i = track->first_slice; i < end; i++) {
			const uint8_t kind = (s->flags[i] & RA_SLICE_WAIT) != 0
			                             ? RA_GROUP_WAIT
			                             : (uint8_t) track->kind;

			g->group->of_slice[i] =
				ra_group_base_find(&base, s->name[i], s->domain[i], kind);
		}
	}
	g->group->keys = base.keys;
	g->group->count = base.count;
	base.keys = NULL;
	ra_group_base_fini(&base);
}

/* Begins a pass that splits the groups. Return: the keys of the groups so far; the caller frees
 * them. */
static struct ra_group_key *begin_pass(struct grouping *g)
{
	struct ra_group_key *keys = g->group->keys;

	ra_util_map_free(&g->map);
	g->group->keys = NULL;
	g->group->count = 0;
	g->key_capacity = 0;
	g->attr = 0;
	return keys;
}

static void add_path(struct grouping *g, const struct ra_group_key *key, uint32_t parent)
{
	struct ra_group *group = g->group;

	RA_UTIL_APPEND(group->paths, group->path_count, g->path_capacity,
	               (struct ra_group_path){
			       .name = key->name,
			       .parent = parent,
			       .depth = parent == RA_NONE ? 0 : group->paths[parent].depth + 1,
			       .domain = key->domain,
		       });
}

/*
 * Splits groups by name into groups by path. Parents come before their children, so a parent's
 * group is already a path when a child needs it. Here a group and its path have the same number.
 */
static void split_by_path(struct grouping *g)
{
	const struct ra_model *m = g->model;
	uint32_t *of_slice = g->group->of_slice;
	struct ra_group_key *keys = begin_pass(g);

	for (size_t i = 0; i < m->slices.count; i++) {
		const uint32_t parent = m->slices.parent[i];
		const uint32_t around = parent == RA_NONE ? RA_NONE : of_slice[parent];
		const size_t count = g->group->count;
		struct ra_group_key key = keys[of_slice[i]];

		key.path = (uint32_t) count;
		of_slice[i] = find_group(g, (uint64_t) around << 32 | of_slice[i], &key);
		if (g->group->count > count) {
			add_path(g, &key, around);
		}
	}
	free(keys);
}

/* The attributes of a slice; NULL: none. Ask for the slices in order. */
static const struct ra_attr *next_attr(struct grouping *g, size_t slice)
{
	const struct ra_model *m = g->model;

	while (g->attr < m->slice_attr_count && m->slice_attrs[g->attr].owner < slice) {
		g->attr++;
	}
	return g->attr < m->slice_attr_count && m->slice_attrs[g->attr].owner == slice
	               ? &m->slice_attrs[g->attr]
	               : NULL;
}

/*
 * Sets that member of the key by which a pass splits groups. Called for the slices in order.
 *
 * Return: the number of the member's value; equal values have equal numbers.
 */
typedef uint32_t take_part(struct grouping *g, size_t slice, struct ra_group_key *key);

static uint32_t take_category(struct grouping *g, size_t slice, struct ra_group_key *key)
{
	const struct ra_attr *attr = next_attr(g, slice);

	key->category = attr == NULL ? 0 : attr->category;
	return key->category;
}

/* Numbers the payload of a slice, even if it is not a number in the event's attributes. */
static uint32_t take_payload(struct grouping *g, size_t slice, struct ra_group_key *key)
{
	const struct ra_attr *attr = next_attr(g, slice);
	uint32_t part;

	key->payload_type = attr == NULL ? RLOG_PAYLOAD_NONE : attr->payload_type;
	key->payload = key->payload_type == RLOG_PAYLOAD_NONE ? 0 : attr->payload;
	ra_util_map_number(&g->payloads, key->payload, &part);
	ra_util_map_number(&g->typed, (uint64_t) part << 32 | key->payload_type, &part);
	return part;
}

/* Finds the shape of a slice in a trace. There, the sizes are args and not in the name. */
static uint32_t take_shape(struct grouping *g, size_t slice, struct ra_group_key *key)
{
	const struct ra_kineto *kineto = g->model->kineto;

	key->shape = ra_kineto_get_shape(kineto, kineto->slice_event[slice]);
	return key->shape;
}

static void split_by(struct grouping *g, take_part *take)
{
	const struct ra_model *m = g->model;
	uint32_t *of_slice = g->group->of_slice;
	struct ra_group_key *keys = begin_pass(g);

	for (size_t i = 0; i < m->slices.count; i++) {
		struct ra_group_key key = keys[of_slice[i]];
		const uint32_t part = take(g, i, &key);

		of_slice[i] = find_group(g, (uint64_t) part << 32 | of_slice[i], &key);
	}
	free(keys);
}

void ra_group_init(struct ra_group *group, const struct ra_model *model, unsigned by,
                   struct ra_labels *labels)
{
	struct grouping g = {
		.model = model,
		.group = group,
		.labels = labels,
		.has_names = (by & (RA_GROUP_BY_NAME | RA_GROUP_BY_PATH | RA_GROUP_BY_SHAPE)) != 0,
	};

	memset(group, 0, sizeof(*group));
	ra_util_resize(&group->of_slice, model->slices.count + 1, sizeof(*group->of_slice));
	group_by_base(&g);
	if ((by & RA_GROUP_BY_PATH) != 0) {
		split_by_path(&g);
	}
	if ((by & RA_GROUP_BY_SHAPE) != 0 && ra_model_has(model, RA_HAS_ROWS)) {
		split_by(&g, take_shape);
	}
	if ((by & RA_GROUP_BY_CATEGORY) != 0) {
		split_by(&g, take_category);
	}
	if ((by & RA_GROUP_BY_PAYLOAD) != 0) {
		split_by(&g, take_payload);
	}
	ra_util_map_free(&g.map);
	ra_util_map_free(&g.payloads);
	ra_util_map_free(&g.typed);
}

void ra_group_fini(struct ra_group *group)
{
	free(group->of_slice);
	free(group->keys);
	free(group->paths);
	memset(group, 0, sizeof(*group));
}
